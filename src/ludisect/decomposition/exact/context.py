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
    asked = frozenset(candidates if wanted is None else wanted)
    closed = frozenset(structurally_closed(game, invariants, variables, candidates))
    plain = [v for v in candidates if v in closed and v in asked]
    unsettled = asked - closed
    trial = _Trial(game, invariants, variables, candidates, game.batch.initial if visited is None else visited)
    trial.at_random(unsettled, effort)
    if unsettled.isdisjoint(trial.left):
        return plain
    circuit = game.circuit
    prover = Prover(game, copies=2, effort=effort)
    switches: dict[int, int] = {}
    with prover.building():
        invariants.assume(prover, circuit.initial)
        prover.in_play(0)
        prover.in_play(1)
        broken = []
        for v in trial.left:
            on = switches[v] = prover.switch()
            for f in variables[v].fluents:
                prover.require([-on, -prover.differ(prover.fluent(f, 0), prover.fluent(f, 1))])
            changes = [
                prover.differ(prover.lit(int(circuit.next[f]), 0), prover.lit(int(circuit.next[f]), 1))
                for f in variables[v].fluents
            ]
            broken.append(prover.all_of([on, prover.any_of(changes)]))
        prover.require(broken)
    while not unsettled.isdisjoint(trial.left):
        inside = set(trial.left)
        answer = prover.ask([s if v in inside else -s for v, s in switches.items()])
        if answer is False:
            return [v for v in trial.left if v in asked]
        if not isinstance(answer, Model):
            break
        trial.from_model(answer)
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


class _Trial:
    """Candidates, and pairs of states that agree on those that are ``left``: what they disagree on next is out."""

    def __init__(
        self, game: Game, invariants: Invariants, variables: Sequence[FluentGroup], left: Sequence[int], visited: Rows
    ) -> None:
        self.game, self.invariants, self.variables, self.left = game, invariants, variables, list(left)
        self.visited, self.limits, self.rng = visited, DecompositionLimits.current(), np.random.default_rng(0)
        owner = np.full(len(game.fluents), -1)
        for k, v in enumerate(variables):
            owner[list(v.fluents)] = k
        self.owner = owner

    def _states(self, density: float, noise: float) -> Rows:
        """Visited states in which a part ``noise`` of the variables have random values: what holds of each variable by
        itself still holds."""
        n = self.limits.invariants_states
        rows = self.visited[self.rng.integers(0, len(self.visited), n)]
        strange = self.invariants.random_states(self.game.circuit.initial, n, density, self.rng)
        given = self.rng.random((n, len(self.variables)), np.float32) < noise
        mask = pack(given[:, self.owner] & (self.owner >= 0))
        return (rows & ~mask) | (strange & mask)

    def at_random(self, unsettled: AbstractSet[int], effort: Effort) -> None:
        """Try random pairs until they break no more, or all that was unsettled is broken."""
        quiet, densities, noises = 0, self.limits.invariants_densities, self.limits.context_noise
        for k in count():
            if quiet == len(noises) or unsettled.isdisjoint(self.left) or effort.over():
                break
            one, other = (self._states(densities[k % len(densities)], noises[k % len(noises)]) for _ in range(2))
            same = mask_of(self.game, [f for v in self.left for f in self.variables[v].fluents])
            before = len(self.left)
            self._walk(one, (other & ~same) | (one & same), 1)
            quiet = quiet + 1 if len(self.left) == before else 0

    def from_model(self, model: Model) -> None:
        """Take out what the two states of a model disagree on after its moves, and on random ways on from there."""
        found = pack(model.states)
        after = self.game.batch.next(found, model.joint)
        self._keep(after[:1], after[1:])
        many = self.limits.invariants_walks // 2
        one, other = (np.repeat(np.stack([found[k], after[k]]), many, axis=0) for k in range(2))
        self._walk(one, other, self.limits.invariants_steps)

    def _walk(self, one: Rows, other: Rows, steps: int) -> None:
        """Play on at random from pairs of states. After a move the pairs agree on what is left then, and satisfy the
        invariants, so the next move is as good a test."""
        game = self.game
        for _ in range(steps):
            going = ~(game.batch.terminal(one) | game.batch.terminal(other))
            one, other = one[going], other[going]
            (first, stuck), (second, also_stuck) = (random_joint(game, rows, self.rng) for rows in (one, other))
            able = ~(stuck | also_stuck)
            if not self.left or not able.any():
                break
            one, other = game.batch.next(one[able], first[able]), game.batch.next(other[able], second[able])
            self._keep(one, other)

    def _keep(self, one: Rows, other: Rows) -> None:
        """Leave those variables on which all pairs of states agree."""
        differs = unpack(np.bitwise_or.reduce(one ^ other, axis=0)[None], len(self.game.fluents))[0]
        self.left = [v for v in self.left if not differs[list(self.variables[v].fluents)].any()]
