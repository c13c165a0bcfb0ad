"""Subgoals of a conjunction: the best goal, played through on the rules."""

from __future__ import annotations

import re

import numpy as np
import pytest
from numpy.typing import NDArray

from ludisect import load
from ludisect.circuit.rows import Rows, mask_of
from ludisect.decomposition.methods import decompose
from ludisect.search.budget import Budget
from ludisect.search.limits import SearchLimits
from ludisect.search.oneplayer.errand import run_errand
from ludisect.search.oneplayer.subgoals import best_goal, solve_subgoals, subgoals
from ludisect.search.solve import solve
from ludisect.search.study import Study
from ludisect.search.way import Inapplicable
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
    (found,) = subgoals(parts, net)
    asked = {str(game.fluents[f]): on for f, on in found.fixed.items()}
    assert asked == {"(on a)": True, "(on b)": True, "(on c)": False}
    answer = solve(parts, "subgoals")
    assert answer.exact
    assert answer.value == {"r": 100}
    assert len(answer.why) == 4  # three parts and the order


def test_a_goal_with_a_choice() -> None:
    text = SWITCHES.replace("(true (on a)) (not (true (on c))) agree)", "agree)").replace(
        "(init (on c))", "(init (on a))"
    )
    parts = by_hand(load(text), [(rf"\(on {x}\)", rf"\(flip {x}\)") for x in "ab"])
    found = [
        {str(parts.game.fluents[f]): on for f, on in s.fixed.items()} for s in subgoals(parts, best_goal(parts)[1])
    ]
    assert sorted(x["(on a)"] for x in found) == [False, True]
    assert all(x["(on a)"] == x["(on b)"] for x in found)
    answer = solve(parts, "subgoals")
    assert answer.value == {"r": 100}
    assert len(answer.why) == 2  # one flip in one part, and the order


def test_the_play_must_end_with_the_last_move_and_not_before() -> None:
    parts = blocks_maze()
    answer = solve(parts, "subgoals")
    assert answer.exact
    assert answer.value == {"robot": 100}
    game = parts.game
    assert answer.why[-1].endswith("grab move move drop")
    by_name = {str(move): move for move in game.moves[0]}
    state = game.initial_state()
    for text in re.findall(r"\([^()]*\)|\S+", answer.why[-1].removeprefix("in this order: ")):
        assert not game.is_terminal(state)
        assert by_name[text] in game.legal_moves(state)["robot"]
        state = game.next_state(state, {"robot": by_name[text]})
    assert game.is_terminal(state)
    assert game.goals(state) == {"robot": 100}


def test_interleaved_plans_are_left_to_others() -> None:
    with pytest.raises(Inapplicable, match="not in any order"):
        solve_subgoals(Study(two_track()), Budget())
    assert solve(two_track()).value == {"walker": 100}


LAMPS_IN_TIME = """
(role r) (init (time 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(<= (legal r (light ?x)) (lamp ?x)) (lamp a) (lamp b) (legal r wait)
(<= (next (on ?x)) (does r (light ?x))) (<= (next (on ?x)) (true (on ?x)))
(<= (next (time ?n)) (true (time ?m)) (succ ?m ?n))
(<= both (true (on a)) (true (on b)))
(<= terminal (true (time 5)))
(<= (goal r 100) both) (<= (goal r 0) (not both))
"""


def test_what_is_left_of_the_time_is_waited_for() -> None:
    parts = by_hand(load(LAMPS_IN_TIME), [(rf"\(on {x}\)", rf"\(light {x}\)") for x in "ab"], [r"\(time "])
    answer = solve(parts, "subgoals")
    assert answer.value == {"r": 100}
    assert answer.why[-1] == "in this order: (light a) (light b) wait wait wait"


def test_an_errand_is_a_shortest_way_and_explores_no_more() -> None:
    parts = blocks_maze()
    game = parts.game
    walk = np.array([m for m, move in enumerate(game.moves[0]) if str(move) in ("move", "grab", "drop")])
    gold = next(f for f, term in enumerate(game.fluents) if str(term) == "(gold hand)")

    def unmet(rows: Rows) -> NDArray[np.int64]:
        return 1 - np.asarray((rows[:, gold >> 6] >> np.uint64(gold & 63)) & np.uint64(1), np.int64)

    seen = mask_of(parts.dependent[0].fluent_numbers, len(game.fluents))
    errand = run_errand(game, game.batch.initial, walk, seen, unmet, Budget())
    assert errand is not None
    assert [str(game.moves[0][m]) for m in errand.moves] == ["move", "move", "grab"]
    assert not errand.over
    assert errand.looked < 10
    assert run_errand(game, game.batch.initial, walk[:0], seen, unmet, Budget()) is None
    for wanted in ({gold: True}, None):  # by a solver, and by promise
        other = run_errand(game, game.batch.initial, walk, seen, unmet, Budget(), wanted=wanted, broad=0)
        assert other is not None
        row = game.batch.initial
        for m in other.moves:
            assert game.batch.legal(row)[0, m]
            row = game.batch.next(row, np.array([[m]]))
        assert np.array_equal(row, other.row)
        assert unmet(row).tolist() == [0]
        assert run_errand(game, game.batch.initial, walk[:0], seen, unmet, Budget(), wanted=wanted, broad=0) is None


LATIN = """
(role r) (n 1) (n 2) (n 3) (n 4) (init (off lamp))
(<= (init (cell ?x ?y blank)) (n ?x) (n ?y) (distinct ?x ?y)) (init (cell 1 1 1)) (init (cell 2 2 1))
(init (cell 3 3 2)) (init (cell 4 4 2))
(<= (taken ?x ?y ?v) (n ?y) (true (cell ?x ?z ?v))) (<= (taken ?x ?y ?v) (n ?x) (true (cell ?z ?y ?v)))
(<= (legal r (put ?x ?y ?v)) (true (cell ?x ?y blank)) (n ?v) (not (taken ?x ?y ?v)))
(<= (legal r (light lamp)) (true (off lamp)))
(legal r stop)
(<= (changed ?x ?y) (does r (put ?x ?y ?v)))
(<= (next (cell ?x ?y ?v)) (does r (put ?x ?y ?v)))
(<= (next (cell ?x ?y ?v)) (true (cell ?x ?y ?v)) (not (changed ?x ?y)))
(<= (next (off lamp)) (true (off lamp)) (not (does r (light lamp))))
(<= (next stopped) (does r stop)) (<= (next stopped) (true stopped))
(<= open (true (cell ?x ?y blank)))
(<= terminal (true stopped))
(<= (goal r 100) (not open) (not (true (off lamp)))) (<= (goal r 0) open) (<= (goal r 0) (true (off lamp)))
"""
"""A Latin square with twelve empty cells, and a lamp; no number may be put where it is already in line."""


def test_a_part_with_more_states_than_plans() -> None:
    parts = decompose(load(LATIN))
    assert len(parts.dependent) == 3
    answer = solve(parts, "subgoals")
    assert answer.value == {"r": 100}
    assert answer.exact
    assert answer.nodes > SearchLimits().errand_broad  # the shortest way was given up
