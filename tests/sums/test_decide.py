"""Deciding sums of positions: values, search of the whole and brute force agree."""

from __future__ import annotations

import pytest

from ludisect.errors import BudgetExceeded
from ludisect.rulesets import Player, read
from ludisect.sums.decide import decide
from ludisect.sums.strategies import alpha_beta
from ludisect.sums.table import Sum
from ludisect.sums.wholesearch import WholeSearch

SUMS = [
    "domineering 3x3 + clobber XO|OX",
    "nogo .X.|...|O.. + *",
    "amazons X..|..O",
    "snort 2x2 + col 1x4 + 1/2",
    "toads TT..FF + {1|-1}",
]


@pytest.mark.parametrize("expression", SUMS)
@pytest.mark.parametrize("player", Player)
def test_all_ways_agree(expression: str, player: Player) -> None:
    components = read(expression)
    found = decide(components, player, seconds=30)
    assert found.way == "values"
    assert found.wins == WholeSearch(local_nodes=0).wins(components, player)
    assert found.wins == WholeSearch(local_nodes=20).wins(components, player)
    assert found.wins == alpha_beta(Sum(components), player).wins


@pytest.mark.parametrize("way", ["values", "plays", "mixed"])
def test_every_way_can_be_the_one(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludisect.sums.decide.WAYS", (way, way, way))
    components = read("clobber 2x4 + amazons X.O")
    for player in Player:
        found = decide(components, player, seconds=60)
        assert found.way == way
        assert found.wins == decide(components, player).wins


@pytest.mark.parametrize(
    ("board", "winners"), [("nogo ..X.|....|.O..|XO..", "LR"), ("clobber " + "XO" * 15, "LR"), ("nogo 4x4", "")]
)
def test_a_large_board_is_played_out(board: str, winners: str) -> None:
    """The first with the answers of another program; a strip of Clobber is won by the first player (but for six)."""
    for player in Player:
        found = decide(read(board), player, seconds=120)
        assert found.way == "board"
        assert found.wins == (player.value in winners)


@pytest.mark.parametrize("player", Player)
def test_small_tables_change_no_answer(player: Player) -> None:
    components = read("snort 2x2 + col 1x4 + nogo 1x5")
    small, large = WholeSearch(local_nodes=3, entries=8), WholeSearch(local_nodes=3)
    assert small.wins(components, player) == large.wins(components, player)
    assert small.nodes > large.nodes, "what was forgotten is searched again"


def test_limits() -> None:
    with pytest.raises(BudgetExceeded, match="time limit"):
        decide(read("nogo 5x5"), Player.LEFT, seconds=0.2)
