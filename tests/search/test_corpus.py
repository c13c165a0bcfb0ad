"""Public games of several parts: the optimum of puzzles within seconds, and the value of the whole where known."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludisect import load
from ludisect.decomposition.methods import decompose
from ludisect.errors import BudgetExceeded
from ludisect.search.solve import solve
from tests.search.agreement import Tally, Whole

PUZZLES = {
    "asteroidsParallel": "lockstep",
    "asteroidsSerial": "subgoals",
    "blocksWorldParallel": "parallel",
    "futoshiki4": "subgoals",
    "hidato19": "subgoals",
    "incredible": "subgoals",
    "lightsOnSimultaneous": "subgoals",
    "nonogram_5x5_1": "subgoals",
    "simultaneousWin2": "subgoals",
    "snakeParallel": "subgoals",
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


@pytest.mark.corpus
@pytest.mark.parametrize("name", SMALL)
def test_small_games_by_every_way(corpus: Path, name: str) -> None:
    parts = decompose(load(corpus / "games" / f"{name}.kif"))
    assert len(parts.dependent) > 1
    tally = Tally()
    tally.check(name, parts, Whole(parts.game))
    assert tally.faults == []
    assert tally.answers["default, exact"] == 1


COMPOUNDS = (
    *PUZZLES, *SMALL, "asteroidsSerial", "blockerParallel", "blockerSerial", "double_tictactoe_dengji",
    "doubletictactoe", "dualConnect4", "factoringEasyTurtleBrain", "futoshiki4", "hidato19", "lightsOnParallel", "nim3",
    "ticTacHeaven", "ticTacToeParallel", "ticTacToeSerial",
)  # fmt: skip
"""Games of several parts."""


@pytest.mark.corpus
@pytest.mark.slow
def test_all_games_of_several_parts(corpus: Path) -> None:
    """Every way on those that can be searched whole in some seconds: minutes for all."""
    tally = Tally()
    for name in dict.fromkeys(COMPOUNDS):
        parts = decompose(load(corpus / "games" / f"{name}.kif"), seconds=30)
        assert len(parts.dependent) > 1, name
        try:
            tally.check(name, parts, Whole(parts.game))
        except BudgetExceeded:
            continue
    assert tally.faults == []
    assert tally.answers["default, exact"] >= 5
