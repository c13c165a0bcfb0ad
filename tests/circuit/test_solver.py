"""The solver's answers are those of brute force over all states and moves of tiny games."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.rows import pack
from ludisect.circuit.solver import Model, Prover
from ludisect.effort import Effort, spent
from tests.decomposition.found import game_of

GAMES = ("two-track", "nim:1,2", "rock-paper-scissors:1")

Bits = NDArray[np.bool_]


class Everything:
    """All states (as bits) with all joint moves, and the value of every net there."""

    def __init__(self, game: Game) -> None:
        self.game = game
        n, c = len(game.fluents), game.circuit
        rows = np.array(list(product([False, True], repeat=n)))
        joints = np.array(list(product(*(range(len(m)) for m in game.moves))), np.int32)
        known = c.input_value[1 : 1 + n]
        rows = rows[((known == 2) | (rows == known)).all(axis=1)]
        allowed = [
            all(c.input_value[int(c.roles[r, 0]) + m] != 0 for r, m in enumerate(joint)) for joint in joints.tolist()
        ]
        joints = joints[allowed]
        self.state = np.repeat(rows, len(joints), axis=0)
        self.joint = np.tile(joints, (len(rows), 1))
        packed = pack(self.state)
        self.legal = game.batch.legal(packed)
        self.terminal = game.batch.terminal(packed)
        following = game.batch.next(packed, self.joint)
        self.next = np.stack([(following[:, f >> 6] >> np.uint64(f & 63)) & np.uint64(1) for f in range(n)], axis=1) > 0
        made = [
            self.legal[np.arange(len(self.joint)), game.batch.first_move[r] + self.joint[:, r]]
            for r in range(len(game.roles))
        ]
        self.in_play: Bits = ~self.terminal & np.stack(made).all(axis=0)


KNOWN = {name: Everything(game_of(name)) for name in GAMES}


@st.composite
def questions(draw: st.DrawFn) -> tuple[str, bool, list[tuple[str, list[int]]], list[tuple[str, int, bool]]]:
    """A game, whether play must be possible, invariants, and nets that must have a value."""
    name = draw(st.sampled_from(GAMES))
    game = game_of(name)
    n = len(game.fluents)
    group = st.lists(st.integers(0, n - 1), min_size=1, max_size=4, unique=True)
    groups = draw(st.lists(st.tuples(st.sampled_from(["exactly", "at most"]), group), max_size=3))
    nets = st.one_of(
        st.tuples(st.just("fluent"), st.integers(0, n - 1), st.booleans()),
        st.tuples(st.just("next"), st.integers(0, n - 1), st.booleans()),
        st.tuples(st.just("legal"), st.integers(0, game.circuit.legal.size - 1), st.booleans()),
        st.tuples(st.just("terminal"), st.just(0), st.booleans()),
    )
    return name, draw(st.booleans()), groups, draw(st.lists(nets, max_size=4))


def holds(all_: Everything, play: bool, groups: list[tuple[str, list[int]]]) -> Bits:
    out = all_.in_play.copy() if play else np.ones(len(all_.state), np.bool_)
    for kind, group in groups:
        count = all_.state[:, group].sum(axis=1)
        out &= count == 1 if kind == "exactly" else count <= 1
    return out


def restrict(prover: Prover, play: bool, groups: list[tuple[str, list[int]]]) -> None:
    for copy in range(len(prover.copies)):
        if play:
            prover.in_play(copy)
        for kind, group in groups:
            (prover.exactly_one if kind == "exactly" else prover.at_most_one)(group, copy)


def literals(game: Game, kind: str) -> list[int]:
    """The circuit's literals of a kind of net."""
    if kind == "fluent":
        return [2 * (1 + f) for f in range(len(game.fluents))]
    nets = {"next": game.circuit.next, "legal": game.circuit.legal, "terminal": np.array([game.circuit.terminal])}
    return [int(x) for x in nets[kind]]


@settings(max_examples=120, deadline=None)
@given(questions())
def test_questions_about_one_state(
    question: tuple[str, bool, list[tuple[str, list[int]]], list[tuple[str, int, bool]]],
) -> None:
    name, play, groups, nets = question
    game, everything = game_of(name), KNOWN[name]
    wanted = holds(everything, play, groups)
    values = {
        "fluent": everything.state,
        "next": everything.next,
        "legal": everything.legal,
        "terminal": everything.terminal[:, None],
    }
    prover = Prover(game)
    with prover.building():
        restrict(prover, play, groups)
        for kind, index, value in nets:
            wanted = wanted & (values[kind][:, index] == value)
            literal = literals(game, kind)[index]
            prover.require([prover.lit(literal) if value else -prover.lit(literal)])
    answer = prover.ask()
    assert isinstance(answer, Model) == bool(wanted.any())
    if isinstance(answer, Model):
        same = (everything.state == answer.states[0]).all(axis=1) & (everything.joint == answer.joint[0]).all(axis=1)
        assert wanted[same].tolist() == [True]
    else:
        assert answer is False


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(GAMES), st.booleans(), st.data())
def test_questions_about_two_states(name: str, invariants: bool, data: st.DataObject) -> None:
    """Do two states that agree on some fluents differ in what follows for another one?"""
    game, everything = game_of(name), KNOWN[name]
    n = len(game.fluents)
    common = data.draw(st.lists(st.integers(0, n - 1), unique=True))
    target = data.draw(st.integers(0, n - 1))
    groups = [("exactly", [f for f in range(n) if game.fluents[f].name == game.fluents[0].name])] if invariants else []
    at = np.flatnonzero(holds(everything, True, groups))
    kinds: dict[tuple[bool, ...], set[bool]] = {}
    for row, value in zip(everything.state[at][:, common].tolist(), everything.next[at, target].tolist(), strict=True):
        kinds.setdefault(tuple(row), set()).add(value)
    wanted = any(len(values) == 2 for values in kinds.values())
    prover = Prover(game, copies=2)
    with prover.building():
        restrict(prover, True, groups)
        prover.agree(common)
        literal = int(game.circuit.next[target])
        prover.require([prover.differ(prover.lit(literal, 0), prover.lit(literal, 1))])
    answer = prover.ask()
    assert isinstance(answer, Model) == wanted
    if isinstance(answer, Model):
        assert (answer.states[0][common] == answer.states[1][common]).all()


def test_out_of_time_there_is_no_answer() -> None:
    for none in (Effort(0), Effort(seconds=0)):
        assert Prover(game_of("two-track"), effort=none).ask() is None
        assert Prover(game_of("two-track")).ask(effort=none) is None


def pigeons(holes: int, effort: Effort) -> bool | None:
    """Whether pigeons fit into fewer holes: what takes the more conflicts the more there are."""
    prover = Prover(game_of("two-track"), effort=effort)
    with prover.building():
        sits = [[prover.switch() for _ in range(holes)] for _ in range(holes + 1)]
        for one in sits:
            prover.require(one)
        for hole in zip(*sits, strict=True):
            prover.require([-prover.two_of(hole)])
    answer = prover.ask()
    assert not isinstance(answer, Model)
    return answer


def test_questions_take_as_many_conflicts_as_there_is_effort_for() -> None:
    before = spent()
    assert pigeons(6, Effort(1e10)) is False
    needed = spent() - before
    assert pigeons(6, Effort(1.1 * needed)) is False
    assert pigeons(6, Effort(0.5 * needed)) is None
    before = spent()
    assert pigeons(9, Effort(0.5 * needed)) is None
    assert spent() - before < 2 * needed


def test_the_same_question_takes_the_same_work() -> None:
    taken = []
    for _ in range(2):
        before = spent()
        pigeons(6, Effort(1e10))
        taken.append(spent() - before)
    assert taken[0] == taken[1] > 0


def test_switches_turn_claims_on_and_off() -> None:
    game = game_of("two-track")
    prover = Prover(game)
    with prover.building():
        first, second = prover.switch(), prover.switch()
        prover.require([-first, prover.fluent(0)])
        prover.require([-second, -prover.fluent(0)])
    for one in (first, second):
        assert isinstance(prover.ask([one, -(first + second - one)]), Model)
    assert prover.ask([first, second]) is False
    assert isinstance(prover.ask([-first, -second]), Model)


def test_too_late_for_asking_nothing_is_built() -> None:
    game = game_of("double-tictactoe")
    prover = Prover(game, effort=Effort(0))
    with prover.building():
        prover.in_play()
        prover.require([prover.lit(int(game.circuit.goal[0]))])
    assert not any(prover.copies[0].atoms[1 + game.circuit.n_inputs :])
    assert prover.ask() is None
