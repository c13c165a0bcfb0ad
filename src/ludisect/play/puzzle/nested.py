"""Nested random plays on lanes: down from the start, always to the state behind which the best play was seen.

At each state of a descent every move is tried by hundreds of random plays (Cazenave 2009, nested Monte-Carlo search,
one level). What was seen behind a state must be found again on the way down, so more plays are made where they do not
show it; a descent that has reached an end is a play by construction. Later descents draw moves of the best play more
readily (as in nested rollout policy adaptation, Rosin 2011), every other one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ludisect import clock
from ludisect.circuit.game import Game
from ludisect.circuit.rows import Rows
from ludisect.circuit.seats import RowPlays, Seats, turns_of
from ludisect.play.puzzle.foundplay import FoundPlay
from ludisect.play.puzzle.successors import expanded
from ludisect.search.whole.positions import paid

FIRST_PLAYS = 2048
"""Random plays over all moves of a state in the first descent; twice as many in each of the next, up to the last."""

LAST_PLAYS = 1 << 18

AGAIN = 8
"""How often plays are repeated until the best play that was seen is seen again."""

READY, RARE = 0, 2
"""Classes of moves (see ``Seats``): of the best play, and others."""


class NestedSearch:
    """Descents one after the other. ``best`` is the best play that one of them has made."""

    name = "nested plays"
    over = False
    exhausted = False

    def __init__(self, game: Game, start: Rows, perfect: int, seed: int = 0, length: int = 1000) -> None:
        self.game, self.start, self._perfect, self._length = game, start, perfect, length
        self.best: FoundPlay | None = None
        self._seed, self._descents = seed, 0
        self._code = game.playouts.code
        self._start()

    def _start(self) -> None:
        self._row, self._way, self._promised = self.start, list[int](), -1
        self._plays = min(FIRST_PLAYS << self._descents, LAST_PLAYS)
        self._descents += 1

    @property
    def looked(self) -> int:
        """Descents begun."""
        return self._descents

    def run(self, deadline: float) -> None:
        """Go on until the deadline (of ``ludisect.clock``), or a perfect plan."""
        while not self.over and clock.now() < deadline:
            self._step(deadline)

    def _step(self, deadline: float) -> None:
        """One move down."""
        game = self.game
        _, moves, after = expanded(game, self._row)
        if not moves.size or len(self._way) >= self._length:  # stuck, or in a circle
            self._start()
            return
        ended = game.batch.terminal(after)
        seen = np.full(moves.size, -1.0)
        mean = np.full(moves.size, -1.0)
        seen[ended] = mean[ended] = paid(game.batch.goals(after[ended]))[:, 0]
        going = np.flatnonzero(~ended)
        for _ in range(AGAIN if going.size else 0):
            best, average = self._played(after[going], deadline)
            better = np.maximum(seen[going], best)
            mean[going] = np.where(better > seen[going], average, np.maximum(mean[going], average))
            seen[going] = better
            if seen.max() >= self._promised or clock.now() >= deadline:
                break
        if seen.max() < self._promised and clock.now() >= deadline:
            return  # the same move once more, next time
        k = int(np.lexsort((mean, seen))[-1])
        self._promised = max(self._promised, int(seen[k]))
        self._way.append(int(moves[k]))
        self._row = after[k : k + 1]
        if ended[k]:
            found = FoundPlay(tuple(self._way), int(seen[k]), f"{self.name}, {self._descents} descents")
            if found.better(self.best):
                self.best, self.over = found, found.goal >= self._perfect
            self._start()

    def _played(self, rows: Rows, deadline: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The best and the mean goal of random plays from some states; -1 where none came to an end."""
        self._seed += 1
        game = self.game
        seats = Seats(self._code, len(game.fluents), game.goal_table, self._seed)
        if self.best is not None and self._descents % 2 == 0:
            targets = self._code.step[8] - 1 - len(game.fluents)
            seats.classes[:] = np.where(np.isin(targets, self.best.moves), READY, RARE)
            seats.thin()
        each = max(4, self._plays // rows.shape[0])
        turns = turns_of(rows, game.playouts.phases)
        plays = RowPlays(seats, rows, turns, len(game.fluents), 1, each, self._length)
        sums = plays.run(seconds=max(0.0, deadline - clock.now()))
        mean = np.where(sums.finished > 0, sums.sums[:, 0] / np.maximum(1, sums.finished), -1.0)
        return sums.best[:, 0].astype(np.float64), mean
