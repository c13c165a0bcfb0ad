"""The kernel compiled: canonical forms in one array of machine integers, for long jobs.

The same algorithm as :mod:`ludisect.cgt.value`. Everything lives in a single int64 array: a header, fixed-size
records of games, a pool of option lists, the table that interns games, two lossy tables that remember comparisons and
sums, and a stack for lists under construction. Regions are found through the header, so that the array can grow.

Numbers are fixed-point with ``SHIFT`` binary places. What does not fit (a number, a nimber, the memory) sets the
header's error field and unwinds; the caller grows the array and asks again, or falls back on the plain kernel.

Functions call themselves but never each other in a circle, have explicit signatures, and pass no literal arguments to
themselves: each is then compiled once.
"""

from __future__ import annotations

import numpy as np

from ludisect.kernels.kernel import jit, never

SHIFT = 32
ONE = 1 << SHIFT
LARGEST = 1 << 61  # beyond, sums could overflow
MOST_NIM = 512

# header fields
COUNT, ROOM, RECORDS = 0, 1, 2
POOL, POOL_USED, POOL_ROOM = 3, 4, 5
TABLE, TABLE_MASK = 6, 7
ORDERS, ORDER_MASK = 8, 9
SUMS, SUM_MASK = 10, 11
STACK, STACK_TOP, STACK_ROOM = 12, 13, 14
FORMS, FORM_MASK, STAMP = 15, 16, 17
ERROR, BUDGET = 18, 19
HEADER = 24

# error codes
FULL, TOO_FINE, OUT_OF_BUDGET, RETRY = 1, 2, 3, 4

# fields of a record
KIND, X, UPS, NIM, LEFT, LEFTS, RIGHT, RIGHTS, LS, RS, NEGATIVE, HASH = range(12)
SIZE = 12

_MIX1 = np.int64(-7046029254386353131)
_MIX2 = np.int64(-4417276706812531889)
_YES = np.int64(1)
_NO = np.int64(0)
_NONE = np.int64(-1)

_I = "int64"
_A = "int64[::1]"


@jit(f"{_I}({_I}, {_I})", inner=True)
def mix(h, x):  # type: ignore[no-untyped-def]
    """One step of a hash."""
    h = (h ^ x) * _MIX1
    h = (h ^ (h >> 29)) * _MIX2
    return h ^ (h >> 32)


@jit(f"{_I}({_A}, {_I})", inner=True)
def record(a, g):  # type: ignore[no-untyped-def]
    """Where the record of game ``g`` begins."""
    return a[RECORDS] + g * SIZE


@jit(f"{_I}({_A}, {_I}, {_I})", inner=True)
def find_slot(a, h, count):  # type: ignore[no-untyped-def]
    """The next slot of the interning table at or after hash ``h``."""
    return a[TABLE] + ((h + count) & a[TABLE_MASK])


@jit(f"{_I}({_A}, {_I}, {_I}, {_I})", small=never)
def atom(a, x, ups, nim):  # type: ignore[no-untyped-def]
    """The game x + ups·↑ + *nim, with x in fixed point."""
    if x > LARGEST or x < -LARGEST or nim > MOST_NIM:
        a[ERROR] = TOO_FINE
        return _NO
    h = mix(mix(mix(np.int64(77), x), ups), nim)
    count = _NO
    while True:
        slot = find_slot(a, h, count)
        g = a[slot] - 1
        if g < 0:
            break
        r = record(a, g)
        if a[r + HASH] == h and a[r + KIND] == 1 and a[r + X] == x and a[r + UPS] == ups and a[r + NIM] == nim:
            return g
        count += 1
    if a[COUNT] + 2 >= a[ROOM]:
        a[ERROR] = FULL
        return _NO
    g = a[COUNT]
    a[COUNT] += 1
    a[slot] = g + 1
    r = record(a, g)
    a[r + KIND] = 1
    a[r + X], a[r + UPS], a[r + NIM] = x, ups, nim
    a[r + LEFTS] = a[r + RIGHTS] = _NONE
    a[r + LS] = a[r + RS] = x
    a[r + NEGATIVE] = _NONE
    a[r + HASH] = h
    return g


@jit(f"void({_A}, {_I}, {_I}, {_I}, {_I}, {_I})", inner=True)
def set_atom_options(a, g, l0, nl, r0, nr):  # type: ignore[no-untyped-def]
    """Store options that lie in the pool."""
    r = record(a, g)
    a[r + LEFT], a[r + LEFTS], a[r + RIGHT], a[r + RIGHTS] = l0, nl, r0, nr


@jit(f"void({_A}, {_I})", inner=True)
def spell(a, g):  # type: ignore[no-untyped-def]
    """Make sure that the options of ``g`` are in the pool (sums of number, ups and nimber make them on demand)."""
    r = record(a, g)
    if a[r + LEFTS] >= 0:
        return
    x, ups, nim = a[r + X], a[r + UPS], a[r + NIM]
    if a[POOL_USED] + 2 * nim + 8 > a[POOL_ROOM] or a[COUNT] + 2 * nim + 8 > a[ROOM]:
        a[ERROR] = FULL
        return
    p = a[POOL] + a[POOL_USED]
    nl = nr = _NO
    if ups:
        # the side that can move to the bare number, and the one that gives away an up
        single = atom(a, x, _NO, _NO)
        sign = _YES if ups > 0 else _NONE
        other = atom(a, x, ups - sign, nim ^ 1)
        star = atom(a, x, _NO, _YES)
        a[p] = single
        a[p + 1] = star
        a[p + 2] = other
        many = np.int64(2) if ups * sign == 1 and nim == 1 else _YES
        if ups > 0:
            set_atom_options(a, g, p, many, p + 2, _YES)
        else:
            set_atom_options(a, g, p + 2, _YES, p, many)
        a[POOL_USED] += 3
        return
    if nim:
        for k in range(nim):
            a[p + k] = atom(a, x, _NO, k)
        a[POOL_USED] += nim
        set_atom_options(a, g, p, nim, p, nim)
        return
    step = ONE
    if x & (ONE - 1):
        step = x & -x
    if x > 0 or x & (ONE - 1):
        a[p] = atom(a, x - step, _NO, _NO)
        nl = _YES
    if x < 0 or x & (ONE - 1):
        a[p + 1] = atom(a, x + step, _NO, _NO)
        nr = _YES
    a[POOL_USED] += 2
    set_atom_options(a, g, p, nl, p + 1, nr)


@jit(f"{_I}({_A}, {_I}, {_I})", inner=True)
def atom_le(a, r, s):  # type: ignore[no-untyped-def]
    """Whether one sum of number, ups and nimber is at most another (given their records)."""
    if a[r + X] != a[s + X]:
        return _YES if a[r + X] < a[s + X] else _NO
    ups = a[s + UPS] - a[r + UPS]
    nim = a[s + NIM] ^ a[r + NIM]
    if ups >= 2 or (ups == 1 and nim != 1) or (ups == 0 and nim == 0):
        return _YES
    return _NO


@jit(f"{_I}({_A}, {_I})", inner=True)
def is_number(a, r):  # type: ignore[no-untyped-def]
    """Whether the game with record ``r`` is a number."""
    return _YES if a[r + KIND] == 1 and a[r + UPS] == 0 and a[r + NIM] == 0 else _NO


@jit(f"{_I}({_A}, {_I}, {_I})", small=never)
def le(a, g, h):  # type: ignore[no-untyped-def]
    """Whether g <= h."""
    if g == h:
        return _YES
    r, s = record(a, g), record(a, h)
    if a[r + KIND] == 1 and a[s + KIND] == 1:
        return atom_le(a, r, s)
    if a[r + LS] > a[s + LS] or a[r + RS] > a[s + RS]:
        return _NO
    if a[r + LS] < a[s + RS]:
        return _YES
    pair = (g << 31) | h
    slot = a[ORDERS] + (mix(np.int64(5), pair) & a[ORDER_MASK])
    if a[slot] >> 1 == pair:
        return a[slot] & 1
    answer = _YES
    if not is_number(a, r):
        spell(a, g)
        if a[ERROR]:
            return _NO
        p = a[r + LEFT]
        for i in range(a[r + LEFTS]):
            if le(a, h, a[p + i]):
                answer = _NO
                break
    if answer and not is_number(a, s):
        spell(a, h)
        if a[ERROR]:
            return _NO
        p = a[s + RIGHT]
        for i in range(a[s + RIGHTS]):
            if le(a, a[p + i], g):
                answer = _NO
                break
    if not a[ERROR]:
        a[slot] = (pair << 1) | answer
    return answer


@jit(f"{_I}({_I}, {_I}, {_I}, {_I}, {_I}, {_I})", inner=True)
def simplest(low, high, has_low, has_high, low_in, high_in):  # type: ignore[no-untyped-def]
    """The simplest number of a non-empty interval, in fixed point; LARGEST + 1 if it is too fine."""
    if (not has_low or low < 0 or (low == 0 and low_in)) and (not has_high or high > 0 or (high == 0 and high_in)):
        return _NO
    sign = _YES
    if not has_low or low < 0:
        sign = _NONE
        low, high = -high, -low
        low_in, high_in = high_in, low_in
        has_high = has_low
    step = np.int64(ONE)
    while step:
        x = (low // step) * step
        if x < low or not low_in:
            x += step
        if not has_high or x < high or (high_in and x == high):
            return sign * x
        step >>= 1
    return np.int64(LARGEST + 1)


@jit(f"{_I}({_A}, {_I}, {_I}, {_I})", inner=True)
def undominated(a, at, n, best):  # type: ignore[no-untyped-def]
    """Keep the maximal (``best`` 1) or minimal (0) of the ``n`` games at ``at``; returns how many remain.

    Sorted by their stops first, a game can only be dominated by an earlier one or by one with the same stops.
    """
    for i in range(1, n):
        x = a[at + i]
        r = record(a, x)
        key = a[r + LS] + a[r + RS]
        j = i - 1
        while j >= 0:
            s = record(a, a[at + j])
            other = a[s + LS] + a[s + RS]
            if (other >= key) if best else (other <= key):
                break
            a[at + j + 1] = a[at + j]
            j -= 1
        a[at + j + 1] = x
    kept = _NO
    for i in range(n):
        x = a[at + i]
        r = record(a, x)
        dominated = False
        for j in range(kept):
            y = a[at + j]
            if le(a, x, y) if best else le(a, y, x):
                dominated = True
                break
        if dominated:
            continue
        fresh = _NO
        for j in range(kept):
            y = a[at + j]
            s = record(a, y)
            even = a[s + LS] == a[r + LS] and a[s + RS] == a[r + RS]
            if not (even and (le(a, y, x) if best else le(a, x, y))):
                a[at + fresh] = y
                fresh += 1
        a[at + fresh] = x
        kept = fresh + 1
    return kept


@jit(f"{_I}({_A}, {_I}, {_I}, {_I}, {_I}, {_I}, {_I}, {_I}, {_I}, {_I})", inner=True)
def form_cmp(a, y, above, l0, nl, r0, nr, ls, rs, stamp):  # type: ignore[no-untyped-def]
    """Whether y <= F (``above`` 1) or y >= F (0), for the unfinished form F = {l0…|r0…} that is no number."""
    r = record(a, y)
    if above:
        if a[r + LS] > ls or a[r + RS] > rs:
            return _NO
        if a[r + LS] < rs:
            return _YES
    else:
        if a[r + LS] < ls or a[r + RS] < rs:
            return _NO
        if a[r + RS] > ls:
            return _YES
    key = (stamp << 32) | (y << 1) | above
    slot = a[FORMS] + 2 * (mix(np.int64(9), key) & a[FORM_MASK])
    if a[slot] == key:
        return a[slot + 1]
    answer = _YES
    if above:
        for i in range(nr):
            if le(a, a[r0 + i], y):
                answer = _NO
                break
    else:
        for i in range(nl):
            if le(a, y, a[l0 + i]):
                answer = _NO
                break
    if answer and not is_number(a, r):
        spell(a, y)
        if a[ERROR]:
            return _NO
        p = a[r + LEFT] if above else a[r + RIGHT]
        for i in range(a[r + LEFTS] if above else a[r + RIGHTS]):
            if form_cmp(a, a[p + i], _YES - above, l0, nl, r0, nr, ls, rs, stamp):
                answer = _NO
                break
    if not a[ERROR]:
        a[slot] = key
        a[slot + 1] = answer
    return answer


@jit(f"{_I}({_A}, {_I}, {_I}, {_I}, {_I}, {_I}, {_I}, {_I}, {_I}, {_I})", inner=True)
def bypass(a, to, left, l0, nl, r0, nr, ls, rs, stamp):  # type: ignore[no-untyped-def]
    """Write one side's options at ``to``, reversible ones replaced; returns how many."""
    source, n = (l0, nl) if left else (r0, nr)
    kept = _NO
    limit = a[STACK] + a[STACK_ROOM]
    todo = to + n  # a work list behind the kept options
    work = _NO
    replaced = False
    # kept options grow from `to`, the work list from `todo`: at most n are kept before something is replaced
    for i in range(n):
        a[todo + i] = a[source + i]
    work = n
    base = todo
    while work:
        work -= 1
        x = a[base + work]
        spell(a, x)
        if a[ERROR]:
            return _NO
        r = record(a, x)
        p = a[r + RIGHT] if left else a[r + LEFT]
        count = a[r + RIGHTS] if left else a[r + LEFTS]
        hit = _NONE
        for i in range(count):
            if form_cmp(a, a[p + i], left, l0, nl, r0, nr, ls, rs, stamp):
                hit = a[p + i]
                break
        if a[ERROR]:
            return _NO
        if hit < 0:
            if to + kept >= base:
                # make room: move the work list up
                if base + work + 64 >= limit:
                    a[ERROR] = FULL
                    return _NO
                for i in range(work - 1, -1, -1):
                    a[base + 32 + i] = a[base + i]
                base += 32
            a[to + kept] = x
            kept += 1
            continue
        replaced = True
        spell(a, hit)
        if a[ERROR]:
            return _NO
        s = record(a, hit)
        p = a[s + LEFT] if left else a[s + RIGHT]
        count = a[s + LEFTS] if left else a[s + RIGHTS]
        if base + work + count + 64 >= limit:
            a[ERROR] = FULL
            return _NO
        for i in range(count):
            a[base + work] = a[p + i]
            work += 1
    if replaced:
        kept = undominated(a, to, kept, left)
    return kept
