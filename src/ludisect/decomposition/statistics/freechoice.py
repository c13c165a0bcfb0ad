"""Free choice, sampled: parts whose outcomes a role cannot choose singly belong together (Def. 1, 2).

In a state, each legal move of a role has an outcome in every part. An outcome is free if some move has it and leaves
the other parts alone, or if it goes with whatever any other move does to the other parts. "Alone" means that a part
stays as it is or, where no move lets it, that what becomes of it is what an idle move (one that no rule of next
mentions) or else a majority of the moves makes of it.

With several roles "alone" is not enough for an outcome that some move combines with others: two moves, with an
opponent's between them, are not what one move does.

Overlaps between meta-actions are left alone when parts are formed, because that is what separates compound moves; moves
that only look compound (a peg that jumps over another changes three holes) are what this test joins again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.numbergroups import join
from ludisect.decomposition.evidence.sample import Sample
from ludisect.decomposition.model.blocks import merge
from ludisect.decomposition.statistics.tally import literals_of
from ludisect.kernels.kernel import jit


def join_unfree(
    sample: Sample, parts: Sequence[Sequence[int]], idle: NDArray[np.bool_] | None = None
) -> list[list[int]]:
    """Blocks of indices of parts, joined until every outcome is free. ``idle`` marks columns of ``Game.legal``."""
    if len(parts) < 2 or not len(sample.pair_state):
        return [[i] for i in range(len(parts))]
    key = sample.pair_state * sample.n_roles + sample.pair_role
    order = np.argsort(key, kind="stable")
    key, before, after = key[order], sample.states[sample.pair_state[order]], sample.pair_next[order]
    column = (sample.game.batch.first_move[sample.pair_role] + sample.pair_move)[order]
    rests = np.zeros(len(column), np.bool_) if idle is None else idle[column]
    code = np.random.default_rng(7).integers(1, 1 << 63, 64 * before.shape[1], np.uint64)
    blocks = [[i] for i in range(len(parts))]
    while True:
        part_of = np.full(64 * before.shape[1], -1, np.int64)
        for n, block in enumerate(blocks):
            for i in block:
                part_of[list(parts[i])] = n
        joined = np.arange(len(blocks))
        if not _join(key, before, after, part_of, code, rests, sample.n_roles > 1, joined):
            return blocks
        ties = [[n, int(j)] for n, j in enumerate(joined)]
        blocks = [sorted(i for n in group for i in blocks[n]) for group in merge(ties, len(blocks))]


@jit
def _mixed(part: Any, outcome: Any) -> Any:
    """A random-looking word for an outcome of a part; 0 for the outcome 0, which stands for doing nothing there."""
    if outcome == 0:
        return np.uint64(0)
    h = (outcome ^ np.uint64(part) * np.uint64(0x9E3779B97F4A7C15)) * np.uint64(0xBF58476D1CE4E5B9)
    h ^= h >> np.uint64(29)
    h *= np.uint64(0x94D049BB133111EB)
    return h ^ (h >> np.uint64(32)) | np.uint64(1)


@jit
def _outcomes(before: Any, after: Any, part_of: Any, code: Any, buffer: Any, changes: Any, out: Any) -> None:
    """Per row and part: the sum of the codes of the fluents that changed."""
    words = before.shape[1]
    out[:] = np.uint64(0)
    changes[words:] = np.uint64(0)
    for i in range(before.shape[0]):
        for w in range(words):
            changes[w] = before[i, w] ^ after[i, w]
        n = literals_of(changes, words, buffer)
        for k in range(n):
            p = part_of[buffer[k] >> 1]
            if p >= 0:
                out[i, p] += code[buffer[k] >> 1]


@jit
def _default(column: Any, rests: Any) -> Any:
    """What counts as doing nothing: the outcome of an idle move; else no change, if some move has it; else the outcome
    of a strict majority."""
    for i in range(column.size):
        if rests[i]:
            return column[i]
    best, votes = np.uint64(0), 0
    for x in column:
        if x == 0:
            return np.uint64(0)
        if votes == 0:
            best, votes = x, 1
        elif x == best:
            votes += 1
        else:
            votes -= 1
    count = 0
    for x in column:
        count += x == best
    return best if 2 * count > column.size else np.uint64(0)


@jit
def _contains(table: Any, value: Any) -> Any:
    at = np.searchsorted(table, value)
    return at < table.size and table[at] == value


@jit("(int64[::1], uint64[:, ::1], uint64[:, ::1], int64[::1], uint64[::1], boolean[::1], boolean, int64[::1])")
def _join(key: Any, before: Any, after: Any, part_of: Any, code: Any, rests: Any, strict: Any, joined: Any) -> Any:
    """Go through all (state, role); tie in ``joined`` the parts of outcomes that are not free."""
    words = before.shape[1]
    n_parts = joined.size
    buffer = np.empty(128 * words, np.int64)
    changes = np.empty(2 * words, np.uint64)
    found = False
    low = 0
    while low < key.size:
        high = low + 1
        while high < key.size and key[high] == key[low]:
            high += 1
        m = high - low
        if m > 1:
            out = np.empty((m, n_parts), np.uint64)
            _outcomes(before[low:high], after[low:high], part_of, code, buffer, changes, out)
            row = np.zeros(m, np.uint64)
            active = np.zeros(m, np.int64)
            for p in range(n_parts):
                default = _default(out[:, p], rests[low:high])
                for i in range(m):
                    out[i, p] = _mixed(p, np.uint64(0) if out[i, p] == default else out[i, p])
                    row[i] += out[i, p]
                    active[i] += out[i, p] != 0
            known = np.sort(row)
            for i in range(m):
                if active[i] < 2:
                    continue
                for p in range(n_parts):
                    mine = out[i, p]
                    if mine == 0 or (not strict and _contains(known, mine)):
                        continue
                    free = True
                    smallest = i
                    for j in range(m):
                        if out[j, p] == mine:
                            if 1 < active[j] < active[smallest]:
                                smallest = j
                        elif not _contains(known, row[j] - out[j, p] + mine):
                            free = False
                    if not free:
                        for q in range(n_parts):
                            if out[smallest, q] != 0 and join(joined, p, q):
                                found = True
        low = high
    return found
