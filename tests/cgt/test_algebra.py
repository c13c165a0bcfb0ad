"""Reduced canonical form, atomic weight, incentives, ordinal sums."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludisect.cgt import (
    Value,
    atomic_weight,
    incentives,
    is_all_small,
    left_incentives,
    make,
    nimber,
    number,
    ordinal_sum,
    parse,
    reduced,
    right_incentives,
    up,
)
from ludisect.cgt.reduction import at_least, reduced_of, reduced_sum
from ludisect.cgt.value import canonical

from .forms import values

quick = settings(max_examples=50, deadline=None)

_both = st.recursive(
    st.sampled_from([number(0), nimber(1), nimber(2), up(1), up(-1), up(2), up(1, 1), up(-2, 1)]),
    lambda options: st.builds(
        make, st.lists(options, min_size=1, max_size=2), st.lists(options, min_size=1, max_size=2)
    ).filter(is_all_small),
    max_leaves=5,
)


@quick
@given(values(), values())
def test_reduced_form(g: Value, h: Value) -> None:
    r = reduced(g)
    assert (g - r).is_infinitesimal
    assert reduced(r) is r
    assert make(r.left, r.right) is r, "a reduced canonical form is canonical"
    assert r.birthday <= g.birthday
    assert (at_least(g, h) and at_least(h, g)) == (reduced(h) is r) == (g - h).is_infinitesimal
    assert at_least(g, h) == ((g - h).right_stop >= 0)


@quick
@given(values(), values())
def test_reduced_form_forgets_infinitesimals(g: Value, h: Value) -> None:
    assert reduced(g + up(1)) is reduced(g + nimber(3)) is reduced(g)
    assert reduced(g + h) is reduced(reduced(g) + reduced(h))


@quick
@given(values(), values())
def test_sums_of_reduced_forms(g: Value, h: Value) -> None:
    assert reduced_sum(reduced(g), reduced(h)) is reduced(g + h)


@quick
@given(*[st.lists(values().map(reduced), min_size=1, max_size=3)] * 2)
def test_reduced_form_from_reduced_options(left: list[Value], right: list[Value]) -> None:
    assert reduced_of(left, right) is reduced(canonical(left, right))


def test_reduced_form_of_the_thesis() -> None:
    """Mäser 2001, 8.2.3: {{3|1},3|-3,{-2|-4}} reduces to {3|-3,{-2|-4}}."""
    assert str(reduced(parse("{{3|1},3|-3,{-2|-4}}"))) == "{3|-3,{-2|-4}}"


@quick
@given(_both, _both)
def test_atomic_weight_is_additive(g: Value, h: Value) -> None:
    a, b, total = atomic_weight(g), atomic_weight(h), atomic_weight(g + h)
    assert a is not None
    assert b is not None
    assert total is a + b
    if a >= 2:
        assert g > 0, "two ahead wins"
    if a >= 1:
        assert not g <= 0, "one ahead wins moving first"


@pytest.mark.parametrize(
    ("text", "weight"),
    [("0", "0"), ("*5", "0"), ("^^*", "2"), ("vvv", "-3"), ("{0|v}", "0"), ("{^^|vv}", "*"), ("{^^^^|0}", "2*")],
)
def test_atomic_weights(text: str, weight: str) -> None:
    assert atomic_weight(parse(text)) is parse(weight)


@quick
@given(*[st.integers(-9, 9)] * 4, st.booleans())
def test_the_remote_star_tells_whole_weights(a: int, b: int, c: int, d: int, hot_right: bool) -> None:
    """The weight is n if the game minus n - 1 ups is above a remote star, and minus n + 1 ups below it (Siegel, II.7).

    One option is often as hot as {9 ups|9 downs}: its weight is then a switch that many whole numbers fit beside.
    """
    hot = make([up(a)], [up(b)])
    g = make([up(c), up(d)], [hot]) if hot_right else make([hot], [up(c), up(d)])
    weight = atomic_weight(g)
    assert weight is not None
    star = nimber(8)  # no nimber below these games is larger than 1
    whole = [n for n in range(-12, 13) if g - (n - 1) * up(1) >= star and g - (n + 1) * up(1) <= star]
    assert whole == ([weight.number] if weight.is_number and weight.number.denominator == 1 else [])


@pytest.mark.parametrize(("text", "weight"), [("{↑8|±(↑7)}", 7), ("{±(↑6)|↓7}", -6), ("{{↑6|↓↓}|↓↓↓}", -2)])
def test_weights_beside_hot_ones(text: str, weight: int) -> None:
    assert atomic_weight(parse(text)) == weight


def test_no_atomic_weight() -> None:
    assert atomic_weight(parse("1")) is None
    assert atomic_weight(parse("tiny(1)")) is None
    assert atomic_weight(parse("+-1")) is None


@quick
@given(values())
def test_incentives(g: Value) -> None:
    lefts, rights = left_incentives(g), right_incentives(g)
    assert all(any(x - g <= y for y in lefts) for x in g.left)
    assert all(any(g - x <= y for y in rights) for x in g.right)
    assert not any(x >= 0 for x in incentives(g)), "no move is ever worth more than nothing for certain"


@quick
@given(values(3), values(3))
def test_ordinal_sum(g: Value, h: Value) -> None:
    total = ordinal_sum(g, h)
    assert ordinal_sum(g, number(0)) is g
    assert ordinal_sum(number(0), h) is h
    assert ordinal_sum(-g, -h) is -total
    assert total.compare(g) is h.compare(number(0)), "the colon principle"
