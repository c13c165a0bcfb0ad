"""The experiment of Mäser 2001, 8.4.5: boards as asked for, alpha-beta that is right, plays to the end."""

from __future__ import annotations

import random
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from ludisect.rulesets import Player, Regio
from ludisect.sums.pointsearch import AlphaBeta
from ludisect.sums.table import Sum


@pytest.fixture
def benchmark(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "benchmarks"))
    yield import_module("regio")
    sys.modules.pop("regio")


@pytest.mark.parametrize("parts", [9, 24])
def test_boards_are_cut_as_asked(benchmark: Any, parts: int) -> None:
    board = benchmark.cut_board(parts, random.Random("seed"))
    if parts == 24:  # fewer and larger parts are cut again and again until they are small enough
        assert board == benchmark.cut_board(parts, random.Random("seed"))
    assert len(board.parts()) == parts
    assert max(part.cells.count(".") for part in board.parts()) <= benchmark.LARGEST


def small(benchmark: Any, seed: int) -> Regio:
    """A large board of which few cells are open, so that plain search can look into it."""
    source, side = random.Random(seed), benchmark.SIDE
    cells = ["#"] * (side * side)
    for row in range(3):
        for col in range(3):
            cells[(row + 4) * side + col + 7] = source.choice("...#")
    return Regio(side, side, "".join(cells))


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_alpha_beta_on_integers_against_plain(benchmark: Any, depth: int) -> None:
    for seed in range(5):
        board = small(benchmark, seed)
        *_, plain = AlphaBeta().deepen(Sum([board]), Player.LEFT, depth=depth)
        quick = benchmark.AlphaBeta(depth)
        move = quick.move(board, Player.LEFT)
        free = sum(1 << i for i, x in enumerate(board.cells) if x == ".")
        assert quick.search(free, depth, -1000, 1000) == plain.points
        after = board.play(Player.LEFT, move)
        total = after.score()
        if depth > 1 and after.moves(Player.RIGHT):
            *_, reply = AlphaBeta().deepen(Sum([after]), Player.RIGHT, depth=depth - 1)
            total = -int(reply.points)
        assert total == plain.points


def test_both_programs_play_to_the_end(benchmark: Any) -> None:
    board = small(benchmark, 1)
    cells = board.cells.count(".")
    for pair in (
        (benchmark.Greedy(4, False), benchmark.AlphaBeta(4)),
        (benchmark.AlphaBeta(4), benchmark.Greedy(4, True)),
    ):
        played = benchmark.play(board, *pair)
        assert abs(played.score) <= cells
        assert (played.score - cells) % 2 == 0  # every cell is somebody's
        assert played.nodes > 0
