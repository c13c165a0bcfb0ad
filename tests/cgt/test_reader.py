"""Reading values: every notation, and errors that say where."""

from __future__ import annotations

from fractions import Fraction

import pytest

from ludisect.cgt import make, nimber, number, parse, switch, tiny, up
from ludisect.cgt.limits import ValueLimits
from ludisect.errors import BudgetExceeded, InputError
from ludisect.settings import using


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", number(0)),
        (" -3 ", number(-3)),
        ("*", nimber(1)),
        ("1*2", 1 + nimber(2)),
        ("-1^", up(1) - 1),
        ("{-1/2v|-1/2}", make([up(-1) - Fraction(1, 2)], [Fraction(-1, 2)])),
        ("-^", up(-1)),
        ("2-1^", 1 - up(1)),
        ("↑↑*", up(2, 1)),
        ("^4*3", up(4, 3)),
        ("v", up(-1)),
        ("{|}", number(0)),
        ("{0|*}", up(1)),
        ("{1,2|}", number(3)),
        ("±1", switch(1)),
        ("+-1", switch(1)),
        ("1 +-1", number(0)),
        ("1+±1", switch(2, 0)),
        ("±(1,{2|0})", make([1, switch(2, 0)], [-1, switch(0, -2)])),
        ("{2|0||-1}", make([switch(2, 0)], [-1])),
        ("{3|||2|1||0}", make([3], [make([switch(2, 1)], [0])])),
        ("tiny(1)", tiny(1)),
        ("miny({3|2})", -tiny(switch(3, 2))),
        ("(1 - *) - (2)", nimber(1) - 1),
        ("-{2|0} + 3", switch(3, 1)),
    ],
)
def test_notation(text: str, value: object) -> None:
    assert parse(text) is value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the value is empty"),
        ("{1", "'}' is missing"),
        ("{1}", "needs a bar"),
        ("{1|2|3}", "occurs twice"),
        ("1/3", "power of two"),
        ("1/0", "divided by zero"),
        ("foo", "found 'foo'"),
        ("on", "loopy"),
        ("1 2", "unexpected '2'"),
        ("^^3", "either several arrows"),
        ("(1", r"'\)' is missing"),
        ("{1 2|}", "expected ',' between options"),
        ("{" * 200 + "|" + "}" * 200, "nested deeper"),
        ("1+", "expected a value"),
    ],
)
def test_errors_say_what_and_where(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse(text)


def test_error_has_a_caret() -> None:
    with pytest.raises(InputError) as error:
        parse("{1|foo}")
    assert str(error.value).splitlines()[1:] == ["    {1|foo}", "       ^"]


def test_text_of_a_value_that_is_larger_as_a_tree() -> None:
    with using(ValueLimits(writer_longest=10)), pytest.raises(BudgetExceeded, match="characters"):
        str(parse("{{5|4}|{3|{2|1}}}"))
