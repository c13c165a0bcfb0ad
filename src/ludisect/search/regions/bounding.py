"""Numbers between which the value of a region lies, where its value is out of reach.

Two ways, of which the better counts on each side. Nobody makes more moves than there are facts to use up for good.
And a game in which Left may do less is worth no more: with the operators of Left crossed out that tie small regions
together, what is left has a value, and its right stop is a bound from below; with Right's, the left stop one from above
(:mod:`ludisect.search.regions.relaxing` does the same inside compiled search).
"""

from __future__ import annotations

from contextlib import suppress

from ludisect.cgt import Value
from ludisect.cgt.compiled import UnfitError
from ludisect.cgt.dyadic import Number
from ludisect.errors import BudgetExceeded
from ludisect.rulesets.position import Player
from ludisect.search.limits import SearchLimits
from ludisect.search.regions.region import Region


def bounds(region: Region) -> tuple[Number, Number] | None:
    """Numbers between which the value surely lies; None if none are known on one side."""
    low: Number | None = None
    high: Number | None = None
    counted = region.bounds()
    if counted is not None:
        low, high = counted
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
    for mine in (False, True):
        for i in region.live:
            if (listed[i].player is player) is not mine:
                continue
            facts = listed[i].touches & region.open
            met = [group for group in groups if group[0] & facts]
            size = 1 + sum(size for _, size in met)
            if size > limits.regions_bound:
                if mine:
                    continue
                return None
            for some, _ in met:
                facts |= some
            groups = [*(group for group in groups if group not in met), (facts, size)]
            kept.append(i)
    left = Region.at(region.operators, sorted(kept), region.facts)
    if not left.live:
        return Value(0)
    with suppress(BudgetExceeded, UnfitError):
        return region.operators.values.value(left, nodes=limits.regions_quick)
    return None
