"""The named values: nimbers, ups, tinies, switches, and any game from its options.

>>> star = nimber(1)
>>> print(star + star, up(1) + star, make([2], [0]), tiny(1))
0 ↑* {2|0} tiny(1)
"""

from __future__ import annotations

from collections.abc import Iterable

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


def tiny(g: Value | Number) -> Value:
    """tiny-G = {0||0|-G}."""
    return canonical([ZERO], [canonical([ZERO], [negate(as_value(g))])])


def switch(g: Value | Number, h: Value | Number | None = None) -> Value:
    """{g|h}; with one argument ±g = {g|-g}."""
    g = as_value(g)
    return canonical([g], [negate(g) if h is None else as_value(h)])


def make(left: Iterable[Value | Number], right: Iterable[Value | Number]) -> Value:
    """The value of the game with the given options (values or numbers)."""
    return canonical([as_value(x) for x in left], [as_value(y) for y in right])
