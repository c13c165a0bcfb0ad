"""The compiled kernel, second half: canonical form, negative and sum over the array of :mod:`ludisect.cgt.arena`."""

from __future__ import annotations

import numpy as np

from ludisect.cgt.arena import (
    COUNT,
    ERROR,
    FULL,
    HASH,
    KIND,
    LARGEST,
    LEFT,
    LEFTS,
    LS,
    MOST_NIM,
    NEGATIVE,
    NIM,
    POOL,
    POOL_ROOM,
    POOL_USED,
    RIGHT,
    RIGHTS,
    ROOM,
    RS,
    STACK,
    STACK_ROOM,
    STACK_TOP,
    STAMP,
    SUM_MASK,
    SUMS,
    TOO_FINE,
    UPS,
    X,
    atom,
    bypass,
    find_slot,
    is_number,
    le,
    mix,
    record,
    simplest,
    spell,
    undominated,
)
from ludisect.kernels.kernel import jit, never

_YES = np.int64(1)
_NO = np.int64(0)
_NONE = np.int64(-1)
_I = "int64"
_A = "int64[::1]"


@jit(f"void({_A}, {_I}, {_I})", inner=True)
def sort(a, at, n):  # type: ignore[no-untyped-def]
    """Sort a short list in place."""
    for i in range(1, n):
        x = a[at + i]
        j = i - 1
        while j >= 0 and a[at + j] > x:
            a[at + j + 1] = a[at + j]
            j -= 1
        a[at + j + 1] = x


@jit(f"{_I}({_A}, {_I}, {_I})", inner=True)
def distinct(a, at, n):  # type: ignore[no-untyped-def]
    """Drop repeated games from a list; returns how many remain."""
    kept = _NO
    for i in range(n):
        x = a[at + i]
        fresh = True
        for j in range(kept):
            if a[at + j] == x:
                fresh = False
                break
        if fresh:
            a[at + kept] = x
            kept += 1
    return kept


@jit(f"{_I}({_A}, {_I}, {_I}, {_I}, {_I}, {_I}, {_I})", inner=True)
def intern(a, l0, nl, r0, nr, ls, rs):  # type: ignore[no-untyped-def]
    """The game with these canonical options (sorted here), which is no sum of number, ups and nimber."""
    sort(a, l0, nl)
    sort(a, r0, nr)
    h = mix(mix(np.int64(11), nl), nr)
    for i in range(nl):
        h = mix(h, a[l0 + i])
    for i in range(nr):
        h = mix(h, a[r0 + i] + 1000003)
    count = _NO
    while True:
        slot = find_slot(a, h, count)
        g = a[slot] - 1
        if g < 0:
            break
        r = record(a, g)
        if a[r + HASH] == h and a[r + KIND] == 0 and a[r + LEFTS] == nl and a[r + RIGHTS] == nr:
            same = True
            for i in range(nl):
                if a[a[r + LEFT] + i] != a[l0 + i]:
                    same = False
                    break
            if same:
                for i in range(nr):
                    if a[a[r + RIGHT] + i] != a[r0 + i]:
                        same = False
                        break
            if same:
                return g
        count += 1
    if a[COUNT] + 2 >= a[ROOM] or a[POOL_USED] + nl + nr >= a[POOL_ROOM]:
        a[ERROR] = FULL
        return _NO
    g = a[COUNT]
    a[COUNT] += 1
    a[slot] = g + 1
    r = record(a, g)
    p = a[POOL] + a[POOL_USED]
    a[r + KIND] = 0
    a[r + LEFT], a[r + LEFTS], a[r + RIGHT], a[r + RIGHTS] = p, nl, p + nl, nr
    for i in range(nl):
        a[p + i] = a[l0 + i]
    for i in range(nr):
        a[p + nl + i] = a[r0 + i]
    a[POOL_USED] += nl + nr
    a[r + LS], a[r + RS], a[r + NEGATIVE], a[r + HASH] = ls, rs, _NONE, h
    return g


@jit(f"{_I}({_A}, {_I}, {_I}, {_I}, {_I}, {_I})", inner=True)
def recognize_up(a, l0, nl, r0, nr, sign):  # type: ignore[no-untyped-def]
    """The game with at least one up (``sign`` 1) or down (-1) that has these options; -1 if there is none."""
    # seen from the side that moves to the bare number
    if sign < 0:
        l0, nl, r0, nr = r0, nr, l0, nl
    if nr != 1 or nl > 2:
        return _NONE
    s = record(a, a[r0])
    ups, nim = a[s + UPS] * sign, a[s + NIM]
    plain = starred = _NO
    for i in range(nl):
        r = record(a, a[l0 + i])
        if a[r + UPS]:
            return _NONE
        if a[r + NIM] == 0:
            plain = _YES
        elif a[r + NIM] == 1:
            starred = _YES
    if not plain:
        return _NONE
    x = a[s + X]
    if nl == 1 and ups >= 0 and (ups or nim):
        return atom(a, x, sign * (ups + 1), nim ^ 1)
    if nl == 2 and starred and ups == 0 and nim == 0:
        return atom(a, x, sign, _YES)
    return _NONE


@jit(f"{_I}({_A}, {_I}, {_I}, {_I}, {_I})", inner=True)
def recognize(a, l0, nl, r0, nr):  # type: ignore[no-untyped-def]
    """The sum of number, ups and nimber that has these canonical options; -1 if it is none."""
    x = a[record(a, a[l0]) + X]
    flat = True
    for i in range(nl + nr):
        r = record(a, a[l0 + i] if i < nl else a[r0 + i - nl])
        if a[r + KIND] != 1 or a[r + X] != x:
            return _NONE
        if a[r + UPS]:
            flat = False
    if flat and nl == nr and nl <= MOST_NIM:
        # *0 … *(n-1) on both sides: options are distinct, so it is enough that all are small
        small = True
        for i in range(nl):
            if a[record(a, a[l0 + i]) + NIM] >= nl or a[record(a, a[r0 + i]) + NIM] >= nl:
                small = False
                break
        if small:
            return atom(a, x, _NO, nl)
    g = recognize_up(a, l0, nl, r0, nr, _YES)
    return g if g >= 0 else recognize_up(a, l0, nl, r0, nr, _NONE)


@jit(f"{_I}({_A}, {_I}, {_I}, {_I}, {_I})", inner=True)
def number_between(a, l0, nl, r0, nr):  # type: ignore[no-untyped-def]
    """The number that {l0…|r0…} is, as a game; -1 if it is none."""
    low = high = _NO
    for i in range(nl):
        x = a[record(a, a[l0 + i]) + RS]
        if i == 0 or x > low:
            low = x
    for i in range(nr):
        x = a[record(a, a[r0 + i]) + LS]
        if i == 0 or x < high:
            high = x
    if nl and nr and low > high:
        return _NONE
    low_in = high_in = _YES
    if nl:
        end = atom(a, low, _NO, _NO)
        for i in range(nl):
            g = a[l0 + i]
            if a[record(a, g) + RS] == low and le(a, end, g):
                low_in = _NO
                break
    if nr:
        end = atom(a, high, _NO, _NO)
        for i in range(nr):
            g = a[r0 + i]
            if a[record(a, g) + LS] == high and le(a, g, end):
                high_in = _NO
                break
    if a[ERROR]:
        return _NONE
    if nl and nr and low == high:
        return atom(a, low, _NO, _NO) if low_in and high_in else _NONE
    x = simplest(low, high, nl, nr, low_in, high_in)
    if x > LARGEST:
        a[ERROR] = TOO_FINE
        return _NONE
    return atom(a, x, _NO, _NO)


@jit(f"{_I}({_A}, {_I}, {_I}, {_I})", small=never)
def build(a, at, nl, nr):  # type: ignore[no-untyped-def]
    """The canonical form of the game whose ``nl`` left and then ``nr`` right options lie at ``at`` on the stack."""
    if a[ERROR]:
        return _NO
    l0, r0 = at, at + nl
    nl, nr = distinct(a, l0, nl), distinct(a, r0, nr)
    g = number_between(a, l0, nl, r0, nr)
    if g >= 0 or a[ERROR]:
        return g if g >= 0 else _NO
    nl = undominated(a, l0, nl, _YES)
    nr = undominated(a, r0, nr, _NO)
    ls = rs = _NO
    for i in range(nl):
        x = a[record(a, a[l0 + i]) + RS]
        if i == 0 or x > ls:
            ls = x
    for i in range(nr):
        x = a[record(a, a[r0 + i]) + LS]
        if i == 0 or x < rs:
            rs = x
    a[STAMP] = (a[STAMP] + 1) & 0x3FFFFFFF
    if a[STAMP] == 0:
        a[STAMP] = 1
    top = a[STACK] + a[STACK_TOP]
    if r0 + nr > top:
        top = r0 + nr
    if top + 4 * (nl + nr) + 128 > a[STACK] + a[STACK_ROOM]:
        a[ERROR] = FULL
        return _NO
    stamp = a[STAMP]
    kept_left = bypass(a, top, _YES, l0, nl, r0, nr, ls, rs, stamp)
    to = top + kept_left
    kept_right = bypass(a, to, _NO, l0, nl, r0, nr, ls, rs, stamp)
    if a[ERROR]:
        return _NO
    g = recognize(a, top, kept_left, to, kept_right)
    if g >= 0 or a[ERROR]:
        return g if g >= 0 else _NO
    return intern(a, top, kept_left, to, kept_right, ls, rs)


@jit(f"{_I}({_A}, {_I})", small=never)
def negate(a, g):  # type: ignore[no-untyped-def]
    """The negative of ``g``."""
    r = record(a, g)
    if a[r + NEGATIVE] >= 0:
        return a[r + NEGATIVE]
    if a[r + KIND] == 1:
        h = atom(a, -a[r + X], -a[r + UPS], a[r + NIM])
    else:
        nl, nr = a[r + LEFTS], a[r + RIGHTS]
        at = a[STACK_TOP]
        if at + nl + nr + 128 > a[STACK_ROOM]:
            a[ERROR] = FULL
            return _NO
        a[STACK_TOP] = at + nl + nr
        p = a[STACK] + at
        for i in range(nr):
            a[p + i] = negate(a, a[a[r + RIGHT] + i])
        for i in range(nl):
            a[p + nr + i] = negate(a, a[a[r + LEFT] + i])
        h = _NO
        if not a[ERROR]:
            h = intern(a, p, nr, p + nr, nl, -a[r + RS], -a[r + LS])
        a[STACK_TOP] = at
    if a[ERROR]:
        return _NO
    a[r + NEGATIVE] = h
    a[record(a, h) + NEGATIVE] = g
    return h


@jit(f"{_I}({_A}, {_I}, {_I})", small=never)
def add(a, g, h):  # type: ignore[no-untyped-def]
    """The sum of two games."""
    if a[ERROR]:
        return _NO
    r, s = record(a, g), record(a, h)
    if a[r + KIND] == 1 and a[s + KIND] == 1:
        return atom(a, a[r + X] + a[s + X], a[r + UPS] + a[s + UPS], a[r + NIM] ^ a[s + NIM])
    if a[r + KIND] == 1 or (a[s + KIND] == 0 and g > h):
        g, h, r, s = h, g, s, r
    shift = is_number(a, s)
    if shift and a[s + X] == 0:
        return g
    if a[r + NEGATIVE] == h:
        return atom(a, _NO, _NO, _NO)
    pair = (g << 31) | h
    slot = a[SUMS] + 2 * (mix(np.int64(3), pair) & a[SUM_MASK])
    if a[slot] == pair + 1:
        return a[slot + 1]
    spell(a, h)
    if a[ERROR]:
        return _NO
    nl, nr = a[r + LEFTS], a[r + RIGHTS]
    ml = _NO if shift else a[s + LEFTS]
    mr = _NO if shift else a[s + RIGHTS]
    at = a[STACK_TOP]
    if at + nl + nr + ml + mr + 128 > a[STACK_ROOM]:
        a[ERROR] = FULL
        return _NO
    a[STACK_TOP] = at + nl + nr + ml + mr
    p = a[STACK] + at
    for i in range(nl):
        a[p + i] = add(a, a[a[r + LEFT] + i], h)
    for i in range(ml):
        a[p + nl + i] = add(a, g, a[a[s + LEFT] + i])
    q = p + nl + ml
    for i in range(nr):
        a[q + i] = add(a, a[a[r + RIGHT] + i], h)
    for i in range(mr):
        a[q + nr + i] = add(a, g, a[a[s + RIGHT] + i])
    total = _NO
    if not a[ERROR]:
        if shift:
            total = intern(a, p, nl, q, nr, a[r + LS] + a[s + X], a[r + RS] + a[s + X])
        else:
            total = build(a, p, nl + ml, nr + mr)
    a[STACK_TOP] = at
    if a[ERROR]:
        return _NO
    a[slot] = pair + 1
    a[slot + 1] = total
    return total
