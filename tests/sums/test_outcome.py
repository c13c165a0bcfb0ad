"""Outcomes of sums without their value: against the added-up sum, with every shortcut off, and on long sums."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludisect.cgt import Value, number, parse
from ludisect.errors import BudgetExceeded
from ludisect.sums.outcome import SumSolver, sum_values
from tests.cgt.forms import values

quick = settings(max_examples=30, deadline=None)
components = st.lists(values(4), max_size=4)

SWITCHES = [
    {"use_walls": False},
    {"use_domination": False},
    {"use_stops": False},
    {"use_walls": False, "use_domination": False, "use_stops": False},
]


@quick
@given(components)
def test_outcome_is_that_of_the_value(games: list[Value]) -> None:
    assert SumSolver().outcome(games).letter == sum(games, number(0)).outcome


@quick
@given(components)
@pytest.mark.parametrize("off", SWITCHES, ids=["walls", "domination", "stops", "all"])
def test_off_switches_change_nothing(off: dict[str, bool], games: list[Value]) -> None:
    solver = SumSolver(kernel="plain", **off)
    assert solver.outcome(games).letter == sum(games, number(0)).outcome


@quick
@given(components)
def test_at_the_critical_number(games: list[Value]) -> None:
    """Shifted so that Left's stop is 0, only infinitesimals decide."""
    total = sum(games, number(0))
    shifted = [*games, number(-total.left_stop)]
    assert SumSolver().outcome(shifted).letter == (total - total.left_stop).outcome


@quick
@given(components)
def test_stop_bounds_hold(games: list[Value]) -> None:
    total = sum(games, number(0))
    bounds = SumSolver().stop_bounds(games)
    assert bounds["left"][0] <= total.left_stop <= bounds["left"][1]
    assert bounds["right"][0] <= total.right_stop <= bounds["right"][1]


@quick
@given(values(5))
def test_stop_bounds_of_one_game_are_its_stops(g: Value) -> None:
    bounds = SumSolver().stop_bounds([g])
    assert bounds == {"left": (g.left_stop, g.left_stop), "right": (g.right_stop, g.right_stop)}


@quick
@given(components)
def test_stop_bounds_are_the_same_for_both_players(games: list[Value]) -> None:
    bounds, mirrored = SumSolver().stop_bounds(games), SumSolver().stop_bounds([-g for g in games])
    for one, other in (("left", "right"), ("right", "left")):
        low, high = bounds[one]
        assert mirrored[other] == (-high, -low)


def test_stop_bounds_by_hand() -> None:
    """{4|0} + {1|-1}: the walls at temperature 1, where the second game is frozen, narrow the bounds at 0."""
    bounds = SumSolver().stop_bounds([parse("{4|0}"), parse("{1|-1}")])
    assert list(bounds["left"]) == [3, 4]
    assert list(bounds["right"]) == [0, 1]


def test_proof_by_means_can_be_checked_by_hand() -> None:
    games = [parse("{3|1}"), parse("{5|2||1}"), parse("{2|-1}")]
    found = SumSolver().outcome(games)
    assert (found.letter, found.proof) == ("L", "means")
    assert found.mean == sum(g.mean for g in games) > found.temperature == max(g.temperature for g in games)


def test_long_sums_are_never_added_up() -> None:
    games = [parse(f"{{{{{9 * k + 5}|{k}}}|{{-{k}|-{7 * k + 3}*}}}}") for k in range(1, 40)]
    games += [-g for g in games[:20]] + [number(Fraction(1, 4))]
    assert SumSolver(seconds=120).outcome(games).letter in "LRNP"
    assert SumSolver().outcome([*games, *(-g for g in games)]).letter == "P"


def test_limits() -> None:
    games = [parse(f"{{{{{9 * k + 5}|{k}}}|{{-{k}|-{7 * k + 3}*}}}}") for k in range(1, 30)]
    with pytest.raises(BudgetExceeded) as caught:
        sum_values(games, nodes=500)
    assert isinstance(caught.value.partial, int)
    hard = [parse(f"{{{{{5 + k}|1}}|{{-{k}|-{7 + k}*}}}}") for k in range(14)]
    critical = [*hard, number(-SumSolver().stop_bounds(hard)["left"][0])]
    with pytest.raises(BudgetExceeded) as caught:
        SumSolver(seconds=0.0, use_walls=False, use_domination=False).outcome(critical)
    assert isinstance(caught.value.partial, dict)
    assert set(caught.value.partial["stops"]) == {"left", "right"}
