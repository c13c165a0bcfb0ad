"""What can matter to what, as the wires of the circuit have it: no state is evaluated.

A variable can matter to another one if a next value of that one reads it, or reads a move of a role whose legal moves
read it. Anything else can make no difference, which saves trying.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.circuit import Circuit
from ludisect.kernels.kernel import jit

AT_ONCE = 64
"""Sources that are followed in one pass: a bit of a word each."""


@jit("(int64, int32[::1], int32[::1], uint64[::1])")
def _flow(n_inputs: Any, start: Any, literals: Any, marks: Any) -> None:
    """Give every gate the marks of what it reads."""
    for g in range(start.size - 1):
        word = np.uint64(0)
        for e in range(start[g], start[g + 1]):
            word |= marks[literals[e] >> 1]
        marks[n_inputs + 1 + g] = word


def affected(circuit: Circuit, sources: Sequence[Sequence[int]]) -> NDArray[np.bool_]:
    """Sources (sets of fluents) x fluents: whether what can become of the fluent can hang on the source.

    A role's move counts as one wire: if the legality of any of its moves hangs on the source, so may every fluent that
    reads some move of that role, because another set of moves may be what is left.
    """
    out = np.empty((len(sources), circuit.n_fluents), np.bool_)
    first_move = 1 + circuit.n_fluents
    for low in range(0, len(sources), AT_ONCE):
        some = sources[low : low + AT_ONCE]
        marks = np.zeros(circuit.n_inputs + 1 + circuit.gates, np.uint64)
        for k, fluents in enumerate(some):
            marks[[1 + f for f in fluents]] |= np.uint64(1) << np.uint64(k)
        _flow(circuit.n_inputs, circuit.start, circuit.literals, marks)
        for begin, end in circuit.roles.tolist():
            legal = circuit.legal[begin - first_move : end - first_move]
            marks[begin:end] = np.bitwise_or.reduce(marks[legal >> 1], initial=np.uint64(0))
        _flow(circuit.n_inputs, circuit.start, circuit.literals, marks)
        following = marks[circuit.next >> 1]
        for k in range(len(some)):
            out[low + k] = (following >> np.uint64(k)) & np.uint64(1)
    return out
