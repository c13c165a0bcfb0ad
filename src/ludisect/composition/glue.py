"""How parts are glued: a tree of operations over parts, and what the whole adds (turns, steps, rests, goals)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, Union

from ludisect.composition.part import LocalGame, Turns

Op = Literal["choice", "sync", "serial"]
Goal = Literal["additive", "all", "any"]


@dataclass(frozen=True)
class Leaf:
    """A part, by its place in ``Plan.parts``."""

    index: int


@dataclass(frozen=True)
class GlueNode:
    """An operation on trees. ``locks`` are the stages of a serial one that leave a flag when they are over."""

    op: Op
    children: tuple[Tree, ...]
    locks: frozenset[int] = frozenset()


Tree = Union[Leaf, GlueNode]


@dataclass(frozen=True)
class Blueprint:
    """A compound game before it is written down.

    ``useless`` parts are read by neither goal nor end. ``end`` says whether the play ends when all other parts are
    over or as soon as one is; with ``steps``, at the latest after so many turns. With ``rest``, the mover may do
    nothing. ``owners`` gives each part to one role, whose goal reads that part alone.
    """

    name: str
    roles: tuple[str, ...]
    turns: Turns
    parts: tuple[LocalGame, ...]
    tree: Tree
    goal: Goal = "additive"
    end: Literal["all", "any"] = "all"
    steps: int | None = None
    rest: bool = False
    useless: frozenset[int] = frozenset()
    owners: bool = False

    @property
    def counted(self) -> tuple[int, ...]:
        """The parts that count, in order."""
        return tuple(i for i in range(len(self.parts)) if i not in self.useless)

    @property
    def locked(self) -> frozenset[int]:
        """The parts that leave a flag when they are over."""
        return frozenset(i for node in nodes(self.tree) for i in node.locks)

    def points(self, index: int, value: int) -> int:
        """What a local goal value adds to the score of an additive compound."""
        order = self.counted
        share, extra = divmod(100, len(order))
        return value * (share + (order.index(index) < extra)) // 100

    def score(self, values: dict[int, int], role: int) -> int:
        """A role's goal from its local goal values in the parts that count."""
        if self.owners:
            return values[role]
        if len(values) == 1:
            return next(iter(values.values()))
        if self.goal == "additive":
            return sum(self.points(i, v) for i, v in values.items())
        won = [v == 100 for v in values.values()]
        return 100 * (all(won) if self.goal == "all" else any(won))


def leaves(tree: Tree) -> list[int]:
    """The parts below, from left to right."""
    return [tree.index] if isinstance(tree, Leaf) else [i for child in tree.children for i in leaves(child)]


def nodes(tree: Tree) -> Iterator[GlueNode]:
    """The operations, outer ones first."""
    if isinstance(tree, GlueNode):
        yield tree
        for child in tree.children:
            yield from nodes(child)


def predecessors(tree: Tree) -> dict[int, tuple[int, ...]]:
    """For each part that has to wait, the parts of the stage right before it."""
    out: dict[int, tuple[int, ...]] = {}
    for node in nodes(tree):
        if node.op == "serial":
            for before, after in zip(node.children, node.children[1:], strict=False):
                for i in first_leaves(after):
                    out[i] = tuple(last_leaves(before))
    return out


def waited_for(tree: Tree) -> list[int]:
    """The parts that must be over before others begin."""
    stages = [child for node in nodes(tree) if node.op == "serial" for child in node.children[:-1]]
    return sorted({i for stage in stages for i in leaves(stage)})


def first_leaves(tree: Tree) -> list[int]:
    """The parts that are open as soon as the tree is."""
    if isinstance(tree, Leaf):
        return [tree.index]
    open_now = tree.children[:1] if tree.op == "serial" else tree.children
    return [i for child in open_now for i in first_leaves(child)]


def last_leaves(tree: Tree) -> list[int]:
    """The parts that no other part of the tree waits for."""
    if isinstance(tree, Leaf):
        return [tree.index]
    last = tree.children[-1:] if tree.op == "serial" else tree.children
    return [i for child in last for i in last_leaves(child)]
