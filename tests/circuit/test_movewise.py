"""What can no longer change, move by move: never more than is true of all states that play can reach, and no less than
folding finds."""

from __future__ import annotations

import random

import numpy as np
import pytest

import ludisect
from ludisect.circuit.circuit import Circuit
from ludisect.circuit.game import Game
from ludisect.circuit.midgame import at_state
from ludisect.circuit.movewise import playable_at, settled, unsteered
from ludisect.circuit.rows import unpack
from ludisect.gdl.state import State
from ludisect.search.regions.extraction import operators
from ludisect.search.regions.settling import settle

GAMES = (
    "amazons:2x3", "blocks-maze", "breakthrough:3x4", "chomp:3x3", "clobber:2x3", "col:2x3", "domineering:3x3",
    "double-crisscross", "dots:1x2", "kayles:4,3", "lights-on", "nim:3,4", "nogo:2x3", "parallel-tictactoe",
    "pawns:2x5", "peg-solitaire", "regio:2x3", "relay", "rock-paper-scissors", "runners", "serial-tictactoe",
    "snort:2x3",
    "toads-and-frogs:TT_FF", "tron:3x3", "two-track",
)  # fmt: skip

FRAME = """
(role a) (role b) (follows a b) (follows b a) (place 1) (place 2) (place 3)
(<= (init (free ?x)) (place ?x)) (init (control a))
(<= (legal ?p (take ?x)) (true (control ?p)) (true (free ?x)))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (control ?q)) (true (control ?p)) (follows ?p ?q))
(<= (next (free ?x)) (true (free ?x)) (does ?p (take ?y)) (distinct ?x ?y))
(<= (next (gone ?x)) (does ?p (take ?x)))
(<= (next (gone ?x)) (true (gone ?x)) (does ?p (take ?y)) (distinct ?x ?y))
(<= (some ?x) (true (free ?x))) (<= left (some ?x)) (<= terminal (not left))
(<= (goal ?p 0) (true (control ?p))) (<= (goal ?q 100) (true (control ?p)) (follows ?p ?q))
"""
"""Frame rules that say "stays if a move is made elsewhere"."""


def middle(game: Game, seed: int) -> State[Game]:
    """A state of a random play, not the last."""
    rng = random.Random(seed)
    states = [game.start]
    while not states[-1].is_over and len(states) < 60:
        legal = states[-1].legal
        if not all(legal.values()):
            break
        states.append(states[-1].play({role: rng.choice(moves) for role, moves in legal.items()}))
    return rng.choice(states[: max(1, len(states) - 1)])


@pytest.mark.parametrize("name", GAMES)
def test_true_of_whatever_play_reaches(name: str) -> None:
    """Plays from the state on never change a settled fluent and never allow a settled move."""
    game = ludisect.load(name)
    for seed in range(3):
        state = middle(game, seed)
        found = at_state(game, state.fluents)
        known = found.circuit.input_value
        rng = random.Random(seed)
        for _ in range(30):
            now = state
            for _ in range(40):
                holds = unpack(game.batch.row(now.fluents), len(game.fluents))[0]
                fluents = known[1 : 1 + len(game.fluents)]
                assert ((fluents == 2) | (fluents == holds)).all()
                legal = game.batch.legal(game.batch.row(now.fluents))[0]
                if now.is_over:
                    break
                assert not (legal & (known[1 + len(game.fluents) :] == 0)).any()
                assert found.legal_moves(now.fluents) == game.legal_moves(now.fluents)
                if not all(now.legal.values()):
                    break
                now = now.play({role: rng.choice(moves) for role, moves in now.legal.items()})
            assert found.is_terminal(now.fluents) == now.is_over
            assert found.goals(now.fluents) == game.goals(now.fluents)


@pytest.mark.parametrize("name", ["clobber:3x3", "col:3x3", "domineering:4x4", "kayles:5,4", "snort:3x3"])
def test_as_much_as_operators_settle(name: str) -> None:
    """Dead moves are those of which no operator lives."""
    game = ludisect.load(name)
    ops = operators(game)
    for seed in range(8):
        state = middle(game, seed)
        live, _ = settle(ops.listed, range(len(ops.listed)), ops.word(state))
        expected = {(op.player.value, op.move) for op in (ops.listed[i] for i in live)}
        known = at_state(game, state.fluents).circuit.input_value[1 + len(game.fluents) :]
        players = [op.player.value for op in ops.listed]
        first = game.batch.first_move.tolist()
        found = {
            (players[0] if r == 0 else players[-1], str(move))
            for r, moves in enumerate(game.moves)
            for m, move in enumerate(moves)
            if known[first[r] + m] == 2 and str(move) != "noop"
        }
        assert found == expected


def test_frames_over_moves_are_seen_through() -> None:
    """Folding thinks that a square may be given back; move by move it cannot."""
    game = ludisect.load(FRAME)
    state = game.start.play(a="(take 2)")
    folded = _folded(game, state)
    known = at_state(game, state.fluents).circuit.input_value
    (free,) = (k for k, fluent in enumerate(game.fluents) if str(fluent) == "(gone 2)")
    assert folded.input_value[1 + free] == 2
    assert known[1 + free] == 1


def _folded(game: Game, state: State[Game]) -> Circuit:
    from dataclasses import replace

    initial = unpack(game.batch.row(state.fluents), len(game.fluents))[0]
    return replace(game.circuit, initial=initial).fold()


@pytest.mark.parametrize("name", GAMES)
def test_no_less_than_folding(name: str) -> None:
    game = ludisect.load(name)
    for seed in range(3):
        state = middle(game, seed)
        folded, found = _folded(game, state), at_state(game, state.fluents).circuit
        assert (found.input_value[folded.input_value < 2] == folded.input_value[folded.input_value < 2]).all()


def test_long_clocks_are_left_to_folding() -> None:
    game = ludisect.load("lights-out:3x3")
    assert len(unsteered(game.circuit)) > 1
    with ludisect.settings.using(ludisect.circuit.limits.CircuitLimits(movewise_turns=1)):
        assert (settled(game.circuit) == np.where(game.circuit.input_value < 2, 2, 2)).all()


@pytest.mark.parametrize("name", [*GAMES, "tictactoe", "four-lamps"])
def test_moves_of_a_turn_are_all_that_play_finds_legal_then(name: str) -> None:
    game = ludisect.load(name)
    playable, again = playable_at(game.circuit, 64)
    assert len(playable)
    for seed in range(5):
        rng, now, turn = random.Random(seed), game.start, 0
        while not now.is_over and all(now.legal.values()) and turn < 200:
            legal = game.batch.legal(game.batch.row(now.fluents))[0]
            at = turn if turn < len(playable) else again + (turn - again) % (len(playable) - again)
            assert not (legal & ~playable[at]).any()
            now, turn = now.play({role: rng.choice(moves) for role, moves in now.legal.items()}), turn + 1


def test_what_runs_by_itself_says_when_moves_are_legal() -> None:
    game = ludisect.load("double-tictactoe")
    playable, again = playable_at(game.circuit, 64)
    assert [again, playable.sum(axis=1).tolist()] == [0, [19, 19]]
    assert not len(playable_at(game.circuit, 1)[0])


@pytest.mark.parametrize("name", ["tictactoe", "relay", "lights-on", "nim:3,5", "breakthrough:4x4", "tron"])
def test_what_runs_by_itself_by_reading_net_after_net(name: str) -> None:
    circuit = ludisect.load(name).circuit
    read = [set((circuit.support([int(net)]) - 1).tolist()) for net in circuit.next]
    inside = set(range(circuit.n_fluents))
    while out := {f for f in inside if not read[f] <= inside}:
        inside -= out
    assert unsteered(circuit).tolist() == sorted(inside)
