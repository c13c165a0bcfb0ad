"""Rectangular boards: text in and out, neighbours, flood-fill parts, and normal forms under symmetry.

A board is a string of cells in row order. Rows are separated by ``|`` in text; ``.`` is empty, ``#`` blocked, ``X``
Left's and ``O`` Right's stone; ``4x5`` means four empty rows of five cells.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import Any, ClassVar, Self

from ludisect.errors import InputError
from ludisect.rulesets.depiction import Diagram, letters
from ludisect.rulesets.limits import PositionLimits
from ludisect.rulesets.position import Position

SWAP_STONES = str.maketrans("XOxo", "OXox")

_GLYPHS = {
    ".": "", "#": "blocked", "X": "stone-first", "O": "stone-second", "x": "only-first", "o": "only-second"
}  # fmt: skip

_set = object.__setattr__  # positions are frozen once they are made

_ACROSS = ((0, 1), (1, 0), (0, -1), (-1, 0))
_AROUND = (*_ACROSS, (1, 1), (1, -1), (-1, -1), (-1, 1))


@lru_cache(maxsize=4096)
def rays(rows: int, cols: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """For each cell, the cells seen in each of the eight directions, nearest first."""
    out = []
    for r in range(rows):
        for c in range(cols):
            lines = []
            for dr, dc in _AROUND:
                line, y, x = [], r + dr, c + dc
                while 0 <= y < rows and 0 <= x < cols:
                    line.append(y * cols + x)
                    y, x = y + dr, x + dc
                lines.append(tuple(line))
            out.append(tuple(lines))
    return tuple(out)


@lru_cache(maxsize=4096)
def neighbours(rows: int, cols: int) -> tuple[tuple[int, ...], ...]:
    """For each cell, the cells that share an edge with it."""
    return tuple(tuple(line[0] for line in lines[:4] if line) for lines in rays(rows, cols))


@lru_cache(maxsize=4096)
def symmetries(rows: int, cols: int) -> tuple[tuple[bool, Callable[[str], Sequence[str]]], ...]:
    """The eight images of a board: whether rows and columns change places, and what picks the cells in their order."""
    plain = [[r * cols + c for c in range(cols)] for r in range(rows)]
    out = []
    for swapped in (False, True):
        board = [list(row) for row in zip(*plain, strict=True)] if swapped else plain
        for image in (board, board[::-1], [row[::-1] for row in board], [row[::-1] for row in board[::-1]]):
            # itemgetter picks in C, twice as fast as a loop over places
            out.append((swapped, itemgetter(*(x for row in image for x in row))))
    return tuple(out)


@dataclass(frozen=True, eq=False, init=False, repr=False)
class GridPosition(Position):
    """A position on a rectangular board: from its text, or from rows, columns and cells."""

    rows: int
    cols: int
    cells: str

    alphabet: ClassVar[str] = ".#XO"
    """The cells that may occur in text."""
    transposes: ClassVar[int] = 1
    """What exchanging rows and columns does to the value: 1 nothing, -1 negates it."""
    swaps: ClassVar[bool] = False
    """Whether exchanging the stones of both players negates the value."""
    dead: ClassVar[str] = "#"
    """Cells that no longer matter; other cells' rows and columns are cut away around the rest."""

    def __init__(self, rows: int | str, cols: int = 0, cells: str = "") -> None:
        if isinstance(rows, str):
            board = self.parse(rows)
            rows, cols, cells = board.rows, board.cols, board.cells
        _set(self, "rows", rows)
        _set(self, "cols", cols)
        _set(self, "cells", cells)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a board: ``..#|...`` or ``4x5``.

        Raises:
            InputError: ragged rows, strange cells, or a board too large.
        """
        text, most = text.strip(), PositionLimits.current().grid_cells
        size = re.fullmatch(r"(\d{1,9})[x×](\d{1,9})", text)
        if size:
            rows, cols = int(size[1]), int(size[2])
            if not 0 < rows * cols <= most:
                raise InputError(f"{cls.name}: a board has 1 to {most} cells, {text} has {rows * cols}")
            return cls.fresh(rows, cols)
        lines = text.split("|")
        for number, line in enumerate(lines, 1):
            strange = next((x for x in line if x not in cls.alphabet), None)
            if strange is not None:
                raise InputError(
                    f"{cls.name}: {strange!r} in row {number} is no cell; cells are {' '.join(cls.alphabet)}, rows are "
                    f"separated by '|', and 4x5 means four rows of five\n    {text}\n    {' ' * text.index(strange)}^"
                )
            if len(line) != len(lines[0]):
                raise InputError(
                    f"{cls.name}: row {number} has {len(line)} cells, row 1 has {len(lines[0])}; all rows must be "
                    "equally long"
                )
        if not lines[0]:
            raise InputError(f"{cls.name}: the board is empty; write for example ..#|... or 4x5")
        if len(lines) * len(lines[0]) > most:
            raise InputError(f"{cls.name}: a board has at most {most} cells")
        return cls(len(lines), len(lines[0]), cls.normalize(len(lines), len(lines[0]), "".join(lines)))

    @classmethod
    def fresh(cls, rows: int, cols: int) -> Self:
        """The position at the start of a play on a rectangle."""
        return cls(rows, cols, "." * (rows * cols))

    @classmethod
    def normalize(cls, rows: int, cols: int, cells: str) -> str:
        """The cells as the game keeps them."""
        return cells

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, GridPosition)
            and type(other) is type(self)
            and self.cells == other.cells
            and self.cols == other.cols
        )

    def __hash__(self) -> int:
        return hash(self.cells) ^ self.cols

    def __str__(self) -> str:
        return "|".join(self.cells[i : i + self.cols] for i in range(0, len(self.cells), self.cols))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def __neg__(self) -> Position:
        if self.impartial:
            return self
        if self.swaps:
            return type(self)(self.rows, self.cols, self.cells.translate(SWAP_STONES))
        if self.transposes < 0:
            columns = (self.cells[i :: self.cols] for i in range(self.cols))
            return type(self)(self.cols, self.rows, "".join(columns))
        return super().__neg__()

    def replaced(self, changes: Iterable[tuple[int, str]]) -> Self:
        """This position with some cells changed."""
        cells = list(self.cells)
        for i, x in changes:
            cells[i] = x
        return type(self)(self.rows, self.cols, "".join(cells))

    def restricted(self, kept: Iterable[int]) -> Self:
        """The position on the cells ``kept`` alone, cut to the smallest rectangle."""
        places = sorted(kept)
        top, bottom = places[0] // self.cols, places[-1] // self.cols
        left = min(i % self.cols for i in places)
        right = max(i % self.cols for i in places)
        width = right - left + 1
        cells = ["#"] * ((bottom - top + 1) * width)
        for i in places:
            cells[(i // self.cols - top) * width + i % self.cols - left] = self.cells[i]
        return type(self)(bottom - top + 1, width, "".join(cells))

    def linked(self, i: int, j: int) -> bool:
        """Whether the adjacent cells ``i`` and ``j`` can influence each other."""
        return self.cells[i] not in self.dead and self.cells[j] not in self.dead

    def adjacent(self) -> Sequence[Sequence[int]]:
        """Which cells count as neighbours."""
        return neighbours(self.rows, self.cols)

    def components(self) -> list[list[int]]:
        """Sets of cells connected by :meth:`linked`, by flood fill."""
        near = self.adjacent()
        always = type(self).linked is GridPosition.linked  # dead cells are left out anyway
        seen = [x in self.dead for x in self.cells]
        out = []
        for start in range(len(seen)):
            if seen[start]:
                continue
            seen[start] = True
            group = [start]
            for i in group:  # grows while it is walked
                for j in near[i]:
                    if not seen[j] and (always or self.linked(i, j)):
                        seen[j] = True
                        group.append(j)
            out.append(group)
        return out

    def matters(self, group: Sequence[int]) -> bool:
        """Whether somebody can ever move in this component."""
        return len(group) > 1

    def part_cells(self) -> list[list[int]]:
        """The cells of each part."""
        return [group for group in self.components() if self.matters(group)]

    def parts(self) -> Sequence[Position]:
        return [self.restricted(group) for group in self.part_cells()]

    def key(self) -> tuple[Hashable, bool]:
        board = self.cells
        swapped_board = board.translate(SWAP_STONES) if self.swaps else board
        best: tuple[str, int] | None = None
        negative = False
        for turned, pick in symmetries(self.rows, self.cols):
            width = self.rows if turned else self.cols
            for cells, sign in ((board, 1), (swapped_board, -1)) if self.swaps else ((board, 1),):
                image = ("".join(pick(cells)), width)
                if best is None or image < best:
                    best, negative = image, (sign * (self.transposes if turned else 1)) < 0
        return (self.name, best), negative

    def cell_text(self, i: int) -> str:
        """A cell by letter and number, as on a chessboard but counted from the top: ``a1`` is the first cell."""
        row, col = divmod(i, self.cols)
        return f"{letters(col)}{row + 1}"

    # ---- pictures -------------------------------------------------------------------------------------------------

    def diagram(self) -> Diagram:
        rows, columns = tuple(str(r + 1) for r in range(self.rows)), tuple(map(letters, range(self.cols)))
        cells = tuple(divmod(i, self.cols) for i in range(len(self.cells)))
        holds = tuple("" if x == "." else x for x in self.cells)
        return Diagram("grid", rows, columns, cells, holds, tuple(tuple(sorted(group)) for group in self.part_cells()))

    def move_cells(self, move: Any) -> Sequence[int]:
        """The numbers of cells that the move is made of."""
        given = move if isinstance(move, tuple) else (move,)
        return [i for i in given if isinstance(i, int) and 0 <= i < len(self.cells)]

    def cell_glyph(self, cell: int) -> str:
        return _GLYPHS.get(self.cells[cell], "letter")
