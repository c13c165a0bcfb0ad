"""The kernels over rows of states in numpy: they run before machine code is there, and tests compare them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

QUICK = 100_000
"""Microseconds that a call may take here, by a rough count, before it waits for machine code instead."""


FEW_WORDS = 100_000
"""Words of rows that are few for what numpy does with all of them at once."""


def evaluate(
    rows: Any, n_bits: int, joint: Any, n_roles: int, first_move: int, n_moves: int, values: Any, runs: Any, index: Any,
    base: int, outputs: Any, out: Any,
) -> None:  # fmt: skip
    """``rows._evaluate``: gate by gate, all rows at once, a bit each."""
    n = rows.shape[0]
    nodes = np.zeros((values.size // 8, -(-n // 64)), np.uint64)
    nodes[0] = ~np.uint64(0)
    nodes[1 : 1 + n_bits] = _packed(_bits(rows, n_bits).T)
    for r in range(n_roles):
        lane = np.arange(n)
        bit = np.uint64(1) << (lane & 63).astype(np.uint64)
        np.bitwise_or.at(nodes, (joint[:, r], lane >> 6), bit)
    at, node = 0, base
    for plain, inverted, count in runs.reshape(-1, 3).tolist():
        width = plain + inverted
        for gate in index[at : at + width * count].reshape(count, width).tolist():
            value = nodes[gate[0]] if plain else ~nodes[gate[0]]
            for edge in gate[1:plain]:
                value = value & nodes[edge]
            for edge in gate[max(plain, 1) :]:
                value = value & ~nodes[edge]
            nodes[node] = value
            node += 1
        at += width * count
    found = nodes[outputs >> 1] ^ np.where(outputs & 1, ~np.uint64(0), np.uint64(0))[:, None]
    out[:] = _packed(_bits(found, n).T)[:, : out.shape[1]] if outputs.size else 0


def quick_to_evaluate(*args: Any) -> bool:
    """Whether ``evaluate`` takes no longer than a moment."""
    rows, n_bits, index, outputs = args[0], args[1], args[8], args[10]
    return bool(2 * index.size * (1 + rows.shape[0] / 4096) + rows.shape[0] * (n_bits + outputs.size) / 50 < QUICK)


def few_words(rows: Any, *args: Any) -> bool:
    """Whether the other twins take no longer than a moment."""
    return bool(rows.size < FEW_WORDS)


def _bits(words: NDArray[np.uint64], n: int) -> NDArray[np.uint8]:
    """Rows of words as a matrix of bits."""
    return np.unpackbits(np.ascontiguousarray(words).view(np.uint8), axis=1, count=n, bitorder="little")


def _packed(bits: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """A matrix of bits as rows of words."""
    packed = np.packbits(bits, axis=1, bitorder="little")
    padded = np.zeros((bits.shape[0], 8 * max(1, -(-bits.shape[1] // 64))), np.uint8)
    padded[:, : packed.shape[1]] = packed
    return padded.view(np.uint64)


def set_bits(rows: Any, low: int, high: int, row: Any, column: Any) -> int:
    """``rows._set_bits``."""
    where = np.nonzero(_bits(rows, high)[:, low:])
    if row.size:
        row[:], column[:] = where
    return len(where[0])


def unique_rows(table: Any) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """``record._unique_rows``: by sorting, then numbered in the order of their first rows."""
    if not table.size:
        none = np.zeros(len(table), np.int64)
        return none[:1].copy(), none
    words = np.ascontiguousarray(table).view(np.dtype((np.void, 8 * table.shape[1]))).ravel()
    _, first, group = np.unique(words, return_index=True, return_inverse=True)
    rank = np.empty(first.size, np.int64)
    rank[np.argsort(first)] = np.arange(first.size)
    return np.sort(first).astype(np.int64), rank[group]


def mixed(x: Any) -> Any:
    """The bits of words well mixed (the steps are those of splitmix64)."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def fingerprints(rows: Any, salt: Any, out: Any) -> None:
    """``record._fingerprints``."""
    out[:] = mixed(rows ^ salt).sum(axis=1, dtype=np.uint64)


def choose(legal: Any, first_move: Any, random: Any, joint: Any, stuck: Any) -> None:
    """``record._choose``."""
    stuck[:] = False
    bits = _bits(legal, int(first_move[-1]))
    for r, (low, high) in enumerate(zip(first_move[:-1].tolist(), first_move[1:].tolist(), strict=True)):
        passed = bits[:, low:high].cumsum(axis=1, dtype=np.int64)
        count = passed[:, -1] if high > low else np.zeros(len(legal), np.int64)
        drawn = (random[:, r] * count).astype(np.int64)
        joint[:, r] = (passed > drawn[:, None]).argmax(axis=1) if high > low else 0
        stuck |= count == 0
