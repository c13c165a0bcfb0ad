"""Dependency graphs: nodes are fluents and moves, or lumps of them; edges say how they are tied."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from ludisect.decomposition.model.blocks import merge

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
        kept = ((e.source, e.target) for e in self.edges if e.kind not in skipped and e.weight >= min_weight)
        return merge(kept, len(self.nodes))
