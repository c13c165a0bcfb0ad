"""Expressions: values, positions by the name of their game, and sums of these with `` + ``.

domineering 4x5 + {1|*} + clobber XO.|OX. + nim 3 5 7 + impartial toppling_dominoes XXO
"""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import get_close_matches

from ludisect.cgt import Value, parse
from ludisect.cgt.impartial import NAMED
from ludisect.errors import InputError
from ludisect.rulesets.amazons import Amazons
from ludisect.rulesets.clobber import CannibalClobber, Clobber
from ludisect.rulesets.coloring import Col, Snort
from ludisect.rulesets.domineering import Cram, Domineering
from ludisect.rulesets.hackenbush import Hackenbush
from ludisect.rulesets.heaps import Nim, OctalHeaps, named_octal
from ludisect.rulesets.nogo import NoGo
from ludisect.rulesets.position import Impartial, Position
from ludisect.rulesets.toads import Toads
from ludisect.rulesets.toppling import Toppling

Reader = Callable[[str], Position]
"""Turns the text after a game's name into a position."""

GAMES: dict[str, Reader] = {
    "amazons": Amazons.parse,
    "cannibal_clobber": CannibalClobber.parse,
    "clobber": Clobber.parse,
    "col": Col.parse,
    "cram": Cram.parse,
    "domineering": Domineering.parse,
    "hackenbush": Hackenbush.parse,
    "nim": Nim.parse,
    "nogo": NoGo.parse,
    "octal": OctalHeaps.parse,
    "snort": Snort.parse,
    "toads": Toads.parse,
    "toppling_dominoes": Toppling.parse,
}
"""The games by name; a program may add its own."""

ALIASES = {"clobber_1xn": "clobber", "nogo_1xn": "nogo", "toppling": "toppling_dominoes", "toads_and_frogs": "toads"}

_WORD = re.compile(r"[A-Za-z][\w-]+(?=\s|$)")


def read(text: str) -> list[Value | Position]:
    """The components of an expression, in order.

    Raises:
        InputError: an unknown game (near names are suggested), a malformed board or value.
    """
    return [read_component(part) for part in _split(text)]


def read_component(text: str) -> Value | Position:
    """One component: a value, or a game's name and a position."""
    text = text.strip()
    word = _WORD.match(text)
    if word is None:
        return parse(text)
    name, rest = word.group(), text[word.end() :].strip()
    if name == "impartial":
        inner = read_component(rest)
        if isinstance(inner, Value):
            raise InputError("'impartial' is followed by a game and a position, as in: impartial domineering 3x3")
        return inner if inner.impartial else Impartial(inner)
    game = ALIASES.get(name.lower(), name.lower())
    if game not in GAMES and game not in NAMED:
        known = sorted({*GAMES, *NAMED, *ALIASES})
        near = get_close_matches(game, known, n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else f"known games: {', '.join(known)}"
        raise InputError(f"unknown game {name!r}; {hint}")
    if not rest:
        raise InputError(f"{name}: the position is missing; write for example {_EXAMPLE.get(game, game + ' 3 5')}")
    return named_octal(game, rest) if game in NAMED else GAMES[game](rest)


_EXAMPLE = {
    "amazons": "amazons X..|..O",
    "cannibal_clobber": "cannibal_clobber XO|OX",
    "clobber": "clobber XO.|OX.",
    "col": "col 3x3",
    "cram": "cram 3x3",
    "domineering": "domineering 4x5",
    "hackenbush": "hackenbush BRG",
    "nogo": "nogo 3x3",
    "octal": "octal 0.137 12 5",
    "snort": "snort 2x3",
    "toads": "toads TT..FF",
    "toppling_dominoes": "toppling_dominoes XXO",
}


def _split(text: str) -> list[str]:
    """Cut at every `` + `` that is not inside brackets."""
    out, depth, start = [], 0, 0
    for i, x in enumerate(text):
        if x in "{(":
            depth += 1
        elif x in "})":
            depth -= 1
        elif x == "+" and depth == 0 and f" {text} "[i : i + 3] == " + ":
            out.append(text[start:i])
            start = i + 1
    out.append(text[start:])
    if any(not part.strip() for part in out):
        raise InputError("the expression is empty, or a sum lacks a term; write for example: domineering 4x4 + {1|*}")
    return out
