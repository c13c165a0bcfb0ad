"""What a small table of a score allows: the finest partitions of its parts over which it is a sum.

A table tells, for every choice between two values of a few parts, whether a score is reached. It is a sum over a
partition if no two choices that reach it can swap blocks so that neither does.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

Blocks = tuple[tuple[int, ...], ...]


@lru_cache(maxsize=4096)
def options(table: tuple[int, ...]) -> tuple[Blocks, ...]:
    """The finest partitions of 0..k-1 over which a table of 2**k entries (1, 0, or -1 for unknown) is a sum."""
    k = len(table).bit_length() - 1
    fine: list[Blocks] = []
    for blocks in sorted(_partitions(k), key=len, reverse=True):
        if not any(_refines(known, blocks) for known in fine) and _is_sum(table, blocks):
            fine.append(blocks)
    return tuple(fine)


def satisfied(option: Blocks, block_of: tuple[int, ...]) -> bool:
    """Whether a partition, given as the block of each part, keeps every block of an option together."""
    return all(len({block_of[p] for p in block}) == 1 for block in option)


def _is_sum(table: tuple[int, ...], blocks: Blocks) -> bool:
    value = np.array(table)
    reached = np.flatnonzero(value == 1)
    x, y = reached[:, None], reached[None, :]
    for union in range(1, 1 << (len(blocks) - 1)):  # the last block may stay where it is
        mask = sum(1 << p for i, block in enumerate(blocks) if union >> i & 1 for p in block)
        one, other = value[(x & ~mask) | (y & mask)], value[(y & ~mask) | (x & mask)]
        if ((one == 0) & (other == 0)).any():
            return False
    return True


def _refines(fine: Blocks, coarse: Blocks) -> bool:
    return all(any(set(a) <= set(b) for b in coarse) for a in fine)


@lru_cache(maxsize=8)
def _partitions(k: int) -> tuple[Blocks, ...]:
    """All partitions of 0..k-1."""
    if k == 0:
        return ((),)
    out: list[Blocks] = []
    for blocks in _partitions(k - 1):
        out.append((*blocks, (k - 1,)))
        out += [(*blocks[:i], (*blocks[i], k - 1), *blocks[i + 1 :]) for i in range(len(blocks))]
    return tuple(out)
