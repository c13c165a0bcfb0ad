"""Turns that prefer moves which win at once: held against trying all moves by the rules."""

from __future__ import annotations

import random

import numpy as np
import pytest

from ludisect.circuit.batch import Batch
from ludisect.circuit.decisive import decisive, winning_moves
from ludisect.circuit.game import Game
from ludisect.circuit.limits import CircuitLimits
from ludisect.gdl import Interpreter, Term
from ludisect.loader import load
from ludisect.settings import using
from tests.circuit.eager import preferred

UNEVEN = """
(role hunter) (role hare) (init (turn hunter)) (init (at 4)) (init (left 6)) (cell 0) (cell 1) (cell 2) (cell 3)
(cell 4) (cell 5) (cell 6) (cell 7) (cell 8) (next_to 0 1) (next_to 1 2) (next_to 2 3) (next_to 3 4) (next_to 4 5)
(next_to 5 6) (next_to 6 7) (next_to 7 8) (less 1 0) (less 2 1) (less 3 2) (less 4 3) (less 5 4) (less 6 5)
(<= (step ?a ?b) (next_to ?a ?b)) (<= (step ?a ?b) (next_to ?b ?a))
(<= (legal hunter (shoot ?x)) (true (turn hunter)) (cell ?x) (not (true (hole ?x))))
(<= (legal hunter rest) (true (turn hare))) (<= (legal hare rest) (true (turn hunter)))
(<= (legal hare (run ?b)) (true (turn hare)) (true (at ?a)) (step ?a ?b))
(<= (legal hare hide) (true (turn hare)))
(<= (next (turn hare)) (true (turn hunter))) (<= (next (turn hunter)) (true (turn hare)))
(<= (next (hole ?x)) (true (hole ?x))) (<= (next (hole ?x)) (does hunter (shoot ?x)))
(<= (next (at ?b)) (does hare (run ?b))) (<= (next (at ?a)) (true (at ?a)) (not moved))
(<= moved (does hare (run ?b)))
(<= (next (left ?m)) (does hunter (shoot ?x)) (true (left ?n)) (less ?n ?m))
(<= (next (left ?n)) (does hunter rest) (true (left ?n)))
(<= hit (true (at ?x)) (true (hole ?x))) (<= away (true (left 0))) (<= terminal hit) (<= terminal away)
(<= (goal hunter 100) hit) (<= (goal hunter 0) (not hit)) (<= (goal hare 100) (not hit)) (<= (goal hare 0) hit)
"""
"""The sides win in different ways: the hunter by its own moves and the hare's, the hare by the hunter's last shot."""


def differing(game: Game, plays: int) -> tuple[int, int, int]:
    """States of random plays in which one role chooses; of these where some move is left out; and where the turns of
    ``decisive`` say other moves than trying all of them by the rules does."""
    assert game.rules is not None
    machine, turns, won = Interpreter(game.rules), decisive(game), winning_moves(game)
    draw, first = random.Random(1), game.batch.first_move
    sizes = [len(moves) for moves in game.moves]
    batches = [
        Batch(game.name, circuit, game.fluents, game.fluent_index, sizes, game.goal_table) for circuit in turns.circuits
    ]

    def noted(role: str, move: Term) -> bool:
        r = game.roles.index(role)
        return bool(won[first[r] + game.move_index[r][move]])

    states = left_out = wrong = 0
    for _ in range(plays):
        state, turn = machine.initial_state(), 0
        while not machine.is_terminal(state):
            legal = machine.legal_moves(state)
            for r, role in enumerate(game.roles):
                if len(legal[role]) < 2:
                    continue
                allowed = batches[turn % len(batches)].legal(game.batch.row(state))[0]
                found = {move for i, move in enumerate(game.moves[r]) if allowed[first[r] + i]}
                wanted = set(preferred(machine, state, role, noted))
                states += 1
                left_out += len(wanted) < len(legal[role])
                wrong += found != wanted
            state = machine.next_state(state, {role: draw.choice(moves) for role, moves in legal.items()})
            turn += 1
    return states, left_out, wrong


@pytest.mark.parametrize(
    ("name", "plays"), [("tictactoe", 6), ("connect-four:4x4", 2), ("breakthrough:4x5", 2), (UNEVEN, 10)]
)
def test_moves_are_those_that_win_or_leave_no_win(name: str, plays: int) -> None:
    game = load(name)
    assert decisive(game) is not game.playouts.phases
    states, left_out, wrong = differing(game, plays)
    assert wrong == 0
    assert 0 < left_out < states


def test_what_a_turn_does_not_change_stays() -> None:
    """Only legal moves are fewer: what follows a move, and what ends are worth, is the same net by net."""
    game = load("tictactoe")
    before, after = game.playouts.phases, decisive(game)
    assert after.values == before.values
    rows = np.concatenate([game.batch.row(game.start.fluents), *_some_rows(game)])
    sizes = [len(moves) for moves in game.moves]
    for k, (small, large) in enumerate(zip(before.circuits, after.circuits, strict=True)):
        one, other = (
            Batch(game.name, c, game.fluents, game.fluent_index, sizes, game.goal_table) for c in (small, large)
        )
        at = rows[k::2]
        assert np.array_equal(one.terminal(at), other.terminal(at))
        assert np.array_equal(one.goals(at), other.goals(at))
        assert (other.legal(at) <= one.legal(at)).all()
        assert np.array_equal(other.legal(at).any(axis=1), one.legal(at).any(axis=1))


def _some_rows(game: Game) -> list[np.ndarray[tuple[int, ...], np.dtype[np.uint64]]]:
    state, out = game.start, []
    while not state.is_over:
        state = state.play({role: moves[0] for role, moves in state.legal.items()})
        out.append(game.batch.row(state.fluents))
    return out


@pytest.mark.parametrize("name", ["tron", "rock-paper-scissors", "lights-on", "three-player-tictactoe", "hex:5"])
def test_others_are_left_alone(name: str) -> None:
    """Several choose at once, one plays alone, three play, or the nets would be large."""
    game = load(name)
    assert decisive(game) is game.playouts.phases


def test_limits_leave_a_game_alone() -> None:
    game = load("tictactoe")
    for numbers in ({"decisive_edges": 500}, {"decisive_growth": 2.0}, {"decisive_copies": 100}):
        with using(CircuitLimits(**numbers)):
            assert decisive(game) is game.playouts.phases
