"""Method II: decomposition search with turn-move sequences (Zhao 2009, Alg. 5.5-5.8), sound or as published.

Sound form: the parts' trees with moves dropped only if another is as good whatever the opponent does (``trees``), then
minimax over combinations of their nodes (``forest``). Published forms: sequences or sets of them dropped as the thesis
or the paper says (``tmseq``), then selection B (minimax over what is left, Alg. 5.7) or selection A (a search over who
moves where, with whole combinations of sequences compared at the ends, Alg. 5.6 and 5.8).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal

from ludisect.search.budget import Budget
from ludisect.search.part.compound import Compound, PartOrder
from ludisect.search.turns.forest import Forest
from ludisect.search.turns.sequences import PublishedSequences, PublishedSets, Sequences
from ludisect.search.turns.trees import TreeNode, Trees

Form = Literal["sound", "sequences", "sets"]

UNLIMITED = 1 << 30


@dataclass(frozen=True, slots=True)
class SequenceResult:
    """``value`` to role 0, a first move as (part, label, state), and how it was found."""

    value: int
    part: int | None
    label: int | None
    state: int | None
    exact: bool
    sequences: tuple[int, ...]
    """Per part what was kept: sequences, or for the sound form nodes of local trees."""
    positions: int


def local_trees(compound: Compound, *, drop: bool, budget: Budget | None = None) -> list[Trees]:
    """Trees for every part; identical parts share them."""
    shared: dict[tuple[int, bytes], Trees] = {}
    out = []
    for i, part in enumerate(compound.parts):
        order = PartOrder(compound, i)
        key = id(part), order.below.tobytes() + bytes(order.may_end)
        out.append(shared.setdefault(key, Trees(part, order, drop=drop, budget=budget)))
    return out


def solve_compound(
    compound: Compound, *, form: Form = "sound", depth: int | None = None, budget: Budget | None = None
) -> SequenceResult:
    """Value and best first move of a compound of one role, or of two with opposite goals; ``depth`` per part."""
    reach = UNLIMITED if depth is None else depth
    trees = local_trees(compound, drop=form == "sound", budget=budget)
    roots = tuple(t.node(p.start, reach) for t, p in zip(trees, compound.parts, strict=True))
    nodes: list[Sequence[TreeNode]] = []
    kept: list[int] = []
    begin = list(roots)
    origins: list[Sequence[int] | None] = []
    for i, (tree, root) in enumerate(zip(trees, roots, strict=True)):
        if form == "sound":
            nodes.append(tree.nodes)
            kept.append(len(tree.nodes))
            origins.append(None)
        elif form == "sets":
            sets = PublishedSets(tree, compound, i)
            sets.reduce(root)
            nodes.append([sets.nodes.get(x, node) for x, node in enumerate(tree.nodes)])
            kept.append(sets.count(root))
            origins.append(None)
        else:
            left = PublishedSequences(tree, tree.order).of(root)
            own, origin = left.nodes(tree, root)
            nodes.append(own)
            kept.append(len(left))
            origins.append(origin)
            begin[i] = 0
    found = Forest(compound, nodes, budget=budget).solve(tuple(begin))
    exact = found.exact and form == "sound"
    if found.part is None or found.child is None:
        return SequenceResult(found.value, None, None, None, exact, tuple(kept), found.positions)
    i = found.part
    origin_of = origins[i]
    child = found.child if origin_of is None else origin_of[found.child]
    label, state = _move_to(compound, trees[i], i, child, reach)
    return SequenceResult(found.value, i, label, state, exact, tuple(kept), found.positions)


def _move_to(compound: Compound, trees: Trees, i: int, child: int, reach: int) -> tuple[int, int]:
    """A move of the mover in part i that leads to a node."""
    part = compound.parts[i]
    role = compound.mover[compound.context]
    return next(
        (label, t) for label, t in part.moves[role][part.start] if trees.node(t, min(reach, UNLIMITED) - 1) == child
    )


# ---- selection A ----

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
