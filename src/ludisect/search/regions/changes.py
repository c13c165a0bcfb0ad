"""What a move does where its guard holds: for each fact whether it is set, cleared or kept, for all states.

The move and the guard are put into the circuit, and one pass over the gates finds every ``next`` that they decide: it
is true, false, or the fact itself. Where one is still open, the guard is split on a fact that it reads, and the pass
is made again for both halves.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.circuit import Circuit
from ludisect.circuit.netlist import FALSE, TRUE
from ludisect.kernels.kernel import jit
from ludisect.search.regions.cubes import Cube

Change = tuple[Cube, int, int]
"""A guard, the facts that it sets, and those that it clears."""


@jit("(int64, int32[::1], int32[::1], int32[::1])")
def _spread(first: Any, start: Any, literals: Any, value: Any) -> None:
    """Per gate: the literal that it is equal to, given those of the inputs; its own if it is none of them."""
    for g in range(start.size - 1):
        one = -1
        many = False
        false = False
        for e in range(start[g], start[g + 1]):
            x = value[literals[e] >> 1] ^ (literals[e] & 1)
            if x == 0 or x == one:
                continue
            if x == 1 or x == one ^ 1:
                false = True
                break
            if one < 0:
                one = x
            else:
                many = True
        if false:
            value[first + g] = 1
        elif one < 0:
            value[first + g] = 0
        else:
            value[first + g] = 2 * (first + g) if many else one


class Changes:
    """What the moves of one turn do to the facts marked in ``board``, in the circuit of that turn."""

    def __init__(self, circuit: Circuit, board: NDArray[np.int64]) -> None:
        self._circuit, self._board = circuit, board
        nodes = np.arange(circuit.n_inputs + circuit.start.size, dtype=np.int32)
        self._free = (2 * nodes).astype(np.int32)
        known = circuit.input_value
        self._free[: known.size][known == 1] = TRUE
        self._free[: known.size][known == 0] = FALSE

    def of(self, role: int, move: int, guard: Cube) -> Iterator[Change]:
        """The changes that a move (its input node) makes, by guards inside the given one that do not overlap."""
        inputs = self._free.copy()
        low, high = self._circuit.roles[role].tolist()
        inputs[low:high] = FALSE
        inputs[move] = TRUE
        todo = [guard]
        while todo:
            cube = todo.pop()
            value = inputs.copy()
            value[[1 + f for f in bits(cube[0])]] = TRUE
            value[[1 + f for f in bits(cube[1])]] = FALSE
            _spread(self._circuit.n_inputs + 1, self._circuit.start, self._circuit.literals, value)
            following = self._circuit.next[self._board]
            after = value[following >> 1] ^ (following & 1)
            now = value[1 + self._board]
            undecided = np.flatnonzero((after > FALSE) & (after != now))
            if undecided.size:
                own = 1 + int(self._board[undecided[0]])
                bit = 1 << (self._read(value, int(after[undecided[0]]) >> 1, own) - 1)
                todo += [(cube[0], cube[1] | bit), (cube[0] | bit, cube[1])]
                continue
            # what the guard says already is no change
            yield (
                cube,
                mask(self._board[(after == TRUE) & (now != TRUE)]),
                mask(self._board[(after == FALSE) & (now != FALSE)]),
            )

    def _read(self, value: NDArray[np.int32], node: int, own: int) -> int:
        """A fluent (its node) that an open net reads, given what the others are; not its ``own`` if there is another.

        Once the others say that a fact stays as it is, nobody need ask what it is: that saves operators.
        """
        while node > self._circuit.n_fluents:
            below = [int(value[one >> 1]) >> 1 for one in self._circuit.gate(node).tolist()]
            node = next((one for one in below if one not in (0, own)), own)
        return node


def bits(word: int) -> Iterator[int]:
    """The places of the bits that are set, lowest first."""
    while word:
        low = word & -word
        yield low.bit_length() - 1
        word ^= low


def mask(places: NDArray[np.int64]) -> int:
    """The word with these bits set."""
    return sum(1 << f for f in places.tolist())
