"""Plans of bounded length for a single player, asked of a solver: a copy of the circuit for each step.

Puzzles whose moves can be made in any order have far more states than plans; a solver that learns from its failures
does not meet them one by one. What it finds is played on the rules, so that no answer rests on the solver.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.rows import Rows, pack, unpack
from ludisect.circuit.solver import Model, Prover
from ludisect.effort import Effort
from ludisect.progress import report
from ludisect.search.budget import Budget
from ludisect.search.limits import SearchLimits


def bounded_plan(
    game: Game, start: Rows, moves: NDArray[np.int64], wanted: Mapping[int, bool], budget: Budget
) -> tuple[list[int], Rows] | None:
    """Moves that give some fluents the wanted values, and the state after them; None if none were found.

    Longer and longer plans are looked for, those after which the play goes on first.
    """
    now = unpack(start, len(game.fluents))[0]
    length = max(1, sum(now[f] != value for f, value in wanted.items()))
    step = game.circuit.gates + game.circuit.n_inputs
    limits = SearchLimits.current()
    effort = budget.effort(limits.boundedplan_work)
    while length <= limits.boundedplan_moves and length * step <= limits.boundedplan_size:
        report("asking for plans", length)
        budget.check()
        steps = _Steps(game, now, moves.tolist(), _fluents(wanted), length, effort)
        for assumed in ([steps.going], []):
            model = steps.prover.ask(assumed)
            if model is None:
                return None
            if isinstance(model, Model):
                return _played(game, start, model, wanted)
        length *= 2
    return None


def _played(game: Game, start: Rows, model: Model, wanted: Mapping[int, bool]) -> tuple[list[int], Rows] | None:
    """The moves of a model as far as they are needed, played on the rules; None if the rules do not agree."""
    fluents, values = list(wanted), np.array(list(wanted.values()), np.bool_)
    row = start
    out: list[int] = []
    for move in model.joint[:, 0].tolist():
        if bool((unpack(row, len(game.fluents))[0, fluents] == values).all()):
            return out, row
        if bool(game.batch.terminal(row)[0]) or move < 0 or not bool(game.batch.legal(row)[0, move]):
            return None
        out.append(move)
        row = game.batch.next(row, np.array([[move]]))
    return None


class BestEnd:
    """Asks for a play of at most so many moves to an end of the game at which a goal holds."""

    def __init__(self, game: Game, start: Rows, goal: int, length: int, effort: Effort) -> None:
        def end(prover: Prover, t: int) -> list[int]:
            return [prover.lit(int(game.circuit.terminal), t), prover.lit(goal, t)]

        self._game = game
        moves = range(len(game.moves[0]))
        self._steps = _Steps(game, unpack(start, len(game.fluents))[0], moves, end, length, effort)

    def ask(self, effort: Effort) -> list[int] | bool | None:
        """The moves of such a play; False if there is none, None if the effort does not suffice. More may be asked."""
        found = self._steps.prover.ask([-self._steps.going], effort)
        if not isinstance(found, Model):
            return found
        ends = self._game.batch.terminal(pack(found.states))
        return [int(move) for move in found.joint[: int(ends.argmax()), 0]]


End = Callable[[Prover, int], list[int]]
"""What must hold in state t if a plan ends there."""


def _fluents(wanted: Mapping[int, bool]) -> End:
    """Some fluents have the wanted values."""
    return lambda prover, t: [prover.fluent(f, t) if value else -prover.fluent(f, t) for f, value in wanted.items()]


class _Steps:
    """Copies of the rules, one per state of a plan. ``going`` is an assumption: the play goes on after it."""

    def __init__(
        self, game: Game, now: NDArray[np.bool_], moves: Sequence[int], end: End, length: int, effort: Effort
    ) -> None:
        circuit = game.circuit
        self.prover = prover = Prover(game, length + 1, effort)
        others = sorted(set(range(len(game.moves[0]))) - set(moves))
        with prover.building():
            self.going = prover.switch()
            made = [prover.switch() for _ in range(length)]
            for f, value in enumerate(now.tolist()):
                prover.require([prover.fluent(f) if value else -prover.fluent(f)])
            for t, here in enumerate(made):
                if t:
                    prover.require([-here, made[t - 1]])
                prover.require([-here, -prover.lit(int(circuit.terminal), t)])
                for m in moves:
                    prover.require([-here, -prover.move(0, m, t), prover.lit(int(circuit.legal[m]), t)])
                for m in others:
                    prover.require([-here, -prover.move(0, m, t)])
                for f in range(circuit.n_fluents):
                    after, rule = prover.fluent(f, t + 1), prover.lit(int(circuit.next[f]), t)
                    prover.require([-here, -after, rule])
                    prover.require([-here, after, -rule])
            for t in range(length + 1):
                # the plan ends here unless the step before was not made, or the next one is
                unless = [*([-made[t - 1]] if t else []), *([made[t]] if t < length else [])]
                for literal in end(prover, t):
                    prover.require([*unless, literal])
                prover.require([*unless, -self.going, -prover.lit(int(circuit.terminal), t)])
