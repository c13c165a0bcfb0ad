"""How far a state is from the best goal: how much of what the rules ask for does not hold yet.

The net of the highest goal is read as what it says: of a conjunction, the unmet members are added up; of a
disjunction, the one that lacks least counts. That is the number of fluents that have another value than they should
have, if nothing else would change. A true estimate it is not; states that have more of the goal come first by it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.rows import Rows, unpack

MOST = 30_000
"""Stands for what cannot be met, and for all that is more."""


class Promise:
    """What is unmet of a net (a literal), for many states at once."""

    def __init__(self, game: Game, literal: int, most_gates: int) -> None:
        circuit = game.circuit
        self._fluents, self._first = circuit.n_fluents, circuit.n_inputs + 1
        wanted = np.flatnonzero(circuit.cone([literal])) if literal > 1 else np.empty(0, np.int64)
        self.useful = 0 < wanted.size <= most_gates or 1 < literal < 2 * self._first
        self._literal = literal
        self._gates = [(int(g) + self._first, circuit.gate(int(g) + self._first)) for g in wanted]
        read = circuit.support([literal]) if self.useful else np.empty(0, np.int64)
        self._read = read[read <= self._fluents]

    def __call__(self, states: Rows) -> NDArray[np.int64]:
        """Per state how much is unmet."""
        n = states.shape[0]
        if not self.useful:
            return np.zeros(n, np.int64)
        bits = unpack(states, self._fluents)
        # per node what it lacks to hold, and to fail
        lacks: dict[int, tuple[NDArray[np.int64], NDArray[np.int64]]] = {0: _constant(n)}
        for node in self._read.tolist():
            holds = bits[:, node - 1].astype(np.int64)
            lacks[node] = 1 - holds, holds
        for node, literals in self._gates:
            here = [_signed(lacks, int(x), n) for x in literals]
            together = np.minimum(np.sum([hold for hold, _ in here], axis=0), MOST)
            lacks[node] = together, np.min([fail for _, fail in here], axis=0)
        return _signed(lacks, self._literal, n)[0]


def _constant(n: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Of what always holds."""
    return np.zeros(n, np.int64), np.full(n, MOST, np.int64)


def _signed(
    lacks: dict[int, tuple[NDArray[np.int64], NDArray[np.int64]]], literal: int, n: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """What a literal lacks to hold, and to fail; an input that is no fluent (a move) lacks nothing."""
    hold, fail = lacks.get(literal >> 1, (np.zeros(n, np.int64),) * 2)
    return (fail, hold) if literal & 1 else (hold, fail)
