"""Sums as objects: what they are made of, shown as text that reads back, asked without limits and with."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

import ludisect
from ludisect.cgt import Value, number
from ludisect.errors import BudgetExceeded, InputError
from ludisect.rulesets import Domineering, Nim, Player
from ludisect.sums import LocalSearch, Sum


def test_what_a_sum_is_made_of() -> None:
    d = Domineering("2x2")
    assert Sum(d).components == Sum([d]).components == (d,)
    assert Sum("nim 3 + ^").components == Sum(["nim 3", "^"]).components == (Nim("3"), Value("^"))
    assert Sum(Sum([d, 1])).components == Sum(x for x in (d, 0, 1.0)).components == (d, Value(1))
    assert Sum(3).components == (Value(3),)
    assert Sum([]).components == Sum(0).components == ()
    with pytest.raises(TypeError, match=r"a sum is made of positions, values, numbers, sums, and texts .* not of list"):
        Sum([[d]])  # type: ignore[list-item]
    with pytest.raises(InputError, match="unknown game"):
        Sum("nimm 3")


@pytest.mark.parametrize("text", ["domineering ..|.. + {1|*}", "nim 3 5 7", "0", "toads X.O + impartial toads X.O"])
def test_sums_read_back(text: str) -> None:
    game = Sum(text)
    assert str(game) == text
    assert repr(game) == f"Sum({text!r})"
    assert eval(repr(game), {"Sum": Sum}).components == game.components


def test_the_empty_sum() -> None:
    nothing = Sum([])
    assert nothing.value == nothing.mean == 0
    assert nothing.outcome == "P"
    assert nothing.temperature == -1
    assert str(nothing) == "0"
    assert (nothing + "nim 2").value == Value("*2")


def test_sums_that_grow_out_of_one_share_what_is_known() -> None:
    game = Sum("domineering 3x3 + {3|-1}")
    first = game.value
    nodes = game.search.nodes
    assert nodes > 0
    for other in (game + "nim 1", game - 1, 2 + game, game.play(game.moves(Player.LEFT)[-1])):
        assert other.search is game.search
        assert isinstance(other.value, Value)
    assert game.search.nodes == nodes
    assert game.value is first


def test_limits_of_the_search_hold() -> None:
    game = Sum("domineering 4x4", search=LocalSearch(nodes=3))
    with pytest.raises(BudgetExceeded) as caught:
        _ = game.value
    assert caught.value.partial == {"bounds": ["-8", "8"]}
    with pytest.raises(BudgetExceeded):
        _ = game.outcome
    with pytest.raises(BudgetExceeded):
        ludisect.value(Sum("domineering 5x6"), seconds=0.0)
    with pytest.raises(BudgetExceeded):
        ludisect.value(game)
    assert ludisect.value(game, seconds=60.0) is ludisect.value("domineering 4x4")


def test_notebooks_show_the_components() -> None:
    root = ElementTree.fromstring(Sum("domineering 2x2 + {1|*} + nim 3")._repr_html_())
    assert len(root.findall("tr/td")) == 3
    assert [code.text for code in root.iter("code")] == ["domineering ..|..", "{1|*}", "nim 3"]
    assert [e.get("data-picture") for e in root.iter("{http://www.w3.org/2000/svg}svg")] == ["board", "board"]


def test_the_total_is_the_sum_of_components() -> None:
    game = Sum("domineering ..#|... + clobber XXO + 1/2")
    assert game.value is sum((game.value_of(x) for x in game.components), number(0))
    assert game.thermograph == game.value.thermograph
    assert game.thermograph_of(game.components[0]) == Value("±1").thermograph
