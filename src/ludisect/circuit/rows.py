"""Many states through one program: packed rows -> lanes -> gates -> packed rows.

A row holds one state, 64 fluents to the word (bit i of the row is input i). Lanes want the transpose: one vector per
fluent with a bit per state. The kernel takes 512 rows at a time, transposes 64 x 64 blocks, runs the gates and
transposes the asked nets back.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit import twins
from ludisect.circuit.lanekernel import run_gates
from ludisect.circuit.program import Program
from ludisect.circuit.vector import LANES, WORDS, aligned
from ludisect.effort import spend
from ludisect.kernels.kernel import jit

Rows = NDArray[np.uint64]


def any_column(table: NDArray[Any]) -> NDArray[np.bool_]:
    """Per row whether some column holds something; a column at a time, for numpy takes long for rows of few columns."""
    return np.asarray(np.ascontiguousarray(table.T).any(axis=0))


def row_words(bits: int) -> int:
    """Words that a row of that many bits takes (at least one, so that empty games have rows too)."""
    return max(1, -(-bits // 64))


@jit
def transpose64(block: Any) -> None:
    """Transpose a 64 x 64 bit matrix in place: six rounds of swapping ever smaller squares."""
    mask = np.uint64(0x00000000FFFFFFFF)
    shift = np.uint64(32)
    width = 32
    while width > 0:
        k = 0
        while k < 64:
            for i in range(k, k + width):
                t = ((block[i] >> shift) ^ block[i + width]) & mask
                block[i] ^= t << shift
                block[i + width] ^= t
            k += 2 * width
        width >>= 1
        shift >>= np.uint64(1)
        mask ^= mask << np.uint64(width) if width > 0 else np.uint64(0)


@jit(
    "(const uint64[:, ::1], int64, int32[:, ::1], int64, int64, int64, int64[::1], int32[::1], int32[::1], int64, "
    "int32[::1], uint64[:, ::1])",
    twin=twins.evaluate,
    small=twins.quick_to_evaluate,
)
def _evaluate(
    rows: Any, n_bits: Any, joint: Any, n_roles: Any, first_move: Any, n_moves: Any, values: Any, runs: Any, index: Any,
    base: Any, outputs: Any, out: Any,
) -> None:  # fmt: skip
    words = values.view(np.uint64)
    block = np.empty(64, np.uint64)
    n = rows.shape[0]
    n_out = outputs.size
    for begin in range(0, n, 512):
        count = min(512, n - begin)
        for w in range(8):
            low = begin + 64 * w
            here = min(64, max(0, n - low))
            for column in range(0, n_bits, 64):
                for i in range(here):
                    block[i] = rows[low + i, column >> 6]
                block[here:] = np.uint64(0)
                transpose64(block)
                for b in range(min(64, n_bits - column)):
                    words[(1 + column + b) * 8 + w] = block[b]
        if n_roles > 0:
            words[first_move * 8 : (first_move + n_moves) * 8] = np.uint64(0)
            for i in range(count):
                for r in range(n_roles):
                    words[joint[begin + i, r] * 8 + (i >> 6)] |= np.uint64(1) << np.uint64(i & 63)
        run_gates(values, runs, 0, runs.size // 3, index, 0, base)
        for w in range(8):
            low = begin + 64 * w
            here = min(64, max(0, n - low))
            if here == 0:
                break
            for column in range(0, n_out, 64):
                width = min(64, n_out - column)
                for b in range(width):
                    literal = outputs[column + b]
                    word = words[(literal >> 1) * 8 + w]
                    block[b] = ~word if (literal & 1) != 0 else word
                block[width:] = np.uint64(0)
                transpose64(block)
                for i in range(here):
                    out[low + i, column >> 6] = block[i]


_NO_MOVES = np.empty((0, 0), np.int32)

CALL, EDGE, COLUMN = 30_000, 2, 100
"""Steps (see ``effort``) that a call counts, and in every block of 512 states each input of a gate and each fluent that
is read in or net that is given back. Measured by themselves on five games from tictactoe to checkers: 10 to 20 µs, 1.2
to 2.1 ns, 25 to 40 ns; with what is done to the rows before and after, on twelve games: 34 µs, 2.7 ns, 58 ns, and up to
200 ns a column where dependencies are looked for."""


class Evaluator:
    """One program of a circuit, ready for rows. Keeps its lane memory, so it must not be shared between threads."""

    def __init__(
        self, program: Program, outputs: NDArray[np.int32], n_fluents: int, n_moves: int, n_nodes: int
    ) -> None:
        self.program, self.outputs = program, outputs
        self.n_fluents, self.n_moves = n_fluents, n_moves
        self.values = aligned(n_nodes)
        self.values[:WORDS] = -1
        self._steps = EDGE * program.index.size + COLUMN * (n_fluents + outputs.size)

    def run(self, rows: Rows, joint: NDArray[np.int32] | None = None) -> Rows:
        """The outputs as packed rows. ``joint`` holds the input nodes of each row's moves, one column per role."""
        spend(CALL + -(-rows.shape[0] // LANES) * self._steps)
        out = np.zeros((rows.shape[0], row_words(self.outputs.size)), np.uint64)
        moves = _NO_MOVES if joint is None else np.ascontiguousarray(joint, np.int32)
        _evaluate(
            np.ascontiguousarray(rows), self.n_fluents, moves, moves.shape[1], 1 + self.n_fluents, self.n_moves,
            self.values, self.program.runs.ravel(), self.program.index, self.program.base, self.outputs, out,
        )  # fmt: skip
        return out


def unpack(rows: Rows, bits: int) -> NDArray[np.bool_]:
    """Packed rows as a boolean matrix."""
    flat = np.unpackbits(np.ascontiguousarray(rows).view(np.uint8), axis=1, bitorder="little")
    return flat[:, :bits].astype(np.bool_)


def mask_of(inputs: Iterable[int], bits: int) -> Rows:
    """One row of that many bits, those of these inputs set."""
    out = np.zeros(row_words(bits), np.uint64)
    for i in inputs:
        out[i >> 6] |= np.uint64(1) << np.uint64(i & 63)
    return out


def pack(bits: NDArray[np.bool_]) -> Rows:
    """A boolean matrix as packed rows."""
    width = 64 * row_words(bits.shape[1])
    padded = np.zeros((bits.shape[0], width), np.bool_)
    padded[:, : bits.shape[1]] = bits
    return np.packbits(padded, axis=1, bitorder="little").view(np.uint64)


@jit("(uint64[:, ::1], int64, int64, int64[::1], int64[::1])", twin=twins.set_bits, small=twins.few_words)
def _set_bits(rows: Any, low: Any, high: Any, row: Any, column: Any) -> Any:
    """List the set bits; with nothing to write to, only count them."""
    n = 0
    for i in range(rows.shape[0]):
        for w in range(low >> 6, (high + 63) >> 6):
            word = rows[i, w]
            bit = 64 * w
            while word != 0:
                while word & np.uint64(0xFF) == 0:
                    word >>= np.uint64(8)
                    bit += 8
                if word & np.uint64(1) != 0 and bit >= low and bit < high:
                    if row.size > 0:
                        row[n], column[n] = i, bit - low
                    n += 1
                word >>= np.uint64(1)
                bit += 1
    return n


def set_bits(rows: Rows, low: int, high: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Row and column of every set bit in columns low..high (counted from low), row by row: ``np.nonzero`` of packed
    rows, at the price of the words and not of the bits."""
    rows, none = np.ascontiguousarray(rows), np.empty(0, np.int64)
    n = _set_bits(rows, low, high, none, none)
    row, column = np.empty(n, np.int64), np.empty(n, np.int64)
    if n:
        _set_bits(rows, low, high, row, column)
    return row, column


__all__ = ["LANES", "Evaluator", "Rows", "mask_of", "pack", "row_words", "set_bits", "unpack"]
