"""Concept decomposition search (Günther 2007, ch. 5) on a compound: local plans by signature, combined.

A plan is a sequence of moves in one part. Its signature is the concept of its last state, and for every state that it
passes how the state bears on the end of the play (Def. 5.3, 5.4). Of plans with the same signature one is enough.
Plans of all parts are combined by a search over how far each has got (Alg. B.1), because no order of whole plans may
do. Local plans grow one move per round, so that short solutions are found first.

Where the end is a disjunction of questions about single parts and the context, a plan's signature shrinks to its length
and its last concept (§6.3): no state that it passes ends the play, and whichever part ends it moves last.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import product

import numpy as np

from ludisect.progress import report
from ludisect.search.budget import Budget
from ludisect.search.part.compound import Compound, PartGraph, States
from ludisect.search.part.verdicts import single_ends

Move = tuple[int, int]
"""(part, label)."""

Signature = tuple[int, tuple[int, ...]]
"""Concept of the last state; how each state on the way bears on the end."""

UNLIMITED = 1 << 30

ENTRY = 300
"""Bytes that a plan takes, about."""

STEPS = 5_000
"""Steps (see ``effort``) that a plan, or a combination of plans counts, about."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A local plan, kept as its last step: ``before`` leads to it."""

    state: int
    label: int = -1
    before: Plan | None = None
    length: int = 0

    def labels(self) -> list[int]:
        """The moves from first to last."""
        out: list[int] = []
        here: Plan | None = self
        while here is not None and here.before is not None:
            out.append(here.label)
            here = here.before
        return out[::-1]

    def states(self) -> list[int]:
        """The states from first to last."""
        out: list[int] = []
        here: Plan | None = self
        while here is not None:
            out.append(here.state)
            here = here.before
        return out[::-1]


@dataclass(slots=True)
class Solution:
    """The best plan found: its moves in order, what it yields, and whether nothing better exists."""

    value: int | None
    moves: tuple[Move, ...]
    exact: bool
    plans: tuple[int, ...]
    """Local plans kept per part."""
    combined: int = 0
    """Combinations of plans that were tried."""
    local_ends: bool = False
    """Whether the cheaper form was used."""


def horizon(compound: Compound) -> int | None:
    """The number of moves after which every play is over because of the context; None if there is none."""
    context = compound.context
    for step in range(len(compound.mover) + 1):
        if bool(compound.over[context].all()):
            return step
        context = compound.follow[context]
    return None


def contexts(compound: Compound, length: int) -> list[int]:
    """The context after 0..length moves."""
    out = [compound.context]
    for _ in range(length):
        out.append(compound.follow[out[-1]])
    return out


@dataclass(slots=True)
class _LocalSearch:
    """Plans of one part, one move longer each round (Alg. 5.2)."""

    part: PartGraph
    bearing: list[int]
    """Per concept: concepts with the same number bear on the end alike."""
    canonical: list[int]
    stop: list[bool]
    """Per concept: no plan goes on from here."""
    short: bool
    """Signatures without the states on the way."""
    depth: int = 0
    plans: dict[Signature, Plan] = field(default_factory=dict)
    frontier: dict[tuple[tuple[int, ...], int], Plan] = field(default_factory=dict)
    new: list[tuple[Signature, Plan]] = field(default_factory=list)

    def begin(self) -> None:
        plan = Plan(self.part.start)
        key: tuple[int, ...] = (0,) if self.short else (self.bearing[self.part.concept[plan.state]],)
        self.frontier = {(key, plan.state): plan}
        self._keep()

    def grow(self) -> None:
        """All plans that are one move longer."""
        self.depth += 1
        longer: dict[tuple[tuple[int, ...], int], Plan] = {}
        for (way, state), plan in self.frontier.items():
            if self.stop[self.part.concept[state]]:
                continue
            for label, t in self.part.moves[0][state]:
                there = (plan.length + 1,) if self.short else (*way, self.bearing[self.part.concept[t]])
                if (there, t) not in longer:
                    longer[there, t] = Plan(t, label, plan, plan.length + 1)
        self.frontier = longer
        self._keep()

    def _keep(self) -> None:
        self.new = []
        for (way, state), plan in self.frontier.items():
            signature = (self.canonical[self.part.concept[state]], way)
            if signature not in self.plans:
                self.plans[signature] = plan
                self.new.append((signature, plan))


class PlanSearch:
    """Alg. 5.1: local search and combination, round by round."""

    def __init__(self, compound: Compound, *, cheap: bool = True, budget: Budget | None = None) -> None:
        self.compound, self.budget = compound, budget or Budget()
        # whether nothing but the end forbids to wait
        self.free = compound.rest is None or bool((compound.rest | compound.over).all())
        self.ends = single_ends(compound.over) if cheap and self.free else None
        self.searches = [self._local(i) for i in range(len(compound.parts))]
        self.best: int | None = None
        self.moves: tuple[Move, ...] = ()
        self.combined = 0

    def _local(self, i: int) -> _LocalSearch:
        over = self.compound.over
        rows = np.moveaxis(over, 1 + i, 0).reshape(over.shape[1 + i], -1)
        goals = np.moveaxis(self.compound.goal, 1 + i, 0).reshape(rows.shape[0], -1)
        able = np.asarray(self.compound.able[i].any(axis=0))[:, None]
        seen = rows
        if self.compound.rest is not None and not self.free:
            seen = np.concatenate([rows, np.moveaxis(self.compound.rest, 1 + i, 0).reshape(rows.shape)], axis=1)
        _, bearing = np.unique(seen, axis=0, return_inverse=True)
        _, canonical = np.unique(np.concatenate([rows, goals, able], axis=1), axis=0, return_inverse=True)
        first = np.unique(canonical.ravel(), return_index=True)[1]
        return _LocalSearch(
            self.compound.parts[i],
            bearing.ravel().tolist(),
            first[canonical.ravel()].tolist(),
            np.asarray(rows.all(axis=1)).tolist(),
            self.ends is not None,
        )

    def run(self, depth: int | None = None) -> Solution:
        """Search until nothing better can exist, or plans would be longer than ``depth``."""
        limit, complete = self._limit()
        deepest = limit if depth is None else min(limit, depth)
        most = self._most()
        for search in self.searches:
            if not search.plans:
                search.begin()
        self._combine(0, list(self.searches[0].plans.items()))
        while self.best is None or self.best < most:
            growing = [i for i, s in enumerate(self.searches) if s.frontier and s.depth < deepest]
            if not growing:
                break
            shallowest = min(self.searches[i].depth for i in growing)
            for i in growing:
                if self.searches[i].depth == shallowest:
                    self.searches[i].grow()
                    self.budget.check(steps=STEPS * len(self.searches[i].frontier))
                    self._combine(i, self.searches[i].new)
        exhausted = complete and all(s.depth >= limit or not s.frontier for s in self.searches)
        exact = self.best is not None and (self.best >= most or exhausted)
        return Solution(
            self.best,
            self.moves,
            exact,
            tuple(len(s.plans) for s in self.searches),
            self.combined,
            self.ends is not None,
        )

    def at(self, states: States, context: int) -> PlanSearch:
        """The search from another position; the plans of parts that are still where they were are kept."""
        parts = tuple(replace(part, start=s) for part, s in zip(self.compound.parts, states, strict=True))
        there = replace(self.compound, parts=parts, context=context)
        found = PlanSearch(there, cheap=self.ends is not None, budget=self.budget)
        for i, (part, s) in enumerate(zip(self.compound.parts, states, strict=True)):
            if part.start == s:
                found.searches[i] = self.searches[i]
        return found

    def _limit(self) -> tuple[int, bool]:
        """The longest local plan that can matter, and whether that bound is certain."""
        steps = horizon(self.compound)
        heights = [p.height[p.start] if p.height is not None else None for p in self.compound.parts]
        if steps is not None:
            return steps, True
        longest = max((h for h in heights if h is not None), default=0)
        if None not in heights:
            return longest, True
        # with circles and without a counter, what a part can reach it reaches within as many moves as it has states
        cheap = self.ends is not None and len(self.compound.mover) == 1
        return max(p.size for p in self.compound.parts), cheap

    def _most(self) -> int:
        """No play can yield more."""
        reachable = [sorted({p.concept[s] for s in _reachable(p)}) for p in self.compound.parts]
        some = np.ix_(range(self.compound.over.shape[0]), *reachable)
        over = self.compound.over[some] | self.compound.idle[some]
        goals = self.compound.goal[..., 0][some][over]
        return int(goals.max()) if goals.size else UNLIMITED

    def _combine(self, i: int, plans: list[tuple[Signature, Plan]]) -> None:
        """Some plans of part i with all plans of the others (Alg. 5.3)."""
        others = [list(s.plans.items()) for s in self.searches]
        others[i] = plans
        for chosen in product(*others):
            self.combined += 1
            if not self.combined & 0x3FF:
                report("combining plans", self.combined)
                self.budget.check(
                    ENTRY * sum(len(s.frontier) + len(s.plans) for s in self.searches), steps=0x400 * STEPS
                )
            together = [plan for _, plan in chosen]
            key = self._end(together)
            goals = self.compound.goals_at_end(key)
            if goals is None or (self.best is not None and goals[0] <= self.best):
                continue
            order = self._order_of_ends(together) if self.ends is not None else self._interleave(together)
            if order is not None:
                self.best, self.moves = goals[0], order

    def _end(self, plans: list[Plan]) -> tuple[int, ...]:
        length = sum(p.length for p in plans)
        context = contexts(self.compound, length)[-1]
        return (context, *(part.concept[p.state] for part, p in zip(self.compound.parts, plans, strict=True)))

    def _order_of_ends(self, plans: list[Plan]) -> tuple[Move, ...] | None:
        """The plans one after the other, the one that ends the play last; None if that comes too early anyhow."""
        assert self.ends is not None
        concepts = [part.concept[p.state] for part, p in zip(self.compound.parts, plans, strict=True)]
        ending = [i for i, c in enumerate(concepts) if self.ends[i][c]]
        length = sum(p.length for p in plans)
        by_context = np.asarray(self.compound.over.reshape(len(self.compound.mover), -1).all(axis=1))
        if any(by_context[c] for c in contexts(self.compound, length)[:-1]):
            return None
        if length and (len(ending) > 1 or any(plans[i].length == 0 for i in ending)):
            return None
        first = [i for i in range(len(plans)) if i not in ending]
        return tuple((i, label) for i in (*first, *ending) for label in plans[i].labels())

    def _interleave(self, plans: list[Plan]) -> tuple[Move, ...] | None:
        """An order in which the play is not over before the last move (Alg. B.1), or None."""
        states = [p.states() for p in plans]
        labels = [p.labels() for p in plans]
        lengths = tuple(p.length for p in plans)
        at = contexts(self.compound, sum(lengths))
        parts = self.compound.parts
        waiting = -1 if self.free else len(plans) - 1
        start = (0,) * len(plans)
        visited = {start}
        stack: list[tuple[tuple[int, ...], Iterator[int]]] = [(start, iter(range(len(plans))))]
        taken: list[Move] = []
        if start == lengths:
            return ()
        if self._over(at[0], [parts[i].concept[states[i][0]] for i in range(len(plans))]):
            return None
        while stack:
            place, choices = stack[-1]
            i = next(choices, None)
            if i is None:
                stack.pop()
                if taken:
                    taken.pop()
                continue
            if place[i] == lengths[i] or (waiting == i and not self._may_wait(at[sum(place)], states, place)):
                continue
            there = (*place[:i], place[i] + 1, *place[i + 1 :])
            if there in visited:
                continue
            visited.add(there)
            move = (i, labels[i][place[i]])
            if there == lengths:
                return (*taken, move)
            if self._over(at[sum(there)], [parts[k].concept[states[k][there[k]]] for k in range(len(plans))]):
                continue
            taken.append(move)
            stack.append((there, iter(range(len(plans)))))
        return None

    def _may_wait(self, context: int, states: list[list[int]], place: tuple[int, ...]) -> bool:
        here = tuple(part.concept[s[k]] for part, s, k in zip(self.compound.parts, states, place, strict=True))
        return self.compound.rest is None or bool(self.compound.rest[(context, *here)])

    def _over(self, context: int, concepts: list[int]) -> bool:
        return bool(self.compound.over[(context, *concepts)])


def _reachable(part: PartGraph) -> set[int]:
    seen = {part.start}
    stack = [part.start]
    while stack:
        for _, t in part.moves[0][stack.pop()]:
            if t not in seen:
                seen.add(t)
                stack.append(t)
    return seen
