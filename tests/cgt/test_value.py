"""The kernel against brute force and against the laws of the theory."""

from __future__ import annotations

import pickle
from fractions import Fraction

import pytest
from hypothesis import given, settings

from ludisect.cgt import (
    Order,
    Value,
    budget,
    decode,
    encode,
    followers,
    make,
    nimber,
    number,
    parse,
    switch,
    text,
    tiny,
    up,
)
from ludisect.cgt.value import canonical, le, negate
from ludisect.errors import BudgetExceeded, InputError

from .forms import Form, forms, is_le, outcome, plus, to_form, to_value, values

quick = settings(max_examples=60, deadline=None)


@quick
@given(forms(), forms())
def test_order_is_that_of_the_trees(g: Form, h: Form) -> None:
    a, b = to_value(g), to_value(h)
    assert (a <= b) == is_le(g, h)
    assert (a >= b) == is_le(h, g)
    assert (a == b) == (is_le(g, h) and is_le(h, g))
    assert a.outcome == outcome(g)


@quick
@given(forms(), forms(2))
def test_sum_is_that_of_the_trees(g: Form, h: Form) -> None:
    assert to_value(g) + to_value(h) is to_value(plus(g, h))


@quick
@given(forms())
def test_canonical_form_is_equal_to_the_tree(g: Form) -> None:
    h = to_form(to_value(g))
    assert is_le(g, h)
    assert is_le(h, g)


@quick
@given(values())
def test_canonical_form_is_unique_and_minimal(g: Value) -> None:
    for x in followers(g):
        for y in x.left:
            assert not any(y <= z for z in x.left if z is not y), "dominated"
            assert not any(z <= x for z in y.right), "reversible"
        for y in x.right:
            assert not any(y >= z for z in x.right if z is not y), "dominated"
            assert not any(z >= x for z in y.left), "reversible"
        assert canonical(list(x.left), list(x.right)) is x


@quick
@given(values(), values(), values())
def test_abelian_group(g: Value, h: Value, k: Value) -> None:
    assert (g + h) + k is g + (h + k)
    assert g + h is h + g
    assert g + 0 is g
    assert g - g == 0
    assert negate(-g) is g
    assert -(g + h) is -g - h


@quick
@given(values(), values(), values())
def test_partial_order(g: Value, h: Value, k: Value) -> None:
    answers = [g < h, g == h, g > h, g.compare(h) is Order.CONFUSED]
    assert answers.count(True) == 1
    assert (g != h) is not (g == h)
    assert g <= g
    if g <= h and h <= k:
        assert g <= k
    if g <= h:
        assert g + k <= h + k
    assert (g - h).outcome == {Order.LESS: "R", Order.EQUAL: "P", Order.GREATER: "L", Order.CONFUSED: "N"}[g.compare(h)]


@quick
@given(values())
def test_number_avoidance(g: Value) -> None:
    """Whoever wins g + x by moving in the number x also wins by moving in g, if g is no number."""
    if not g.is_number:
        for x in (number(1), number(-2), number(Fraction(1, 2)), number(Fraction(-3, 4))):
            total = g + x
            if any(y + g >= 0 for y in x.left):
                assert any(y + x >= 0 for y in g.left)
            assert total.left_stop == g.left_stop + x.number


@quick
@given(values())
def test_stops_by_definition(g: Value) -> None:
    def stop(x: Value, left: bool) -> Fraction:
        if x.is_number:
            return x.number
        return max(stop(y, False) for y in x.left) if left else min(stop(y, True) for y in x.right)

    assert (g.left_stop, g.right_stop) == (stop(g, True), stop(g, False))


@quick
@given(values())
def test_birthday_is_the_height(g: Value) -> None:
    def height(x: Form) -> int:
        return 1 + max(map(height, (*x[0], *x[1]))) if x[0] or x[1] else 0

    assert g.birthday == height(to_form(g))


@quick
@given(values())
def test_text_and_data_round_trips(g: Value) -> None:
    assert parse(str(g)) is g
    assert parse(text(g, plain=True)) is g
    assert text(g, plain=True).isascii()
    assert Value(str(g)) is g
    assert eval(repr(g), {"Value": Value}) is g
    assert decode(encode(g)) is g
    assert pickle.loads(pickle.dumps(g)) is g
    assert g._repr_latex_().startswith("$")


@pytest.mark.parametrize("x", [0, 3, -4, Fraction(1, 2), Fraction(-5, 8), Fraction(7, 4)])
@pytest.mark.parametrize("ups", range(-3, 4))
@pytest.mark.parametrize("nim", range(5))
def test_atoms_agree_with_their_options(x: Fraction | int, ups: int, nim: int) -> None:
    """The O(1) representation of x + u·↑ + *n is the canonical form of the options it spells out."""
    g = number(x) + up(ups, nim)
    assert make(g.left, g.right) is g
    assert parse(str(g)) is g
    total = number(0)
    for _ in range(abs(ups)):
        total = total + (make([0], [nimber(1)]) if ups > 0 else make([nimber(1)], [0]))
    assert total + make(map(nimber, range(nim)), map(nimber, range(nim))) + x is g


def test_day_two_has_22_values() -> None:
    """22 games are born by day 2 (Winning Ways, ch. 6)."""
    day: list[Value] = [number(0)]
    for expected in (4, 22):
        subsets = [[x for i, x in enumerate(day) if bits >> i & 1] for bits in range(1 << len(day))]
        day = list({make(left, right) for left in subsets for right in subsets})
        assert len(day) == expected
    assert all(x.birthday <= 2 for x in day)


def test_integers_stand_for_values() -> None:
    half = Fraction(1, 2)
    assert number(1) == 1
    assert number(half) == half
    assert nimber(1) != 0
    assert hash(number(3)) == hash(3)
    assert 1 - nimber(1) == nimber(1) + 1
    assert nimber(1) * 2 == 0
    assert 3 * up(1) == up(3)
    assert number(half) * -4 == -2
    assert number(0) < switch(1) + 2
    assert up(1) != "up"
    with pytest.raises(InputError, match="power of two"):
        number(Fraction(1, 3))
    assert number(0.5) is number(half)
    with pytest.raises(InputError, match="is not a number"):
        _ = nimber(1).number


def test_large_atoms_cost_nothing() -> None:
    g = number(10**12) + up(10**9, 10**6)
    assert g - number(10**12) > 0
    assert (g + g).number_up_star == (2 * 10**12, 2 * 10**9, 0)
    assert switch(10**15, -(10**15)) + 5 > -(10**16)
    with pytest.raises(BudgetExceeded, match="options"):
        _ = nimber(10**6).left


def test_budget_ends_an_addition() -> None:
    games = [make([make([5 * k], [3])], [make([-k], [-7, nimber(k)])]) for k in range(2, 12)]
    with pytest.raises(BudgetExceeded), budget(nodes=50):
        sum(games, number(0))
    with pytest.raises(BudgetExceeded), budget(seconds=0.0):
        sum((g + switch(Fraction(1, 4)) for g in games), number(0))


def test_nested_budgets_end_at_the_earlier_time() -> None:
    games = [make([make([5 * k], [3])], [make([-k], [-7, nimber(k)])]) for k in range(2, 12)]
    with pytest.raises(BudgetExceeded, match="time limit"), budget(seconds=0.0), budget(nodes=10**9):
        sum((g + switch(Fraction(1, 8)) for g in games), number(0))


def test_tiny_is_less_than_every_up() -> None:
    assert 0 < tiny(1) < up(1)
    assert tiny(2) < tiny(1)
    assert le(-tiny(1), number(0))
