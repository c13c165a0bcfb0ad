"""Who wins a sum of regions, by compiled search: large regions stay positions, small ones become values.

A node is a list of large regions, a value that all others add up to, and the player to move. It is decided at once
where no large region is left, or where bounds on the large ones decide (see :mod:`ludisect.search.regions.relaxing`).
A table remembers nodes by the names of their regions, so that it knows them wherever they lie, turned or mirrored, and
with the players exchanged. Moves in the value are tried last, and are never left out: a large region may be a number
itself.
"""

from __future__ import annotations

import numpy as np

from ludisect.cgt.arena import (
    BUDGET,
    ERROR,
    FULL,
    LEFT,
    LEFTS,
    LS,
    ONE,
    OUT_OF_BUDGET,
    RIGHT,
    RIGHTS,
    RS,
    STACK_ROOM,
    STACK_TOP,
    atom,
    le,
    mix,
    record,
    spell,
)
from ludisect.cgt.arithmetic import add, negate
from ludisect.cgt.memory import array_at
from ludisect.kernels.kernel import jit, never
from ludisect.search.regions import book
from ludisect.search.regions.book import KEYS, NAME, OPS, SIGN, STATE, WHO, N
from ludisect.search.regions.naming import WORK, name
from ludisect.search.regions.pieces import cut, fits, play, settle
from ludisect.search.regions.regionvalues import DEEP, DEPTH, MASK, START, USED, value
from ludisect.search.regions.relaxing import best_relaxed, mark

# words of the environment of a search; behind them, for each operator, how often its move won and was searched
SMALL, BOUND, TIE, PLAYER, EXTRA, NODES, BEST, LARGE, WORDS = range(9)

_NO = np.int64(0)
_YES = np.int64(1)
_NONE = np.int64(-1)
_UNKNOWN = np.int64(2)
_A = "int64[::1]"
_I = "int64"

LINE = 8
"""Words of a line of the table of large regions: by key, their names, signs and bounds; by name, their bounds."""

LEAD, SIZE, SUCCESS = np.int64(ONE // 2), np.int64(ONE // 10), np.int64(2 * ONE)
"""What counts when moves are ordered: an operator more than the other has, one operator less in large regions (what
leaves less to search is tried first), and a move that has always won where it was searched. Without ``SIZE`` Amazons
4x4 takes twenty times as long, Clobber 4x5 five; ``SUCCESS`` saves a tenth to a half of its nodes, as ties fall."""

WAYS = 4
"""Slots in which a node may be kept; the one that took the least work to find gives way."""


@jit(f"void({_A}, {_A}, {_I}, {_I}, {_I}, {_I}, {_I})", inner=True)
def _remember(a, won, one, two, g, answer, work):  # type: ignore[no-untyped-def]
    """Keep the answer for large regions and a value, both seen by the player to move.

    A line holds up to two values with which he wins and two with which he does not.
    """
    worst, least = _NO, _NONE
    for k in range(WAYS):
        at = START + LINE * ((one + k) & won[MASK])
        if won[at] == one and won[at + 1] == two:
            worst = at
            break
        if least < 0 or won[at + 2] < least:
            least = won[at + 2]
            worst = at
    if won[worst] != one or won[worst + 1] != two:
        if won[worst] == 0:
            won[USED] += 1
        won[worst], won[worst + 1], won[worst + 2] = one, two, _NO
        for k in range(3, 7):
            won[worst + k] = _NONE
    won[worst + 2] += work
    at = worst + (3 if answer else 5)
    x = won[at]
    if x < 0 or (le(a, g, x) if answer else le(a, x, g)):
        won[at] = g  # says more than the value that was there
    else:
        won[at + 1] = x
        won[at] = g


@jit(f"{_I}({_A}, {_A}, {_I}, {_I}, {_I})", inner=True)
def _recalled(a, won, one, two, g):  # type: ignore[no-untyped-def]
    """The answer that follows from what is kept: he wins with more than what he won with; 2 if nothing follows."""
    for k in range(WAYS):
        at = START + LINE * ((one + k) & won[MASK])
        if won[at] == one and won[at + 1] == two:
            for i in range(3, 7):
                x = won[at + i]
                if x >= 0 and (le(a, x, g) if i < 5 else le(a, g, x)):
                    return _YES if i < 5 else _NO
            return _UNKNOWN
    return _UNKNOWN


@jit(f"void({_A}, {_A}, {_A}, {_A}, {_A}, {_A}, {_A}, {_I}, {_I}, {_I})", inner=True)
def _bound(a, o, lies, names, known, s, e, at, top, depth):  # type: ignore[no-untyped-def]
    """Give the large region at ``at``, which has its name, its bounds (games, or -1)."""
    one, two, sign = s[at + NAME], s[at + NAME + 1], s[at + SIGN]
    slot = START + LINE * (known[MASK] + 1 + ((one ^ (one >> 31)) & known[MASK]))
    if known[slot] != one or known[slot + 1] != two:
        low = high = _NONE
        if e[BOUND]:
            low = best_relaxed(a, o, lies, names, s, at, top, _NO, e[BOUND], e[TIE], depth)
            if not a[ERROR]:
                high = best_relaxed(a, o, lies, names, s, at, top, _YES, e[BOUND], e[TIE], depth)
        if sign == 1:
            low, high = _turned(a, high), _turned(a, low)
        if a[ERROR]:
            return
        known[slot], known[slot + 1], known[slot + 2], known[slot + 3] = one, two, low, high
    low, high = known[slot + 2], known[slot + 3]
    if sign == 1:
        low, high = _turned(a, high), _turned(a, low)
    s[at + book.LOWER], s[at + book.UPPER] = low, high


@jit(f"{_I}({_A}, {_I})", inner=True)
def _turned(a, g):  # type: ignore[no-untyped-def]
    """The negative of a game, if there is one."""
    return g if g < 0 else negate(a, g)


@jit(f"void({_A}, {_A}, {_A}, {_A}, {_A}, {_A}, {_A}, {_I}, {_I}, {_I})", inner=True)
def _prepare(a, o, lies, names, known, s, e, at, top, depth):  # type: ignore[no-untyped-def]
    """Give a large region its name and its bounds, from the table of regions as they lie if it was met there."""
    one, two = s[at + KEYS], s[at + KEYS + 1]
    slot = START + LINE * ((one ^ (one >> 31)) & known[MASK])
    if known[slot] == one and known[slot + 1] == two:
        s[at + NAME], s[at + NAME + 1], s[at + SIGN] = known[slot + 2], known[slot + 3], known[slot + 4]
        s[at + book.LOWER], s[at + book.UPPER] = known[slot + 5], known[slot + 6]
        return
    name(o, s, at, top)
    _bound(a, o, lies, names, known, s, e, at, top, depth)
    if a[ERROR]:
        return
    known[slot], known[slot + 1] = one, two
    known[slot + 2], known[slot + 3], known[slot + 4] = s[at + NAME], s[at + NAME + 1], s[at + SIGN]
    known[slot + 5], known[slot + 6] = s[at + book.LOWER], s[at + book.UPPER]


@jit(f"{_I}({_A}, {_I}, {_I})", inner=True)
def _first_wins(a, g, player):  # type: ignore[no-untyped-def]
    """Whether the player to move wins a value."""
    zero = atom(a, _NO, _NO, _NO)
    return _YES - (le(a, zero, g) if player else le(a, g, zero))


@jit(f"{_I}({_A}, {_A}, {_I}, {_I}, {_I}, {_I})", inner=True)
def _bounded(a, s, node, g, player, side):  # type: ignore[no-untyped-def]
    """Whether the player to move wins if large regions are worth their lower (``side`` 0) or upper bounds, or 2."""
    total = _NONE
    for k in range(s[node]):
        bound = s[s[node + 1 + k] + (book.UPPER if side else book.LOWER)]
        if bound < 0:
            return _UNKNOWN
        total = add(a, total, bound) if k else bound
        if a[ERROR]:
            return _UNKNOWN
    total = negate(a, total)  # to compare is less work than to add
    if a[ERROR]:
        return _UNKNOWN
    return _YES - (le(a, total, g) if player else le(a, g, total))


@jit(f"{_I}({_A}, {_A}, {_A}, {_I}, {_I}, {_I}, {_I})", inner=True)
def _judged(a, won, s, node, g, player, to):  # type: ignore[no-untyped-def]
    """What is known of a node without a search: 1 the player to move wins, 0 not, 2 unknown. Its key goes to ``to``."""
    count = s[node]
    if count == 0:
        return _first_wins(a, g, player)
    if _bounded(a, s, node, g, player, player) == 1:  # wins even if the worst is true
        return _YES
    if a[ERROR]:
        return _UNKNOWN
    if _bounded(a, s, node, g, player, _YES - player) == 0:
        return _NO
    if a[ERROR]:
        return _UNKNOWN
    own = negate(a, g) if player else g  # seen by the player to move
    if a[ERROR]:
        return _UNKNOWN
    one, two = np.int64(61), np.int64(67)
    for k in range(count):
        at = s[node + 1 + k]
        sign = s[at + SIGN] if s[at + SIGN] == 2 else s[at + SIGN] ^ player
        one += mix(s[at + NAME], sign)
        two += mix(s[at + NAME + 1], sign)
    one |= 1
    s[to], s[to + 1], s[to + 2] = one, two, own
    return _recalled(a, won, one, two, own)


@jit(f"{_I}({_A}, {_I}, {_I}, {_I})", inner=True)
def _listed(s, node, kept, at):  # type: ignore[no-untyped-def]
    """Add the region at ``at`` to the ``kept`` regions of a node, or cancel it against its negative; how many then."""
    for j in range(kept):
        p = s[node + 1 + j]
        same = s[p + NAME] == s[at + NAME] and s[p + NAME + 1] == s[at + NAME + 1]
        if same and (s[at + SIGN] == 2 or s[p + SIGN] != s[at + SIGN]):
            s[node + 1 + j] = s[node + kept]
            return kept - 1
    s[node + 1 + kept] = at
    return kept + 1


@jit(f"{_I}({_A}, {_A}, {_I}, {_I})", inner=True)
def _promise(a, s, node, g):  # type: ignore[no-untyped-def]
    """What Left may hope for in a node: an estimate by which moves are ordered."""
    x = record(a, g)
    guess = (a[x + LS] + a[x + RS]) // 2
    for k in range(s[node]):
        at = s[node + 1 + k]
        lead = (2 * s[at + book.LEFTS] - s[at + N]) * LEAD
        low, high = s[at + book.LOWER], s[at + book.UPPER]
        if low >= 0 and high >= 0:
            x, y = record(a, low), record(a, high)
            lead = lead // 2 + (a[x + LS] + a[x + RS] + a[y + LS] + a[y + RS]) // 4
        guess += lead
    return guess


@jit(f"{_I}({_I})", inner=True)
def _past(r):  # type: ignore[no-untyped-def]
    """Where the environment says how often the move ``r`` won; the next word says how often it was searched."""
    return WORDS + 2 * ((r - book.FIRST) // book.RECORD)


@jit(f"{_I}({', '.join([_A] * 7)}, {', '.join([_I] * 7)})", inner=True)
def _child(a, o, lies, names, known, s, e, node, k, r, g, depth, to, player):  # type: ignore[no-untyped-def]
    """The node after operator ``r`` in the ``k``-th region, at ``to``: the value first, then the regions.

    Returns where free words begin. ``s[to]`` is the value, ``s[to + 1]`` an estimate for the player who moved, and the
    node itself is at ``to + 4``.
    """
    at = s[node + 1 + k]
    n, count = s[at + N], s[node]
    child = to + 4
    frames = child + 1 + count + n  # no more regions than operators
    kept = size = _NO
    for j in range(count):
        if j != k:
            s[child + 1 + kept] = s[node + 1 + j]
            kept += 1
    play(o, s, at, r, frames)
    piece = frames + OPS + 2 * n
    while s[frames + N]:
        end = cut(o, s, frames, piece)
        if s[piece + N] <= e[SMALL]:
            h = value(a, o, lies, names, s, piece, end, depth)
            g = add(a, g, h)
        else:
            _prepare(a, o, lies, names, known, s, e, piece, end, depth)
            kept = _listed(s, child, kept, piece)
            piece = end
        if a[ERROR]:
            return _NO
    s[child] = kept
    for j in range(kept):
        size += s[s[child + 1 + j] + N]
    guess = _promise(a, s, child, g)
    past = _past(r)
    s[to] = g
    s[to + 1] = (-guess if player else guess) - size * SIZE + e[past] * SUCCESS // (e[past + 1] + 1)
    return piece


@jit(f"{_I}({', '.join([_A] * 8)}, {', '.join([_I] * 5)})", inner=True)
def wins(a, o, lies, names, known, won, s, e, node, g, player, top, depth):  # type: ignore[no-untyped-def]
    """Whether the player to move wins the node; means nothing if the arena's error is set."""
    answer = _judged(a, won, s, node, g, player, top)
    if a[ERROR] or answer == 0 or (answer == 1 and depth):  # at the root a win is not enough: the move is wanted
        return answer
    fresh = answer == 2  # else there is no key
    one, two, own = s[top], s[top + 1], s[top + 2]
    a[BUDGET] -= 1
    if a[BUDGET] < 0:
        a[ERROR] = OUT_OF_BUDGET
    elif a[STACK_TOP] + 1024 > a[STACK_ROOM]:
        a[ERROR] = FULL
    if a[ERROR]:
        return _NO
    e[NODES] += 1
    begin = e[NODES]
    count = s[node]
    # the moves in large regions, each with an estimate; those that decide at once are not listed
    moves = top + 3
    m = _NO
    room = _NO
    for k in range(count):
        room += s[s[node + 1 + k] + N]
    free = moves + 3 * room
    if depth > DEPTH or free + 10 * room + OPS * (count + 8 + room // (e[SMALL] + 1)) + WORK > s.size:
        a[ERROR] = OUT_OF_BUDGET
        lies[DEEP] = _YES
        return _NO
    other = _YES - player
    answer = _NO
    for k in range(count):
        at = s[node + 1 + k]
        double = False
        for j in range(k):
            p = s[node + 1 + j]
            if s[p + NAME] == s[at + NAME] and s[p + NAME + 1] == s[at + NAME + 1] and s[p + SIGN] == s[at + SIGN]:
                double = True
        if double and depth:
            continue
        for i in range(s[at + N]):
            r = s[at + OPS + i]
            if o[r + WHO] != player or not fits(o, s, at, r):
                continue
            end = _child(a, o, lies, names, known, s, e, node, k, r, g, depth, free, player)
            if a[ERROR]:
                return _NO
            found = _judged(a, won, s, free + 4, s[free], other, end)
            if a[ERROR]:
                return _NO
            if found == 0:
                answer = _YES
                if depth == 0:
                    e[BEST] = r
                break
            if found == 2:
                x = s[free + 1]
                to = m
                while to > 0 and s[moves + 3 * to - 3] < x:
                    s[moves + 3 * to] = s[moves + 3 * to - 3]
                    s[moves + 3 * to + 1] = s[moves + 3 * to - 2]
                    s[moves + 3 * to + 2] = s[moves + 3 * to - 1]
                    to -= 1
                s[moves + 3 * to], s[moves + 3 * to + 1], s[moves + 3 * to + 2] = x, k, r
                m += 1
        if answer:
            break
    for i in range(m):
        if answer:
            break
        k, r = s[moves + 3 * i + 1], s[moves + 3 * i + 2]
        end = _child(a, o, lies, names, known, s, e, node, k, r, g, depth, free, player)
        if a[ERROR]:
            return _NO
        found = wins(a, o, lies, names, known, won, s, e, free + 4, s[free], other, end, depth + _YES)
        if a[ERROR]:
            return _NO
        e[_past(r) + 1] += 1
        if not found:
            e[_past(r)] += 1
            answer = _YES
            if depth == 0:
                e[BEST] = r
    if not answer:
        spell(a, g)
        if a[ERROR]:
            return _NO
        x = record(a, g)
        p, options = (a[x + RIGHT], a[x + RIGHTS]) if player else (a[x + LEFT], a[x + LEFTS])
        for i in range(options):
            h = a[p + i]
            found = wins(a, o, lies, names, known, won, s, e, node, h, other, free, depth + _YES)
            if a[ERROR]:
                return _NO
            if not found:
                answer = _YES
                break
    if fresh:
        _remember(a, won, one, two, own, answer, e[NODES] - begin + 1)
    return answer


@jit(f"{_I}({', '.join([_A] * 8)})", inner=True)
def _root(a, o, lies, names, known, won, s, e):  # type: ignore[no-untyped-def]
    """Whether the player who begins wins the frame at the bottom of the stack, which is settled and split first."""
    n = s[N]
    whole = OPS + n
    settle(o, s, np.int64(OPS), n, s[STATE], s[STATE + 1], whole)
    node = whole + OPS + 2 * n
    piece = node + 1 + n
    g = e[EXTRA]
    count = _NO
    while s[whole + N]:
        end = cut(o, s, whole, piece)
        if s[piece + N] <= e[SMALL]:
            g = add(a, g, value(a, o, lies, names, s, piece, end, _NO))
        else:
            if e[BOUND]:
                mark(o, s, piece, end, e[BOUND])
            _prepare(a, o, lies, names, known, s, e, piece, end, _NO)
            count = _listed(s, node, count, piece)
            piece = end
        if a[ERROR]:
            return _NO
    s[node] = count
    e[LARGE] = count
    e[BEST] = _NO
    return wins(a, o, lies, names, known, won, s, e, node, g, e[PLAYER], piece, _NO)


@jit(f"{_I}({', '.join([_I] * 16)})", small=never)
def root_at(a, la, o, lo, t, lt, m, lm, b, lb, w, lw, s, ls, e, le_):  # type: ignore[no-untyped-def]
    """The same for arrays given by address and length."""
    return _root(
        array_at(a, la), array_at(o, lo), array_at(t, lt), array_at(m, lm), array_at(b, lb), array_at(w, lw),
        array_at(s, ls), array_at(e, le_),
    )  # fmt: skip
