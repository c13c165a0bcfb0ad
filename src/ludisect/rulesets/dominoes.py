"""Domineering and Cram searched in compiled code: bitboards, components, normal forms, values in one go.

A board is a word with eight bits per row, of which the last stays empty, so that shifts do not wrap; boards up to
7x7 fit. Import this module only for long jobs: its kernels are waited for.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludisect import clock
from ludisect.cgt import Value
from ludisect.cgt.arena import BUDGET, ERROR, FULL, OUT_OF_BUDGET, RETRY, STACK, STACK_ROOM, STACK_TOP, atom, mix
from ludisect.cgt.arithmetic import add, build, negate
from ludisect.cgt.compiled import Arena
from ludisect.cgt.memory import array_at, extent
from ludisect.errors import BudgetExceeded
from ludisect.kernels.kernel import jit, never
from ludisect.rulesets.domineering import Cram, Domineering
from ludisect.rulesets.position import Impartial, Position

LARGEST_SIDE = 7

_NO = np.int64(0)
_YES = np.int64(1)

# fields of the table of positions: a header, then pairs (board, game + 1)
_MASK, _USED, _START = 0, 1, 4

_SEEN = 1 << 16

# fields of the environment of a search for nim values: positions left to expand, whether it ended too early
_LEFT, _FAILED = 0, 1

_BITS = str.maketrans(".#", "10")


@jit("int64(int64)", small=never)
def _first_component(board):  # type: ignore[no-untyped-def]
    """The cells connected to the lowest one."""
    group = board & -board
    while True:
        grown = (group | (group << 8) | (group >> 8) | (group << 1) | (group >> 1)) & board
        if grown == group:
            return group
        group = grown


@jit("int64(int64)", inner=True)
def _reflected(x):  # type: ignore[no-untyped-def]
    """Every row reversed (the board then lies at the right edge)."""
    x = ((x >> 1) & 0x5555555555555555) | ((x & 0x5555555555555555) << 1)
    x = ((x >> 2) & 0x3333333333333333) | ((x & 0x3333333333333333) << 2)
    return ((x >> 4) & 0x0F0F0F0F0F0F0F0F) | ((x & 0x0F0F0F0F0F0F0F0F) << 4)


@jit("int64(int64)", inner=True)
def _upside_down(x):  # type: ignore[no-untyped-def]
    """The rows in reverse order (the board then lies at the bottom)."""
    x = ((x >> 8) & 0x00FF00FF00FF00FF) | ((x & 0x00FF00FF00FF00FF) << 8)
    x = ((x >> 16) & 0x0000FFFF0000FFFF) | ((x & 0x0000FFFF0000FFFF) << 16)
    return ((x >> 32) & 0xFFFFFFFF) | (x << 32)


@jit("int64(int64)", inner=True)
def _transposed(x):  # type: ignore[no-untyped-def]
    """Rows and columns exchanged, by swapping blocks of 1, 2 and 4 cells."""
    t = (x ^ (x >> 7)) & 0x00AA00AA00AA00AA
    x ^= t ^ (t << 7)
    t = (x ^ (x >> 14)) & 0x0000CCCC0000CCCC
    x ^= t ^ (t << 14)
    t = (x ^ (x >> 28)) & 0x00000000F0F0F0F0
    return x ^ t ^ (t << 28)


@jit("int64(int64)", small=never)
def _normal(board):  # type: ignore[no-untyped-def]
    """The least image under symmetry, times two, plus one if that is the negative of ``board``."""
    while not board & 255:
        board >>= 8
    columns = board | (board >> 32)
    columns |= columns >> 16
    columns = (columns | (columns >> 8)) & 127
    while not columns & 1:
        columns >>= 1
        board >>= 1
    right, down = np.int64(7), np.int64(56)
    while columns >> (8 - right):
        right -= 1
    while board >> (64 - down):
        down -= 8
    b = _reflected(board) >> right
    c = _upside_down(board) >> down
    d = _upside_down(b) >> down
    same = min(min(board, b), min(c, d))
    turned = min(min(_transposed(board), _transposed(b)), min(_transposed(c), _transposed(d)))
    return 2 * turned + 1 if turned < same else 2 * same


@jit("int64(int64[::1], int64)", inner=True)
def _lookup(table, board):  # type: ignore[no-untyped-def]
    """Where ``board`` is or belongs in the table."""
    i = mix(np.int64(1), board) & table[_MASK]
    while table[_START + 2 * i] and table[_START + 2 * i] != board:
        i = (i + 1) & table[_MASK]
    return _START + 2 * i


@jit(inline=True)
def _keep(table, board, value):  # type: ignore[no-untyped-def]
    """Enter a board that is not in the table."""
    slot = _lookup(table, board)
    table[slot] = board
    table[slot + 1] = value + 1
    table[_USED] += 1


@jit("int64(int64[::1], int64[::1], int64[::1], int64)", inner=True)
def _value(a, table, seen, board):  # type: ignore[no-untyped-def]
    """The value of a connected board in normal form; ``seen`` remembers (lossily) values of boards as they lie."""
    slot = _lookup(table, board)
    if table[slot]:
        return table[slot + 1] - 1
    a[BUDGET] -= 1
    if a[BUDGET] < 0:
        a[ERROR] = OUT_OF_BUDGET
    elif 2 * table[_USED] > table[_MASK]:
        a[ERROR] = RETRY
    elif a[STACK_TOP] + 256 > a[STACK_ROOM]:
        a[ERROR] = FULL
    if a[ERROR]:
        return _NO
    at = a[STACK_TOP]
    count = left_count = _NO
    for side in range(2):
        shift = 1 if side else 8
        starts = board & (board >> shift)
        while starts:
            bit = starts & -starts
            starts ^= bit
            rest = board & ~(bit | (bit << shift))
            place = 2 * (mix(np.int64(2), rest) & (_SEEN - 1))
            if seen[place] == rest and rest:
                a[a[STACK] + at + count] = seen[place + 1]
                count += 1
                continue
            whole = rest
            total = atom(a, _NO, _NO, _NO)
            while rest:
                group = _first_component(rest)
                rest ^= group
                if group & (group - 1) == 0:
                    continue
                code = _normal(group)
                a[STACK_TOP] = at + count
                g = _value(a, table, seen, code >> 1)
                if code & 1 and not a[ERROR]:
                    g = negate(a, g)
                total = add(a, total, g)
                if a[ERROR]:
                    a[STACK_TOP] = at
                    return _NO
            seen[place] = whole
            seen[place + 1] = total
            a[a[STACK] + at + count] = total
            count += 1
        if side == 0:
            left_count = count
    a[STACK_TOP] = at + count
    g = build(a, a[STACK] + at, left_count, count - left_count)
    a[STACK_TOP] = at
    if a[ERROR]:
        return _NO
    _keep(table, board, g)
    return g


@jit("int64(int64[::1], int64[::1], int64[::1], int64)", inner=True)
def _total(a, table, seen, board):  # type: ignore[no-untyped-def]
    """The value of any board: the sum over its components."""
    total = atom(a, _NO, _NO, _NO)
    while board:
        group = _first_component(board)
        board ^= group
        code = _normal(group)
        g = _value(a, table, seen, code >> 1)
        if code & 1 and not a[ERROR]:
            g = negate(a, g)
        total = add(a, total, g)
        if a[ERROR]:
            return _NO
    return total


@jit("int64(int64, int64, int64, int64, int64, int64, int64)", small=never)
def _total_at(a, words, table, entries, seen, places, board):  # type: ignore[no-untyped-def]
    """The same for arrays given by address and length."""
    return _total(array_at(a, words), array_at(table, entries), array_at(seen, places), board)


@jit("int64(int64[::1], int64[::1], int64)", small=never)
def _nim(env, table, board):  # type: ignore[no-untyped-def]
    """The nim value of a connected board of Cram in normal form; means nothing if ``env[_FAILED]`` is set."""
    slot = _lookup(table, board)
    if table[slot]:
        return table[slot + 1] - 1
    env[_LEFT] -= 1
    if env[_LEFT] < 0 or 2 * table[_USED] > table[_MASK]:
        env[_FAILED] = _YES
        return _NO
    reached = _NO  # a bit for each nim value of an option
    for side in range(2):
        shift = 1 if side else 8
        starts = board & (board >> shift)
        while starts:
            bit = starts & -starts
            starts ^= bit
            rest = board & ~(bit | (bit << shift))
            total = _NO
            while rest:
                group = _first_component(rest)
                rest ^= group
                if group & (group - 1):
                    total ^= _nim(env, table, _normal(group) >> 1)
                    if env[_FAILED]:
                        return _NO
            reached |= _YES << total
    value = _NO
    while (reached >> value) & 1:
        value += 1
    _keep(table, board, value)
    return value


@jit("void(int64[::1], int64[::1])", small=never)
def _copy(old, new):  # type: ignore[no-untyped-def]
    """Enter all positions of one table into another."""
    for i in range(old[_MASK] + 1):
        board = old[_START + 2 * i]
        if board:
            _keep(new, board, old[_START + 2 * i + 1] - 1)


def _table(slots: int) -> NDArray[np.int64]:
    table = np.zeros(_START + 2 * slots, dtype=np.int64)
    table[_MASK] = slots - 1
    return table


def _roomy(table: NDArray[np.int64]) -> NDArray[np.int64]:
    """The table, or a larger one with the same content if it is half full."""
    if 2 * table[_USED] <= table[_MASK]:
        return table
    larger = _table(2 * (int(table[_MASK]) + 1))
    _copy(table, larger)
    return larger


def _word(position: Domineering) -> int:
    """The open cells of a board."""
    word = 0
    for r in range(position.rows):
        row = position.cells[r * position.cols : (r + 1) * position.cols]
        word |= int(row.translate(_BITS)[::-1], 2) << (8 * r)
    return word


class Dominoes:
    """Values of Domineering boards by compiled search; positions and values are kept between boards."""

    SLICE = 20_000
    """Positions between two looks at the clock: compiled code cannot be interrupted."""

    def __init__(self, *, arena: Arena | None = None) -> None:
        self.arena = arena or Arena()
        self._positions = _table(1 << 12)
        self._seen = np.zeros(2 * _SEEN, dtype=np.int64)

    @staticmethod
    def fits(position: Domineering) -> bool:
        """Whether the board is small enough."""
        return max(position.rows, position.cols) <= LARGEST_SIDE

    def __len__(self) -> int:
        return int(self._positions[_USED])

    def value(self, position: Domineering, *, seconds: float | None = None) -> Value:
        """The value of the board.

        Raises:
            BudgetExceeded: the time was up, or memory was short.
            ludisect.cgt.compiled.UnfitError: a number does not fit in fixed point.
        """
        end = None if seconds is None else clock.now() + seconds
        return self.arena.value(self._search(_word(position), end))

    def _search(self, board: int, end: float | None) -> int:
        def step() -> Any:
            self._positions = _roomy(self._positions)
            return _total_at(*extent(self.arena.words), *extent(self._positions), *extent(self._seen), board)

        while True:
            self.arena.words[BUDGET] = self.SLICE
            try:
                return self.arena.run(step)
            except BudgetExceeded as error:
                if error.budget != "nodes":
                    raise
                if end is not None and clock.now() > end:
                    raise BudgetExceeded("the time limit was reached during local search", budget="seconds") from None


class DominoNims:
    """Nim values of Cram, which is also the impartial form of Domineering, by compiled search.

    At most ``entries`` positions are kept; nothing is forgotten, so a larger search ends.
    """

    SLICE = 200_000
    """Positions between two looks at the clock."""

    def __init__(self, *, entries: int = 1 << 24) -> None:
        self.entries = entries
        self._positions = _table(1 << 12)

    def __len__(self) -> int:
        return int(self._positions[_USED])

    @staticmethod
    def board(position: Position) -> Domineering | None:
        """The board of a position that this search knows."""
        board = position.position if isinstance(position, Impartial) else position
        dominoes = type(board) is Cram or (type(board) is Domineering and board is not position)
        return board if dominoes and isinstance(board, Domineering) and Dominoes.fits(board) else None

    def nim(self, board: Domineering, *, seconds: float | None = None) -> int:
        """The nim value of the board with dominoes in both directions for both players.

        Raises:
            BudgetExceeded: the time was up, or there are too many positions.
        """
        end = None if seconds is None else clock.now() + seconds
        total, rest = 0, _word(board)
        while rest:
            group = int(_first_component(rest))
            rest ^= group
            if group & (group - 1):
                total ^= self._connected(int(_normal(group)) >> 1, end)
        return total

    def _connected(self, board: int, end: float | None) -> int:
        env = np.zeros(2, dtype=np.int64)
        while True:
            env[_LEFT], env[_FAILED] = self.SLICE, 0
            self._positions = _roomy(self._positions)
            value = int(_nim(env, self._positions, board))
            if not env[_FAILED]:
                return value
            if len(self) > self.entries:
                raise BudgetExceeded(f"more than {self.entries} positions are needed", budget="memory")
            if end is not None and clock.now() > end:
                raise BudgetExceeded("the time limit was reached during local search", budget="seconds")
