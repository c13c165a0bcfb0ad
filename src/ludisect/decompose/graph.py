"""Dependency graphs: nodes are fluents and moves (or what a method lumps together), edges say how they are tied."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import networkx as nx

EdgeKind = Literal["precondition", "positive", "negative", "effect", "dependency", "goal", "serial"]
"""``effect`` where a method does not tell the sign; ``dependency`` between variables (exact); ``goal`` ties parts that
the score needs together; ``serial`` leads from a stage to the one that it opens."""


@dataclass(frozen=True, slots=True)
class Node:
    """``fluents`` and ``moves`` (role, move) are the ground things that a node stands for: one, or a whole symbol."""

    label: str
    fluents: tuple[int, ...] = ()
    moves: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Edge:
    """From node to node (indices), with its kind, its weight, and what it rests on (a witness, a rule) as text."""

    source: int
    target: int
    kind: EdgeKind
    weight: float = 1.0
    why: str = ""


@dataclass(slots=True)
class DependencyGraph:
    """Nodes and edges in the order in which they were found."""

    nodes: list[Node] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)

    def components(self, *, ignore: Iterable[EdgeKind] = (), min_weight: float = 0.0) -> list[list[int]]:
        """Connected components, ignoring directions, edges of some kinds, and edges lighter than ``min_weight``."""
        skipped = set(ignore)
        graph = nx.Graph()
        graph.add_nodes_from(range(len(self.nodes)))
        graph.add_edges_from(
            (e.source, e.target) for e in self.edges if e.kind not in skipped and e.weight >= min_weight
        )
        return [sorted(c) for c in nx.connected_components(graph)]


def ancestors(before: Mapping[int, Iterable[int]], i: int) -> set[int]:
    """All that comes before i, directly or not, given what comes directly before each."""
    found: set[int] = set()
    waiting = list(before.get(i, ()))
    while waiting:
        k = waiting.pop()
        if k not in found:
            found.add(k)
            waiting += before.get(k, ())
    return found


def merge(groups: Sequence[Iterable[int]], n: int) -> list[list[int]]:
    """The finest partition of 0..n-1 in which every group lies in one block; blocks by their smallest member."""
    parent = list(range(n))

    def find(x: int) -> int:
        while parent[x] != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x

    for group in groups:
        members = list(group)
        for other in members[1:]:
            a, b = find(members[0]), find(other)
            parent[max(a, b)] = min(a, b)
    blocks: dict[int, list[int]] = {}
    for x in range(n):
        blocks.setdefault(find(x), []).append(x)
    return list(blocks.values())
