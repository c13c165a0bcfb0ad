"""Sums of a number, ups and a nimber as plain triples: order, options' shape, birthday.

References: *Winning Ways*, ch. 8 (↑ + *n); Siegel, *Combinatorial Game Theory* (2013), II.4.
"""

from __future__ import annotations

from ludisect.cgt import dyadic
from ludisect.cgt.dyadic import Number
from ludisect.cgt.limits import ValueLimits
from ludisect.errors import BudgetExceeded

Nus = tuple[Number, int, int]
"""Number, ups, nimber: the value x + u·↑ + *n."""


def at_most(a: Nus, b: Nus) -> bool:
    """Whether x + u·↑ + *n <= y + v·↑ + *m: the difference is positive or zero."""
    x, ups, nim = b[0] - a[0], b[1] - a[1], a[2] ^ b[2]
    if x:
        return x > 0
    return ups >= 2 or (ups == 1 and nim != 1) or (ups == 0 and nim == 0)


def recognize(a: list[Nus], b: list[Nus]) -> Nus | None:
    """The triple of the game whose canonical left and right options have the triples ``a`` and ``b``, if it has one."""
    x = a[0][0]
    if any(n[0] != x for n in a) or any(n[0] != x for n in b):
        return None
    if not any(n[1] for n in a) and not any(n[1] for n in b):
        nims = {n[2] for n in a}
        if nims == {n[2] for n in b} == set(range(len(a))):
            return x, 0, len(a)
    return _recognize_up(x, a, b) or _mirror(_recognize_up(-x, [opposite(n) for n in b], [opposite(n) for n in a]))


def options(n: Nus) -> tuple[list[Nus], list[Nus]]:
    """The canonical left and right options of a triple, which are triples too."""
    x, ups, nim = n
    if ups < 0:
        left, right = options(opposite(n))
        return [opposite(m) for m in right], [opposite(m) for m in left]
    if ups:
        return [(x, 0, 0), (x, 0, 1)] if (ups, nim) == (1, 1) else [(x, 0, 0)], [(x, ups - 1, nim ^ 1)]
    if nim:
        most = ValueLimits.current().atom_options
        if nim > most:
            raise BudgetExceeded(f"*{nim} has {nim} options; at most {most} are listed", budget="options")
        both = [(x, 0, k) for k in range(nim)]
        return both, both
    below, above = dyadic.options(x)
    return [] if below is None else [(below, 0, 0)], [] if above is None else [(above, 0, 0)]


def opposite(n: Nus) -> Nus:
    """The triple of the negative."""
    return -n[0], -n[1], n[2]


def _mirror(n: Nus | None) -> Nus | None:
    return None if n is None else opposite(n)


def _recognize_up(x: Number, a: list[Nus], b: list[Nus]) -> Nus | None:
    """The same for a positive number of ups: {0|(u-1)·↑ + *(n^1)}, and ↑* = {0,*|0}."""
    if len(b) != 1 or (x, 0, 0) not in a:
        return None
    _, ups, nim = b[0]
    if len(a) == 1 and ups >= 0 and (ups, nim) != (0, 0):
        return x, ups + 1, nim ^ 1
    if len(a) == 2 and (x, 0, 1) in a and (ups, nim) == (0, 0):
        return x, 1, 1
    return None


def birthday(n: Nus) -> int:
    """The height of the canonical game tree."""
    x, ups, nim = n
    days, ups = dyadic.birthday(x), abs(ups)
    if ups:
        # u·↑ + *n = {0|(u-1)·↑ + *(n^1)}: down to a single up each step adds a day
        nim ^= (ups - 1) & 1
        return days + ups - 1 + (2 if nim <= 1 else (nim ^ 1) + 1)
    return days + nim


def same_walls(n: Nus) -> Nus:
    """The simplest triple with the same thermograph: many ups have the walls of one, large nimbers those of ``*``."""
    x, ups, nim = n
    if abs(ups) > 1 or (ups and nim > 1):
        return x, 1 if ups > 0 else -1, 0
    return x, ups, min(nim, 1)
