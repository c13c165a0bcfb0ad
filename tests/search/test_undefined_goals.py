"""Goals that the rules do not define, or define twice, count as 0: in sums, in comparisons and in values."""

from __future__ import annotations

import numpy as np
import pytest

from ludisect import load
from ludisect.composition import compose_one
from ludisect.decomposition.methods import decompose
from ludisect.errors import BudgetExceeded
from ludisect.gdl.writer import write
from ludisect.search.solve import solve
from ludisect.search.whole.backward import constant_sum
from ludisect.search.whole.statespace import explore
from tests.search.agreement import Tally, Whole

COINS = """
(role odd) (role even) (init (open)) (face heads) (face tails)
(<= (legal ?r ?f) (role ?r) (face ?f))
(<= (next (up ?r ?f)) (does ?r ?f))
(<= terminal (not (true (open))))
(<= same (true (up odd ?f)) (true (up even ?f)))
{goals}
"""


@pytest.mark.parametrize(
    ("goals", "value"),
    [
        ("(<= (goal odd 100) (not same)) (<= (goal even 100) same)", (50, 50)),
        ("(<= (goal odd 60) (role odd))", (60, 0)),
        ("(goal odd 30) (goal even 70) (goal even 20)", (30, 0)),
        (
            "(<= (goal odd 80) (not same)) (<= (goal even 80) same) (<= (goal odd 5) same) (<= (goal odd 9) same)",
            (40, 40),
        ),
    ],
)
def test_choices_at_once(goals: str, value: tuple[int, int]) -> None:
    game = load(COINS.format(goals=goals))
    for by in ("whole", "parts"):
        answer = solve(game, by)
        assert answer.exact
        assert tuple(answer.value.values()) == value
    assert constant_sum(explore(game).graph)


@pytest.mark.parametrize("number", range(12))
def test_a_goal_of_nothing_need_not_be_written(number: int) -> None:
    rules = compose_one(number, 5).rules
    silent_rules = write(rules).replace("(goal ", "(earned ") + "(<= (goal ?r ?v) (earned ?r ?v) (distinct ?v 0))"
    try:
        whole, silent = Whole(load(rules)), Whole(load(silent_rules))
    except BudgetExceeded:
        pytest.skip("too large to search whole")
    assert whole.values.rule == silent.values.rule
    assert np.array_equal(whole.values.low[0], silent.values.low[0])
    tally = Tally()
    tally.check(f"compound {number}", decompose(silent.game), whole)
    assert tally.faults == []
