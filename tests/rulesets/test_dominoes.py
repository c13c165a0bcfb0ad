"""Compiled Domineering against the plain search."""

from __future__ import annotations

import random

import pytest

from ludisect.errors import BudgetExceeded
from ludisect.rulesets import Cram, Domineering
from ludisect.rulesets.dominoes import Dominoes, DominoNims
from ludisect.rulesets.position import Impartial
from ludisect.sums.local import LocalSearch


def random_boards(seed: int, count: int) -> list[str]:
    source = random.Random(seed)
    sizes = ((source.randint(1, 4), source.randint(1, 5)) for _ in range(count))
    return ["|".join("".join(source.choice("...#") for _ in range(cols)) for _ in range(rows)) for rows, cols in sizes]


def test_random_boards_agree() -> None:
    compiled, plain = Dominoes(), LocalSearch(kernel="plain")
    for board in random_boards(3, 60):
        position = Domineering.parse(board)
        assert compiled.value(position) is plain.value(position), board


@pytest.mark.parametrize("text", ["7x1", "1x7", "2x7", "#######|.......|#######|.......|#######|.......|#######"])
def test_edges_of_the_word(text: str) -> None:
    position = Domineering.parse(text)
    assert Dominoes().value(position) is LocalSearch(kernel="plain").value(position)


def test_what_fits() -> None:
    assert Dominoes.fits(Domineering.parse("7x7"))
    assert not Dominoes.fits(Domineering.parse("2x8"))


def test_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Dominoes, "SLICE", 50)
    search = Dominoes()
    with pytest.raises(BudgetExceeded, match="time limit"):
        search.value(Domineering.parse("5x5"), seconds=0.0)
    known = len(search)
    assert known > 0, "what was found is kept"
    assert search.value(Domineering.parse("4x4")).temperature == 0


def test_nim_values_agree() -> None:
    compiled, plain = DominoNims(), LocalSearch(kernel="plain")
    for board in random_boards(4, 40):
        value = plain.value(Cram.parse(board))
        assert value.number_up_star is not None
        assert compiled.nim(Cram.parse(board)) == value.number_up_star[2], board


def test_nim_values_of_rectangles() -> None:
    """Cram is lost for the first player on even by even boards, won on even by odd ones (Gardner 1974)."""
    search = LocalSearch()
    assert search.value(Cram.parse("4x6")).is_zero
    assert search.value(Impartial(Domineering.parse("6x5"))).outcome == "N"


def test_limits_of_nim_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DominoNims, "SLICE", 50)
    search = DominoNims()
    with pytest.raises(BudgetExceeded, match="time limit"):
        search.nim(Cram.parse("5x5"), seconds=0.0)
    assert len(search) > 0, "what was found is kept"
    with pytest.raises(BudgetExceeded, match="positions"):
        DominoNims(entries=100).nim(Cram.parse("5x5"))
    assert DominoNims.board(Domineering.parse("3x3")) is None
    assert DominoNims.board(Impartial(Domineering.parse("8x2"))) is None
