"""Errands of a single player: from a state of the whole game, a short way to do something in one part.

Only moves of that part are made, and states that look alike there count once; everything else is as the rules leave it.
So each way is a play of the whole game by construction, and no more of the part is explored than the way needs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.rows import Rows
from ludisect.circuit.rowtable import RowTable
from ludisect.progress import report
from ludisect.search.budget import Budget
from ludisect.search.limits import SearchLimits
from ludisect.search.oneplayer.boundedplan import bounded_plan

AT_ONCE, FEW = 1 << 13, 1 << 6
"""States that are expanded together: one after the other, and by promise."""


@dataclass(frozen=True, slots=True, eq=False)
class Errand:
    """The moves of a way, the state after them, and whether the play is over there."""

    moves: list[int]
    row: Rows
    over: bool
    looked: int
    """States that were met."""


def run_errand(
    game: Game,
    start: Rows,
    moves: NDArray[np.int64],
    seen: NDArray[np.uint64],
    unmet: Callable[[Rows], NDArray[np.int64]],
    budget: Budget,
    *,
    wanted: Mapping[int, bool] | None = None,
    broad: int | None = None,
) -> Errand | None:
    """A way to a state where nothing is ``unmet``, by ``moves`` of the only role; None if there is no such way.

    States count once by the bits of ``seen``. The way is a shortest one if no more than ``broad`` states have to be
    looked at. Beyond, a solver is asked if all that is unmet are values of fluents (``wanted``), and then states that
    leave least unmet go first. A state where the play goes on is preferred to one where it is over; the latter is given
    only if there is no other.
    """
    missing = unmet(start)
    if not missing[0]:
        return Errand([], start, bool(game.batch.terminal(start)[0]), 1)
    table = RowTable(start.shape[1])
    table.add(start & seen)
    met = _Met(start)
    queue = _Queue(missing, SearchLimits.current().errand_broad if broad is None else broad)
    ended: int | None = None
    while (chosen := queue.take()).size:
        if queue.by_promise and wanted is not None:
            plan = bounded_plan(game, start, moves, wanted, budget)
            if plan is not None:
                return Errand(*plan, bool(game.batch.terminal(plan[1])[0]), met.size)
            wanted = None
        here = met.rows(chosen)
        source, column = np.nonzero(game.batch.legal(here)[:, moves] & ~game.batch.terminal(here)[:, None])
        after = game.batch.next(here[source], moves[column][:, None])
        known = len(table)
        number = table.add(after & seen)
        _, first = np.unique(number, return_index=True)
        new = np.sort(first[number[first] >= known])
        begin = met.size
        met.add(after[new], chosen[source[new]], moves[column[new]])
        over = game.batch.terminal(after[new])
        missing = unmet(after[new])
        going = np.flatnonzero((missing == 0) & ~over)
        if going.size:
            return met.way(begin + int(going[0]), over=False)
        if ended is None and not missing.all():
            ended = begin + int(np.flatnonzero(missing == 0)[0])
        queue.add(missing)
        report("walking through a part", met.size)
        budget.check(table.nbytes + met.nbytes, steps=200 * number.size)
    return None if ended is None else met.way(ended, over=True)


class _Queue:
    """Numbers of states that are still to be expanded: in the order in which they were met, later by promise."""

    def __init__(self, missing: NDArray[np.int64], broad: int) -> None:
        self._missing: list[int] = missing.tolist()
        self._broad = broad
        self._next = 0
        self._heap: list[tuple[int, int]] | None = None

    @property
    def by_promise(self) -> bool:
        """Whether the states no longer come in the order in which they were met."""
        return self._heap is not None

    def add(self, missing: NDArray[np.int64]) -> None:
        """The states met last, by what they leave unmet."""
        if self._heap is not None:
            for k, left in enumerate(missing.tolist(), len(self._missing)):
                heappush(self._heap, (left, k))
        self._missing += missing.tolist()

    def take(self) -> NDArray[np.int64]:
        """Some states to be expanded together."""
        if self._heap is None and len(self._missing) > self._broad:
            self._heap = [(self._missing[k], k) for k in range(self._next, len(self._missing))]
            heapify(self._heap)
        if self._heap is not None:
            few = min(FEW, len(self._heap))
            return np.array([heappop(self._heap)[1] for _ in range(few)], np.int64)
        out = np.arange(self._next, min(len(self._missing), self._next + AT_ONCE))
        self._next += out.size
        return out


class _Met:
    """States in the order in which they were met, and how."""

    def __init__(self, start: Rows) -> None:
        self.size = 1
        self._rows = np.repeat(start, 1024, axis=0)
        self._before = np.full(1024, -1, np.int64)
        self._by = np.full(1024, -1, np.int64)

    @property
    def nbytes(self) -> int:
        return int(self._rows.nbytes + self._before.nbytes + self._by.nbytes)

    def rows(self, some: NDArray[np.int64]) -> Rows:
        """Some states, as a copy."""
        return self._rows[some]

    def add(self, rows: Rows, before: NDArray[np.int64], by: NDArray[np.int64]) -> None:
        need = self.size + rows.shape[0]
        if need > self._before.size:
            more = max(need, 2 * self._before.size) - self._before.size
            self._rows = np.concatenate([self._rows, np.empty((more, rows.shape[1]), np.uint64)])
            self._before = np.concatenate([self._before, np.empty(more, np.int64)])
            self._by = np.concatenate([self._by, np.empty(more, np.int64)])
        self._rows[self.size : need] = rows
        self._before[self.size : need] = before
        self._by[self.size : need] = by
        self.size = need

    def way(self, at: int, *, over: bool) -> Errand:
        """Follow a state back to the start."""
        row = self.rows(np.array([at]))
        moves: list[int] = []
        while self._before[at] >= 0:
            moves.append(int(self._by[at]))
            at = int(self._before[at])
        return Errand(moves[::-1], row, over, self.size)
