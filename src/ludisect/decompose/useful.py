"""Useless parts: those that reach neither the score, nor the end of the game, nor the start of a useful part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ludisect.circuit.game import Game


def useless_parts(game: Game, parts: Sequence[Sequence[int]], after: Mapping[int, set[int]]) -> frozenset[int]:
    """Indices of useless parts: no path in the folded circuit leads from them to goal, terminal or a useful part."""
    circuit = game.circuit
    outputs = np.concatenate([circuit.goal, np.array([circuit.terminal], np.int32)])
    read = set((circuit.support(outputs) - 1).tolist())
    useful = {i for i, part in enumerate(parts) if read & set(part)}
    waiting = list(useful)
    while waiting:
        for earlier in after.get(waiting.pop(), ()):
            if earlier not in useful:
                useful.add(earlier)
                waiting.append(earlier)
    return frozenset(i for i in range(len(parts)) if i not in useful)
