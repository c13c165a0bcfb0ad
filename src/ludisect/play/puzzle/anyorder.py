"""A perfect play as a set of moves: asked of a solver without their order, then put into one.

Where things are placed in any order under constraints, plays differ mostly in their order, and a question with a copy
of the rules for every step drowns in it. Here the question is one state: which moves lead to an end at which the best
goal holds, if no two of them may be moves that were never made in one play (see ``habits``)? Then the moves of the
answer alone are played at random until an order is found. Nothing of that is proved, so a play counts only when it was
played through, and no answer says nothing: then more plays are watched, and it is asked again.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ludisect import clock
from ludisect.circuit.game import Game
from ludisect.circuit.rows import Rows, unpack
from ludisect.circuit.solver import Model, Prover
from ludisect.effort import STEPS_PER_SECOND, Effort
from ludisect.play.limits import PlayLimits
from ludisect.play.puzzle.foundplay import FoundPlay, replayed
from ludisect.play.puzzle.habits import Habits, cliques, plays_of
from ludisect.play.puzzle.successors import clockwork

TOGETHER = 256
"""Plays that are watched together."""


class AnyOrderSearch:
    """A search that goes on where it stopped. ``best`` is what it has found, ``over`` whether that is all."""

    name = "moves in any order"
    exhausted = False
    """It knows nothing for sure."""

    def __init__(self, game: Game, start: Rows, perfect: int, goal: int, seed: int) -> None:
        self.game, self._start, self._perfect, self._goal = game, start, perfect, goal
        limits = PlayLimits.current()
        self.best: FoundPlay | None = None
        moves, fluents = len(game.moves[0]), len(game.fluents)
        self.over = moves * max(moves, fluents) > limits.anyorder_size
        if self.over:
            return
        self._habits = Habits(game, start, seed, limits.planned_moves)
        self._draw = np.random.default_rng(seed + 1)
        self._allowed = np.ones(moves, np.bool_)
        self._wanted = max(limits.anyorder_plays, limits.anyorder_each * moves)
        self._question: _Question | None = None
        self._saved = 0.0
        self._needed = 0.0

    def run(self, deadline: float) -> None:
        """Go on until the deadline (of ``ludisect.clock``); asked is what the turns so far suffice for."""
        self._saved += deadline - clock.now()
        while not self.over and clock.now() < deadline:
            if self._habits.plays < self._wanted:
                self._habits.watch(TOGETHER, self._allowed)
                if self._habits.plays == TOGETHER:
                    self._first_look()
            elif self._saved >= self._needed:
                self._ask()
                return
            else:
                return

    def _first_look(self) -> None:
        """Whether such questions make sense here; moves after which the goal cannot hold are left out from now on."""
        habits, circuit = self._habits, self.game.circuit
        read = circuit.support([self._goal])
        read = read[read <= circuit.n_fluents] - 1
        self.over = not read.size or bool((habits.irregular & ~clockwork(self.game))[read].any())
        adds, deletes = habits.adds, habits.deletes
        for fluent, value in required(self.game, self._goal).items():
            spoils, mends = deletes[:, fluent], adds[:, fluent]
            if not value:
                spoils, mends = mends, spoils
            if not mends.any():
                self._allowed &= ~spoils

    def _ask(self) -> None:
        before, limits = clock.now(), PlayLimits.current()
        if self._question is None:
            self._question = _Question(self.game, self._start, self._goal, self._habits, self._allowed)
            self._rounds = limits.anyorder_rounds
        asking = clock.now()
        seconds = max(self._saved, limits.anyorder_least)
        found = self._question.ask(Effort(STEPS_PER_SECOND * seconds, seconds=seconds))
        self._needed = clock.now() - asking
        if isinstance(found, np.ndarray) and not self._ordered(found):
            self._rounds -= 1
        if found is False or self._rounds <= 0:
            self._question = None
            self._wanted *= 4
            self.over = self.over or self._wanted > limits.anyorder_most
        self._saved -= clock.now() - before

    def _ordered(self, moves: NDArray[np.int64]) -> bool:
        """Whether some random play of just these moves is perfect."""
        allowed = np.zeros(self._allowed.size, np.bool_)
        allowed[moves] = True
        ways: list[list[int]] = [[] for _ in range(TOGETHER)]
        for step in plays_of(self.game, self._start, TOGETHER, allowed, self._draw, moves.size):
            for play, move in zip(step.plays.tolist(), step.moves.tolist(), strict=True):
                ways[play].append(move)
        for way in sorted(ways, key=len, reverse=True):
            if replayed(self.game, self._start, way) == self._perfect:
                how = f"{self.name}, by what {self._habits.plays:,} plays showed"
                self.best, self.over = FoundPlay(tuple(way), self._perfect, how), True
                return True
        return False


class _Question:
    """Which moves lead to an end at which the goal holds, by what is known of them?"""

    def __init__(self, game: Game, start: Rows, goal: int, habits: Habits, allowed: NDArray[np.bool_]) -> None:
        self._game, self._habits = game, habits
        circuit = game.circuit
        self._moves = np.flatnonzero(habits.made & allowed)
        self._prover = prover = Prover(game, 1, Effort(math.inf), moves=False)
        read = circuit.support([goal, int(circuit.terminal)])
        self._read = read[read <= circuit.n_fluents] - 1
        now = unpack(start, len(game.fluents))[0]
        runs = clockwork(game)
        with prover.building():
            self._made = {int(m): prover.switch() for m in self._moves}
            prover.require([prover.lit(goal)])
            prover.require([prover.lit(int(circuit.terminal))])
            self._state(now, runs)
            self._needs(now, runs)
            self._apart()
            if runs[self._read].any():
                self._clock(start, runs)

    def _who(self, effects: NDArray[np.bool_], fluent: int) -> list[int]:
        return [self._made[int(m)] for m in self._moves[effects[self._moves, fluent]]]

    def _state(self, now: NDArray[np.bool_], runs: NDArray[np.bool_]) -> None:
        """A fluent at the end is as the last move left it that sets it: if several do, any of them may be the last."""
        adds, deletes, loose = self._habits.adds, self._habits.deletes, self._habits.irregular
        for f in self._read[~(runs | loose)[self._read]].tolist():
            after, on, off = self._prover.fluent(f), self._who(adds, f), self._who(deletes, f)
            self._prover.require([after, *off] if now[f] else [-after, *on])
            for m in on:
                self._prover.require([-m, after, *off])
            for m in off:
                self._prover.require([-m, -after, *on])

    def _needs(self, now: NDArray[np.bool_], runs: NDArray[np.bool_]) -> None:
        """What a move needs and is not there at the start, another one has to bring about."""
        held, lacked = self._habits.needs
        open_ = ~(runs | self._habits.irregular)
        for effects, needed in ((self._habits.adds, held & ~now & open_), (self._habits.deletes, lacked & now & open_)):
            for m in self._moves.tolist():
                for f in np.flatnonzero(needed[m]).tolist():
                    self._prover.require([-self._made[m], *self._who(effects, f)])

    def _apart(self) -> None:
        apart = np.triu(self._habits.apart)
        for m in self._moves.tolist():
            for other in np.flatnonzero(apart[m]).tolist():
                if other in self._made:
                    self._prover.require([-self._made[m], -self._made[other]])

    def _clock(self, start: Rows, runs: NDArray[np.bool_]) -> None:
        """What runs by itself tells the number of moves. Of as many groups as moves, each must give one."""
        prover, row = self._prover, start
        weighted = [(m, 1) for m in self._made.values()]
        groups = cliques(self._habits.apart, self._moves)
        at_least = prover.true
        for t in range(min(len(groups), 2 * self._habits.longest) + 1):
            more = prover.at_least(t + 1, weighted)
            just = prover.all_of([at_least, -more])
            bits = unpack(row, runs.size)[0]
            for f in self._read[runs[self._read]].tolist():
                prover.require([-just, prover.fluent(f) if bits[f] else -prover.fluent(f)])
            if t == len(groups):
                for group in groups:
                    prover.require([-just, *(self._made[m] for m in group)])
            at_least, row = more, self._game.batch.next(row, np.zeros((1, 1), np.int32))
        prover.require([-at_least])

    def ask(self, effort: Effort) -> NDArray[np.int64] | bool | None:
        """The moves, other ones each time; False if there are none left, None if the effort does not suffice."""
        found = self._prover.ask((), effort)
        if not isinstance(found, Model):
            return found
        chosen = self._moves[found.switches]
        with self._prover.building():
            self._prover.require([-self._made[int(m)] for m in chosen])
        return chosen


def required(game: Game, literal: int) -> dict[int, bool]:
    """Fluents that must have some value for a net to hold: the members of a conjunction, and of those in it."""
    circuit, out, todo = game.circuit, dict[int, bool](), [literal]
    while todo:
        one = todo.pop()
        node = one >> 1
        if 0 < node <= circuit.n_fluents:
            out[node - 1] = not one & 1
        elif node > circuit.n_inputs and not one & 1:
            todo.extend(int(x) for x in circuit.gate(node))
    return out
