"""What a refutation teaches ``exact``: a dependency, states that tell moves apart, variables to be joined.

Each function says whether there was anything new; if so, the partition is made anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.rows import Rows, pack, unpack
from ludisect.decomposition.evidence.freechoice import tied_parts
from ludisect.decomposition.evidence.goals import tie_by_exchange
from ludisect.decomposition.evidence.localmoves import local_moves, mask_of
from ludisect.decomposition.evidence.prove import CONDITIONS, FREE_CHOICE, Claim, Proof
from ludisect.decomposition.evidence.verify import Violation
from ludisect.decomposition.exact.analysis import Analysis
from ludisect.decomposition.exact.ruleform import read_by
from ludisect.decomposition.model.blocks import ancestors
from ludisect.decomposition.model.dependency import Bond

Item = TypeVar("Item")


def mend(analysis: Analysis, violations: Sequence[Violation]) -> bool:
    """Work all violations of a round in; where none says anything new, join the parts in question with what their rules
    read. False if there is nothing to be joined."""
    return _all_of(_mend, analysis, violations) or _all_of(_join_with_read, analysis, violations)


def _all_of(work: Callable[[Analysis, Item], bool], analysis: Analysis, items: Iterable[Item]) -> bool:
    """Do something with all of the items; whether it came to something with any of them."""
    return sum([work(analysis, item) for item in items]) > 0


def _mend(analysis: Analysis, violation: Violation) -> bool:
    """Work a violation in; False if it says nothing new."""
    groups = [*analysis.groups, *analysis.context]
    if violation.tied:
        nodes = tuple(v for k in violation.tied for v in groups[k])
        analysis.joined.append(Bond(nodes, "refuted", violation.what, violation.states[0]))
        return True
    joint = violation.joint if len(violation.joint) else None
    if _explain(analysis, groups[violation.part], violation.states, joint):
        return True
    if joint is not None and not analysis.sample.has(violation.states, joint):
        analysis.add(violation.states, joint)
        return True
    # nothing explains it: what differs between the two states belongs to the part
    first, second = violation.states
    different = [
        g
        for g in analysis.groups
        if ((first ^ second) & mask_of(analysis.game, analysis.fluents(g))).any() and g != groups[violation.part]
    ]
    if violation.part < len(analysis.groups) and different:
        guilty = _guilty(analysis, groups[violation.part], different, violation) or different
        nodes = (*groups[violation.part], *(v for g in guilty for v in g))
        analysis.joined.append(Bond(nodes, "refuted", violation.what, first))
        return True
    return False


def _join_with_read(analysis: Analysis, violation: Violation) -> bool:
    """Join a part that breaks a condition with the one that its rules read most; if it is of the context, it does not
    run by itself."""
    part = [*analysis.groups, *analysis.context][violation.part]
    others = [g for g in analysis.groups if g != part]
    if not others:
        return False
    read = read_by(analysis.game, analysis.fluents(part))
    most = max(others, key=lambda g: int(np.isin(read, analysis.fluents(g)).sum()))
    analysis.loose += [v for v in part if v not in analysis.dependent]
    analysis.joined.append(Bond((*part, *most), "refuted", violation.what, violation.states[0]))
    return True


def _guilty(
    analysis: Analysis, part: Sequence[int], different: Sequence[Sequence[int]], violation: Violation
) -> list[Sequence[int]]:
    """Of the groups in which the two states of a violation differ, those that make the difference to the part when the
    one state is turned into the other, group by group."""
    game = analysis.game
    first, second = violation.states
    walk = [first]
    for g in different:
        mask = mask_of(game, analysis.fluents(g))
        walk.append((walk[-1] & ~mask) | (second & mask))
    rows = np.stack(walk)
    if len(violation.joint):
        shown = game.batch.next(rows, np.repeat(violation.joint[:1], len(rows), axis=0)) & mask_of(
            game, analysis.fluents(part)
        )
    else:
        legal = game.batch.legal(rows)
        classes = local_moves(analysis.telling, analysis.fluents(part)).classes
        available = [
            legal[:, [game.batch.first_move[r] + m for m in members]].any(axis=1)
            for r, of_role in enumerate(classes)
            for members in of_role
        ]
        shown = pack(np.stack(available, axis=1))
    return [g for k, g in enumerate(different) if (shown[k] != shown[k + 1]).any()]


def learn(analysis: Analysis, proof: Proof) -> bool:
    """What refuted claims say that recorded play did not show; True if there is anything new."""
    if _all_of(_learn, analysis, [c for c in proof.refuted() if c.part < 0]):
        return True
    new = _join_waiting(analysis, proof) | _show_moves(analysis, proof) | _swap_parts(analysis, proof)
    return (
        new
        or _all_of(_learn, analysis, [c for c in proof.refuted() if c.name in CONDITIONS])
        or _look_further(analysis, proof)
        or _all_of(_join_tied, analysis, [c for c in proof.refuted() if c.name == FREE_CHOICE])
    )


def _learn(analysis: Analysis, claim: Claim) -> bool:
    """Dependencies that show on the way between the two states of a model. Claims about the context are so simple that
    any counterexample is worth looking at; of the others only what differs in values that play has shown."""
    if claim.model is None:
        return False
    states, joint = claim.model.states.copy(), claim.model.joint.astype(np.int32)
    if claim.part < 0:
        return _explain(analysis, [v for g in analysis.context for v in g], pack(states), joint)
    for variable in analysis.variables:
        fluents = list(variable.fluents)
        if not all((analysis.sample.bits[:, fluents] == value).all(axis=1).any() for value in states[:, fluents]):
            states[1, fluents] = states[0, fluents]
    return _explain(analysis, analysis.groups[claim.part], pack(states), joint)


def _explain(analysis: Analysis, target: Sequence[int], states: Rows, joint: NDArray[np.int32] | None) -> bool:
    """Walk from one state to the other, one variable at a time, and note where what can become of the target changes.

    The target's own variables are left alone. True if a new dependency was found.
    """
    inside = set(target)
    bits = unpack(states, len(analysis.game.fluents))
    steps, changed = [bits[0]], []
    for v, variable in enumerate(analysis.variables):
        f = list(variable.fluents)
        if v not in inside and (steps[-1][f] != bits[1][f]).any():
            step = steps[-1].copy()
            step[f] = bits[1][f]
            steps.append(step)
            changed.append(v)
    if not changed:
        return False
    return analysis.dependencies.along(pack(np.stack(steps)), changed, target, joint)


def _join_waiting(analysis: Analysis, proof: Proof) -> bool:
    """If the context need not run by itself, what was put into it though it waits for others is joined with those. True
    if there is such a thing. What comes of it counts if it can be proved."""
    if not any(claim.part < 0 for claim in proof.refuted()):
        return False
    inside = set(analysis.dependent)
    waiting = [g for g in analysis.context if not inside.isdisjoint(g)]
    owner = {f: v for g in analysis.groups for v in g for f in analysis.variables[v].fluents}
    for component in waiting:
        causes = [u for u, v in analysis.dependencies.edges if v in component and u in inside]
        causes = causes or [
            owner[f] for f in read_by(analysis.game, analysis.fluents(component)).tolist() if f in owner
        ]
        why = "it was not proved to run by itself, and its rules wait for these"
        analysis.joined.append(Bond((*component, *causes), "refuted", why))
    return bool(waiting)


def _swap_parts(analysis: Analysis, proof: Proof) -> bool:
    """Exchanges of the solver that break the score are known from now on. True if there are any.

    If the partition is one that such exchanges broke before, what the score needs together there is joined.
    """
    found = [c.exchange for c in proof.refuted() if c.exchange is not None]
    if not found:
        return False
    if analysis.groups not in analysis.exchanged:
        analysis.exchanged.append(analysis.groups)
        analysis.exchanges += found
        return True
    parts, why = analysis.parts(analysis.groups), "a score breaks where states that the proof came upon swap them"
    ties = [tie for e in found for tie in tie_by_exchange(analysis.game, parts, e.question, e.states, e.mask)]
    analysis.joined += [Bond(tuple(v for k in tie for v in analysis.groups[k]), "refuted", why) for tie in ties]
    return bool(ties)


def _show_moves(analysis: Analysis, proof: Proof) -> bool:
    """Where a part goes on differently after moves that should be one there, the states of the solver tell them apart
    from now on. True if there are any. No play need ever get there, so that what comes of it counts if it can be
    proved."""
    new = False
    for claim in proof.refuted():
        if claim.name == "transition" and claim.model is not None:
            states, joint = pack(claim.model.states), claim.model.joint.astype(np.int32)
            if _exchange_matters(analysis, claim.part, states, joint) and not analysis.telling.has(states, joint):
                analysis.refuted = analysis.telling.with_states(states, joint)
                new = True
    return new


def _exchange_matters(analysis: Analysis, part: int, states: Rows, joint: NDArray[np.int32]) -> bool:
    """Whether a part goes on differently from one of two states if a role makes its move of the other state there;
    otherwise it is the states that make the difference, not the moves."""
    mask = mask_of(analysis.game, analysis.fluents(analysis.groups[part]))
    after = analysis.game.batch.next(states, joint) & mask
    for r in np.flatnonzero(joint[0] != joint[1]).tolist():
        exchanged = joint.copy()
        exchanged[:, r] = joint[::-1, r]
        if ((analysis.game.batch.next(states, exchanged) & mask) != after).any():
            return True
    return False


def _join_tied(analysis: Analysis, claim: Claim) -> bool:
    """Join parts between which a role cannot choose in a state of the solver. True if there are any. Where stages that
    open the parts are as no play showed them, nothing follows."""
    if claim.model is None:
        return False
    role, game = claim.part, analysis.game
    state = pack(claim.model.states[:1])
    low, high = game.batch.first_move[role : role + 2].tolist()
    legal = np.flatnonzero(game.batch.legal(state)[0, low:high])
    locals_ = [local_moves(analysis.telling, part) for part in analysis.parts(analysis.groups)]
    tied = tied_parts(np.stack([local.number[role][legal] for local in locals_], axis=1))
    why = f"{game.roles[role]} cannot choose between them in a state that the proof came upon"
    new = False
    for group in tied:
        before = set().union(*(ancestors(analysis.after, k) for k in group)).difference(group)
        mask = mask_of(game, [f for k in before for f in analysis.fluents(analysis.groups[k])])
        if not ((analysis.sample.states ^ state) & mask).any(axis=1).all():
            nodes = tuple(v for k in group for v in analysis.groups[k])
            analysis.joined.append(Bond(nodes, "refuted", why, state[0]))
            new = True
    return new


def _look_further(analysis: Analysis, proof: Proof) -> bool:
    """Look for dependencies of some parts on values that no play showed: a proof that fails may fail on them, and with
    reason. True if there are any. What is then found counts if it can be proved."""
    rng = np.random.default_rng(1)
    edges = analysis.dependencies
    new = False
    for k in [c.part for c in proof.refuted() if c.name in CONDITIONS]:
        into = set(analysis.groups[k])
        waiting = [v for v in analysis.dependent if v not in into]
        while waiting and not analysis.effort.over():
            sources, waiting = waiting[: edges.at_once], waiting[edges.at_once :]
            new |= any(edges.look(sources, rng, seen=False, into=into))
            for v in sources:
                new |= edges.look_plainly(v, rng, into)
    return new
