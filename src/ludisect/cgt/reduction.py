"""Reduced canonical form: the simplest game infinitesimally close to a given one.

Options are compared by "greater up to an infinitesimal": G is at least H in that sense iff the right stop of G - H is
not negative. A game whose stops agree reduces to that number.

References: Calistrate, *The reduced canonical form of a game*, in Games of No Chance (1996); Grossman and Siegel,
*Reductions of partizan games*, in Games of No Chance 3 (2009), which repairs the proof and gives this construction.
"""

from __future__ import annotations

from collections.abc import Iterable

from ludisect.cgt import limit
from ludisect.cgt.value import MEMO_SIZE, Value, add, canonical, intern, negate, number

_orders: dict[tuple[int, int, bool], bool] = {}
_reduced: dict[Value, Value] = {}
_sums: dict[tuple[Value, Value], Value] = {}


def at_least(g: Value, h: Value) -> bool:
    """Whether g >= h up to an infinitesimal."""
    return _within(h, g, True)


def _within(g: Value, h: Value, loose: bool) -> bool:
    """Whether g <= h + d, or (not ``loose``) g + d <= h, for a positive number d smaller than all that matters."""
    if loose:
        if g._ls > h._ls or g._rs > h._rs:
            return False
        if g._ls <= h._rs:
            return True
    else:
        if g._ls >= h._ls or g._rs >= h._rs:
            return False
        if g._ls < h._rs:
            return True
    key = (g._serial, h._serial, loose)
    answer = _orders.get(key)
    if answer is None:
        meter = limit.active()
        if meter is not None:
            meter.look()
        # as in the exact order, nobody needs to move in a number
        answer = not (
            (not g.is_number and any(_within(h, x, not loose) for x in g.left))
            or (not h.is_number and any(_within(y, g, not loose) for y in h.right))
        )
        if len(_orders) >= MEMO_SIZE:
            _orders.clear()
        _orders[key] = answer
    return answer


def reduced(g: Value) -> Value:
    """The reduced canonical form of ``g``.

    >>> from ludisect.cgt import parse
    >>> print(reduced(parse("{2*|1*}")), reduced(parse("tiny(2)")))
    {2|1} 0
    """
    if g._ls == g._rs:
        return number(g._ls)
    done = _reduced.get(g)
    if done is None:
        left = _bypassed(_best([reduced(y) for y in g.left], 1), g, 1)
        right = _bypassed(_best([reduced(y) for y in g.right], -1), g, -1)
        done = intern(left, right)
        if len(_reduced) >= MEMO_SIZE:
            _reduced.clear()
        _reduced[g] = _reduced[done] = done
    return done


def reduced_of(left: Iterable[Value], right: Iterable[Value]) -> Value:
    """The reduced form of {left|right}, whose options are reduced; quicker than by way of the canonical form.

    Where the stops are apart the game is no number, and an option that another reaches up to an infinitesimal may go.
    """
    lefts, rights = list(left), list(right)
    if lefts and rights:
        first, second = max(x._rs for x in lefts), min(y._ls for y in rights)
        if first == second:
            return number(first)
        if first > second:
            return reduced(canonical(_best(lefts, 1), _best(rights, -1)))
    return reduced(canonical(lefts, rights))


def reduced_sum(g: Value, h: Value) -> Value:
    """The reduced form of the sum of two reduced forms; the sum itself, which is larger, is not made."""
    if g.is_number or h.is_number:
        return add(g, h)
    if h is negate(g):
        return number(0)
    key = (g, h) if g._serial < h._serial else (h, g)
    done = _sums.get(key)
    if done is None:
        done = reduced_of(
            {*(reduced_sum(x, h) for x in g.left), *(reduced_sum(g, x) for x in h.left)},
            {*(reduced_sum(y, h) for y in g.right), *(reduced_sum(g, y) for y in h.right)},
        )
        if len(_sums) >= MEMO_SIZE:
            _sums.clear()
        _sums[key] = done
    return done


def _ahead(x: Value, y: Value, side: int) -> bool:
    """Whether ``x`` is at least as good as ``y`` for the player (Left 1, Right -1), up to an infinitesimal."""
    return at_least(x, y) if side > 0 else at_least(y, x)


def _best(options: list[Value], side: int) -> list[Value]:
    kept: list[Value] = []
    for x in options:
        if not any(_ahead(y, x, side) for y in kept):
            kept = [y for y in kept if not _ahead(x, y, side)] + [x]
    return kept


def _bypassed(options: list[Value], g: Value, side: int) -> list[Value]:
    """Replace each option from which the opponent can restore ``g`` (up to an infinitesimal) or better."""
    kept: list[Value] = []
    stack = list(options)
    while stack:
        x = stack.pop()
        for y in x.right if side > 0 else x.left:
            if _ahead(g, y, side):
                stack.extend(y.left if side > 0 else y.right)
                break
        else:
            kept.append(x)
    return _best(kept, side)
