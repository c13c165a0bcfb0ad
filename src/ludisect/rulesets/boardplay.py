"""Who wins a board, by compiled search of plays: Clobber, Cannibal Clobber, NoGo, Amazons; nim values too.

The search knows nothing of values: it is for boards whose values are out of reach. A position is three words (Left's
stones, Right's stones, empty cells) and its Zobrist hash, changed move by move. What cannot matter any more is taken
off the board, so that positions that differ only there are one. Moves that leave the opponent least choice come
first. The table compares whole positions, not hashes, and forgets the smaller of two subtrees. Near the start of play
mirror images are one position; further down that follows by itself. A strip of Clobber is a sum of runs of stones:
there the runs are put in order, each in its own normal form, and a run is cancelled against its negative.

Nim values of impartial forms are found by asking for k = 0, 1, … whether the board and a heap of k are lost for the
player to move. Import it late: its kernels are waited for.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ludisect import clock
from ludisect.errors import BudgetExceeded
from ludisect.kernels.kernel import jit, never
from ludisect.rulesets import bitboard
from ludisect.rulesets.amazons import Amazons
from ludisect.rulesets.bitboard import (
    across,
    around,
    count,
    filled,
    reflected,
    toggled,
    transposed,
    upside_down,
)
from ludisect.rulesets.clobber import CannibalClobber, Clobber
from ludisect.rulesets.grid import GridPosition
from ludisect.rulesets.nogo import NoGo
from ludisect.rulesets.position import Impartial, Player, Position

KINDS: dict[type[Position], int] = {Clobber: 0, CannibalClobber: 1, NoGo: 2, Amazons: 3}
"""The games that this search knows."""

_CLOBBER, _CANNIBAL, _NOGO, _AMAZONS = KINDS.values()

# fields of the settings
_GAME, _STRIDE, _ROWS, _IMPARTIAL, _BUDGET, _STOP, _DEPTH = range(7)
_OUT_OF_BUDGET, _OUT_OF_ROOM = 1, 2

# kinds of content for hashing; the last row of keys is for the heap and the turn
_LEFT, _RIGHT, _EMPTY, _OTHER = np.int64(0), np.int64(1), np.int64(2), 3
_TURN = 63

_NO, _YES = np.int64(0), np.int64(1)
_SLOT = 5  # words of an entry: left, right, empty, answer with heap and turn, size of the subtree
_ROOM = 1 << 15  # rows of the stack of children
_LARGEST = 1 << 21  # entries of the table
_MOST_HEAP = 60
_MIRRORED = 4  # moves from the start within which mirror images are looked for


@jit("UniTuple(int64, 2)(int64, int64, int64)", inner=True)
def _liberties(stones, empty, stride):  # type: ignore[no-untyped-def]
    """The empty cells next to blocks of one player that have others, and those that are a block's last."""
    several = last = _NO
    rest = stones
    while rest:
        block = filled(rest & -rest, stones, stride, _NO)
        rest ^= block
        liberties = across(block, stride) & empty
        if liberties & (liberties - 1):
            several |= liberties
        else:
            last |= liberties
    return several, last


@jit("UniTuple(int64, 2)(int64, int64, int64, int64)", inner=True)
def _nogo_legal(left, right, empty, stride):  # type: ignore[no-untyped-def]
    """Where Left and where Right may place a stone."""
    breathing = across(empty, stride)
    near_left, last_left = _liberties(left, empty, stride)
    near_right, last_right = _liberties(right, empty, stride)
    return empty & ~last_right & (breathing | near_left), empty & ~last_left & (breathing | near_right)


@jit("int64(int64, int64, int64, int64, int64, int64)", inner=True)
def _choice(game, stride, left, right, empty, side):  # type: ignore[no-untyped-def]
    """How much choice a player has; 0 exactly if he has no move."""
    own, other = (right, left) if side else (left, right)
    if game == _NOGO:
        legal = _nogo_legal(left, right, empty, stride)
        return count(legal[1] if side else legal[0])
    if game == _AMAZONS:
        return count(around(own, stride) & empty)
    prey = left | right if game == _CANNIBAL else other
    out = count(own & (prey << 1)) + count(own & (prey >> 1))
    return out + count(own & (prey << stride)) + count(own & (prey >> stride))


@jit("UniTuple(int64, 3)(int64, int64, int64, int64, int64)", small=never)
def _settled(game, stride, left, right, empty):  # type: ignore[no-untyped-def]
    """The position without the components in which nobody can ever move."""
    kept = _NO
    if game == _NOGO:
        # a place that is forbidden once stays so, and a border between different stones lets nothing through
        legal = _nogo_legal(left, right, empty, stride)
        kept = legal[0] | legal[1]
        while True:
            near = across(kept, stride)
            from_empty = across(kept & empty, stride)
            grown = kept | (near & empty)
            grown |= left & (from_empty | across(kept & left, stride))
            grown |= right & (from_empty | across(kept & right, stride))
            if grown == kept:
                break
            kept = grown
    else:
        rest = left | right | empty if game == _AMAZONS else left | right
        region = rest
        while rest:
            group = filled(rest & -rest, region, stride, _YES if game == _AMAZONS else _NO)
            rest ^= group
            if game == _AMAZONS:
                matters = group & empty and group & ~empty
            elif game == _CANNIBAL:
                matters = group & (group - 1)
            else:
                matters = group & left and group & right
            if matters:
                kept |= group
    return left & kept, right & kept, empty & kept


@jit("UniTuple(int64, 2)(int64, int64, int64)", inner=True)
def _packed(left, right, impartial):  # type: ignore[no-untyped-def]
    """The runs of a strip of Clobber in normal form: what only differs in order, place or orientation is one."""
    runs = np.empty(32, dtype=np.int64)
    total = _NO
    rest = left | right
    while rest:
        start = count((rest & -rest) - 1)
        rest >>= start
        own = left >> start
        size = count(rest & ~(rest + 1) & (rest ^ (rest + 1)))  # the ones before the first zero
        rest = (rest >> size) << (start + size)
        full = (_YES << size) - 1
        own &= full
        turned = _NO
        for i in range(size):
            turned |= ((own >> i) & 1) << (size - 1 - i)
        run = (_YES << size) | min(own, turned)
        opposite = (_YES << size) | min(full ^ own, full ^ turned)
        if impartial:  # each run is its own negative, and the colours do not matter
            run = opposite = min(run, opposite)
        at = _NO
        while at < total and runs[at] != opposite:
            at += 1
        if at < total:
            total -= 1
            runs[at] = runs[total]
        else:
            runs[total] = run
            total += 1
    ordered = np.sort(runs[:total])
    left = right = place = _NO
    for run in ordered:
        size = _NO
        while run >> (size + 1):
            size += 1
        own = run ^ (_YES << size)
        left |= own << place
        right |= (((_YES << size) - 1) ^ own) << place
        place += size + 1
    return left, right


@jit("int64(int64[::1], int64[:, ::1], int64[:, ::1], int64, int64[::1])", inner=True)
def _enter(env, keys, stack, at, child):  # type: ignore[no-untyped-def]
    """Put a child, as ``_children`` describes it, on the stack: settled, hashed, and with its promise."""
    if at >= len(stack):
        env[_STOP] = _OUT_OF_ROOM
        return at
    game, stride = env[_GAME], env[_STRIDE]
    left, right, empty = _settled(game, stride, child[0], child[1], child[2])
    if env[_ROWS] == 1 and game <= _CANNIBAL:
        left, right = _packed(left, right, env[_IMPARTIAL])
    changed = toggled(keys, _LEFT, left ^ child[3])
    changed ^= toggled(keys, _RIGHT, right ^ child[4]) ^ toggled(keys, _EMPTY, empty ^ child[5])
    side = child[6]
    if env[_IMPARTIAL]:
        replies = _choice(game, stride, left, right, empty, _NO) + _choice(game, stride, left, right, empty, _YES)
        promise = 4096 + replies
    else:
        replies = _choice(game, stride, left, right, empty, 1 - side)
        promise = 4096 + 4 * replies - 3 * _choice(game, stride, left, right, empty, side)
    row = stack[at]
    row[0], row[1], row[2], row[3] = left, right, empty, child[7] ^ changed
    row[4] = child[8]
    row[5] = promise if replies or child[8] else 0
    return at + 1


@jit("int64(int64[::1], int64[:, ::1], int64[:, ::1], int64, int64[::1])", inner=True)
def _children(env, keys, stack, at, child):  # type: ignore[no-untyped-def]
    """Put what the player ``child[6]`` can move to on the stack; the position is ``child[3:6]``, its hash and heap
    ``child[7:9]``. Returns the end of the rows."""
    game, stride = env[_GAME], env[_STRIDE]
    left, right, empty = child[3], child[4], child[5]
    side = child[6]
    own, other = (right, left) if side else (left, right)
    me, you = (1, 0) if side else (0, 1)
    child[me], child[you], child[2] = own, other, empty
    if game == _NOGO:
        legal = _nogo_legal(left, right, empty, stride)
        places = legal[1] if side else legal[0]
        while places:
            bit = places & -places
            places ^= bit
            child[me], child[2] = own | bit, empty ^ bit
            at = _enter(env, keys, stack, at, child)
        return at
    if game == _AMAZONS:
        steps = (np.int64(1), stride - 1, stride, stride + 1)
        queens = own
        while queens:
            queen = queens & -queens
            queens ^= queen
            for a in range(8):
                goal = queen
                while True:
                    goal = (goal << steps[a >> 1] if a & 1 else goal >> steps[a >> 1]) & empty
                    if not goal:
                        break
                    room = (empty | queen) ^ goal
                    child[me] = own ^ queen ^ goal
                    for b in range(8):
                        arrow = goal
                        while True:
                            arrow = (arrow << steps[b >> 1] if b & 1 else arrow >> steps[b >> 1]) & room
                            if not arrow:
                                break
                            child[2] = room ^ arrow
                            at = _enter(env, keys, stack, at, child)
        return at
    prey = left | right if game == _CANNIBAL else other
    for a in range(4):
        step = stride if a & 2 else np.int64(1)
        goals = prey & (own << step if a & 1 else own >> step)
        while goals:
            goal = goals & -goals
            goals ^= goal
            start = goal >> step if a & 1 else goal << step
            child[me], child[you] = (own ^ start) | goal, other & ~goal
            at = _enter(env, keys, stack, at, child)
    return at


@jit("UniTuple(int64, 3)(int64, int64, int64, int64, int64)", inner=True)
def _normal(rows, cols, left, right, empty):  # type: ignore[no-untyped-def]
    """The least of the images of a position under the symmetries of the board."""
    best = (left, right, empty)
    for turned in range(2 if rows == cols else 1):
        if turned:
            left, right = transposed(left, rows, cols), transposed(right, rows, cols)
            empty = transposed(empty, rows, cols)
        for flip in range(4):
            if flip & 1:
                left, right = reflected(left, rows, cols), reflected(right, rows, cols)
                empty = reflected(empty, rows, cols)
            elif flip:
                left, right = upside_down(left, rows, cols), upside_down(right, rows, cols)
                empty = upside_down(empty, rows, cols)
            image = (left, right, empty)
            if image < best:
                best = image
    return best


@jit(
    "int64(int64[::1], int64[:, ::1], int64[:, ::1], int64[:, ::1], int64, int64, int64, int64, int64, int64, int64)",
    small=never,
)
def _wins(env, table, keys, stack, top, left, right, empty, side, heap, key):  # type: ignore[no-untyped-def]
    """Whether the player to move wins; the answer means nothing if ``env[_STOP]`` is set."""
    if env[_DEPTH] < _MIRRORED and env[_ROWS] > 1:
        left, right, empty = _normal(env[_ROWS], env[_STRIDE] - 1, left, right, empty)
        key = toggled(keys, _LEFT, left) ^ toggled(keys, _RIGHT, right) ^ toggled(keys, _EMPTY, empty)
    code = 2 + 4 * heap + (_YES << 20) * side
    slot = (key ^ keys[_OTHER, heap] ^ (keys[_OTHER, _TURN] * side)) & (len(table) - 2)
    for i in range(2):
        row = table[slot + i]
        if row[3] >> 1 == code >> 1 and row[0] == left and row[1] == right and row[2] == empty:
            return row[3] & 1
    env[_BUDGET] -= 1
    if env[_BUDGET] < 0:
        env[_STOP] = _OUT_OF_BUDGET
        return _NO
    before = env[_BUDGET]
    child = np.empty(9, dtype=np.int64)
    child[3], child[4], child[5], child[6], child[7], child[8] = left, right, empty, side, key, heap
    end = _children(env, keys, stack, top, child)
    if env[_IMPARTIAL]:
        child[6] = 1
        end = _children(env, keys, stack, end, child)
    if env[_STOP]:
        return _NO
    for k in range(heap):
        child[0], child[1], child[2], child[8] = left, right, empty, k
        end = _enter(env, keys, stack, end, child)
    answer = _NO
    turn = _NO if env[_IMPARTIAL] else 1 - side
    for i in range(top, end):
        best = i
        for j in range(i + 1, end):
            if stack[j, 5] < stack[best, 5]:
                best = j
        if stack[best, 5] == 0:
            answer = _YES
            break
        for j in range(6):  # the best of the rest comes to place i
            stack[i, j], stack[best, j] = stack[best, j], stack[i, j]
        row = stack[i]
        env[_DEPTH] += 1
        reply = _wins(env, table, keys, stack, end, row[0], row[1], row[2], turn, row[4], row[3])
        env[_DEPTH] -= 1
        if env[_STOP]:
            return _NO
        if not reply:
            answer = _YES
            break
    size = before - env[_BUDGET]
    if table[slot, 3] and table[slot, 4] > size:
        slot += 1
    row = table[slot]
    row[0], row[1], row[2], row[3], row[4] = left, right, empty, code | answer, size
    return answer


@jit("void(int64[:, ::1], int64[:, ::1], int64[:, ::1])", small=never)
def _copy(old, new, keys):  # type: ignore[no-untyped-def]
    """Enter what one table holds into a larger one."""
    for i in range(len(old)):
        row = old[i]
        if row[3]:
            heap, side = (row[3] & ((1 << 20) - 1)) >> 2, row[3] >> 20
            key = toggled(keys, _LEFT, row[0]) ^ toggled(keys, _RIGHT, row[1]) ^ toggled(keys, _EMPTY, row[2])
            slot = (key ^ keys[_OTHER, heap] ^ (keys[_OTHER, _TURN] * side)) & (len(new) - 2)
            if new[slot, 3]:
                slot += 1
            new[slot] = row


class BoardPlay:
    """Decides boards of the games in ``KINDS`` and of their impartial forms by search of plays.

    The table grows with the work, up to ``entries``; it is kept between questions about boards of the same game and
    size.
    """

    SLICE = 100_000
    """Positions between two looks at the clock: compiled code cannot be interrupted."""

    def __init__(self, *, entries: int = _LARGEST) -> None:
        self.nodes = 0
        """Positions that were expanded."""
        self.entries = max(2, 1 << (entries.bit_length() - 1))
        self._keys = bitboard.zobrist(4)
        self._stack = np.zeros((_ROOM, 6), dtype=np.int64)
        self._kind: tuple[int, ...] = ()
        self._table = self._new_table(1 << 14)

    def _new_table(self, entries: int) -> NDArray[np.int64]:
        return np.zeros((min(entries, self.entries), _SLOT), dtype=np.int64)

    @staticmethod
    def fits(position: Position) -> bool:
        """Whether the game and the size of the board are within reach."""
        board = position.position if isinstance(position, Impartial) else position
        return isinstance(board, GridPosition) and type(board) in KINDS and bitboard.fits(board.rows, board.cols)

    def wins(
        self, position: Position, player: Player, *, seconds: float | None = None, nodes: int | None = None
    ) -> bool:
        """Whether ``player``, moving first, wins the board.

        Raises:
            BudgetExceeded: the time was up, or about so many ``nodes`` were expanded.
        """
        end = None if seconds is None else clock.now() + seconds
        return self._ask(position, player, 0, end, None if nodes is None else self.nodes + nodes)

    def nim(self, position: Impartial, *, seconds: float | None = None, nodes: int | None = None) -> int:
        """The nim value of an impartial form.

        Raises:
            BudgetExceeded: the time was up, about so many ``nodes`` were expanded, or the value is larger than any heap
                tried.
        """
        end = None if seconds is None else clock.now() + seconds
        most = None if nodes is None else self.nodes + nodes
        for heap in range(_MOST_HEAP):
            if not self._ask(position, Player.LEFT, heap, end, most):
                return heap
        raise BudgetExceeded(f"the nim value is at least {_MOST_HEAP}", budget="nodes", partial=_MOST_HEAP)

    def _ask(self, position: Position, player: Player, heap: int, end: float | None, most: int | None = None) -> bool:
        impartial = isinstance(position, Impartial)
        board = position.position if isinstance(position, Impartial) else position
        assert isinstance(board, GridPosition)
        kind = (KINDS[type(board)], board.rows, board.cols, int(impartial))
        if kind != self._kind:
            self._kind, self._table = kind, self._new_table(1 << 14)
        env = np.array([kind[0], board.cols + 1, board.rows, int(impartial), 0, 0, 0], dtype=np.int64)
        left, right, empty = (bitboard.word(board.cols, board.cells, letters) for letters in "XO.")
        if impartial and kind[0] == _CANNIBAL:  # whoever may move any stone onto any other sees no colours
            left, right = left | right, 0
        left, right, empty = _settled(kind[0], board.cols + 1, left, right, empty)
        key = toggled(self._keys, _LEFT, left) ^ toggled(self._keys, _RIGHT, right)
        key ^= toggled(self._keys, _EMPTY, empty)
        side = int(player is Player.RIGHT and not impartial)
        while True:
            env[_BUDGET], env[_STOP] = self.SLICE, 0
            answer = _wins(env, self._table, self._keys, self._stack, 0, left, right, empty, side, heap, key)
            self.nodes += self.SLICE - max(0, int(env[_BUDGET]))
            if env[_STOP] == 0:
                return bool(answer)
            if env[_STOP] == _OUT_OF_ROOM:
                raise BudgetExceeded("the board has too many moves for this search", budget="memory")
            if end is not None and clock.now() > end:
                raise BudgetExceeded("the time limit was reached during the search of plays", budget="seconds")
            if most is not None and self.nodes > most:
                raise BudgetExceeded("the limit on positions was reached in the search of plays", budget="nodes")
            if self.nodes > len(self._table) // 2 and len(self._table) < self.entries:
                larger = self._new_table(4 * len(self._table))
                _copy(self._table, larger, self._keys)
                self._table = larger
