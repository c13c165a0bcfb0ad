"""Local moves: moves with the same effect on a part are one, and moves that leave it alone are its pass."""

from __future__ import annotations

import numpy as np
import pytest

from ludisect.circuit.batch import unpack
from ludisect.circuit.game import Game
from ludisect.circuit.load import load
from ludisect.decompose.localmoves import PASS, local_moves, mask_of
from ludisect.decompose.sample import take_sample
from tests.decompose import sheets
from tests.decompose.brute import explore
from tests.decompose.found import game_of, parts_of


def classes(game: Game, *starts: str) -> list[set[frozenset[str]]]:
    """Per role, the local moves of the part with the fluents that begin so, as text."""
    fluents = [f for f, t in enumerate(game.fluents) if str(t).startswith(starts)]
    found = local_moves(game, take_sample(game), fluents).classes
    return [
        {frozenset(str(game.moves[r][m]) for m in members) for members in of_role} for r, of_role in enumerate(found)
    ]


def test_every_move_of_a_track_is_a_local_move_and_the_rest_is_pass() -> None:
    assert classes(game_of("two-track"), "(at1") == [{frozenset({"(move1 b)"}), frozenset({"(move1 c)"})}]


def test_each_of_many_moves_is_a_local_move() -> None:
    """More fluents than fit into a word or two, and moves that differ in the last bit of each."""
    for of_role in classes(load(sheets.two_numbers(140)), "(named"):
        assert of_role == {frozenset({f"(name {n})"}) for n in range(141)}


def test_compound_moves_fall_apart() -> None:
    game = game_of("parallel-tictactoe")
    for of_role in classes(game, "(first"):
        assert len(of_role) == 9
        assert frozenset({"(mark a1 none)", *(f"(mark a1 {c}{r})" for c in "abc" for r in "123")}) in of_role


def test_a_lamp_that_fades_while_others_are_pressed_is_left_alone() -> None:
    """Nothing stays as it is: what happens by itself is the pass."""
    assert classes(game_of("lights-on"), "(shines a") == [{frozenset({"(press a)"})}]


def test_waiting_for_the_other_is_a_pass() -> None:
    for of_role in classes(game_of("nim:2,1"), "(heap a"):
        assert {move for members in of_role for move in members} == {"(reduce a 0)", "(reduce a 1)"}


def test_moves_with_names_of_their_own_and_one_effect_are_one() -> None:
    twice = "(<= (legal player (touch ?x)) (switch ?x) (not (true (up ?x)))) (<= (put ?x) (does player (touch ?x)))"
    game = load(sheets.switches("ab", sheets.lines("ab"), moves=twice))
    assert classes(game, "(up a") == [{frozenset({"(push a)", "(touch a)"})}]


def test_two_ways_of_leaving_a_part_alone_come_to_the_same() -> None:
    """What the circuit makes of no move at all may be what a real move does: then it is no pass."""
    moves = """(<= (legal player both) (not (true (up a))) (not (true (up b))))
    (<= (put a) (does player both)) (<= (put b) (does player both))"""
    sheet = sheets.switches("ab", sheets.lines("ab"), moves=moves)
    game = load(
        sheet.replace("(legal player (push ?x)) (switch ?x)", "(legal player (push ?x)) (same ?x a)") + "(same a a)"
    )
    assert classes(game, "(up") == [{frozenset({"both"}), frozenset({"(push a)"})}]


def test_masks_are_bits_of_fluents() -> None:
    game = game_of("double-tictactoe")
    for fluents in ([0], [3, 17, 40], list(range(len(game.fluents)))):
        assert np.flatnonzero(unpack(mask_of(game, fluents)[None], len(game.fluents))[0]).tolist() == fluents


@pytest.mark.parametrize("name", ["two-track", "nim:2,3", "kayles:2,3", "four-lamps", "relay"])
def test_moves_of_one_class_do_the_same_everywhere(name: str) -> None:
    """In every reachable state: equal classes give equal next values, and a pass leaves the part as it is."""
    parts = parts_of(name)
    game = parts.game
    steps = explore(game)
    assert steps
    for s in parts.dependent:
        mine = {game.fluents[f] for f in s.fluents}
        number = [
            {game.moves[r][m]: c for c, ms in enumerate(of_role) for m in ms} for r, of_role in enumerate(s.moves)
        ]
        known: dict[object, object] = {}
        for step in steps:
            made = tuple(number[r].get(step.moves[role], PASS) for r, role in enumerate(game.roles))
            after = step.following & mine
            assert known.setdefault((step.state, made), after) == after
            if set(made) == {PASS}:
                assert after == step.state & mine
