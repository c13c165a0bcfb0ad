"""Local moves: moves with the same effect on a part are one, and moves that leave it alone are its pass."""

from __future__ import annotations

import numpy as np
import pytest

from ludisect.circuit.game import Game
from ludisect.circuit.record import record, unique_rows
from ludisect.circuit.rows import unpack
from ludisect.decomposition import methods
from ludisect.decomposition.evidence.localmoves import PASS, local_moves, mask_of
from ludisect.decomposition.evidence.sample import Sample, cover, take_sample
from ludisect.decomposition.evidence.verify import given_or_found
from ludisect.decomposition.limits import DecompositionLimits
from ludisect.decomposition.methods import decompose
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.loader import load
from ludisect.search.whole import statespace
from ludisect.settings import using
from tests.decomposition import sheets
from tests.decomposition.brute import explore
from tests.decomposition.crowd import crowd
from tests.decomposition.found import game_of, parts_of


def classes(game: Game, *starts: str) -> list[set[frozenset[str]]]:
    """Per role, the local moves of the part with the fluents that begin so, as text."""
    fluents = [f for f, t in enumerate(game.fluents) if str(t).startswith(starts)]
    found = local_moves(take_sample(game), fluents).classes
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
        mine = {game.fluents[f] for f in s.fluent_numbers}
        number = [
            {game.moves[r][m]: c for c, ms in enumerate(of_role) for m in ms}
            for r, of_role in enumerate(s.move_numbers)
        ]
        known: dict[object, object] = {}
        for step in steps:
            made = tuple(number[r].get(step.moves[role], PASS) for r, role in enumerate(game.roles))
            after = step.following & mine
            assert known.setdefault((step.state, made), after) == after
            if set(made) == {PASS}:
                assert after == step.state & mine


def misplaced(parts: Decomposition) -> list[str]:
    """Parts in which, somewhere in all that play can reach, moves of equal classes lead to different values."""
    game = parts.game
    space = statespace.explore(game)
    source = np.repeat(np.arange(len(space.states)), np.diff(space.graph.edge_start))
    before, after, joint = space.states[source], space.states[space.graph.successor], space.graph.joint
    out = []
    for s in parts.dependent:
        mask = mask_of(game, s.fluent_numbers)
        number = given_or_found(game, take_sample(game), s).number
        made = np.stack([number[r][joint[:, r]] for r in range(len(game.roles))], axis=1).astype(np.uint64)
        seen = before & (mask | mask_of(game, parts.context_numbers))
        first, kind = unique_rows(np.concatenate([seen, made], axis=1))
        if ((after ^ after[first[kind]]) & mask).any():
            out.append(f"part {s.id}")
    return out


@pytest.mark.parametrize("seed", range(12))
def test_rare_moves_do_what_their_classes_say(seed: int) -> None:
    """Moves that few plays make, and mostly while others do the same: where they can be made, they are no passes."""
    parts = decompose(load(crowd(seed)))
    assert parts.evidence is not None
    assert parts.evidence.status == "proved"
    assert parts.unseen_move_numbers == ()
    assert misplaced(parts) == []


@pytest.mark.parametrize("seed", [0, 4, 9])
def test_the_solver_shows_what_the_sample_does_not(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a sample that is as it comes, and hardly any plays, the classes are still right in the end."""

    def plain(sample: Sample, transitions: object) -> Sample:
        return sample

    monkeypatch.setattr(methods, "cover", plain)
    parts = decompose(load(crowd(seed)), playouts=20)
    assert parts.evidence is not None
    assert parts.evidence.status == "proved"
    assert misplaced(parts) == []


def test_rare_moves_are_seen_beside_several_moves_of_the_others() -> None:
    game = load(crowd(5))
    plain = take_sample(game)
    sample = cover(plain, record(game, 50, seed=1))
    rare = np.flatnonzero((plain.legal.sum(axis=0) > 0) & (plain.legal.sum(axis=0) < 3))
    assert len(rare)
    for column in rare.tolist():
        role = int(np.searchsorted(game.batch.first_move, column, side="right")) - 1
        others = np.delete(sample.joint[sample.legal[:, column]], role, axis=1)
        assert len(np.unique(others, axis=0)) > 2, game.moves[role][column - int(game.batch.first_move[role])]
    made = sample.joint + game.batch.first_move[:-1]
    assert sample.legal[np.arange(len(made))[:, None], made].all()


def test_legal_moves_of_one_class_agree_in_every_sampled_state() -> None:
    """Also where only a few states are looked at for moves that are not legal there."""
    game = load(sheets.two_numbers(12))
    sample = take_sample(game)
    fluents = [f for f, t in enumerate(game.fluents) if str(t).startswith("(named")]
    with using(DecompositionLimits(localmoves_pairs=1)):
        few = local_moves(take_sample(game), fluents)
    mask = mask_of(game, fluents)
    key = np.stack([sample.pair_state, sample.pair_role, few.of_pairs(sample)], axis=1).astype(np.uint64)
    first, kind = unique_rows(key)
    assert not ((sample.pair_next ^ sample.pair_next[first[kind]]) & mask).any()
