"""Scores and their intervals, held against plain counting and the formula solved by bisection."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludisect.play.score import NORMAL, Standing, interval


@given(st.integers(1, 400), st.data())
def test_the_interval_is_where_the_score_is_no_surprise(games: int, data: st.DataObject) -> None:
    """Wilson's ends are the shares p for which the score seen is NORMAL standard deviations away."""
    score = data.draw(st.integers(0, 2 * games)) / (2 * games)
    low, high = interval(score, games)
    assert 0 <= low <= score <= high <= 1

    def surprise(p: float) -> float:
        return abs(score - p) - NORMAL * math.sqrt(p * (1 - p) / games)

    for end in (low, high):
        if 0 < end < 1:
            assert surprise(end) == pytest.approx(0, abs=1e-9)


def test_pairs_are_counted_whatever_the_seats() -> None:
    standing = Standing()
    standing.add({"white": "a", "black": "b"}, {"white": 100, "black": 0})
    standing.add({"white": "b", "black": "a"}, {"white": 50, "black": 50}, ["white"])
    standing.add({"white": "b", "black": "a"}, {"white": 100, "black": 0})
    standing.add({"white": "a", "black": "a"}, {"white": 100, "black": 0})  # against itself: no pairing
    standing.add({"white": "a", "black": "b"}, None)
    (pairing,) = standing.pairings.values()
    assert (pairing.first, pairing.second) == ("a", "b")
    assert (pairing.wins, pairing.draws, pairing.losses, pairing.score) == (1, 1, 1, 0.5)
    assert standing.broken_off == 1
    assert standing.faults == {"b": 1}
    assert standing.mean_goal("b")[0] == 50


def test_three_at_a_table_are_three_pairs() -> None:
    standing = Standing()
    standing.add({"x": "a", "y": "b", "z": "c"}, {"x": 100, "y": 50, "z": 50})
    assert [(p.first, p.second, p.score) for p in standing.pairings.values()] == [
        ("a", "b", 1.0),
        ("a", "c", 1.0),
        ("b", "c", 0.5),
    ]
    assert interval(0.5, 0) == (0.0, 1.0)
