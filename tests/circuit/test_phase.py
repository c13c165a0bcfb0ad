"""Turns that are folded in: only those proved to go round, and the circuit of a turn says what the whole says."""

from __future__ import annotations

import pytest

from ludisect.circuit.game import Game
from ludisect.circuit.limits import CircuitLimits
from ludisect.circuit.phase import Phases, phases
from ludisect.gdl import Interpreter, read
from ludisect.gdl.randomplay import record
from ludisect.loader import load
from ludisect.settings import using
from tests.circuit.evaluate import evaluate


def turned(late: int, last: int) -> str:
    """Two roles by turns, until a step from which b keeps the turn; whoever has it at the end wins."""
    numbers = [f"(succ {n} {n + 1})" for n in range(last)] + [f"(late {n})" for n in range(late, last)]
    return f"""
(role a) (role b) {" ".join(numbers)} (late never)
(init (step 0)) (init (control a)) (init day)
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (legal ?r (raise ?x)) (true (control ?r)) (role ?x))
(<= (legal ?r wait) (role ?r) (not (true (control ?r))))
(<= (next (raised ?x)) (does ?r (raise ?x)))
(<= (next (control b)) (true (control a)))
(<= (next (control a)) (true (control b)) (not kept))
(<= (next (control b)) (true (control b)) kept)
(<= kept (true (step ?n)) (late ?n))
(<= (next day) (not (true day)))
(<= terminal (true (step {last})))
(<= (goal ?r 100) (true (control ?r)))
(<= (goal ?r 0) (role ?r) (not (true (control ?r))))
"""


def names(game: Game, found: Phases) -> list[set[str]]:
    """Per turn, the fluents that are folded in as true."""
    return [{str(game.fluents[node - 1]) for node, x in values.items() if x} for values in found.values]


def test_turns_that_go_round_are_folded_in() -> None:
    game = load(turned(9, 9))
    found = phases(game.circuit)
    assert names(game, found) == [{"(control a)", "day"}, {"(control b)"}]
    assert all(circuit.edges < game.circuit.edges for circuit in found.circuits)


def test_a_turn_that_changes_after_many_steps_is_not() -> None:
    """As far as the start is followed, the turn goes round; only the proof shows that it does not go on so."""
    game = load(turned(25, 31))
    assert names(game, phases(game.circuit)) == [{"day"}, set()]


def ring(size: int) -> str:
    """One player walks or rests while a hand goes round a clock face with so many hours."""
    return f"""
(role r) {" ".join(f"(hour {n} {(n + 1) % size})" for n in range(size))} (init (hand 0)) (init (at 0))
(<= (next (hand ?y)) (true (hand ?x)) (hour ?x ?y))
(<= (legal r walk) (true (hand 0))) (legal r rest)
(<= (next (at ?y)) (does r walk) (true (at ?x)) (hour ?x ?y))
(<= (next (at ?x)) (does r rest) (true (at ?x)))
(<= terminal (true (at {size - 1})))
(<= (goal r 100) (true (at {size - 1}))) (<= (goal r 0) (not (true (at {size - 1}))))
"""


@pytest.mark.parametrize("size", range(2, 10))
def test_rounds_of_up_to_eight_turns(size: int) -> None:
    """But for seven, which no game seems to have."""
    game = load(ring(size))
    found = phases(game.circuit)
    turns = [{f"(hand {n})"} for n in range(size)]
    assert names(game, found) == (turns if size in (2, 3, 4, 5, 6, 8) else [set()])


def test_a_round_shows_itself_twice() -> None:
    game = load(ring(4))
    with using(CircuitLimits(phase_steps=8)):
        assert len(phases(game.circuit).circuits) == 4
    with using(CircuitLimits(phase_steps=7)):
        assert len(phases(game.circuit).circuits) == 1


@pytest.mark.parametrize(("late", "last"), [(25, 31), (31, 31), (4, 9)])
def test_who_has_the_turn_at_the_end_wins(late: int, last: int) -> None:
    sheet = turned(late, last)
    right = record(Interpreter(read(sheet)), max_length=last + 1).goals
    tally = load(sheet).playouts.run(600)
    assert {role: tally.mean_goal(r) for r, role in enumerate("ab")} == right


@pytest.mark.parametrize("name", ["tictactoe", "three-player-tictactoe", "nim", "domineering"])
def test_the_circuit_of_a_turn_says_what_the_whole_says(name: str) -> None:
    game = load(name)
    found, whole = phases(game.circuit), game.circuit
    match = record(game, seed=1, max_length=40)
    assert len(found.circuits) > 1
    for t, step in enumerate(match.steps):
        done = [step.moves[role] == move for role, some in zip(game.roles, game.moves, strict=True) for move in some]
        inputs = [f in step.state for f in game.fluents] + done
        turn = found.circuits[t % len(found.circuits)]
        assert evaluate(turn, inputs, turn.outputs.tolist()) == evaluate(whole, inputs, whole.outputs.tolist())
