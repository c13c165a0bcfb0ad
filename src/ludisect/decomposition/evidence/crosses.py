"""Crosses: what becomes of a part when a role acts elsewhere, seen from outcomes alone, while others act in the part.

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


def several_choose(sample: Sample) -> Bools:
    """Per pair: whether another role has a choice in its state."""
    n = len(sample.states)
    of_role = [sample.pair_state[sample.pair_role == r] for r in range(sample.n_roles)]
    counts = np.stack([np.bincount(state, minlength=n) for state in of_role])
    others = (counts > 1).sum(axis=0) - (counts > 1)
    return np.asarray(others[sample.pair_role, sample.pair_state] > 0)


def crosses(sample: Sample, mask: Rows) -> Crosses:
    """Those of the part with the given fluents (a mask)."""
    n = len(sample.pair_state)
    out = Crosses(*(np.zeros(n, np.bool_) for _ in range(4)))
    at = np.flatnonzero(_asked(sample))
    if not len(at):
        return out
    key = (sample.pair_state[at] * sample.n_roles + sample.pair_role[at]).astype(np.uint64)[:, None]
    words, others = np.flatnonzero(mask), np.flatnonzero(~mask)
    following = sample.pair_next[at]
    part = _numbers(key, following[:, words] & mask[words])
    rest = _numbers(key, following[:, others] & ~mask[others])
    table = np.unique(part * (int(rest.max()) + 1) + rest)
    of_part, of_rest = table // (int(rest.max()) + 1), table % (int(rest.max()) + 1)
    width = np.bincount(of_part)  # outcomes of the rest that go with each outcome of the part
    where = np.unique(key, return_inverse=True)[1].ravel()
    state_of = np.empty(len(width), np.int64)
    state_of[part] = where
    wide = np.bincount(state_of, weights=width > 1).astype(np.int64)
    outcomes = np.bincount(state_of)
    rests = np.bincount(np.unique(np.stack([where, rest]), axis=1)[0])
    narrow = width[of_part] == 1
    arms, arm_rest = np.unique(np.stack([state_of[of_part[narrow]], of_rest[narrow]]), axis=1)
    same = np.bincount(arms, minlength=len(outcomes)) == 1
    beside = np.full(len(outcomes), -1)
    beside[arms] = arm_rest
    crossed = (wide == 1) & (outcomes > 1) & same
    product = np.bincount(state_of[of_part], minlength=len(outcomes)) == outcomes * rests
    out.crossed[at] = crossed[where]
    out.centre[at] = crossed[where] & (width > 1)[part]
    out.elsewhere[at] = out.centre[at] & (rest != beside[where])
    out.open[at] = ((wide > 1) & ~product)[where]
    return out


def _asked(sample: Sample) -> Bools:
    if "several choose" not in sample.memo:
        sample.memo["several choose"] = several_choose(sample)
    found: Bools = sample.memo["several choose"]
    return found


def _numbers(key: Rows, value: Rows) -> Ints:
    """A number per state and role and value."""
    return np.asarray(unique_rows(np.concatenate([key, value], axis=1))[1])
