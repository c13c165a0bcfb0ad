"""The context: variables that run by themselves (turn markers, counters), found by induction.

Of all variables that nobody was seen to choose, those that a counterexample breaks are taken out, one after another:
two states that agree on the variables left, with whatever legal moves, and disagree on the next value of one of them.
What remains is closed: its next value is a function of its value. Where the rules of a variable name neither a move nor
a fluent outside the context, nothing need be asked.

Most counterexamples are there for the asking: visited states, more or less mixed with random ones that satisfy the
invariants, hundreds at a time. The solver finds the others, and random plays from each of those break what they can.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import count

import numpy as np

from ludisect.circuit.game import Game
from ludisect.circuit.record import random_joint
from ludisect.circuit.rows import Rows, pack, unpack
from ludisect.circuit.solver import Model, Prover
from ludisect.decomposition.evidence.invariants import Invariants
from ludisect.decomposition.evidence.localmoves import mask_of
from ludisect.decomposition.evidence.sample import take_sample
from ludisect.decomposition.exact.ruleform import structurally_closed
from ludisect.decomposition.exact.variables import FluentGroup, find_invariants, variables_of
from ludisect.decomposition.limits import DecompositionLimits
from ludisect.effort import Effort


def closed_context(
    game: Game,
    invariants: Invariants,
    variables: Sequence[FluentGroup],
    candidates: Sequence[int],
    *,
    wanted: Sequence[int] | None = None,
    visited: Rows | None = None,
    effort: Effort,
) -> list[int]:
    """Of the wanted variables (all candidates, if not told) those in the largest set of candidates that runs by itself;
    beyond the effort, those of which the structure of the circuit shows it.

    ``visited`` are states that satisfy the invariants, to start looking from (the initial state, if there are none).
    """
    limits = DecompositionLimits.current()
    asked = frozenset(candidates if wanted is None else wanted)
    closed = frozenset(structurally_closed(game, invariants, variables, candidates))
    plain = [v for v in candidates if v in closed and v in asked]
    unsettled = asked - closed
    rng = np.random.default_rng(0)
    source = _States(game, invariants, variables, game.batch.initial if visited is None else visited)
    left = _unbroken(source, candidates, unsettled, rng, effort)
    if unsettled.isdisjoint(left):
        return plain
    circuit = game.circuit
    prover = Prover(game, copies=2, effort=effort)
    switches: dict[int, int] = {}
    with prover.building():
        invariants.assume(prover, circuit.initial)
        prover.in_play(0)
        prover.in_play(1)
        broken = []
        for v in left:
            on = switches[v] = prover.switch()
            for f in variables[v].fluents:
                prover.require([-on, -prover.differ(prover.fluent(f, 0), prover.fluent(f, 1))])
            changes = [
                prover.differ(prover.lit(int(circuit.next[f]), 0), prover.lit(int(circuit.next[f]), 1))
                for f in variables[v].fluents
            ]
            broken.append(prover.all_of([on, prover.any_of(changes)]))
        prover.require(broken)
    while not unsettled.isdisjoint(left):
        inside = set(left)
        answer = prover.ask([s if v in inside else -s for v, s in switches.items()])
        if answer is False:
            return [v for v in left if v in asked]
        if not isinstance(answer, Model):
            break
        found = pack(answer.states)
        after = game.batch.next(found, answer.joint)
        left = _agreeing(game, variables, left, after[:1], after[1:])
        one, other = (np.repeat(np.stack([found[k], after[k]]), limits.invariants_walks // 2, axis=0) for k in range(2))
        left = _walk(game, variables, left, one, other, limits.invariants_steps, rng)
    return plain


def proved_closed(game: Game, fluents: Sequence[int], effort: Effort) -> set[int]:
    """Of some fluents those that are proved to run by themselves, with invariants found for the purpose."""
    sample = take_sample(game)
    free = np.flatnonzero(game.circuit.input_value[1 : 1 + len(game.fluents)] == 2).tolist()
    invariants = find_invariants(game, sample, free, effort.part(0.5))
    variables = variables_of(invariants, free)
    inside = set(fluents)
    candidates = [k for k, v in enumerate(variables) if inside.issuperset(v.fluents)]
    closed = closed_context(game, invariants, variables, candidates, visited=sample.states, effort=effort.part(0.5))
    return {f for k in closed for f in variables[k].fluents}


@dataclass(frozen=True, slots=True, eq=False)
class _States:
    """Where random states come from."""

    game: Game
    invariants: Invariants
    variables: Sequence[FluentGroup]
    visited: Rows

    def some(self, density: float, noise: float, rng: np.random.Generator) -> Rows:
        """Visited states in which a part ``noise`` of the variables have random values: what holds of each variable by
        itself still holds."""
        n = DecompositionLimits.current().invariants_states
        rows = self.visited[rng.integers(0, len(self.visited), n)]
        strange = self.invariants.random_states(self.game.circuit.initial, n, density, rng)
        given = rng.random((n, len(self.variables)), np.float32) < noise
        owner = np.full(len(self.game.fluents), -1)
        for k, v in enumerate(self.variables):
            owner[list(v.fluents)] = k
        mask = pack(given[:, owner] & (owner >= 0))
        return (rows & ~mask) | (strange & mask)


def _unbroken(
    states: _States, candidates: Sequence[int], unsettled: AbstractSet[int], rng: np.random.Generator, effort: Effort
) -> list[int]:
    """The candidates that are left when random pairs of states that agree on them break no more, or all that was
    unsettled is broken."""
    left = list(candidates)
    quiet, limits = 0, DecompositionLimits.current()
    densities, noises = limits.invariants_densities, limits.context_noise
    for k in count():
        if quiet == len(noises) or unsettled.isdisjoint(left) or effort.over():
            break
        density, noise = densities[k % len(densities)], noises[k % len(noises)]
        one, other = (states.some(density, noise, rng) for _ in range(2))
        same = mask_of(states.game, [f for v in left for f in states.variables[v].fluents])
        before = len(left)
        left = _walk(states.game, states.variables, left, one, (other & ~same) | (one & same), 1, rng)
        quiet = quiet + 1 if len(left) == before else 0
    return left


def _walk(
    game: Game,
    variables: Sequence[FluentGroup],
    left: list[int],
    one: Rows,
    other: Rows,
    steps: int,
    rng: np.random.Generator,
) -> list[int]:
    """Of the variables on which pairs of states agree, those on which they still agree along random plays.

    After a move the pairs agree on what is left then, and satisfy the invariants, so the next move is as good a test.
    """
    for _ in range(steps):
        going = ~(game.batch.terminal(one) | game.batch.terminal(other))
        one, other = one[going], other[going]
        (first, stuck), (second, also_stuck) = random_joint(game, one, rng), random_joint(game, other, rng)
        able = ~(stuck | also_stuck)
        if not left or not able.any():
            break
        one, other = game.batch.next(one[able], first[able]), game.batch.next(other[able], second[able])
        left = _agreeing(game, variables, left, one, other)
    return left


def _agreeing(game: Game, variables: Sequence[FluentGroup], left: list[int], one: Rows, other: Rows) -> list[int]:
    """Those of some variables on which all pairs of states agree."""
    differs = unpack(np.bitwise_or.reduce(one ^ other, axis=0)[None], len(game.fluents))[0]
    return [v for v in left if not differs[list(variables[v].fluents)].any()]
