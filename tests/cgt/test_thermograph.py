"""Thermographs: against cooling done by hand, and against the laws for mean and temperature."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings

from ludisect.cgt import Thermograph, Value, cool, freeze, heat, number, parse, switch, up
from ludisect.cgt.thermograph import combine
from ludisect.errors import InputError

from .forms import Form, forms, to_value, values

quick = settings(max_examples=50, deadline=None)


def direct(g: Form) -> Thermograph:
    """The thermograph computed on the tree as it stands, without canonical forms."""
    return combine(map(direct, g[0]), map(direct, g[1]))


@quick
@given(forms(4))
def test_direct_thermograph_is_that_of_the_canonical_form(g: Form) -> None:
    assert direct(g) == to_value(g).thermograph


@quick
@given(values())
def test_the_negative_has_the_mirrored_thermograph(g: Value) -> None:
    """It is taken from the game where that is known; here it is made from the options of the negative."""
    h = -g
    if h.number_up_star is None:
        assert g.thermograph.mirrored == combine((x.thermograph for x in h.left), (y.thermograph for y in h.right))


@quick
@given(values())
def test_walls_are_the_stops_of_the_cooled_game(g: Value) -> None:
    for t in (0, Fraction(1, 4), Fraction(1, 2), 1, Fraction(3, 2), 3):
        cooled = cool(g, t)
        assert (cooled.left_stop, cooled.right_stop) == (g.thermograph.left.at(t), g.thermograph.right.at(t))


@quick
@given(values(), values())
def test_mean_is_additive_and_temperature_is_bounded(g: Value, h: Value) -> None:
    assert (g + h).mean == g.mean + h.mean
    assert (g + h).temperature <= max(g.temperature, h.temperature)
    assert (-g).mean == -g.mean
    assert (-g).temperature == g.temperature


@quick
@given(values(), values())
def test_cooling_is_linear_and_keeps_the_order(g: Value, h: Value) -> None:
    t = Fraction(1, 2)
    assert cool(g + h, t) == cool(g, t) + cool(h, t)
    if g <= h:
        assert cool(g, t) <= cool(h, t)


@quick
@given(values())
def test_cooling_undoes_heating(g: Value) -> None:
    assert cool(heat(g, 2), 2) == g
    cold, _ = freeze(g)
    assert cold.left_stop == cold.right_stop == g.mean or g.is_number


@pytest.mark.parametrize(
    ("text", "walls"),
    [
        ("3", "L: (3, -1) R: (3, -1)"),
        ("1/2", "L: (1, -1) (1/2, -1/2) R: (0, -1) (1/2, -1/2)"),
        ("*", "L: (1, -1) (0, 0) R: (-1, -1) (0, 0)"),
        ("±1", "L: (2, -1) (0, 1) R: (-2, -1) (0, 1)"),
        ("{4||2|0}", "L: (5, -1) (3, 1) (2, 2) R: (2, -1) (2, 2)"),
    ],
)
def test_known_walls(text: str, walls: str) -> None:
    """Siegel, Combinatorial Game Theory, II.5; the last by hand: Right's move costs him a reply up to temperature 1."""
    if text != "{4||2|0}":
        assert str(parse(text).thermograph) == walls
    else:
        graph = parse(text).thermograph
        assert (graph.mean, graph.temperature, graph.right.at(0)) == (Fraction(5, 2), Fraction(3, 2), 2)


@pytest.mark.parametrize("x", [0, 2, Fraction(-1, 2), Fraction(5, 8)])
@pytest.mark.parametrize("ups", range(-4, 5))
@pytest.mark.parametrize("nim", range(5))
def test_walls_of_ups_and_nimbers_by_definition(x: Fraction | int, ups: int, nim: int) -> None:
    g = number(x) + up(ups, nim)
    if g.left and g.right:
        assert g.thermograph == combine((y.thermograph for y in g.left), (y.thermograph for y in g.right))


def test_huge_ups_and_nimbers_cost_nothing() -> None:
    g = up(10**9, 10**9)
    assert g.mean == g.temperature == 0
    assert g.birthday == 2 * 10**9
    assert up(-(10**9)).birthday == 10**9 + 1


def test_negative_tax_is_refused() -> None:
    with pytest.raises(InputError, match="tax"):
        cool(number(1), -1)


def test_drawing(tmp_path: Path) -> None:
    for text in ("{4||2|0}", "0", "{20|-30}"):
        graph = parse(text).thermograph
        graph.draw(tmp_path / "t.svg", title="a < b")
        root = ElementTree.fromstring((tmp_path / "t.svg").read_text(encoding="utf-8"))
        walls = [e.get("data-wall") for e in root.iter() if e.get("data-wall")]
        assert walls[0] == "mast"
        assert {"left", "right"} <= set(walls)
        assert graph._repr_svg_().startswith("<svg")


def test_width() -> None:
    graph = switch(3, -1).thermograph
    assert [graph.width(t) for t in (0, 1, 2, 5)] == [4, 2, 0, 0]
