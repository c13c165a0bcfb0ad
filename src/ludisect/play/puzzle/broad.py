"""Breadth first over packed rows: level by level, until a play is perfect or memory is full.

At first states that differ only in what runs by itself (a counter of moves) count as one: who comes early can do all
that a latecomer can, as a rule. Where that leads to no perfect score, and the counter may matter, all states are told
apart.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ludisect import clock
from ludisect.circuit.game import Game
from ludisect.circuit.rows import Rows
from ludisect.play.puzzle.foundplay import FoundPlay
from ludisect.play.puzzle.successors import AT_ONCE, Met, expanded, without_clockwork
from ludisect.search.whole.positions import paid

STATES = 1 << 12
"""States that are expanded together, or fewer if they have many moves."""


class BroadSearch:
    """A search that goes on where it stopped. ``best`` is what it has found, ``over`` whether there is no more."""

    name = "breadth first"

    def __init__(self, game: Game, start: Rows, perfect: int, memory: float) -> None:
        self.game, self.start, self._perfect, self._memory = game, start, perfect, memory
        self.best: FoundPlay | None = None
        self.over = False
        self.exhausted = False
        """Whether every state has been met: nothing is better than ``best``."""
        self._masks: list[Rows | None] = [None]
        mask = without_clockwork(game)
        if mask is not None:
            self._masks.append(mask)
        self._begin()

    def _begin(self) -> None:
        self._mask = self._masks.pop()
        self.met = Met(self.start, self._mask)
        self._level: list[tuple[Rows, NDArray[np.int64]]] = [(self.start, np.zeros(1, np.int64))]
        self._next: list[tuple[Rows, NDArray[np.int64]]] = []
        self._held = 0
        self._step = STATES

    @property
    def looked(self) -> int:
        """States met."""
        return len(self.met)

    def run(self, deadline: float) -> None:
        """Go on until the deadline (of ``ludisect.clock``), a perfect plan, or the end."""
        while not self.over and clock.now() < deadline:
            if not self._level:
                self._level, self._next = self._next[::-1], []
                self._held = sum(rows.nbytes for rows, _ in self._level)
                if not self._level:
                    self._end(exhausted=self._mask is None)
                    continue
            rows, numbers = self._level.pop()
            if rows.shape[0] > self._step:
                self._level.append((rows[self._step :], numbers[self._step :]))
                rows, numbers = rows[: self._step], numbers[: self._step]
            self._expand(rows, numbers)
            if self.met.nbytes + self._held > self._memory:
                self._end(exhausted=False)

    def _end(self, *, exhausted: bool) -> None:
        """The search is at its end; it begins once more if some states were not told apart."""
        if exhausted or not self._masks:
            self.over, self.exhausted = True, exhausted
            self._level, self._next = [], []
        else:
            self._begin()

    def _expand(self, rows: Rows, numbers: NDArray[np.int64]) -> None:
        batch = self.game.batch
        source, move, after = expanded(self.game, rows)
        self._step = max(16, min(STATES, AT_ONCE * rows.shape[0] // max(1, move.size)))
        first = len(self.met)
        new = self.met.add(after, numbers[source], move)
        after = after[new]
        ended = batch.terminal(after)
        if ended.any():
            goals = paid(batch.goals(after[ended]))[:, 0]
            k = int(goals.argmax())
            self._found(int(goals[k]), first + int(np.flatnonzero(ended)[k]))
        if new.size > ended.sum():
            self._next.append((after[~ended], first + np.flatnonzero(~ended)))
            self._held += self._next[-1][0].nbytes

    def _found(self, goal: int, number: int) -> None:
        if self.best is None or goal > self.best.goal:
            self.best = FoundPlay(self.met.way(number), goal, f"{self.name}, {self.looked:,} states")
            self.over = goal >= self._perfect
