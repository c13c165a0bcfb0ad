"""Subgoals and victory conditions: the examples of §4.7, and what a condition promises, on random states."""

from __future__ import annotations

import numpy as np
import pytest

import ludisect
from ludisect.decompose.subgoals import conditions


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


@pytest.mark.parametrize("name", ["four-lamps", "tictactoe", "lights-on-parallel", "nim", "blocks-maze", "queens"])
def test_the_best_goal_hangs_on_the_fluents_of_its_conditions(name: str) -> None:
    """Whether a role gets its best goal can be told from the fluents of all its conditions, if it has any."""
    game = ludisect.load(name)
    found = conditions(game)
    rng = np.random.default_rng(1)
    states = rng.integers(0, 1 << 63, (400, game.initial.shape[1]), np.uint64)
    for role in range(len(game.roles)):
        used = set().union(*(part for r, part in found.victory if r == role))
        if not used:
            continue
        mask = np.zeros(game.initial.shape[1], np.uint64)
        for f in used:
            mask[f >> 6] |= np.uint64(1) << np.uint64(f & 63)
        best = max(v for r, v in game.goal_table if r == role)
        net = game.goal_table.index((role, best))
        mixed = (states & mask) | (states[::-1] & ~mask)
        assert (_net(name, states, net) == _net(name, mixed, net)).all()


def _net(name: str, states: np.ndarray[tuple[int, ...], np.dtype[np.uint64]], net: int) -> list[bool]:
    """One goal net on many states, by plain evaluation."""
    from tests.circuit.evaluate import evaluate_literals

    return evaluate_literals(ludisect.load(name).circuit, states, [net])
