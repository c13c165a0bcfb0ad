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

NAMED = 150
"""Operators up to which a region gets a name; beyond, its key as it lies serves, since it is hardly met again."""

WORK = 4 * MOST_FACTS
"""Words that naming uses beyond the frame."""

_COLOURS, _HEARD, _RANKS = MOST_FACTS, 2 * MOST_FACTS, 3 * MOST_FACTS  # after the list of open facts

_NO = np.int64(0)
_YES = np.int64(1)
_SPREAD = np.int64(-7046029254386353131)
_A = "int64[::1]"
_I = "int64"


@jit(f"{_I}({_A}, {_I}, {_I})", inner=True)
def is_open(s, at, f):  # type: ignore[no-untyped-def]
    """Whether a fact is open in the region at ``at``."""
    return (s[at + OPEN] >> f) & 1 if f < 64 else (s[at + OPEN + 1] >> (f - 64)) & 1


@jit(f"{_I}({_A}, {_I}, {_I})", inner=True)
def _listed(s, at, work):  # type: ignore[no-untyped-def]
    """List the open facts and give each the colour of its value; how many there are."""
    m = _NO
    for half in range(2):
        left = s[at + OPEN + half]
        while left:
            bit = left & -left
            left ^= bit
            f = 64 * half + count(bit - 1)
            s[work + m] = f
            m += 1
            s[work + _COLOURS + f] = np.int64(1237) if s[at + STATE + half] & bit else np.int64(7321)
            s[work + _HEARD + f] = _NO
    return m


@jit(f"void({_A}, {_A}, {_I}, {_I}, {_I}, {_I}, {_I})", inner=True)
def _refine(o, s, at, work, m, swap, rounds):  # type: ignore[no-untyped-def]
    """Mix the colours of facts with those of the facts that they share operators with."""
    colours, heard = work + _COLOURS, work + _HEARD
    for _ in range(rounds):
        for i in range(s[at + N]):
            r = s[at + OPS + i]
            h = np.int64(977)
            for e in range(o[r + EDGES], o[r + LAST_EDGE]):
                f, kind = o[e] >> 4, o[e] & 15
                if is_open(s, at, f):
                    h += s[colours + f] * ((2 * kind + 1) * _SPREAD)
            h = mix(h, (o[r + WHO] ^ swap) + 3)
            for e in range(o[r + EDGES], o[r + LAST_EDGE]):
                f, kind = o[e] >> 4, o[e] & 15
                if is_open(s, at, f):
                    s[heard + f] += h * ((2 * kind + 1) * _SPREAD)
        for k in range(m):
            f = s[work + k]
            s[colours + f] = mix(s[colours + f], s[heard + f])
            s[heard + f] = _NO


@jit(f"{_I}({_A}, {_I}, {_I})", inner=True)
def _sorted(s, work, m):  # type: ignore[no-untyped-def]
    """Sort the open facts by colour; how many have the colour of the one before."""
    colours = work + _COLOURS
    for k in range(1, m):
        f = s[work + k]
        c = s[colours + f]
        j = k - 1
        while j >= 0 and s[colours + s[work + j]] > c:
            s[work + j + 1] = s[work + j]
            j -= 1
        s[work + j + 1] = f
    tied = _NO
    for k in range(1, m):
        if s[colours + s[work + k]] == s[colours + s[work + k - 1]]:
            tied += 1
    return tied


@jit(f"void({_A}, {_A}, {_I}, {_I}, {_I})", inner=True)
def _name_as(o, s, at, work, swap):  # type: ignore[no-untyped-def]
    """Write the name of the region, or of its negative if ``swap`` is 1."""
    m = _listed(s, at, work)
    _refine(o, s, at, work, m, swap, np.int64(3))
    tied = _sorted(s, work, m)
    while tied:
        _refine(o, s, at, work, m, swap, np.int64(2))
        fewer = _sorted(s, work, m)
        if fewer >= tied:
            break
        tied = fewer
    colours, ranks = work + _COLOURS, work + _RANKS
    singled = _NO
    while tied and singled < SINGLED:
        k = 1
        while s[colours + s[work + k]] != s[colours + s[work + k - 1]]:
            k += 1
        f = s[work + k - 1]
        s[colours + f] = mix(s[colours + f], np.int64(5))
        singled += 1
        _refine(o, s, at, work, m, swap, np.int64(2))
        tied = _sorted(s, work, m)
    one = two = mix(m, s[at + N])
    for k in range(m):
        f = s[work + k]
        s[ranks + f] = k
        holds = (s[at + STATE] >> f) & 1 if f < 64 else (s[at + STATE + 1] >> (f - 64)) & 1
        one += mix(np.int64(31), 2 * k + holds)
        two += mix(np.int64(37), 2 * k + holds)
    for i in range(s[at + N]):
        r = s[at + OPS + i]
        g = h = (o[r + WHO] ^ swap) + 1
        for e in range(o[r + EDGES], o[r + LAST_EDGE]):
            f = o[e] >> 4
            if is_open(s, at, f):
                edge = s[ranks + f] * 16 + (o[e] & 15)
                g += mix(np.int64(41), edge)
                h += mix(np.int64(43), edge)
        one += mix(g, h)
        two += mix(h + 7, g)
    s[at + NAME] = one | 1  # an empty slot of a table has key 0
    s[at + NAME + 1] = two
    s[at + SIGN] = swap


@jit(f"void({_A}, {_A}, {_I}, {_I})")
def name(o, s, at, work):  # type: ignore[no-untyped-def]
    """Write the name of the region at ``at``, and whether it is that of the negative, into its frame."""
    if s[at + N] > NAMED:
        s[at + NAME], s[at + NAME + 1], s[at + SIGN] = s[at + KEYS], s[at + KEYS + 1], _NO
        return
    lefts = s[at + LEFTS]
    rights = s[at + N] - lefts
    _name_as(o, s, at, work, _YES if rights > lefts else _NO)
    if lefts == rights:
        one, two = s[at + NAME], s[at + NAME + 1]
        _name_as(o, s, at, work, _YES)
        if one < s[at + NAME] or (one == s[at + NAME] and two <= s[at + NAME + 1]):
            s[at + NAME], s[at + NAME + 1], s[at + SIGN] = one, two, _NO


def name_of(region: Region) -> tuple[int, int, bool]:
    """The name of a region of at most NAMED operators as two words, and whether it is that of the negative."""
    book = book_of(region)
    at, stack = 0, np.concatenate([book.frame, np.zeros(WORK, np.int64)])
    stack[OPEN : OPEN + 2] = words_of((1 << len(book.facts)) - 1)
    stack[LEFTS] = np.count_nonzero(book.words[book.frame[OPS:] + WHO] == 0)
    name(book.words, stack, at, book.frame.size)
    return int(stack[NAME]), int(stack[NAME + 1]), bool(stack[SIGN])
