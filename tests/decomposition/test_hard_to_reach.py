"""Parts that no random play gets to are found all the same, and with every seed."""

from __future__ import annotations

import pytest

import ludisect
from tests.circuit.test_firstseen import LOCKS


@pytest.mark.parametrize("seed", range(3))
def test_stages_that_no_random_play_gets_to_are_parts(seed: int) -> None:
    parts = ludisect.decompose(LOCKS, seed=seed)
    assert [[str(f) for f in part.fluents] for part in parts.dependent] == [
        [f"({lock} {n})" for n in range(4)] for lock in ("red", "green", "blue")
    ]
    assert [part.after for part in parts.dependent] == [(), (1,), (2,)]
    assert parts.evidence is not None
    assert parts.evidence.status == "proved"
