"""States that score what no play scored: models of the goal nets under the invariants, from the solver."""

from __future__ import annotations

import numpy as np

from ludisect.circuit.batch import Rows, pack
from ludisect.circuit.game import Game
from ludisect.decompose.induction import Invariants
from ludisect.decompose.prover import Model, Prover
from ludisect.decompose.sample import Sample

MODELS = 12
"""Models that are asked for per role."""


def winning_states(game: Game, sample: Sample, invariants: Invariants, *, seconds: float = 5.0) -> Rows:
    """For each role whose highest score no play reached: states with that score, as different as can be had cheaply."""
    out: list[Rows] = []
    for role in range(len(game.roles)):
        values = [v for r, v in game.goal_table if r == role]
        if not values:
            continue
        best = max(values)
        if len(sample.endings) and (game.goal_values(sample.endings)[:, role] >= best).any():
            continue
        net = next(k for k, (r, v) in enumerate(game.goal_table) if (r, v) == (role, best))
        out += _models(game, invariants, int(game.circuit.goal[net]), seconds / len(game.roles))
    return np.concatenate(out) if out else np.empty((0, game.initial.shape[1]), np.uint64)


def _models(game: Game, invariants: Invariants, goal: int, seconds: float) -> list[Rows]:
    """Models of one net. Each is asked to differ from the last in a random half of the fluents, if it can."""
    prover = Prover(game, seconds=seconds, moves=False)
    with prover.building():
        invariants.assume(prover, game.circuit.initial)
        prover.require([prover.lit(goal)])
    rng = np.random.default_rng(0)
    out: list[Rows] = []
    free = np.flatnonzero(game.circuit.input_value[1 : 1 + len(game.fluents)] == 2)
    answer = prover.ask()
    while isinstance(answer, Model) and len(out) < MODELS:
        out.append(pack(answer.states[:1]))
        some = rng.permutation(free)[: max(1, len(free) // 2)]
        with prover.building():
            differs = prover.switch()
            prover.require(
                [-differs, *(-prover.fluent(int(f)) if answer.states[0, f] else prover.fluent(int(f)) for f in some)]
            )
        answer = prover.ask([differs])
    return out
