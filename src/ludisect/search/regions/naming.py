"""Names of regions up to isomorphism, in compiled code: equal names, equal games, whatever facts are called.

Open facts and operators make a graph: a fact is coloured by its value, an operator by its player, an edge by how the
operator uses the fact. Colours are refined by those of the neighbours; where ties remain that this does not break, one
of the tied facts is singled out. Sorted by colour, the facts get new numbers, and the name is a hash (128 bits) of
the operators and the state written with these numbers. A poor numbering can give isomorphic regions two names, which
costs time; it can give no two games the same.

With the players exchanged the same graph is the negative: a region is named as it is or as its negative, whichever has
more operators of Left, or else the smaller name, and its ``SIGN`` says which.

Reference: colour refinement and individualisation as in McKay, *Practical graph isomorphism* (1981).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ludisect.cgt.arena import mix
from ludisect.kernels.kernel import jit
from ludisect.rulesets.bitboard import count
from ludisect.search.regions.book import (
    EDGES,
    KEYS,
    LAST_EDGE,
    LEFTS,
    MOST_FACTS,
    NAME,
    OPEN,
    OPS,
    SIGN,
    STATE,
    WHO,
    N,
    book_of,
    words_of,
)

if TYPE_CHECKING:
    from ludisect.search.regions.region import Region

SINGLED = 12
"""Facts that are singled out at most; later ties are broken by the numbers that facts have."""

NAMED, EDGED = 150, 4096
"""Operators, and uses of open facts by these, up to which a region gets a name; beyond, its key as it lies serves,
since it is hardly met again."""

# what lies in the words beyond the frame: per fact its place among the open ones; per place its fact, colour, what it
# hears, its rank, a colour that is put aside; the places in the order of their colours; then the uses of facts
_FACTS, _COLOURS, _HEARD, _RANKS, _ASIDE, _ORDER, _USES = (MOST_FACTS * k for k in range(1, 8))

WORK = _USES + NAMED + EDGED
"""Words that naming uses beyond the frame."""

_NO = np.int64(0)
_YES = np.int64(1)
_SPREAD = np.int64(-7046029254386353131)
_A = "int64[::1]"
_I = "int64"


@jit(f"{_I}({_A}, {_I}, {_I})", inner=True)
def is_open(s, at, f):  # type: ignore[no-untyped-def]
    """Whether a fact is open in the region at ``at``."""
    return (s[at + OPEN] >> f) & 1 if f < 64 else (s[at + OPEN + 1] >> (f - 64)) & 1


@jit(f"{_I}({_A}, {_A}, {_I}, {_I})", inner=True)
def _listed(o, s, at, work):  # type: ignore[no-untyped-def]
    """List the open facts and how operators use them; how many facts there are, -1 if the uses are too many.

    Each operator has a word with its player and the number of its uses, then a word for each use.
    """
    m = _NO
    for half in range(2):
        left = s[at + OPEN + half]
        while left:
            bit = left & -left
            left ^= bit
            f = 64 * half + count(bit - 1)
            s[work + f] = m
            s[work + _FACTS + m] = f
            m += 1
    to = work + _USES
    end = to + NAMED + EDGED
    for i in range(s[at + N]):
        r = s[at + OPS + i]
        if to + 1 + o[r + LAST_EDGE] - o[r + EDGES] > end:
            return np.int64(-1)
        first = to
        to += 1
        for e in range(o[r + EDGES], o[r + LAST_EDGE]):
            f = o[e] >> 4
            if is_open(s, at, f):
                s[to] = s[work + f] * 16 + (o[e] & 15)
                to += 1
        s[first] = (to - first - 1) * 2 + o[r + WHO]
    return m


@jit(f"void({_A}, {_I}, {_I}, {_I})", inner=True)
def _coloured(s, at, work, m):  # type: ignore[no-untyped-def]
    """Give each open fact the colour of its value."""
    for k in range(m):
        f = s[work + _FACTS + k]
        holds = (s[at + STATE] >> f) & 1 if f < 64 else (s[at + STATE + 1] >> (f - 64)) & 1
        s[work + _COLOURS + k] = np.int64(1237) if holds else np.int64(7321)
        s[work + _HEARD + k] = _NO
        s[work + _ORDER + k] = k


@jit(f"void({_A}, {_I}, {_I}, {_I}, {_I}, {_I})", inner=True)
def _refine(s, work, n, m, swap, rounds):  # type: ignore[no-untyped-def]
    """Mix the colours of facts with those of the facts that they share operators with."""
    colours, heard = work + _COLOURS, work + _HEARD
    for _ in range(rounds):
        at = work + _USES
        for _ in range(n):
            end = at + 1 + (s[at] >> 1)
            h = np.int64(977)
            for e in range(at + 1, end):
                h += s[colours + (s[e] >> 4)] * ((2 * (s[e] & 15) + 1) * _SPREAD)
            h = mix(h, ((s[at] & 1) ^ swap) + 3)
            for e in range(at + 1, end):
                s[heard + (s[e] >> 4)] += h * ((2 * (s[e] & 15) + 1) * _SPREAD)
            at = end
        for k in range(m):
            s[colours + k] = mix(s[colours + k], s[heard + k])
            s[heard + k] = _NO


@jit(f"{_I}({_A}, {_I}, {_I})", inner=True)
def _sorted(s, work, m):  # type: ignore[no-untyped-def]
    """Sort the open facts by colour; how many have the colour of the one before."""
    colours, order = work + _COLOURS, work + _ORDER
    for k in range(1, m):
        f = s[order + k]
        c = s[colours + f]
        j = k - 1
        while j >= 0 and s[colours + s[order + j]] > c:
            s[order + j + 1] = s[order + j]
            j -= 1
        s[order + j + 1] = f
    tied = _NO
    for k in range(1, m):
        if s[colours + s[order + k]] == s[colours + s[order + k - 1]]:
            tied += 1
    return tied


@jit(f"void({_A}, {_I}, {_I}, {_I}, {_I})", inner=True)
def _name_as(s, at, work, m, swap):  # type: ignore[no-untyped-def]
    """Write the name of the region, or of its negative if ``swap`` is 1, from colours that are mixed a few times."""
    n = s[at + N]
    tied = _sorted(s, work, m)
    while tied:
        _refine(s, work, n, m, swap, np.int64(2))
        fewer = _sorted(s, work, m)
        if fewer >= tied:
            break
        tied = fewer
    colours, order, ranks = work + _COLOURS, work + _ORDER, work + _RANKS
    singled = _NO
    while tied and singled < SINGLED:
        k = 1
        while s[colours + s[order + k]] != s[colours + s[order + k - 1]]:
            k += 1
        f = s[order + k - 1]
        s[colours + f] = mix(s[colours + f], np.int64(5))
        singled += 1
        _refine(s, work, n, m, swap, np.int64(2))
        tied = _sorted(s, work, m)
    one = two = mix(m, n)
    for k in range(m):
        s[ranks + s[order + k]] = k
        f = s[work + _FACTS + s[order + k]]
        holds = (s[at + STATE] >> f) & 1 if f < 64 else (s[at + STATE + 1] >> (f - 64)) & 1
        one += mix(np.int64(31), 2 * k + holds)
        two += mix(np.int64(37), 2 * k + holds)
    to = work + _USES
    for _ in range(n):
        end = to + 1 + (s[to] >> 1)
        g = h = ((s[to] & 1) ^ swap) + 1
        for e in range(to + 1, end):
            edge = s[ranks + (s[e] >> 4)] * 16 + (s[e] & 15)
            g += mix(np.int64(41), edge)
            h += mix(np.int64(43), edge)
        one += mix(g, h)
        two += mix(h + 7, g)
        to = end
    s[at + NAME] = one | 1  # an empty slot of a table has key 0
    s[at + NAME + 1] = two
    s[at + SIGN] = swap


@jit(f"{_I}({_A}, {_I}, {_I})", inner=True)
def _palette(s, work, m):  # type: ignore[no-untyped-def]
    """A number that the colours have together, in whatever order."""
    total = _NO
    for k in range(m):
        total += mix(np.int64(11), s[work + _COLOURS + k])
    return total


@jit(f"void({_A}, {_A}, {_I}, {_I})")
def name(o, s, at, work):  # type: ignore[no-untyped-def]
    """Write the name of the region at ``at`` into its frame, and its sign.

    The sign is 0 if the name is its own, 1 if it is that of the negative, and 2 if both are the same.
    """
    n = s[at + N]
    m = _listed(o, s, at, work) if n <= NAMED else np.int64(-1)
    if m < 0:
        s[at + NAME], s[at + NAME + 1], s[at + SIGN] = s[at + KEYS], s[at + KEYS + 1], _NO
        return
    lefts = s[at + LEFTS]
    rights = n - lefts
    swap = _YES if rights > lefts else _NO
    _coloured(s, at, work, m)
    _refine(s, work, n, m, swap, np.int64(2))
    if lefts == rights:  # the colours tell which of the two it is to be, if not all is the same for both players
        mine = _palette(s, work, m)
        for k in range(m):
            s[work + _ASIDE + k] = s[work + _COLOURS + k]
        _coloured(s, at, work, m)
        _refine(s, work, n, m, _YES, np.int64(2))
        other = _palette(s, work, m)
        if mine == other:
            _name_as(s, at, work, m, _YES)
            one, two = s[at + NAME], s[at + NAME + 1]
            _coloured(s, at, work, m)
            _refine(s, work, n, m, _NO, np.int64(2))
            _name_as(s, at, work, m, _NO)
            if one == s[at + NAME] and two == s[at + NAME + 1]:
                s[at + SIGN] = 2
            elif one < s[at + NAME] or (one == s[at + NAME] and two < s[at + NAME + 1]):
                s[at + NAME], s[at + NAME + 1], s[at + SIGN] = one, two, _YES
            return
        if other < mine:
            swap = _YES
        else:
            for k in range(m):
                s[work + _COLOURS + k] = s[work + _ASIDE + k]
    _name_as(s, at, work, m, swap)


def name_of(region: Region) -> tuple[int, int, bool]:
    """The name of a region of at most NAMED operators as two words, and whether it is that of the negative."""
    book = book_of(region)
    at, stack = 0, np.concatenate([book.frame, np.zeros(WORK, np.int64)])
    stack[OPEN : OPEN + 2] = words_of((1 << len(book.facts)) - 1)
    stack[LEFTS] = np.count_nonzero(book.words[book.frame[OPS:] + WHO] == 0)
    name(book.words, stack, at, book.frame.size)
    return int(stack[NAME]), int(stack[NAME + 1]), int(stack[SIGN]) == 1
