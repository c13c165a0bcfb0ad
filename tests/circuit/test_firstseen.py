"""States that take care to reach, held against a plain search state by state."""

from __future__ import annotations

import pytest

import ludisect
from ludisect.circuit.firstseen import first_seen
from ludisect.circuit.game import Game
from ludisect.gdl.state import State

LOCKS = """(role robot)
(init (step 0)) (init (red 0)) (init (green 0)) (init (blue 0))
(code red 0 a) (code red 1 b) (code red 2 a) (code green 0 b) (code green 1 b) (code green 2 a)
(code blue 0 a) (code blue 1 b) (code blue 2 b) (letter a) (letter b) (letter c) (letter d)
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9)
(<= (open red) (not (true (red 3))))
(<= (open green) (true (red 3)) (not (true (green 3))))
(<= (open blue) (true (green 3)) (not (true (blue 3))))
(<= (at red ?n) (true (red ?n)))
(<= (at green ?n) (true (green ?n)))
(<= (at blue ?n) (true (blue ?n)))
(<= (legal robot (press ?l ?x)) (open ?l) (letter ?x))
(legal robot wait)
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= (right ?l) (does robot (press ?l ?x)) (at ?l ?n) (code ?l ?n ?x))
(<= (touched ?l) (does robot (press ?l ?x)))
(<= (will ?l ?m) (right ?l) (at ?l ?n) (succ ?n ?m))
(<= (will ?l 0) (touched ?l) (not (right ?l)))
(<= (will ?l ?n) (at ?l ?n) (not (touched ?l)))
(<= (next (red ?n)) (will red ?n))
(<= (next (green ?n)) (will green ?n))
(<= (next (blue ?n)) (will blue ?n))
(<= terminal (true (step 9)))
(<= (goal robot 100) (true (blue 3)))
(<= (goal robot 0) (not (true (blue 3))))
"""
"""Three locks one after the other: only nine presses without a fault open all."""


def plainly(game: Game) -> list[State[Game]]:
    """The twin: every move of every kept state in turn; where several choose, the others make their first one."""
    shown: set[object] = set()
    kept, states = [], [game.start]
    while states:
        following = []
        states = [s for s in states if not s.is_over and all(s.legal[role] for role in game.roles)]
        kept += states
        for state in states:
            first = {role: moves[0] for role, moves in state.legal.items()}
            for role in game.roles:
                following += [state.play({**first, role: move}) for move in state.legal[role]]
        states = []
        for state in following:
            new = (state.fluents ^ game.start.fluents) - shown
            if new:
                states.append(state)
                shown |= new
    return kept


@pytest.mark.parametrize("name", ["tictactoe", "nim:2,3", "relay", "runners", "tron:3x3", "multiple-hanoi", LOCKS])
def test_the_states_are_those_of_a_plain_search(name: str) -> None:
    game = ludisect.load(name)
    rows, joint = first_seen(game, 10**6)
    assert [game.batch.state(row) for row in rows] == [state.fluents for state in plainly(game)]
    legal = game.batch.legal(rows)
    for role, low in enumerate(game.batch.first_move[:-1]):
        assert (legal[range(len(rows)), low + joint[:, role]]).all()


def test_no_more_moves_are_tried_than_asked_for() -> None:
    game = ludisect.load("tictactoe")
    assert len(first_seen(game, 0)[0]) == 0
    assert len(first_seen(game, 1)[0]) == 1
    assert len(first_seen(game, 10)[0]) < len(first_seen(game, 1000)[0])
