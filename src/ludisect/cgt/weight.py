"""Atomic weight of all-small games: how many ups a game is worth in the company of large nimbers.

References: *Winning Ways*, ch. 8; Siegel, *Combinatorial Game Theory* (2013), II.7 (constructive definition with the
remote star).
"""

from __future__ import annotations

from ludisect.cgt.construct import nimber
from ludisect.cgt.value import Value, canonical, le, number


def is_all_small(g: Value) -> bool:
    """Whether in every follower either both players can move or neither can."""
    seen: set[Value] = set()
    stack = [g]
    while stack:
        x = stack.pop()
        if x in seen:
            continue
        seen.add(x)
        if x.number_up_star is not None:
            if x.number_up_star[0]:
                return False
        else:
            stack.extend((*x.left, *x.right))
    return True


def atomic_weight(g: Value) -> Value | None:
    """The atomic weight of an all-small game; ``None`` if ``g`` is not all-small.

    Some infinitesimals that are not all-small have an atomic weight in the wider sense (tiny has 0); they are not
    looked for.

    >>> from ludisect.cgt import parse
    >>> print(atomic_weight(parse("^^*")), atomic_weight(parse("{^|v}")), atomic_weight(parse("{1|-1}")))
    2 0 None
    """
    if not is_all_small(g):
        return None
    memo: dict[Value, Value] = {}

    def weight(x: Value) -> Value:
        if x.number_up_star is not None:
            return number(x.number_up_star[1])
        done = memo.get(x)
        if done is None:
            left, right = [weight(y) - 2 for y in x.left], [weight(y) + 2 for y in x.right]
            done = canonical(left, right)
            if done.is_number and done.number.denominator == 1:
                done = _eccentric(x, left, right)
            memo[x] = done
        return done

    return weight(g)


def _eccentric(g: Value, left: list[Value], right: list[Value]) -> Value:
    """Several integers fit between the taxed weights: the remote star chooses among them."""
    star = nimber(1 << g.birthday.bit_length())  # larger than every nimber that occurs below g
    step = 1 if le(star, g) else -1 if le(g, star) else 0
    n = 0
    if step:
        # the integer furthest in the favored direction that still fits; beyond the stop that bounds it none does
        bound = min(y.left_stop for y in right) if step > 0 else max(x.right_stop for x in left)
        first = int(bound // 1) + step * 2
        n = next(k for k in range(first, first - 5 * step, -step) if _fits(number(k), left, right))
    return number(n)


def _fits(n: Value, left: list[Value], right: list[Value]) -> bool:
    return not any(le(n, x) for x in left) and not any(le(y, n) for y in right)
