"""Playouts from given states: rows in, and for each row what every role got in its plays, in sum and at best."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludisect import clock
from ludisect.circuit import seatkernel as kernel
from ludisect.circuit.lanecode import LaneCode
from ludisect.circuit.lanekernel import MAX_AGE
from ludisect.circuit.phase import Phases
from ludisect.circuit.rows import Rows, row_words
from ludisect.circuit.vector import LANES, WORDS, aligned
from ludisect.errors import InputError

ROUNDS = 64
"""Refills of the lanes between two looks at the clock; no result hangs on it."""


@dataclass(frozen=True, slots=True, eq=False)
class RowSums:
    """What plays from rows gave. A play that was stuck, cut, or ended without one goal for each role counts in none of
    the sums."""

    sums: NDArray[np.int64]
    """Goals of the finished plays added up, rows x roles."""
    best: NDArray[np.int64]
    """The best goal that a role got in one play, rows x roles; -1 where no play was finished."""
    finished: NDArray[np.int64]
    """Plays per row that ended with one goal for each role."""
    undefined: NDArray[np.int64]
    """Plays per row that ended with no goal for some role, or several."""
    lost: NDArray[np.int64]
    """Plays per row in which a role had no move, or which were cut."""
    moves: int
    """Moves of all plays together."""

    def mean(self) -> NDArray[np.float64]:
        """The average goals of the finished plays, rows x roles; not a number where there are none."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(self.sums / self.finished[:, None])


def turns_of(rows: Rows, phases: Phases) -> NDArray[np.int32]:
    """The turn at which each state stands: the one whose fluents it has. InputError for a state that has none's."""
    if len(phases.circuits) == 1:
        return np.zeros(rows.shape[0], np.int32)
    out = np.full(rows.shape[0], -1, np.int32)
    for turn, values in enumerate(phases.values):
        fits = np.ones(rows.shape[0], np.bool_)
        for node, value in values.items():
            bit = (rows[:, (node - 1) >> 6] >> np.uint64((node - 1) & 63)) & np.uint64(1)
            fits &= bit == np.uint64(value)
        out[fits] = turn
    if (out < 0).any():
        wrong = int(np.flatnonzero(out < 0)[0])
        raise InputError(f"row {wrong} is no state that play can reach: whose turn it is fits no turn of the game")
    return out


class Seats:
    """The lanes of plays from given states, and all they need while they play; also what a tree search sits on."""

    def __init__(self, code: LaneCode, n_fluents: int, goals: tuple[tuple[int, int], ...], seed: int) -> None:
        self.code = code
        self.values, self.kept = aligned(code.n_nodes), aligned(code.goal_nodes)
        self.bench = aligned(1 + n_fluents)
        self.values[:WORDS] = self.kept[:WORDS] = -1
        n_moves = code.step[7].size
        self.thinned = aligned(max(1, n_moves))
        self.masks = aligned(kernel.SEAT_MASKS)
        self.random = aligned(4)
        self.random[:] = np.random.SeedSequence(seed).generate_state(4 * WORDS, np.uint64).view(np.int64)
        self.blocks, self.dirty = aligned(4 * code.n_blocks), np.ones(code.n_blocks, np.uint8)
        self.counters = np.zeros(kernel.SEAT_COUNTERS, np.int64)
        self.counters[kernel.FREE] = LANES
        self.goal_role = np.array([role for role, _ in goals], np.int64)
        self.goal_value = np.array([value for _, value in goals], np.int64)
        self.classes = np.zeros(n_moves, np.int32)
        """Per move of the lists: how readily it is drawn, from 0 (always) to 3, once ``thin`` has been called."""
        self.own = np.empty(0, np.int32)

    def thin(self, thinned: bool = True) -> None:
        """Draw moves by their classes from now on, or uniformly again."""
        self.own = 2 * np.arange(self.classes.size if thinned else 0, dtype=np.int32)


class RowPlays:
    """Plays from given states under way; ``run`` goes on with them."""

    def __init__(
        self, seats: Seats, rows: Rows, turns: NDArray[np.int32], n_fluents: int, n_roles: int, plays: int,
        max_length: int,
    ) -> None:  # fmt: skip
        self._seats, self._turns = seats, turns
        self._rows = np.ascontiguousarray(rows).ravel().copy()
        self._n_fluents, self._n_roles = n_fluents, n_roles
        self._epoch = -(-max_length // (MAX_AGE - 1))
        n = rows.shape[0]
        self._left, self._queue = np.full(n, plays, np.int64), np.array([0, n * plays], np.int64)
        self._tag, self._lane_rows = np.full(LANES, -1, np.int64), np.full(LANES, -1, np.int64)
        self._busy = np.zeros(LANES, np.int64)
        self._result, self._given = np.zeros(LANES * n_roles, np.int64), np.zeros(LANES * n_roles, np.int64)
        self._sums, self._best = np.zeros(n * n_roles, np.int64), np.full(n * n_roles, -1, np.int64)
        self._ends, self._block = np.zeros(3 * n, np.int64), np.zeros(64, np.uint64)

    @property
    def is_over(self) -> bool:
        """Whether every play has been played."""
        return bool(self._queue[1] == 0 and not self._busy.any())

    def run(self, *, seconds: float | None = None) -> RowSums:
        """Go on until all is played, or the seconds are over; what is under way then is kept for the next call."""
        deadline = None if seconds is None else clock.now() + seconds
        while not self.is_over and (deadline is None or clock.now() < deadline):
            self._step(ROUNDS)
        ends = self._ends.reshape(-1, 3)
        shape = (-1, self._n_roles)
        return RowSums(
            self._sums.reshape(shape).copy(), self._best.reshape(shape).copy(), ends[:, 0].copy(), ends[:, 1].copy(),
            ends[:, 2].copy(), int(self._seats.counters[kernel.MOVES]),
        )  # fmt: skip

    def _step(self, rounds: int) -> None:
        s = self._seats
        kernel.play_rows(
            s.values, s.bench, s.thinned, s.kept, s.masks, s.random, s.blocks, s.dirty, s.counters, *s.code.step,
            s.code.fluents, s.classes, s.own, *s.code.goal, s.goal_role, s.goal_value, self._rows, self._turns,
            row_words(self._n_fluents), self._n_fluents, self._left, self._queue, self._tag, self._busy,
            self._lane_rows, self._result, self._given, self._sums, self._best, self._ends, self._block, self._epoch,
            rounds,
        )  # fmt: skip
