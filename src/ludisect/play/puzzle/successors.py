"""What the searches of a puzzle share: all states one move on, and numbers for states not met before."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.record import fingerprints
from ludisect.circuit.rows import Rows, pack
from ludisect.circuit.rowtable import RowTable
from ludisect.search.whole.statespace import count_joint, list_joint

AT_ONCE = 1 << 16
"""Moves that one call takes: enough to fill the lanes, few enough to stay in the cache."""


def expanded(game: Game, states: Rows) -> tuple[NDArray[np.int64], NDArray[np.int32], Rows]:
    """Every move of every state, in none of which the play is over: (state, move, state after it)."""
    legal = game.batch.legal_rows(states)
    degree = np.empty(states.shape[0], np.int64)
    count_joint(legal, game.batch.first_move, np.zeros(states.shape[0], np.bool_), degree)
    start = np.concatenate([[0], np.cumsum(degree)])
    joint = np.empty((int(start[-1]), 1), np.int32)
    source = np.empty(joint.shape[0], np.int64)
    list_joint(legal, game.batch.first_move, start, joint, source)
    return source, joint[:, 0], game.batch.next(states[source], joint)


def clockwork(game: Game) -> NDArray[np.bool_]:
    """Which fluents run by themselves, whatever is played: counters of moves, as a rule."""
    circuit = game.circuit
    inputs = np.zeros(circuit.n_inputs + 1, np.bool_)
    inputs[1 + circuit.n_fluents :] = True
    while True:
        follows = circuit.reached(inputs)[circuit.next >> 1] & ~inputs[1 : 1 + circuit.n_fluents]
        if not follows.any():
            return np.asarray(~inputs[1 : 1 + circuit.n_fluents])
        inputs[1 : 1 + circuit.n_fluents] |= follows


class Met:
    """States by number, in the order in which they were met: how each was reached, and a fingerprint to know it by.

    Two states that differ have the same fingerprint with a chance of one in 2**64; then one of them is overlooked. With
    ``seen``, a row of bits, states that are equal in these bits count as one: the first that was met stands for all.
    """

    def __init__(self, start: Rows, seen: Rows | None = None) -> None:
        self._table = RowTable(1)
        self._seen = seen
        self._before = np.full(1024, -1, np.int32)
        self._by = np.full(1024, -1, np.int32)
        self._table.add(self._prints(start))

    def __len__(self) -> int:
        return len(self._table)

    @property
    def nbytes(self) -> int:
        """What it occupies."""
        return int(self._table.nbytes + self._before.nbytes + self._by.nbytes)

    def _prints(self, rows: Rows) -> Rows:
        return fingerprints(rows if self._seen is None else rows & self._seen)[:, None]

    def add(self, rows: Rows, before: NDArray[np.int64], by: NDArray[np.int32]) -> NDArray[np.int64]:
        """Which rows are new, by their place; they get the next numbers in this order."""
        known = len(self)
        number = self._table.add(self._prints(rows))
        highest = np.maximum.accumulate(np.concatenate([[known - 1], number]))
        new = np.flatnonzero(number > highest[:-1])
        self._room(len(self))
        self._before[known : len(self)] = before[new]
        self._by[known : len(self)] = by[new]
        return new

    def _room(self, need: int) -> None:
        if need > self._before.size:
            more = np.full(max(need, 2 * self._before.size) - self._before.size, -1, np.int32)
            self._before = np.concatenate([self._before, more])
            self._by = np.concatenate([self._by, more])

    def way(self, number: int) -> tuple[int, ...]:
        """The moves from the start to a state."""
        out = []
        while self._before[number] >= 0:
            out.append(int(self._by[number]))
            number = int(self._before[number])
        return tuple(out[::-1])


def without_clockwork(game: Game) -> Rows | None:
    """A row with the fluents that play can influence; None if these are all."""
    runs = clockwork(game)
    return pack(~runs[None, :]) if runs.any() else None
