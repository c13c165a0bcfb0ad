"""Sheets on which an answer was once wrong and called exact: right today, by every way that fits."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludisect import decompose, load, solve
from ludisect.errors import InputError
from ludisect.search.solve import names

FOLDER = Path(__file__).parents[3] / "shared" / "bugs"

RIGHT = {
    "alphabeta-general-sum": {"left": 100, "right": 100},
    "context-waits": {"left": 60, "right": 40},
    "minus-one": {"left": 100, "right": 0},
    "parallel-stays": {"left": 100, "right": 0},
    "parallel-stays-solo": {"robot": 100},
    "rare-moves": {"red": 100, "green": 0, "blue": 0},
    "two-noops": {"left": 100, "right": 100},
}


@pytest.mark.skipif(not FOLDER.is_dir(), reason="the sheets are not here")
@pytest.mark.parametrize("name", RIGHT)
def test_answers_are_right_and_what_is_exact_is_right(name: str) -> None:
    game = load(FOLDER / f"{name}.kif")
    parts = decompose(game)
    for by in ("parts", "whole"):
        answer = solve(game if by == "whole" else parts, by)
        assert (answer.exact, answer.value) == (True, RIGHT[name])
    for by in names():
        try:
            answer = solve(game if by in ("whole", "alpha-beta") else parts, by)
        except InputError:
            continue
        assert not answer.exact or answer.value == RIGHT[name], by
