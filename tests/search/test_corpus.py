"""Public games of several parts: the optimum of puzzles within seconds, and the value of the whole where known."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludisect import load
from ludisect.decompose.methods import decompose
from ludisect.errors import BudgetExceeded
from ludisect.search.solve import solve
from tests.search.agreement import Tally, Whole

PUZZLES = {
    "asteroidsParallel": "lockstep",
    "asteroidsSerial": "subgoals",
    "blocksWorldParallel": "parallel",
    "incredible": "subgoals",
    "lightsOnSimultaneous": "subgoals",
    "nonogram_5x5_1": "subgoals",
    "simultaneousWin2": "subgoals",
    "snakeParallel": "plans",
}
"""Single-player games of several parts whose best goal can be reached, and the way that finds it."""

SMALL = ("nim1", "blocksWorldParallel", "brain_teaser_extended")
"""Games whose positions are explored in a moment."""


@pytest.mark.corpus
@pytest.mark.parametrize("name", PUZZLES)
def test_the_optimum_of_puzzles(corpus: Path, name: str) -> None:
    answer = solve(decompose(load(corpus / "games" / f"{name}.kif")))
    assert answer.exact
    assert list(answer.value.values()) == [100]
    assert answer.algorithm == PUZZLES[name]
    assert answer.seconds < 10


@pytest.mark.corpus
@pytest.mark.parametrize("name", SMALL)
def test_small_games_by_every_way(corpus: Path, name: str) -> None:
    parts = decompose(load(corpus / "games" / f"{name}.kif"))
    assert len(parts.dependent) > 1
    tally = Tally()
    tally.check(name, parts, Whole(parts.game))
    assert tally.faults == []
    assert tally.answers["default, exact"] == 1


@pytest.mark.corpus
@pytest.mark.slow
def test_all_games_of_several_parts(corpus: Path) -> None:
    """Those that can be built, cut and searched whole in some seconds each: most of an hour for all."""
    tally = Tally()
    for path in sorted((corpus / "games").glob("*.kif")):
        try:
            game = load(path, seconds=20)
            parts = decompose(game, seconds=20)
            if len(parts.dependent) > 1 and parts.evidence is not None and parts.evidence.status != "failed":
                tally.check(path.stem, parts, Whole(game, 30), 30)
        except BudgetExceeded:
            continue
    assert tally.faults == []
    assert tally.answers["default, exact"] >= 8
