"""Guarded operators say what the rules say, in every state; what has no such form is refused with the reason."""

from __future__ import annotations

import numpy as np
import pytest

import ludisect
from ludisect.circuit.game import Game
from ludisect.circuit.rows import pack, unpack
from ludisect.search.regions import NoOperators, operators
from ludisect.search.regions.changes import bits
from ludisect.search.regions.guarded import SIDES, Operators
from tests.search.regions.sheets import sheet


def random_rows(found: Operators, game: Game, seed: int, count: int) -> np.ndarray:
    """Random states, reachable or not, at random turns."""
    rng = np.random.default_rng(seed)
    holds = rng.random((count, len(game.fluents))) < rng.random((count, 1))
    known = game.circuit.input_value[1 : 1 + len(game.fluents)]
    holds[:, known < 2] = known[known < 2]
    for row in holds:
        turn = found.turns[rng.integers(len(found.turns))]
        for f, value in turn.context.items():
            row[f] = value
    return pack(holds)


GAMES = {
    "domineering": lambda: sheet("domineering", 3, 4),
    "clobber": lambda: sheet("clobber", 2, 3),
    "toads": lambda: sheet("toads", 2, 4),
    "kayles": lambda: ludisect.load("kayles:4,5"),
    "nim": lambda: ludisect.load("nim:2,4"),
    "col": lambda: sheet("col", 2, 3),
    "snort": lambda: sheet("snort", 3, 3),
    "amazons": lambda: sheet("amazons", 2, 3),
    "nogo": lambda: sheet("nogo", 2, 2),
    "tictactoe": lambda: ludisect.load("tictactoe"),
    "breakthrough": lambda: ludisect.load("breakthrough:3x4"),
    "chomp": lambda: ludisect.load("chomp:3x3"),
}


@pytest.mark.parametrize("name", GAMES)
def test_operators_are_the_rules(name: str) -> None:
    game = GAMES[name]()
    found = operators(game)
    rows = random_rows(found, game, seed=7, count=60)
    legal = game.batch.legal(rows)
    for k in range(len(rows)):
        row, player = rows[k : k + 1], found.mover(rows[k])
        role, facts = SIDES.index(player), found.word(rows[k])
        first = game.batch.first_move[role]
        expected = {str(move) for i, move in enumerate(game.moves[role]) if legal[k, first + i]}
        made = [op for op in found.listed if op.player is player and op.fits(facts)]
        effects = {str(move): found.word(_after(game, row, role, i)) for i, move in enumerate(game.moves[role])}
        # moves that need the same and do the same are one operator
        assert {op.move for op in made} <= expected
        assert {effects[move] for move in expected} == {op.after(facts) for op in made}
        for op in made:
            assert op.after(facts) == effects[op.move]


def _after(game: Game, row: np.ndarray, role: int, move: int) -> np.ndarray:
    joint = np.zeros((1, 2), np.int64)
    joint[0, role] = move
    waiting = 1 - role
    first = game.batch.first_move[waiting]
    joint[0, waiting] = np.flatnonzero(game.batch.legal(row)[0, first : first + len(game.moves[waiting])])[0]
    return game.batch.next(row, joint)


def test_turns_are_no_facts() -> None:
    found = operators(sheet("domineering", 2, 2))
    assert [str(f) for f in found.facts] == [f"(free {r} {c})" for r in (1, 2) for c in (1, 2)]
    assert len(found.turns) == 2
    start = found.game.start
    assert found.mover(start) is SIDES[0]
    assert found.mover(start.play("(place 1 1)")) is SIDES[1]
    with pytest.raises(ludisect.LudisectError, match="nobody's turn"):
        found.mover(found.game.state(["(free 1 1)"]))


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("lights-out:2x2", "it has 1 role, and a sum has two players"),
        ("three-player-tictactoe", "it has 3 roles"),
        ("rock-paper-scissors", "at turn 1 both .* and .* may have a choice"),
    ],
)
def test_refusals_say_why(name: str, why: str) -> None:
    with pytest.raises(NoOperators, match=why):
        operators(ludisect.load(name))


_PASSING = """
(role a) (role b) (init (control a)) (init (f 1)) (base (f 1)) (base (control a)) (base (control b))
(<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
(<= (input ?r ?m) (role ?r) (choice ?m)) (choice take) (choice noop) (choice rest)
(<= (legal ?r take) (true (control ?r)) (true (f 1)))
{more}
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= taken (does ?r take))
(<= (next (f 1)) (true (f 1)) (not taken))
(<= terminal (not (true (f 1)))) (goal a 50) (goal b 50)
"""


def test_a_pass_is_refused() -> None:
    passing = operators(ludisect.load(_PASSING.format(more="(<= (legal ?r rest) (true (control ?r)))")))
    with pytest.raises(NoOperators, match="a could make the move rest for ever"):
        passing.regions(passing.game.start)
    plain = operators(ludisect.load(_PASSING.format(more="")))
    assert [str(region.value) for region in plain.regions(plain.game.start)] == ["*"]


def test_rows_and_states_are_the_same() -> None:
    game = sheet("domineering", 3, 4)
    found = operators(game)
    state = game.start.play("(place 1 1)")
    row = game.batch.row(state.fluents)
    assert found.regions(state) == found.regions(state.fluents) == found.regions(row) == found.regions(row[0])
    held = {str(found.facts[f]) for f in bits(found.word(state))}
    assert held == {str(f) for f in state.fluents if f.name == "free"}
    assert unpack(row, len(game.fluents)).sum() == len(state.fluents)


def test_a_fact_is_not_asked_what_it_is_where_it_stays_so() -> None:
    """Coloured squares stay coloured: a move is split by which neighbours are free, not by who owns the others."""
    found = operators(ludisect.load("regio:3x3"))
    assert len(found) == 2 * (4 * 2**2 + 4 * 2**3 + 2**4)


def test_players_who_do_not_alternate_are_refused() -> None:
    sheet = """
    (role left) (role right) (init (turn 0)) (init (heap a 2)) (init (heap b 1))
    (mover 0 left) (mover 1 right) (mover 2 right) (mover 3 left)
    (follows 0 1) (follows 1 2) (follows 2 3) (follows 3 0)
    (<= (next (turn ?u)) (true (turn ?t)) (follows ?t ?u))
    (less 2 1) (less 1 0)
    (<= (onturn ?r) (true (turn ?t)) (mover ?t ?r))
    (<= (legal ?r (take ?h)) (onturn ?r) (true (heap ?h ?n)) (less ?n ?m))
    (<= (legal ?r noop) (role ?r) (not (onturn ?r)))
    (<= (taken ?h) (does ?r (take ?h)))
    (<= (next (heap ?h ?m)) (taken ?h) (true (heap ?h ?n)) (less ?n ?m))
    (<= (next (heap ?h ?n)) (true (heap ?h ?n)) (not (taken ?h)))
    (<= able (true (heap ?h ?n)) (less ?n ?m))
    (<= terminal (not able))
    (<= (goal ?r 0) (onturn ?r)) (<= (goal ?r 100) (role ?r) (not (onturn ?r)))
    """
    with pytest.raises(NoOperators, match="right moves at turn 2 and at the next"):
        operators(ludisect.load(sheet))
