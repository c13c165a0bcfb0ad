"""Compiled Domineering against the plain search."""

from __future__ import annotations

import random

import pytest

from ludisect.errors import BudgetExceeded
from ludisect.rulesets import Domineering
from ludisect.rulesets.dominoes import Dominoes
from ludisect.sums.local import LocalSearch


def test_random_boards_agree() -> None:
    source = random.Random(3)
    compiled, plain = Dominoes(), LocalSearch(kernel="plain")
    for _ in range(60):
        rows, cols = source.randint(1, 4), source.randint(1, 5)
        board = "|".join("".join(source.choice("...#") for _ in range(cols)) for _ in range(rows))
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
