"""Nested decompositions: parts put together until the outer glue shows, and solved like the whole."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from ludisect import load
from ludisect.composition.ondemand import compose
from ludisect.decomposition.methods import decompose
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.search.coarser import coarser, merged
from ludisect.search.part.shape import refuse_structure
from ludisect.search.serial.serial import stages_of
from ludisect.search.solve import solve
from ludisect.search.way import Inapplicable
from tests.search.agreement import Tally, Whole
from tests.search.known import double_tictactoe, nim, taken_apart

NESTED = {
    "a choice of stages": ("choice", ["(serial walk walk)", "ring"]),
    "two rows of stages": ("choice", ["(serial walk ring)", "(serial walk walk)"]),
    "a stage of parts to choose from": ("serial", ["(choice walk walk)", "ring"]),
    "a last stage of parts to choose from": ("serial", ["walk", "(choice ring walk)"]),
    "a stage of parts that move together": ("serial", ["(sync walk walk)", "ring"]),
    "a last stage of parts that move together": ("serial", ["walk", "(sync ring walk)"]),
    "stages beside a part that moves along": ("sync", ["(serial walk walk)", "walk"]),
}


@cache
def nested(what: str, seed: int, players: int) -> Decomposition:
    operation, machines = NESTED[what]
    return decompose(load(compose(operation, machines, seed=seed, players=players).rules), seconds=120)


@pytest.mark.parametrize("what", NESTED)
@pytest.mark.parametrize("players", [1, 2])
def test_nested_games_are_worth_what_the_whole_is(what: str, players: int) -> None:
    parts = nested(what, 1, players)
    assert len(parts.dependent) > 2
    tally = Tally()
    tally.check(what, parts, Whole(parts.game))
    assert tally.faults == []
    assert tally.answers["default, exact"] == 1


def test_parts_that_move_together_become_one() -> None:
    # two pins that stand side by side are parts of their own, and one ball takes both
    parts = taken_apart("kayles:4,2")
    assert len(parts.dependent) == 3
    with pytest.raises(Inapplicable, match="has an effect in parts"):
        refuse_structure(parts)
    ((rows, why),) = coarser(parts)
    assert "move together" in why
    assert rows.structure == "parallel-choice"
    assert sorted(len(s.fluent_numbers) for s in rows.dependent) == [2, 4]
    assert [len(s.move_numbers[0]) for s in rows.dependent] == [4 + 3, 2 + 1]
    answer = solve(parts)
    assert answer.algorithm.startswith("nimbers")
    assert list(Whole(parts.game).faults(answer)) == []


def test_stages_become_one() -> None:
    parts = nested("a choice of stages", 1, 2)
    ((groups, why),) = coarser(parts)
    assert "stages of one part" in why
    assert len(groups.dependent) == 2
    assert not any(s.after for s in groups.dependent)
    refuse_structure(groups)


def test_groups_keep_their_order() -> None:
    parts = nested("a stage of parts that move together", 1, 1)
    groups = [found for found, _ in coarser(parts)]
    assert [stages_of(found) for found in groups] == [[[0], [1]]]


GLUE = {
    "a choice of stages": "parallel-choice",
    "two rows of stages": "parallel-choice",
    "a stage of parts that move together": "serial",
    "a last stage of parts that move together": "serial",
    "stages beside a part that moves along": "parallel-sync",
}


@pytest.mark.parametrize("what", NESTED)
def test_the_outer_glue_shows(what: str) -> None:
    parts = nested(what, 1, 1)
    assert [found.structure for found, _ in coarser(parts)] == [GLUE[what] for _ in range(what in GLUE)]


@pytest.mark.parametrize("what", NESTED)
def test_with_every_part_by_itself_the_structure_stays(what: str) -> None:
    parts = nested(what, 1, 2)
    assert parts.structure == "mixed"
    assert merged(parts, [[i] for i in range(len(parts.dependent))]).structure == "mixed"


def test_stages_in_a_row_stay_serial() -> None:
    parts = taken_apart("relay")
    assert parts.structure == merged(parts, [[0], [1], [2]]).structure == merged(parts, [[0], [1, 2]]).structure


def test_nothing_to_put_together() -> None:
    assert list(coarser(double_tictactoe())) == []


def test_groups_are_numbered_like_parts() -> None:
    parts = nim(2, 3, 1)
    two = merged(parts, [[0, 2], [1]])
    assert [(s.id, s.kind) for s in two] == [(1, "dependent"), (2, "dependent"), (3, "independent")]
    assert two[3].fluents == parts[4].fluents
    twice = replace(parts, parts=(*parts.parts, replace(parts[4], id=5)))
    assert [s.id for s in merged(twice, [[0], [1, 2]])] == [1, 2, 3, 4]


def changed(parts: Decomposition, **changes: dict[int, Any]) -> Decomposition:
    """The decomposition with fields of its parts replaced: the name of the field, then part -> value."""
    return replace(
        parts,
        parts=tuple(
            replace(s, **{field: values[s.id] for field, values in changes.items() if s.id in values}) for s in parts
        ),
    )


def test_a_group_is_useful_if_one_of_it_is() -> None:
    parts = changed(nim(2, 3, 1), useful={1: False, 2: False})
    assert [s.useful for s in merged(parts, [[0, 1], [2]]).dependent] == [False, True]
    assert [s.useful for s in merged(parts, [[0, 2], [1]]).dependent] == [True, False]


def test_a_group_waits_for_what_its_parts_wait_for() -> None:
    """And not for itself, nor for what is no part to be played."""
    parts = changed(nim(1, 1, 1, 1), after={2: (1, 5), 3: (2,), 4: (1, 5)})
    assert [s.after for s in merged(parts, [[0], [1, 2], [3]]).dependent] == [(), (1,), (1,)]
    assert [s.after for s in merged(parts, [[0, 3], [1], [2]]).dependent] == [(), (1,), (2,)]
    assert [why for _, why in coarser(parts)] == []  # all of it would be one part
    alone = changed(nim(1, 1, 1, 1), after={2: (1, 5)})
    assert [len(found.dependent) for found, _ in coarser(alone)] == [3]


def test_useless_parts_do_not_make_a_structure() -> None:
    parts = changed(nim(1, 1, 1), after={2: (1,), 3: (2,)})
    assert merged(parts, [[0], [1], [2]]).structure == "serial"
    useless = changed(parts, useful={2: False, 3: False})
    assert merged(useless, [[0], [1], [2]]).structure == "parallel-choice"


def test_any_group_is_right() -> None:
    parts = nim(2, 3, 1)
    two = merged(parts, [[0, 2], [1]])
    assert [len(s.fluent_numbers) for s in two.dependent] == [5, 4]
    assert solve(two, "nimbers").value == solve(parts, "whole").value
