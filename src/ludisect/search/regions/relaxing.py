"""Bounds on large regions in compiled code: one player gives up moves until small regions are left.

A game in which Left may do less is worth no more to Left. So if the operators of Left that tie small regions together
are crossed out, the sum of the values of what is left is a lower bound, as a game; with Right's it is an upper one.
Which operators go is found greedily: those of the other player stay; of the player who gives up, those stay that tie
nothing together, then one that ties small groups together, then again those that lie inside a group by now, and so on.
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


@jit(f"{_I}({_A}, {_I}, {_I}, {_I}, {_I})", inner=True)
def _met(s, groups, count, low, high):  # type: ignore[no-untyped-def]
    """How many groups meet some facts."""
    met = _NO
    for k in range(count):
        if (s[groups + 3 * k] & low) | (s[groups + 3 * k + 1] & high):
            met += 1
    return met


@jit(f"{_I}({_A}, {_A}, {_A}, {_A}, {_A}, {_I}, {_I}, {_I}, {_I}, {_I}, {_I})", inner=True)
def relaxed(a, o, lies, names, s, at, top, side, most, back, depth):  # type: ignore[no-untyped-def]
    """A game that bounds the region at ``at``: from below if Left (``side`` 0) gives up moves, else from above.

    ``back`` says to cross out from the last operator on. -1 if the moves of the other player alone tie more than
    ``most`` operators together.
    """
    n, open_low, open_high = s[at + N], s[at + OPEN], s[at + OPEN + 1]
    kept = count = waiting = _NO
    groups, wait = top + n, top + 4 * n
    for i in range(n):
        r = s[at + OPS + (n - 1 - i if back else i)]
        if o[r + WHO] == side:
            s[wait + waiting] = r
            waiting += 1
            continue
        count = _joined(s, groups, count, o[r + TOUCHES] & open_low, o[r + TOUCHES + 1] & open_high, most)
        if count < 0:
            return _NONE
        s[top + kept] = r
        kept += 1
    while waiting:
        still = _NO
        for i in range(waiting):
            r = s[wait + i]
            low, high = o[r + TOUCHES] & open_low, o[r + TOUCHES + 1] & open_high
            if _met(s, groups, count, low, high) > 1:
                s[wait + still] = r
                still += 1
                continue
            found = _joined(s, groups, count, low, high, most)
            if found >= 0:
                count = found
                s[top + kept] = r
                kept += 1
        waiting = still
        still = _NO
        tied = False
        for i in range(waiting):
            r = s[wait + i]
            found = _NONE
            if not tied:
                low, high = o[r + TOUCHES] & open_low, o[r + TOUCHES + 1] & open_high
                found = _joined(s, groups, count, low, high, most)
            if found >= 0:
                tied = True
                count = found
                s[top + kept] = r
                kept += 1
            else:
                s[wait + still] = r
                still += 1
        waiting = still if tied else _NO
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
