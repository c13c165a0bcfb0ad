"""Solving by parts gives the value of the whole game, and the move it names attains it."""

from __future__ import annotations

import numpy as np
import pytest

from ludisect.circuit.game import Game
from ludisect.circuit.load import load
from ludisect.decompose.methods import decompose
from ludisect.decompose.model import Decomposition
from ludisect.errors import BudgetExceeded, InputError
from ludisect.search.answer import Answer
from ludisect.search.solve import names, solve
from ludisect.search.whole import solve_whole
from tests.search.byhand import by_hand
from tests.search.known_parts import compound

BY_HAND = {
    "nim:2,3,3": lambda g: by_hand(g, [(rf"\(heap {h}", rf"\(reduce {h}") for h in "abc"], [r"\(control"]),
    "nim-misere:2,3": lambda g: by_hand(g, [(rf"\(heap {h}", rf"\(reduce {h}") for h in "ab"], [r"\(control"]),
    "toads-and-frogs": lambda g: by_hand(g, [(rf"\(at {h}", rf"\(move {h}") for h in "ab"], [r"\(control"]),
    "four-lamps": lambda g: by_hand(g, [(rf"\(on {h}", rf"\(push {h}") for h in "abcd"]),
    "two-track": lambda g: by_hand(g, [(rf"\(at{h} ", rf"\(move{h} ") for h in "12"]),
}

LARGE = {15}
"""Random compounds whose whole takes seconds."""


def same_value(a: Answer, b: Answer) -> bool:
    return a.bounds == b.bounds and all(
        x == y if x is None or y is None else abs(x - y) < 1e-6
        for x, y in zip(a.value.values(), b.value.values(), strict=True)
    )


def attains(game: Game, answer: Answer) -> bool:
    """Whether the only role with a choice keeps its value by the move of the answer (other cases count as kept)."""
    state = game.initial_state()
    legal = game.legal_moves(state)
    if game.is_terminal(state) or len(answer.move) != 1 or "max-n" not in answer.algorithm or not answer.exact:
        return True
    (role,) = answer.move
    moves = {r: answer.move[r] if r == role else some[0] for r, some in legal.items()}
    after = solve_whole(game, start=game.row(game.next_state(state, moves)))
    return after.value[role] == answer.value[role]


def check(parts: Decomposition) -> None:
    by_parts = solve(parts, by="quotient")
    whole = solve(parts, by="whole", seconds=60)
    assert same_value(by_parts, whole), (parts.structure, by_parts, whole)
    assert attains(parts.game, by_parts)


@pytest.mark.parametrize("name", BY_HAND)
def test_bundled_games(name: str) -> None:
    parts = BY_HAND[name](load(name))
    check(parts)
    assert solve(parts, by="quotient").exact


@pytest.mark.parametrize("name", ["kayles", "nim-misere", "relay", "multiple-hanoi", "runners"])
def test_bundled_games_as_they_fall_apart(name: str) -> None:
    parts = decompose(load(name))
    assert len(parts.dependent) > 1
    check(parts)
    assert same_value(solve(parts), solve(parts, by="whole"))


@pytest.mark.parametrize("number", [n for n in range(40) if n not in LARGE])
def test_random_compounds(number: int) -> None:
    check(compound(number))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_many_random_compounds(seed: int) -> None:
    for number in range(90):
        try:
            check(compound(number, seed=1000 + seed))
        except BudgetExceeded:
            continue


def test_serial_boards() -> None:
    game = load("serial-tictactoe")
    parts = by_hand(
        game,
        [(r"\(first ", r"\(mark1 "), (r"\(second ", r"\(mark2 ")],
        [r"\(control "],
        structure="serial",
        after=[(), (1,)],
    )
    answer = solve(parts, by="quotient")
    assert answer.value == {"xplayer": 50, "oplayer": 50}
    assert answer.exact
    assert answer.nodes < 2000  # the whole game has more than five million positions


def test_boards_that_move_together() -> None:
    game = load("parallel-tictactoe")
    parts = by_hand(
        game, [(r"\(first ", r"\(mark (\S\d) "), (r"\(second ", r"\(mark \S+ (\S\d)\)")], [r"\(control "],
        structure="parallel-sync",
    )  # fmt: skip
    answer = solve(parts, by="quotient")
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
