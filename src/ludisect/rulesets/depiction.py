"""`Diagram`: what a position looks like, as data: cells in a grid, heaps of counters, points and lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

DiagramKind = Literal["grid", "heaps", "points", "lines"]

At = tuple[int, int]
"""Row and column of a cell."""


@dataclass(frozen=True, slots=True)
class Diagram:
    """Cells by number, where each lies, what it holds, and which cells belong to which part.

    In a ``grid`` a cell lies in a row and a column. In ``heaps`` every counter is a cell, its row is its height from
    the ground. In ``points`` and ``lines`` the cells are the points of a graph, or its lines; rows have one cell each.
    """

    kind: DiagramKind
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[At, ...]
    holds: tuple[str, ...]
    """What each cell holds; nothing for an empty one."""
    parts: tuple[tuple[int, ...], ...]
    """For each part of the position, in the order of ``parts()``, its cells."""
    points: tuple[tuple[float, float], ...] = ()
    """Where the points of a graph lie, between 0 and the number of columns and rows of a picture, upwards."""
    lines: tuple[tuple[int, int], ...] = ()
    """The points that each line of a graph joins."""


def letters(column: int) -> str:
    """The name of a column, from 0: a, b, ..., z, aa."""
    out = ""
    column += 1
    while column:
        column, digit = divmod(column - 1, 26)
        out = chr(97 + digit) + out
    return out


def heaps_diagram(heaps: Sequence[int], most: int) -> Diagram:
    """Heaps as columns of counters, none drawn higher than ``most``; every heap that is not empty is a part."""
    cells: list[At] = []
    parts: list[tuple[int, ...]] = []
    for heap, size in enumerate(heaps):
        first = len(cells)
        cells += [(height, heap) for height in range(min(size, most))]
        if size:
            parts.append(tuple(range(first, len(cells))))
    tallest = max((row + 1 for row, _ in cells), default=0)
    names = tuple(str(i + 1) for i in range(len(heaps)))
    rows = tuple(str(i + 1) for i in range(tallest))
    return Diagram("heaps", rows, names, tuple(cells), ("counter",) * len(cells), tuple(parts))
