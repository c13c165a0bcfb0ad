"""Meta-actions: the compound moves of Figure 2, and the rules by which conditions find their moves."""

from __future__ import annotations

from functools import reduce
from operator import or_

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludisect
from ludisect.circuit.signals import conjunctions, move_decides, own_conjunctions, reach
from ludisect.decomposition.evidence.sample import take_sample
from ludisect.decomposition.limits import DecompositionLimits
from ludisect.decomposition.statistics.cutsets import cut, meta_actions_by_letter
from ludisect.decomposition.statistics.effects import find_effects
from ludisect.decomposition.statistics.metaactions import (
    MetaAction,
    bits_of,
    columns_as_sets,
    meta_actions,
    nest,
    share_circumstances,
)
from ludisect.decomposition.statistics.playouts import legal_premises
from ludisect.decomposition.statistics.tally import play, statistics


@given(st.integers(min_value=0, max_value=1 << 200))
def test_bits_of_a_number(number: int) -> None:
    assert bits_of(number) == [i for i in range(201) if number >> i & 1]


@given(st.lists(st.lists(st.booleans(), min_size=3, max_size=3), min_size=1, max_size=20))
def test_columns_are_sets_of_rows(rows: list[list[bool]]) -> None:
    found = columns_as_sets(np.array(rows))
    assert [set(bits_of(x)) for x in found] == [{i for i, row in enumerate(rows) if row[c]} for c in range(3)]


@given(st.lists(st.integers(min_value=1, max_value=255), min_size=1, max_size=8, unique=True))
def test_a_set_takes_the_links_of_what_contains_it(sets: list[int]) -> None:
    groups = [MetaAction(0, moves, {n}, {100 + n}) for n, moves in enumerate(sets)]
    nest(groups)
    for group, moves in zip(groups, sets, strict=True):
        around = {n for n, other in enumerate(sets) if moves & other == moves}
        assert group.effects == around
        assert group.next == {100 + n for n in around}


def test_conditions_go_to_the_sets_that_they_condition() -> None:
    first, second = MetaAction(0, 0b0011, {0}), MetaAction(0, 0b0101, {1})
    share_circumstances([first, second], {0b0011: {10}, 0b0111: {11}, 0b0001: {12}, 0b1001: {13}})
    assert first.legal == {10, 11, 12}
    assert second.legal == {11, 12}
    bare = MetaAction(0, 0b1010, {2})
    share_circumstances([bare], {0b1001: {13}})
    assert bare.legal == {13}


def test_compound_moves_of_two_boards_fall_apart() -> None:
    """Figure 2: every meta-action of a move on two boards has the effects and conditions of one board only."""
    game = ludisect.load("parallel-tictactoe")
    circuit = game.circuit
    seen = play(game, 500, np.zeros(len(game.fluents), np.bool_), seed=0)
    table = statistics(seen)
    decides = move_decides(circuit)
    effects = find_effects(
        game, seen, table, reach(circuit, circuit.next), *own_conjunctions(circuit, decides), take_sample(game),
        DecompositionLimits(),
    )  # fmt: skip
    premises = conjunctions(circuit, effects.causes, decides)
    legal = legal_premises(game, reach(circuit, circuit.legal))
    actions = meta_actions(game, effects, premises, legal, table.n_joint > 0)
    boards = [{game.fluents[x // 2].name for x in (*a.effects, *a.next, *a.legal)} - {"control"} for a in actions]
    assert len(boards) >= 36
    assert all(len(b) == 1 for b in boards)
    assert set().union(*boards) == {"first", "second"}


# ---- by the letter of Definition 8 ----

families = st.lists(st.integers(min_value=1, max_value=255), min_size=1, max_size=9)


def cut_slowly(sets: list[int]) -> list[int]:
    """Take the smallest set that lies in another, cut all that contain it, begin again."""
    alive = set(sets)
    while True:
        inside = [a for a in alive if any(a != b and a & b == a for b in alive)]
        if not inside:
            return sorted(alive)
        inner = min(inside, key=lambda a: (a.bit_count(), a))
        outer = {b for b in alive if b != inner and b & inner == inner}
        alive = (alive - outer) | {b ^ inner for b in outer}


@given(families)
def test_sets_are_cut_as_slowly(sets: list[int]) -> None:
    assert cut(sets) == cut_slowly(sets)


@given(families)
def test_what_is_left_of_sets_that_are_cut(sets: list[int]) -> None:
    """No set lies in another, and each given set is put together of those that are left."""
    left = cut(sets)
    assert not any(a != b and a & b == a for a in left for b in left)
    for moves in sets:
        inside = [a for a in left if a & moves == a]
        assert reduce(or_, inside, 0) == moves


def test_the_example_of_a_rest_that_cuts_on() -> None:
    """{1, 2} leaves {3} of {1, 2, 3}, {3} leaves {2} of {2, 3}, and {2} leaves {1} of {1, 2}."""
    assert cut([0b111, 0b011, 0b110]) == [0b001, 0b010, 0b100]
    assert cut([0b011, 0b110]) == [0b011, 0b110]


@pytest.mark.parametrize("name", ["parallel-tictactoe", "kayles:3,2", "blocks-maze", "relay"])
def test_definition_8(name: str) -> None:
    """Every clause of the definition, on tables of single moves."""
    game = ludisect.load(name)
    circuit = game.circuit
    seen = play(game, 200, np.zeros(len(game.fluents), np.bool_), seed=0)
    table = statistics(seen)
    decides = move_decides(circuit)
    found = find_effects(
        game, seen, table, reach(circuit, circuit.next), *own_conjunctions(circuit, decides), take_sample(game),
        DecompositionLimits(),
    )  # fmt: skip
    legal = legal_premises(game, reach(circuit, circuit.legal))
    actions, notes = meta_actions_by_letter(game, found.causes, decides, legal)
    every = conjunctions(circuit, np.ones_like(found.causes), decides)
    beside = set(zip(every.head.tolist(), every.move.tolist(), every.premise.tolist(), strict=True))
    idle: dict[tuple[int, int, int], set[int]] = {}
    for head, move, premise in beside:
        if not found.causes[move, head]:
            role = int(np.searchsorted(game.batch.first_move, move, side="right")) - 1
            idle.setdefault((role, head, premise), set()).add(move)
    covered = np.zeros_like(found.causes)
    assert not notes
    for action in actions:
        members = action.members()
        assert action.effects
        assert all(found.causes[m, change] for m in members for change in action.effects)
        for premise in action.next:
            assert any(all((head, m, premise) in beside for m in members) for head in action.effects)
        assert all(legal[literal, m] for m in members for literal in action.legal)
        assert not any(moves < set(members) for moves in idle.values())
        covered[np.ix_(members, sorted(action.effects))] = True
    assert np.array_equal(covered, found.causes)


def test_without_the_last_clause_it_is_said() -> None:
    limits = DecompositionLimits(cutsets_pairs=0)
    parts = ludisect.decompose(ludisect.load("relay"), method="playouts", variant="letter", playouts=100, limits=limits)
    assert any("too many moves and fluents" in note for note in parts.notes)
