"""Dependency graphs: nodes are fluents and moves, or lumps of them; edges and bonds tie them.

An edge is a dependency that the method found. A bond says why nodes that no edge joins came into one part.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.rows import Rows
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
    values: str = ""
    """What is known of its fluents: "exactly one holds, proved"."""
    driven: str = ""
    """What changes it: "steered by moves"."""


@dataclass(frozen=True, slots=True, eq=False)
class Witness:
    """Two states that differ in one variable, and the joint move that fixes the roles other than ``role`` (none, if it
    is the number of roles). What the role can do to ``fluent`` differs."""

    states: Rows
    joint: NDArray[np.int32]
    role: int
    fluent: int


@dataclass(frozen=True, slots=True)
class Edge:
    """From node to node (indices), with its kind, its weight, and what it rests on (a witness, a rule) as text."""

    source: int
    target: int
    kind: EdgeKind
    weight: float = 1.0
    why: str = ""
    witness: Witness | None = field(default=None, compare=False)


BondKind = Literal["choice", "goal", "availability", "rules", "refuted", "spared", "limit"]
"""``choice``: no role can choose one by one; ``goal``: the score or the end needs them together; ``availability``: what
is legal in the one hangs on the other; ``rules``: only the rules tell where it belongs; ``refuted``: apart, they failed
a check; ``spared``: a move in the one spares a losing move in the other; ``limit``: no time to tell them apart."""


@dataclass(frozen=True, slots=True, eq=False)
class Bond:
    """Nodes (indices) that were put into one part, why, and the state that shows it, where there is one."""

    nodes: tuple[int, ...]
    kind: BondKind
    why: str
    state: Rows | None = None


@dataclass(slots=True)
class DependencyGraph:
    """Nodes and edges in the order in which they were found."""

    nodes: list[Node] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    bonds: list[Bond] = field(default_factory=list)

    def components(self, *, ignore: Iterable[EdgeKind] = (), min_weight: float = 0.0) -> list[list[int]]:
        """Connected components, ignoring directions, edges of some kinds, and edges lighter than ``min_weight``."""
        skipped = set(ignore)
        kept = ((e.source, e.target) for e in self.edges if e.kind not in skipped and e.weight >= min_weight)
        return merge(kept, len(self.nodes))
