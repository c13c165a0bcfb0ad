"""States with scores that no play showed: models of the goal nets under the invariants, from the solver."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from ludisect.circuit.game import Game
from ludisect.circuit.rows import Rows, pack
from ludisect.circuit.solver import Model, Prover
from ludisect.decomposition.evidence.invariants import Invariants
from ludisect.decomposition.evidence.sample import Sample
from ludisect.decomposition.limits import DecompositionLimits
from ludisect.effort import Effort


def winning_states(game: Game, sample: Sample, invariants: Invariants, effort: Effort) -> Rows:
    """For each role whose highest score no play reached: states with that score, as different as can be had cheaply."""
    out: list[Rows] = []
    each, per_gate = effort.work / len(game.roles), DecompositionLimits.current().rarestates_gate_steps
    for role in range(len(game.roles)):
        values = [v for r, v in game.goal_table if r == role]
        if not values:
            continue
        best = max(values)
        if len(sample.endings) and (game.batch.goals(sample.endings)[:, role] >= best).any():
            continue
        net = int(game.circuit.goal[game.goal_table.index((role, best))])
        if game.circuit.cone([net]).sum() * per_gate < each:
            out += _models(game, invariants, net, effort.part(1 / len(game.roles)))
    return np.concatenate(out) if out else np.empty((0, game.batch.initial.shape[1]), np.uint64)


def _models(game: Game, invariants: Invariants, goal: int, effort: Effort) -> list[Rows]:
    """Models of one net. Each is asked to differ from the last in a random half of the fluents, if it can."""
    prover = Prover(game, effort=effort, moves=False)
    with prover.building():
        invariants.assume(prover, game.circuit.initial)
        prover.require([prover.lit(goal)])
    rng = np.random.default_rng(0)
    out: list[Rows] = []
    most = DecompositionLimits.current().rarestates_models
    free = np.flatnonzero(game.circuit.input_value[1 : 1 + len(game.fluents)] == 2)
    answer = prover.ask()
    while isinstance(answer, Model) and len(out) < most:
        out.append(pack(answer.states[:1]))
        some = rng.permutation(free)[: max(1, len(free) // 2)]
        with prover.building():
            differs = prover.switch()
            prover.require(
                [-differs, *(-prover.fluent(int(f)) if answer.states[0, f] else prover.fluent(int(f)) for f in some)]
            )
        answer = prover.ask([differs])
    return out


def hanging_on(
    game: Game, invariants: Invariants, parts: Sequence[Sequence[int]], effort: Effort, *, ends: bool = False
) -> list[Rows | bool]:
    """For each of some parts (fluents) a state in which a score hangs on it: with the part put back to its initial
    values, some role has another score; with ``ends``, has one or not, or the play is over or not. False if there is no
    such state, True if the effort does not suffice to tell."""
    circuit = game.circuit
    nets = [*circuit.goal.tolist(), circuit.terminal] if ends else circuit.goal.tolist()
    if circuit.cone(nets).sum() * 2 * DecompositionLimits.current().rarestates_gate_steps > effort.work:
        return [True] * len(parts)
    prover = Prover(game, copies=2, effort=effort, moves=False)
    owner = {f: k for k, fluents in enumerate(parts) for f in fluents}
    with prover.building():
        for copy, role in product(range(2), range(0 if ends else len(game.roles))):
            goals = [n for n, (r, _) in zip(nets, game.goal_table, strict=True) if r == role]
            prover.one_of([prover.lit(net, copy) for net in goals])
        invariants.assume(prover, circuit.initial)
        asked = [prover.switch() for _ in parts]
        for f in range(len(game.fluents)):
            now, then = prover.fluent(f, 0), prover.fluent(f, 1)
            put_back = [-asked[owner[f]]] if f in owner else []
            prover.require([-prover.differ(now, then), *(-x for x in put_back)])
            if f in owner:
                prover.require([*put_back, then if circuit.initial[f] else -then])
        prover.require([prover.differ(prover.lit(net, 0), prover.lit(net, 1)) for net in nets])
    out: list[Rows | bool] = []
    for switch in asked:
        answer = prover.ask([x if x == switch else -x for x in asked], effort.part(1 / len(parts)))
        out.append(pack(answer.states[:1]) if isinstance(answer, Model) else answer is None)
    return out
