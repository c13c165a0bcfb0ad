"""Canonical values of regions by compiled recursion: settled, split, named, and added up in the arena.

Two tables remember values: by the key of a region as it lies, which is found while it is split, and by its name up to
isomorphism, which takes longer to find. Import this module only for long jobs: its kernels are waited for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludisect import clock
from ludisect.cgt import Value
from ludisect.cgt.arena import BUDGET, ERROR, FULL, OUT_OF_BUDGET, RETRY, STACK, STACK_ROOM, STACK_TOP, atom
from ludisect.cgt.arithmetic import add, build, negate
from ludisect.cgt.compiled import Arena
from ludisect.cgt.memory import array_at, extent
from ludisect.errors import BudgetExceeded
from ludisect.kernels.kernel import jit, never
from ludisect.search.regions.book import KEYS, MOST_FACTS, NAME, OPS, SIGN, STATE, WHO, Book, N, book_of
from ludisect.search.regions.naming import WORK, name
from ludisect.search.regions.pieces import cut, fits, play, settle
from ludisect.search.regions.region import Region

DEPTH = 400
"""Moves in a row that the recursion follows: a play that takes more is taken for one without end."""

# fields of a table: a header, then triples (two words of a key, the value + 1); DEEP is set when a play does not end
MASK, USED, DEEP, START = 0, 1, 2, 4

_NO = np.int64(0)
_YES = np.int64(1)
_A = "int64[::1]"
_I = "int64"

Words = NDArray[np.int64]


@jit(f"{_I}({_A}, {_I}, {_I})", inner=True)
def lookup(table, one, two):  # type: ignore[no-untyped-def]
    """Where a key is or belongs in a table."""
    i = (one ^ (one >> 31)) & table[MASK]
    while True:
        at = START + 3 * i
        if table[at] == 0 or (table[at] == one and table[at + 1] == two):
            return at
        i = (i + 1) & table[MASK]


@jit(f"void({_A}, {_I}, {_I}, {_I})", inner=True)
def keep(table, one, two, g):  # type: ignore[no-untyped-def]
    """Remember a value."""
    at = lookup(table, one, two)
    if table[at] == 0:
        table[at], table[at + 1] = one, two
        table[USED] += 1
    table[at + 2] = g + 1


@jit(f"{_I}({_A}, {_A}, {_A}, {_A}, {_A}, {_I}, {_I}, {_I})", inner=True)
def value(a, o, lies, names, s, at, top, depth):  # type: ignore[no-untyped-def]
    """The value of the region at ``at`` (one region, with its key); words from ``top`` on are free.

    Means nothing if the arena's error is set.
    """
    slot = lookup(lies, s[at + KEYS], s[at + KEYS + 1])
    if lies[slot]:
        return lies[slot + 2] - 1
    name(o, s, at, top)
    slot = lookup(names, s[at + NAME], s[at + NAME + 1])
    if names[slot]:
        g = names[slot + 2] - 1
        if s[at + SIGN] == 1:
            g = negate(a, g)
        if not a[ERROR]:
            keep(lies, s[at + KEYS], s[at + KEYS + 1], g)
        return g
    n = s[at + N]
    a[BUDGET] -= 1
    if a[BUDGET] < 0:
        a[ERROR] = OUT_OF_BUDGET
    elif 2 * lies[USED] > lies[MASK] or 2 * names[USED] > names[MASK]:
        a[ERROR] = RETRY
    elif a[STACK_TOP] + n + 256 > a[STACK_ROOM]:
        a[ERROR] = FULL
    elif depth > DEPTH or top + 4 * (OPS + n) + WORK > s.size:
        a[ERROR] = OUT_OF_BUDGET
        lies[DEEP] = _YES
    if a[ERROR]:
        return _NO
    base = a[STACK_TOP]
    made = left_made = _NO
    for side in range(2):
        for i in range(n):
            r = s[at + OPS + i]
            if o[r + WHO] != side or not fits(o, s, at, r):
                continue
            total = atom(a, _NO, _NO, _NO)
            kept = play(o, s, at, r, top)
            if kept:
                whole, other = s[top + KEYS], s[top + KEYS + 1]
                slot = lookup(lies, whole, other)
                if lies[slot]:
                    total = lies[slot + 2] - 1
                else:
                    pieces = _NO
                    piece = top + OPS + 2 * n
                    while s[top + N]:
                        end = cut(o, s, top, piece)
                        a[STACK_TOP] = base + made
                        g = value(a, o, lies, names, s, piece, end, depth + _YES)
                        total = add(a, total, g)
                        if a[ERROR]:
                            a[STACK_TOP] = base
                            return _NO
                        pieces += 1
                    if pieces > 1:
                        keep(lies, whole, other, total)
            a[a[STACK] + base + made] = total
            made += 1
        if side == 0:
            left_made = made
    a[STACK_TOP] = base + made
    g = build(a, a[STACK] + base, left_made, made - left_made)
    a[STACK_TOP] = base
    if a[ERROR]:
        return _NO
    keep(lies, s[at + KEYS], s[at + KEYS + 1], g)
    if s[at + SIGN] == 1:
        h = negate(a, g)
        if a[ERROR]:
            return _NO
        keep(names, s[at + NAME], s[at + NAME + 1], h)
    else:
        keep(names, s[at + NAME], s[at + NAME + 1], g)
    return g


@jit(f"{_I}({_A}, {_A}, {_A}, {_A}, {_A})", inner=True)
def _total(a, o, lies, names, s):  # type: ignore[no-untyped-def]
    """The value of the frame at the bottom of the stack, which is settled and split first."""
    n = s[N]
    at = OPS + n
    settle(o, s, np.int64(OPS), n, s[STATE], s[STATE + 1], at)
    total = atom(a, _NO, _NO, _NO)
    piece = at + OPS + 2 * n
    while s[at + N]:
        end = cut(o, s, at, piece)
        g = value(a, o, lies, names, s, piece, end, _NO)
        total = add(a, total, g)
        if a[ERROR]:
            return _NO
    return total


@jit(f"{_I}({', '.join([_I] * 10)})", small=never)
def _total_at(a, la, o, lo, t, lt, m, lm, s, ls):  # type: ignore[no-untyped-def]
    """The same for arrays given by address and length."""
    return _total(array_at(a, la), array_at(o, lo), array_at(t, lt), array_at(m, lm), array_at(s, ls))


@jit(f"void({_A}, {_A})", small=never)
def _copy(old, new):  # type: ignore[no-untyped-def]
    """Enter all values of one table into another."""
    for i in range(old[MASK] + 1):
        at = START + 3 * i
        if old[at]:
            keep(new, old[at], old[at + 1], old[at + 2] - 1)


def table_of(slots: int) -> Words:
    """An empty table."""
    table = np.zeros(START + 3 * slots, np.int64)
    table[MASK] = slots - 1
    return table


def roomy(table: Words) -> Words:
    """The table, or a larger one with the same content if it is half full."""
    if 2 * table[USED] <= table[MASK]:
        return table
    larger = table_of(2 * (int(table[MASK]) + 1))
    _copy(table, larger)
    return larger


class RegionValues:
    """Values of regions by compiled search; what is found is kept for later regions, of other games too."""

    SLICE = 20_000
    """Regions between two looks at the clock: compiled code cannot be interrupted."""

    def __init__(self, *, arena: Arena | None = None) -> None:
        self.arena = arena or Arena()
        self.names = table_of(1 << 12)
        self.lies = table_of(1 << 12)
        self._books = 0

    def __len__(self) -> int:
        return int(self.names[USED])

    def value(self, region: Region, *, seconds: float | None = None, nodes: int | None = None) -> Value:
        """The value of a region, or of several in one.

        Raises:
            BudgetExceeded: the time was up, memory was short, or a play does not end.
            ludisect.cgt.compiled.UnfitError: a number does not fit in fixed point.
        """
        end = None if seconds is None else clock.now() + seconds
        return self.arena.value(self.game(region, end=end, nodes=nodes))

    def game(self, region: Region, *, end: float | None = None, nodes: int | None = None) -> int:
        """The same as a game of the arena; ``end`` is a time of the clock."""
        if not region.live:
            return self.arena.number(0)
        return self._search(book_of(region, self.new_book()), end, nodes)

    def new_book(self) -> int:
        """A seed that no book has had: regions of two books must not share keys."""
        self._books += 1
        return self._books

    def _search(self, book: Book, end: float | None, nodes: int | None) -> int:
        stack = np.zeros((OPS + book.most) * 4 * min(DEPTH, 2 * MOST_FACTS) + WORK, np.int64)
        stack[: book.frame.size] = book.frame

        def step() -> Any:
            self.lies, self.names = roomy(self.lies), roomy(self.names)
            arrays = (self.arena.words, book.words, self.lies, self.names, stack)
            return _total_at(*(x for array in arrays for x in extent(array)))

        return self.sliced(step, lambda: self.lies, end, nodes)

    def sliced(self, step: Callable[[], Any], table: Callable[[], Words], end: float | None, nodes: int | None) -> int:
        """Run compiled code slice by slice until it is done; its table says whether a play was too long."""
        while True:
            self.arena.words[BUDGET] = self.SLICE if nodes is None else min(self.SLICE, nodes)
            try:
                return self.arena.run(step)
            except BudgetExceeded as error:
                self.look(error, end, table())
                if nodes is not None:
                    nodes -= self.SLICE
                    if nodes <= 0:
                        raise

    def look(self, error: BudgetExceeded, end: float | None, table: Words | None = None) -> None:
        """After a slice of work: go on, or raise what ends it."""
        if error.budget != "nodes":
            raise error
        table = self.lies if table is None else table
        if table[DEEP]:
            table[DEEP] = 0
            raise BudgetExceeded(f"a play takes more than {DEPTH} moves, or does not end", budget="depth") from None
        if end is not None and clock.now() > end:
            raise BudgetExceeded("the time limit was reached during local search", budget="seconds") from None
