"""``RegionWins``: the compiled search for who wins a sum of regions; its tables serve the next question."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludisect import clock
from ludisect.cgt.arena import BUDGET
from ludisect.cgt.memory import extent
from ludisect.errors import BudgetExceeded
from ludisect.rulesets.position import Player
from ludisect.search.limits import SearchLimits
from ludisect.search.regions import regionwins
from ludisect.search.regions.book import FIRST, MOST_FACTS, OPS, RECORD, Book, book_of
from ludisect.search.regions.naming import WORK
from ludisect.search.regions.region import Region
from ludisect.search.regions.regionvalues import MASK, START, RegionValues, roomy
from ludisect.search.regions.settling import split


class RegionWins:
    """Who wins sums of regions, by compiled search; tables are kept between questions about the same operators."""

    SLICE, LEAST_SLICE = 20_000, 200
    """Nodes between two looks at the clock, at most and at least: compiled code cannot be interrupted."""
    NODES_A_SECOND = 20_000
    """On large boards."""

    LINES = 1 << 19
    """Large regions whose names and bounds are kept."""

    def __init__(self, values: RegionValues) -> None:
        self.values = values
        self.nodes = 0
        """Expanded so far; who asks anew may set it back."""
        entries = 1 << (SearchLimits.current().regions_table - 1).bit_length()
        self._won = _table(entries, entries)
        self._known = _table(self.LINES, 2 * self.LINES)
        self._bounding: tuple[int, int] | None = None

    def first_wins(self, region: Region, player: Player, *, end: float | None = None) -> tuple[bool, int | None]:
        """Whether the player who begins wins, and the operator by which, if it is one of a large region.

        Raises:
            BudgetExceeded: the time was up, memory was short, or a play does not end.
            ludisect.cgt.compiled.UnfitError: a number does not fit in fixed point.
        """
        if not region.live:
            return False, None
        values = self.values
        book = book_of(region, values.new_book())
        stack = np.zeros((OPS + book.most) * 12 * MOST_FACTS + WORK, np.int64)
        stack[: book.frame.size] = book.frame
        asked = self._asked(region, book, player)

        def step() -> Any:
            values.lies, values.names = roomy(values.lies), roomy(values.names)
            arrays = (values.arena.words, book.words, values.lies, values.names, self._known, self._won, stack, asked)
            return regionwins.root_at(*(x for array in arrays for x in extent(array)))

        before = self.nodes
        while True:
            values.arena.words[BUDGET] = self.SLICE if end is None else self._slice(end)
            try:
                found = values.arena.run(step)
                break
            except BudgetExceeded as error:
                self.nodes = before + int(asked[regionwins.NODES])
                values.look(error, end)
        self.nodes = before + int(asked[regionwins.NODES])
        best = int(asked[regionwins.BEST])
        return bool(found), book.operators[(best - FIRST) // RECORD] if found and best else None

    def _slice(self, end: float) -> int:
        """Nodes that leave the clock time to be heard."""
        return max(self.LEAST_SLICE, min(self.SLICE, int(self.NODES_A_SECOND * (end - clock.now()))))

    def _asked(self, region: Region, book: Book, player: Player) -> np.ndarray[Any, np.dtype[np.int64]]:
        """The environment of a search."""
        limits = SearchLimits.current()
        small = round(limits.regions_small * book.most / len(book.facts))
        asked = np.zeros(regionwins.WORDS + 2 * book.most, np.int64)
        asked[regionwins.SMALL] = min(max(small, 1), limits.regions_most_small)
        asked[regionwins.BOUND] = limits.regions_bound if _falls_apart(region) else 0
        asked[regionwins.TIE] = min(limits.regions_tied, limits.regions_bound)
        bounding = (int(asked[regionwins.BOUND]), int(asked[regionwins.TIE]))
        if self._bounding not in (None, bounding):  # bounds are kept that other numbers would have made narrower
            self._known = _table(self.LINES, 2 * self.LINES)
        self._bounding = bounding
        asked[regionwins.PLAYER] = player is Player.RIGHT
        asked[regionwins.EXTRA] = self.values.arena.number(0)
        return asked


def _falls_apart(region: Region) -> bool:
    """Whether the moves of one player alone make regions of at most half their number: only then bounds tell much."""
    listed = region.operators.listed
    for player in Player:
        own = [i for i in region.live if listed[i].player is player]
        sizes = [len(group) for group, _ in split(listed, own, region.open)]
        if sizes and 2 * max(sizes) <= len(own):
            return True
    return False


def _table(slots: int, lines: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    table = np.zeros(START + regionwins.LINE * lines, np.int64)
    table[MASK] = slots - 1
    return table
