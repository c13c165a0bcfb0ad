"""The rules by which the method ``exact`` joins variables to parts; ``exact.partition`` takes them in order.

Nothing here is proved: what comes out is a proposal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ludisect.decomposition.evidence.freechoice import ChoiceTie, tie_by_choice
from ludisect.decomposition.evidence.goals import tie_by_goals
from ludisect.decomposition.exact.analysis import Analysis
from ludisect.decomposition.exact.opening import Openings
from ludisect.decomposition.exact.rarestates import hanging_on
from ludisect.decomposition.exact.reasons import choice_bond, goal_bond, rules_bond
from ludisect.decomposition.exact.ruleform import read_by, tied_by_rules
from ludisect.decomposition.exact.useful import lifelines, that_matter, unread_parts, useless_parts
from ludisect.decomposition.limits import DecompositionLimits
from ludisect.decomposition.model.blocks import in_order, merge
from ludisect.decomposition.model.dependency import Bond
from ludisect.gdl.digraph import components as strong_components
from ludisect.gdl.digraph import leading_to

TOO_LATE = "the budget ran out before they were told apart"


def together(groups: Sequence[Sequence[int]], blocks: Iterable[Iterable[int]]) -> list[list[int]]:
    """One group for each block of groups."""
    return [sorted(v for k in block for v in groups[k]) for block in blocks]


def openings(analysis: Analysis, groups: Sequence[Sequence[int]]) -> Openings:
    """Which groups are stages that others open."""
    return Openings(analysis.sample, analysis.dependencies, analysis.parts(groups), groups)


def sort_out(analysis: Analysis) -> None:
    """Tell action-dependent variables (a choice, or what follows from one) from the context, and from variables that
    were never seen to change."""
    choice = -1  # stands for all that roles choose
    reads: dict[int, list[int]] = {v: [choice] for v in (*analysis.chosen, *analysis.loose)}
    for u, v in analysis.dependencies.edges:
        reads.setdefault(v, []).append(u)
    dependent = leading_to(reads, [choice]) - {choice}
    unseen = set(analysis.unseen) - dependent
    context = [v for v in range(len(analysis.variables)) if v not in dependent and v not in unseen]
    place = {v: k for k, v in enumerate(context)}
    links = [[place[u], place[v]] for u, v in analysis.dependencies.edges if u in place and v in place]
    analysis.context = [[context[k] for k in block] for block in merge(links, len(context))]
    analysis.dependent = sorted(dependent)


def tie_loose(analysis: Analysis, groups: list[list[int]]) -> list[list[int]]:
    """Variables that follow the play though no dependency of theirs was found, but on each other at most, go where
    their rules read most: a counter and its lock, which only a rare state of the play stops."""
    reads: dict[int, list[int]] = {v: [] for v in analysis.dependent}
    for u, v in analysis.dependencies.edges:
        if u in reads and v in reads:
            reads[v].append(u)
    steered = leading_to(reads, analysis.chosen)
    adrift = set(analysis.loose) - steered
    circles = strong_components({v: adrift.intersection(reads[v]) for v in sorted(adrift)})
    loose = {v for c in circles if all(adrift.intersection(reads[u]) <= set(c) for u in c) for v in c}
    alone = [k for k, g in enumerate(groups) if loose.issuperset(g)]
    owner = _owners(analysis, set(range(len(groups))) - set(alone), groups)
    links = []
    for k in alone:
        read = read_by(analysis.game, analysis.fluents(groups[k]))
        ties = owner[read]
        if (ties >= 0).any():
            links.append([k, int(np.bincount(ties[ties >= 0]).argmax())])
            analysis.bonds.append(rules_bond(analysis, groups[k][0], read, groups[links[-1][1]]))
    return together(groups, merge(links, len(groups)))


def tie_forced(analysis: Analysis, groups: list[list[int]], branches: Sequence[bool]) -> list[list[int]]:
    """Groups in which nobody has a choice go with all that their rules tie them to: plays in turn tell too little."""
    owner = {v: k for k, g in enumerate(groups) for v in g}
    inside = sorted(owner)
    blocks = tied_by_rules(analysis.game, [analysis.variables[v] for v in inside])
    tied = [sorted({owner[inside[i]] for i in block}) for block in blocks]
    links = [block for block in tied if not all(branches[k] for k in block)]
    why = "nobody has a choice there, and the rules tie them"
    analysis.bonds += [Bond(tuple(v for k in b for v in groups[k]), "rules", why) for b in links if len(b) > 1]
    return together(groups, merge(links, len(groups)))


def by_dependencies_and_choice(
    analysis: Analysis, groups: list[list[int]], *, patient: bool = False
) -> list[list[int]]:
    """Join what depends on each other, and what no role can choose one by one, until nothing changes."""
    while True:
        count = len(groups)
        groups = _by_dependencies(analysis, groups)
        looked_at = patient, tuple(map(tuple, groups))
        if looked_at in analysis.free:
            return groups
        ties: list[ChoiceTie] = []
        blocks = tie_by_choice(analysis.sample, analysis.parts(groups), analysis.effort, ties, patient=patient)
        analysis.bonds += [choice_bond(analysis, groups, tie) for tie in ties]
        if analysis.effort.over() and len(blocks) == 1 < len(groups):
            analysis.bonds.append(Bond(tuple(g[0] for g in groups), "limit", TOO_LATE))
        if len(blocks) == len(groups):
            analysis.free.add(looked_at)
        groups = together(groups, blocks)
        if len(groups) == count:
            return groups


def _by_dependencies(analysis: Analysis, groups: list[list[int]]) -> list[list[int]]:
    """Join what depends on each other, and one-way dependencies that are not stages of a serial game."""
    while True:
        owner = {v: k for k, g in enumerate(groups) for v in g}
        graph: dict[int, dict[int, None]] = {k: {} for k in range(len(groups))}  # in the order of the dependencies
        for u, v in analysis.dependencies.edges:
            if u in owner and v in owner and owner[u] != owner[v]:
                graph[owner[u]][owner[v]] = None
        blocks = [sorted(c) for c in strong_components(graph)]
        if len(blocks) < len(groups):
            groups = together(groups, blocks)
            continue
        stages = openings(analysis, groups)
        joined = stages.not_stages([(a, b) for a, following in graph.items() for b in following])
        if not joined:
            return groups
        groups = together(groups, merge(joined, len(groups)))


def by_goals(analysis: Analysis, groups: list[list[int]]) -> list[list[int]]:
    """Join what the score needs together."""
    while len(groups) > 1:
        if analysis.effort.over():
            analysis.bonds.append(Bond(tuple(g[0] for g in groups), "limit", TOO_LATE))
            return [sorted(v for g in groups for v in g)]
        verdict = tie_by_goals(
            analysis.game,
            analysis.sample,
            analysis.parts(groups),
            wins=analysis.wins,
            given=analysis.exchanges,
            effort=analysis.effort,
        )
        if len(verdict.groups) == len(groups):
            break
        analysis.bonds += [goal_bond(analysis, groups, tie) for tie in verdict.ties]
        groups = together(groups, verdict.groups)
        groups = by_dependencies_and_choice(analysis, groups, patient=True)
    return groups


def by_everything(analysis: Analysis, groups: list[list[int]]) -> list[list[int]]:
    """Join by dependencies, free choice and goals, what is certain first."""
    while True:
        count = len(groups)
        groups = by_goals(analysis, by_dependencies_and_choice(analysis, groups, patient=True))
        groups = by_dependencies_and_choice(analysis, groups)
        if len(groups) == count:
            return groups


def look_for_causes(analysis: Analysis, groups: list[list[int]]) -> bool:
    """Groups that stayed alone where others were joined may be in no cause that was found (a cell of a large board):
    let the solver find states in which a score hangs on them, where the rules of the score read them; they are added to
    the wins. True if there are any."""
    limits = DecompositionLimits.current()
    read = analysis.game.circuit.support(analysis.game.circuit.goal) - 1
    parts = [analysis.fluents(g) for g in groups if not analysis.asked.issuperset(g)]
    parts = [p for p in parts if np.isin(read, p).any()][: limits.partition_asked]
    analysis.asked.update(v for g in groups for v in g)
    if not parts:
        return False
    effort = analysis.effort.rest().part(limits.partition_share).within(limits.partition_work)
    found = [x for x in hanging_on(analysis.game, analysis.invariants, parts, effort) if not isinstance(x, bool)]
    analysis.wins = np.concatenate([analysis.wins, *found])
    return len(found) > 0


def useless(analysis: Analysis, stages: Openings) -> frozenset[int]:
    """The parts (places of groups) that reach no score, no end and no start of a useful part."""
    game, limits, parts = analysis.game, DecompositionLimits.current(), analysis.parts(analysis.groups)
    unread = unread_parts(game, parts)
    shown = that_matter(game, np.concatenate([analysis.sample.last, analysis.sample.states, analysis.wins]), parts)
    doubtful = [k for k in range(len(parts)) if k not in unread and k not in shown][: limits.partition_asked]
    if doubtful:
        effort = analysis.effort.rest().part(limits.partition_share).within(limits.partition_work)
        asked = hanging_on(game, analysis.invariants, [parts[k] for k in doubtful], effort, ends=True)
        unread |= {k for k, found in zip(doubtful, asked, strict=True) if found is False}
    return useless_parts(unread, len(parts), stages.reads)


def by_lifelines(analysis: Analysis, groups: list[list[int]]) -> list[list[int]]:
    """Join what nobody reads, but spares a losing move, with that in which it does so."""
    saved = lifelines(analysis.game, analysis.sample, analysis.parts(groups))
    why = "nobody reads it, but a move there spares a move that loses"
    analysis.bonds += [Bond(tuple(groups[k][0] for k in block), "spared", why) for block in saved]
    return together(groups, merge(saved, len(groups)))


def place_unseen(analysis: Analysis, groups: list[list[int]]) -> list[list[int]]:
    """Variables that never changed, though nobody proved that they cannot, go where the rules tie them, if anywhere."""
    owner = _owners(analysis, range(len(groups)), groups)
    inside = set(analysis.dependent)
    analysis.lost = [v for v in analysis.unseen if v not in inside]
    read = {v: read_by(analysis.game, analysis.variables[v].fluents) for v in analysis.lost}
    placed = True
    while placed:  # what was placed may be what another reads
        waiting, analysis.lost = analysis.lost, []
        for v in waiting:
            ties = owner[read[v]]
            if (ties >= 0).any():
                k = int(np.bincount(ties[ties >= 0]).argmax())
                analysis.bonds.append(rules_bond(analysis, v, read[v], groups[k]))
                groups[k].append(v)
                owner[list(analysis.variables[v].fluents)] = k
            else:
                analysis.lost.append(v)
        placed = len(analysis.lost) < len(waiting)
    return [sorted(g) for g in groups]


def _owners(analysis: Analysis, wanted: Iterable[int], groups: Sequence[Sequence[int]]) -> NDArray[np.int64]:
    """Per fluent: the group that it is in, if that is wanted, or -1."""
    owner = np.full(len(analysis.game.fluents), -1)
    for k in wanted:
        owner[analysis.fluents(groups[k])] = k
    return owner


def in_order_of_play(analysis: Analysis, groups: list[list[int]]) -> list[list[int]]:
    """Stages after those that open them, otherwise by their first fluent."""
    groups = sorted(groups, key=lambda g: analysis.variables[g[0]].fluents[0])
    after = openings(analysis, groups).order()
    return [groups[k] for k in in_order(after, len(groups))]
