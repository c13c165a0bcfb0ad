"""Bounds on large regions in compiled code: one player gives up moves until small regions are left.

A game in which Left may do less is worth no more to Left. So if the operators of Left that tie small regions together
are crossed out, the sum of the values of what is left is a lower bound, as a game; with Right's it is an upper one.
Which operators go is found greedily: those of the other player stay; of the player who gives up, those stay that tie
nothing together, then one that ties small groups together, then again those that lie inside a group by now, and so on.

For the region that a search begins with this is done with care, in two ways, and the operators that stay are marked.
What becomes of it is cut along the same lines, so that the same small regions come back again and again and their
values are known; beyond the marks only very small groups are tied together.
"""

from __future__ import annotations

import numpy as np

from ludisect.cgt.arena import ERROR, LS, RS, atom, le, record
from ludisect.cgt.arithmetic import add
from ludisect.kernels.kernel import jit
from ludisect.search.regions.book import MARKED, OPEN, OPS, STATE, STAYS, TOUCHES, WHO, N
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


@jit(f"{_I}({_A}, {_A}, {_I}, {_I}, {_I}, {_I}, {_I}, {_I})", inner=True)
def _crossed_out(o, s, at, top, side, most, tie, way):  # type: ignore[no-untyped-def]
    """Write the operators of the region at ``at`` that stay if ``side`` gives up moves at ``top``; how many stay.

    Those that are marked for this ``way`` stay, others if they tie no more than ``tie`` operators together. -1 if the
    moves of the other player alone tie more than ``most`` together.
    """
    n, open_low, open_high = s[at + N], s[at + OPEN], s[at + OPEN + 1]
    kept = count = waiting = _NO
    groups, wait = top + n, top + 4 * n
    for i in range(n):
        r = s[at + OPS + i]
        stays = o[r + WHO] != side
        if not stays and not (o[r + STAYS] >> way) & 1:
            s[wait + waiting] = r
            waiting += 1
            continue
        found = _joined(s, groups, count, o[r + TOUCHES] & open_low, o[r + TOUCHES + 1] & open_high, most)
        if found >= 0:
            count = found
            s[top + kept] = r
            kept += 1
        elif stays:
            return _NONE
    while waiting:
        still = _NO
        for i in range(waiting):
            r = s[wait + i]
            low, high = o[r + TOUCHES] & open_low, o[r + TOUCHES + 1] & open_high
            if _met(s, groups, count, low, high) > 1:
                s[wait + still] = r
                still += 1
                continue
            found = _joined(s, groups, count, low, high, tie)
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
                found = _joined(s, groups, count, low, high, tie)
            if found >= 0:
                tied = True
                count = found
                s[top + kept] = r
                kept += 1
            else:
                s[wait + still] = r
                still += 1
        waiting = still if tied else _NO
    return kept


@jit(f"{_I}({_A}, {_A}, {_I}, {_I}, {_I}, {_I}, {_I}, {_I})", inner=True)
def _size(o, s, groups, count, low, high, wait, waiting):  # type: ignore[no-untyped-def]
    """Operators of the groups that meet some facts, with all that wait and meet no other group."""
    size = _NO
    for k in range(count):
        at = groups + 3 * k
        if (s[at] & low) | (s[at + 1] & high):
            size += s[at + 2]
    for i in range(waiting):
        r = s[wait + i]
        inside = _YES
        for k in range(count):
            at = groups + 3 * k
            meets = (s[at] & o[r + TOUCHES]) | (s[at + 1] & o[r + TOUCHES + 1])
            if meets and not (s[at] & low) | (s[at + 1] & high):
                inside = _NO
                break
        size += inside
    return size


@jit(f"{_I}({_A}, {_A}, {_I}, {_I}, {_I}, {_I}, {_I})", inner=True)
def _mark_whole(o, s, at, top, side, most, way):  # type: ignore[no-untyped-def]
    """Mark the operators of ``side`` that stay in the region at ``at``, as long as groups fit together wholly.

    Groups are tied together only if all that lies inside both may stay. The first that is tried ties what no way before
    has tied; 0 if there is nothing of that kind.
    """
    n, open_low, open_high = s[at + N], s[at + OPEN], s[at + OPEN + 1]
    count = waiting = _NO
    groups, wait = top, top + 3 * n
    start = _NONE
    for i in range(n):
        r = s[at + OPS + i]
        if o[r + WHO] != side:
            count = _joined(s, groups, count, o[r + TOUCHES] & open_low, o[r + TOUCHES + 1] & open_high, most)
            if count < 0:
                return _NO
        elif o[r + STAYS] == 0 and start < 0:
            start = np.int64(i)
    if start < 0:
        return _NO
    for i in range(n):
        r = s[at + OPS + (start + i) % n]
        if o[r + WHO] == side:
            s[wait + waiting] = r
            waiting += 1
    tied = True
    while tied:
        still = _NO
        for i in range(waiting):
            r = s[wait + i]
            low, high = o[r + TOUCHES] & open_low, o[r + TOUCHES + 1] & open_high
            found = _NONE
            if _met(s, groups, count, low, high) < 2:
                found = _joined(s, groups, count, low, high, most)
            if found >= 0:
                count = found
                o[r + STAYS] |= _YES << way
            else:
                s[wait + still] = r
                still += 1
        waiting = still
        tied = False
        for i in range(waiting):
            r = s[wait + i]
            low, high = o[r + TOUCHES] & open_low, o[r + TOUCHES + 1] & open_high
            if _met(s, groups, count, low, high) < 2:
                continue
            if _size(o, s, groups, count, low, high, wait, waiting) <= most:
                count = _joined(s, groups, count, low, high, most)
                o[r + STAYS] |= _YES << way
                s[wait + i] = s[wait + waiting - 1]
                waiting -= 1
                tied = True
                break
    return _YES


@jit(f"void({_A}, {_A}, {_I}, {_I}, {_I})", inner=True)
def mark(o, s, at, top, most):  # type: ignore[no-untyped-def]
    """Mark the operators that stay in the region at ``at``, for the bounds of all regions that come of it."""
    for i in range(s[at + N]):
        if o[s[at + OPS + i] + STAYS]:
            return  # it is done
    for who in range(2):
        side, way = np.int64(who), _NO
        while way < 2 and _mark_whole(o, s, at, top, side, most, way):
            kept = _crossed_out(o, s, at, top, side, most, most, way)
            for i in range(kept):
                r = s[top + i]
                if o[r + WHO] == side:
                    o[r + STAYS] |= _YES << way
            way += 1
        if way > o[MARKED + who]:
            o[MARKED + who] = way


@jit(f"{_I}({_A}, {_A}, {_A}, {_A}, {_A}, {_I}, {_I}, {_I}, {_I}, {_I}, {_I}, {_I})", inner=True)
def relaxed(a, o, lies, names, s, at, top, side, most, tie, way, depth):  # type: ignore[no-untyped-def]
    """A game that bounds the region at ``at``: from below if Left (``side`` 0) gives up moves, else from above.

    -1 if the moves of the other player alone tie more than ``most`` operators together.
    """
    kept = _crossed_out(o, s, at, top, side, most, tie, way)
    if kept < 0:
        return _NONE
    whole = top + s[at + N]
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


@jit(f"{_I}({_A}, {_A}, {_A}, {_A}, {_A}, {_I}, {_I}, {_I}, {_I}, {_I}, {_I})", inner=True)
def best_relaxed(a, o, lies, names, s, at, top, side, most, tie, depth):  # type: ignore[no-untyped-def]
    """The best of the bounds with operators crossed out in all ways that are marked."""
    best = _NONE
    for way in range(max(o[MARKED + side], _YES)):
        g = relaxed(a, o, lies, names, s, at, top, side, most, tie, np.int64(way), depth)
        if a[ERROR] or g < 0:
            return g
        if best < 0:
            best = g
            continue
        x, y = record(a, best), record(a, g)
        more = a[y + LS] + a[y + RS] - a[x + LS] - a[x + RS]
        if side:
            more = -more
        if more == 0:
            more = le(a, g, best) if side else le(a, best, g)
        if more > 0:
            best = g
    return best
