"""Every error a caller can meet, in one tree.

LudisectError
├─ InputError (ValueError)        a file, name or argument that we cannot use
│   ├─ UnknownRole (KeyError)     .role, .roles
│   └─ UnknownPart (IndexError)   a number that no part of a decomposition has
├─ RulesError (ValueError)        the rule sheet is wrong; .problems says where and how to mend it
│   ├─ RulesSyntaxError           brackets, tokens
│   └─ RulesInvalidError          arity, safety, recursion, missing role / legal / goal
├─ IllegalMove (ValueError)       .role, .move, .legal, .number (of the move, in a line of moves)
├─ Zugzwang (ValueError)          a game with points in which moving can be worse than waiting; .position shows it
├─ TraceError (ValueError)        a trace file that is not in the documented form; place in the message
└─ BudgetExceeded                 .budget, .partial (the best result so far)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import wraps
from numbers import Real
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Place:
    """A stretch of a rule sheet: file name, line and column (from 1), and how many characters it spans."""

    file: str
    line: int
    column: int
    length: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of a rule sheet: where, what, and a way out. ``level`` is ``error`` or ``warning``."""

    what: str
    place: Place | None = None
    help: str = ""
    level: str = "error"
    line_text: str = field(default="", repr=False)

    def __str__(self) -> str:
        mark = "" if self.level == "error" else f"{self.level}: "
        out = [f"{self.place}: {mark}{self.what}" if self.place else f"{mark}{self.what}"]
        if self.place and self.line_text:
            out += _excerpt(self.place, self.line_text)
        if self.help:
            out.append(f"  help: {self.help}")
        return "\n".join(out)

    def to_dict(self) -> dict[str, object]:
        """The problem as JSON-ready data."""
        place = self.place
        return {
            "level": self.level,
            "what": self.what,
            "help": self.help,
            "file": place.file if place else None,
            "line": place.line if place else None,
            "column": place.column if place else None,
            "length": place.length if place else None,
        }


def _excerpt(place: Place, text: str, width: int = 100) -> list[str]:
    """The source line with a caret below; long lines are cut around the place."""
    start = max(0, place.column - 1 - width // 2) if len(text) > width else 0
    shown = "".join(c if c.isprintable() else " " for c in text[start : start + width]).rstrip()
    caret = " " * (place.column - 1 - start) + "^" * max(1, min(place.length, len(shown) - (place.column - 1 - start)))
    return [f"{place.line:5} | {shown}", f"      | {caret}"]


class LudisectError(Exception):
    """The root of everything this library raises on purpose."""


class InputError(LudisectError, ValueError):
    """A file, name or argument that cannot be used; the message says what would be right."""


class UnknownRole(InputError, KeyError):
    """A name that no role of the game has."""

    def __init__(self, role: str, roles: Sequence[str]) -> None:
        self.role, self.roles = role, tuple(roles)
        near = did_you_mean(role, roles)
        super().__init__(f"no role is called {role!r}{near or '; the roles are ' + ', '.join(roles)}")

    __str__ = Exception.__str__  # a KeyError would show the message in quotes

    def __reduce__(self) -> tuple[type[UnknownRole], tuple[str, tuple[str, ...]]]:
        return UnknownRole, (self.role, self.roles)


class UnknownPart(InputError, IndexError):
    """A number that no part of a decomposition has."""


class RulesError(LudisectError, ValueError):
    """The rule sheet is wrong; ``problems`` lists every fault found."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__("\n".join(str(p) for p in self.problems))


class RulesSyntaxError(RulesError):
    """The text is not GDL: brackets, tokens, shape of a sentence."""


class RulesInvalidError(RulesError):
    """The text is GDL, the rules break its laws: arity, safety, stratification, recursion, keywords."""


class IllegalMove(LudisectError, ValueError):
    """A move that the rules do not allow in the state it was made in."""

    def __init__(self, role: str, move: str, legal: Sequence[str], number: int | None = None) -> None:
        self.role, self.move, self.legal, self.number = role, move, tuple(legal), number
        some = ", ".join(self.legal[:8]) + (", …" if len(self.legal) > 8 else "")
        where = "" if number is None else f"move {number}: "
        super().__init__(f"{where}illegal move {move!r} of role {role!r}; legal here: {some or 'none'}")

    def __reduce__(self) -> tuple[type[IllegalMove], tuple[str, str, tuple[str, ...], int | None]]:
        return IllegalMove, (self.role, self.move, self.legal, self.number)


class Zugzwang(LudisectError, ValueError):
    """A game with points that cannot be valued: in ``position`` moving is worse than letting the opponent move."""

    def __init__(self, message: str, *, position: object = None) -> None:
        self.position = position
        super().__init__(message)


class TraceError(LudisectError, ValueError):
    """A trace file that is not JSON Lines of the documented form."""


class BudgetExceeded(LudisectError):
    """A limit on time or memory was reached; ``partial`` is the best result so far."""

    def __init__(self, message: str, *, budget: str = "", partial: object = None) -> None:
        self.budget, self.partial = budget, partial
        super().__init__(message)


def check_numbers(**given: object) -> None:
    """Raise TypeError for an argument that should be a number, or None, and is something else."""
    for name, value in given.items():
        if value is not None and not isinstance(value, Real):
            raise TypeError(f"{name} is a number, not {type(value).__name__}")


def options_by_name(right: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A function whose options go by name: one argument too many raises a TypeError that says what is ``right``."""

    def guarded(function: Callable[P, R]) -> Callable[P, R]:
        plain: Any = function
        most: int = plain.__code__.co_argcount

        @wraps(function)
        def called(*given: P.args, **options: P.kwargs) -> R:
            if len(given) > most:
                surplus = ", ".join(f"{str(one)[:40]!r}" for one in given[most:])
                raise TypeError(f"{plain.__name__} takes {right}, and options by name; {surplus} has none")
            return function(*given, **options)

        return called

    return guarded


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A question that may help who misspelt a word; empty if nothing known is like it."""
    from difflib import get_close_matches  # rarely needed and slow to load

    found = get_close_matches(word, list(known), n=1)
    return f"; did you mean {found[0]}?" if found else ""
