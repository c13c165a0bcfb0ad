"""Cooling and heating: taxing every move, and paying for it.

References: Siegel, *Combinatorial Game Theory* (2013), II.5 (cooling), II.6 (heating and overheating); *Winning Ways*,
ch. 6; Conway, *On Numbers and Games*, ch. 9.
"""

from __future__ import annotations

from fractions import Fraction

from ludisect.cgt.dyadic import Number, dyadic
from ludisect.cgt.value import Value, canonical, number
from ludisect.errors import InputError


def cool(g: Value, t: Number) -> Value:
    """``g`` cooled by the number ``t`` >= 0: each move costs ``t``; above its temperature the game is its mean."""
    t = dyadic(t)
    if t < 0:
        raise InputError(f"cooling needs a tax t >= 0, not {t}")
    memo: dict[Value, Value] = {}

    def cooled(x: Value) -> Value:
        if x.is_number:
            return x
        done = memo.get(x)
        if done is None:
            if t > x.temperature:
                done = number(x.mean)
            else:
                done = canonical([cooled(y) - t for y in x.left], [cooled(y) + t for y in x.right])
            memo[x] = done
        return done

    return cooled(g)


def heat(g: Value, t: Value | Number) -> Value:
    """``g`` heated by ``t`` (a number or a game): each move gains ``t``; numbers stay. Undoes :func:`cool`."""
    memo: dict[Value, Value] = {}

    def heated(x: Value) -> Value:
        if x.is_number:
            return x
        done = memo.get(x)
        if done is None:
            done = canonical([heated(y) + t for y in x.left], [heated(y) - t for y in x.right])
            memo[x] = done
        return done

    return heated(g)


def freeze(g: Value) -> tuple[Value, Fraction]:
    """``g`` cooled by exactly its temperature (mean plus an infinitesimal), and that temperature."""
    t = max(g.temperature, Fraction(0))
    return cool(g, t), t
