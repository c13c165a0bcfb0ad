"""The answer is a function of the game: other seeds, the same parts and local moves; more plays contradict nothing."""

from __future__ import annotations

import pytest

from ludisect.decomposition import Decomposition, decompose, verify
from ludisect.loader import load
from tests.decomposition import sheets
from tests.decomposition.found import game_of

SHEETS = {
    "walk": sheets.WALK_THEN_SWITCH,
    "odometer": sheets.ODOMETER,
    "pairs": sheets.switches("abcdef", sheets.lines(["ab", "cd", "ef"])),
    "path": sheets.switches("abcd", sheets.lines(["ab", "bc", "cd"])),
}


def answer(parts: Decomposition) -> object:
    moves = [{frozenset(c) for c in classes} for s in parts.parts for classes in s.move_numbers]
    return [(s.kind, s.useful, s.fluent_numbers, s.after) for s in parts.parts], moves, parts.constant, parts.structure


@pytest.mark.parametrize(
    "name", [*SHEETS, "tictactoe", "double-tictactoe", "nim:2,3", "relay", "lights-on", "four-lamps"]
)
def test_three_seeds_give_one_answer_that_other_plays_do_not_contradict(name: str) -> None:
    game = load(SHEETS[name]) if name in SHEETS else game_of(name)
    found = [decompose(game, seed=seed, playouts=200) for seed in (0, 1, 2)]
    assert all(answer(parts) == answer(found[0]) for parts in found[1:])
    assert verify(found[0], seed=1 << 20, playouts=2000).status == "tested"


@pytest.mark.parametrize("seed", [1, 2])
def test_corners_belong_to_their_board(seed: int) -> None:
    """With these seeds no play shows all corners in a row: single parts are looked at, and the solver is asked."""
    assert len(decompose(load(sheets.in_a_row(8, 5)), seed=seed).dependent) == 1
