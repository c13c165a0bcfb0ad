"""The start clock: whether a learnt policy pays is decided by matches, and by more than chance."""

from __future__ import annotations

import pytest

from ludisect import clock
from ludisect.kernels.workers import needed
from ludisect.loader import load
from ludisect.play.tree import TreeSearch, Tuned, ready, tune
from ludisect.play.tree.limits import TreeLimits
from ludisect.play.tree.tuning import _judged
from tests.play.tree.test_searcher import ONE_STEP


def test_chance_decides_nothing() -> None:
    assert _judged([]) == Tuned(False, 0, 0.5)
    assert not _judged([1.0, 0.0, 1.0, 0.0]).policy
    assert _judged([1.0] * 9 + [0.0] * 3).policy
    assert not _judged([0.0] * 9 + [1.0] * 3).policy
    assert str(_judged([1.0] * 9 + [0.0] * 3)) == (
        "plays prefer moves that did well: preferring scored 75 % in 12 matches"
    )


def test_tuning_plays_matches_until_its_deadline() -> None:
    game = load("tictactoe")
    found = tune(game, deadline=clock.now() + 0.4, move_seconds=0.002)
    assert found.matches % 2 == 0
    assert 0.0 <= found.score <= 1.0
    assert tune(game, deadline=clock.now() - 1.0) == Tuned(False, 0, 0.5)
    assert tune(load("three-player-tictactoe"), deadline=clock.now() + 100) == Tuned(False, 0, 0.5)


def test_good_moves_are_preferred() -> None:
    """After a search of a game of one move, plays would go to its better moves."""
    game = load(ONE_STEP)
    learning = TreeLimits(tree_policy=1, tree_policy_at=200, tree_policy_visits=2, tree_solver=0)
    search = TreeSearch(game, seed=1, limits=learning)
    search.search(game.start, visits=4000)
    (tree,) = search._trees
    targets = {int(t): int(c) for t, c in zip(game.playouts.code.step[8], tree._seats.classes, strict=True)}
    first = 1 + len(game.fluents)
    classes = {str(move): targets[first + i] for i, move in enumerate(game.moves[0])}
    assert classes["(pick 7)"] <= 1
    assert classes["(pick 0)"] == 3
    assert tree._seats.own.size > 0


def test_machine_code_is_there_after_a_search() -> None:
    game = load("tictactoe")
    TreeSearch(game).search(game.start, visits=10)
    assert all(code.stored() for code in needed(["play.tree.rounds"]))
    if ready():
        assert all(code.stored() for code in needed(["tree"]))
    with pytest.raises(TypeError):
        TreeSearch(game, limits=3)  # type: ignore[arg-type]
