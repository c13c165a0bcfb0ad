"""The slow twin of regions: operators as frozensets, settled, split and valued as the definitions say."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from ludisect.cgt import Value, make, number
from ludisect.rulesets.position import Player
from ludisect.search.regions.changes import bits
from ludisect.search.regions.settling import Operator

Facts = frozenset[int]


@dataclass(frozen=True)
class PlainOperator:
    player: Player
    needs: Facts
    bars: Facts
    sets: Facts
    clears: Facts

    def fits(self, facts: Facts) -> bool:
        return self.needs <= facts and not self.bars & facts


Plain = frozenset[PlainOperator]


def plain(operators: tuple[Operator, ...]) -> Plain:
    return frozenset(
        PlainOperator(op.player, *(frozenset(bits(x)) for x in (op.needs, op.bars, op.sets, op.clears)))
        for op in operators
    )


def settled(operators: Plain, facts: Facts) -> tuple[Plain, Facts]:
    """The live operators and the open facts."""
    every = frozenset(f for op in operators for f in op.needs | op.bars | op.sets | op.clears) | facts
    can_hold, can_fail = facts, every - facts
    while True:
        live = frozenset(op for op in operators if op.needs <= can_hold and op.bars <= can_fail)
        hold, fail = can_hold.union(*(op.sets for op in live)), can_fail.union(*(op.clears for op in live))
        if (hold, fail) == (can_hold, can_fail):
            break
        can_hold, can_fail = hold, fail
    return live, can_hold & can_fail & frozenset(f for op in live for f in op.needs | op.bars)


def regions(operators: Plain, facts: Facts) -> list[tuple[Plain, Facts]]:
    """The operators of every region, and its open facts."""
    live, free = settled(operators, facts)
    left, out = set(live), []
    while left:
        group = {left.pop()}
        touched: Facts = frozenset()
        while True:
            grown = frozenset(f for op in group for f in op.needs | op.bars | op.sets | op.clears) & free
            joined = {op for op in left if (op.needs | op.bars | op.sets | op.clears) & grown}
            if grown == touched and not joined:
                break
            touched, group, left = grown, group | joined, left - joined
        out.append((frozenset(group), touched))
    return out


@cache
def worth(operators: Plain, facts: Facts, split: bool = True) -> Value:
    """The value; without ``split``, by nothing but moves."""
    if split:
        pieces = regions(operators, facts)
        if len(pieces) != 1 or pieces[0][0] != operators:
            return sum((worth(some, facts) for some, _ in pieces), number(0))
    after = {
        player: [
            worth(operators, (facts - op.clears) | op.sets, split)
            for op in operators
            if op.player is player and op.fits(facts)
        ]
        for player in Player
    }
    return make(after[Player.LEFT], after[Player.RIGHT])
