"""Local game trees with equal ones shared, and the dominance between them that no opponent can undo.

A node stands for everything that can still happen in a part: the concept of its state if the play may end there, and
per role the nodes that its moves lead to. States with the same node are equal as far as the whole can tell.

For two roles with opposite goals, ``below(a, b)`` says that role 0 is never worse off with b in place of a, whatever
lies beside it: b ends the play when a does and pays as much; to every move of role 0 in a there is one in b to a node
not below; to every move of role 1 in b there is one in a to a node not above; and a role can move in both or in
neither, so that nobody is forced to pass in one and not in the other. Role 0 then copies in b what it would do in a.
A move to a node that another move of the same role dominates in this sense can be dropped.
"""

from __future__ import annotations

from dataclasses import dataclass

from ludisect.progress import report
from ludisect.search.budget import Budget
from ludisect.search.part.compound import PartGraph, PartOrder

Children = tuple[tuple[int, ...], ...]
"""Per role: the nodes that its moves lead to, in ascending order."""


@dataclass(frozen=True, slots=True)
class TreeNode:
    """``concept`` judges an end here; ``children[role]`` follow. ``cut``: the depth limit ended the tree here.

    ``mobile[role]`` says whether a role can move here at all, whatever has been dropped.
    """

    concept: int
    children: Children
    mobile: tuple[bool, ...]
    cut: bool = False


ENTRY = 250
"""Bytes that a node or a comparison takes, about."""

STEPS = 5_000
"""Steps (see ``effort``) that a node or a comparison counts, about."""

NOWHERE = -1
"""Stands for the concept of a node at which the play cannot end: all such are alike."""


class Trees:
    """The trees of one part, to a depth; ``drop`` removes dominated moves (two roles with opposite goals, or one)."""

    def __init__(self, part: PartGraph, order: PartOrder, *, drop: bool, budget: Budget | None = None) -> None:
        self.part, self.order, self.drop, self.budget = part, order, drop, budget or Budget()
        self.roles = len(part.moves)
        self.nodes: list[TreeNode] = []
        self.numbers: dict[tuple[int, Children, bool], int] = {}
        self.dropped = 0
        self._of_state: dict[tuple[int, int], int] = {}
        self._below: dict[tuple[int, int], bool] = {}

    def node(self, state: int, depth: int) -> int:
        """The node of a state, ``depth`` moves deep; shared between depths that reach every leaf."""
        stack = [(state, self._useful(state, depth))]
        while stack:
            s, d = stack[-1]
            if (s, d) in self._of_state:
                stack.pop()
                continue
            ended = d == 0 or self.order.must_end[self.part.concept[s]]
            below = [[] if ended else [(t, self._useful(t, d - 1)) for _, t in m[s]] for m in self.part.moves]
            missing = [x for of_role in below for x in of_role if x not in self._of_state]
            if missing:
                stack.extend(missing)
                continue
            children = tuple(tuple(sorted({self._of_state[x] for x in of_role})) for of_role in below)
            cut = d == 0 and any(m[s] for m in self.part.moves) and not self.order.must_end[self.part.concept[s]]
            self._of_state[s, d] = self._share(self.part.concept[s], children, cut)
            stack.pop()
        return self._of_state[state, self._useful(state, depth)]

    def _useful(self, state: int, depth: int) -> int:
        height = self.part.height
        return depth if height is None else min(depth, height[state])

    def _share(self, concept: int, children: Children, cut: bool) -> int:
        if self.drop:
            children = tuple(self._best(role, of_role) for role, of_role in enumerate(children))
        judged = self.order.canonical[concept]
        key = (judged if self.order.may_end[concept] or cut else NOWHERE, children, cut)
        number = self.numbers.get(key)
        if number is None:
            number = len(self.nodes)
            if not number & 0x3FF:
                report("growing local trees", number)
                self.budget.check(ENTRY * (number + len(self._below)), steps=0x400 * STEPS)
            self.nodes.append(TreeNode(judged, children, tuple(map(bool, children)), cut))
            self.numbers[key] = number
        return number

    def _best(self, role: int, nodes: tuple[int, ...]) -> tuple[int, ...]:
        """The nodes that no other of them dominates for the role."""
        kept: list[int] = []
        for x in nodes:
            if any(self.dominates(role, y, x) for y in kept):
                continue
            kept = [y for y in kept if not self.dominates(role, x, y)]
            kept.append(x)
        self.dropped += len(nodes) - len(kept)
        return tuple(sorted(kept))

    def dominates(self, role: int, better: int, worse: int) -> bool:
        """Whether a role is never worse off in ``better``."""
        return self.below(worse, better) if role == 0 else self.below(better, worse)

    def below(self, a: int, b: int) -> bool:
        """Whether role 0 is never worse off in b than in a."""
        if a == b:
            return True
        known = self._below.get((a, b))
        if known is None:
            known = self._compare(self.nodes[a], self.nodes[b])
            if not len(self._below) & 0x3FF:
                self.budget.check(ENTRY * (len(self.nodes) + len(self._below)), steps=0x400 * STEPS)
            self._below[a, b] = known
        return known

    def _compare(self, a: TreeNode, b: TreeNode) -> bool:
        if a.cut != b.cut or a.mobile != b.mobile or not self.order.below[a.concept, b.concept]:
            return False
        mine = all(any(self.below(x, y) for y in b.children[0]) for x in a.children[0])
        return mine and all(
            any(self.below(x, y) for x in a.children[role]) for role in range(1, self.roles) for y in b.children[role]
        )
