"""From relations to parts: the dependency graph, its connected components, and which matter for nothing."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ludisect.decomposition.exact.useful import useless_parts
from ludisect.decomposition.model.assemble import Found
from ludisect.decomposition.model.blocks import merge
from ludisect.decomposition.model.dependency import Bond, DependencyGraph, Edge, Node
from ludisect.decomposition.rules.callgraph import CallGraph
from ludisect.decomposition.rules.lumps import Lumps
from ludisect.decomposition.rules.relations import Precondition, Relations
from ludisect.gdl.digraph import components as strong_components
from ludisect.gdl.terms import Term, Variable


def dependency_graph(lumps: Lumps, relations: Relations) -> DependencyGraph:
    """Fluent lumps first, then move lumps; edges by kind, each once, without those to lumps that are set apart."""
    graph = DependencyGraph()
    graph.nodes = [Node(f.label, fluents=f.members) for f in lumps.fluents]
    graph.nodes += [Node(m.label, moves=m.members) for m in lumps.moves]
    first = len(lumps.fluents)
    edges: dict[Edge, None] = {}
    for p in sorted(relations.preconditions, key=lambda p: (p.move, sorted(p.fluents))):
        for f in sorted(p.fluents):
            edges[Edge(f, first + p.move, "precondition")] = None
    for e in sorted(relations.effects, key=lambda e: (e.move, e.fluent, e.positive)):
        edges[Edge(first + e.move, e.fluent, "positive" if e.positive else "negative")] = None
    for f, g in sorted({(flow.fluent, g) for flow in relations.flows for g in flow.fluents}):
        edges[Edge(g, f, "dependency")] = None
    graph.edges = list(edges)
    return graph


def found_parts(
    lumps: Lumps,
    relations: Relations,
    reads: CallGraph,
    *,
    after: Mapping[int, Collection[int]] | None = None,
    ordering: Collection[Precondition] = (),
    together: Sequence[tuple[int, int]] = (),
) -> Found:
    """The connected components as parts.

    ``after`` is a serial order among fluent lumps: the part of the key begins when those of the values are over. Parts
    that wait for each other are one part. ``ordering`` are the conditions that say so,
    ``together`` pairs of moves that belong to one part.
    """
    graph = dependency_graph(lumps, relations)
    first = len(lumps.fluents)
    components = merge([*graph.components(), *((first + a, first + b) for a, b in together)], len(graph.nodes))
    blocks = [[x for x in c if x < first and x not in relations.independent] for c in components]
    blocks = [b for b in blocks if b]
    moved = {e.fluent for e in relations.effects}
    frozen = [b for b in blocks if not moved & set(b)]  # counters that a stage of a serial game only stops
    blocks = [b for b in blocks if moved & set(b)]
    graph.bonds += [Bond((first + a, first + b), "rules", "they wait for the same") for a, b in together]
    stages = blocks
    blocks, order = _without_cycles(blocks, _order(blocks, after or {}))
    firsts = [tuple(b[0] for b in stages if b[0] in whole) for whole in map(set, blocks)]
    graph.bonds += [Bond(some, "rules", "they wait for each other") for some in firsts if len(some) > 1]
    groups = tuple(tuple(sorted(x for f in b for x in lumps.fluents[f].members)) for b in blocks)
    apart = sorted(relations.independent)
    place = {f: i for i, f in enumerate(apart)}
    context = merge([(place[f], place[g]) for f, g in relations.context_edges], len(apart))
    context_blocks = [*([apart[i] for i in b] for b in context), *frozen]
    independent = tuple(tuple(sorted(x for f in b for x in lumps.fluents[f].members)) for b in context_blocks)
    idle = [graph.nodes[n].label for c in components if len(c) == 1 for n in c if n >= first]
    waits = {(f, first + p.move): str(p.atom) for p in ordering for f in p.fluents}
    graph.edges += [Edge(f, m, "serial", why=why) for (f, m), why in sorted(waits.items())]
    return Found(
        groups=groups,
        independent=independent,
        after={i: tuple(sorted(js)) for i, js in enumerate(order) if js},
        useless=_useless(lumps, blocks, order, reads),
        notes=(f"fluent-independent moves: {', '.join(idle)}",) if idle else (),
        graph=graph,
    )


def _order(blocks: Sequence[Sequence[int]], after: Mapping[int, Collection[int]]) -> list[set[int]]:
    of = {f: i for i, b in enumerate(blocks) for f in b}
    order: list[set[int]] = [set() for _ in blocks]
    for f, before in after.items():
        for g in before:
            if f in of and g in of and of[f] != of[g]:
                order[of[f]].add(of[g])
    return order


def _without_cycles(
    blocks: Sequence[Sequence[int]], order: Sequence[set[int]]
) -> tuple[list[list[int]], list[set[int]]]:
    stages = strong_components({i: sorted(js) for i, js in enumerate(order)})
    stages.sort(key=min)
    of = {i: n for n, stage in enumerate(stages) for i in stage}
    merged = [sorted(f for i in stage for f in blocks[i]) for stage in stages]
    return merged, [{of[j] for i in stage for j in order[i]} - {n} for n, stage in enumerate(stages)]


def _useless(
    lumps: Lumps, blocks: Sequence[Sequence[int]], order: Sequence[set[int]], reads: CallGraph
) -> frozenset[int]:
    """Parts that neither score nor end of the game reads, nor the start of a part that matters."""
    asked = [Term("terminal"), Term("goal", (Variable("role"), Variable("value")))]
    read = {g for f in reads.fluents(asked) for g in lumps.touched(f.args[0] if not f.name else f)}
    unread = [i for i, b in enumerate(blocks) if not read & set(b)]
    return useless_parts(unread, len(blocks), [(j, i) for i, before in enumerate(order) for j in before])
