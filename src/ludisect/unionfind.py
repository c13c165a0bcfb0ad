"""Union-find of any nodes: what hangs together, as links come one by one."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

Node = TypeVar("Node", bound=Hashable)


class Joined(Generic[Node]):
    """Nodes in groups; each is alone until it is joined.

    >>> joined = Joined[str]()
    >>> joined.join("a", "b"), joined.join("b", "c"), joined.join("c", "a")
    (True, True, False)
    >>> joined.root("c") == joined.root("a"), joined.root("d")
    (True, 'd')
    """

    def __init__(self) -> None:
        self._above: dict[Node, Node] = {}

    def root(self, node: Node) -> Node:
        """The node that stands for the group of this one, until the group is joined to another."""
        above = self._above
        while above.setdefault(node, node) != node:
            above[node] = node = above[above[node]]
        return node

    def join(self, one: Node, other: Node) -> bool:
        """Make one group of the groups of two nodes; whether they were apart."""
        a, b = self.root(one), self.root(other)
        self._above[b] = a
        return a != b
