"""Subgoals of a conjunction: the best goal, played through on the rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludisect import load
from ludisect.decompose.methods import decompose
from ludisect.search.budget import Budget
from ludisect.search.solve import solve
from ludisect.search.subgoals import best_goal, play_through, solve_subgoals, subgoals
from ludisect.search.ways import Inapplicable
from tests.search.byhand import by_hand
from tests.search.known import blocks_maze, two_track

SWITCHES = """
(role r) (switch a) (switch b) (switch c)
(<= (legal r (flip ?x)) (switch ?x))
(<= (next (on ?x)) (true (on ?x)) (not (does r (flip ?x))))
(<= (next (on ?x)) (does r (flip ?x)) (not (true (on ?x))))
(init (on c))
(<= good (true (on a)) (not (true (on c))) agree)
(<= agree (true (on a)) (true (on b)))
(<= agree (not (true (on a))) (not (true (on b))))
(<= terminal good)
(<= (goal r 100) good) (<= (goal r 0) (not good))
"""
"""Three switches: a on, c off, and b as a; that b has to be on follows from what a has to be."""


def test_what_is_fixed_makes_more_fall_apart() -> None:
    game = load(SWITCHES)
    parts = by_hand(game, [(rf"\(on {x}\)", rf"\(flip {x}\)") for x in "abc"])
    value, net = best_goal(parts)
    assert value == 100
    found = subgoals(parts, net)
    assert found is not None
    asked = {str(game.fluents[f]): on for f, on in found.fixed.items()}
    assert asked == {"(on a)": True, "(on b)": True, "(on c)": False}
    answer = solve(parts, "subgoals")
    assert answer.exact
    assert answer.value == {"r": 100}
    assert len(answer.why) == 4  # three parts and the order


def test_a_goal_with_a_choice_is_refused() -> None:
    text = SWITCHES.replace("(true (on a)) (not (true (on c))) agree)", "agree)").replace(
        "(init (on c))", "(init (on a))"
    )
    parts = by_hand(load(text), [(rf"\(on {x}\)", rf"\(flip {x}\)") for x in "ab"])
    assert subgoals(parts, best_goal(parts)[1]) is None


def test_the_play_must_end_with_the_last_move_and_not_before() -> None:
    parts = blocks_maze()
    answer = solve(parts, "subgoals")
    assert answer.exact
    assert answer.value == {"robot": 100}
    game = parts.game
    assert answer.why[-1].endswith("grab move move drop")
    assert not play_through(parts, [], 100)
    assert not play_through(parts, [game.move_index[0][answer.move["robot"]]], 100)


def test_interleaved_plans_are_left_to_others() -> None:
    with pytest.raises(Inapplicable, match="not in any order"):
        solve_subgoals(two_track(), Budget())
    assert solve(two_track()).value == {"walker": 100}


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["incredible", "nonogram_5x5_1"])
def test_puzzles_of_many_parts(corpus: Path, name: str) -> None:
    answer = solve(decompose(load(corpus / "games" / f"{name}.kif")))
    assert answer.exact
    assert answer.value == {"robot": 100}
