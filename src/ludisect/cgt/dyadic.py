"""Dyadic rationals: the numbers among the games, as exact Python integers and fractions.

A :data:`Number` is an ``int`` when it is integral and a ``Fraction`` with a power of two below the bar otherwise.
The mix is on purpose: most numbers met in play are integers, and ``int`` arithmetic is ten times as fast.

References: Siegel, *Combinatorial Game Theory* (2013), II.3; Berlekamp, Conway, Guy, *Winning Ways*, ch. 2.
"""

from __future__ import annotations

from fractions import Fraction
from math import isfinite
from numbers import Rational

from ludisect.errors import InputError

Number = int | Fraction
"""An integer, or a fraction whose denominator is a power of two greater than one."""


def dyadic(x: Number) -> Number:
    """``x`` in its normal shape (``int`` when integral); raises :class:`InputError` if it is no dyadic rational."""
    if isinstance(x, int):
        return int(x)
    below = x.denominator
    if below == 1:
        return x.numerator
    if below & (below - 1):
        raise InputError(f"{x} is not the value of a short game: the denominator {below} is not a power of two")
    return x


def exact(x: object) -> Number | float | None:
    """A Python number as int or fraction, nothing lost; infinities and nan as they are; None for anything else.

    >>> exact(True), exact(0.75), exact(Fraction(4, 2)), exact("1")
    (1, Fraction(3, 4), 2, None)
    """
    if isinstance(x, int):
        return int(x)
    if isinstance(x, float):
        return normal(Fraction(x)) if isfinite(x) else x
    if isinstance(x, Rational):
        return normal(Fraction(int(x.numerator), int(x.denominator)))
    return None


def normal(x: Number) -> Number:
    """``x`` as ``int`` when integral; the caller knows that it is dyadic (sums of dyadic numbers are)."""
    return x.numerator if x.denominator == 1 else x


def half(x: Number) -> Number:
    """Half of ``x``."""
    return normal(Fraction(x) / 2)


def simplest(low: Number | None, high: Number | None, *, low_in: bool = False, high_in: bool = False) -> Number:
    """The simplest number of the interval from ``low`` to ``high``; ``None`` means no bound.

    ``low_in`` and ``high_in`` say whether the ends belong to the interval, which must not be empty. Simplest means
    born first: the integer nearest to zero, or else the fraction with the smallest denominator.
    """
    if (low is None or low < 0 or (low == 0 and low_in)) and (high is None or high > 0 or (high == 0 and high_in)):
        return 0
    if low is None or low < 0:  # all of the interval is below zero: mirror it
        return -simplest(None if high is None else -high, None if low is None else -low, low_in=high_in, high_in=low_in)
    below = 1
    while True:
        scaled = low * below
        x = Fraction(-((-scaled) // 1) if low_in else scaled // 1 + 1) / below
        if high is None or x < high or (high_in and x == high):
            return normal(x)
        below *= 2


def options(x: Number) -> tuple[Number | None, Number | None]:
    """The left and right option of the canonical form of ``x`` (``None`` where there is no move)."""
    if isinstance(x, int):
        return (x - 1 if x > 0 else None, x + 1 if x < 0 else None)
    step = Fraction(1, x.denominator)
    return normal(x - step), normal(x + step)


def birthday(x: Number) -> int:
    """The day on which the number ``x`` is born.

    >>> birthday(3), birthday(Fraction(5, 4))
    (3, 4)
    """
    if isinstance(x, int):
        return abs(x)
    return int(abs(x)) + x.denominator.bit_length()
