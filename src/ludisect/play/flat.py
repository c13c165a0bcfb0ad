"""Flat Monte-Carlo: the move behind which random plays went best; on the circuit, or slowly on the rules."""

from __future__ import annotations

import random
import time

import numpy as np

from ludisect.circuit.game import Game
from ludisect.effort import Effort
from ludisect.gdl.state import State
from ludisect.gdl.terms import Term
from ludisect.play.limits import PlayLimits
from ludisect.play.player import Choice, GamePlayer, Tell
from ludisect.search.firstmove import random_plays


class Means:
    """The goals that followed each legal move, and the best of them on average."""

    def __init__(self, legal: tuple[Term, ...]) -> None:
        self.legal = legal
        self.total = dict.fromkeys(legal, 0.0)
        self.plays = dict.fromkeys(legal, 0)

    def add(self, move: Term, goal: float, plays: int = 1) -> None:
        """What came of some plays that began with a move."""
        self.total[move] += goal
        self.plays[move] += plays

    def choice(self) -> Choice:
        """The best by now; the first legal move if nothing was played."""
        values = {move: self.total[move] / n for move, n in self.plays.items() if n}
        plays = sum(self.plays.values())
        if not values:
            return Choice(self.legal[0], f"no time for a random play; the first of {len(self.legal)} legal moves")
        best = max(values, key=values.__getitem__)
        return Choice(best, f"mean goal {values[best]:.1f}, the best in {plays:,} random plays", values=values)


class FlatPlayer(GamePlayer):
    """Compares all legal moves by random plays, each as often as any other."""

    name = "flat"
    builds = True

    def prepare(self, deadline: float) -> None:
        self.build(deadline)

    def think(self, legal: tuple[Term, ...], deadline: float, tell: Tell) -> Choice:
        means = Means(legal)
        rounds = 0
        while not rounds or time.monotonic() < deadline:
            self.sample(means, deadline, rounds)
            rounds += 1
            tell(means.choice())
        return means.choice()

    def sample(self, means: Means, deadline: float, rounds: int) -> None:
        """One more round of random plays."""
        state = self.played
        number = self.assignment.seed * 1_000_003 + 1009 * len(self.state.moves_made) + rounds
        if state is not None:
            _on_circuit(means, state, self.role, deadline, number)
        else:
            self._by_rules(means, deadline, number)

    def _by_rules(self, means: Means, deadline: float, number: int) -> None:
        """One play straight from the rules; one that is not over in time counts for nothing."""
        draw = random.Random(number)
        state, first = self.state, None
        while not state.is_over and time.monotonic() < deadline:
            if not all(state.legal.values()):
                return
            joint = {role: draw.choice(moves) for role, moves in state.legal.items()}
            first = first or joint[self.role]
            state = state.play(joint)
        if first is not None and state.is_over:
            means.add(first, state.goals[self.role] or 0)


def _on_circuit(means: Means, state: State[Game], role: str, deadline: float, number: int) -> None:
    game = state.game
    r = game.roles.index(role)
    rows = np.repeat(game.batch.row(state.fluents), PlayLimits.current().flat_plays, axis=0)
    effort = Effort(seconds=max(0.0, deadline - time.monotonic()))
    first, goals = random_plays(game, rows, np.random.default_rng(abs(number)), effort)
    ended = goals[:, r] >= 0
    for move in np.unique(first[ended, r]).tolist():
        some = goals[ended & (first[:, r] == move), r]
        means.add(game.moves[r][move], float(some.sum()), some.size)
