"""Selection A of Method II (Zhao 2009, Alg. 5.6, 5.8, Def. 5.7): who moves where; ends are compared.

Its branches are parts, not moves: a node knows who has moved in each part in which order (the *turn prefix*), and
which sequences of the parts fit. Where sequences of all parts end there together, each such combination is a play, and
whoever made the first difference between two plays picks the better one, from the last difference backwards.

A player is *free* in a sequence that ends the play if, at a turn of his own, he could have made another move after
which the same turns do not end it. If nobody who is to move is free, and the play brings the last mover the best there
is, the search stops there; likewise if only he who is to move is free, and it brings him the best there is.

The thesis calls the result optimal. It is not: the search commits itself to parts before it knows the moves, and it
lets players go on behind an end of the play that only several parts together bring about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from ludisect.progress import report
from ludisect.search.budget import Budget
from ludisect.search.part.compound import Compound
from ludisect.search.turns.sequences import Path, PublishedSequences, Sequences, Turns
from ludisect.search.turns.treesearch import UNLIMITED, SequenceResult, local_trees, move_to

Step = tuple[int, int, int]
"""(role, part, node)."""

Free = dict[tuple[Turns, Path], frozenset[int]]
"""Per sequence of a part: the roles that are free in it."""


@dataclass(frozen=True, slots=True)
class Combination:
    """One sequence per part, in the order in which they were played, and what the end is worth to role 0."""

    steps: tuple[Step, ...]
    value: int
    free: frozenset[int] = frozenset()
    """The roles that are free in one of the sequences."""
    guess: bool = False
    """Whether a depth limit, not the end of the play, is where it stops."""


def free_roles(left: Sequences) -> Free:
    """Def. 5.7 for every sequence of a part."""
    out: Free = {}
    for turns, found in left.of_turns.items():
        here = {path[: k + 1] for _, path in found for k in range(len(path))}
        elsewhere: dict[Path, set[int]] = {}
        for longer, others in left.of_turns.items():
            if len(longer) > len(turns) and longer[: len(turns)] == turns:
                for _, path in others:
                    for k in range(len(turns)):
                        if path[: k + 1] not in here:
                            elsewhere.setdefault(path[:k], set()).add(path[k])
        for _, path in found:
            out[turns, path] = frozenset(
                role for k, role in enumerate(turns) if elsewhere.get(path[:k], set()) - {path[k]}
            )
    return out


STEPS = 20_000
"""Steps (see ``effort``) that a turn prefix counts, about."""


class SelectionA:
    """Alg. 5.6 on the sequences that are left of every part."""

    def __init__(
        self, compound: Compound, left: Sequence[Sequences], *, cut: bool = False, budget: Budget | None = None
    ) -> None:
        """``cut``: sequences may stop at a depth limit, so that a role without a further turn need not pass."""
        self.compound, self.left, self.cut, self.budget = compound, left, cut, budget or Budget()
        self.visited = 0
        self.prefixes = [{turns[:k] for turns in s.of_turns for k in range(len(turns) + 1)} for s in left]
        self.free = [free_roles(s) for s in left]
        ends = compound.goal[..., 0]
        self._best = int(ends.max()), int(ends.min())

    def best(self) -> Combination | None:
        """The combination that the selection settles on; None if none ends the play."""
        return self._search(tuple(() for _ in self.left), (), self.compound.context)

    def _search(
        self, prefixes: tuple[Turns, ...], order: tuple[tuple[int, int], ...], context: int, passes: int = 0
    ) -> Combination | None:
        """``order``: (role, part) of every turn so far."""
        self.visited += 1
        if not self.visited & 0x3FF:
            report("trying turns", self.visited)
            self.budget.check(steps=0x400 * STEPS)
        role = self.compound.mover[context]
        found, settled = self._settled(self._ends(prefixes, order, context), role, order)
        if settled is not None:
            return settled
        after = self.compound.follow[context]
        can_move = False
        for i, prefix in enumerate(prefixes):
            longer = (*prefix, role)
            if longer in self.prefixes[i]:
                can_move = True
                child = self._search((*prefixes[:i], longer, *prefixes[i + 1 :]), (*order, (role, i)), after)
                if child is not None:
                    found.append(child)
        if not can_move and not found:
            if not self.cut and passes < len(self.compound.mover):
                return self._search(prefixes, order, after, passes + 1)
            found = self._ends(prefixes, order, context, anyhow=True)
        return choose(found) if found else None

    def _settled(
        self, every: list[Combination], role: int, order: Sequence[tuple[int, int]]
    ) -> tuple[list[Combination], Combination | None]:
        """What is left of the combinations that end here, and the one with which the search stops, if it does."""
        bound = [c for c in every if role not in c.free]
        kept, gainer = bound, order[-1][0] if order else None
        if not bound:
            kept, gainer = [c for c in every if c.free == {role}], role
        if not kept:
            return every, None
        best = choose(kept)
        if gainer is not None and best.value == self._best[gainer]:
            return [], best
        return [c for c in every if c not in kept] + [best], None

    def _ends(
        self, prefixes: tuple[Turns, ...], order: tuple[tuple[int, int], ...], context: int, *, anyhow: bool = False
    ) -> list[Combination]:
        """The combinations of sequences with these turns that end the play, or all (``anyhow``), as they stand."""
        out = []
        for chosen in product(*(s.of_turns.get(p, []) for s, p in zip(self.left, prefixes, strict=True))):
            key = (context, *(concept for concept, _ in chosen))
            if not anyhow and not self.compound.over[key]:
                continue
            ways = [iter(path) for _, path in chosen]
            steps = tuple((role, i, next(ways[i])) for role, i in order)
            free = (of[p, path] for of, p, (_, path) in zip(self.free, prefixes, chosen, strict=True))
            out.append(Combination(steps, int(self.compound.goal[(*key, 0)]), frozenset().union(*free), anyhow))
        return out


def choose(found: Sequence[Combination]) -> Combination:
    """Alg. 5.8: whoever made the first difference between combinations picks; from the last difference backwards."""

    def pick(some: Sequence[Combination], depth: int) -> Combination:
        if len(some) == 1:
            return some[0]
        groups: dict[Step | None, list[Combination]] = {}
        for c in some:
            groups.setdefault(c.steps[depth] if depth < len(c.steps) else None, []).append(c)
        best = [group[0] if step is None else pick(group, depth + 1) for step, group in groups.items()]
        role = next((step[0] for step in groups if step is not None), 0)
        return (max if role == 0 else min)(best, key=lambda c: c.value)

    return pick(found, 0)


def solve_by_selection(compound: Compound, *, depth: int | None = None, budget: Budget | None = None) -> SequenceResult:
    """Value and first move by the sequences of the thesis (Def. 5.6) and selection A; the value is None without a play.

    Never exact.
    """
    reach = UNLIMITED if depth is None else depth
    trees = local_trees(compound, drop=False, budget=budget)
    roots = [t.node(p.start, reach) for t, p in zip(trees, compound.parts, strict=True)]
    left = [PublishedSequences(t, t.order).of(root) for t, root in zip(trees, roots, strict=True)]
    cut = any(node.cut for t in trees for node in t.nodes)
    search = SelectionA(compound, left, cut=cut, budget=budget)
    best = search.best()
    value, kept = None if best is None else best.value, tuple(map(len, left))
    if best is None or not best.steps or best.steps[0][0] != compound.mover[compound.context]:
        return SequenceResult(value, None, None, None, False, kept, search.visited)
    _, i, node = best.steps[0]
    label, state = move_to(compound, trees[i], i, node, reach)
    return SequenceResult(value, i, label, state, False, kept, search.visited)
