"""Text to rules: decodes, recognizes the notation, and raises all syntax faults at once."""

from __future__ import annotations

import os
import re
from typing import Literal

from ludisect.errors import InputError, Problem, RulesSyntaxError
from ludisect.gdl import infix, kif
from ludisect.gdl.terms import Rules, Term, as_term, read_kif_term
from ludisect.progress import report

Notation = Literal["kif", "infix"]

# After comments, an infix sheet starts with an atom that is applied, defined or ended.
_INFIX = re.compile(
    r"(?:\s++|%[^\n]*+|/\*.*?(?:\*/|\Z))*+(?:[\w-]+|'(?:[^'\\\n]|\\[^\n]|''){1,1000}')\s*(?:\(|\.|:-|:=|<=|<-|←|⇐)",
    re.DOTALL,
)


def read(text: str | bytes, *, name: str = "rules", notation: Notation | None = None) -> Rules:
    """Read a rule sheet; ``name`` stands for it in messages, the notation is recognized unless given.

    Raises RulesSyntaxError with every fault that can be told apart.

    >>> print(read("role(white). terminal :- true(control(X)), not open(X)."))
    (role white)
    (<= terminal (true (control ?x)) (not (open ?x)))
    """
    if not isinstance(text, str | bytes):
        raise TypeError(f"read takes the text of a rule sheet, not {type(text).__name__}; read_file takes a path")
    clean = decode(text)
    if notation is None:
        notation = "infix" if _INFIX.match(clean) else "kif"
    elif notation not in ("kif", "infix"):
        raise InputError(f"unknown notation {notation!r}; choose 'kif' or 'infix'")
    lines = clean.count("\n") + 1
    report("reading", 0, lines)
    rules, problems = (infix if notation == "infix" else kif).parse(clean, name)
    if not rules and not problems:
        help = "a rule sheet is a list of sentences such as (role white) and (<= terminal (true over))"
        problems = [Problem(f"{name}: no rules in this text", help=help)]
    if problems:
        raise RulesSyntaxError(problems)
    report("reading", lines, lines)
    return Rules(tuple(rules), name, clean, notation)


def read_file(path: str | os.PathLike[str], *, notation: Notation | None = None) -> Rules:
    """Read a rule sheet from a file.

    Raises InputError if there is no readable file, RulesSyntaxError as `read`.
    """
    try:
        with open(path, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        raise InputError(f"no such file: {str(path)!r}") from None
    except IsADirectoryError:
        raise InputError(f"{str(path)!r} is a folder; give the rule sheet (.kif) in it") from None
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {str(path)!r}: {getattr(error, 'strerror', None) or error}") from None
    return read(data, name=os.path.basename(path), notation=notation)


def read_term(text: str) -> Term:
    """Read one term, such as ``(cell 1 1 b)`` or ``noop``, or ``cell(1, 1, b)`` in infix notation.

    Raises RulesSyntaxError if the text is anything else.
    """
    return as_term(text, read_kif_term(text) or infix.parse_term(text))


def decode(text: str | bytes) -> str:
    """The characters of a text, with lines that end in a line feed.

    Bytes are UTF-8, or UTF-16 if they say so in front, or else Latin-1, in which every byte is a character.
    """
    characters = text if isinstance(text, str) else _characters(text)
    return characters.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _characters(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")
