"""Long searches of stops in compiled code: tables for :mod:`ludisect.sums.stopkernel`, and its slices of work.

Import this module only when a long search begins: where its kernels are not compiled yet, it waits for them.
"""

from __future__ import annotations

import random

import numpy as np
from numpy.typing import NDArray

from ludisect.cgt.memory import extent
from ludisect.sums import stopkernel as kernel
from ludisect.sums.components import Components, Piece, Shape
from ludisect.sums.stops import StopSearch, Work
from ludisect.sums.ties import TieSearch

MOST_MOVES = 3000
"""Moves in all components of one level; the table of dominated ones has the square of it."""

MOST_SWITCHES = 62
LARGEST = 1 << 50
"""Up to here a thousand of numbers can be added in a machine word."""

SLICE = 4000
"""Sums that are expanded between two looks at the clock."""

ENTRIES = 1 << 20
"""Rows of the table of bounds."""


class _Level:
    """The tables of one level: all components that can appear in play, their moves, walls and switches."""

    def __init__(self, search: StopSearch, shapes: list[Shape]) -> None:
        self.search = search
        self.components: Components = search.components
        self.goals: list[Piece] = []
        self.origins: list[int] = []
        self.first: list[int] = [0]
        heats = {t for shape in shapes for t in shape[1]}
        place = 0
        while place < len(self.components.values):  # moves bring in further components
            for move in self.components.moves(place):
                self.goals.append(move.goal)
                self.origins.append(place)
                heats.add(move.goal.heat)
            self.first.append(len(self.goals))
            place += 1
            if len(self.goals) > MOST_MOVES:
                break
        self.heats = sorted(heats - {0}, reverse=True)

    def fits(self) -> bool:
        """Whether compiled code can hold it."""
        largest = max([search_bound(self.search), *(abs(goal.number) for goal in self.goals)], default=0)
        return len(self.goals) <= MOST_MOVES and len(self.heats) <= MOST_SWITCHES and largest < LARGEST

    def switch(self, heat: int) -> int:
        """The bit of a switch, -1 if there is none."""
        return self.heats.index(heat) if heat else -1


def search_bound(search: StopSearch) -> int:
    """The largest number in the walls of a search."""
    walls = [search.walls(place) for place in range(len(search.components.values))]
    return max((abs(x) for left, right in walls for x in (*left, *right)), default=0)


class CompiledStops:
    """The two searches of one sum, compiled; ``work`` counts and limits as for the plain ones."""

    def __init__(self, work: Work, coarse: StopSearch, shape: Shape) -> None:
        self._work = work
        self._coarse = coarse
        self._shape = shape
        self._table = np.zeros((ENTRIES, 4), dtype=np.int64)
        self._env = np.zeros(5, dtype=np.int64)
        self._stack = np.zeros(1 << 20, dtype=np.int64)

    def sign(self, x: int) -> int | None:
        """The sign of the left stop of the sum and the number ``x``; None if its tables do not fit.

        Raises:
            BudgetExceeded: the time was up.
        """
        level = _Level(self._coarse, [self._shape])
        if not level.fits():
            return None
        words, dominated = _packed(level, None)
        if self._run(words, dominated, 0, level, self._shape, 1 - x):
            return 1
        return 0 if self._run(words, dominated, 0, level, self._shape, -x) else -1

    def at_least(self, ties: TieSearch, shape: Shape, x: int) -> bool | None:
        """Whether the left stop of a sum with bonus is at least ``x``; None if its tables do not fit.

        Raises:
            BudgetExceeded: the time was up.
        """
        fine = _Level(ties, [shape])
        rounded: list[Shape] = [((), (piece.heat,)) for piece in ties.pieces()]
        rounded += [((), (ties.nearest(heat),)) for heat in fine.heats]
        coarse = _Level(self._coarse, [self._shape, *rounded])
        if not (fine.fits() and coarse.fits()):
            return None
        words, dominated = _packed(coarse, fine)
        self._table[:] = 0  # components may have got other places
        return self._run(words, dominated, 1, fine, shape, x)

    def _run(
        self, words: NDArray[np.int64], dominated: NDArray[np.int64], height: int, level: _Level, shape: Shape, x: int
    ) -> bool:
        env = self._env
        places, heats = shape
        mask = sum(1 << level.switch(t) for t in heats)
        while True:
            self._stack[: 2 + len(places)] = (len(places), mask, *places)
            env[:] = (SLICE, 0, 1 << 60, 1, 1)
            arrays = (words, dominated, env, self._table, self._stack)
            answer = kernel.search(*(n for array in arrays for n in extent(array)), height, x)
            self._work.spend(SLICE - int(env[kernel.BUDGET]))
            if env[kernel.STOP] == 0:
                return bool(answer)
            if env[kernel.STOP] == kernel.OUT_OF_ROOM:
                self._stack = np.zeros(2 * len(self._stack), dtype=np.int64)


def _packed(coarse: _Level, fine: _Level | None) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Both levels in one array, and an empty table of dominated moves, a byte for each pair."""
    header = [0] * kernel.TABLES
    words: list[int] = []
    pairs = 0
    keys = random.Random(1)  # fixed: the same question takes the same time

    def table(base: int, field: int, numbers: list[int]) -> None:
        header[base + field] = kernel.TABLES + len(words)
        words.extend(numbers)

    for base, level in ((0, coarse), (kernel.HEADER, fine)):
        if level is None:
            continue
        search, components, goals = level.search, level.components, level.goals
        count = len(components.values)
        header[base + kernel.TEMPERATURES] = len(search.heat)
        header[base + kernel.MOVES] = len(goals)
        header[base + kernel.SWITCHES] = len(level.heats)
        header[base + kernel.DOMINATED] = pairs
        pairs += (len(goals) + len(level.heats)) ** 2
        table(base, kernel.NEGATIVE, components.negatives)
        table(base, kernel.WALLS, [x for p in range(count) for wall in search.walls(p) for x in wall])
        table(base, kernel.HEAT, search.heat)
        table(base, kernel.FIRST, level.first)
        table(base, kernel.GOAL, [goal.place for goal in goals])
        table(base, kernel.GOAL_SWITCH, [level.switch(goal.heat) for goal in goals])
        table(base, kernel.NUMBER, [*(goal.number for goal in goals), *level.heats])
        table(base, kernel.ORIGIN, level.origins)
        table(base, kernel.SWITCH_HEAT, level.heats)
        table(base, kernel.KEYS, [keys.getrandbits(63) for _ in range(2 * count)])
        table(base, kernel.SWITCH_KEYS, [keys.getrandbits(63) for _ in range(2 * len(level.heats))])
        if fine is level:
            ties = level.search
            assert isinstance(ties, TieSearch)
            pieces = ties.pieces()
            table(base, kernel.ROUND_PLACE, [piece.place for piece in pieces])
            table(base, kernel.ROUND_SWITCH, [coarse.switch(piece.heat) for piece in pieces])
            table(base, kernel.ROUND_SWITCHES, [coarse.switch(ties.nearest(t)) for t in level.heats])
            header[kernel.RATIO], header[kernel.SLACK] = ties.ratio, ties.slack
    return np.array(header + words, dtype=np.int64), np.zeros(pairs // 8 + 1, dtype=np.int64)
