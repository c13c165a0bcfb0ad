"""What is said at a limit: bounds that hold, and a move that random plays speak for."""

from __future__ import annotations

import pytest

from ludisect import load
from ludisect.answer import Answer
from ludisect.effort import Effort
from ludisect.errors import BudgetExceeded
from ludisect.search.firstmove import guess_moves
from ludisect.search.solve import solve
from tests.search.known import taken_apart


def test_random_plays_prefer_the_centre() -> None:
    moves, plays = guess_moves(load("tictactoe"), Effort(1e12))
    assert {role: str(move) for role, move in moves.items()} == {"xplayer": "(mark 2 2)"}
    assert plays == 9 * 64


def test_every_role_with_a_choice_gets_a_move() -> None:
    game = load("rock-paper-scissors")
    moves, _ = guess_moves(game)
    assert set(moves) == set(game.roles)


def test_without_work_the_move_is_merely_legal() -> None:
    game = load("tictactoe")
    moves, plays = guess_moves(game, Effort(0.0))
    assert plays == 0
    assert moves["xplayer"] in game.legal_moves(game.initial_state())["xplayer"]


def at_limit(name: str, by: str, seconds: float) -> Answer:
    parts = taken_apart(name)  # which has no part in the time
    with pytest.raises(BudgetExceeded, match=f"not finished within {seconds:g} s") as stop:
        solve(parts, by, seconds=seconds)
    assert stop.value.budget == "seconds"
    assert isinstance(stop.value.partial, Answer)
    return stop.value.partial


@pytest.mark.parametrize("by", ["parts", "whole", "quotient", "alpha-beta"])
def test_a_limit_leaves_bounds_and_a_move(by: str) -> None:
    known = at_limit("double-crisscross", by, 0.3)
    assert not known.exact
    assert known.value == {"red": None, "blue": None}
    assert all(0 <= low <= high <= 100 for low, high in known.bounds.values())
    assert "red" in known.move
    assert any("nothing is known yet of the moves of red" in note for note in known.notes)


def test_what_was_tried_is_said() -> None:
    known = at_limit("double-crisscross", "parts", 0.0)
    assert any("no time was left to solve it by parts" in note for note in known.notes)


def test_a_search_for_one_player_stops_at_the_best_goal() -> None:
    answer = solve(load("lights-on-parallel"), "whole")
    assert answer.exact
    assert answer.value == {"presser": 100}
    assert "the search stopped at the best goal that the rules know" in answer.notes
