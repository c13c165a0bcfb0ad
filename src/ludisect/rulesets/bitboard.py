"""Bitboards for rectangular boards in compiled code: neighbours, flood fill, mirrors, Zobrist hashing.

Cell (row r, column c) of a board is bit ``r * stride + c`` of a machine word. The stride is one more than the number
of columns: the column in between stays empty, so that a shift by one never wraps into the next row, and results of
shifts are cut to the ``board`` (the word of all cells). Boards up to 62 bits fit.

Reference: Zobrist, *A new hashing method with application for game playing* (1970).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ludisect.kernels.kernel import jit

BITS = 62
"""Bits of a word that may be used; none of them is the sign."""

_UNIT = np.int64(1)
_NONE = np.int64(0)


def fits(rows: int, cols: int) -> bool:
    """Whether a board can be kept in one word."""
    return rows * (cols + 1) <= BITS


def word(cols: int, cells: str, wanted: str) -> int:
    """The word of the cells that hold one of the letters ``wanted``."""
    places = ((divmod(i, cols)) for i, x in enumerate(cells) if x in wanted)
    return sum(1 << r * (cols + 1) + c for r, c in places)


def zobrist(kinds: int, seed: int = 1970) -> NDArray[np.int64]:
    """A random word for every kind of content and every bit."""
    return np.random.default_rng(seed).integers(1, 1 << 62, size=(kinds, 64), dtype=np.int64)


@jit("int64(int64)", inner=True)
def count(x):  # type: ignore[no-untyped-def]
    """How many bits are set."""
    x = x - ((x >> 1) & 0x5555555555555555)
    x = (x & 0x3333333333333333) + ((x >> 2) & 0x3333333333333333)
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0F
    x = x + (x >> 8)
    x = x + (x >> 16)
    return (x + (x >> 32)) & 127


@jit("int64(int64, int64)", inner=True)
def across(cells, stride):  # type: ignore[no-untyped-def]
    """What shares an edge with one of the cells (and maybe more beyond the board)."""
    return (cells << 1) | (cells >> 1) | (cells << stride) | (cells >> stride)


@jit("int64(int64, int64)", inner=True)
def around(cells, stride):  # type: ignore[no-untyped-def]
    """What shares an edge or a corner with one of the cells (and maybe more beyond the board)."""
    row = cells | (cells << 1) | (cells >> 1)
    return (row & ~cells) | (row << stride) | (row >> stride)


@jit("int64(int64, int64, int64, int64)", inner=True)
def filled(start, region, stride, corners):  # type: ignore[no-untyped-def]
    """Flood fill: what is connected to ``start`` within ``region`` by edges, or also by corners."""
    while True:
        grown = start | ((around(start, stride) if corners else across(start, stride)) & region)
        if grown == start:
            return start
        start = grown


@jit("int64(int64, int64, int64)", inner=True)
def upside_down(cells, rows, cols):  # type: ignore[no-untyped-def]
    """The rows in reverse order."""
    stride = cols + 1
    row = (_UNIT << cols) - 1
    out = _NONE
    for _ in range(rows):
        out = (out << stride) | (cells & row)
        cells >>= stride
    return out


@jit("int64(int64, int64, int64)", inner=True)
def reflected(cells, rows, cols):  # type: ignore[no-untyped-def]
    """Every row reversed: the board turned by half, and then its rows in order again."""
    turned = _NONE
    for _ in range(rows * (cols + 1) - 1):
        turned = (turned << 1) | (cells & 1)
        cells >>= 1
    return upside_down(turned, rows, cols)


@jit("int64(int64, int64, int64)", inner=True)
def transposed(cells, rows, cols):  # type: ignore[no-untyped-def]
    """Rows and columns exchanged; the stride of the image is ``rows + 1``."""
    out = _NONE
    while cells:
        bit = cells & -cells
        cells ^= bit
        place = count(bit - 1)
        out |= _UNIT << ((place % (cols + 1)) * (rows + 1) + place // (cols + 1))
    return out


@jit("int64(int64[:, ::1], int64, int64)")
def toggled(keys, kind, cells):  # type: ignore[no-untyped-def]
    """The change of a Zobrist hash when ``kind`` appears on, or vanishes from, all of the cells."""
    out = _NONE
    while cells:
        bit = cells & -cells
        cells ^= bit
        out ^= keys[kind, count(bit - 1)]
    return out
