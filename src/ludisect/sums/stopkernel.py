"""The search of stops compiled: the algorithm of :mod:`ludisect.sums.stops` and :mod:`ludisect.sums.ties` over arrays.

All tables of both levels (0: without bonus, 1: with it) lie in one array of integers behind a header; a state lies on a
stack: number of components, bits of the switches (bit 0 is the hottest), components. The transposition table knows a
sum by two words of hash, and keeps bounds.
"""

from __future__ import annotations

import numpy as np

from ludisect.cgt.memory import array_at
from ludisect.kernels.kernel import jit, never
from ludisect.sums.stops import DOMINATION_NODES

HEADER = 24
"""Words of the header of one level."""

(
    TEMPERATURES,  # how many the walls are measured at
    MOVES,  # how many there are in components; those in switches follow
    SWITCHES,  # how many different ones
    NEGATIVE,  # from here on: where a table begins
    WALLS,
    HEAT,
    FIRST,
    GOAL,
    GOAL_SWITCH,
    NUMBER,
    ORIGIN,
    SWITCH_HEAT,
    KEYS,
    SWITCH_KEYS,
    ROUND_PLACE,
    ROUND_SWITCH,
    ROUND_SWITCHES,
    DOMINATED,  # in a table of its own
) = range(18)
RATIO, SLACK = 2 * HEADER, 2 * HEADER + 1
TABLES = 2 * HEADER + 2
"""Where the tables begin."""

BUDGET, STOP, MOST, DOMINATION = range(4)
"""Words of the environment: nodes left, why the search ended, nodes left to a side question, and for each level
whether dominated moves are left out."""

OUT_OF_BUDGET, OUT_OF_ROOM, ASIDE = 1, 2, 3

_NO, _YES = np.int64(0), np.int64(1)
_SIDE_NODES = np.int64(DOMINATION_NODES)
_ROOM = 1 << 14  # words of the stack that one sum may need
_FAR = np.int64(1 << 60)
_A, _T = "int64[::1]", "int64[:, ::1]"


@jit(f"void({_A}, {_A}, int64, int64, int64)", inner=True)
def _put(a, stack, base, p, place):  # type: ignore[no-untyped-def]
    """Add a component to the state at ``p``, or cancel it against its negative."""
    n = stack[p]
    opposite = a[a[base + NEGATIVE] + place]
    for i in range(p + 2, p + 2 + n):
        if stack[i] == opposite:
            stack[i] = stack[p + 1 + n]
            stack[p] = n - 1
            return
    stack[p + 2 + n] = place
    stack[p] = n + 1


@jit(f"void({_A}, {_A}, int64, int64)", inner=True)
def _round(a, stack, p, q):  # type: ignore[no-untyped-def]
    """Write the state at ``p`` without bonus at ``q``."""
    stack[q] = stack[q + 1] = _NO
    for i in range(p + 2, p + 2 + stack[p]):
        place = a[a[HEADER + ROUND_PLACE] + stack[i]]
        switch = a[a[HEADER + ROUND_SWITCH] + stack[i]]
        if place >= 0:
            _put(a, stack, _NO, q, place)
        if switch >= 0:
            stack[q + 1] ^= _YES << switch
    for j in range(a[HEADER + SWITCHES]):
        switch = a[a[HEADER + ROUND_SWITCHES] + j]
        if (stack[p + 1] >> j) & 1 and switch >= 0:
            stack[q + 1] ^= _YES << switch


@jit(f"UniTuple(int64, 2)({_A}, {_A}, int64, int64)", inner=True)
def _by_walls(a, stack, base, p):  # type: ignore[no-untyped-def]
    """Bounds on the left stop of the state at ``p``; the columns are summed behind it."""
    n, mask = stack[p], stack[p + 1]
    count, heat = a[base + TEMPERATURES], a[base + HEAT]
    left = p + 2 + n
    right, width = left + count, left + 2 * count
    for k in range(count):
        t = a[heat + k]
        total, odd = _NO, False
        for j in range(a[base + SWITCHES]):
            hot = a[a[base + SWITCH_HEAT] + j]
            if hot <= t:
                break
            if (mask >> j) & 1:
                total += -hot if odd else hot
                odd = not odd
        if odd:
            total -= t
        stack[left + k], stack[right + k], stack[width + k] = total, -total, 2 * total
    for i in range(p + 2, p + 2 + n):
        at = a[base + WALLS] + 2 * count * stack[i]
        for k in range(count):
            x, y = a[at + k], a[at + count + k]
            stack[left + k] += x
            stack[right + k] += y
            stack[width + k] = max(stack[width + k], x - y)
    low, high = -_FAR, _FAR
    for k in range(count):
        low = max(low, stack[right + k] + stack[width + k])
        high = min(high, stack[left + k] + a[heat + k])
    return low, high


@jit(f"int64({_A}, {_T}, {_A}, int64, int64)", inner=True)
def _entry(a, table, stack, level, p):  # type: ignore[no-untyped-def]
    """The row of the table with the bounds (columns 2 and 3) on the left stop of the state at ``p``."""
    base = level * HEADER
    n, mask = stack[p], stack[p + 1]
    one, two = level + 1, _NO
    keys = a[base + KEYS]
    for i in range(p + 2, p + 2 + n):
        one += a[keys + 2 * stack[i]]
        two += a[keys + 2 * stack[i] + 1]
    keys = a[base + SWITCH_KEYS]
    for j in range(a[base + SWITCHES]):
        if (mask >> j) & 1:
            one ^= a[keys + 2 * j]
            two ^= a[keys + 2 * j + 1]
    if one == 0:
        one = _YES
    row = one & (len(table) - 2)
    if table[row, 0] == one and table[row, 1] == two:
        return row
    if table[row + 1, 0] == one and table[row + 1, 1] == two:
        return row + 1
    low, high = _by_walls(a, stack, base, p)
    if level:
        q = p + 2 + n
        _round(a, stack, p, q)
        near = _entry(a, table, stack, _NO, q)
        low = max(low, table[near, 2] * a[RATIO] - a[SLACK])
        high = min(high, table[near, 3] * a[RATIO] + a[SLACK])
    if table[row, 0] and (table[row + 1, 0] == 0 or two & 1):
        row += 1
    table[row, 0], table[row, 1], table[row, 2], table[row, 3] = one, two, low, high
    return row


@jit(f"void({_A}, {_A}, int64, int64, int64, int64)", inner=True)
def _play(a, stack, level, p, move, q):  # type: ignore[no-untyped-def]
    """Write the state after a move at ``q``, seen by the opponent."""
    base = level * HEADER
    moves = a[base + MOVES]
    mask, origin = stack[p + 1], -_YES
    stack[q] = _NO
    if move < moves:
        origin = a[a[base + ORIGIN] + move]
    else:
        mask ^= _YES << (move - moves)
    to = q + 2
    for i in range(p + 2, p + 2 + stack[p]):
        if stack[i] == origin:
            origin = -_YES
        else:
            stack[to] = stack[i]
            to += 1
    stack[q] = to - q - 2
    if move < moves:
        goal, switch = a[a[base + GOAL] + move], a[a[base + GOAL_SWITCH] + move]
        if goal >= 0:
            _put(a, stack, base, q, goal)
        if switch >= 0:
            mask ^= _YES << switch
    stack[q + 1] = mask
    for i in range(q + 2, q + 2 + stack[q]):
        stack[i] = a[a[base + NEGATIVE] + stack[i]]


@jit(f"int64({_A}, {_A}, int64, int64, int64, int64)", inner=True)
def _difference(a, stack, level, move, other, q):  # type: ignore[no-untyped-def]
    """Write what one move gains minus what another gains at ``q``; returns the number that belongs to it."""
    base = level * HEADER
    moves = a[base + MOVES]
    stack[q] = stack[q + 1] = _NO
    for i in range(2):
        x = other if i else move
        if x >= moves:
            stack[q + 1] ^= _YES << (x - moves)
            continue
        goal, origin = a[a[base + GOAL] + x], a[a[base + ORIGIN] + x]
        switch = a[a[base + GOAL_SWITCH] + x]
        if not i:
            origin = a[a[base + NEGATIVE] + origin]
        elif goal >= 0:
            goal = a[a[base + NEGATIVE] + goal]
        _put(a, stack, base, q, origin)
        if goal >= 0:
            _put(a, stack, base, q, goal)
        if switch >= 0:
            stack[q + 1] ^= _YES << switch
    return a[a[base + NUMBER] + move] - a[a[base + NUMBER] + other]


@jit(f"int64({_A}, {_A}, int64, int64, int64)", inner=True)
def _list_moves(a, stack, level, p, at):  # type: ignore[no-untyped-def]
    """Write the moves in the state at ``p`` at ``at``: those in equal components once, in switches the hottest."""
    base = level * HEADER
    for i in range(p + 2, p + 2 + stack[p]):
        fresh = True
        for j in range(p + 2, i):
            if stack[j] == stack[i]:
                fresh = False
                break
        if fresh:
            first = a[base + FIRST] + stack[i]
            for move in range(a[first], a[first + 1]):
                stack[at] = move
                at += 1
    for j in range(a[base + SWITCHES]):
        if (stack[p + 1] >> j) & 1:
            stack[at] = a[base + MOVES] + j
            return at + 1
    return at


@jit(f"int64({_A}, int8[::1], {_A}, {_T}, {_A}, int64, int64, int64)", inner=True)
def at_least(a, dominated, env, table, stack, level, p, x):  # type: ignore[no-untyped-def]
    """Whether the left stop of the state at ``p`` is at least ``x``; means nothing if ``env[STOP]`` is set."""
    base = level * HEADER
    row = _entry(a, table, stack, level, p)
    low, high = table[row, 2], table[row, 3]
    if low >= x:
        return _YES
    if high < x:
        return _NO
    first = p + 2 + stack[p]
    if first + _ROOM > len(stack):
        env[STOP] = OUT_OF_ROOM
        return _NO
    if level and high - low > 2 * a[SLACK]:
        _round(a, stack, p, first)
        near = (2 * x + a[RATIO]) // (2 * a[RATIO])
        least, most = -_FAR, _FAR
        open_above = high >= (near + 1) * a[RATIO] - a[SLACK]
        if open_above and at_least(a, dominated, env, table, stack, _NO, first, near + 1):
            least = (near + 1) * a[RATIO] - a[SLACK]
        elif not env[STOP]:
            open_below = low <= (near - 1) * a[RATIO] + a[SLACK]
            if not open_below or at_least(a, dominated, env, table, stack, _NO, first, near):
                least, most = near * a[RATIO] - a[SLACK], near * a[RATIO] + a[SLACK]
            else:
                most = (near - 1) * a[RATIO] + a[SLACK]
        if env[STOP]:
            return _NO
        row = _entry(a, table, stack, level, p)
        low = table[row, 2] = max(table[row, 2], least)
        high = table[row, 3] = min(table[row, 3], most)
        if low >= x:
            return _YES
        if high < x:
            return _NO
    env[BUDGET] -= 1
    env[MOST] -= 1
    if env[BUDGET] < 0 or env[MOST] < 0:
        env[STOP] = OUT_OF_BUDGET if env[BUDGET] < 0 else ASIDE
        return _NO
    end = _list_moves(a, stack, level, p, first)
    if env[DOMINATION + level]:
        total = a[base + MOVES] + a[base + SWITCHES]
        kept = first
        for i in range(first, end):
            move = stack[i]
            loses = False
            for way in range(2):  # is the move at most as good as a kept one; then, are kept ones at most as good
                to = first
                for j in range(first, kept):
                    other = stack[j]
                    small, large = (other, move) if way else (move, other)
                    at = a[base + DOMINATED] + small * total + large
                    if dominated[at] == 0:
                        y = _difference(a, stack, level, small, large, end)
                        left = env[MOST]
                        aside = min(left, _SIDE_NODES)
                        env[MOST] = aside
                        env[DOMINATION + level] = 0
                        more = at_least(a, dominated, env, table, stack, level, end, 1 - y)
                        env[DOMINATION + level] = 1
                        env[MOST] += left - aside
                        if env[STOP] == ASIDE:
                            env[STOP] = 0
                            if aside == _SIDE_NODES:
                                dominated[at] = 1
                        elif env[STOP]:
                            return _NO
                        else:
                            dominated[at] = 1 if more else 2
                    if dominated[at] == 2:
                        if way == 0:
                            loses = True
                            break
                    elif way:
                        stack[to] = other
                        to += 1
                if loses:
                    break
                if way:
                    stack[to] = move
                    kept = to + 1
        end = kept
    # children that may matter: pairs of promise and move, sorted
    pairs = end
    q = pairs + 2 * (end - first)
    children = _NO
    for i in range(first, end):
        move = stack[i]
        most = a[a[base + NUMBER] + move] - x
        _play(a, stack, level, p, move, q)
        near = _entry(a, table, stack, level, q)
        # no child is worth more than the sum itself
        table[near, 2] = max(table[near, 2], most + x - high)
        if table[near, 3] <= most:
            row = _entry(a, table, stack, level, p)
            table[row, 2] = max(table[row, 2], x)
            return _YES
        if table[near, 2] <= most:
            promise = table[near, 2] + table[near, 3] - 2 * most
            at = pairs + 2 * children
            while at > pairs and stack[at - 2] > promise:
                stack[at], stack[at + 1] = stack[at - 2], stack[at - 1]
                at -= 2
            stack[at], stack[at + 1] = promise, move
            children += 1
    q = pairs + 2 * children
    for i in range(children):
        move = stack[pairs + 2 * i + 1]
        _play(a, stack, level, p, move, q)
        reply = at_least(a, dominated, env, table, stack, level, q, a[a[base + NUMBER] + move] - x + 1)
        if env[STOP]:
            return _NO
        if not reply:
            row = _entry(a, table, stack, level, p)
            table[row, 2] = max(table[row, 2], x)
            return _YES
    row = _entry(a, table, stack, level, p)
    table[row, 3] = min(table[row, 3], x - 1)
    return _NO


@jit("int64(int64, int64, int64, int64, int64, int64, int64, int64, int64, int64, int64, int64)", small=never)
def search(a, words, pairs, bytes8, env, fields, table, cells, stack, room, level, x):  # type: ignore[no-untyped-def]
    """The same for the state at the bottom of the stack, with arrays given by address and length."""
    rows = array_at(table, cells).reshape((cells // 4, 4))
    dominated = array_at(pairs, bytes8).view(np.int8)
    return at_least(array_at(a, words), dominated, array_at(env, fields), rows, array_at(stack, room), level, _NO, x)
