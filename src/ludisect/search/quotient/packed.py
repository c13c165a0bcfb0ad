"""Positions of a product packed into words: where each part's class is, equal positions made one, moves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.rows import Rows
from ludisect.kernels.kernel import jit

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Where the class of each part and the time are in a packed position."""

    word: Ints
    shift: Ints
    bits: Ints

    @staticmethod
    def of(sizes: list[int]) -> Layout:
        """Fields for numbers below the given sizes, none across a border of words."""
        word, shift, used, at = [], [], 0, 0
        bits = [max(1, (n - 1).bit_length()) for n in sizes]
        for width in bits:
            if used + width > 64:
                at, used = at + 1, 0
            word.append(at)
            shift.append(used)
            used += width
        return Layout(np.array(word, np.int64), np.array(shift, np.int64), np.array(bits, np.int64))

    @property
    def words(self) -> int:
        """Words of a packed position."""
        return int(self.word[-1]) + 1

    def unpack(self, codes: Rows) -> Ints:
        """Positions x fields."""
        mask = (np.uint64(1) << self.bits.astype(np.uint64)) - np.uint64(1)
        return ((codes[:, self.word] >> self.shift.astype(np.uint64)) & mask).astype(np.int64, order="C")

    def pack(self, fields: Ints) -> Rows:
        """Fields -> packed positions."""
        out = np.zeros((fields.shape[0], self.words), np.uint64)
        for i in range(self.word.size):
            out[:, self.word[i]] |= fields[:, i].astype(np.uint64) << np.uint64(self.shift[i])
        return out


@jit
def sort_row(fields: Any, groups: Any) -> None:
    """Sort the classes of exchangeable parts; ``groups[j]`` is the part before j in j's group, or -1."""
    for j in range(groups.size):
        at = j
        while groups[at] >= 0 and fields[groups[at]] > fields[at]:
            before = groups[at]
            fields[before], fields[at] = fields[at], fields[before]
            at = before


@jit("(int64[:, ::1], int64[::1])")
def sort_groups(fields: Any, groups: Any) -> None:
    """The same for many positions."""
    for s in range(fields.shape[0]):
        sort_row(fields[s], groups)


@jit(
    "(int64[:, ::1], boolean[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[:, ::1], int64[::1], "
    "int64[::1], int64[::1], int64[::1])"
)
def successors(
    fields: Any, skip: Any, colour: Any, following: Any, start: Any, to: Any, pass_to: Any, idle: Any, groups: Any,
    word: Any, shift: Any,
) -> Any:  # fmt: skip
    """Distinct successors of positions: (number per position, packed successors)."""
    n, k = fields.shape[0], fields.shape[1] - 1
    colours = pass_to.shape[1]
    most = 0
    for s in range(n):
        if not skip[s]:
            most += 1
            for i in range(k):
                at = fields[s, i] * colours + colour[fields[s, k]]
                most += start[at + 1] - start[at]
    words = word[k] + 1
    out = np.empty((most, words), np.uint64)
    degree = np.zeros(n, np.int64)
    rest = np.empty(k, np.int64)  # where the parts go that nobody moves in
    after = np.empty(k + 1, np.int64)
    e = 0
    for s in range(n):
        if skip[s]:
            continue
        t = fields[s, k]
        c = colour[t]
        begin = e
        for j in range(k):
            rest[j] = pass_to[fields[s, j], c]
        for i in range(k + 1):
            if i == k:
                low, high = 0, 1 if idle[t] == 1 or (idle[t] == 2 and e == begin) else 0
            elif groups[i] >= 0 and fields[s, groups[i]] == fields[s, i]:
                continue  # the same moves again
            else:
                at = fields[s, i] * colours + c
                low, high = start[at], start[at + 1]
            for a in range(low, high):
                after[:k] = rest
                after[k] = following[t]
                if i < k:
                    after[i] = to[a]
                sort_row(after, groups)
                for w in range(words):
                    out[e, w] = 0
                for j in range(k + 1):
                    out[e, word[j]] |= np.uint64(after[j]) << np.uint64(shift[j])
                seen = False
                for f in range(begin, e):
                    seen = True
                    for w in range(words):
                        if out[f, w] != out[e, w]:
                            seen = False
                            break
                    if seen:
                        break
                if not seen:
                    e += 1
        degree[s] = e - begin
    return degree, out[:e]


@jit("(int64[::1], int32[::1], boolean[::1])")
def distinct_edges(degree: Any, successor: Any, keep: Any) -> None:
    """Mark the first edge of each position to each successor."""
    e = 0
    for s in range(degree.size):
        low, high = e, e + degree[s]
        for a in range(low, high):
            keep[a] = True
            for b in range(low, a):
                if successor[b] == successor[a]:
                    keep[a] = False
                    break
        e = high
