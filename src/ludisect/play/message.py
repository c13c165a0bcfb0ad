"""Messages of game managers: text to verb, match, role, rules, clocks and moves, in both notations.

A START can hold megabytes of rules, and whoever reads it must not be kept: what is looked at here is the frame.
Rules and moves stay text; whoever plays reads them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ludisect.errors import InputError, RulesSyntaxError
from ludisect.gdl.line import read_terms
from ludisect.gdl.reader import read, read_term
from ludisect.gdl.terms import TOKEN, Rules, Term
from ludisect.gdl.writer import infix_term

# Words have an end: a stranger's ten megabytes without a blank must not be walked to and fro.
_FRAME = re.compile(r"\(\s*+([^\s()]{1,100}+)(?=[\s()])")
_NAMES = re.compile(r"\s*+([^\s()]{1,1000}+)\s++([^\s()]{1,1000}+|\([^()]{0,1000}+\))\s*+(?=\()")
_WORD = re.compile(r"\s*+([^\s()]{1,1000}+)\s*+")
_INFIX = re.compile(r"([A-Za-z]{1,100}+)\s*+\(")
_LARGE = 1 << 20
"""Characters from which on only messages of the plain form are read."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message. ``verb`` is in lower case; what a verb does not have is empty."""

    verb: str
    id: str = ""
    role: str = ""
    rules: str = ""
    clocks: tuple[str, ...] = ()
    moves: str | None = None
    """The moves of the step before, without the brackets around them; None for NIL."""
    infix: bool = False


def read_message(text: str) -> Message:
    """Read a message; raises InputError if it is none.

    >>> read_message("( PLAY m.1 (( mark 2 2 ) noop ) )").moves
    '( mark 2 2 ) noop'
    >>> read_message("play(m1, [mark(2,2), noop])").moves
    'mark(2,2), noop'
    """
    text = text.strip()
    if not text:
        return Message("info")
    found = _FRAME.match(text)
    if found is None:
        return _read_infix(text)
    if text.count("(") != text.count(")") or text[-1] != ")":
        raise InputError("brackets that do not balance")
    verb, rest = found[1].lower(), text[found.end() : -1]
    if verb == "start":
        return _start(rest)
    if verb == "preview":
        rules, after = _list(rest)
        return Message(verb, rules=rules, clocks=tuple(after.split()))
    word = _WORD.match(rest)
    if word is None:
        return Message(verb)
    moves = rest[word.end() :].strip()
    if verb in ("play", "stop") and moves and moves[:4].lower() != "nil":
        if len(moves) > _LARGE:
            raise InputError("more moves than any game has")
        inside, _ = _list(moves)
        return Message(verb, word[1], moves=inside.strip())
    return Message(verb, word[1])


def _start(rest: str) -> Message:
    names = _NAMES.match(rest)
    if names is None:
        raise InputError("START without a match, a role and rules")
    rules, after = _list(rest[names.end() :])
    if len(rest) > _LARGE and len(after.split()) < 2:
        raise InputError("a long message of an unknown form")
    return Message("start", names[1], " ".join(names[2].split()), rules, tuple(after.split()))


def _list(text: str) -> tuple[str, str]:
    """What is inside of the list at the beginning, and what follows it."""
    text = text.strip()
    if not text.startswith("("):
        raise InputError("a list is expected")
    end = text.rfind(")")
    if "(" not in text[end:] and text.count("(", 0, end + 1) == text.count(")") and _one_list(text, end):
        return text[1:end], text[end + 1 :]
    if len(text) > _LARGE:
        raise InputError("a long message of an unknown form")
    depth = 0
    for token in TOKEN.finditer(text):
        depth += (token[0] == "(") - (token[0] == ")")
        if depth == 0:
            return text[1 : token.start()], text[token.end() :]
    raise InputError("brackets that do not balance")


def _one_list(text: str, end: int) -> bool:
    """Whether the last bracket closes the first one: so it is in every START but those with lists behind the clocks."""
    if len(text) > _LARGE:  # then the rules are by far the most of it
        return text.count("(", 1, end) == text.count(")", 1, end)
    depth = 0
    for token in TOKEN.finditer(text, 0, end):
        depth += (token[0] == "(") - (token[0] == ")")
        if depth == 0:
            return False
    return True


# ---- infix notation ----


def _read_infix(text: str) -> Message:
    found = _INFIX.match(text)
    if found is None:
        if len(text) <= 100 and re.fullmatch(r"[A-Za-z]+", text):
            return Message(text.lower())
        raise InputError("neither (verb …) nor verb(…)")
    if text[-1] not in ").":
        raise InputError("brackets that do not balance")
    verb = found[1].lower()
    inside = text.rstrip(".").rstrip()[found.end() : -1]
    parts = _parts(inside) if len(text) <= _LARGE else _long_start(inside)
    if verb == "start" and len(parts) >= 5:
        return Message(verb, parts[0], parts[1], _unwrapped(parts[2]), tuple(parts[3:]), infix=True)
    if verb == "preview" and parts:
        return Message(verb, rules=_unwrapped(parts[0]), clocks=tuple(parts[1:]), infix=True)
    if verb in ("play", "stop") and len(parts) > 1 and parts[1].lower() not in ("nil", "[]"):
        return Message(verb, parts[0], moves=_unwrapped(parts[1]), infix=True)
    return Message(verb, parts[0] if parts else "", infix=True)


def _long_start(text: str) -> list[str]:
    """The parts of a long message, which can only be a START with its rules in a list."""
    names, opening, rest = text.partition("[")
    rules, closing, clocks = rest.rpartition("]")
    if len(names) > _LARGE or len(clocks) > _LARGE or not opening or not closing:
        raise InputError("a long message of an unknown form")
    return [*_parts(names.rstrip().rstrip(",")), f"[{rules}]", *_parts(clocks.lstrip().lstrip(","))]


def _unwrapped(text: str) -> str:
    return text[1:-1].strip() if text[:1] + text[-1:] in ("[]", "{}", "()") else text


def _parts(text: str) -> list[str]:
    """What stands between the commas that are in no bracket."""
    out, depth, begin = [], 0, 0
    for found in re.finditer(r"[\[\](){},]", text):
        mark = found[0]
        depth += (mark in "[({") - (mark in "])}")
        if mark == "," and depth == 0:
            out.append(text[begin : found.start()].strip())
            begin = found.end()
    last = text[begin:].strip()
    return [*out, last] if last or out else []


# ---- what is in a message ----


def message_rules(text: str, *, infix: bool, name: str) -> Rules:
    """The rules of a START; raises RulesSyntaxError."""
    if infix and not re.search(r"\.\s*(?:\Z|[a-z%])", text):
        text = ". ".join([*_parts(text), ""])
    return read(text, name=name, notation="infix" if infix else "kif")


def message_moves(text: str, *, infix: bool) -> list[Term]:
    """The moves of a PLAY or STOP; raises InputError."""
    if not infix:
        return read_terms(text)
    try:
        return [read_term(part) for part in _parts(text)]
    except RulesSyntaxError:
        raise InputError(f"{text[:60]!r} is no list of moves") from None


def message_role(text: str, *, infix: bool) -> str:
    """A role as the rules print it."""
    try:
        return str(read_term(text)) if infix else str(*read_terms(text))
    except (RulesSyntaxError, TypeError):
        raise InputError(f"{text[:60]!r} is no role") from None


def written(move: str, *, infix: bool) -> str:
    """A move (KIF) as it is answered: in the notation of the question, on one line."""
    return infix_term(read_term(move)) if infix else move
