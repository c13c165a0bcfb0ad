"""Public games that none of us wrote: all read and read back, none has an error, traces of another engine agree."""

from __future__ import annotations

from functools import cache
from itertools import islice
from pathlib import Path

import pytest

from ludisect.gdl import Interpreter, Rules, check, read, read_file, read_trace, replay, write

pytestmark = pytest.mark.corpus

SMALL = (
    "2pffa", "3pffa", "3pttc", "asteroids", "atariGo_7x7", "biddingTicTacToe", "blocks", "buttons", "chomp",
    "connectFour", "dualConnect4", "eightPuzzle", "god", "gt_centipede", "hanoi", "incredible", "knightwar",
    "lightsOnParallel", "linesOfAction", "nim3", "nineBoardTicTacToe", "peg", "pentago_v1", "queens08lg",
    "simultaneousWin2", "snakeParallel", "ticTacToe", "ticTacToeParallel", "wargame03",
)  # fmt: skip
"""Of many kinds, each replayed within a second."""


@cache
def sheets(corpus: Path) -> dict[str, Rules]:
    """All games as they are read."""
    return {file.name: read_file(file) for file in sorted((corpus / "games").glob("*.kif"))}


def disagreements(corpus: Path, name: str, matches: int | None = None) -> list[str]:
    machine = Interpreter(read_file(corpus / "games" / f"{name}.kif"))
    trace = read_trace(corpus / "traces" / f"{name}.jsonl.gz")
    return [str(found) for match in islice(trace, matches) for found in replay(machine, match)]


def test_every_game_reads_and_reads_back(corpus: Path) -> None:
    assert len(sheets(corpus)) == 225
    for name, rules in sheets(corpus).items():
        kif, infix = read(write(rules)), read(write(rules, "infix"))
        assert kif == rules, name
        assert infix == rules, name
        assert (kif.notation, infix.notation) == ("kif", "infix"), name


def test_no_game_that_other_engines_play_has_an_error(corpus: Path) -> None:
    for name, rules in sheets(corpus).items():
        errors = [str(problem) for problem in check(rules) if problem.level == "error"]
        assert errors == [], name


@pytest.mark.parametrize("name", SMALL)
def test_the_first_match_of_small_games(corpus: Path, name: str) -> None:
    assert disagreements(corpus, name, 1) == []


@pytest.mark.slow
def test_every_trace(corpus: Path) -> None:
    """Some ten minutes."""
    for file in sorted((corpus / "traces").glob("*.jsonl.gz")):
        name = file.name.removesuffix(".jsonl.gz")
        assert disagreements(corpus, name) == [], name
