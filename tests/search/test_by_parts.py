"""Solving by parts gives the value of the whole game, and the move it names attains it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from ludisect.answer import Answer
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.errors import BudgetExceeded, InputError
from ludisect.loader import load
from ludisect.search.solve import names, solve
from tests.search.agreement import Tally, Whole
from tests.search.byhand import by_hand
from tests.search.known import (
    compound,
    four_lamps,
    nim,
    parallel_tictactoe,
    serial_tictactoe,
    taken_apart,
    toads_and_frogs,
    two_track,
)

BY_HAND: dict[str, Callable[[], Decomposition]] = {
    "nim": lambda: nim(2, 3, 3),
    "nim, misère": lambda: nim(2, 3, misere=True),
    "toads and frogs": toads_and_frogs,
    "four lamps": four_lamps,
    "two tracks": two_track,
}

LARGE = {15}
"""Random compounds whose whole takes seconds."""


def check(parts: Decomposition) -> None:
    """Every exact way that applies, held against the whole."""
    tally = Tally()
    tally.check(parts.game.name, parts, Whole(parts.game))
    assert tally.faults == []


@pytest.mark.parametrize("name", BY_HAND)
def test_bundled_games(name: str) -> None:
    parts = BY_HAND[name]()
    check(parts)
    assert solve(parts, by="quotient").exact


@pytest.mark.parametrize("name", ["kayles", "nim-misere", "relay", "multiple-hanoi", "runners"])
def test_bundled_games_as_they_fall_apart(name: str) -> None:
    parts = taken_apart(name)
    assert len(parts.dependent) > 1
    check(parts)


@pytest.mark.parametrize("number", [n for n in range(26) if n not in LARGE])
def test_random_compounds(number: int) -> None:
    check(compound(number))


def test_serial_boards() -> None:
    answer = solve(serial_tictactoe(), by="quotient")
    assert answer.value == {"xplayer": 50, "oplayer": 50}
    assert answer.exact
    assert answer.nodes < 2000  # the whole game has more than five million positions


def test_boards_that_move_together() -> None:
    answer = solve(parallel_tictactoe(), by="quotient")
    assert answer.value == {"xplayer": 50, "oplayer": 50}
    assert answer.nodes < 20_000
    assert not answer.exact  # nobody verified these parts, and the rules alone do not show that they are right
    assert any("not verified" in note for note in answer.notes)


def test_useless_parts_fall_to_one_class() -> None:
    game = load("multiple-hanoi")
    parts = by_hand(
        game, [(rf"\(on {h} ", rf"\(shift {h} ") for h in ("left", "middle", "right")], [r"\(turn "],
        structure="multiple",
    )  # fmt: skip
    answer = solve(parts, by="quotient")
    assert answer.value == {"player": 100}
    assert answer.nodes < 100
    assert any("1 really different" in line for line in answer.why)


def test_parts_of_one_board() -> None:
    # rows of tic-tac-toe move on their own; only the lines tie them, and what the lines ask of a row is told apart
    rows = [(rf"\(cell {i} ", rf"\(mark {i} ") for i in (1, 2, 3)]
    answer = solve(by_hand(load("tictactoe"), rows, [r"\(control "]), by="quotient")
    assert answer.value == {"xplayer": 50, "oplayer": 50}
    assert answer.exact
    assert answer.nodes < 5478


def test_a_wrong_decomposition_is_not_believed() -> None:
    # a bite takes chocolate from several rows
    rows = [(rf"\(chocolate {i} ", rf"\(bite {i} ") for i in (1, 2)]
    parts = by_hand(load("chomp:2x3"), rows, [r"\(control "])
    try:
        answer = solve(parts, by="quotient")
    except InputError:
        return
    assert not answer.exact
    assert any("not verified" in note for note in answer.notes)


def test_limits() -> None:
    parts = compound(5)
    with pytest.raises(BudgetExceeded) as stop:
        solve(parts, by="quotient", seconds=0.0)
    assert stop.value.budget == "seconds"
    assert isinstance(stop.value.partial, Answer)
    assert not stop.value.partial.exact
    assert stop.value.partial.move
    with pytest.raises(InputError, match="choose from parts, whole"):
        solve(parts, by="magic")
    assert {"parts", "whole", "quotient"} <= set(names())


def test_parts_by_default_and_whole_if_there_is_one_part() -> None:
    game = load("tictactoe")
    parts = by_hand(game, [(r"\(cell ", r"\(mark ")], [r"\(control "], structure="single")
    answer = solve(parts)
    assert answer.value == {"xplayer": 50, "oplayer": 50}
    assert any("one part" in note for note in answer.notes)


def test_json() -> None:
    data = solve(compound(0), by="quotient").to_json()
    assert {"game", "algorithm", "exact", "value", "move", "nodes", "seconds", "parts"} <= set(data)
    assert all(isinstance(v, int) for v in data["value"].values())
    assert np.isfinite(data["seconds"])
