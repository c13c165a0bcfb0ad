"""Bounds on large regions in compiled code: one player gives up moves until small regions are left.

A game in which Left may do less is worth no more to Left. So if the operators of Left that tie small regions together
are crossed out, the sum of the values of what is left is a lower bound, as a game; with Right's it is an upper one.
Which operators go is found greedily: those of the other player stay, and each one of the player who gives up stays as
long as the group that it ties together is small.
"""

from __future__ import annotations

import numpy as np

from ludisect.cgt.arena import ERROR, LS, RS, atom, le, record
from ludisect.cgt.arithmetic import add
from ludisect.kernels.kernel import jit
from ludisect.search.regions.book import OPEN, OPS, STATE, TOUCHES, WHO, N
from ludisect.search.regions.pieces import cut, settle
from ludisect.search.regions.regionvalues import value

_NO = np.int64(0)
_YES = np.int64(1)
_NONE = np.int64(-1)
_A = "int64[::1]"
_I = "int64"


@jit(f"{_I}({_A}, {_I}, {_I}, {_I}, {_I}, {_I})", inner=True)
def _joined(s, groups, count, low, high, most):  # type: ignore[no-untyped-def]
    """Tie together the groups (facts in two words, operators) that meet some facts; the new number of groups.

    -1, and nothing is changed, if the group would have more than ``most`` operators.
    """
    total = _YES
    for k in range(count):
        at = groups + 3 * k
        if (s[at] & low) | (s[at + 1] & high):
            total += s[at + 2]
    if total > most:
        return _NONE
    kept = _NO
    for k in range(count):
        at = groups + 3 * k
        if (s[at] & low) | (s[at + 1] & high):
            low |= s[at]
            high |= s[at + 1]
        else:
            to = groups + 3 * kept
            s[to], s[to + 1], s[to + 2] = s[at], s[at + 1], s[at + 2]
            kept += 1
    to = groups + 3 * kept
    s[to], s[to + 1], s[to + 2] = low, high, total
    return kept + 1


@jit(f"{_I}({_A}, {_A}, {_A}, {_A}, {_A}, {_I}, {_I}, {_I}, {_I}, {_I}, {_I})", inner=True)
def relaxed(a, o, lies, names, s, at, top, side, most, back, depth):  # type: ignore[no-untyped-def]
    """A game that bounds the region at ``at``: from below if Left (``side`` 0) gives up moves, else from above.

    ``back`` says to cross out from the last operator on. -1 if the moves of the other player alone tie more than
    ``most`` operators together.
    """
    n, open_low, open_high = s[at + N], s[at + OPEN], s[at + OPEN + 1]
    kept = _NO
    groups, count = top + n, _NO
    for mine in range(2):
        for i in range(n):
            r = s[at + OPS + (n - 1 - i if back else i)]
            if (o[r + WHO] == side) != (mine == 1):
                continue
            found = _joined(s, groups, count, o[r + TOUCHES] & open_low, o[r + TOUCHES + 1] & open_high, most)
            if found < 0:
                if mine:
                    continue
                return _NONE
            count = found
            s[top + kept] = r
            kept += 1
    whole = top + n
    settle(o, s, top, kept, s[at + STATE], s[at + STATE + 1], whole)
    total = atom(a, _NO, _NO, _NO)
    piece = whole + OPS + 2 * kept
    while s[whole + N]:
        end = cut(o, s, whole, piece)
        g = value(a, o, lies, names, s, piece, end, depth)
        total = add(a, total, g)
        if a[ERROR]:
            return _NO
    return total


@jit(f"{_I}({_A}, {_A}, {_A}, {_A}, {_A}, {_I}, {_I}, {_I}, {_I}, {_I})", inner=True)
def best_relaxed(a, o, lies, names, s, at, top, side, most, depth):  # type: ignore[no-untyped-def]
    """The better of two bounds, with operators crossed out from the first on or from the last on."""
    g = relaxed(a, o, lies, names, s, at, top, side, most, _NO, depth)
    if a[ERROR] or g < 0:
        return g
    h = relaxed(a, o, lies, names, s, at, top, side, most, _YES, depth)
    if a[ERROR] or h < 0 or g == h:
        return g
    x, y = record(a, g), record(a, h)
    more = a[y + LS] + a[y + RS] - a[x + LS] - a[x + RS]
    if side:
        more = -more
    if more == 0:
        more = le(a, h, g) if side else le(a, g, h)
    return h if more > 0 else g
