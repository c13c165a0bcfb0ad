"""Depth-first search against retrograde values."""

from __future__ import annotations

import pytest

from ludisect.answer import Answer
from ludisect.errors import BudgetExceeded
from ludisect.loader import load
from ludisect.search.budget import Budget
from ludisect.search.way import Inapplicable
from ludisect.search.whole.alphabeta import solve_depth_first
from ludisect.search.whole.whole import solve_whole


@pytest.mark.parametrize(
    "name", ["tictactoe", "nim:2,3,3", "nim-misere:2,3", "toads-and-frogs", "lights-on", "four-lamps", "chomp:3x3"]
)
def test_same_values(name: str) -> None:
    game = load(name)
    found, whole = solve_depth_first(game), solve_whole(game)
    assert found.exact
    assert found.value == whole.value
    state = game.initial_state()
    for role, move in found.move.items():
        moves = {r: move if r == role else some[0] for r, some in game.legal_moves(state).items()}
        after = solve_whole(game, start=game.batch.row(game.next_state(state, moves)))
        assert after.value[role] == found.value[role]


def test_fewer_positions_than_there_are() -> None:
    assert solve_depth_first(load("tictactoe")).nodes < 5478


def test_shallow_bounds_hold() -> None:
    game = load("nim:2,3,3")
    value = solve_whole(game).value
    for depth in range(8):
        answer = solve_depth_first(game, depth=depth)
        for role in game.roles:
            low, high = answer.bounds.get(role, (answer.value[role], answer.value[role]))
            true = value[role]
            assert low is not None
            assert high is not None
            assert true is not None
            assert low <= true <= high


def test_limits_and_other_games() -> None:
    with pytest.raises(BudgetExceeded) as stop:
        solve_depth_first(load("connect-four"), budget=Budget(memory=1e6))
    assert isinstance(stop.value.partial, Answer)
    with pytest.raises(Inapplicable, match="one role to choose"):
        solve_depth_first(load("rock-paper-scissors:2"))
    with pytest.raises(Inapplicable, match="two players"):
        solve_depth_first(load("three-player-tictactoe"))
