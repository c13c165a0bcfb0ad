"""Values and Python's numbers: what reads as a value, how numbers compare, what is refused in which words."""

from __future__ import annotations

import copy
import math
import pickle
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludisect.cgt import Order, Value, ascending, make, nimber, number, parse, switch, tiny, up
from ludisect.cgt.reader import Makers, read
from ludisect.errors import InputError

from .forms import Form, negative, plus, to_form, to_value, values


def test_what_reads_as_a_value() -> None:
    half = Value("1/2")
    assert half is number(Fraction(1, 2)) is Value(0.5) is Value(Fraction(1, 2)) is Value(half) is Value.parse("1/2")
    assert Value(True) is Value(1) is Value("1")
    assert Value("{1|*}") is make([1], [nimber(1)])
    assert repr(Value("{1|*}")) == "Value('{1|*}')"
    assert Value(0.1).number == Fraction(0.1), "a float is taken as it is"
    for g in (half, Value("{1|*}")):
        assert copy.copy(g) is copy.deepcopy(g) is pickle.loads(pickle.dumps(g)) is g


def test_public_names() -> None:
    assert {name for name in dir(Value) if not name.startswith("_")} == {
        "birthday",
        "compare",
        "is_infinitesimal",
        "is_number",
        "is_zero",
        "left",
        "left_stop",
        "mean",
        "number",
        "number_up_star",
        "outcome",
        "parse",
        "plot",
        "right",
        "right_stop",
        "temperature",
        "thermograph",
    }


def tree(x: Fraction | int, ups: int, nim: int) -> Form:
    """x + u·↑ + *n as a sum of trees that are not simplified."""
    out = plus(to_form(number(x)), to_form(nimber(nim)))
    for _ in range(abs(ups)):
        out = plus(out, to_form(up(1 if ups > 0 else -1)))
    return out


TREES: Makers[Form] = Makers(tree, lambda left, right: (tuple(left), tuple(right)), plus, negative)


@pytest.mark.parametrize("text", ["3/2", "-1^*", "vv*2", "{1|*}", "{2|0||-1}", "+-(1,{2|0})", "tiny(1) - miny({1|0})"])
def test_the_reader_makes_trees_as_well(text: str) -> None:
    """The reader knows nothing of canonical forms: what it makes of bare trees has the value that it makes at once."""
    assert to_value(read(text, TREES)) is parse(text)


# ---- order -------------------------------------------------------------------------------------------------------

thirds = st.fractions(-4, 4, max_denominator=12)


@given(values(), thirds)
def test_numbers_that_no_game_is_worth_have_their_place(g: Value, x: Fraction) -> None:
    """Beside x = 1/3 a game stands as beside the dyadic numbers next to x, which are far closer than any stop."""
    unit = 1 << 40
    below, above = Value(Fraction(math.floor(x * unit), unit)), Value(Fraction(math.ceil(x * unit), unit))
    assert (g < x) == (g < above if below is above else g <= below)
    assert (g > x) == (g > below if below is above else g >= above)
    assert (g == x) == (g is below is above)
    assert (g <= x, g >= x) == (g < x or g == x, g > x or g == x)
    assert (x > g, x < g, x >= g, x <= g) == (g < x, g > x, g <= x, g >= x)
    found = [g < x, g == x, g > x, g.compare(x) is Order.CONFUSED]
    assert found.count(True) == 1
    assert found.index(True) == [Order.LESS, Order.EQUAL, Order.GREATER, Order.CONFUSED].index(g.compare(x))


@given(values(), st.floats(-8, 8))
def test_floats_stand_for_exact_numbers(g: Value, x: float) -> None:
    exact = number(Fraction(x))
    assert (g < x, g <= x, g == x, g >= x, g > x) == (g < exact, g <= exact, g is exact, g >= exact, g > exact)
    assert g.compare(x) is g.compare(exact)
    assert g + x is g + exact
    assert g - x is g - exact
    assert x - g is exact - g


@given(st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.fractions(max_denominator=1)))
def test_equal_numbers_have_equal_hashes(x: int | float | Fraction) -> None:
    assert Value(x) == x
    assert x == Value(x)
    assert hash(Value(x)) == hash(x)
    assert {x: "found"}[Value(x)] == "found"  # type: ignore[index]


def test_infinities_and_nan() -> None:
    inf, nan = math.inf, math.nan
    for g in (Value("0"), switch(5), tiny(1), Value(10**40)):
        assert -inf < g < inf
        assert g.compare(inf) is Order.LESS
        assert g.compare(-inf) is Order.GREATER
        assert g != inf
        assert not any([g < nan, g <= nan, g == nan, g >= nan, g > nan])
        with pytest.raises(InputError, match="compared with nan"):
            g.compare(nan)
    for x in (inf, -inf, nan):
        with pytest.raises(InputError, match="is not the value of a short game"):
            Value(x)
        with pytest.raises(InputError, match="is not the value of a short game"):
            Value(1) + x


def test_comparison_with_text_and_zero() -> None:
    assert Value("*").compare(0) is Order.CONFUSED
    assert Value("^").compare(0) is Order.GREATER
    assert Value("1/2").compare("1/2") is Order.EQUAL
    assert Value("1/2").compare("{2|1}") is Order.LESS
    assert not Value("{1|*} - {1|*}")
    assert all(map(bool, (Value("*"), up(1), Value(-1), switch(1))))
    assert Value("0") == 0 == Value("0")
    assert Value("0") != "0"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("Value([1])", "a value is a Value, an int, a Fraction, a float, or the text of a value, not list"),
        ("Value(None)", "or the text of a value, not NoneType"),
        ("Value(1j)", "not complex"),
        ('g + "1"', "added to a Value, an int, a Fraction or a float, not to str '1'; Value"),
        ("g - [1]", "not to list"),
        ('"1" - g', "not to str '1'"),
        ('g < "1"', "compared with a Value, an int, a Fraction or a float, not with str '1'; compare"),
        ("g >= None", "not with NoneType"),
        ("g.compare([1])", "not with list"),
        ("g * g", "multiplied by an int, how often it is added up, not by Value"),
        ("0.5 * g", "not by float 0.5"),
        ('make([g, "x"], [])', "not str 'x'"),
    ],
)
def test_wrong_types_are_told_the_right_ones(wrong: str, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        eval(wrong, {"g": Value("{1|*}"), "Value": Value, "make": make})


def test_what_knows_how_to_be_added_is_asked() -> None:
    class Other:
        def __radd__(self, g: object) -> str:
            return f"{g} and other"

        def __rsub__(self, g: object) -> str:
            return f"{g} without other"

    assert Value("*") + Other() == "* and other"
    assert Value("*") - Other() == "* without other"


def test_no_order_where_there_is_none() -> None:
    """``sorted`` cannot know that values are confused; ``ascending`` says so, in whatever order they come."""
    chain = [Value(-1), Value("v"), Value("0"), tiny(1), up(1), Value("1*")]
    for some in permutations(chain[1:5]):
        assert ascending([chain[5], *some, chain[0]]) == chain
    assert ascending([0.5, 0, 1]) == [0, 0.5, 1]
    for some in permutations([Value("0"), Value("*"), Value(1)]):
        with pytest.raises(InputError, match="confused with each other: neither is the greater one"):
            ascending(some)
