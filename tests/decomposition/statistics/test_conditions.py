"""Subgoals and victory conditions: the examples of §4.7, and what a condition promises, on random states."""

from __future__ import annotations

from itertools import product

import pytest

import ludisect
from ludisect.decomposition.statistics.conditions import conditions
from tests.circuit.test_signals import value


def fluents(name: str, sets: tuple[tuple[int, frozenset[int]], ...]) -> set[tuple[int, frozenset[str]]]:
    """Conditions with fluents as text."""
    game = ludisect.load(name)
    return {(role, frozenset(str(game.fluents[f]) for f in found)) for role, found in sets}


def test_each_lamp_that_counts_is_a_subgoal() -> None:
    found = conditions(ludisect.load("four-lamps"))
    assert fluents("four-lamps", found.subgoals) == {(0, frozenset({"(on b)"})), (0, frozenset({"(on c)"}))}
    assert fluents("four-lamps", found.victory) == {(0, frozenset({"(on b)", "(on c)"}))}


def test_lines_are_victory_conditions() -> None:
    game = ludisect.load("tictactoe")
    found = conditions(game)
    lines = {f for role, f in fluents("tictactoe", found.victory) if role == 0}
    assert len(lines) == 8
    assert all(len(line) == 3 and all(" x)" in f for f in line) for line in lines)
    assert found.subgoals == ()


def test_each_group_of_lamps_is_enough() -> None:
    game = ludisect.load("lights-on-parallel")
    victory = conditions(game).victory
    groups = [{game.fluents[f].args[0] for f in found} for _, found in victory]
    assert len(victory) == 4
    assert all(len(group) == 1 for group in groups)


def test_boards_are_subgoals_of_a_double_game() -> None:
    game = ludisect.load("double-tictactoe")
    found = conditions(game)
    assert found.subgoals
    assert all(len({game.fluents[f].name for f in part}) == 1 for _, part in found.subgoals)


@pytest.mark.parametrize("name", ["four-lamps", "tictactoe", "nim:1,2", "blocks-maze", "two-track"])
def test_a_victory_condition_can_settle_the_best_goal_by_itself(name: str) -> None:
    """Some values of its fluents make the best goal certain whatever the others are; and no fluent is superfluous."""
    game = ludisect.load(name)
    small = [(role, sorted(part)) for role, part in conditions(game).victory if len(part) <= 10]
    assert small
    for role, part in small[:12]:
        best = max(v for r, v in game.goal_table if r == role)
        net = int(game.circuit.goal[game.goal_table.index((role, best))])

        def wins(used: list[int], net: int = net) -> bool:
            return any(
                value(game.circuit, net, {f + 1: bool(v) for f, v in zip(used, values, strict=True)})
                for values in product((0, 1), repeat=len(used))
            )

        assert wins(part)
        assert not any(wins([f for f in part if f != g]) for g in part)
