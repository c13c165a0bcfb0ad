"""A growing hash table that numbers rows of words in the order in which they are first seen."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.rows import Rows
from ludisect.kernels.kernel import jit

TOUCHED = 128
"""Rows whose places are read ahead."""


SLICE = 1 << 20
"""Rows that are entered anew by one call, a fraction of a second: between two calls Ctrl-C is heard."""


@jit(inline=True)
def _hash(rows: Any, i: Any) -> Any:
    h = np.uint64(0x9E3779B97F4A7C15)
    for w in range(rows.shape[1]):
        h = (h ^ rows[i, w]) * np.uint64(0xBF58476D1CE4E5B9)
        h ^= h >> np.uint64(29)
    return h * np.uint64(0x94D049BB133111EB)


@jit(inline=True)  # a call costs more than the work: see benchmarks/rowtable.py
def slot_of(slots: Any, known: Any, rows: Any, i: Any) -> Any:
    """Where row i is in the table, or the slot where it belongs. Slots hold numbers of known rows, -1 if empty."""
    mask = slots.size - 1
    slot = np.int64((_hash(rows, i) >> np.uint64(16)) & np.uint64(mask))
    while True:
        at = slots[slot]
        if at < 0:
            return slot
        same = True
        for w in range(rows.shape[1]):
            if known[at, w] != rows[i, w]:
                same = False
                break
        if same:
            return slot
        slot = (slot + 1) & mask


@jit
def _touch(slots: Any, known: Any, rows: Any, low: Any, high: Any, cache: Any) -> None:
    """Read what some rows will need, each read apart from the others, so that the memory answers many at a time."""
    mask = slots.size - 1
    for i in range(low, high):
        cache[i - low] = slots[np.int64((_hash(rows, i) >> np.uint64(16)) & np.uint64(mask))]
    for i in range(low, high):
        cache[i - low] = np.int64(known[max(cache[i - low], 0), 0])


@jit("(int32[::1], uint64[:, ::1], int64, uint64[:, ::1], int32[::1])")
def _insert(slots: Any, known: Any, count: Any, rows: Any, out: Any) -> Any:
    """Number the rows; ``known`` has room for all of them. Gives the new count."""
    cache = np.empty(TOUCHED, np.int64)
    for low in range(0, rows.shape[0], TOUCHED):
        high = min(rows.shape[0], low + TOUCHED)
        _touch(slots, known, rows, low, high, cache)
        for i in range(low, high):
            slot = slot_of(slots, known, rows, i)
            if slots[slot] < 0:
                slots[slot] = count
                known[count] = rows[i]
                count += 1
            out[i] = slots[slot]
    return count


@jit("(int32[::1], uint64[:, ::1], uint64[:, ::1], int32[::1])")
def _find(slots: Any, known: Any, rows: Any, out: Any) -> None:
    cache = np.empty(TOUCHED, np.int64)
    for low in range(0, rows.shape[0], TOUCHED):
        high = min(rows.shape[0], low + TOUCHED)
        _touch(slots, known, rows, low, high, cache)
        for i in range(low, high):
            out[i] = slots[slot_of(slots, known, rows, i)]


@jit("(int32[::1], uint64[:, ::1], int64, int64)")
def _rehash(slots: Any, known: Any, low: Any, high: Any) -> None:
    for i in range(low, high):
        slots[slot_of(slots, known, known, i)] = i


class RowTable:
    """Distinct rows, numbered from 0. ``add`` numbers new ones, ``find`` gives -1 for unknown ones."""

    def __init__(self, words: int) -> None:
        self._known: Rows = np.empty((1024, words), np.uint64)
        self._slots = np.full(4096, -1, np.int32)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def rows(self) -> Rows:
        """All rows by number (a view: it ends where the table ended when it was asked for)."""
        return self._known[: self._count]

    @property
    def nbytes(self) -> int:
        """What the table occupies."""
        return int(self._known.nbytes + self._slots.nbytes)

    def add(self, rows: Rows) -> NDArray[np.int32]:
        """The number of each row; rows not seen before get the next ones."""
        need = self._count + rows.shape[0]
        if need > self._known.shape[0]:
            size = max(need, 2 * self._known.shape[0])
            grown = np.empty((size, self._known.shape[1]), np.uint64)
            grown[: self._count] = self.rows
            self._known = grown
        if 2 * need > self._slots.size:
            size = self._slots.size
            while size < 2 * need:
                size *= 2
            slots = np.full(size, -1, np.int32)
            for low in range(0, self._count, SLICE):
                _rehash(slots, self._known, low, min(self._count, low + SLICE))
            self._slots = slots
        out = np.empty(rows.shape[0], np.int32)
        self._count = int(_insert(self._slots, self._known, self._count, np.ascontiguousarray(rows), out))
        return out

    def find(self, rows: Rows) -> NDArray[np.int32]:
        """The number of each row, or -1."""
        out = np.empty(rows.shape[0], np.int32)
        _find(self._slots, self._known, np.ascontiguousarray(rows), out)
        return out
