"""Invariants by induction: true at the start, and kept by every legal joint move where all of them hold.

What is proposed is tried first on random states that satisfy the proposals, thousands at a time, which is where most
wrong ones fail; the solver settles the rest. Either way a broken claim is weakened or dropped, and what remains in the
end is the largest set that is inductive.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.record import random_joint
from ludisect.circuit.rows import Rows, pack, unpack
from ludisect.circuit.solver import Model, Prover
from ludisect.decomposition.limits import DecompositionLimits
from ludisect.effort import Effort


@dataclass(frozen=True, slots=True)
class Invariants:
    """What is proved of every reachable state: groups of which exactly one, or at most one, fluent is true, and fluents
    that never change."""

    exactly_one: tuple[tuple[int, ...], ...] = ()
    at_most_one: tuple[tuple[int, ...], ...] = ()
    constant: tuple[int, ...] = ()

    def assume(self, prover: Prover, initial: NDArray[np.bool_]) -> None:
        """Restrict the states of all copies of a prover to those that satisfy the invariants."""
        for copy in range(len(prover.copies)):
            for g in self.exactly_one:
                prover.exactly_one(g, copy)
            for g in self.at_most_one:
                prover.at_most_one(g, copy)
            for f in self.constant:
                prover.require([prover.fluent(f, copy) if initial[f] else -prover.fluent(f, copy)])

    def random_states(self, initial: NDArray[np.bool_], n: int, density: float, rng: np.random.Generator) -> Rows:
        """States that satisfy the invariants and are random otherwise; a part of ``density`` of what they do not bind
        is true."""
        states = rng.random((n, len(initial)), np.float32) < density
        constant = list(self.constant)
        states[:, constant] = initial[constant]
        still = set(constant)
        for group, always in [*((g, True) for g in self.exactly_one), *((g, False) for g in self.at_most_one)]:
            held = [f for f in group if f in still and initial[f]]
            open_ = held or [f for f in group if f not in still]
            states[:, list(group)] = False
            value = rng.integers(0, len(open_) + (not always and not held), n) if open_ else np.zeros(n, np.int64)
            given = np.flatnonzero(value < len(open_))
            states[given, np.array(open_, np.int64)[value[given]]] = True
        return pack(states)


def prove(
    game: Game, groups: Sequence[tuple[int, ...]], fixed: Sequence[int], effort: Effort | None = None
) -> Invariants:
    """The largest set of claims that is inductive: of each group exactly one fluent is true, or at most one if that is
    all that holds; and the ``fixed`` fluents keep their initial value. Beyond the effort, only what needs no moves."""
    limits = DecompositionLimits.current()
    effort = effort or Effort(limits.invariants_share * limits.decompose_work)
    claims = _Claims(game, groups, fixed)
    rng = np.random.default_rng(0)
    quiet = 0
    densities = limits.invariants_densities
    for k in range(limits.invariants_rounds):
        density = densities[k % len(densities)]
        states = claims.invariants().random_states(claims.initial, limits.invariants_states, density, rng)
        quiet = 0 if claims.drop(_followers(game, states, 1, rng)) else quiet + 1
        if quiet == 2 or not claims or effort.over():
            break
    if not claims:
        return Invariants()
    nodes = game.circuit.n_inputs + game.circuit.gates
    if nodes * limits.invariants_node_steps < effort.left:
        found = _by_solver(game, claims, rng, effort, moves=True)
        if found is not None:
            return found
    plain = claims.without_moves(game)
    found = _by_solver(game, plain, rng, effort.part(0.25, least=limits.exact_least), moves=False) if plain else None
    return found or Invariants()


class _Claims:
    """What is still claimed of every state."""

    def __init__(self, game: Game, groups: Sequence[tuple[int, ...]], fixed: Sequence[int]) -> None:
        self.initial = game.circuit.initial
        counts = [int(self.initial[list(g)].sum()) for g in groups]
        self.exactly = [g for g, n in zip(groups, counts, strict=True) if n == 1]
        self.at_most = [g for g, n in zip(groups, counts, strict=True) if n == 0]
        self.constant = list(fixed)

    def without_moves(self, game: Game) -> _Claims:
        """The claims whose fluents go on without reading a move: counters and turn markers, mostly."""
        circuit = game.circuit
        reads_moves = circuit.reached(np.arange(circuit.n_inputs + 1) > circuit.n_fluents)[circuit.next >> 1]
        groups = [g for g in (*self.exactly, *self.at_most) if not reads_moves[list(g)].any()]
        return _Claims(game, groups, [f for f in self.constant if not reads_moves[f]])

    def __bool__(self) -> bool:
        return bool(self.exactly or self.at_most or self.constant)

    def invariants(self) -> Invariants:
        return Invariants(tuple(self.exactly), tuple(self.at_most), tuple(self.constant))

    def drop(self, states: NDArray[np.bool_]) -> bool:
        """Weaken or drop what some of the states break; True if anything was."""
        before = len(self.exactly), len(self.constant), len(self.at_most)
        changed = (states != self.initial).any(axis=0)
        self.constant = [f for f in self.constant if not changed[f]]
        counts = {g: states[:, list(g)].sum(axis=1) for g in (*self.exactly, *self.at_most)}
        weakened = [g for g in self.exactly if (counts[g] != 1).any()]
        self.exactly = [g for g in self.exactly if (counts[g] == 1).all()]
        self.at_most = [g for g in (*self.at_most, *weakened) if (counts[g] <= 1).all()]
        return before != (len(self.exactly), len(self.constant), len(self.at_most))


def _followers(game: Game, rows: Rows, steps: int, rng: np.random.Generator) -> NDArray[np.bool_]:
    """The states on random ways of some steps from the given ones."""
    seen = [rows[:0]]
    for _ in range(steps):
        rows = rows[~game.batch.terminal(rows)]
        joint, stuck = random_joint(game, rows, rng)
        if stuck.all():
            break
        rows = game.batch.next(rows[~stuck], joint[~stuck])
        seen.append(rows)
    return unpack(np.concatenate(seen), len(game.fluents))


def _walk(game: Game, model: Model, rng: np.random.Generator) -> NDArray[np.bool_]:
    """The state after the move of a model, states after other moves from its state, and states on from there.

    The state of a model satisfies all claims that are left, so whatever claim a follower breaks is not inductive with
    them; and the followers satisfy what is left after that. One question to the solver can so settle many claims.
    """
    state = pack(model.states[:1])
    after = game.batch.next(state, model.joint[:1])  # right without moves too, for what reads none
    if (model.joint < 0).any():
        return unpack(after, len(game.fluents))
    limits = DecompositionLimits.current()
    rows = np.repeat(np.concatenate([state, after]), limits.invariants_walks // 2, axis=0)
    return np.concatenate([unpack(after, len(game.fluents)), _followers(game, rows, limits.invariants_steps, rng)])


def _by_solver(
    game: Game, claims: _Claims, rng: np.random.Generator, effort: Effort, *, moves: bool
) -> Invariants | None:
    """Let the solver break claims until it cannot; None if the effort does not suffice. Without ``moves``, in all
    states, not only those in which play goes on."""
    prover = Prover(game, effort=effort, moves=moves)
    switches: dict[tuple[str, object], int] = {}
    broken: list[int] = []
    with prover.building():
        if moves:
            prover.in_play()
        for group in (*claims.exactly, *claims.at_most):
            after = [prover.lit(int(game.circuit.next[f])) for f in group]
            on = switches["at most", group] = prover.switch()
            prover.at_most_one(group, condition=on)
            broken.append(prover.all_of([on, prover.two_of(after)]))
        for group in claims.exactly:
            after = [prover.lit(int(game.circuit.next[f])) for f in group]
            on = switches["exactly", group] = prover.switch()
            prover.exactly_one(group, condition=on)
            broken.append(prover.all_of([on, prover.not_exactly_one(after)]))
        for f in claims.constant:
            on = switches["constant", f] = prover.switch()
            now, then = prover.fluent(f), prover.lit(int(game.circuit.next[f]))
            prover.require([-on, now if claims.initial[f] else -now])
            broken.append(prover.all_of([on, -then if claims.initial[f] else then]))
        prover.require(broken)
    while claims:
        alive: set[tuple[str, object]] = {("constant", f) for f in claims.constant}
        alive |= {("exactly", g) for g in claims.exactly} | {("at most", g) for g in claims.at_most}
        answer = prover.ask([s if name in alive else -s for name, s in switches.items()])
        if answer is False:
            return claims.invariants()
        if not isinstance(answer, Model):
            return None
        claims.drop(_walk(game, answer, rng))
    return Invariants()
