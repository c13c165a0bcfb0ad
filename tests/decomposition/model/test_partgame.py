"""A part as a game of its own: held against the whole played by its rules, and against the game it was glued from."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ludisect
from ludisect.composition import compose_one
from ludisect.decomposition import Decomposition, Part
from ludisect.decomposition.model.partgame import Cutout, opening
from ludisect.gdl import Term, check_machine
from ludisect.gdl.machine import Fluents
from tests.decomposition.found import PLAYOUTS, parts_of
from tests.decomposition.model.alone import PartAlone
from tests.search.slow_twins import reachable

GAMES = [
    "blocks-maze", "chomp", "domineering:2x2,3x3", "double-crisscross", "double-tictactoe", "four-lamps", "kayles",
    "knights-tour", "lights-on-parallel", "multiple-hanoi", "nim", "nim-misere:2,3", "parallel-tictactoe", "relay",
    "rock-paper-scissors", "runners", "serial-tictactoe", "toads-and-frogs", "tron", "two-track",
]  # fmt: skip


def start_of(part: Part) -> Fluents:
    """The state of the whole in which the game of a part starts."""
    assert part.whole is not None
    game = part.whole.game
    if not part.after:
        return game.initial_state()
    bits = opening(game, Cutout(part.fluent_numbers, part.move_numbers, (), (), at_once=False, later=True))
    return frozenset(game.fluents[f] for f in np.flatnonzero(bits))


def assert_conforms(parts: Decomposition, plays: int = 6) -> None:
    for part in parts.dependent:
        twin = PartAlone(part, start_of(part), part.game.fluents)
        assert set(part.fluents) <= twin.shown <= twin.changing
        assert check_machine(part.game, twin, plays=plays, max_length=40) == []


@pytest.mark.parametrize("name", GAMES)
def test_a_part_is_the_whole_with_the_others_put_back(name: str) -> None:
    assert_conforms(parts_of(name))


@pytest.mark.parametrize("number", [2, 6, 9, 13, 20, 22, 24, 25, 27, 144])
def test_parts_of_composed_games_too(number: int) -> None:
    assert_conforms(ludisect.decompose(ludisect.load(compose_one(number).rules), playouts=PLAYOUTS), plays=10)


def test_in_the_middle_of_a_match() -> None:
    game = ludisect.load("double-tictactoe")
    machine, state = game, game.initial_state()
    for mover, other, move in [("xplayer", "oplayer", "(mark1 2 2)"), ("oplayer", "xplayer", "(mark2 1 1)")]:
        state = machine.next_state(state, {mover: Term.parse(move), other: Term.parse("noop")})
    parts = ludisect.decompose(game, state=state, playouts=PLAYOUTS)
    assert_conforms(parts)
    assert Term.parse("(cell1 2 2 x)") in parts[1].game.initial_state() | {*parts.constant}


def test_own_fluents_and_moves_and_the_context_that_is_read() -> None:
    board = parts_of("double-tictactoe")[1].game
    assert str(board) == "double-tictactoe, part 1: 2 roles, 29 fluents, 20 moves"
    assert {t.name for t in board.fluents} == {"cell1", "control"}
    assert {t.name for moves in board.moves for t in moves} == {"mark1", "noop"}
    whole = parts_of("double-tictactoe").game.circuit
    assert board.circuit.edges < 0.6 * whole.edges


def test_context_that_nobody_reads_is_left_out() -> None:
    game = ludisect.load(
        """(role r) (init (at 0)) (init (tick 0)) (init (moon 0))
        (<= (legal r (go ?y)) (true (at ?x)) (step ?x ?y)) (<= (legal r (go ?x)) (true (at ?x)))
        (step 0 1) (step 1 2) (flip 0 1) (flip 1 0)
        (<= (next (at ?y)) (does r (go ?y)))
        (<= (next (tick ?b)) (true (tick ?a)) (flip ?a ?b)) (<= (next (moon ?b)) (true (moon ?a)) (flip ?a ?b))
        (<= terminal (true (at 2)) (true (tick 0)))
        (<= (goal r 100) (true (at 2))) (<= (goal r 0) (not (true (at 2))))"""
    )
    part = ludisect.decompose(game, playouts=PLAYOUTS)[1]
    assert {t.name for t in part.fluents} == {"at"}
    assert {t.name for t in part.game.fluents} == {"at", "tick"}


@pytest.mark.parametrize("number", [1, 2])
def test_one_heap_of_nim_is_nim_with_one_heap(number: int) -> None:
    size = (3, 5)[number - 1]
    alone = parts_of("nim:3,5")[number].game
    # every size on either player's turn, but the full heap only on the first player's
    assert len(reachable(alone)) == len(reachable(ludisect.load(f"nim:{size}")))
    assert ludisect.solve(alone).value == ludisect.solve(ludisect.load(f"nim:{size}")).value


def test_a_board_of_the_pair_is_tic_tac_toe() -> None:
    board = parts_of("double-tictactoe")[1].game
    one = board.playouts.run(20_000, seed=3)
    game = ludisect.load("tictactoe").playouts.run(20_000, seed=3)
    assert abs(one.states / one.playouts - game.states / game.playouts) < 0.1
    assert ludisect.solve(board).value == {"xplayer": 50, "oplayer": 50}


def test_compound_moves_become_single_ones() -> None:
    board = parts_of("parallel-tictactoe")[2].game
    assert [str(move) for move in board.legal_moves(board.initial_state())["xplayer"]] == [
        f"(mark a1 {row}{column})" for row in "abc" for column in "123"
    ]


def test_a_part_is_taken_apart_again_into_itself() -> None:
    part = parts_of("double-tictactoe")[1]
    again = ludisect.decompose(part.game, playouts=PLAYOUTS)
    assert [s.fluents for s in again.dependent] == [part.fluents]
    assert [s.name for s in again.context] == ["(control *)"]
    assert "<svg" in again._repr_svg_()
    assert again[1].game.circuit.edges == part.game.circuit.edges


def test_a_role_without_moves_in_a_part_waits_where_all_move_at_once() -> None:
    track = parts_of("runners")[1].game
    legal = track.legal_moves(track.initial_state())
    assert len(legal["red"]) == 1
    assert len(legal["blue"]) == 3
    assert not track.is_terminal(track.initial_state())


def test_a_stage_starts_where_it_opens() -> None:
    for part in parts_of("relay").dependent:
        assert part.game.legal_moves(part.game.initial_state())["runner"]
        assert not part.game.is_terminal(part.game.initial_state())


def test_a_stage_that_no_play_opens_is_over() -> None:
    parts = parts_of("relay")
    data = parts.to_json()
    data["subgames"][2]["moves"] = {}
    data["subgames"][2]["after"] = [1, 2]
    last = Decomposition.from_json(parts.game, data)[3].game
    assert last.is_terminal(last.initial_state())


# the move high says something sensible only where it is legal, and is the first of its class
TWO_NAMES = """
(role r) (init (floor 0)) (init dark)
(<= (legal r low) (true dark)) (<= (legal r high) (true (floor 1)) (true dark))
(<= (legal r climb) (true (floor 0))) (<= (legal r rest) (true (floor 1)))
(<= (next lit) (does r high) (true (floor 1))) (<= (next lit) (does r low)) (<= (next lit) (true lit))
(<= (next dark) (true dark) (not (does r low)) (not (acts high)))
(<= (acts high) (does r high) (true (floor 1)))
(<= (next (floor 1)) (does r climb)) (<= (next (floor ?n)) (true (floor ?n)) (not (does r climb)))
(<= terminal (true lit) (true (floor 1))) (<= (goal r 100) (true lit)) (<= (goal r 0) (not (true lit)))
"""


def test_a_class_does_what_its_legal_member_does() -> None:
    game = ludisect.load(TWO_NAMES)
    data: dict[str, Any] = {
        "subgames": [
            {"fluents": ["lit", "dark"], "moves": {"r": [["high", "low"]]}},
            {"fluents": ["(floor 0)", "(floor 1)"], "moves": {"r": [["climb"]]}},
        ]
    }
    parts = Decomposition.from_json(game, data)
    lamp = parts[1].game
    high, start = Term.parse("high"), lamp.initial_state()
    assert lamp.legal_moves(start) == {"r": [high]}
    assert lamp.next_state(start, {"r": high}) == {Term.parse("lit")}
    assert_conforms(parts)


def test_goals_are_those_of_the_whole_with_the_others_as_they_stand() -> None:
    parts = parts_of("four-lamps")
    for part in parts.dependent:
        lamp = part.game
        after = lamp.next_state(lamp.initial_state(), {lamp.roles[0]: lamp.moves[0][0]})
        whole = parts.game.goals(after | (parts.game.initial_state() - {*lamp.fluents}))
        assert lamp.goals(after) == whole
