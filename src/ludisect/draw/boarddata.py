"""Boards and moves as data: what lies on every square, to which part it belongs, where moves are made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

At = tuple[int, int]
"""Row and column of a square."""

BoardKind = Literal["grid", "heaps", "points", "lines"]
WhereKind = Literal["cell", "edge", "from-to", "column", "heap", "list"]


@dataclass(frozen=True, slots=True)
class Square:
    """A place on a board: what it holds, how that is drawn, the fluents that say so, its parts (by number)."""

    at: At
    holds: str = ""
    glyph: str = ""
    fluents: tuple[str, ...] = ()
    parts: tuple[int, ...] = ()

    @property
    def part(self) -> int | None:
        """Its part, if it lies in one and not in several."""
        return self.parts[0] if len(self.parts) == 1 else None

    def to_json(self) -> dict[str, Any]:
        """As the page reads it."""
        out: dict[str, Any] = {
            "at": list(self.at), "holds": self.holds, "glyph": self.glyph, "fluents": list(self.fluents),
            "part": self.part,
        }  # fmt: skip
        return out | ({"parts": list(self.parts)} if len(self.parts) > 1 else {})


@dataclass(frozen=True, slots=True)
class BoardPiece:
    """Something that lies on several squares, or was placed last."""

    cells: tuple[At, ...]
    role: str
    glyph: str = ""
    last: bool = False

    def to_json(self) -> dict[str, Any]:
        """As the page reads it."""
        return {"cells": [list(at) for at in self.cells], "role": self.role, "glyph": self.glyph, "last": self.last}


@dataclass(frozen=True, slots=True)
class BoardData:
    """A board: squares in rows and columns, heaps of counters (row: height from the ground), or a graph.

    Of a graph, the squares are its points or its lines, one in each row.
    """

    title: str
    kind: BoardKind
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    squares: tuple[Square, ...]
    unused: str = ""
    """Which rows and columns were cut away because nothing is ever there."""
    pieces: tuple[BoardPiece, ...] = ()
    points: tuple[tuple[float, float], ...] = ()
    lines: tuple[tuple[int, int], ...] = ()

    @property
    def part(self) -> int | None:
        """The part to which every square belongs that belongs to any."""
        found = {p for square in self.squares for p in square.parts}
        return next(iter(found)) if len(found) == 1 else None

    def to_json(self) -> dict[str, Any]:
        """As the page reads it."""
        out: dict[str, Any] = {
            "title": self.title, "kind": self.kind, "part": self.part, "rows": list(self.rows),
            "columns": list(self.columns), "unused": self.unused, "cells": [s.to_json() for s in self.squares],
            "pieces": [p.to_json() for p in self.pieces],
        }  # fmt: skip
        if self.points:
            out |= {"points": [list(xy) for xy in self.points], "lines": [list(ends) for ends in self.lines]}
        return out


@dataclass(frozen=True, slots=True)
class Where:
    """Where a move is made: on squares of a board, or nowhere that can be shown (``list``)."""

    kind: WhereKind = "list"
    board: int | None = None
    cells: tuple[At, ...] = ()
    also: tuple[Where, ...] = ()
    """Where else it is made, if it is one move on several boards."""

    def to_json(self) -> dict[str, Any]:
        """As the page reads it."""
        out: dict[str, Any] = {"kind": self.kind, "board": self.board, "cells": [list(at) for at in self.cells]}
        return out | ({"also": [w.to_json() for w in self.also]} if self.also else {})


@dataclass(frozen=True, slots=True)
class MoveData:
    """A legal move: whose, its text, the part it is made in (None if in none or several), and where."""

    role: str
    move: str
    part: int | None
    where: Where

    def to_json(self) -> dict[str, Any]:
        """As the page reads it."""
        return {"role": self.role, "move": self.move, "part": self.part, "where": self.where.to_json()}


def as_json(boards: Sequence[BoardData], moves: Sequence[MoveData]) -> dict[str, Any]:
    """Both, by name."""
    return {"boards": [b.to_json() for b in boards], "moves": [m.to_json() for m in moves]}
