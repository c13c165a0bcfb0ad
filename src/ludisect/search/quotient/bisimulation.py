"""Partition refinement on arrays: the coarsest refinement in which equal states move alike."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.netlist import sort_prefix
from ludisect.circuit.rowtable import RowTable
from ludisect.kernels.kernel import jit
from ludisect.progress import report
from ludisect.search.budget import Budget

Ints = NDArray[np.int64]


@jit
def _gather(s: Any, start: Any, label: Any, to: Any, colour: Any, kinds: Any, buffer: Any) -> Any:
    """The distinct (label, colour of target) of a state, sorted, into ``buffer``; gives their number."""
    n = 0
    for e in range(start[s], start[s + 1]):
        buffer[n] = label[e] * kinds + colour[to[e]]
        n += 1
    sort_prefix(buffer, n)
    kept = 0
    for i in range(n):
        if kept == 0 or buffer[i] != buffer[kept - 1]:
            buffer[kept] = buffer[i]
            kept += 1
    return kept


@jit
def _longest(start: Any) -> Any:
    out = 1
    for s in range(start.size - 1):
        out = max(out, start[s + 1] - start[s])
    return out


@jit("(int64[::1], int64[::1], int32[::1], int64[::1], int64, uint64[:, ::1])")
def _signatures(start: Any, label: Any, to: Any, colour: Any, kinds: Any, out: Any) -> None:
    """Two hashes per state of its colour and its moves."""
    buffer = np.empty(_longest(start), np.int64)
    for s in range(start.size - 1):
        n = _gather(s, start, label, to, colour, kinds, buffer)
        # mixed before the moves come in, or else colour and move could change places
        a = (np.uint64(colour[s]) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        b = (np.uint64(colour[s]) + np.uint64(1)) * np.uint64(0xC2B2AE3D27D4EB4F)
        a ^= a >> np.uint64(32)
        b ^= b >> np.uint64(28)
        for i in range(n):
            x = np.uint64(buffer[i])
            a = (a ^ x) * np.uint64(0xBF58476D1CE4E5B9)
            a ^= a >> np.uint64(31)
            b = (b + x) * np.uint64(0x94D049BB133111EB)
            b ^= b >> np.uint64(29)
        out[s, 0] = a
        out[s, 1] = b


@jit("(int64[::1], int64[::1], int32[::1], int64[::1], int64, int64[::1])")
def _stable(start: Any, label: Any, to: Any, colour: Any, kinds: Any, first: Any) -> Any:
    """Whether every state has exactly the moves, up to colour, of the first state of its colour."""
    longest = _longest(start)
    mine, other = np.empty(longest, np.int64), np.empty(longest, np.int64)
    for s in range(start.size - 1):
        n = _gather(s, start, label, to, colour, kinds, mine)
        m = _gather(first[colour[s]], start, label, to, colour, kinds, other)
        if n != m:
            return False
        for i in range(n):
            if mine[i] != other[i]:
                return False
    return True


def coarsest(
    start: Ints, label: Ints, to: NDArray[np.int32], colour: Ints, *, budget: Budget | None = None
) -> tuple[Ints, Ints]:
    """(class of each state, first state of each class), classes numbered by their first states.

    Two states stay together if they have the same colour and for every label the same set of target classes. Hashes
    guide the refinement; that the result is stable is checked exactly.
    """
    budget, start = budget or Budget(), np.ascontiguousarray(start)
    _, colour = np.unique(colour, return_inverse=True)
    colour = colour.astype(np.int64)
    signature = np.empty((start.size - 1, 2), np.uint64)
    kinds = -1
    while True:
        table = RowTable(2)
        _signatures(start, label, to, colour, np.int64(colour.max() + 1), signature)
        new = table.add(signature).astype(np.int64)
        report("finding classes", len(table), signature.shape[0])
        budget.check(steps=20 * to.size + 200 * signature.shape[0])
        colour = new
        if len(table) == kinds:
            break
        kinds = len(table)
    _, first = np.unique(colour, return_index=True)
    if not _stable(start, label, to, colour, np.int64(kinds), first):
        raise ArithmeticError("two signatures share both hashes; the partition is not stable")
    return colour, first
