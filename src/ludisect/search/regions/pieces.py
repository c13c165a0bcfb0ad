"""Settling and splitting in compiled code: the regions after a move, as frames on a stack.

The same as :mod:`ludisect.search.regions.settling`, over the records of a :class:`~ludisect.search.regions.book.Book`.
A frame holds the operators that live, the facts that hold and those that are open, and a key of 128 bits for the region
as it lies: a sum of random words over its operators, mixed with its open facts and their values.
"""

from __future__ import annotations

import numpy as np

from ludisect.cgt.arena import mix
from ludisect.kernels.kernel import jit, never
from ludisect.search.regions.book import (
    BARS,
    CLEARS,
    KEY,
    KEYS,
    LEFTS,
    NEEDS,
    OPEN,
    OPS,
    SETS,
    STATE,
    TOUCHES,
    WHO,
    N,
)

_NO = np.int64(0)
_YES = np.int64(1)
_A = "int64[::1]"
_I = "int64"

# places in a record, unsigned: of a signed index it is asked at every access whether it counts from the end
_NEEDS, _NEEDS_HIGH = np.uint64(NEEDS), np.uint64(NEEDS + 1)
_BARS, _BARS_HIGH = np.uint64(BARS), np.uint64(BARS + 1)
_SETS, _SETS_HIGH = np.uint64(SETS), np.uint64(SETS + 1)
_CLEARS, _CLEARS_HIGH = np.uint64(CLEARS), np.uint64(CLEARS + 1)
_TOUCHES, _TOUCHES_HIGH = np.uint64(TOUCHES), np.uint64(TOUCHES + 1)
_KEY, _SECOND_KEY = np.uint64(KEY), np.uint64(KEY + 1)
_WHO = np.uint64(WHO)


@jit(f"void({_A}, {_I}, {_I}, {_I})", inner=True)
def seal(s, at, one, two):  # type: ignore[no-untyped-def]
    """Write the key of a frame, from the sums of the words of its operators."""
    low, high = s[at + OPEN], s[at + OPEN + 1]
    a, b = s[at + STATE] & low, s[at + STATE + 1] & high
    one = mix(mix(one, low), a)
    two = mix(mix(two + 1, a), low)
    if high:
        one = mix(mix(one, high), b)
        two = mix(mix(two, b), high)
    s[at + KEYS] = one | 1  # an empty slot of a table has key 0
    s[at + KEYS + 1] = two


@jit(f"{_I}({_A}, {_A}, {_I}, {_I}, {_I}, {_I}, {_I})", inner=True)
def settle(o, s, source, n, low, high, to):  # type: ignore[no-untyped-def]
    """The frame at ``to`` of what ``n`` operators at ``source`` make of a state; returns how many live.

    Beyond the frame, as many words again are used.
    """
    can_low, can_high, not_low, not_high = low, high, ~low, ~high
    read_low = read_high = lack_low = lack_high = over_low = over_high = _NO
    one = two = _NO
    lefts = kept = _NO
    out = to + OPS
    wait = out + n
    waiting = _NO
    for i in range(n):
        r = np.uint64(s[source + i])
        need_low, need_high, bar_low, bar_high = o[r + _NEEDS], o[r + _NEEDS_HIGH], o[r + _BARS], o[r + _BARS_HIGH]
        a, b = need_low & ~can_low, need_high & ~can_high
        c, d = bar_low & ~not_low, bar_high & ~not_high
        if a | b | c | d:
            lack_low |= a
            lack_high |= b
            over_low |= c
            over_high |= d
            s[wait + waiting] = np.int64(r)
            waiting += 1
            continue
        s[out + kept] = np.int64(r)
        kept += 1
        lefts += _YES - o[r + _WHO]
        read_low |= need_low | bar_low
        read_high |= need_high | bar_high
        can_low |= o[r + _SETS]
        can_high |= o[r + _SETS_HIGH]
        not_low |= o[r + _CLEARS]
        not_high |= o[r + _CLEARS_HIGH]
        one += o[r + _KEY]
        two += o[r + _SECOND_KEY]
    # those that were found wanting, again if something that they lack has come within reach since
    while waiting and (can_low & lack_low) | (can_high & lack_high) | (not_low & over_low) | (not_high & over_high):
        lack_low = lack_high = over_low = over_high = _NO
        still = _NO
        for i in range(waiting):
            r = np.uint64(s[wait + i])
            a, b = o[r + _NEEDS] & ~can_low, o[r + _NEEDS_HIGH] & ~can_high
            c, d = o[r + _BARS] & ~not_low, o[r + _BARS_HIGH] & ~not_high
            if a | b | c | d:
                lack_low |= a
                lack_high |= b
                over_low |= c
                over_high |= d
                s[wait + still] = np.int64(r)
                still += 1
                continue
            s[out + kept] = np.int64(r)  # not beyond wait: it was one of the n
            kept += 1
            lefts += _YES - o[r + _WHO]
            read_low |= o[r + _NEEDS] | o[r + _BARS]
            read_high |= o[r + _NEEDS_HIGH] | o[r + _BARS_HIGH]
            can_low |= o[r + _SETS]
            can_high |= o[r + _SETS_HIGH]
            not_low |= o[r + _CLEARS]
            not_high |= o[r + _CLEARS_HIGH]
            one += o[r + _KEY]
            two += o[r + _SECOND_KEY]
        waiting = still
    s[to + N] = kept
    s[to + LEFTS] = lefts
    s[to + STATE], s[to + STATE + 1] = low, high
    s[to + OPEN], s[to + OPEN + 1] = can_low & not_low & read_low, can_high & not_high & read_high
    seal(s, to, one, two)
    return kept


@jit(f"{_I}({_A}, {_A}, {_I}, {_I}, {_I})", inner=True)
def play(o, s, at, r, to):  # type: ignore[no-untyped-def]
    """The frame at ``to`` of the region at ``at`` after the operator ``r`` was made, not split; how many live."""
    r = np.uint64(r)
    low = (s[at + STATE] & ~o[r + _CLEARS]) | o[r + _SETS]
    high = (s[at + STATE + 1] & ~o[r + _CLEARS_HIGH]) | o[r + _SETS_HIGH]
    return settle(o, s, at + OPS, s[at + N], low, high, to)


@jit(f"{_I}({_A}, {_A}, {_I}, {_I})", inner=True)
def fits(o, s, at, r):  # type: ignore[no-untyped-def]
    """Whether the operator ``r`` can be made in the region at ``at``."""
    r = np.uint64(r)
    low, high = s[at + STATE], s[at + STATE + 1]
    lacks = (o[r + _NEEDS] & ~low) | (o[r + _NEEDS_HIGH] & ~high)
    return _NO if lacks | (o[r + _BARS] & low) | (o[r + _BARS_HIGH] & high) else _YES


@jit(f"{_I}({_A}, {_A}, {_I}, {_I})", inner=True)
def cut(o, s, at, to):  # type: ignore[no-untyped-def]
    """Take the first region out of the frame at ``at`` and write it at ``to``; returns where its frame ends.

    What is left in the frame has no key any more. If nothing is left, its ``N`` is 0. If it was one region, the copy is
    the same as it was. An operator that touches no open fact has a region of its own; its open facts are none.
    """
    n, open_low, open_high = s[at + N], s[at + OPEN], s[at + OPEN + 1]
    ops, out = at + OPS, to + OPS
    r = np.uint64(s[ops])
    low, high = o[r + _TOUCHES] & open_low, o[r + _TOUCHES_HIGH] & open_high
    s[out] = np.int64(r)
    kept = _YES
    lefts, one, two = _YES - o[r + _WHO], o[r + _KEY], o[r + _SECOND_KEY]
    rest = n - 1
    begin = ops + 1
    while True:
        before_low, before_high = low, high
        still = _NO
        for i in range(rest):
            r = np.uint64(s[begin + i])
            a, b = o[r + _TOUCHES] & open_low, o[r + _TOUCHES_HIGH] & open_high
            if (a & low) | (b & high):
                low |= a
                high |= b
                s[out + kept] = np.int64(r)
                kept += 1
                lefts += _YES - o[r + _WHO]
                one += o[r + _KEY]
                two += o[r + _SECOND_KEY]
            else:
                s[ops + still] = np.int64(r)
                still += 1
        rest = still
        begin = ops
        if rest == 0 or (low == before_low and high == before_high):
            break
    s[at + N] = rest
    s[to + N], s[to + LEFTS] = kept, lefts
    s[to + STATE], s[to + STATE + 1] = s[at + STATE], s[at + STATE + 1]
    s[to + OPEN], s[to + OPEN + 1] = low, high
    seal(s, to, one, two)
    return out + kept


@jit(f"{_I}({_A}, {_A}, {_I}, {_I}, {_I})", small=never)
def split_after(o, s, at, r, to):  # type: ignore[no-untyped-def]
    """The regions after the operator ``r`` was made (none, if ``r`` is 0) as frames one after the other; how many."""
    room = OPS + 2 * s[at + N]
    if r:
        play(o, s, at, r, to)
    else:
        settle(o, s, at + OPS, s[at + N], s[at + STATE], s[at + STATE + 1], to)
    count = _NO
    end = to + room
    while s[to + N]:
        end = cut(o, s, to, end)
        count += 1
    return count
