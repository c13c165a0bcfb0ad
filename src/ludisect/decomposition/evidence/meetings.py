"""How often things occur in the same places: the product of two sparse tables, places x things each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

CROWDED = 32
"""Where one pair of things in so many meets, the place can be counted as a row of a full matrix, which is that much
quicker per pair;"""

MANY = 1 << 25
"""but only if so many pairs are saved: threads of matrix products get in each other's way on a busy machine."""

ROWS = 1024
"""Rows of a full matrix at once,"""

PAIRS = 1 << 17
"""or pairs: few enough to stay in the cache."""


@dataclass(frozen=True, slots=True, eq=False)
class Occurrences:
    """Thing ``thing[k]`` of 0..n-1 occurs in place ``place[k]``; places ascend, and no occurrence is listed twice."""

    place: NDArray[np.int64]
    thing: NDArray[np.int64]
    n: int


def meetings(first: Occurrences, second: Occurrences) -> NDArray[np.int64]:
    """Per pair of a thing of the first table and one of the second: in how many places both are."""
    counts = np.zeros((first.n, second.n), np.int64)
    if not len(first.place) or not len(second.place):
        return counts
    last = int(max(first.place[-1], second.place[-1]))
    sizes = [np.bincount(table.place, minlength=last + 1) for table in (first, second)]
    pairs = sizes[0] * sizes[1]
    crowded = pairs * CROWDED > counts.size
    crowded &= pairs[crowded].sum() > MANY
    _add_rows(counts, first, second, np.flatnonzero(crowded))
    _add_pairs(counts, first, second, np.where(crowded, 0, sizes[1]))
    return counts


def _add_rows(counts: NDArray[np.int64], first: Occurrences, second: Occurrences, places: NDArray[np.int64]) -> None:
    """Count in some places, as products of full matrices."""
    for low in range(0, len(places), ROWS):
        some = places[low : low + ROWS]
        full = []
        for table in (first, second):
            row = np.searchsorted(some, table.place)
            mine = some[np.minimum(row, len(some) - 1)] == table.place
            full.append(np.zeros((len(some), table.n), np.float32))  # exact: no sum exceeds the number of rows
            full[-1][row[mine], table.thing[mine]] = 1
        counts += (full[0].T @ full[1]).astype(np.int64)


def _add_pairs(counts: NDArray[np.int64], first: Occurrences, second: Occurrences, size: NDArray[np.int64]) -> None:
    """Count pair by pair, given how many things of the second table count in each place."""
    begin = np.searchsorted(second.place, np.arange(len(size)))
    size = size[first.place]
    pairs = np.concatenate([[0], np.cumsum(size)])  # before each occurrence of the first table
    cuts = np.unique([*np.searchsorted(pairs, np.arange(0, pairs[-1], PAIRS)), len(size)])
    for low, high in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True):
        often = size[low:high]
        left = np.repeat(first.thing[low:high] * second.n, often)
        # the things of the second table in that place, one after the other
        offset = np.repeat(begin[first.place[low:high]] - (pairs[low:high] - pairs[low]), often)
        right = second.thing[offset + np.arange(len(left))]
        np.add.at(counts.reshape(-1), left + right, 1)
