"""Who wins the sum of some regions, and by which move, by compiled search where they fit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ludisect import clock
from ludisect.cgt import Value
from ludisect.cgt.compiled import UnfitError
from ludisect.cgt.dyadic import Number
from ludisect.cgt.value import ZERO
from ludisect.errors import BudgetExceeded
from ludisect.rulesets.position import Player
from ludisect.search.limits import SearchLimits
from ludisect.search.regions.book import MOST_FACTS
from ludisect.search.regions.bounding import bounds
from ludisect.search.regions.region import Region
from ludisect.search.regions.regionvalues import RegionValues
from ludisect.search.regions.winsearch import RegionWins
from ludisect.sums.outcome import SumSolver
from ludisect.sums.wholesearch import WholeSearch


@dataclass(frozen=True, slots=True)
class Contest:
    """Who wins some regions if ``player`` begins; ``winner`` is None where a limit was reached first.

    ``region`` and ``move`` are a winning move of the player who begins: the place of the region in the list, and an
    operator of it. Both are None if there is none.
    """

    player: Player
    winner: Player | None
    region: int | None
    move: int | None
    nodes: int
    bounds: tuple[Number, Number] | None = None
    """Numbers between which the value of the sum surely lies, if a limit was reached and some are known."""


def outcome(
    regions: Sequence[Region],
    player: Player,
    *,
    seconds: float | None = None,
    limits: SearchLimits | None = None,
    solver: SumSolver | None = None,
    known: Callable[[Region], Value | None] = lambda region: None,
    bounded: bool = True,
) -> Contest:
    """Who wins the sum of some regions if ``player`` begins and who cannot move loses, and a winning move.

    A ``solver`` that is kept from one question to the next knows the values that it met; ``known`` tells values of
    regions that need no search. Without ``bounded`` no bounds are looked for at a limit.

    Raises:
        BudgetExceeded: the time was up, or a play does not end; ``partial`` is a Contest without a winner.
    """
    end = None if seconds is None else clock.now() + seconds
    with SearchLimits.given(limits):
        search = regions[0].operators.wins if regions else None
        if search is not None:
            search.nodes = 0
        try:
            whole = _together(regions)
            if search is not None and len(regions) > 1:
                found = _by_values(search.values, regions, player, end, solver or SumSolver(), known)
                if found is not None:
                    return found
            if search is not None and whole is not None:
                return _compiled(search, regions, whole, player, end)
        except UnfitError:
            pass
        except BudgetExceeded as error:
            error.partial = _unfinished(regions, player, search.nodes if search else 0, bounded)
            raise
        return _plain(regions, player, end, bounded)


def _unfinished(regions: Sequence[Region], player: Player, nodes: int, bounded: bool) -> Contest:
    """What is known at a limit: bounds, and the winner if they tell."""
    between = total_bounds(regions) if bounded else None
    winner = None
    if between is not None:
        low, high = between
        winner = Player.LEFT if low > 0 else Player.RIGHT if high < 0 else None
    return Contest(player, winner, None, None, nodes, between)


def _by_values(
    values: RegionValues,
    regions: Sequence[Region],
    player: Player,
    end: float | None,
    solver: SumSolver,
    known: Callable[[Region], Value | None],
) -> Contest | None:
    """The same from the values of all regions, if these are found quickly; rows of Kayles have many plays and few
    values."""
    quick = SearchLimits.current().regions_quick

    def value(region: Region) -> Value:
        if not region.live:
            return ZERO
        if (worth := known(region)) is not None:
            return worth
        rest = None if end is None else max(0.0, end - clock.now())
        return values.value(region, seconds=rest, nodes=quick)

    if any(region.operators is not regions[0].operators or not region.fits_compiled for region in regions):
        return None
    try:
        found = [value(region) for region in regions]
        solver.seconds = None if end is None else max(0.0, end - clock.now())
        solver.most_nodes, before = quick, solver.nodes
        if not solver.wins(found, left_starts=player is Player.LEFT):
            return Contest(player, player.opponent, None, None, solver.nodes - before)
        for i, region in enumerate(regions):
            others = [*found[:i], *found[i + 1 :]]
            for move in region.moves(player):
                after = value(region.play(player, move))
                if not solver.wins([*others, after], left_starts=player is Player.RIGHT):
                    return Contest(player, player, i, move, solver.nodes - before)
    except BudgetExceeded as error:
        if error.budget == "depth":
            raise
    return None


def _compiled(
    search: RegionWins,
    regions: Sequence[Region],
    whole: Region,
    player: Player,
    end: float | None,
) -> Contest:
    wins, best = search.first_wins(whole, player, end=end)
    if not wins:
        return Contest(player, player.opponent, None, None, search.nodes)
    for i, region in enumerate(regions):
        # the search knows the move if it is one in a large region
        for move in region.moves(player) if best is None else [best] if best in region.live else []:
            after = _together([*regions[:i], region.play(player, move), *regions[i + 1 :]])
            assert after is not None  # a move opens no facts
            if best is not None or not search.first_wins(after, player.opponent, end=end)[0]:
                return Contest(player, player, i, move, search.nodes)
    raise AssertionError("a sum that is won has a move that wins it")


def _plain(regions: Sequence[Region], player: Player, end: float | None, bounded: bool) -> Contest:
    search = WholeSearch(seconds=None if end is None else max(0.0, end - clock.now()))
    try:
        for i, region in enumerate(regions):
            others = [*regions[:i], *regions[i + 1 :]]
            for move in region.moves(player):
                if not search.wins([*others, region.play(player, move)], player.opponent):
                    return Contest(player, player, i, move, search.nodes)
    except BudgetExceeded as error:
        error.partial = _unfinished(regions, player, search.nodes, bounded)
        raise
    return Contest(player, player.opponent, None, None, search.nodes)


def total_bounds(regions: Sequence[Region]) -> tuple[Number, Number] | None:
    """Sure bounds of the sum, if every region has some."""
    low: Number = 0
    high: Number = 0
    for region in regions:
        known = bounds(region)
        if known is None:
            return None
        low, high = low + known[0], high + known[1]
    return low, high


def _together(regions: Sequence[Region]) -> Region | None:
    """All regions in one, if they are of one game, lie apart, and are not too large for compiled search."""
    if not regions or any(region.operators is not regions[0].operators for region in regions):
        return None
    live: list[int] = []
    open_facts = holding = 0
    for region in regions:
        if region.open & open_facts:
            return None
        live += region.live
        open_facts |= region.open
        holding |= region.holding
    if open_facts.bit_count() > MOST_FACTS or not regions[0].fits_compiled:
        return None
    return Region(regions[0].operators, tuple(sorted(live)), open_facts, holding)
