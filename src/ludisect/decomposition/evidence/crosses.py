"""Crosses: what becomes of a part when a role acts elsewhere, told by outcomes alone.

For a part, a state and a role, put the outcomes of the part against the outcomes of all the rest. If one outcome of the
part goes with several of the rest, and all others go with one and the same, the table is a cross, and that one outcome
is its centre: it is what becomes of the part when the role acts elsewhere, whether it stays as it is, drifts, or is
changed by another role in the same turn. If several outcomes go with several of the rest, and not all with all, the
state does not say which of them that is: it is *open*.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.record import unique_rows
from ludisect.circuit.rows import Rows
from ludisect.decomposition.evidence.sample import Sample

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Crosses:
    """Per (state, role, move) pair of a sample, in whose state another role has a choice too."""

    crossed: Bools
    """Whether the table of its state and role is a cross,"""
    centre: Bools
    """and whether it leads to the centre."""
    elsewhere: Bools
    """Whether it does so with another outcome of the rest than the moves beside the centre: it acts there."""
    open: Bools
    """Whether the state does not say."""


def crosses(sample: Sample, mask: Rows) -> Crosses:
    """Those of the part with the given fluents (a mask)."""
    return sample.once(_crosses, mask.tobytes())


def _crosses(sample: Sample, fluents: bytes) -> Crosses:
    n, mask = len(sample.pair_state), np.frombuffer(fluents, np.uint64)
    out = Crosses(*(np.zeros(n, np.bool_) for _ in range(4)))
    at, where = sample.contested
    if not len(at):
        return out
    words, others = np.flatnonzero(mask), np.flatnonzero(~mask)
    following = sample.pair_next[at]
    part = _numbers(where, following[:, words] & mask[words])
    rest = _numbers(where, following[:, others] & ~mask[others])
    place = np.empty(int(part.max()) + 1, np.int64), np.empty(int(rest.max()) + 1, np.int64)
    place[0][part], place[1][rest] = where, where
    outcomes, rests = (np.bincount(p) for p in place)
    table = np.unique(part * len(place[1]) + rest)
    of_part, of_rest = table // len(place[1]), table % len(place[1])
    width = np.bincount(of_part)  # outcomes of the rest that go with each outcome of the part
    wide = np.bincount(place[0], weights=width > 1).astype(np.int64)
    arms = np.unique(of_rest[width[of_part] == 1])
    beside = np.full(len(outcomes), -1)
    beside[place[1][arms]] = arms
    crossed = (wide == 1) & (np.bincount(place[1][arms], minlength=len(outcomes)) == 1)
    product = np.bincount(place[0][of_part]) == outcomes * rests
    out.crossed[at] = crossed[where]
    out.centre[at] = crossed[where] & (width > 1)[part]
    out.elsewhere[at] = out.centre[at] & (rest != beside[where])
    out.open[at] = ((wide > 1) & ~product)[where]
    return out


def _numbers(key: Ints, value: Rows) -> Ints:
    """A number per key and value."""
    return np.asarray(unique_rows(np.concatenate([key[:, None].astype(np.uint64), value], axis=1))[1])
