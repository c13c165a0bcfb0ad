"""Clocks that run too slowly or too fast: what hangs on none of them is said alike under all."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

import pytest

SPEEDS = (0.1, 1e7)
"""Of the last, a minute passes in six microseconds: whoever looks at it is late."""


def under_clocks(monkeypatch: pytest.MonkeyPatch) -> Iterator[float]:
    """Runs of a test: with the true clock, then with others."""
    for speed in (1.0, *SPEEDS):
        begin = perf_counter()
        monkeypatch.setattr("ludisect.clock.now", lambda s=speed, b=begin: s * (perf_counter() - b))
        yield speed


def same(answers: Iterator[str]) -> bool:
    """Whether what is said under all clocks is the same."""
    first, *others = answers
    assert len(others) == len(SPEEDS)
    return all(answer == first for answer in others)
