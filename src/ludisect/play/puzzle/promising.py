"""Best first: states that show something new and lack least of the best goal are expanded first.

A state is *new* if it has a fluent, or a pair of fluents, that no state had which lacks as much (novelty of width 1 and
2, Lipovetzky and Geffner 2012; by the number of unmet goals, 2017). New states come before old ones, then those that
lack less, then the latest. A second queue does not look at what is new, and so goes deep soon; both take turns. Nothing
is thrown away, so a small space is searched whole.
"""

from __future__ import annotations

import heapq

import numpy as np
from numpy.typing import NDArray

from ludisect import clock
from ludisect.circuit.game import Game
from ludisect.circuit.rows import Rows, unpack
from ludisect.play.puzzle.foundplay import FoundPlay
from ludisect.play.puzzle.promise import Promise
from ludisect.play.puzzle.successors import Met, clockwork, expanded, without_clockwork
from ludisect.search.whole.positions import paid

FEW = 256
"""States that are expanded together."""

PAIRS = 400
"""Fluents up to which pairs of them are looked at: a table of all pairs is kept for each number of unmet goals."""

CLASSES = 64
"""Numbers of unmet goals that are told apart; what lacks more counts as the last."""


class Novelty:
    """What was seen so far, by class: single fluents, and pairs of them."""

    def __init__(self, fluents: NDArray[np.int64]) -> None:
        self._fluents = fluents
        self._pairs = fluents.size <= PAIRS
        self._one: dict[int, NDArray[np.bool_]] = {}
        self._two: dict[int, NDArray[np.float32]] = {}

    def __call__(self, bits: NDArray[np.bool_], classes: NDArray[np.int64]) -> NDArray[np.int64]:
        """Per state 0 if it has a new fluent, 1 if a new pair, 2 if neither; all of them are seen from now on."""
        out = np.full(bits.shape[0], 2, np.int64)
        bits = bits[:, self._fluents]
        for c in np.unique(classes).tolist():
            here = np.flatnonzero(classes == c)
            some = bits[here]
            seen = self._one.setdefault(c, np.zeros(self._fluents.size, np.bool_))
            if self._pairs:
                unseen = self._two.setdefault(c, np.ones((self._fluents.size,) * 2, np.float32))
                numbers = some.astype(np.float32)
                out[here[((numbers @ unseen) * numbers).any(axis=1)]] = 1
                unseen[(numbers.T @ numbers) > 0] = 0.0
            out[here[(some & ~seen).any(axis=1)]] = 0
            seen |= some.any(axis=0)
        return out


class PromisingSearch:
    """A search that goes on where it stopped. ``best`` is what it has found, ``over`` whether there is no more."""

    name = "best first"

    def __init__(self, game: Game, start: Rows, perfect: int, memory: float, promise: Promise) -> None:
        self.game, self._perfect, self._memory, self._promise = game, perfect, memory, promise
        self.best: FoundPlay | None = None
        self.over = False
        self.exhausted = False
        self._met = Met(start, without_clockwork(game))
        self._novelty = Novelty(np.flatnonzero(~clockwork(game)))
        self._rows = np.repeat(start, 1024, axis=0)
        self._queues: tuple[list[tuple[int, int, int]], ...] = ([], [])
        self._open = np.ones(1024, np.bool_)
        self._turn = 0
        self._enter(start, np.zeros(1, np.int64))

    @property
    def looked(self) -> int:
        """States met."""
        return len(self._met)

    def run(self, deadline: float) -> None:
        """Go on until the deadline (of ``ludisect.clock``), a perfect plan, or the end."""
        while not self.over and clock.now() < deadline:
            chosen = self._taken(min(FEW, max(1, self.looked // 8)))
            if not chosen.size or self._met.nbytes + self._rows.nbytes > self._memory:
                self.over = True
                return
            self._expand(chosen)

    def _taken(self, few: int) -> NDArray[np.int64]:
        """Some states of the queue whose turn it is; those that the other one has given out before are passed over."""
        self._turn = 1 - self._turn
        queue, out = self._queues[self._turn], list[int]()
        while queue and len(out) < few:
            number = -heapq.heappop(queue)[2]
            if self._open[number]:
                self._open[number] = False
                out.append(number)
        return np.array(out, np.int64)

    def _expand(self, chosen: NDArray[np.int64]) -> None:
        batch = self.game.batch
        source, move, after = expanded(self.game, self._rows[chosen])
        first = len(self._met)
        new = self._met.add(after, chosen[source], move)
        after = after[new]
        if first + new.size > self._rows.shape[0]:
            more = np.empty((max(new.size, self._rows.shape[0]), self._rows.shape[1]), np.uint64)
            self._rows = np.concatenate([self._rows, more])
            self._open = np.concatenate([self._open, np.ones(more.shape[0], np.bool_)])
        self._rows[first : first + new.size] = after
        ended = batch.terminal(after)
        if ended.any():
            goals = paid(batch.goals(after[ended]))[:, 0]
            k = int(goals.argmax())
            if self.best is None or goals[k] > self.best.goal:
                way = self._met.way(first + int(np.flatnonzero(ended)[k]))
                self.best = FoundPlay(way, int(goals[k]), f"{self.name}, {self.looked:,} states")
                self.over = self.best.goal >= self._perfect
        if new.size > ended.sum():
            self._enter(after[~ended], first + np.flatnonzero(~ended))

    def _enter(self, rows: Rows, numbers: NDArray[np.int64]) -> None:
        lacks = self._promise(rows)
        novel = self._novelty(unpack(rows, len(self.game.fluents)), np.minimum(lacks, CLASSES))
        for new, unmet, late in zip(novel.tolist(), lacks.tolist(), (-numbers).tolist(), strict=True):
            heapq.heappush(self._queues[0], (new, unmet, late))
            heapq.heappush(self._queues[1], (unmet, 0, late))
