"""When things happen in a play: the first time that a move is legal and a change happens, the last time a fluent changes.

A condition that never changes again once the moves that it conditions are legal belongs to an earlier stage. That is
what a crosspoint comes to in plays (§4.5 of Hufschmitt, Vittaut and Jouandeau 2018); unlike a conjunction of literals,
the formula that opens the later stage may be of any kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.batch import unpack
from ludisect.circuit.game import Game

NEVER = np.iinfo(np.int32).max
PLAYS = 200
STEPS = 400


@dataclass(frozen=True, slots=True, eq=False)
class Timing:
    """Matrices with a row per play; NEVER and -1 stand for what did not happen."""

    first_legal: NDArray[np.int32]
    first_change: NDArray[np.int32]
    last_change: NDArray[np.int32]

    def times_legal(self, moves: Sequence[int]) -> int:
        """In how many plays one of the moves became legal."""
        return int(np.count_nonzero(self.first_legal[:, moves].min(axis=1) < NEVER))

    def over_for(self, moves: Sequence[int], enough: int) -> NDArray[np.bool_]:
        """Per fluent: in every play, it had its last change before the first of these moves became legal."""
        return self._over(self.first_legal[:, moves].min(axis=1), enough)

    def over_at(self, change: int, enough: int) -> NDArray[np.bool_]:
        """Per fluent: in every play, it had its last change before the first time of this change."""
        return self._over(self.first_change[:, change], enough)

    def _over(self, first: NDArray[np.int32], enough: int) -> NDArray[np.bool_]:
        at = first < NEVER
        if np.count_nonzero(at) <= enough:
            return np.zeros(self.last_change.shape[1], np.bool_)
        return np.asarray((self.last_change[at] < first[at, None]).all(axis=0))


def time_plays(game: Game, *, plays: int = PLAYS, steps: int = STEPS, seed: int = 0) -> Timing:
    """Play at random, a few plays side by side, and keep the times."""
    rng = np.random.default_rng(seed)
    n_fluents, n_moves = len(game.fluents), game.circuit.legal.size
    first_legal = np.full((plays, n_moves), NEVER, np.int32)
    first_change = np.full((plays, 2 * n_fluents), NEVER, np.int32)
    last_change = np.full((plays, n_fluents), -1, np.int32)
    running = np.arange(plays)
    states = np.repeat(game.initial, plays, axis=0)
    cuts = game.first_move
    for step in range(steps):
        going = ~game.terminal(states)
        legal = game.legal(states)
        for low, high in zip(cuts[:-1], cuts[1:], strict=True):
            going &= legal[:, low:high].any(axis=1)
        running, states, legal = running[going], states[going], legal[going]
        if not len(running):
            break
        first_legal[running] = np.minimum(first_legal[running], np.where(legal, step, NEVER))
        weight = rng.random(legal.shape, np.float32) * legal
        joint = np.stack([weight[:, a:b].argmax(axis=1) for a, b in zip(cuts[:-1], cuts[1:], strict=True)], axis=1)
        following = game.next(states, joint)
        rose, fell = unpack(following & ~states, n_fluents), unpack(states & ~following, n_fluents)
        last_change[running] = np.where(rose | fell, step, last_change[running])
        first_change[running, 0::2] = np.minimum(first_change[running, 0::2], np.where(rose, step, NEVER))
        first_change[running, 1::2] = np.minimum(first_change[running, 1::2], np.where(fell, step, NEVER))
        states = following
    return Timing(first_legal, first_change, last_change)
