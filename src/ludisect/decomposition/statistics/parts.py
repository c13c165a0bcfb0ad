"""From ties to parts: components of the dependency graph, then what the score joins or parts (§4.6, §4.7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.decomposition.evidence.freechoice import tie_by_choice
from ludisect.decomposition.evidence.sample import Sample
from ludisect.decomposition.exact.useful import useless_parts
from ludisect.decomposition.limits import DecompositionLimits
from ludisect.decomposition.model.assemble import Found
from ludisect.decomposition.model.blocks import merge
from ludisect.decomposition.model.dependency import Bond, BondKind, DependencyGraph, Edge, Node
from ludisect.decomposition.statistics.availability import join_by_availability
from ludisect.decomposition.statistics.conditions import Conditions
from ludisect.decomposition.statistics.crosspoints import CausalGraph, Crosspoint
from ludisect.decomposition.statistics.effects import MoveEffects
from ludisect.decomposition.statistics.metaactions import MetaAction
from ludisect.decomposition.statistics.timing import Timing


@dataclass(frozen=True, slots=True, eq=False)
class Ties:
    """All that is known about who changes and conditions what."""

    game: Game
    changed: NDArray[np.bool_]
    effects: MoveEffects
    actions: Sequence[MetaAction]
    legal_premises: NDArray[np.bool_]
    made: NDArray[np.bool_]
    by_itself: Sequence[tuple[int, int]]
    crosspoints: Sequence[Crosspoint]
    graph: CausalGraph
    conditions: Conditions
    variables: Sequence[tuple[int, ...]]
    sample: Sample
    timing: Timing
    limits: DecompositionLimits


@dataclass(frozen=True, slots=True)
class Premise:
    """``fluent`` brings ``change`` about; ``serial`` if it belongs to an earlier stage."""

    fluent: int
    change: int
    serial: bool


def premises(ties: Ties, cut: set[int]) -> list[Premise]:
    """What brings about the changes that happen by themselves, crosspoints left out."""
    of_change: dict[int, dict[int, None]] = {}
    for literal, change in ties.by_itself:
        f = literal // 2
        if ties.changed[f] and f not in cut:
            of_change.setdefault(change, {})[f] = None
    own = {f: set(values) for values in ties.variables for f in values}
    out: list[Premise] = []
    for change, found in of_change.items():
        fluents = list(found)
        over = dict(zip(fluents, ties.timing.over_at(change, fluents, ties.limits.psi).tolist(), strict=True))
        # what has only conditions of an earlier stage is that stage's last word: a lock, a flag that it is over
        siblings = own.get(change // 2, set())
        live = any(not over[f] and (f in siblings or not ties.effects.independent[f]) for f in fluents)
        out += [Premise(f, change, live and over[f]) for f in fluents]
    return out


def context_of(ties: Ties, reads: Sequence[Premise]) -> set[int]:
    """Fluents that change by themselves and read only such fluents; conditions of an earlier stage do not count."""
    free = set(np.flatnonzero(ties.effects.independent).tolist())
    needs: dict[int, set[int]] = {f: set() for f in free}
    for p in reads:
        if p.change // 2 in free and not p.serial:
            needs[p.change // 2].add(p.fluent)
    for values in ties.variables:
        for f in free.intersection(values):
            needs[f] |= {v for v in values if ties.changed[v]}
    while True:
        bound = {f for f in free if not needs[f] <= free}
        if not bound:
            return free
        free -= bound


def dependency_graph(ties: Ties, context: set[int], cut: set[int], reads: Sequence[Premise]) -> DependencyGraph:
    """Nodes: every fluent that changes, then every meta-action; weights as in §4.6."""
    game = ties.game
    roles = np.repeat(np.arange(len(game.roles)), [len(m) for m in game.moves])
    strength = ties.effects.strength
    graph = DependencyGraph([Node(str(f), (i,)) for i, f in enumerate(game.fluents)])
    for action in ties.actions:
        members = action.members()
        node = len(graph.nodes)
        moves = tuple((int(roles[m]), int(m - game.batch.first_move[roles[m]])) for m in members)
        first = game.moves[moves[0][0]][moves[0][1]]
        graph.nodes.append(Node(str(first) + (f" +{len(moves) - 1}" if len(moves) > 1 else ""), (), moves))
        changes = sorted(action.effects)
        table = strength[np.ix_(members, changes)]
        # moves that no play made do not count against the weight
        weights = table.sum(axis=0) / np.maximum(1, (table > 0).sum(axis=0))
        graph.edges += [
            Edge(node, c // 2, "negative" if c % 2 else "positive", w)
            for c, w in zip(changes, weights.tolist(), strict=True)
        ]
        needed = sorted({x // 2 for x in action.next | action.legal})
        needed = [f for f in needed if f not in context and f not in cut and ties.changed[f]]
        over = ties.timing.over_for(members, needed, ties.limits.psi)
        graph.edges += [
            Edge(f, node, "serial" if past else "precondition") for f, past in zip(needed, over.tolist(), strict=True)
        ]
    for p in reads:
        t = p.change // 2
        if p.fluent not in context or t in context:
            graph.edges.append(Edge(p.fluent, t, "serial" if p.serial else "dependency"))
    for values in ties.variables:
        mine = [f for f in values if ties.changed[f]]
        graph.edges += [Edge(mine[0], f, "dependency", why="values of one variable") for f in mine[1:]]
    return graph


def _parts(graph: DependencyGraph, ties: Ties, min_weight: float) -> list[set[int]]:
    """Components as sets of fluents, those without a fluent that changes left out."""
    changed = set(np.flatnonzero(ties.changed).tolist())
    found = (changed.intersection(c) for c in graph.components(ignore=["serial"], min_weight=min_weight))
    return sorted((fluents for fluents in found if fluents), key=min)


def parts(ties: Ties) -> Found:
    """Components, merged or split by subgoals and victory conditions."""
    cut = {x // 2 for c in ties.crosspoints for x in c.literals}
    reads = premises(ties, cut)
    context = context_of(ties, reads)
    graph = dependency_graph(ties, context, cut, reads)
    parts = _parts(graph, ties, 0.0)
    independent = [p for p in parts if p <= context]
    dependent = [p for p in parts if not p <= context]
    if len(dependent) > 1:
        dependent = _merge_by_conditions(dependent, ties, graph)
        strict = ties.sample.n_roles > 1
        blocks = tie_by_choice(ties.sample, [sorted(p) for p in dependent], strict=strict)
        dependent = _joined(dependent, blocks, graph, "choice", "no role can choose one by one what becomes of them")
        dependent = _join_by_availability(ties, dependent, context | cut, graph)
    else:
        dependent = _split_by_victory(dependent, graph, ties, context)
    after = _order(ties, graph, dependent)
    groups = tuple(tuple(sorted(p)) for p in dependent)
    return Found(
        groups=groups,
        independent=tuple(tuple(sorted(p)) for p in independent),
        after=after,
        useless=_useless(ties, dependent, after),
        graph=graph,
    )


def _joined(
    parts: Sequence[set[int]], blocks: Iterable[Sequence[int]], graph: DependencyGraph, kind: BondKind, why: str
) -> list[set[int]]:
    """One part for each block of parts; the reason is noted in the graph, whose first nodes are the fluents."""
    graph.bonds += [Bond(tuple(min(parts[i]) for i in b), kind, why) for b in blocks if len(b) > 1]
    return [set().union(*(parts[i] for i in b)) for b in blocks]


def _join_by_availability(
    ties: Ties, parts: list[set[int]], exempt: set[int], graph: DependencyGraph
) -> list[set[int]]:
    def counts(fluent: int, moves: Sequence[int]) -> bool:
        if fluent in exempt or not ties.changed[fluent]:
            return False
        return not ties.timing.over_for(moves, [fluent], ties.limits.psi)[0]

    blocks = join_by_availability(
        ties.game,
        [sorted(p) for p in parts],
        ties.effects.causes & ties.effects.named,
        ties.legal_premises,
        ties.made,
        counts,
    )
    return _joined(parts, blocks, graph, "availability", "which moves of the one are legal hangs on the other")


def _touched(parts: Sequence[set[int]], fluents: Iterable[int]) -> list[int]:
    wanted = set(fluents)
    return [i for i, p in enumerate(parts) if p & wanted]


def _merge_by_conditions(parts: list[set[int]], ties: Ties, graph: DependencyGraph) -> list[set[int]]:
    """Parts that one condition needs together are one part; subgoals speak first, victory conditions for the rest."""
    found, roles = ties.conditions, ties.game.roles
    needed: list[list[int]] = []
    confirmed: set[int] = set()
    for role, fluents in found.subgoals:
        touched = _touched(parts, fluents)
        if touched:
            needed.append(touched)
            confirmed |= set(touched)
            graph.bonds.append(Bond(tuple(sorted(fluents)), "goal", f"a subgoal of {roles[role]} reads them"))
    relevant = {i for _, fluents in (*found.subgoals, *found.victory) for i in _touched(parts, fluents)}
    if len(relevant - confirmed) >= 2:
        for role, fluents in found.victory:
            touched = [i for i in _touched(parts, fluents) if i not in confirmed]
            if touched:
                needed.append(touched)
                read = tuple(sorted(f for i in touched for f in parts[i] & fluents))
                graph.bonds.append(Bond(read, "goal", f"a victory condition of {roles[role]} reads them"))
    blocks = merge(needed, len(parts))
    return [set().union(*(parts[i] for i in b)) for b in blocks]


def _split_by_victory(parts: list[set[int]], graph: DependencyGraph, ties: Ties, context: set[int]) -> list[set[int]]:
    """Without weak effects, do victory conditions hold apart several parts, each enough to win?"""
    fine = [p for p in _parts(graph, ties, ties.limits.omega) if not p <= context]
    if len(fine) < 2 or len(ties.conditions.victory) < 2:
        return parts
    groups = [_touched(fine, fluents) for _, fluents in ties.conditions.victory]
    blocks = merge([g for g in groups if g], len(fine))
    confirmed = {i for g in groups for i in g}
    if len(blocks) < 2 or any(not set(b) & confirmed for b in blocks):
        return parts
    for role, fluents in ties.conditions.victory:
        why = f"a victory condition of {ties.game.roles[role]} reads them"
        graph.bonds.append(Bond(tuple(sorted(fluents)), "goal", why))
    return [set().union(*(fine[i] for i in b)) for b in blocks]


def _useless(ties: Ties, parts: Sequence[set[int]], after: Mapping[int, tuple[int, ...]]) -> frozenset[int]:
    """Parts that neither the goal nor the end reads, and that open no useful part."""
    circuit = ties.game.circuit
    read = {int(n) - 1 for n in circuit.support([circuit.terminal, *circuit.goal.tolist()]) if n <= circuit.n_fluents}
    for values in ties.variables:  # a value that no play reached may be the one that counts
        if read.intersection(values):
            read.update(values)
    unread = [i for i, p in enumerate(parts) if not p & read]
    return useless_parts(unread, len(parts), [(i, j) for j, before in after.items() for i in before])


def _order(ties: Ties, graph: DependencyGraph, parts: Sequence[set[int]]) -> dict[int, tuple[int, ...]]:
    """Which parts a crosspoint closes and which it opens; likewise conditions of an earlier stage."""
    n = ties.graph.n_literals
    causes = ties.effects.causes
    opened_by: dict[int, set[int]] = {}
    for point in ties.crosspoints:
        closes = _touched(parts, (x // 2 for x in point.literals))
        changes = np.flatnonzero(causes[point.after[n:]].any(axis=0))
        for i in _touched(parts, (changes // 2).tolist()):
            opened_by.setdefault(i, set()).update(closes)
    part_of = {f: i for i, p in enumerate(parts) for f in p}
    effects: dict[int, set[int]] = {}
    for e in graph.edges:
        if e.kind in ("positive", "negative") and e.target in part_of:
            effects.setdefault(e.source, set()).add(part_of[e.target])
    for e in graph.edges:
        if e.kind == "serial" and e.source in part_of:
            opened = effects.get(e.target, set()) if e.target not in part_of else {part_of[e.target]}
            for i in opened:
                opened_by.setdefault(i, set()).add(part_of[e.source])
    # a part that opens another cannot be opened by it: such a pair says nothing about the order
    order = {
        i: tuple(sorted(j for j in before if j != i and i not in opened_by.get(j, ())))
        for i, before in opened_by.items()
    }
    return {i: before for i, before in order.items() if before}
