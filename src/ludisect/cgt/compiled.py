"""The compiled kernel behind a Python face: games as integers in an arena that grows, to and from values.

Import this module only when a long job begins: its kernels are waited for. The plain kernel
(:mod:`ludisect.cgt.value`) is the reference; a value that does not fit here (numbers beyond fixed point) raises
:class:`UnfitError` and the caller goes back to the plain one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ludisect.cgt import arena as layout
from ludisect.cgt import arithmetic
from ludisect.cgt.dyadic import Number, normal
from ludisect.cgt.value import Value
from ludisect.cgt.value import atom as make_atom
from ludisect.cgt.value import intern as make_compound
from ludisect.errors import BudgetExceeded
from ludisect.kernels.kernel import jit, never

Words = NDArray[np.int64]

START = 1 << 12
"""Games that fit before the first growth."""


class UnfitError(Exception):
    """A value that fixed-point numbers cannot hold; use the plain kernel."""


@jit("void(int64[::1])", small=never)
def _rehash(a):  # type: ignore[no-untyped-def]
    """Enter every game into the emptied interning table."""
    for g in range(a[layout.COUNT]):
        h = a[layout.record(a, g) + layout.HASH]
        count = 0
        slot = layout.find_slot(a, h, count)
        while a[slot]:
            count += 1
            slot = layout.find_slot(a, h, count)
        a[slot] = g + 1


def _blank(games: int) -> Words:
    """An empty arena with room for so many games; every region is sized in proportion."""
    a = _regions(games)
    a[layout.COUNT] = a[layout.POOL_USED] = a[layout.STACK_TOP] = a[layout.STAMP] = a[layout.ERROR] = 0
    return a


def _regions(games: int) -> Words:
    sizes = {
        layout.RECORDS: games * layout.SIZE,
        layout.POOL: games * 8,
        layout.TABLE: games * 2,
        layout.ORDERS: games * 4,
        layout.SUMS: games * 8,
        layout.STACK: games * 2 + (1 << 14),
        layout.FORMS: 1 << 13,
    }
    a = np.zeros(layout.HEADER + sum(sizes.values()), dtype=np.int64)
    at = layout.HEADER
    for field, size in sizes.items():
        a[field] = at
        at += size
    a[layout.ROOM], a[layout.POOL_ROOM], a[layout.STACK_ROOM] = games, sizes[layout.POOL], sizes[layout.STACK]
    a[layout.TABLE_MASK] = sizes[layout.TABLE] - 1
    a[layout.ORDER_MASK] = sizes[layout.ORDERS] - 1
    a[layout.SUM_MASK] = sizes[layout.SUMS] // 2 - 1
    a[layout.FORM_MASK] = sizes[layout.FORMS] // 2 - 1
    return a


class Arena:
    """Games as integers; ``words`` is the array that compiled code works on.

    ``most`` limits the number of games; beyond, :class:`BudgetExceeded` is raised.
    """

    def __init__(self, *, most: int = 1 << 24) -> None:
        self.words = _blank(START)
        self.most = most
        self._values: dict[int, Value] = {}
        self._ids: dict[Value, int] = {}
        self._end: int | None = None

    def __len__(self) -> int:
        return int(self.words[layout.COUNT])

    @contextmanager
    def at_most(self, new: int) -> Iterator[None]:
        """Within this block no more than so many games are made: a sum of hot games can be larger than memory.

        What would take more raises BudgetExceeded for ``nodes``.
        """
        self._end = len(self) + new
        try:
            yield
        finally:
            self._end = None

    # ---- running compiled code ------------------------------------------------------------------------------------

    def run(self, step: Callable[[], int]) -> int:
        """Call compiled code until it succeeds, growing the arena whenever it was full.

        Raises:
            UnfitError: a number or nimber does not fit.
            BudgetExceeded: the limit on games, or the work limit set by the caller, was reached.
        """
        while True:
            room = int(self.words[layout.ROOM])
            if self._end is not None:
                self.words[layout.ROOM] = min(room, self._end)
            answer = step()
            self.words[layout.ROOM] = room
            error = int(self.words[layout.ERROR])
            if not error:
                return int(answer)
            self.words[layout.ERROR] = 0
            self.words[layout.STACK_TOP] = 0
            if error == layout.FULL and self._end is not None and len(self) + 2 >= self._end:
                raise BudgetExceeded("the limit on the number of canonical forms was reached", budget="nodes")
            if error == layout.FULL:
                self._grow()
            elif error == layout.RETRY:
                continue  # a table of the caller's was full; it grows that before the next try
            elif error == layout.TOO_FINE:
                raise UnfitError("a number is too fine or too large for the compiled kernel")
            else:
                raise BudgetExceeded("the slice of work is used up", budget="nodes")

    def _grow(self) -> None:
        old = self.words
        games = int(old[layout.ROOM]) * 2
        if games > self.most:
            raise BudgetExceeded(f"more than {self.most} different games are needed", budget="memory")
        new = _regions(games)
        count, used = int(old[layout.COUNT]), int(old[layout.POOL_USED])
        new[layout.COUNT], new[layout.POOL_USED], new[layout.STAMP] = count, used, old[layout.STAMP]
        at, to = int(old[layout.RECORDS]), int(new[layout.RECORDS])
        records = old[at : at + count * layout.SIZE].reshape(count, layout.SIZE).copy()
        moved = int(new[layout.POOL] - old[layout.POOL])
        spelled = records[:, layout.LEFTS] >= 0
        records[spelled, layout.LEFT] += moved
        records[spelled, layout.RIGHT] += moved
        new[to : to + count * layout.SIZE] = records.reshape(-1)
        at, to = int(old[layout.POOL]), int(new[layout.POOL])
        new[to : to + used] = old[at : at + used]
        new[layout.BUDGET] = old[layout.BUDGET]
        _rehash(new)
        self.words = new

    # ---- the kernel's face ----------------------------------------------------------------------------------------

    def number(self, x: Number) -> int:
        """The number ``x``."""
        scaled = Fraction(x) * layout.ONE
        if scaled.denominator != 1 or abs(scaled) > layout.LARGEST:
            raise UnfitError(f"{x} is too fine or too large for the compiled kernel")
        return self.run(lambda: layout.atom(self.words, int(scaled), 0, 0))

    def build(self, left: Sequence[int], right: Sequence[int]) -> int:
        """The canonical form of the game with the given options."""

        def step() -> int:
            a = self.words
            at, n = int(a[layout.STACK]), len(left) + len(right)
            if n + 256 > a[layout.STACK_ROOM]:
                a[layout.ERROR] = layout.FULL
                return 0
            a[at : at + len(left)] = left
            a[at + len(left) : at + n] = right
            a[layout.STACK_TOP] = n
            answer: int = arithmetic.build(a, at, len(left), len(right))
            a[layout.STACK_TOP] = 0
            return answer

        return self.run(step)

    def add(self, g: int, h: int) -> int:
        """The sum."""
        return self.run(lambda: arithmetic.add(self.words, g, h))

    def negate(self, g: int) -> int:
        """The negative."""
        return self.run(lambda: arithmetic.negate(self.words, g))

    def le(self, g: int, h: int) -> bool:
        """Whether g <= h."""
        return bool(self.run(lambda: layout.le(self.words, g, h)))

    def stops(self, g: int) -> tuple[Fraction, Fraction]:
        """The left and the right stop."""
        row = self._row(g)
        return Fraction(int(row[layout.LS]), layout.ONE), Fraction(int(row[layout.RS]), layout.ONE)

    # ---- to and from values ---------------------------------------------------------------------------------------

    def value(self, g: int) -> Value:
        """The game ``g`` as a value of the plain kernel."""
        stack = [g]
        while stack:
            x = stack[-1]
            if x in self._values:
                stack.pop()
                continue
            row = self._row(x)
            if row[layout.KIND]:
                number = normal(Fraction(int(row[layout.X]), layout.ONE))
                self._values[x] = make_atom(number, int(row[layout.UPS]), int(row[layout.NIM]))
                continue
            left = self._listed(row, layout.LEFT, layout.LEFTS)
            right = self._listed(row, layout.RIGHT, layout.RIGHTS)
            missing = [y for y in (*left, *right) if y not in self._values]
            if missing:
                stack.extend(missing)
                continue
            lefts, rights = [self._values[y] for y in left], [self._values[y] for y in right]
            self._values[x] = make_compound(lefts, rights)
        return self._values[g]

    def game(self, value: Value) -> int:
        """The value as a game of this arena."""
        known = self._ids.get(value)
        if known is None:
            if value.number_up_star is not None:
                x, ups, nim = value.number_up_star
                number = self.number(x)
                row = self._row(number)
                known = self.run(lambda: layout.atom(self.words, int(row[layout.X]), ups, nim))
            else:
                known = self.build([self.game(x) for x in value.left], [self.game(y) for y in value.right])
            self._ids[value] = known
            self._values.setdefault(known, value)
        return known

    def _row(self, g: int) -> Words:
        at = int(self.words[layout.RECORDS]) + g * layout.SIZE
        return self.words[at : at + layout.SIZE]

    def _listed(self, row: Words, start: int, count: int) -> list[int]:
        at = int(row[start])
        return [int(x) for x in self.words[at : at + int(row[count])]]
