"""The method ``exact``: variables, dependencies with witnesses, free choice, stages, goals; then proofs.

Everything is stated on what roles can bring about in variables (see ``outcomes``), never on names of moves, so that
compound moves, noops and disguised rules need no treatment of their own. Sampling proposes a partition, the solver
tries to refute it, every refutation is a state to add to the sample, until the partition is proved or time is up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ludisect import clock
from ludisect.circuit.batch import Rows, pack, unpack
from ludisect.circuit.game import Game
from ludisect.circuit.record import Transitions
from ludisect.decomposition.evidence.invariants import Invariants
from ludisect.decomposition.evidence.localmoves import local_moves, mask_of
from ludisect.decomposition.evidence.prove import CONDITIONS, Claim, Proof, prove_parts
from ludisect.decomposition.evidence.sample import Sample
from ludisect.decomposition.evidence.verify import Check, Violation
from ludisect.decomposition.exact.dependencies import Dependencies, with_choice
from ludisect.decomposition.exact.partition import Analysis, found_of, look_around, partition
from ludisect.decomposition.exact.rarestates import winning_states
from ludisect.decomposition.exact.ruleform import plainly_alone, read_by, structurally_closed
from ludisect.decomposition.exact.variables import FluentGroup, find_invariants, variables_of
from ludisect.decomposition.model.assemble import Found, assemble, constants
from ludisect.decomposition.model.blocks import merge
from ludisect.decomposition.model.decomposition import Decomposition

ROUNDS = 12
"""Refutations that are worked in before the partition is reported as it is."""


def analyse(game: Game, sample: Sample, *, seconds: float = 60.0, seed: int = 0) -> Analysis:
    """Propose a partition from the sample."""
    deadline = clock.now() + seconds
    free = np.flatnonzero(~constants(game)).tolist()
    invariants = find_invariants(game, sample, free, seconds=max(1.0, seconds / 6))
    variables = variables_of(invariants, free)
    wins = winning_states(game, sample, invariants, seconds=max(1.0, seconds / 8))
    out = Analysis(game, sample, variables, invariants, Dependencies(sample, variables), wins, deadline)
    look_around(out, np.random.default_rng(seed))
    partition(out)
    return out


def refine(it: Analysis, transitions: Transitions, *, seconds: float = 60.0) -> tuple[Decomposition, Proof | None]:
    """Let recorded transitions and the solver refute the partition, and mend it, until neither can.

    With a proof, complete or not, the decomposition has passed the check on the transitions; without one it has not.
    """
    it.deadline = deadline = clock.now() + seconds
    tested: tuple[Decomposition, Proof] | None = None
    each_move = False
    for _ in range(ROUNDS):
        parts = assemble(it.game, found_of(it), "exact", it.sample, it.telling)
        if each_move:
            parts = _move_by_move(parts)
        violation = Check(parts, it.sample, transitions, wins=it.wins).violation()
        if violation is None:
            proof = _prove(it, max(1.0, deadline - clock.now()))
            if proof.complete:
                return _single_as_shown(it, parts), proof
            learned = [_learn(it, claim) for claim in proof.refuted()]
            if any(learned):
                if clock.now() > deadline:
                    return parts, proof
            else:
                tested = tested or (parts, proof)
                if not (_join_waiting(it, proof) | _show_moves(it, proof) or _look_further(it, proof)):
                    break
        elif len(parts.dependent) == 1 and violation.part == 0 and not each_move:
            each_move = True
            continue
        elif not _mend(it, violation):
            break
        if clock.now() > deadline:
            break
        partition(it)
    return tested or _as_one(it, transitions)


def coarse(game: Game, sample: Sample) -> tuple[Decomposition, Proof]:
    """One part and a context of which the rules name neither a move nor anything outside it: there at once, and proved
    by the form of the rules."""
    invariants = Invariants()
    chosen = with_choice(sample)
    free = np.flatnonzero(~constants(game)).tolist()
    variables = [FluentGroup((f,)) for f in free]
    candidates = [i for i, f in enumerate(free) if not chosen[f]]
    context = [free[i] for i in structurally_closed(game, invariants, variables, candidates)]
    place = {f: k for k, f in enumerate(context)}
    circuit = game.circuit
    reads = {f: (circuit.support(circuit.next[[f]]) - 1).tolist() for f in context}
    links = [[k, *(place[x] for x in reads[f] if x in place)] for f, k in place.items()]
    found = Found(
        groups=(tuple(f for f in free if f not in place),),
        independent=tuple(tuple(context[k] for k in block) for block in merge(links, len(context))),
        notes=("stopped early: what depends on moves is taken as one part",),
    )
    parts = assemble(game, found, "exact", sample)
    return parts, prove_parts(game, invariants, [s.fluents for s in parts.dependent], context, [], {}, seconds=1.0)


def _join_waiting(it: Analysis, proof: Proof) -> bool:
    """If the context need not run by itself, what was put into it though it waits for others is joined with those. True
    if there is such a thing. What comes of it counts if it can be proved."""
    if not any(claim.part < 0 for claim in proof.refuted()):
        return False
    inside = set(it.dependent)
    waiting = [g for g in it.context if not inside.isdisjoint(g)]
    owner = {f: v for g in it.groups for v in g for f in it.variables[v].fluents}
    for component in waiting:
        causes = [u for u, v in it.dependencies.edges if v in component and u in inside]
        causes = causes or [owner[f] for f in read_by(it.game, it.fluents(component)).tolist() if f in owner]
        it.joined.append([*component, *causes])
    return bool(waiting)


def _show_moves(it: Analysis, proof: Proof) -> bool:
    """Where a part goes on differently after moves that should be one there, the states of the solver tell them apart
    from now on. True if there are any. No play need ever get there, so that what comes of it counts if it can be
    proved."""
    new = False
    for claim in proof.refuted():
        if claim.name == "transition" and claim.model is not None:
            states, joint = pack(claim.model.states), claim.model.joint.astype(np.int32)
            if _exchange_matters(it, claim.part, states, joint) and not it.telling.has(states, joint):
                it.refuted = it.telling.with_states(states, joint)
                new = True
    return new


def _exchange_matters(it: Analysis, part: int, states: Rows, joint: NDArray[np.int32]) -> bool:
    """Whether a part goes on differently from one of two states if a role makes its move of the other state there;
    otherwise it is the states that make the difference, not the moves."""
    mask = mask_of(it.game, it.fluents(it.groups[part]))
    after = it.game.next(states, joint) & mask
    for r in np.flatnonzero(joint[0] != joint[1]).tolist():
        exchanged = joint.copy()
        exchanged[:, r] = joint[::-1, r]
        if ((it.game.next(states, exchanged) & mask) != after).any():
            return True
    return False


def _look_further(it: Analysis, proof: Proof) -> bool:
    """Look for dependencies of some parts on values that no play showed, and move by move: a proof that fails may fail
    on them, and with reason. True if there are any. What is then found counts if it can be proved.
    """
    rng = np.random.default_rng(1)
    edges = it.dependencies
    new = False
    for k in [c.part for c in proof.refuted() if c.name in CONDITIONS]:
        into = set(it.groups[k])
        waiting = [v for v in it.dependent if v not in into]
        while waiting and clock.now() <= it.deadline:
            sources, waiting = waiting[: edges.at_once], waiting[edges.at_once :]
            new |= any(edges.look(sources, rng, seen=False, into=into))
            for v in sources:
                new |= bool(edges.look_plainly(v, rng, into))
    return new


def _as_one(it: Analysis, transitions: Transitions) -> tuple[Decomposition, Proof | None]:
    """All that depends on moves as one part: what is left if no partition passes the check."""
    it.notes.append("no finer partition passed the check: what depends on moves is taken as one part")
    it.joined.append(list(it.dependent))
    partition(it)
    parts = _move_by_move(assemble(it.game, found_of(it), "exact", it.sample, it.telling))
    if Check(parts, it.sample, transitions, wins=it.wins).violation() is not None:
        return parts, None
    return parts, _prove(it, 1.0)


def _move_by_move(parts: Decomposition) -> Decomposition:
    """A single part with every move by itself: the sample may be too small to tell all moves of a large game apart, and
    a part that has no other beside it needs no classes of moves."""
    if len(parts.dependent) > 1:
        return parts
    each = tuple(tuple((m,) for m in range(len(moves))) for moves in parts.game.moves)
    return replace(parts, parts=tuple(replace(s, moves=each) if s.kind == "dependent" else s for s in parts.parts))


def _single_as_shown(it: Analysis, parts: Decomposition) -> Decomposition:
    """A single part is proved without a word about its classes of moves: they stay if the wires show that they are
    right."""
    if len(parts.dependent) != 1:
        return parts
    fluents = parts.dependent[0].fluents
    local = local_moves(it.game, it.telling, fluents)
    known = plainly_alone(it.game, it.invariants, fluents, parts.context_fluents, local)
    return parts if "transition" in known else _move_by_move(parts)


def _prove(it: Analysis, seconds: float) -> Proof:
    parts = [it.fluents(g) for g in it.groups]
    locals_ = [local_moves(it.game, it.telling, p) for p in parts]
    context = [f for g in it.context for f in it.fluents(g)]
    after = {k: sorted(v) for k, v in it.after.items()}
    return prove_parts(it.game, it.invariants, parts, context, locals_, after, seconds=seconds)


def _mend(it: Analysis, violation: Violation) -> bool:
    """Work a violation in; False if it says nothing new."""
    groups = [*it.groups, *it.context]
    if violation.tied:
        it.joined.append([v for k in violation.tied for v in groups[k]])
        return True
    joint = violation.joint if len(violation.joint) else None
    if _explain(it, groups[violation.part], violation.states, joint):
        return True
    if joint is not None and not it.sample.has(violation.states, joint):
        it.add(violation.states, joint)
        return True
    # nothing explains it: what differs between the two states belongs to the part
    first, second = violation.states
    different = [
        g
        for g in it.groups
        if ((first ^ second) & mask_of(it.game, it.fluents(g))).any() and g != groups[violation.part]
    ]
    if violation.part < len(it.groups) and different:
        guilty = _guilty(it, groups[violation.part], different, violation) or different
        it.joined.append([*groups[violation.part], *(v for g in guilty for v in g)])
        return True
    return False


def _guilty(
    it: Analysis, part: Sequence[int], different: Sequence[Sequence[int]], violation: Violation
) -> list[Sequence[int]]:
    """Of the groups in which the two states of a violation differ, those that make the difference to the part when the
    one state is turned into the other, group by group."""
    game = it.game
    first, second = violation.states
    walk = [first]
    for g in different:
        mask = mask_of(game, it.fluents(g))
        walk.append((walk[-1] & ~mask) | (second & mask))
    rows = np.stack(walk)
    if len(violation.joint):
        shown = game.next(rows, np.repeat(violation.joint[:1], len(rows), axis=0)) & mask_of(game, it.fluents(part))
    else:
        legal = game.legal(rows)
        classes = local_moves(game, it.telling, it.fluents(part)).classes
        available = [
            legal[:, [game.first_move[r] + m for m in members]].any(axis=1)
            for r, of_role in enumerate(classes)
            for members in of_role
        ]
        shown = pack(np.stack(available, axis=1))
    return [g for k, g in enumerate(different) if (shown[k] != shown[k + 1]).any()]


def _learn(it: Analysis, claim: Claim) -> bool:
    """What a refuted claim says about dependencies that the sample did not show; only of the context, whose claims are
    so simple that an unreachable counterexample is worth believing."""
    if claim.part >= 0 or claim.model is None:
        return False
    target = [v for g in it.context for v in g]
    return _explain(it, target, pack(claim.model.states), claim.model.joint.astype(np.int32))


def _explain(it: Analysis, target: Sequence[int], states: Rows, joint: NDArray[np.int32] | None) -> bool:
    """Walk from one state to the other, one variable at a time, and note where what can become of the target changes.

    The target's own variables are left alone. True if a new dependency was found.
    """
    inside = set(target)
    bits = unpack(states, len(it.game.fluents))
    steps, changed = [bits[0]], []
    for v, variable in enumerate(it.variables):
        f = list(variable.fluents)
        if v not in inside and (steps[-1][f] != bits[1][f]).any():
            step = steps[-1].copy()
            step[f] = bits[1][f]
            steps.append(step)
            changed.append(v)
    if not changed:
        return False
    return it.dependencies.along(pack(np.stack(steps)), changed, target, joint)
