"""``Resplitting``: the regions of one state after another; where nothing happened, nothing is split again.

Asked for states that lie close together, such as all that one move leads to, it starts from a state near them. If only
facts differ that could still change there, what can happen now could happen there: so operators that were dead are
dead, and a region in which no fact differs is the region it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ludisect.search.regions.guarded import OperatorSet
from ludisect.search.regions.region import Region

KEPT = 1 << 10
"""States whose regions are kept; full, they are forgotten."""


@dataclass(frozen=True, eq=False)
class _Split:
    """The facts that hold in a state, and its regions."""

    facts: int
    regions: list[Region]

    @cached_property
    def loose(self) -> int:
        """The facts that can still come to hold and cease to."""
        sets = clears = 0
        for region in self.regions:
            for i in region.live:
                op = region.operators.listed[i]
                sets |= op.sets
                clears |= op.clears
        return (self.facts | sets) & (~self.facts | clears)


class Resplitting:
    """Splits states of one game."""

    def __init__(self, operators: OperatorSet) -> None:
        self._operators = operators
        self._kept: dict[int, _Split] = {}
        self._near: _Split | None = None
        self._became: dict[tuple[Region, int], list[Region]] = {}

    def approach(self, states: Sequence[int]) -> None:
        """Start from the state nearest to these, of those that were asked for."""
        if states and self._kept:
            ends = states[0], states[-1]
            self._near = min(self._kept.values(), key=lambda s: sum((s.facts ^ end).bit_count() for end in ends))

    def regions(self, facts: int) -> list[Region]:
        """The regions where these facts hold, in the order of their first operators.

        Raises:
            NoOperators: a move could be made for ever.
        """
        found = self._kept.get(facts)
        if found is None:
            if len(self._kept) >= KEPT:
                self._kept.clear()
                self._became.clear()
            found = self._kept[facts] = _Split(facts, self._split(facts))
        return found.regions

    def _split(self, facts: int) -> list[Region]:
        near, operators = self._near, self._operators
        changed = 0 if near is None else near.facts ^ facts
        # guards that are nets are asked anew: they read more than their operators say
        if near is None or operators.nets is not None or changed & ~near.loose:
            return list(operators.where(facts).parts())
        out: list[Region] = []
        for region in near.regions:
            out += self._changed(region, facts) if region.open & changed else [region]
        return sorted(out, key=lambda region: region.live)

    def _changed(self, region: Region, facts: int) -> list[Region]:
        """What became of a region where other facts hold in it: moves elsewhere make no difference to that."""
        key = region, facts & region.open
        if key not in self._became:
            self._became[key] = list(Region.at(self._operators, region.live, facts).parts())
        return self._became[key]
