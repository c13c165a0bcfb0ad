"""The named values: nimbers, ups, tinies, switches; any game from its options or text; values in order.

>>> star = nimber(1)
>>> print(star + star, up(1) + star, make([2], [0]), tiny(1))
0 ↑* {2|0} tiny(1)
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cmp_to_key

from ludisect.cgt.described import Order
from ludisect.cgt.dyadic import Number
from ludisect.cgt.value import ZERO, Value, as_value, atom, canonical, negate
from ludisect.errors import InputError


def nimber(n: int) -> Value:
    """The nimber ``*n``."""
    if n < 0:
        raise InputError(f"a nimber *n needs n >= 0, not {n}")
    return atom(0, 0, n)


def up(n: int = 1, nim: int = 0) -> Value:
    """``n`` ups plus the nimber ``*nim``; a negative ``n`` means downs."""
    if nim < 0:
        raise InputError(f"a nimber *n needs n >= 0, not {nim}")
    return atom(0, n, nim)


def tiny(g: Value | Number | float) -> Value:
    """tiny-G = {0||0|-G}."""
    return canonical([ZERO], [canonical([ZERO], [negate(as_value(g))])])


def switch(g: Value | Number | float, h: Value | Number | float | None = None) -> Value:
    """{g|h}; with one argument ±g = {g|-g}."""
    g = as_value(g)
    return canonical([g], [negate(g) if h is None else as_value(h)])


def make(left: Iterable[Value | Number | float], right: Iterable[Value | Number | float]) -> Value:
    """The value of the game with the given options (values or numbers)."""
    return canonical([as_value(x) for x in left], [as_value(y) for y in right])


def parse(text: str) -> Value:
    """The value that ``text`` names, see :meth:`Value.parse`."""
    return Value.parse(text)


def ascending(values: Iterable[Value | Number | float]) -> list[Value]:
    """The values from the least to the greatest.

    >>> print(*ascending([nimber(1) + 1, up(1), -2, tiny(1)]))
    -2 tiny(1) ↑ 1*

    Raises:
        InputError: two of them are confused with each other, so that there is no such order.
    """

    def order(g: Value, h: Value) -> int:
        found = g.compare(h)
        if found is Order.CONFUSED:
            raise InputError(f"{g} and {h} are confused with each other: neither is the greater one")
        return (found is Order.GREATER) - (found is Order.LESS)

    return sorted(map(as_value, values), key=cmp_to_key(order))
