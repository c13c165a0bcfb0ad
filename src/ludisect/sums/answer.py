"""What an expression is worth: its value, as JSON-ready data too, and as a picture.

``value``  canonical form, outcome, mean, temperature, stops and birthday of an expression;
``thermograph``  the picture of the walls.
"""

from __future__ import annotations

from typing import TypeAlias

from ludisect.cgt import Value, number
from ludisect.cgt.dyadic import Number, exact
from ludisect.kernels.workers import want
from ludisect.rulesets.position import Component, Position
from ludisect.sums.local import LocalSearch, Store
from ludisect.sums.table import Sum
from ludisect.sums.total import total_value

Valued: TypeAlias = str | Number | float | Component | Sum
"""What has a value."""


def value_of(what: Valued, *, seconds: float | None = None, store: Store | None = None) -> Value:
    """The value of an expression such as ``"domineering 4x4 + {1|*}"``, of a position, a sum, or a number.

    >>> print(value_of("domineering 2x3 + nim 3"), value_of(0.5))
    {2*3|-1/2*3} 1/2

    Raises:
        InputError: the expression is malformed.
        BudgetExceeded: it takes too long, is too large, or is interrupted; ``partial`` is a dict of what is known. If
            the values of all parts were found: ``outcome``, ``mean``, ``temperature_at_most``, and bounds on the stops;
            if not, ``bounds`` between which the value lies (None where the rules give none).
    """
    if isinstance(what, Value):
        return what
    if not isinstance(what, (str, Position, Sum)):
        if exact(what) is None:
            raise TypeError(
                f"value takes the text of a value, a position or a sum, a number, a Value, a Position or a Sum, "
                f"not {type(what).__name__}"
            )
        return number(what)
    want("value")
    game = what if isinstance(what, Sum) else Sum(what)
    if seconds is None and store is None:
        return game.value
    return total_value(game.components, LocalSearch(seconds=seconds, store=store), seconds=seconds)


def value(expression: Valued, *, seconds: float | None = None, store: Store | None = None) -> dict[str, object]:
    """Describe the value of an expression; raises as :func:`value_of`.

    >>> value("{1|*}")["outcome"]
    'L'
    """
    return describe(value_of(expression, seconds=seconds, store=store))


def describe(g: Value) -> dict[str, object]:
    """A value as data; numbers as text, so that nothing is lost."""
    return {
        "canonical": str(g),
        "outcome": g.outcome,
        "mean": str(g.mean),
        "temperature": str(g.temperature),
        "left_stop": str(g.left_stop),
        "right_stop": str(g.right_stop),
        "birthday": g.birthday,
    }


def thermograph(expression: str, *, seconds: float | None = None, store: Store | None = None) -> str:
    """The thermograph of an expression as an SVG document; raises as :func:`value_of`."""
    return value_of(expression, seconds=seconds, store=store).thermograph.to_svg(expression)
