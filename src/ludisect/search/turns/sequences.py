"""Turn-move sequences as published (Zhao 2009, Def. 5.2-5.7; Zhao, Schiffel, Thielscher 2009, Def. 2, 3).

A turn-move sequence of a part says who moved there in which order, which moves were made, and which local concepts
hold afterwards. The published searches drop sequences (thesis) or whole sets of them (paper) that are dominated for
the role which moves first. Neither asks who chooses among the sequences later on: the opponent does. ``docs/search.md``
shows a small game whose value they get wrong; ``trees`` has the dominance that holds, and the default search uses it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ludisect.search.part.compound import Compound, PartOrder
from ludisect.search.turns.trees import TreeNode, Trees

Turns = tuple[int, ...]
Path = tuple[int, ...]
"""Nodes that a sequence passes, the first excluded."""


STEPS = 5_000
"""Steps (see ``effort``) that a sequence counts at a node, about."""


@dataclass(slots=True)
class Sequences:
    """What is left of the sequences of a part: per turn sequence the (concept, path) pairs."""

    of_turns: dict[Turns, list[tuple[int, Path]]] = field(default_factory=dict)

    def __len__(self) -> int:
        return sum(map(len, self.of_turns.values()))

    def nodes(self, trees: Trees, root: int) -> tuple[list[TreeNode], list[int]]:
        """The sequences as a tree of their own, and the node of ``trees`` that each of its nodes stands for."""
        children: list[list[dict[int, int]]] = [[{} for _ in range(trees.roles)]]
        origin = [root]
        for turns, found in self.of_turns.items():
            for _, path in found:
                here = 0
                for role, node in zip(turns, path, strict=True):
                    there = children[here][role].get(node)
                    if there is None:
                        there = len(origin)
                        children[here][role][node] = there
                        children.append([{} for _ in range(trees.roles)])
                        origin.append(node)
                    here = there
        out = []
        for of_roles, node in zip(children, origin, strict=True):
            old = trees.nodes[node]
            out.append(TreeNode(old.concept, tuple(tuple(d.values()) for d in of_roles), old.mobile, old.cut))
        return out, origin


class PublishedSequences:
    """Alg. 5.2: the sequences of every node, simplified for each role at each node, from the leaves up."""

    def __init__(self, trees: Trees, order: PartOrder) -> None:
        self.trees, self.order = trees, order
        self._known: dict[int, Sequences] = {}

    def of(self, node: int) -> Sequences:
        """The sequences left at a node."""
        if node not in self._known:
            self._known[node] = self._collect(self.trees.nodes[node])
        return self._known[node]

    def _collect(self, node: TreeNode) -> Sequences:
        out = Sequences()
        if node.cut or self.order.may_end[node.concept] or not any(node.children):
            out.of_turns[()] = [(node.concept, ())]
        for role, children in enumerate(node.children):
            pool: dict[Turns, list[tuple[int, Path]]] = {}
            for child in children:
                for turns, found in self.of(child).of_turns.items():
                    pool.setdefault((role, *turns), []).extend((c, (child, *path)) for c, path in found)
            self.trees.budget.check(steps=STEPS * sum(map(len, pool.values())))
            for turns, found in pool.items():
                out.of_turns[turns] = self._simplify(role, found)
        return out

    def _simplify(self, role: int, found: list[tuple[int, Path]]) -> list[tuple[int, Path]]:
        """Drop every sequence that another one dominates for the role; of equal ones the first stays."""
        kept: list[tuple[int, Path]] = []
        for concept, path in found:
            if any(self.order.at_least(role, concept, c) for c, _ in kept):
                continue
            kept = [x for x in kept if not self.order.at_least(role, x[0], concept)]
            kept.append((concept, path))
        return kept


class PublishedSets:
    """The paper's rule: drop all sequences of a move if another move's sequences dominate each of them.

    For every goal value v of the role there is an order of its own: a is below b if b ends the play wherever a does
    and satisfies goal v wherever a does. Higher values come first.
    """

    def __init__(self, trees: Trees, compound: Compound, part: int) -> None:
        self.trees = trees
        self.orders = [_orders_by_value(compound, part, role) for role in range(compound.roles)]
        self.nodes: dict[int, TreeNode] = {}
        self._outcomes: dict[int, dict[Turns, frozenset[int]]] = {}

    def reduce(self, root: int) -> None:
        """Fill ``nodes`` with what is left of every node that can still be reached from ``root``."""
        self._outcome(root)

    def count(self, root: int) -> int:
        """How many sequences are left at a node."""
        known: dict[int, int] = {}

        def count(x: int) -> int:
            if x not in known:
                node = self.nodes[x]
                here = () in self._outcomes[x]
                known[x] = int(here) + sum(count(y) for of_role in node.children for y in of_role)
            return known[x]

        return count(root)

    def _outcome(self, x: int) -> dict[Turns, frozenset[int]]:
        """Per turn sequence the concepts that it can lead to."""
        if x in self._outcomes:
            return self._outcomes[x]
        node = self.trees.nodes[x]
        out: dict[Turns, set[int]] = {}
        if node.cut or self.trees.order.may_end[node.concept] or not any(node.children):
            out[()] = {node.concept}
        children = []
        for role, of_role in enumerate(node.children):
            kept: list[int] = []
            for child in of_role:
                if any(self._drops(role, self._outcome(child), self._outcome(y)) for y in kept):
                    continue
                kept = [y for y in kept if not self._drops(role, self._outcome(y), self._outcome(child))]
                kept.append(child)
            children.append(tuple(kept))
            for child in kept:
                for turns, concepts in self._outcome(child).items():
                    out.setdefault((role, *turns), set()).update(concepts)
        self.trees.budget.check(steps=STEPS * sum(map(len, out.values())))
        self.nodes[x] = TreeNode(node.concept, tuple(children), node.mobile, node.cut)
        self._outcomes[x] = {turns: frozenset(concepts) for turns, concepts in out.items()}
        return self._outcomes[x]

    def _drops(self, role: int, one: dict[Turns, frozenset[int]], two: dict[Turns, frozenset[int]]) -> bool:
        """Whether ``one`` goes because of ``two``."""
        if not one.keys() <= two.keys():
            return False
        for below in self.orders[role]:  # from the highest goal value down
            if not all(any(below[a, b] for b in two[t]) for t, concepts in one.items() for a in concepts):
                return False
            if any(below[a, b] and not below[b, a] for t, concepts in one.items() for a in concepts for b in two[t]):
                return True
        return True


def _orders_by_value(compound: Compound, part: int, role: int) -> list[NDArray[np.bool_]]:
    axis = 1 + part
    over = np.moveaxis(compound.over, axis, 0).reshape(compound.over.shape[axis], -1)
    goal = np.moveaxis(compound.goal[..., role], axis, 0).reshape(over.shape)
    out = []
    for v in sorted(np.unique(goal[over]).tolist(), reverse=True):
        reached = goal == v
        ends = (~over[:, None, :] | over[None, :, :]).all(axis=2)
        out.append(ends & (~reached[:, None, :] | reached[None, :, :]).all(axis=2))
    return out
