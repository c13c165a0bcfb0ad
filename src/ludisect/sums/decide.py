"""Who wins a sum of positions, by whatever way is in reach: values of the parts first, search of the whole after.

Where all parts have values that local search finds, :mod:`ludisect.sums.outcome` decides their sum. Where some part is
too large for that, :mod:`ludisect.sums.whole` plays it out. Neither is better everywhere: a Domineering board of 36
cells has a value within seconds and far too many plays, an Amazons board of 16 the other way round.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from ludisect.errors import BudgetExceeded
from ludisect.rulesets.position import Player
from ludisect.sums.local import LocalSearch, Store
from ludisect.sums.outcome import SumSolver
from ludisect.sums.table import Component, Sum
from ludisect.sums.whole import WholeSearch

LOCAL_SHARE = 0.4
"""The part of the time that local search may use before the whole is searched."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether the player who moves first wins, and by which way that was found: ``values`` or ``whole``."""

    wins: bool
    way: str


def decide(
    components: Sequence[Component], player: Player, *, seconds: float | None = None, store: Store | None = None
) -> Decision:
    """Whether ``player``, moving first, wins the sum of ``components``.

    Without a limit in ``seconds`` the values are searched for until they are found.

    Raises:
        BudgetExceeded: the time was up.
    """
    end = None if seconds is None else time.monotonic() + seconds
    share = None if seconds is None else LOCAL_SHARE * seconds
    try:
        values = Sum(components, search=LocalSearch(seconds=share, store=store)).all_values()
        rest = None if end is None else max(0.0, end - time.monotonic())
        return Decision(SumSolver(seconds=rest).wins(values, left_starts=player is Player.LEFT), "values")
    except BudgetExceeded:
        rest = None if end is None else end - time.monotonic()
        if rest is not None and rest <= 0:
            raise
        return Decision(WholeSearch(seconds=rest).wins(components, player), "whole")
