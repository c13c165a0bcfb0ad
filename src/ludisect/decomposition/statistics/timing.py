"""When things happen in a play: a move is first legal, a change first comes, a fluent changes last.

A condition that never changes again once the moves that it conditions are legal belongs to an earlier stage. That is
what a crosspoint comes to in plays (§4.5 of Hufschmitt, Vittaut and Jouandeau 2018); unlike a conjunction of literals,
the formula that opens the later stage may be of any kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.limits import CircuitLimits
from ludisect.circuit.record import plays
from ludisect.circuit.rows import row_words
from ludisect.decomposition.limits import DecompositionLimits
from ludisect.decomposition.statistics.tally import literals_of
from ludisect.kernels.kernel import jit

NEVER = np.iinfo(np.int32).max


@dataclass(frozen=True, slots=True, eq=False)
class Timing:
    """Matrices with a row per play; NEVER and -1 stand for what did not happen."""

    length: NDArray[np.int32]
    first_legal: NDArray[np.int32]
    first_change: NDArray[np.int32]
    last_change: NDArray[np.int32]

    def times_legal(self, moves: Sequence[int]) -> int:
        """In how many plays one of the moves became legal."""
        return int(np.count_nonzero(self._telling(self.first_legal[:, moves].min(axis=1))))

    def over_for(self, moves: Sequence[int], fluents: Sequence[int], enough: int) -> NDArray[np.bool_]:
        """Per fluent: in every play, it had its last change before the first of these moves became legal, or at the
        same time: locks often fall shut one step late."""
        return self._over(self.first_legal[:, moves].min(axis=1), fluents, enough)

    def over_at(self, change: int, fluents: Sequence[int], enough: int) -> NDArray[np.bool_]:
        """Per fluent: in every play, it had its last change before the first time of this change."""
        return self._over(self.first_change[:, change], fluents, enough)

    def _telling(self, first: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Plays that went on for a while after that time: in others nothing could change any more."""
        return first < self.length - DecompositionLimits.current().timing_later

    def _over(self, first: NDArray[np.int32], fluents: Sequence[int], enough: int) -> NDArray[np.bool_]:
        at = np.flatnonzero(self._telling(first))
        out = np.zeros(len(fluents), np.bool_)
        if at.size > enough:
            _never_later(self.last_change, np.ascontiguousarray(first), at, np.asarray(fluents, np.int64), out)
        return out


@jit("(int32[:, ::1], int32[::1], int64[::1], int64[::1], boolean[::1])")
def _never_later(last_change: Any, first: Any, at: Any, fluents: Any, out: Any) -> None:
    for k in range(fluents.size):
        out[k] = True
        for play in at:
            if last_change[play, fluents[k]] > first[play]:
                out[k] = False
                break


@jit("(uint64[:, ::1], uint64[:, ::1], int64[::1])")
def _follow(following: Any, present: Any, running: Any) -> Any:
    """Which plays go on: the present states are those of the following states that were not the end, in order."""
    out = np.empty(present.shape[0], np.int64)
    n = 0
    for i in range(following.shape[0]):
        if n == present.shape[0]:
            break
        same = True
        for w in range(present.shape[1]):
            same &= following[i, w] == present[n, w]
        if same:
            out[n] = running[i]
            n += 1
    return out


@jit(
    "(int64, int64[::1], uint64[:, ::1], uint64[:, ::1], uint64[:, ::1], uint64[:, ::1], int32[:, ::1], "
    "int32[:, ::1], int32[:, ::1])"
)
def _note(
    step: Any, running: Any, states: Any, following: Any, legal: Any, known: Any, first_legal: Any, first_change: Any,
    last_change: Any,
) -> None:  # fmt: skip
    words, move_words = states.shape[1], legal.shape[1]
    buffer = np.empty(128 * max(words, move_words), np.int64)
    changes = np.zeros(2 * words, np.uint64)
    fresh = np.zeros(2 * move_words, np.uint64)
    for i in range(running.size):
        play = running[i]
        for w in range(move_words):
            fresh[w] = legal[i, w] & ~known[play, w]
            known[play, w] |= legal[i, w]
        for k in range(literals_of(fresh, move_words, buffer)):
            first_legal[play, buffer[k] >> 1] = step
        for w in range(words):
            flipped = states[i, w] ^ following[i, w]
            changes[w], changes[words + w] = flipped & following[i, w], flipped & states[i, w]
        for k in range(literals_of(changes, words, buffer)):
            c = buffer[k]
            last_change[play, c >> 1] = step
            first_change[play, c] = min(first_change[play, c], step)


def time_plays(game: Game, playouts: int, *, steps: int | None = None, seed: int = 0) -> Timing:
    """Play at random, up to ``playouts`` plays side by side, and keep the times."""
    n_fluents, n_moves = len(game.fluents), game.circuit.legal.size
    limits = DecompositionLimits.current()
    steps = limits.timing_steps if steps is None else steps
    affordable = max(limits.timing_least, limits.timing_work // (n_fluents + n_moves))
    n = min(playouts, affordable, CircuitLimits.current().record_at_once)
    length = np.zeros(n, np.int32)
    first_legal = np.full((n, n_moves), NEVER, np.int32)
    first_change = np.full((n, 2 * n_fluents), NEVER, np.int32)
    last_change = np.full((n, n_fluents), -1, np.int32)
    running = np.arange(n)
    known = np.zeros((n, row_words(n_moves)), np.uint64)
    before = np.repeat(game.batch.initial, n, axis=0)
    for step, (states, _, following) in enumerate(plays(game, n, seed=seed, max_length=steps)):
        running = _follow(before, states, running)
        legal = game.batch.legal_rows(states)
        _note(step, running, states, following, legal, known, first_legal, first_change, last_change)
        length[running] = step + 1
        before = following
    return Timing(length, first_legal, first_change, last_change)
