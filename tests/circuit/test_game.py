"""The circuit against the interpreter, state by state; and the batch operations against single states."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ludisect.circuit.batch import UNDEFINED
from ludisect.circuit.game import Game
from ludisect.circuit.record import record
from ludisect.circuit.rows import pack, set_bits, unpack
from ludisect.errors import IllegalMove, InputError
from ludisect.games import bundled
from ludisect.games.source import find_rules
from ludisect.gdl import Interpreter, check_machine, read, read_trace, replay
from ludisect.gdl.terms import Term
from ludisect.loader import load
from tests.circuit.evaluate import evaluate

SLOW_TO_INTERPRET = {"breakthrough", "connect-four", "reversi", "ultimate-tictactoe", "slide-puzzle", "hex"}


@pytest.mark.parametrize("name", bundled.names())
def test_circuit_agrees_with_interpreter(name: str) -> None:
    rules = find_rules(name)
    plays, length = (1, 30) if name in SLOW_TO_INTERPRET else (4, 60)
    assert check_machine(load(rules), Interpreter(rules), plays=plays, seed=3, max_length=length) == []


CORPUS_SAMPLE = (
    "3pttc", "atariGoVariant_7x7", "blocker", "breakthroughWalls", "checkersTiny", "chomp", "god",
    "gt_centipede", "hanoi", "incredible", "knightsTour", "lightsOnParallel", "mineClearingSmall", "nim3", "pancakes",
    "point_grab", "roshambo2", "snakeParallel", "speedChess", "sudokuGrade1", "ticblock", "ttcc4_2player", "urmAdd",
)  # fmt: skip


@pytest.mark.corpus
@pytest.mark.parametrize("name", CORPUS_SAMPLE)
def test_circuit_replays_matches_of_another_engine(name: str, corpus: Path) -> None:
    game = load(corpus / "games" / f"{name}.kif")
    for match in read_trace(corpus / "traces" / f"{name}.jsonl.gz"):
        assert replay(game, match) == []


@pytest.mark.corpus
@pytest.mark.parametrize(
    "name", ["3pttc", "bunk_t", "buttons", "god", "incredible", "pancakes", "roshambo2", "ticblock"]
)
def test_circuit_agrees_with_interpreter_on_public_games(name: str, corpus: Path) -> None:
    rules = find_rules(corpus / "games" / f"{name}.kif")
    assert check_machine(load(rules), Interpreter(rules), plays=3, seed=2, max_length=40) == []


@pytest.mark.slow
@pytest.mark.corpus
def test_every_match_of_the_corpus(corpus: Path) -> None:
    cannot_be_ground = {"chess", "merrills", "mummymaze1p", "slaughter"}
    for trace in sorted((corpus / "traces").glob("*.jsonl.gz")):
        name = trace.name.removesuffix(".jsonl.gz")
        if name not in cannot_be_ground:
            game = load(corpus / "games" / f"{name}.kif")
            for match in read_trace(trace):
                assert replay(game, match) == [], name


@pytest.fixture(scope="module")
def lights() -> Game:
    return load("lights-on-parallel")


def test_batches_agree_with_the_plain_evaluator(lights: Game) -> None:
    seen = record(lights, 40, seed=1)
    circuit = lights.circuit
    n = min(len(seen), 700)  # more than one block of 512
    states = unpack(seen.states[:n], len(lights.fluents))
    legal = lights.batch.legal(seen.states[:n])
    terminal = lights.batch.terminal(seen.states[:n])
    following = unpack(lights.batch.next(seen.states[:n], seen.joint[:n]), len(lights.fluents))
    for i in range(0, n, 7):
        moves = np.zeros(circuit.legal.size, np.bool_)
        moves[lights.batch.first_move[:-1] + seen.joint[i]] = True
        inputs = [*states[i].tolist(), *moves.tolist()]
        assert evaluate(circuit, inputs, circuit.legal.tolist()) == legal[i].tolist()
        assert evaluate(circuit, inputs, [circuit.terminal]) == [terminal[i]]
        assert evaluate(circuit, inputs, circuit.next.tolist()) == following[i].tolist()
    assert np.array_equal(lights.batch.next(seen.states[:n], seen.joint[:n]), seen.following[:n])


def test_a_role_may_make_no_move() -> None:
    game = load("parallel-tictactoe")
    seen = record(game, 5, seed=1)
    joint = seen.joint.copy()
    joint[::2, 0] = -1
    following = unpack(game.batch.next(seen.states, joint), len(game.fluents))
    states = unpack(seen.states, len(game.fluents))
    for i in range(len(seen)):
        moves = np.zeros(game.circuit.legal.size, np.bool_)
        moves[[game.batch.first_move[r] + m for r, m in enumerate(joint[i].tolist()) if m >= 0]] = True
        inputs = [*states[i].tolist(), *moves.tolist()]
        assert evaluate(game.circuit, inputs, game.circuit.next.tolist()) == following[i].tolist()


def test_goal_values_match_single_states() -> None:
    game = load("tictactoe")
    seen = record(game, 50, seed=5)
    ends = seen.following[game.batch.terminal(seen.following)][:20]
    values = game.batch.goals(ends)
    for row, given in zip(ends, values.tolist(), strict=True):
        assert list(game.goals(game.batch.state(row)).values()) == given
    assert set(values.sum(axis=1).tolist()) == {100}


def test_goals_that_are_missing_or_double_are_undefined() -> None:
    game = load("(role r) (role s) (init a) (<= (legal ?p go) (role ?p)) (terminal) (goal r 0) (goal r 10)")
    assert game.goals(game.initial_state()) == {"r": None, "s": None}
    assert game.batch.goals(game.batch.initial).tolist() == [[UNDEFINED, UNDEFINED]]
    assert game.batch.highest_goals(game.batch.initial).tolist() == [[10, UNDEFINED]]


@pytest.mark.parametrize("name", ["tictactoe", "rock-paper-scissors"])
def test_the_highest_goal_is_that_of_the_nets_that_hold(name: str) -> None:
    """Also in states that no play reaches, in which several goals of a role hold."""
    game = load(name)
    states = np.random.default_rng(2).random((60, len(game.fluents))) < 0.4
    states[:20, np.random.default_rng(3).random(len(game.fluents)) < 0.7] = False
    kinds = set()
    for row, highest in zip(states, game.batch.highest_goals(pack(states)).tolist(), strict=True):
        nets = evaluate(game.circuit, [*row.tolist(), *[False] * game.circuit.legal.size], game.circuit.goal.tolist())
        for role, value in enumerate(highest):
            given = [v for (r, v), holds in zip(game.goal_table, nets, strict=True) if holds and r == role]
            assert value == max(given, default=UNDEFINED)
            kinds.add(len(given))
    assert kinds == {1, 2}


@pytest.mark.parametrize("name", ["nim:40,40", "tictactoe", "lights-on", "parallel-tictactoe"])
def test_who_can_move_is_who_has_a_legal_move(name: str) -> None:
    """Of nim:40,40 the moves of both roles share a word."""
    game = load(name)
    rows = record(game, playouts=20, seed=1).following
    legal, first = game.batch.legal(rows), game.batch.first_move
    expected = [legal[:, first[r] : first[r + 1]].any(axis=1) for r in range(len(game.roles))]
    assert (game.batch.able(rows) == np.stack(expected, axis=1)).all()


def test_illegal_moves_and_unknown_fluents_are_refused() -> None:
    game = load("tictactoe")
    start = game.initial_state()
    noop, mark = Term("noop"), Term.parse("(mark 1 1)")
    with pytest.raises(IllegalMove, match=r"illegal move 'noop' of role 'xplayer'; legal here: \(mark 1 1\), "):
        game.next_state(start, {"xplayer": noop, "oplayer": noop})
    with pytest.raises(InputError, match="no move given for role 'oplayer'"):
        game.next_state(start, {"xplayer": mark})
    with pytest.raises(InputError, match=r"\(cell 9 9 b\) can never hold in tictactoe"):
        game.legal_moves(frozenset({Term.parse("(cell 9 9 b)")}))


def test_rows_pack_and_unpack() -> None:
    rng = np.random.default_rng(0)
    for width in (1, 63, 64, 65, 200):
        bits = rng.random((5, width)) < 0.5
        assert np.array_equal(unpack(pack(bits), width), bits)


def test_set_bits_are_those_of_the_matrix() -> None:
    rng = np.random.default_rng(3)
    for width in (1, 63, 64, 65, 200):
        bits = rng.random((7, width)) < rng.choice([0.0, 0.02, 0.5, 1.0], (7, 1))
        for low, high in ((0, width), (width // 3, width), (width // 3, width // 2), (width, width)):
            row, column = set_bits(pack(bits), low, high)
            expected = np.nonzero(bits[:, low:high])
            assert np.array_equal(row, expected[0])
            assert np.array_equal(column, expected[1])


def test_states_go_to_rows_and_back() -> None:
    game = load("nim:3,4")
    start = game.initial_state()
    assert game.batch.state(game.batch.row(start)) == start
    assert {str(f) for f in start} >= {"(heap a 3)", "(heap b 4)"} or len(start) == 3


def test_recursive_rules_are_unfolded() -> None:
    """Reachability on a ring and a line, with a state that cuts edges: the least fixpoint, not a self-supported one."""
    text = """
    (role r) (init (cut 1)) (init (cut 4))
    (cell 1) (cell 2) (cell 3) (cell 4) (cell 5) (cell 6)
    (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 1)
    (<= (open ?x ?y) (succ ?x ?y) (not (true (cut ?x))))
    (<= (near ?x ?y) (open ?x ?y))
    (<= (near ?x ?y) (open ?y ?x))
    (<= (reach ?x ?y) (near ?x ?y))
    (<= (reach ?x ?z) (reach ?x ?y) (near ?y ?z))
    (<= (legal r (flip ?x)) (cell ?x))
    (<= (next (cut ?x)) (true (cut ?x)) (not (does r (flip ?x))))
    (<= (next (cut ?x)) (does r (flip ?x)) (not (true (cut ?x))))
    (<= terminal (reach 1 4) (not (reach 1 6)))
    (<= (goal r 100) (reach 2 5))
    (<= (goal r 0) (not (reach 2 5)))
    """
    rules = read(text)
    assert check_machine(load(rules), Interpreter(rules), plays=30, seed=1, max_length=20) == []
