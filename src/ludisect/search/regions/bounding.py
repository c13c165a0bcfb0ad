"""Numbers between which the value of a region lies, where its value is out of reach.

Three ways, of which the best counts on each side. Nobody makes more moves than there are facts to use up for good, nor
more than a count of facts allows that every operator lowers. And a game in which Left may do less is worth no more:
where operators of Left are crossed out until small regions are left, these have values, and the right stop of their sum
is a bound from below; with Right's, the left stop one from above. (:mod:`ludisect.search.regions.relaxing` does the
same inside compiled search.)
"""

from __future__ import annotations

from contextlib import suppress

from ludisect.cgt import Value
from ludisect.cgt.compiled import UnfitError
from ludisect.cgt.dyadic import Number
from ludisect.errors import BudgetExceeded
from ludisect.rulesets.position import Player
from ludisect.search.limits import SearchLimits
from ludisect.search.regions.measure import measure
from ludisect.search.regions.region import Region
from ludisect.search.regions.settling import NoOperators


def bounds(region: Region) -> tuple[Number, Number] | None:
    """Numbers between which the value surely lies; None if none are known on one side."""
    low: Number | None = None
    high: Number | None = None
    counted = region.bounds()
    if counted is not None:
        low, high = counted
    else:
        touched = 0
        for i in region.live:
            touched |= region.operators.listed[i].touches
        with suppress(NoOperators):
            high = measure(region.operators).longest(region.facts, touched)
            low = -high
    least, most = relaxed(region, Player.LEFT), relaxed(region, Player.RIGHT)
    if least is not None:
        below = least.right_stop if least >= least.right_stop else least.right_stop - 1
        low = below if low is None else max(low, below)
    if most is not None:
        above = most.left_stop if most <= most.left_stop else most.left_stop + 1
        high = above if high is None else min(high, above)
    return None if low is None or high is None else (low, high)


def relaxed(region: Region, player: Player) -> Value | None:
    """The value that is left if a player gives up moves until only small regions remain; None if that is not found."""
    limits = SearchLimits.current()
    if not region.fits_compiled:
        return None
    listed = region.operators.listed
    kept: list[int] = []
    groups: list[tuple[int, int]] = []  # facts, operators

    def met(i: int) -> list[tuple[int, int]]:
        return [group for group in groups if group[0] & listed[i].touches & region.open]

    def keep(i: int) -> bool:
        """Keep an operator, unless what it ties together is too large."""
        nonlocal groups
        tied = met(i)
        size = 1 + sum(size for _, size in tied)
        if size > limits.regions_bound:
            return False
        facts = listed[i].touches & region.open
        for some, _ in tied:
            facts |= some
        groups = [*(group for group in groups if group not in tied), (facts, size)]
        kept.append(i)
        return True

    if not all(keep(i) for i in region.live if listed[i].player is not player):
        return None
    waiting = [i for i in region.live if listed[i].player is player]
    while waiting:
        # first those that tie nothing together
        inside = [i for i in waiting if len(met(i)) < 2]
        for i in inside:
            keep(i)
        waiting = [i for i in waiting if i not in inside]
        tying = next((i for i in waiting if keep(i)), None)
        waiting = [] if tying is None else [i for i in waiting if i != tying]
    left = Region.at(region.operators, sorted(kept), region.facts)
    if not left.live:
        return Value(0)
    with suppress(BudgetExceeded, UnfitError):
        return region.operators.values.value(left, nodes=limits.regions_bound_nodes)
    return None
