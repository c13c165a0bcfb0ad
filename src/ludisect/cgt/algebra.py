"""Incentives and ordinal sums.

References: Siegel, *Combinatorial Game Theory* (2013), II.2 (incentives), II.8 (ordinal sums); *Winning Ways*, ch. 5-7
(the colon principle and Hackenbush strings).
"""

from __future__ import annotations

from ludisect.cgt.value import Value, canonical, le


def left_incentives(g: Value) -> list[Value]:
    """What Left gains by moving: G^L - G for each left option, dominated ones left out."""
    return _maximal([x - g for x in g.left])


def right_incentives(g: Value) -> list[Value]:
    """What Right gains by moving: G - G^R for each right option, dominated ones left out."""
    return _maximal([g - y for y in g.right])


def incentives(g: Value) -> list[Value]:
    """What either player can gain by moving, dominated ones left out."""
    return _maximal([x - g for x in g.left] + [g - y for y in g.right])


def _maximal(values: list[Value]) -> list[Value]:
    kept: list[Value] = []
    for x in values:
        if not any(le(x, y) for y in kept):
            kept = [y for y in kept if not le(y, x)] + [x]
    return kept


def ordinal_sum(g: Value, h: Value) -> Value:
    """G:H, in which a move in G ends H; G is taken in canonical form (the result depends on the form of G only).

    >>> from ludisect.cgt import parse
    >>> print(ordinal_sum(parse("1"), parse("-1")), ordinal_sum(parse("*"), parse("1")))
    1/2 ↑*
    """
    memo: dict[Value, Value] = {}

    def over(x: Value) -> Value:
        done = memo.get(x)
        if done is None:
            done = canonical([*g.left, *map(over, x.left)], [*g.right, *map(over, x.right)])
            memo[x] = done
        return done

    return over(h)
