"""The method ``exact``: variables, dependencies with witnesses, free choice, stages, goals; then proofs.

Everything is stated on what roles can bring about in variables (see ``outcomes``), never on names of moves, so that
compound moves, noops and disguised rules need no treatment of their own. Sampling proposes a partition, the solver
tries to refute it, every refutation is a state to add to the sample, until the partition is proved or time is up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from time import monotonic

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.batch import Rows, pack, unpack
from ludisect.circuit.game import Game
from ludisect.circuit.record import Transitions
from ludisect.decompose.choice import tie_by_choice
from ludisect.decompose.common import Found, assemble, constants
from ludisect.decompose.context import closed_context
from ludisect.decompose.goals import tie_by_goals
from ludisect.decompose.graph import DependencyGraph, Edge, Node, merge
from ludisect.decompose.induction import Invariants
from ludisect.decompose.localmoves import local_moves, mask_of
from ludisect.decompose.model import Decomposition
from ludisect.decompose.outcomes import Dependencies, with_choice
from ludisect.decompose.patterns import patterns
from ludisect.decompose.proof import Claim, Proof, prove_parts
from ludisect.decompose.sample import Sample
from ludisect.decompose.stages import Stages
from ludisect.decompose.structure import read_by, structurally_closed, tied_by_rules
from ludisect.decompose.useful import lifelines, useless_parts
from ludisect.decompose.variables import Variable, find_invariants, unchanging, variables_of
from ludisect.decompose.verify import Check, Violation
from ludisect.decompose.wins import pivotal_states, winning_states

FLIP_STATES = 64
"""States in which a variable is given other values."""

MUCH = 2e10
"""If looking for dependencies takes more evaluations of gates than that, free choice is looked at first."""

HUGE = 800
"""With more, the rules alone say what belongs together: coarse, but there at once."""

MOST_ASKED = 32
"""Parts for which the solver looks for scores that hang on them."""

ROUNDS = 12
"""Refutations that are worked in before the partition is reported as it is."""


LATE = "time ran out before every dependency was looked for: parts may be too coarse"


@dataclass(slots=True)
class Analysis:
    """The state of the method: its sample, variables, dependencies and the partition so far."""

    game: Game
    sample: Sample
    variables: list[Variable]
    invariants: Invariants
    dependencies: Dependencies
    wins: Rows
    """States that satisfy the invariants, and score more than any play did or hang on parts as no play showed."""
    deadline: float
    """Of the monotonic clock; what is not told apart by then is joined."""
    chosen: list[int] = field(default_factory=list)
    """Indices of variables of which some role can choose the next value."""
    loose: list[int] = field(default_factory=list)
    """Variables that do not run by themselves, though nobody was seen to steer them."""
    dependent: list[int] = field(default_factory=list)
    """Indices of action-dependent variables."""
    unseen: list[int] = field(default_factory=list)
    """Variables that were never seen to change, though nobody proved that they cannot."""
    lost: list[int] = field(default_factory=list)
    """Of those, the ones that no rule ties to a part."""
    asked: set[int] = field(default_factory=set)
    """Variables that the solver was asked about as to the score."""
    joined: list[list[int]] = field(default_factory=list)
    """Variables that a refutation showed to belong together."""
    groups: list[list[int]] = field(default_factory=list)
    """The partition of ``dependent``."""
    after: dict[int, set[int]] = field(default_factory=dict)
    context: list[list[int]] = field(default_factory=list)
    useless: frozenset[int] = frozenset()
    notes: list[str] = field(default_factory=list)

    def fluents(self, variables: Sequence[int]) -> list[int]:
        """The fluents of some variables."""
        return [f for v in variables for f in self.variables[v].fluents]


def analyse(game: Game, sample: Sample, *, seconds: float = 60.0, seed: int = 0) -> Analysis:
    """Propose a partition from the sample."""
    deadline = monotonic() + seconds
    free = np.flatnonzero(~constants(game)).tolist()
    invariants = find_invariants(game, sample, free, seconds=max(1.0, seconds / 6))
    variables = variables_of(invariants, free)
    wins = winning_states(game, sample, invariants, seconds=max(1.0, seconds / 8))
    out = Analysis(game, sample, variables, invariants, Dependencies(sample, variables), wins, deadline)
    _look_around(out, np.random.default_rng(seed))
    _partition(out)
    return out


def refine(it: Analysis, transitions: Transitions, *, seconds: float = 60.0) -> tuple[Decomposition, Proof | None]:
    """Let recorded transitions and the solver refute the partition, and mend it, until neither can.

    With a proof, complete or not, the decomposition has passed the check on the transitions; without one it has not.
    """
    it.deadline = deadline = monotonic() + seconds
    tested: tuple[Decomposition, Proof] | None = None
    for _ in range(ROUNDS):
        parts = assemble(it.game, found_of(it), "exact", it.sample)
        violation = Check(parts, it.sample, transitions, wins=it.wins).violation()
        if violation is None:
            proof = _prove(it, max(1.0, deadline - monotonic()))
            if proof.complete:
                return parts, proof
            learned = [_learn(it, claim) for claim in proof.refuted()]
            if any(learned):
                if monotonic() > deadline:
                    return parts, proof
            else:
                tested = tested or (parts, proof)
                if not _look_further(it, [c.part for c in proof.refuted() if c.name in ("transition", "availability")]):
                    break
        elif not _mend(it, violation):
            break
        if monotonic() > deadline:
            break
        _partition(it)
    return tested or _as_one(it)


def coarse(game: Game, sample: Sample) -> tuple[Decomposition, Proof]:
    """One part and a context of which the rules name neither a move nor anything outside it: there at once, and proved
    by the form of the rules."""
    invariants = Invariants()
    chosen = with_choice(sample)
    free = np.flatnonzero(~constants(game)).tolist()
    variables = [Variable((f,)) for f in free]
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


def _look_further(it: Analysis, refuted: Sequence[int]) -> bool:
    """Look for dependencies of some parts on values that no play showed, and move by move: a proof that fails may fail
    on them, and with reason. True if there are any. What is then found counts if it can be proved.
    """
    rng = np.random.default_rng(1)
    edges = it.dependencies
    new = False
    for k in refuted:
        into = set(it.groups[k])
        waiting = [v for v in it.dependent if v not in into]
        while waiting and monotonic() <= it.deadline:
            sources, waiting = waiting[: edges.at_once], waiting[edges.at_once :]
            new |= any(edges.look(sources, rng, seen=False, into=into))
            for v in sources:
                new |= bool(edges.look_plainly(v, rng, into))
    return new


def _as_one(it: Analysis) -> tuple[Decomposition, None]:
    """All that depends on moves as one part: what is left if no partition passes the check."""
    it.notes.append("no finer partition passed the check: what depends on moves is taken as one part")
    it.joined.append(list(it.dependent))
    _partition(it)
    return assemble(it.game, found_of(it), "exact", it.sample), None


def _prove(it: Analysis, seconds: float) -> Proof:
    parts = [it.fluents(g) for g in it.groups]
    locals_ = [local_moves(it.game, it.sample, p) for p in parts]
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
        it.sample = it.sample.with_states(violation.states, joint)
        it.dependencies.look_at(it.sample)
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
        classes = local_moves(game, it.sample, it.fluents(part)).classes
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
    if claim.part >= 0 or claim.model is None or claim.name != "context":
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


def _look_around(it: Analysis, rng: np.random.Generator) -> None:
    """Find who depends on whom: what runs by itself by induction, the rest by giving variables other values."""
    seconds = max(1.0, it.deadline - monotonic())
    chosen = with_choice(it.sample)
    it.chosen = [i for i, v in enumerate(it.variables) if chosen[list(v.fluents)].any()]
    inside = set(it.chosen)
    rest = [i for i in range(len(it.variables)) if i not in inside]
    still = set(unchanging(it.game, it.sample, range(len(it.game.fluents))))
    it.unseen = [v for v in rest if all(f in still for f in it.variables[v].fluents)]
    unseen = set(it.unseen)
    context = closed_context(
        it.game,
        it.invariants,
        it.variables,
        rest,
        wanted=[v for v in rest if v not in unseen],
        visited=it.sample.states,
        seconds=max(1.0, seconds / 4),
    )
    by_itself = set(context)
    it.loose = [v for v in rest if v not in by_itself and v not in unseen]
    waiting = [*it.chosen, *it.loose]
    if len(waiting) > HUGE:
        it.notes.append("too many variables to look at each dependency: parts are as the rules tie them")
        blocks = tied_by_rules(it.game, [it.variables[v] for v in waiting])
        it.joined += [[waiting[k] for k in block] for block in blocks if len(block) > 1]
        waiting = []
    elif (
        len(waiting) * _work_per_variable(it.sample) > MUCH
        and len(tie_by_choice(it.sample, [it.variables[v].fluents for v in it.chosen], it.deadline)) == 1
    ):
        # looking for every dependency would take long, and is idle if one part is left anyway
        it.joined.append(list(it.chosen))
        waiting = []
    waiting += context
    n = len(it.sample.states)
    picked = np.arange(n) if n <= FLIP_STATES else np.sort(rng.choice(n, FLIP_STATES, replace=False))
    it.dependencies.stand_in(picked)
    several = it.dependencies.at_once
    while waiting:
        if monotonic() > it.deadline:
            it.joined.append(list(it.chosen))
            return
        sources, waiting = waiting[:several], waiting[several:]
        for u, new in zip(sources, it.dependencies.look(sources, rng), strict=True):
            if u not in by_itself:
                # what no play did, but something that moves steer can bring about, may have effects of its own
                waiting += sorted(new & unseen)
                unseen -= new


def _work_per_variable(sample: Sample) -> float:
    """Evaluations of gates that it takes to give a variable other values and make all moves."""
    moves = len(sample.pair_state) / max(1, len(sample.states))
    circuit = sample.game.circuit
    return FLIP_STATES * moves * (circuit.gates + circuit.n_inputs)


def _sort_out(it: Analysis) -> None:
    """Tell action-dependent variables (a choice, or what follows from one) from the context, and from variables that
    were never seen to change."""
    choice = -1  # stands for all that roles choose
    graph = nx.DiGraph([*it.dependencies.edges, *((choice, v) for v in (*it.chosen, *it.loose))])
    dependent = set(nx.descendants(graph, choice)) if choice in graph else set()
    unseen = set(it.unseen) - dependent
    context = [v for v in range(len(it.variables)) if v not in dependent and v not in unseen]
    place = {v: k for k, v in enumerate(context)}
    links = [[place[u], place[v]] for u, v in it.dependencies.edges if u in place and v in place]
    it.context = [[context[k] for k in block] for block in merge(links, len(context))]
    it.dependent = sorted(dependent)


def _partition(it: Analysis) -> None:
    """Join variables by dependencies, free choice and goals until nothing changes."""
    _sort_out(it)
    place = {v: k for k, v in enumerate(it.dependent)}
    blocks = merge([[place[v] for v in j if v in place] for j in it.joined], len(it.dependent))
    fine = _by_dependencies_and_choice(it, _tie_loose(it, [[it.dependent[k] for k in b] for b in blocks]))
    groups = _by_goals(it, fine)
    if 1 < len(groups) < len(fine) and _look_for_causes(it, [g for g in groups if g in fine]):
        groups = _by_goals(it, fine)
    saved = merge(lifelines(it.game, it.sample, [it.fluents(g) for g in groups]), len(groups))
    groups = [sorted(v for k in block for v in groups[k]) for block in saved]
    groups = _place_unseen(it, groups)
    branches = Stages(it.sample, it.dependencies, [it.fluents(g) for g in groups], groups).branches
    it.context += [g for g, steered in zip(groups, branches, strict=True) if not steered]
    groups = [g for g, steered in zip(groups, branches, strict=True) if steered]
    it.groups = _in_order_of_play(it, groups)
    if monotonic() > it.deadline and LATE not in it.notes:
        it.notes.append(LATE)
    parts = [it.fluents(g) for g in it.groups]
    it.after = Stages(it.sample, it.dependencies, parts, it.groups).order()
    it.useless = useless_parts(it.game, parts, it.after)


def _by_goals(it: Analysis, groups: list[list[int]]) -> list[list[int]]:
    """Join what the score needs together."""
    while len(groups) > 1:
        if monotonic() > it.deadline:
            return [sorted(v for g in groups for v in g)]
        verdict = tie_by_goals(it.game, it.sample, [it.fluents(g) for g in groups], wins=it.wins)
        if len(verdict.groups) == len(groups):
            break
        groups = [sorted(v for k in block for v in groups[k]) for block in verdict.groups]
        groups = _by_dependencies_and_choice(it, groups)
    return groups


def _look_for_causes(it: Analysis, groups: list[list[int]]) -> bool:
    """Groups that stayed alone where others were joined may be in no cause that was found (a cell of a large board):
    let the solver find states in which a score hangs on them, where the rules of the score read them; they are added to
    the wins. True if there are any."""
    read = it.game.circuit.support(it.game.circuit.goal) - 1
    parts = [it.fluents(g) for g in groups if not it.asked.issuperset(g)]
    parts = [p for p in parts if np.isin(read, p).any()][:MOST_ASKED]
    it.asked.update(v for g in groups for v in g)
    if not parts:
        return False
    left = it.deadline - monotonic()
    found = pivotal_states(it.game, it.invariants, parts, seconds=min(5.0, left / 4))
    it.wins = np.concatenate([it.wins, found])
    return len(found) > 0


def _tie_loose(it: Analysis, groups: list[list[int]]) -> list[list[int]]:
    """Variables that follow the play though no dependency of theirs was found go where their rules read most."""
    inside = set(it.dependent)
    steered = {v for u, v in it.dependencies.edges if u in inside}
    loose = {v for v in it.loose if v not in steered}
    alone = [k for k, g in enumerate(groups) if loose.issuperset(g)]
    owner = _owners(it, set(range(len(groups))) - set(alone), groups)
    links = []
    for k in alone:
        ties = owner[read_by(it.game, it.fluents(groups[k]))]
        if (ties >= 0).any():
            links.append([k, int(np.bincount(ties[ties >= 0]).argmax())])
    return [sorted(v for k in block for v in groups[k]) for block in merge(links, len(groups))]


def _in_order_of_play(it: Analysis, groups: list[list[int]]) -> list[list[int]]:
    """Stages after those that open them, otherwise by their first fluent."""
    groups = sorted(groups, key=lambda g: it.variables[g[0]].fluents[0])
    after = Stages(it.sample, it.dependencies, [it.fluents(g) for g in groups], groups).order()
    graph = nx.DiGraph([(a, b) for b, before in after.items() for a in before])
    graph.add_nodes_from(range(len(groups)))
    return [groups[k] for k in nx.lexicographical_topological_sort(graph)]


def _place_unseen(it: Analysis, groups: list[list[int]]) -> list[list[int]]:
    """Variables that never changed, though nobody proved that they cannot, go where the rules tie them, if anywhere."""
    owner = _owners(it, range(len(groups)), groups)
    inside = set(it.dependent)
    it.lost = [v for v in it.unseen if v not in inside]
    read = {v: read_by(it.game, it.variables[v].fluents) for v in it.lost}
    placed = True
    while placed:  # what was placed may be what another reads
        waiting, it.lost = it.lost, []
        for v in waiting:
            ties = owner[read[v]]
            if (ties >= 0).any():
                k = int(np.bincount(ties[ties >= 0]).argmax())
                groups[k].append(v)
                owner[list(it.variables[v].fluents)] = k
            else:
                it.lost.append(v)
        placed = len(it.lost) < len(waiting)
    return [sorted(g) for g in groups]


def _owners(it: Analysis, wanted: Iterable[int], groups: Sequence[Sequence[int]]) -> NDArray[np.int64]:
    """Per fluent: the group that it is in, if that is wanted, or -1."""
    owner = np.full(len(it.game.fluents), -1)
    for k in wanted:
        owner[it.fluents(groups[k])] = k
    return owner


def _by_dependencies_and_choice(it: Analysis, groups: list[list[int]]) -> list[list[int]]:
    while True:
        count = len(groups)
        groups = _by_dependencies(it, groups)
        parts = [it.fluents(g) for g in groups]
        blocks = tie_by_choice(it.sample, parts, it.deadline)
        groups = [sorted(v for k in block for v in groups[k]) for block in blocks]
        if len(groups) == count:
            return groups


def _by_dependencies(it: Analysis, groups: list[list[int]]) -> list[list[int]]:
    """Join what depends on each other, and one-way dependencies that are not stages of a serial game."""
    while True:
        owner = {v: k for k, g in enumerate(groups) for v in g}
        graph = nx.DiGraph()
        graph.add_nodes_from(range(len(groups)))
        graph.add_edges_from(
            (owner[u], owner[v]) for u, v in it.dependencies.edges if u in owner and v in owner and owner[u] != owner[v]
        )
        blocks = [sorted(c) for c in nx.strongly_connected_components(graph)]
        if len(blocks) < len(groups):
            groups = [sorted(v for k in block for v in groups[k]) for block in blocks]
            continue
        stages = Stages(it.sample, it.dependencies, [it.fluents(g) for g in groups], groups)
        joined = stages.not_stages(list(graph.edges))
        if not joined:
            return groups
        groups = [sorted(v for k in block for v in groups[k]) for block in merge(joined, len(groups))]


def found_of(it: Analysis) -> Found:
    """The analysis as the finding of a method."""
    return Found(
        groups=tuple(tuple(it.fluents(g)) for g in it.groups),
        independent=tuple(tuple(it.fluents(g)) for g in it.context),
        after={k: tuple(sorted(v)) for k, v in it.after.items()},
        useless=it.useless,
        constant=it.invariants.constant,
        unseen=tuple(it.fluents(it.lost)),
        notes=tuple(it.notes),
        graph=_graph(it),
    )


def _graph(it: Analysis) -> DependencyGraph:
    """Variables and their dependencies, each with its witness in words."""
    graph = DependencyGraph()
    for variable in it.variables:
        graph.nodes.append(Node(" ".join(patterns(it.game, variable.fluents)), variable.fluents))
    for (u, v), witness in it.dependencies.edges.items():
        fluent = it.game.fluents[witness.fluent]
        who = it.game.roles[witness.role] if witness.role < len(it.game.roles) else "all together"
        why = f"what {who} can do to {fluent} changes"
        graph.edges.append(Edge(u, v, "dependency", 1.0, why))
    return graph
