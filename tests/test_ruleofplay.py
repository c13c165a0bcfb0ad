"""The rule of play: stated once; the compiled comparison is the plain one; every way names the same rule."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludisect import load, solve
from ludisect.answer import Answer
from ludisect.errors import BudgetExceeded, InputError
from ludisect.ruleofplay import MAX_N, MINIMAX, OPTIMUM, STATED, UNSETTLED, in_turn, named, rule_for, stated
from ludisect.search.limits import SearchLimits
from ludisect.search.solve import names
from ludisect.search.whole import backward
from ludisect.settings import using

payoffs = st.tuples(*[st.integers(0, 2)] * 3)


def prefers(role: int, one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Whether a role that chooses alone takes the one outcome rather than the other: max-n and its tie rule."""
    return one < other if one[role] == other[role] else one[role] > other[role]


@given(payoffs, payoffs, st.integers(0, 2))
def test_the_compiled_comparison_is_the_plain_one(one: tuple[int, ...], other: tuple[int, ...], role: int) -> None:
    compiled = backward._better(np.array(one, np.float64), np.array(other, np.float64), role)
    assert bool(compiled) == prefers(role, one, other)
    assert not (prefers(role, one, other) and prefers(role, other, one))
    assert prefers(role, one, other) or prefers(role, other, one) or one == other


def test_the_form_of_a_game_tells_its_rule() -> None:
    assert rule_for(1, at_once=False, constant_sum=False) == "optimum"
    assert rule_for(3, at_once=False, constant_sum=False) == "max-n"
    assert rule_for(2, at_once=True, constant_sum=True) == "equilibrium"
    assert rule_for(2, at_once=True, constant_sum=False) == "pessimistic"
    assert rule_for(3, at_once=True, constant_sum=True) == "pessimistic"
    assert (named("max-n", 2, constant_sum=True), named("max-n", 2, constant_sum=False)) == (MINIMAX, MAX_N)
    assert (in_turn(1), in_turn(2)) == (OPTIMUM, MINIMAX)


def test_every_rule_has_its_sentence() -> None:
    assert all(STATED.values())
    assert stated("normal play with threats") == STATED["normal play"]
    assert stated("either is stuck")
    assert stated("") == ""


@pytest.mark.parametrize(
    ("name", "rules"),
    [("two-track", {OPTIMUM}), ("nim:2,3", {MINIMAX, "normal play"})],
)
def test_every_way_names_the_same_rule(name: str, rules: set[str]) -> None:
    game = load(name)
    found = set()
    for by in names():
        try:
            answer = solve(game, by)
        except InputError:
            continue
        assert answer.to_json()["rule_of_play"] == stated(answer.rule) != ""
        if answer.exact:
            found.add(answer.rule)
    assert found == rules


def test_an_answer_at_a_limit_names_its_rule() -> None:
    for name, rules in {"two-track": {OPTIMUM}, "kayles:9,9": {MINIMAX, MAX_N, "normal play", UNSETTLED}}.items():
        for work in (0.0, 1e5, 1e6, 1e7):
            with using(SearchLimits(search_work=work)):
                try:
                    answer: object = solve(load(name))
                except BudgetExceeded as error:
                    answer = error.partial
            assert isinstance(answer, Answer)
            assert answer.rule in rules


def test_sums_state_theirs() -> None:
    assert solve("nim 2 + nim 3").to_json()["rule_of_play"] == STATED["normal play"]
