"""Selection A of Method II (Zhao 2009, Alg. 5.6, 5.8): who moves where, with moves compared at the ends.

An exhibit: no way uses it, because it commits itself to parts before it knows the moves, and is often wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from ludisect.search.budget import Budget
from ludisect.search.part.compound import Compound
from ludisect.search.turns.sequences import Sequences

Step = tuple[int, int]
"""(part, node)."""


@dataclass(frozen=True, slots=True)
class Combination:
    """One sequence per part, in the order in which they were played, and what the end is worth to role 0."""

    steps: tuple[Step, ...]
    value: int


class SelectionA:
    """Alg. 5.6: branches are parts; moves are compared only among whole combinations that end alike (Alg. 5.8)."""

    def __init__(self, compound: Compound, left: Sequence[Sequences], *, budget: Budget | None = None) -> None:
        self.compound, self.left, self.budget = compound, left, budget or Budget()
        self.visited = 0
        self.prefixes = [{turns[:k] for turns in s.of_turns for k in range(len(turns) + 1)} for s in left]

    def best(self) -> Combination | None:
        """The combination that the published selection settles on; None if none ends the play."""
        return self._search(tuple(() for _ in self.left), (), (), self.compound.context)

    def _search(
        self, prefixes: tuple[tuple[int, ...], ...], order: tuple[int, ...], turns: tuple[int, ...], context: int
    ) -> Combination | None:
        self.visited += 1
        if not self.visited & 0x3FF:
            self.budget.check()
        found = self._ends(prefixes, order, context)
        role = self.compound.mover[context]
        for i, prefix in enumerate(prefixes):
            longer = (*prefix, role)
            if longer in self.prefixes[i]:
                child = self._search(
                    (*prefixes[:i], longer, *prefixes[i + 1 :]),
                    (*order, i),
                    (*turns, role),
                    self.compound.follow[context],
                )
                if child is not None:
                    found.append(child)
        return choose(found, self.compound) if found else None

    def _ends(self, prefixes: tuple[tuple[int, ...], ...], order: tuple[int, ...], context: int) -> list[Combination]:
        out = []
        for chosen in product(*(s.of_turns.get(p, []) for s, p in zip(self.left, prefixes, strict=True))):
            key = (context, *(concept for concept, _ in chosen))
            if self.compound.over[key]:
                ways = [iter(path) for _, path in chosen]
                steps = tuple((i, next(ways[i])) for i in order)
                out.append(Combination(steps, int(self.compound.goal[(*key, 0)])))
        return out


def choose(found: Sequence[Combination], compound: Compound) -> Combination:
    """Alg. 5.8: whoever made the first difference between combinations picks; from the last difference backwards."""

    def pick(some: Sequence[Combination], depth: int, context: int) -> Combination:
        if len(some) == 1:
            return some[0]
        role = compound.mover[context]
        groups: dict[Step | None, list[Combination]] = {}
        for c in some:
            groups.setdefault(c.steps[depth] if depth < len(c.steps) else None, []).append(c)
        if list(groups) == [None]:
            return some[0]
        best = [
            group[0] if step is None else pick(group, depth + 1, compound.follow[context])
            for step, group in groups.items()
        ]
        return (max if role == 0 else min)(best, key=lambda c: c.value)

    return pick(found, 0, compound.context)
