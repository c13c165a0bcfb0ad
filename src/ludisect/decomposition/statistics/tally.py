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
from ludisect.circuit.rows import Rows, pack, set_bits, unpack
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
    roles, n = len(game.roles), len(game.fluents)
    watched = np.tile(pack(~ignored[None]), 2)
    offset = game.batch.first_move[:-1]
    known = np.empty((0, roles + watched.shape[1]), np.uint64)
    counts = np.empty(0, np.int64)
    fresh: list[Rows] = []
    waiting = steps = 0
    seen, late = np.zeros_like(watched[0]), np.zeros_like(watched[0])
    always = ~seen
    for states, joint, following in plays(game, playouts, seed=seed):
        changes = np.concatenate([following & ~states, states & ~following], axis=1)
        first = (states == game.batch.initial).all(axis=1)
        seen |= np.bitwise_or.reduce(changes, axis=0)
        late |= np.bitwise_or.reduce(changes[~first], axis=0)
        always &= np.bitwise_and.reduce(changes[first], axis=0)
        fresh.append(np.concatenate([(joint + offset).astype(np.uint64), changes & watched], axis=1))
        waiting += len(joint)
        steps += len(joint)
        if waiting >= MERGE_AT:
            known, counts = _merge(known, counts, fresh)
            fresh, waiting = [], 0
    known, counts = _merge(known, counts, fresh)
    by_literal = unpack(np.stack([seen, late, always]), 64 * len(seen))[:, change_bit(np.arange(2 * n), len(seen) // 2)]
    return Plays(
        n_fluents=n,
        n_moves=game.circuit.legal.size,
        joint=known[:, :roles].astype(np.int64),
        changes=np.ascontiguousarray(known[:, roles:]),
        count=counts,
        seen=by_literal[0],
        late=by_literal[1],
        at_start=by_literal[2] & ~by_literal[1] & by_literal[0],
        steps=steps,
    )


def _merge(known: Rows, counts: NDArray[np.int64], fresh: list[Rows]) -> tuple[Rows, NDArray[np.int64]]:
    table = np.concatenate([known, *fresh])
    weights = np.concatenate([counts, np.ones(len(table) - len(known), np.int64)])
    first, group = unique_rows(table)
    return table[first], np.bincount(group, weights=weights, minlength=first.size).astype(np.int64)


def changes_in(rows: Rows) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Row and change of every change in rows of them."""
    half = 32 * rows.shape[1]
    row, bit = set_bits(rows, 0, 2 * half)
    return row, bit % half * 2 + bit // half


@jit("(int64[::1], int64[::1], uint64[:, ::1], uint64[:, ::1])")
def _meet(place: Any, row: Any, changes: Any, together: Any) -> None:
    """Leave of each place what all of its rows have."""
    for k in range(place.size):
        for w in range(changes.shape[1]):
            together[place[k], w] &= changes[row[k], w]


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
    n_changes, roles = 2 * seen.n_fluents, seen.joint.shape[1]
    first, joint_of = unique_rows(seen.joint.astype(np.uint64))
    played = np.bincount(joint_of, weights=seen.count, minlength=first.size)
    n_joint = np.bincount(seen.joint[first].ravel(), minlength=seen.n_moves)
    row, change = changes_in(seen.changes)
    global_together = np.full((n_changes, seen.changes.shape[1]), ~np.uint64(0))
    _meet(change, row, seen.changes, global_together)
    global_times = np.bincount(change, weights=seen.count[row], minlength=n_changes).astype(np.int64)
    global_together[global_times == 0] = 0
    pairs, pair = np.unique((seen.joint[row] * n_changes + change[:, None]).ravel(), return_inverse=True)
    row = np.repeat(row, roles)
    together = np.full((len(pairs), seen.changes.shape[1]), ~np.uint64(0))
    _meet(pair, row, seen.changes, together)
    move = pairs // n_changes
    shares = np.bincount(pair, weights=(seen.count / played[joint_of])[row], minlength=len(pairs))
    return Statistics(
        seen.words,
        move,
        pairs % n_changes,
        shares / n_joint[move],
        np.bincount(pair, weights=seen.count[row], minlength=len(pairs)).astype(np.int64),
        together,
        global_times=global_times,
        global_together=global_together,
        n_joint=n_joint,
    )


def change_bit(change: NDArray[np.int64], words: int) -> NDArray[np.int64]:
    """The bit of a change in the rows of ``Plays`` and ``Statistics``."""
    return change // 2 + 64 * words * (change % 2)
