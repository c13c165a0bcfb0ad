"""``RegionSums``: sums of regions judged by adding their values up: every move of a state in one go.

    {1|-1} + {2|-2} + 1/2  ->  the moves that win; where none does, which replies to each would be wrong

Values are found once for every region and every move in it, and a sum is known by what its regions are worth: states of
a match differ in a region or two. Sums of many hot regions grow beyond all bounds; who asks goes another way then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import accumulate
from typing import TYPE_CHECKING

from ludisect import clock
from ludisect.cgt.compiled import UnfitError
from ludisect.errors import BudgetExceeded
from ludisect.rulesets.position import Player
from ludisect.search.limits import SearchLimits
from ludisect.search.regions.contest import Contest
from ludisect.search.regions.region import Region

if TYPE_CHECKING:
    from ludisect.cgt.compiled import Arena
    from ludisect.search.regions.guarded import OperatorSet
    from ludisect.search.regions.regionvalues import RegionValues

KEPT = 1 << 14
"""Regions whose moves are kept; a full table is emptied."""

Lines = list[tuple[int, int, list[tuple[int, int]]]]


@dataclass(frozen=True, slots=True)
class Tried:
    """A move (the place of a region, and an operator) with the replies, by operator, and whether they win."""

    region: int
    move: int
    replies: dict[int, bool]
    stop: Fraction
    """What the player who moved then gets if play goes on well until numbers are left."""


class RegionSums:
    """Judges sums of regions of one set of operators; what was found for one serves the next."""

    def __init__(self, operators: OperatorSet) -> None:
        self._operators = operators
        self._worth: dict[Region, int] = {}
        self._lines: dict[tuple[Region, Player, bool], Lines] = {}
        self._end: float | None = None

    @property
    def _values(self) -> RegionValues:
        return self._operators.values

    @property
    def _arena(self) -> Arena:
        return self._operators.values.arena

    def decided(
        self, regions: Sequence[Region], player: Player, *, seconds: float | None = None, wanted: bool = True
    ) -> Contest | None:
        """Who wins if ``player`` begins, and by which move if that is ``wanted``; None where values are not found in
        compiled code, or their sum is too large.

        Raises:
            BudgetExceeded: the time was up.
        """
        if not self._fit(regions):
            return None
        try:
            if not wanted:
                wins = self.first_wins(regions, player, seconds=seconds)
                return Contest(player, player if wins else player.opponent, None, None, 0)
            winning = self.winning(regions, player, seconds=seconds)
        except UnfitError:
            return None
        except BudgetExceeded as error:
            if error.budget == "seconds":
                raise
            return None
        place, move = winning[0] if winning else (None, None)
        return Contest(player, player if winning else player.opponent, place, move, 0)

    def replies(self, regions: Sequence[Region], player: Player, *, seconds: float | None = None) -> list[Tried]:
        """Every move of ``player`` with what the replies to it come to, as far as that is found within the limits."""
        out: list[Tried] = []
        if self._fit(regions):
            with suppress(UnfitError, BudgetExceeded):
                out.extend(self.tried(regions, player, seconds=seconds))
        return out

    @staticmethod
    def _fit(regions: Sequence[Region]) -> bool:
        """Whether compiled code finds the values of these regions."""
        return all(region.fits_compiled for region in regions)

    def first_wins(self, regions: Sequence[Region], player: Player, *, seconds: float | None = None) -> bool:
        """Whether ``player``, to move, wins.

        Raises:
            BudgetExceeded: the sum is too large, or the time was up.
            ludisect.cgt.compiled.UnfitError: a number does not fit in fixed point.
        """
        self._begin(seconds)
        zero = self._arena.number(0)
        total = reduce(self._add, map(self._value, regions), zero)
        return not self._loses(total, zero, player)

    def winning(
        self, regions: Sequence[Region], player: Player, *, seconds: float | None = None
    ) -> list[tuple[int, int]]:
        """The moves of ``player`` that win, as the place of a region and an operator; raises as ``first_wins``."""
        self._begin(seconds)
        out = []
        for k, rest in enumerate(self._others([self._value(region) for region in regions])):
            wins: dict[int, bool] = {}
            for move, after, _ in self._moves(regions[k], player):
                if after not in wins:
                    wins[after] = self._loses(rest, after, player.opponent)
                if wins[after]:
                    out.append((k, move))
        return out

    def tried(self, regions: Sequence[Region], player: Player, *, seconds: float | None = None) -> Iterator[Tried]:
        """What the replies to every move of ``player`` come to; raises as ``first_wins``."""
        self._begin(seconds)
        worth = [self._value(region) for region in regions]
        for k, rest in enumerate(self._others(worth)):
            elsewhere: dict[int, dict[int, bool]] = {}
            for move, after, replies in self._moves(regions[k], player, deep=True):
                if after not in elsewhere:
                    left = [*worth[:k], after, *worth[k + 1 :]]
                    elsewhere[after] = self._elsewhere(regions, left, k, player.opponent)
                here = {reply: self._loses(rest, behind, player) for reply, behind in replies}
                yield Tried(k, move, {**elsewhere[after], **here}, self._stop(rest, after, player))

    # ---- values ----

    def _begin(self, seconds: float | None) -> None:
        self._end = None if seconds is None else clock.now() + seconds
        if len(self._worth) + len(self._lines) > KEPT:
            self._worth.clear()
            self._lines.clear()

    def _look(self) -> None:
        if self._end is not None and clock.now() > self._end:
            raise BudgetExceeded("the time limit was reached while regions were added up", budget="seconds")

    def _value(self, region: Region) -> int:
        if region not in self._worth:
            self._look()
            self._worth[region] = self._values.game(region, end=self._end, nodes=SearchLimits.current().regions_quick)
        return self._worth[region]

    def _moves(self, region: Region, player: Player, *, deep: bool = False) -> Lines:
        """The moves in a region with what is left then; ``deep``, with the replies in it, too."""
        from ludisect.search.regions.replies import replied  # late: its kernels are waited for

        if not deep and (region, player, True) in self._lines:
            deep = True
        if (region, player, deep) not in self._lines:
            self._look()
            found = replied(
                self._values, region, player, deep=deep, end=self._end, nodes=SearchLimits.current().regions_quick
            )
            self._lines[region, player, deep] = found
        return self._lines[region, player, deep]

    # ---- sums ----

    def _add(self, g: int, h: int) -> int:
        self._look()
        with self._arena.at_most(SearchLimits.current().regions_added):
            return self._arena.add(g, h)

    def _others(self, worth: Sequence[int]) -> list[int]:
        """For each of some games, the sum of the others."""
        if not worth:
            return []
        zero = self._arena.number(0)
        before = list(accumulate(worth[:-1], self._add, initial=zero))
        behind = list(accumulate(reversed(worth[1:]), self._add, initial=zero))[::-1]
        return [self._add(g, h) for g, h in zip(before, behind, strict=True)]

    def _loses(self, rest: int, part: int, player: Player) -> bool:
        """Whether ``player``, to move, loses the sum of two games: to compare is less work than to add."""
        self._look()
        turned = self._arena.negate(part)
        return self._arena.le(rest, turned) if player is Player.LEFT else self._arena.le(turned, rest)

    def _elsewhere(self, regions: Sequence[Region], worth: Sequence[int], k: int, other: Player) -> dict[int, bool]:
        """The replies in all regions but one, and whether they win."""
        out = {}
        for j, rest in enumerate(self._others(worth)):
            if j != k:
                wins: dict[int, bool] = {}
                for reply, after, _ in self._moves(regions[j], other):
                    if after not in wins:
                        wins[after] = self._loses(rest, after, other.opponent)
                    out[reply] = wins[after]
        return out

    def _stop(self, rest: int, part: int, player: Player) -> Fraction:
        """The stop of a sum in which the opponent of ``player`` is to move, as ``player`` sees it."""
        left, right = self._arena.stops(self._add(rest, part))
        return right if player is Player.LEFT else -left
