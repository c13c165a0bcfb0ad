"""When things happen in a play: a move is first legal, a change first comes, a fluent changes last.

A condition that never changes again once the moves that it conditions are legal belongs to an earlier stage. That is
what a crosspoint comes to in plays (§4.5 of Hufschmitt, Vittaut and Jouandeau 2018); unlike a conjunction of literals,
the formula that opens the later stage may be of any kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.limits import CircuitLimits
from ludisect.circuit.record import plays
from ludisect.circuit.rows import set_bits
from ludisect.decomposition.limits import DecompositionLimits

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
        if at.size <= enough:
            return np.zeros(len(fluents), np.bool_)
        return np.asarray((self.last_change[at][:, fluents] <= first[at, None]).all(axis=0))


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
    before = np.repeat(game.batch.initial, n, axis=0)
    for step, (states, _, following) in enumerate(plays(game, n, seed=seed, max_length=steps)):
        running = running[~game.batch.terminal(before) & game.batch.able(before).all(axis=1)]
        play, move = set_bits(game.batch.legal_rows(states), 0, n_moves)
        first_legal[running[play], move] = np.minimum(first_legal[running[play], move], step)
        for sign, rows in enumerate((following & ~states, states & ~following)):
            play, fluent = set_bits(rows, 0, n_fluents)
            last_change[running[play], fluent] = step
            now = running[play], 2 * fluent + sign
            first_change[now] = np.minimum(first_change[now], step)
        length[running] = step + 1
        before = following
    return Timing(length, first_legal, first_change, last_change)
