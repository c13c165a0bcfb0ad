"""Who may pass when, and that tables of classes know it."""

from __future__ import annotations

import numpy as np
import pytest

from ludisect import load
from ludisect.search.part.passing import ALWAYS, FORCED, NEVER
from ludisect.search.part.views import Views
from ludisect.search.quotient.classes import quotient
from ludisect.search.quotient.product import Explorer
from ludisect.search.whole.backward import solve_graph
from ludisect.search.whole.whole import solve_whole
from tests.search.byhand import by_hand
from tests.search.known import double_crisscross

WALKS = """
(role a) (role b) (follows a b) (follows b a) (init (control a)) (init (one 0)) (init (two 0))
(goes a 0 1) (goes b 0 2) (goes a 1 3) (goes b 2 3) (goes a 2 4) (goes b 3 4)
(<= (can ?p (walk1 ?y)) (true (one ?x)) (goes ?p ?x ?y))
(<= (can ?p (walk2 ?y)) (true (two ?x)) (goes ?p ?x ?y))
(<= (able ?p) (can ?p ?m))
(<= (legal ?p ?m) (true (control ?p)) (can ?p ?m))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= moved1 (does ?p (walk1 ?y))) (<= moved2 (does ?p (walk2 ?y)))
(<= (next (one ?y)) (does ?p (walk1 ?y))) (<= (next (one ?x)) (true (one ?x)) (not moved1))
(<= (next (two ?y)) (does ?p (walk2 ?y))) (<= (next (two ?x)) (true (two ?x)) (not moved2))
(<= (next (control ?q)) (true (control ?p)) (follows ?p ?q))
(<= (high ?x) (true (one ?x))) (<= (high ?x) (true (two ?x)))
(<= (goal a 100) (high 4)) (<= (goal a 0) (not (high 4)))
(<= (goal b 0) (high 4)) (<= (goal b 100) (not (high 4)))
"""
"""Two walks on which each player has steps of his own; a wants somebody to get to 4."""

BOTH_STUCK = "(<= terminal (not (able a)) (not (able b)))"
ONE_STUCK = "(<= stuck (true (control ?p)) (not (able ?p))) (<= terminal stuck)"
CLOCK = """
(init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y)) (<= terminal (true (step 5)))
"""
PASS_IF_STUCK = "(<= (legal ?p pass) (true (control ?p)) (not (able ?p)))"
FREE_PASS = "(<= (legal ?p pass) (true (control ?p)))"


@pytest.mark.parametrize(
    ("more", "mode"),
    [(PASS_IF_STUCK + BOTH_STUCK, FORCED), (ONE_STUCK, NEVER), (FREE_PASS + CLOCK, ALWAYS)],
)
def test_passes(more: str, mode: int) -> None:
    game = load(WALKS + more)
    parts = by_hand(
        game, [(r"\(one ", r"\(walk1 "), (r"\(two ", r"\(walk2 ")], [r"\(control ", *[r"\(step "] * ("step" in more)]
    )
    q = quotient(Views(parts))
    explorer = Explorer(q)
    assert explorer.idle is not None
    assert set(explorer.idle.tolist()) == {mode}
    found = solve_graph(explorer.explore().graph).low[0]
    whole = solve_whole(game)
    assert found.tolist() == [whole.value["a"], whole.value["b"]]
    by_members = solve_graph(Explorer(q, by_tables=False).explore().graph).low[0]
    assert np.array_equal(found, by_members)


def test_passes_that_depend_on_more() -> None:
    # a may pass while somebody is on 1: no table of classes says that
    game = load(WALKS + PASS_IF_STUCK + BOTH_STUCK + "(<= (legal ?p wait) (true (control ?p)) (true (one 1)))")
    q = quotient(Views(by_hand(game, [(r"\(one ", r"\(walk1 "), (r"\(two ", r"\(walk2 ")], [r"\(control "])))
    explorer = Explorer(q)
    assert explorer.assembly is None
    values = solve_graph(explorer.explore().graph).low[0]
    assert values.tolist() == list(solve_whole(game).value.values())


def test_crossings_go_by_tables() -> None:
    explorer = Explorer(quotient(Views(double_crisscross())))
    assert explorer.idle is not None
    assert set(explorer.idle.tolist()) == {FORCED}
    assert explorer.assembly is not None
