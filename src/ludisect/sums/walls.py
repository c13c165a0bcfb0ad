"""The walls of many games at a few temperatures, as tables of integers, so that sums of them are quick to bound.

Walls are dyadic numbers. With a common denominator they are integers, and the bounds of a sum are sums and maxima over
rows of a table. Numbers that a machine word cannot hold are kept as Python integers, more slowly and as exactly.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludisect.cgt import Value
from ludisect.cgt.dyadic import Number

Table = NDArray[Any]
"""Integers: of machine size, or Python's."""

SAFE = 1 << 40
"""Up to here thousands of numbers can be added in a machine word."""


class Walls:
    """Rows of walls: ``left``, ``right`` and ``width`` hold one row per game, one column per temperature.

    All numbers are multiples of 1/``scale``. The last row (-1) is always the game 0.
    """

    def __init__(self) -> None:
        self.scale = 1
        self.temperatures: list[Number] = [0]
        self.values: list[Value] = []
        self.heat: Table = np.zeros(1, dtype=np.int64)
        self.left: Table = np.zeros((16, 1), dtype=np.int64)
        self.right: Table = np.zeros((16, 1), dtype=np.int64)
        self.width: Table = np.zeros((16, 1), dtype=np.int64)

    def __len__(self) -> int:
        return len(self.values)

    def measure_at(self, temperatures: Iterable[Number]) -> None:
        """Add temperatures; those below zero say nothing about stops."""
        wanted = {*self.temperatures, *(t for t in temperatures if t >= 0)}
        if len(wanted) > len(self.temperatures):
            self.temperatures = sorted(wanted)
            values, self.values = self.values, []
            self.left, self.right, self.width = (np.zeros((16, len(wanted)), dtype=np.int64) for _ in range(3))
            self.heat = self._scaled(self.temperatures)
            for g in values:
                self.add(g)

    def add(self, g: Value) -> int:
        """Take up a game; its row."""
        row = len(self.values)
        if row + 1 >= len(self.left):
            tables = self.left, self.right, self.width
            self.left, self.right, self.width = (np.concatenate([x, np.zeros_like(x)]) for x in tables)
        graph = g.thermograph
        both = self._scaled([wall.at(t) for wall in (graph.left, graph.right) for t in self.temperatures])
        left, right = both[: len(self.temperatures)], both[len(self.temperatures) :]
        self.left[row], self.right[row], self.width[row] = left, right, left - right
        self.values.append(g)
        return row

    def integer(self, x: Number) -> int:
        """A number in units of 1/``scale``, which grows if it must."""
        if self.scale % x.denominator:
            self._rescale(x.denominator // self.scale)  # both are powers of two
        whole = int(x * self.scale)
        if abs(whole) > SAFE and self.left.dtype != object:
            self._widen()
        return whole

    def first_wins(self, rows: list[int], x: Number) -> bool | None:
        """Whether Left, moving first, wins the sum of two or more rows and ``x``, if the walls tell."""
        limit = -self.integer(x)
        if (self.right[rows].sum(0) + self.width[rows].max(0) > limit).any():
            return True
        if (self.left[rows].sum(0) + self.heat < limit).any():
            return False
        return None

    def judge(
        self, rows: list[int], origins: list[int], goals: list[int], numbers: list[Number]
    ) -> list[tuple[bool | None, int]]:
        """For each move of Left in a sum of two or more rows, from a row to another: whether it wins, if the walls
        tell, and what the opponent may still hope for. ``numbers`` are what stands beside the sum after each."""
        x = self._scaled(numbers)[:, None]  # first, since it may change the scale
        left = self.left[rows].sum(0) - self.left[origins] + self.left[goals] + x
        right = self.right[rows].sum(0) - self.right[origins] + self.right[goals] + x
        width = np.sort(self.width[rows], axis=0)
        # without the component that is moved the widest is the second one, if that component is the widest
        others = np.where(self.width[origins] == width[-1], width[-2], width[-1])
        lost = (left - np.maximum(others, self.width[goals]) < 0).any(1)
        low = (right - self.heat).max(1)
        return [(True if a > 0 else False if b else None, -a) for a, b in zip(low.tolist(), lost.tolist(), strict=True)]

    def _scaled(self, numbers: list[Number]) -> Table:
        for x in numbers:
            self.integer(x)
        whole = [self.integer(x) for x in numbers]  # again, since the scale may have grown on the way
        return np.array(whole, dtype=self.left.dtype)

    def _rescale(self, factor: int) -> None:
        self.scale *= factor
        largest = max(int(np.abs(x).max()) for x in (self.left, self.right, self.width, self.heat))
        if largest * factor > SAFE and self.left.dtype != object:
            self._widen()
        self.left, self.right, self.width = self.left * factor, self.right * factor, self.width * factor
        self.heat = self.heat * factor

    def _widen(self) -> None:
        self.left, self.right, self.width = (x.astype(object) for x in (self.left, self.right, self.width))
        self.heat = self.heat.astype(object)
