"""How often things occur in the same places: the product of two sparse tables, places x things each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

PAIRS = 1 << 17
"""Pairs that are counted at once: few enough to stay in the cache."""


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
    size = np.bincount(second.place, minlength=int(first.place[-1]) + 1)
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
    return counts
