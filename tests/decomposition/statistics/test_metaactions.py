"""Meta-actions: the compound moves of Figure 2, and the rules by which conditions find their moves."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import ludisect
from ludisect.circuit.signals import conjunctions, move_decides, own_conjunctions, reach
from ludisect.decomposition.evidence.sample import take_sample
from ludisect.decomposition.statistics.effects import Parameters, find_effects
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
        Parameters(),
    )  # fmt: skip
    premises = conjunctions(circuit, effects.causes, decides)
    legal = legal_premises(game, reach(circuit, circuit.legal))
    actions = meta_actions(game, effects, premises, legal, table.n_joint > 0)
    boards = [{game.fluents[x // 2].name for x in (*a.effects, *a.next, *a.legal)} - {"control"} for a in actions]
    assert len(boards) >= 36
    assert all(len(b) == 1 for b in boards)
    assert set().union(*boards) == {"first", "second"}
