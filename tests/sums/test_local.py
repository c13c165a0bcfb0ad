"""Local search: a game of one's own, limits."""

from __future__ import annotations

import pytest

from ludisect.cgt import Value, make, number
from ludisect.errors import BudgetExceeded
from ludisect.rulesets import Domineering, OctalHeaps
from ludisect.sums.local import LocalSearch
from tests.rulesets.subtract import Subtract


def test_a_game_of_ones_own() -> None:
    search = LocalSearch()
    values: list[Value] = [search.value(Subtract(n)) for n in range(5)]
    for n in range(5):
        left = [values[n - k] for k in (1, 3) if k <= n]
        right = [values[n - k] for k in (1, 2) if k <= n]
        assert values[n] is make(left, right)


def test_limits() -> None:
    with pytest.raises(BudgetExceeded, match="time limit"):
        LocalSearch(seconds=0.0).value(Domineering.parse("4x4"))
    with pytest.raises(BudgetExceeded, match="too deep"):
        LocalSearch().value(Subtract(100_000))


def test_time_limits_hold_without_any_search() -> None:
    """The heaps of an octal game without known period are computed one by one."""
    heap = OctalHeaps("0.007", (200_000,))
    with pytest.raises(BudgetExceeded, match="time limit"):
        LocalSearch(seconds=0.3).value(heap)


def test_parts_are_not_added_up() -> None:
    board = Domineering.parse("..#..|..#..|#####|...##")
    parts = LocalSearch().all_values([board])
    assert len(parts) == 3
    assert sum(parts, number(0)) is LocalSearch().value(board)
