"""Loopy marks: outcomes of sums with on, off, over, under and dud."""

from __future__ import annotations

from hypothesis import given, settings

from ludisect.cgt import Value, number, parse, up
from ludisect.cgt.loopy import Loop, Mark, Result

from .forms import values

WIN, LOSS, DRAW = Result.WIN, Result.LOSS, Result.DRAW


@settings(max_examples=30, deadline=None)
@given(values(3))
def test_short_values_as_graphs(g: Value) -> None:
    expected = {"L": (WIN, WIN), "R": (LOSS, LOSS), "N": (WIN, LOSS), "P": (LOSS, WIN)}
    assert Loop.of(g).results() == expected[g.outcome]
    assert (Loop.of(Mark.ON) + Loop.of(g)).results() == (WIN, WIN), "on beats every short game"
    assert (Loop.of(Mark.OFF) + Loop.of(g)).results() == (LOSS, LOSS)
    assert (Loop.of(Mark.DUD) + Loop.of(g)).results() == (DRAW, DRAW), "dud is a deathless universal draw"


def test_marks() -> None:
    assert (Loop.of(Mark.ON) + Loop.of(Mark.OFF)).results() == (DRAW, DRAW)
    over = Loop.of(Mark.OVER)
    assert (over + Loop.of(number(0))).results() == (WIN, WIN)
    assert (over + Loop.of(-parse("1/16"))).results() == (LOSS, LOSS), "over is less than every positive number"
    assert (over + Loop.of(up(-3))).results() == (WIN, WIN), "and greater than any number of ups"
    assert (Loop.of(Mark.UNDER) + Loop.of(up(3))).results() == (LOSS, LOSS)
