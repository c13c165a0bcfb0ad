"""The partition of the method ``exact`` so far, and the rules that join variables: dependencies, free choice, goals.

Nothing here is proved: what comes out is a proposal (see ``exact``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ludisect import clock
from ludisect.circuit.batch import Rows
from ludisect.circuit.game import Game
from ludisect.decomposition.evidence.freechoice import tie_by_choice
from ludisect.decomposition.evidence.goals import tie_by_goals
from ludisect.decomposition.evidence.invariants import Invariants
from ludisect.decomposition.evidence.sample import Sample
from ludisect.decomposition.exact.context import closed_context
from ludisect.decomposition.exact.dependencies import Dependencies, with_choice
from ludisect.decomposition.exact.opening import Openings
from ludisect.decomposition.exact.rarestates import pivotal_states
from ludisect.decomposition.exact.ruleform import read_by, tied_by_rules
from ludisect.decomposition.exact.useful import lifelines, useless_parts
from ludisect.decomposition.exact.variables import FluentGroup, unchanging
from ludisect.decomposition.model.assemble import Found
from ludisect.decomposition.model.blocks import in_order, merge
from ludisect.decomposition.model.dependency import DependencyGraph, Edge, Node
from ludisect.decomposition.model.names import patterns
from ludisect.gdl.graph import components as strong_components
from ludisect.gdl.graph import leading_to

FLIP_STATES = 64
"""States in which a variable is given other values."""

MUCH = 2e10
"""If looking for dependencies takes more evaluations of gates than that, free choice is looked at first."""

HUGE = 800
"""With more, the rules alone say what belongs together: coarse, but there at once."""

MOST_ASKED = 32
"""Parts for which the solver looks for scores that hang on them."""

LATE = "time ran out before every dependency was looked for: parts may be too coarse"


@dataclass(slots=True)
class Analysis:
    """The state of the method: its sample, variables, dependencies and the partition so far."""

    game: Game
    sample: Sample
    variables: list[FluentGroup]
    invariants: Invariants
    dependencies: Dependencies
    wins: Rows
    """States that satisfy the invariants, and score more than any play did or hang on parts as no play showed."""
    deadline: float
    """Of ``clock``; what is not told apart by then is joined."""
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
    refuted: Sample | None = None
    """The sample and states of the solver in which moves did not do what their classes say."""
    notes: list[str] = field(default_factory=list)

    @property
    def telling(self) -> Sample:
        """The states that tell what moves do."""
        return self.refuted or self.sample

    def add(self, states: Rows, joint: NDArray[np.int32]) -> None:
        """Put states that play can reach into the sample."""
        self.sample = self.sample.with_states(states, joint)
        if self.refuted is not None:
            self.refuted = self.refuted.with_states(states, joint)
        self.dependencies.look_at(self.sample)

    def fluents(self, variables: Sequence[int]) -> list[int]:
        """The fluents of some variables."""
        return [f for v in variables for f in self.variables[v].fluents]


def look_around(it: Analysis, rng: np.random.Generator) -> None:
    """Find who depends on whom: what runs by itself by induction, the rest by giving variables other values."""
    seconds = max(1.0, it.deadline - clock.now())
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
        if clock.now() > it.deadline:
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
    reads: dict[int, list[int]] = {v: [choice] for v in (*it.chosen, *it.loose)}
    for u, v in it.dependencies.edges:
        reads.setdefault(v, []).append(u)
    dependent = leading_to(reads, [choice]) - {choice}
    unseen = set(it.unseen) - dependent
    context = [v for v in range(len(it.variables)) if v not in dependent and v not in unseen]
    place = {v: k for k, v in enumerate(context)}
    links = [[place[u], place[v]] for u, v in it.dependencies.edges if u in place and v in place]
    it.context = [[context[k] for k in block] for block in merge(links, len(context))]
    it.dependent = sorted(dependent)


def partition(it: Analysis) -> None:
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
    branches = Openings(it.sample, it.dependencies, [it.fluents(g) for g in groups], groups).branches
    it.context += [g for g, steered in zip(groups, branches, strict=True) if not steered]
    groups = [g for g, steered in zip(groups, branches, strict=True) if steered]
    it.groups = _in_order_of_play(it, groups)
    if clock.now() > it.deadline and LATE not in it.notes:
        it.notes.append(LATE)
    parts = [it.fluents(g) for g in it.groups]
    it.after = Openings(it.sample, it.dependencies, parts, it.groups).order()
    it.useless = useless_parts(it.game, parts, it.after)


def _by_goals(it: Analysis, groups: list[list[int]]) -> list[list[int]]:
    """Join what the score needs together."""
    while len(groups) > 1:
        if clock.now() > it.deadline:
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
    left = it.deadline - clock.now()
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
    after = Openings(it.sample, it.dependencies, [it.fluents(g) for g in groups], groups).order()
    return [groups[k] for k in in_order(after, len(groups))]


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
        graph: dict[int, dict[int, None]] = {k: {} for k in range(len(groups))}  # in the order of the dependencies
        for u, v in it.dependencies.edges:
            if u in owner and v in owner and owner[u] != owner[v]:
                graph[owner[u]][owner[v]] = None
        blocks = [sorted(c) for c in strong_components(graph)]
        if len(blocks) < len(groups):
            groups = [sorted(v for k in block for v in groups[k]) for block in blocks]
            continue
        stages = Openings(it.sample, it.dependencies, [it.fluents(g) for g in groups], groups)
        joined = stages.not_stages([(a, b) for a, following in graph.items() for b in following])
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
