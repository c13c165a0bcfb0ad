"""Places in a text: offsets to lines and columns, and the outline of a sentence, piece by piece."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field

from ludisect.errors import Place, Problem

MAX_DEPTH = 200
"""Deeper nesting is refused, so that everything that walks a term or a formula may recurse."""

_UNREADABLE = re.compile(r"[\x00-\x08\x0e-\x1f]")


def shortened(token: str, length: int = 60) -> str:
    """A token as a message shows it: what is no rule sheet can hold words of any length."""
    return token if len(token) <= length else token[: length - 1] + "…"


@dataclass(slots=True)
class Outline:
    """A piece of text and its parts: child 0 is the name, the others are its arguments or formulas in order."""

    start: int
    end: int
    children: list[Outline] = field(default_factory=list)

    def at(self, path: Iterable[int]) -> Outline:
        """The piece that a path of child numbers leads to."""
        piece = self
        for number in path:
            piece = piece.children[number]
        return piece


class Lines:
    """Turns offsets into line and column of one text."""

    def __init__(self, text: str, name: str) -> None:
        self.text, self.name = text, name
        self._starts = [0, *(m.end() for m in re.finditer("\n", text))]
        self._line = (0, "")  # the last line asked for: all faults of a huge line share one copy of it

    def place(self, start: int, end: int = 0) -> Place:
        """The place of ``text[start:end]``; what runs over the end of its line is cut there."""
        line = bisect_right(self._starts, start)
        first = self._starts[line - 1]
        last = self._starts[line] - 1 if line < len(self._starts) else len(self.text)
        return Place(self.name, line, start - first + 1, max(1, min(end, last) - start))

    def offset(self, place: Place) -> int:
        """Where a place starts in the text."""
        return self._starts[place.line - 1] + place.column - 1

    def line(self, number: int) -> str:
        """The text of a line, counted from 1."""
        if self._line[0] != number:
            stop = self._starts[number] - 1 if number < len(self._starts) else len(self.text)
            self._line = number, self.text[self._starts[number - 1] : stop]
        return self._line[1]

    def problem(self, what: str, start: int, end: int = 0, help: str = "", level: str = "error") -> Problem:
        """A fault at ``text[start:end]``."""
        place = self.place(start, end)
        return Problem(what, place, help, level, self.line(place.line))

    def garbage(self) -> Problem | None:
        """The fault of a text that is not text at all."""
        found = _UNREADABLE.search(self.text)
        if not found:
            return None
        help = "a rule sheet is plain text in KIF or infix notation"
        return self.problem(f"this is no text: it holds the character {found[0]!r}", found.start(), help=help)
