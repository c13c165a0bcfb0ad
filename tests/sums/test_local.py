"""Local search: a game of one's own, deepening with estimates, limits."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from ludisect.cgt import Value, make, number, reduced
from ludisect.errors import BudgetExceeded, InputError
from ludisect.rulesets import Domineering, OctalHeaps, Player, Position
from ludisect.sums.local import LocalSearch, deepen


@dataclass(frozen=True)
class Territory(Domineering):
    """Domineering with a guess: the dominoes that still fit, Left's minus Right's."""

    def __post_init__(self) -> None:
        assert len(self.cells) == self.rows * self.cols

    __eq__ = Domineering.__eq__
    __hash__ = Domineering.__hash__

    def estimate(self) -> int:
        low, high = self.bounds()
        return int(low + high)


@dataclass(frozen=True)
class Subtract(Position):
    """Left takes one or three tokens, Right one or two: a user's game in ten lines."""

    tokens: int
    name = "subtract"

    def moves(self, player: Player) -> list[int]:
        return [k for k in ((1, 3) if player is Player.LEFT else (1, 2)) if k <= self.tokens]

    def play(self, player: Player, move: int) -> Position:
        return Subtract(self.tokens - move)


def test_a_game_of_ones_own() -> None:
    search = LocalSearch()
    values: list[Value] = [search.value(Subtract(n)) for n in range(5)]
    for n in range(5):
        left = [values[n - k] for k in (1, 3) if k <= n]
        right = [values[n - k] for k in (1, 2) if k <= n]
        assert values[n] is make(left, right)


def test_deepening_ends_with_the_exact_value() -> None:
    board = Territory.parse("3x4")
    found = list(deepen(board))
    assert found[-1].exact
    assert not found[0].exact
    assert [g.depth for g in found] == list(range(1, len(found) + 1))
    assert found[-1].value is reduced(LocalSearch().value(board))
    assert all(g.value is reduced(g.value) for g in found)


def test_deepening_needs_an_estimate_and_keeps_to_its_limits() -> None:
    with pytest.raises(InputError, match="has no estimate"):
        list(deepen(Domineering.parse("3x3")))
    assert [g.depth for g in deepen(Territory.parse("3x4"), most=2)] == [1, 2]
    assert list(deepen(Territory.parse("4x4"), seconds=0.0)) == []


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
    parts = LocalSearch().part_values(board)
    assert len(parts) == 3
    assert sum(parts, number(0)) is LocalSearch().value(board)
