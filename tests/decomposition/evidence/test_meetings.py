"""Things in the same places, against sparse matrices."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_array

from ludisect.decomposition.evidence import meetings as module
from ludisect.decomposition.evidence.meetings import Occurrences, meetings


def table(present: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> Occurrences:
    place, thing = np.nonzero(present)
    return Occurrences(place, thing, present.shape[1])


def product(first: Occurrences, second: Occurrences) -> list[list[int]]:
    places = 1 + max((int(p) for t in (first, second) for p in t.place), default=0)
    a, b = (
        coo_array((np.ones(len(t.place), np.int64), (t.place, t.thing)), shape=(places, t.n)).tocsr()
        for t in (first, second)
    )
    counts: list[list[int]] = (a.T @ b).toarray().tolist()
    return counts


@settings(max_examples=200, deadline=None)
@given(
    *(st.integers(0, 9) for _ in range(3)),
    st.integers(0, 2**32),
    st.floats(0, 1),
    st.sampled_from([1, 3, 7, 1 << 19]),
)
def test_product_of_sparse_tables(places: int, n: int, m: int, seed: int, share: float, pairs: int) -> None:
    """However the work is cut."""
    rng = np.random.default_rng(seed)
    first, second = (table(rng.random((places, k)) < share) for k in (n, m))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "PAIRS", pairs)
        assert meetings(first, second).tolist() == product(first, second)
        assert meetings(first, first).tolist() == product(first, first)


def test_crowded_and_empty_places_in_one_table() -> None:
    rng = np.random.default_rng(3)
    share = rng.choice([0.0, 0.005, 0.5], 3000)
    one = table(rng.random((3000, 200)) < share[:, None])
    other = table(rng.random((3000, 90)) < share[:, None])
    assert meetings(one, other).tolist() == product(one, other)
