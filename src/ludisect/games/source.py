"""What a user calls a game -> its rules: a bundled name, a path, ``-`` for standard input, or the text itself."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from ludisect.errors import InputError
from ludisect.games import bundled
from ludisect.gdl.reader import read, read_file
from ludisect.gdl.terms import Rules

_SENTENCE = re.compile(r"\(\s*(role|init|legal|next|goal|terminal|<=)[\s)]|\brole\s*\(", re.IGNORECASE)
"""What rule sheets have, in prefix or in infix notation, and no combinatorial expression."""


def names_rules(text: str) -> bool:
    """Whether text means a game given by rules rather than a sum of combinatorial games (``nim 3 5 7``, ``{1|*}``).

    A bundled name wins: ``nim`` and ``nim:3,5`` are rule sheets, ``nim 3 5`` is a sum.
    """
    if text == "-" or text.endswith(".kif") or bundled.is_bundled(text) or _SENTENCE.search(text):
        return True
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # no file can have such a name: a large board
        return False


def find_rules(game: str | Path) -> Rules:
    """Read the rules of a game given as a bundled name (``nim:3,5,7``), a path, ``-``, or rule text.

    A path wins over a bundled name only if it looks like one (it has a slash or a suffix).
    """
    if isinstance(game, Path):
        return read_file(game)
    if game == "-":
        return read(sys.stdin.buffer.read(), name="standard input")
    if "(" in game or "\n" in game:
        return read(game)
    if bundled.is_bundled(game):
        return read(bundled.source(game), name=game)
    if "/" in game or "." in game or Path(game).exists():
        return read_file(game)
    try:
        return read(bundled.source(game), name=game)
    except InputError as error:
        raise InputError(f"{error} (and there is no file of that name)") from None
