"""Thermographs by matplotlib: the lines are the walls; without it, the error says what to install."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from ludisect.cgt import Value
from ludisect.cgt.thermograph import Wall


@pytest.fixture
def pyplot() -> Any:
    matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install 'ludisect[plots]'")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    yield pyplot
    pyplot.close("all")


def corners(line: Any) -> list[tuple[float, float]]:
    return [(float(t), float(x)) for x, t in zip(*line.get_data(), strict=True)]


@pytest.mark.parametrize("text", ["{4||2|0}", "±3", "1/2", "*", "5"])
def test_the_lines_are_the_walls(pyplot: Any, text: str) -> None:
    g = Value(text)
    ax = g.plot()
    assert ax.get_title() == str(g)
    assert ax.xaxis_inverted()
    lines = {line.get_label(): corners(line) for line in ax.get_lines()}
    foot = (float(g.temperature), float(g.mean))

    def points(wall: Wall) -> list[tuple[float, float]]:
        return [(float(t), float(x)) for t, x in wall.points]

    assert lines["left wall"] == [*points(g.thermograph.left), foot]
    assert lines["right wall"] == [*points(g.thermograph.right), foot]
    assert lines["mast"][0] == foot
    assert lines["mast"][1][0] > foot[0]
    assert lines["mast"][1][1] == foot[1]


def test_several_in_axes_of_ones_own(pyplot: Any) -> None:
    _, (one, two) = pyplot.subplots(1, 2)
    assert Value("±1").thermograph.plot(one, title="first") is one
    assert Value("±2").plot(two) is two
    Value("±3").plot(two)
    assert len(two.get_lines()) == 6
    assert two.xaxis_inverted()
    assert (one.get_title(), two.get_title()) == ("first", "±3")


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)  # to import it is an error now
    with pytest.raises(ImportError, match=r"pip install 'ludisect\[plots\]'"):
        Value("±1").plot()
