"""What random plays say of moves and changes: P(a, f±) and changes that always come together (§4.1, §4.2).

A change is numbered like the literal that it makes true: 2 * fluent if the fluent becomes true, 2 * fluent + 1 if it
becomes false. In rows of bits, changes to true come first and changes to false after them (``Plays.bit``), because the
two halves are then plain operations on packed states.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.record import plays, unique_rows
from ludisect.circuit.rows import Rows, unpack
from ludisect.kernels.kernel import jit

MERGE_AT = 1 << 16
"""Steps are merged with those known already when this many are new, so that memory follows distinct ones;
no result hangs on it."""


@dataclass(frozen=True, slots=True, eq=False)
class Plays:
    """Distinct (joint move, changes) of random plays, each seen ``count`` times.

    ``joint[i, r]`` is a column of ``Game.legal``; ``changes`` has twice as many words as a state has.
    """

    n_fluents: int
    n_moves: int
    joint: NDArray[np.int64]
    changes: Rows
    count: NDArray[np.int64]
    seen: NDArray[np.bool_]
    """Per literal: seen to become true, fluents that no move reaches included."""
    late: NDArray[np.bool_]
    """Per literal: seen to become true after the first move of a play."""
    at_start: NDArray[np.bool_]
    """Per literal: became true at the first move of every play."""
    steps: int

    @property
    def words(self) -> int:
        """Words in a row of states."""
        return int(self.changes.shape[1]) // 2


def play(game: Game, playouts: int, ignored: NDArray[np.bool_], *, seed: int) -> Plays:
    """Play at random; changes of ``ignored`` fluents (which no move can reach) are kept out of the rows."""
    words = game.batch.initial.shape[1]
    roles = len(game.roles)
    width = roles + 2 * words
    mask = np.zeros(64 * words, np.bool_)
    mask[: len(game.fluents)] = ~ignored
    watched = np.packbits(mask, bitorder="little").view(np.uint64)
    offset = game.batch.first_move[:-1]
    known = np.empty((0, width), np.uint64)
    counts = np.empty(0, np.int64)
    fresh: list[Rows] = []
    waiting = steps = 0
    seen, late = np.zeros(2 * words, np.uint64), np.zeros(2 * words, np.uint64)
    always = np.full(2 * words, ~np.uint64(0))
    initial = game.batch.initial[0]
    for states, joint, following in plays(game, playouts, seed=seed):
        rows = np.empty((len(joint), width), np.uint64)
        _note(states, following, joint, offset, initial, watched, seen, late, always, rows)
        fresh.append(rows)
        waiting += len(joint)
        steps += len(joint)
        if waiting >= MERGE_AT:
            known, counts = _merge(known, counts, fresh)
            fresh, waiting = [], 0
    known, counts = _merge(known, counts, fresh)
    n = len(game.fluents)
    return Plays(
        n_fluents=n,
        n_moves=game.circuit.legal.size,
        joint=known[:, :roles].astype(np.int64),
        changes=np.ascontiguousarray(known[:, roles:]),
        count=counts,
        seen=_by_literal(seen, words, n),
        late=_by_literal(late, words, n),
        at_start=_by_literal(always, words, n) & ~_by_literal(late, words, n) & _by_literal(seen, words, n),
        steps=steps,
    )


@jit(
    "(uint64[:, ::1], uint64[:, ::1], int32[:, ::1], int64[::1], uint64[::1], uint64[::1], uint64[::1], "
    "uint64[::1], uint64[::1], uint64[:, ::1])"
)
def _note(
    states: Any, following: Any, joint: Any, offset: Any, initial: Any, watched: Any, seen: Any, late: Any, always: Any,
    rows: Any,
) -> None:  # fmt: skip
    """One step of many plays: a row (joint move, watched changes) for each, and what changed in the first step of a
    play (``always``: in every one) and later."""
    words = states.shape[1]
    roles = joint.shape[1]
    for i in range(states.shape[0]):
        for r in range(roles):
            rows[i, r] = np.uint64(joint[i, r] + offset[r])
        first = True
        for w in range(words):
            first &= states[i, w] == initial[w]
        for w in range(words):
            flipped = states[i, w] ^ following[i, w]
            up, down = flipped & following[i, w], flipped & states[i, w]
            seen[w] |= up
            seen[words + w] |= down
            if first:
                always[w] &= up
                always[words + w] &= down
            else:
                late[w] |= up
                late[words + w] |= down
            rows[i, roles + w] = up & watched[w]
            rows[i, roles + words + w] = down & watched[w]


def _merge(known: Rows, counts: NDArray[np.int64], fresh: list[Rows]) -> tuple[Rows, NDArray[np.int64]]:
    table = np.concatenate([known, *fresh])
    weights = np.concatenate([counts, np.ones(len(table) - len(known), np.int64)])
    first, group = unique_rows(table)
    return table[first], np.bincount(group, weights=weights, minlength=first.size).astype(np.int64)


def _by_literal(row: Rows, words: int, n_fluents: int) -> NDArray[np.bool_]:
    bits = unpack(row[None, :], 128 * words)[0]
    out = np.empty(2 * n_fluents, np.bool_)
    out[0::2], out[1::2] = bits[:n_fluents], bits[64 * words : 64 * words + n_fluents]
    return out


@jit
def _lowest(word: Any) -> Any:
    """The place of the lowest set bit."""
    x = (word & (~word + np.uint64(1))) - np.uint64(1)
    x = x - ((x >> np.uint64(1)) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((x * np.uint64(0x0101010101010101)) >> np.uint64(56))


@jit
def literals_of(row: Any, words: Any, out: Any) -> Any:
    """The change literals of a row, in ``out``; returns how many."""
    n = 0
    for w in range(2 * words):
        word = row[w]
        while word:
            bit = _lowest(word)
            word &= word - np.uint64(1)
            out[n] = 2 * (64 * w + bit) if w < words else 2 * (64 * (w - words) + bit) + 1
            n += 1
    return n


@jit("(int64[::1], int64[::1], uint64[:, ::1], int64)")
def _count_pairs(move: Any, order: Any, changes: Any, words: Any) -> Any:
    stamp = np.full(128 * words, -1, np.int64)
    buffer = np.empty(128 * words, np.int64)
    pairs = 0
    for i in order:
        n = literals_of(changes[i], words, buffer)
        for k in range(n):
            if stamp[buffer[k]] != move[i]:
                stamp[buffer[k]] = move[i]
                pairs += 1
    return pairs


@jit(
    "(int64[::1], int64[::1], int64[::1], float64[::1], uint64[:, ::1], int64[::1], int64, int64[::1], "
    "int64[::1], float64[::1], int64[::1], uint64[:, ::1], int64[::1])"
)
def _gather_pairs(
    move: Any, order: Any, joint_of: Any, played: Any, changes: Any, count: Any, words: Any, pair_move: Any,
    pair_change: Any, strength: Any, times: Any, together: Any, n_joint: Any,
) -> None:  # fmt: skip
    """Rows in ``order`` are sorted by (move of the role, joint move). Strength is the sum of shares per joint move."""
    place = np.full(128 * words, -1, np.int64)
    buffer = np.empty(128 * words, np.int64)
    pairs = 0
    current = -1
    first = 0
    last_joint = -1
    for i in order:
        if move[i] != current:
            for k in range(first, pairs):
                place[pair_change[k]] = -1
            current, first, last_joint = move[i], pairs, -1
        if joint_of[i] != last_joint:
            last_joint = joint_of[i]
            n_joint[current] += 1
        n = literals_of(changes[i], words, buffer)
        share = count[i] / played[joint_of[i]]
        for k in range(n):
            at = place[buffer[k]]
            if at < 0:
                at = place[buffer[k]] = pairs
                pair_move[at] = current
                pair_change[at] = buffer[k]
                together[at] = changes[i]
                pairs += 1
            else:
                for w in range(2 * words):
                    together[at, w] &= changes[i, w]
            strength[at] += share
            times[at] += count[i]


@jit("(uint64[:, ::1], int64[::1], int64, uint64[:, ::1], int64[::1])")
def _globally(changes: Any, count: Any, words: Any, together: Any, times: Any) -> None:
    buffer = np.empty(128 * words, np.int64)
    for i in range(changes.shape[0]):
        n = literals_of(changes[i], words, buffer)
        for k in range(n):
            at = buffer[k]
            if times[at] == 0:
                together[at] = changes[i]
            else:
                for w in range(2 * words):
                    together[at, w] &= changes[i, w]
            times[at] += count[i]


@dataclass(frozen=True, slots=True, eq=False)
class Statistics:
    """Pair k: change ``change[k]`` was seen ``times[k]`` times with move ``move[k]``, P = ``strength[k]``, and always
    together with the changes of row ``together[k]`` (ACE). Per change: ``global_times``, ``global_together`` (GCE).

    Pairs of one move are neighbours. ``n_joint[a]`` = |J(a)|, 0 if the move was never made.
    """

    words: int
    move: NDArray[np.int64]
    change: NDArray[np.int64]
    strength: NDArray[np.float64]
    times: NDArray[np.int64]
    together: Rows
    global_times: NDArray[np.int64]
    global_together: Rows
    n_joint: NDArray[np.int64]


def statistics(seen: Plays) -> Statistics:
    """P(a, f±) over joint moves, and the co-occurring changes of each move and of all."""
    words = seen.words
    first, joint_of = unique_rows(seen.joint.astype(np.uint64))
    played = np.bincount(joint_of, weights=seen.count, minlength=first.size).astype(np.float64)
    n_joint = np.zeros(seen.n_moves, np.int64)
    parts = []
    for r in range(seen.joint.shape[1]):
        move = np.ascontiguousarray(seen.joint[:, r])
        order = np.lexsort((joint_of, move))
        n = _count_pairs(move, order, seen.changes, words)
        pair_move, change, times = (np.zeros(n, np.int64) for _ in range(3))
        strength, together = np.zeros(n), np.zeros((n, 2 * words), np.uint64)
        _gather_pairs(
            move, order, joint_of, played, seen.changes, seen.count, words, pair_move, change, strength, times,
            together, n_joint,
        )  # fmt: skip
        parts.append((pair_move, change, strength / np.maximum(1, n_joint[pair_move]), times, together))
    global_together = np.zeros((2 * seen.n_fluents, 2 * words), np.uint64)
    global_times = np.zeros(2 * seen.n_fluents, np.int64)
    _globally(seen.changes, seen.count, words, global_together, global_times)
    moves, changes, strengths, counts, togethers = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Statistics(
        words,
        moves,
        changes,
        strengths,
        counts,
        togethers,
        global_times=global_times,
        global_together=global_together,
        n_joint=n_joint,
    )


def change_bit(change: NDArray[np.int64], words: int) -> NDArray[np.int64]:
    """The bit of a change in the rows of ``Plays`` and ``Statistics``."""
    return change // 2 + 64 * words * (change % 2)
