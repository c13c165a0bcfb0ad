"""A perfect play asked of a solver: copies of the rules, one for each step, as many as random plays have.

Puzzles that are won by what holds in the end, in whatever order it was brought about, have far too many plays to
search them one by one; a solver learns from a contradiction and never meets it again. It cannot be stopped at any
moment, so it saves up its turns until they suffice for a question.
"""

from __future__ import annotations

import math

import numpy as np

from ludisect import clock
from ludisect.circuit.game import Game
from ludisect.circuit.record import random_joint
from ludisect.circuit.rows import Rows, unpack
from ludisect.circuit.solver import Prover
from ludisect.effort import STEPS_PER_SECOND, Effort
from ludisect.play.limits import PlayLimits
from ludisect.play.puzzle.foundplay import FoundPlay
from ludisect.play.puzzle.successors import clockwork
from ludisect.search.oneplayer.boundedplan import BestEnd


class PlannedSearch:
    """A search that goes on where it stopped. ``best`` is what it has found, ``over`` whether that is all."""

    name = "a solver"
    exhausted = False
    """Longer plays may exist than those that it was asked for."""

    def __init__(self, game: Game, start: Rows, perfect: int, goal: int) -> None:
        self.game, self._start, self._perfect, self._goal = game, start, perfect, goal
        self.best: FoundPlay | None = None
        self.over = False
        self.refuted = False
        """Whether it is proved that no play is perfect."""
        self._saved = 0.0
        self._asked: BestEnd | None = None
        self._ask_for(longest(game, start))

    def _ask_for(self, length: int) -> None:
        """Plays of so many moves are the next question, if that is not too large."""
        limits = PlayLimits.current()
        size = length * (self.game.circuit.gates + self.game.circuit.n_inputs)
        self._length, self._asked = length, None
        self._needed = limits.planned_seconds * size
        self.over = not 0 < size <= limits.planned_size

    def run(self, deadline: float) -> None:
        """Ask on, if the turns so far suffice for it."""
        before = clock.now()
        self._saved += deadline - before
        if self.over or self._saved < self._needed:
            return
        if self._asked is None:
            self._asked = BestEnd(self.game, self._start, self._goal, self._length, Effort(math.inf))
        found = self._asked.ask(Effort(STEPS_PER_SECOND * self._saved, seconds=self._saved))
        self._saved -= clock.now() - before
        self._needed *= 2
        if isinstance(found, list):
            self.best = FoundPlay(tuple(found), self._perfect, f"{self.name}, asked for {self._length} moves")
            self.over = True
        elif found is False:
            self.refuted = ends_within(self.game, self._start, self._length)
            self._ask_for(2 * self._length)
            self.over = self.over or self.refuted


def ends_within(game: Game, start: Rows, moves: int) -> bool:
    """Whether it is proved, by what runs by itself, that every play is over after so many moves."""
    row = start
    for _ in range(moves):
        row = game.batch.next(row, np.zeros((1, 1), np.int32))
    bits, prover = unpack(row, len(game.fluents))[0], Prover(game, moves=False)
    with prover.building():
        for f in np.flatnonzero(clockwork(game)).tolist():
            prover.require([prover.fluent(f) if bits[f] else -prover.fluent(f)])
        over = prover.lit(int(game.circuit.terminal))
    return prover.ask([-over]) is False


def longest(game: Game, start: Rows) -> int:
    """Moves of the longest of some random plays."""
    limits, draw = PlayLimits.current(), np.random.default_rng(0)
    states, moves = np.repeat(start, limits.planned_plays, axis=0), 0
    while moves < limits.planned_moves:
        joint, stuck = random_joint(game, states, draw)
        going = ~(game.batch.terminal(states) | stuck)
        if not going.any():
            break
        states, moves = game.batch.next(states[going], joint[going]), moves + 1
    return moves
