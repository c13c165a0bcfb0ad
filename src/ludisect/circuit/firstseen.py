"""States that take care to reach: the first, breadth first, in which a fluent is not as at the start.

Random plays hardly ever come to the last of four stages that must be passed in ten moves. Here a state is kept if it
shows a fluent as no state before it did, so that there are at most as many as fluents, and no chance decides which. In
planning this is the search of width one (Lipovetzky and Geffner 2012).
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.rows import Rows, unpack


def first_seen(game: Game, most: int) -> tuple[Rows, NDArray[np.int32]]:
    """The states that are kept and in which play goes on, each with the joint move of everybody's first legal move.

    The moves of each role are tried with the first moves of the others, at most so many in all.
    """
    batch = game.batch
    columns = list(pairwise(batch.first_move.tolist()))
    shown = np.zeros_like(batch.initial[0])
    kept, moved = [batch.initial[:0]], [np.empty((0, len(columns)), np.int32)]
    states = batch.initial
    while len(states) and most > 0:
        legal = batch.legal(states)
        can = np.stack([legal[:, low:high].any(axis=1) for low, high in columns], axis=1)
        going = ~batch.terminal(states) & can.all(axis=1)
        states, legal = states[going], legal[going]
        first = np.stack([legal[:, low:high].argmax(axis=1) for low, high in columns], axis=1).astype(np.int32)
        kept.append(states)
        moved.append(first)
        state, column = (index[:most] for index in np.nonzero(legal))
        most -= len(state)
        role = np.searchsorted(batch.first_move, column, side="right") - 1
        joint = first[state]
        joint[np.arange(len(state)), role] = column - batch.first_move[role]
        following = batch.next(states[state], joint)
        new = (following ^ batch.initial) & ~shown
        shown |= np.bitwise_or.reduce(new, axis=0)
        following, new = following[new.any(axis=1)], new[new.any(axis=1)]
        bits = unpack(new, len(game.fluents))
        states = following[np.unique(bits.argmax(axis=0)[bits.any(axis=0)])] if len(bits) else following
    return np.concatenate(kept), np.concatenate(moved)
