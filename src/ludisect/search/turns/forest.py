"""Search of the whole over the parts' local trees: the mover picks a part and a branch of its tree.

This is the global search of the decomposition searches (Zhao 2009, Alg. 5.7; Zhao, Schiffel and Thielscher 2009, §4):
minimax over combinations of local nodes instead of states, each combination judged once. With one role it is a search
for the maximum; with two roles the goals must be opposite.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ludisect.progress import report
from ludisect.search.budget import Budget
from ludisect.search.part.compound import Compound
from ludisect.search.turns.trees import TreeNode

Roots = tuple[int, ...]

ENTRY = 250
"""Bytes that a remembered combination takes, about."""

STEPS = 10_000
"""Steps (see ``effort``) that a combination counts, about."""


@dataclass(frozen=True, slots=True)
class Searched:
    """``value`` to role 0; ``part`` and ``child`` of a best first branch (None if there is no move to make)."""

    value: int
    part: int | None
    child: int | None
    positions: int
    alike: bool
    """Whether all first branches, more than one, have the same value."""
    exact: bool
    """False if a depth limit or a dropped move left something open on which the value may rest."""


class Forest:
    """The nodes of every part, searched together."""

    def __init__(
        self, compound: Compound, nodes: Sequence[Sequence[TreeNode]], *, budget: Budget | None = None
    ) -> None:
        self.compound, self.nodes, self.budget = compound, nodes, budget or Budget()
        self.open = False
        ends = compound.goal[..., 0]
        self._limits = int(ends.max()), int(ends.min())
        self._values: dict[tuple[int, Roots], int] = {}

    def solve(self, roots: Roots) -> Searched:
        """The value of the combination of nodes ``roots`` in the compound's context, and a best branch."""
        context = self.compound.context
        value = self.value(context, roots)
        part, child = self.best(context, roots)
        alike = part is not None and self._alike(context, roots)
        return Searched(value, part, child, len(self._values), alike, not self.open)

    def best(self, context: int, roots: Roots) -> tuple[int | None, int | None]:
        """A best branch (part, node) of the mover; (None, None) if the play is over or it has to pass."""
        if self._is_over(context, roots):
            return None, None
        role, after = self.compound.mover[context], self.compound.follow[context]
        chosen: tuple[int | None, int | None] = None, None
        best = 0
        for i, child in self._branches(role, roots):
            value = self.value(after, (*roots[:i], child, *roots[i + 1 :]))
            if chosen[0] is None or (value > best if role == 0 else value < best):
                chosen, best = (i, child), value
        return chosen

    def _alike(self, context: int, roots: Roots) -> bool:
        role, after = self.compound.mover[context], self.compound.follow[context]
        values = [self.value(after, (*roots[:i], x, *roots[i + 1 :])) for i, x in self._branches(role, roots)]
        return len(values) > 1 and len(set(values)) == 1

    def _is_over(self, context: int, roots: Roots) -> bool:
        return bool(self.compound.over[self._key(context, roots)])

    def _key(self, context: int, roots: Roots) -> tuple[int, ...]:
        return (context, *(nodes[x].concept for nodes, x in zip(self.nodes, roots, strict=True)))

    def _branches(self, role: int, roots: Roots) -> list[tuple[int, int]]:
        return [
            (i, child)
            for i, (nodes, x) in enumerate(zip(self.nodes, roots, strict=True))
            for child in nodes[x].children[role]
        ]

    def value(self, context: int, roots: Roots, passes: int = 0) -> int:
        """What role 0 gets from here."""
        known = self._values.get((context, roots))
        if known is not None:
            return known
        compound = self.compound
        key = self._key(context, roots)
        role, after = compound.mover[context], compound.follow[context]
        branches = [] if compound.over[key] else self._branches(role, roots)
        if compound.over[key] or passes > len(compound.mover):
            out = int(compound.goal[(*key, 0)])
        elif branches:
            out = self._choose(role, after, roots, branches)
        elif any(self._stuck(role, nodes[x]) for nodes, x in zip(self.nodes, roots, strict=True)):
            self.open = True
            out = int(compound.goal[(*key, 0)])
        else:
            return self.value(after, roots, passes + 1)
        if not len(self._values) & 0x3FF:
            report("combining parts", len(self._values))
            self.budget.check(ENTRY * len(self._values), steps=0x400 * STEPS)
        self._values[context, roots] = out
        return out

    def kept(self, context: int, roots: Roots) -> int | None:
        """What role 0 gets in a combination that was searched; None for another. Passes are made where they must be."""
        for _ in range(1 + len(self.compound.mover)):
            known = self._values.get((context, roots))
            if known is not None or self._branches(self.compound.mover[context], roots):
                return known
            context = self.compound.follow[context]
        return None

    def _choose(self, role: int, after: int, roots: Roots, branches: list[tuple[int, int]]) -> int:
        """The best that the mover can reach; no branch is tried once nothing can be better."""
        best: int | None = None
        for i, child in branches:
            value = self.value(after, (*roots[:i], child, *roots[i + 1 :]))
            if best is None or (value > best if role == 0 else value < best):
                best = value
                if best == self._limits[role]:
                    break
        assert best is not None
        return best

    def _stuck(self, role: int, node: TreeNode) -> bool:
        """The role could go on here, but the tree does not."""
        return node.cut or (node.mobile[role] and not node.children[role])
