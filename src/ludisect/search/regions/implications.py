"""Clauses that hold in every state that play can reach: implications, and marks that somebody has.

Proposed are implications and exclusions between two facts that no state of random plays breaks, and what the operators
leave behind where they set facts that nobody reads (owners of a square, a box). What is kept is inductive: it holds at
the start, and every operator keeps it, shown by unit propagation from its guard.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludisect.search.limits import SearchLimits
from ludisect.search.regions.changes import bits
from ludisect.search.regions.guarded import OperatorSet
from ludisect.search.regions.settling import Operator


@dataclass(frozen=True, slots=True)
class Implication:
    """One of ``some`` holds, or one of ``none`` does not."""

    some: int
    none: int

    @property
    def facts(self) -> int:
        """All that it speaks of."""
        return self.some | self.none

    def holds(self, facts: int) -> bool:
        """Whether it is true where these facts hold."""
        return bool(facts & self.some or ~facts & self.none)


def clauses(operators: OperatorSet, initial: int, seen: NDArray[np.bool_]) -> list[Implication]:
    """Clauses proved by induction; ``seen`` are states x facts that play has met."""
    listed = operators.listed
    marks = [*_left_behind(listed), *_taken(listed, seen)]
    found = [c for c in (*_pairs(operators, seen), *marks) if c.holds(initial)]
    if len(found) * len(listed) > SearchLimits.current().regions_clauses:
        found = [c for c in marks if c.holds(initial)]
    return _inductive(listed, found)


def exclusions(operators: OperatorSet, initial: int, seen: NDArray[np.bool_]) -> list[int]:
    """Pairs of facts, as words, that never hold together, proved by induction: one that an operator needs, one that it
    sets or another needs at the same place."""
    pairs = {
        1 << a | 1 << b
        for op in operators.listed
        for a in bits(op.needs)
        for b in bits(op.sets & ~op.bars | op.clears & ~op.needs)
        if not (seen[:, a] & seen[:, b]).any()
    }
    found = [Implication(0, pair) for pair in sorted(pairs)]
    return [clause.none for clause in _inductive(operators.listed, [c for c in found if c.holds(initial)])]


def _inductive(listed: Sequence[Operator], found: list[Implication]) -> list[Implication]:
    """The clauses that every operator keeps where all of them hold."""
    while True:
        kept = [c for c in found if all(_keeps(op, c, found) for op in listed if (op.sets | op.clears) & c.facts)]
        if len(kept) == len(found):
            return kept
        found = kept


def _pairs(operators: OperatorSet, seen: NDArray[np.bool_]) -> Iterable[Implication]:
    """Two facts, of which one implies the other or excludes it in all that was seen."""
    n = len(operators.facts)
    if n > SearchLimits.current().regions_paired or not len(seen):
        return
    holds = seen.astype(np.int64)
    often, both = holds.sum(axis=0), holds.T @ holds
    for a in range(n):
        if not 0 < often[a] < len(seen):
            continue
        for b in range(n):
            if a == b or not 0 < often[b] < len(seen):
                continue
            if both[a, b] == often[a]:
                yield Implication(1 << b, 1 << a)
            if a < b and both[a, b] == 0:
                yield Implication(0, 1 << a | 1 << b)


def _left_behind(listed: Sequence[Operator]) -> list[Implication]:
    """Where all that an operator asks for and sets holds, one of the marks is there that such operators set."""
    read = 0
    for op in listed:
        read |= op.reads
    marks: dict[int, int] = {}
    for op in listed:
        if op.sets & ~read:
            after = (op.needs & ~op.clears | op.sets) & read
            marks[after] = marks.get(after, 0) | op.sets & ~read
    return [Implication(some, none) for none, some in marks.items() if none]


def _taken(listed: Sequence[Operator], seen: NDArray[np.bool_]) -> Iterable[Implication]:
    """Two marks that the players set by the same operator, or a fact that held wherever neither was there."""
    read = 0
    for op in listed:
        read |= op.reads
    twins: dict[tuple[int, int, int, int], list[int]] = {}
    for op in listed:
        if op.sets & ~read:
            twins.setdefault((op.needs, op.bars, op.sets & read, op.clears), []).append(op.sets & ~read)
    pairs = {(a, b) for one, *two in twins.values() for other in two for a in bits(one) for b in bits(other) if a != b}
    for a, b in sorted(pairs):
        without = seen[~seen[:, a] & ~seen[:, b]]
        if len(without) and not (seen[:, a] & seen[:, b]).any():
            yield from (Implication(1 << a | 1 << b | 1 << int(c), 0) for c in np.flatnonzero(without.all(axis=0)))


def _keeps(op: Operator, clause: Implication, known: Sequence[Implication]) -> bool:
    """Whether an operator cannot lead from a state with all clauses to one without this one."""
    if op.sets & clause.some or op.clears & clause.none:
        return True
    holds = op.needs | clause.none & ~op.sets
    fails = op.bars | clause.some & ~op.clears
    while not holds & fails:
        grown = False
        for each in known:
            if each.some & holds or each.none & fails:
                continue
            some, none = each.some & ~fails, each.none & ~holds
            if not some and not none:
                return True
            if (some | none).bit_count() == 1:
                holds, fails, grown = holds | some, fails | none, True
        if not grown:
            return False
    return True


def as_literals(clause: Implication) -> tuple[list[int], list[int]]:
    """The facts of a clause by number: those of which one may hold, and those of which one may not."""
    return list(bits(clause.some)), list(bits(clause.none))
