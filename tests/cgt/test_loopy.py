"""Loopy marks: outcomes of sums with on, off, over, under and dud; outright wins in a game tree."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from ludisect.cgt import Value, number, parse, up
from ludisect.cgt.loopy import Loop, LoopyVerdict, Mark, Result, Tree, resolve

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


STAR = parse("*")


@pytest.mark.parametrize(
    ("tree", "verdict"),
    [
        # Mäser 2001, 6.2 and figure 6.2: both moves lose outright, which is as good as none
        (Tree([Tree([Mark.ON], [Mark.OFF])], [Tree([Mark.ON], [Mark.OFF])]), LoopyVerdict("value", number(0))),
        # figure 6.5: {{on|*}|} = 1
        (Tree([Tree([Mark.ON], [STAR])], []), LoopyVerdict("value", number(1))),
        # figure 6.1: e3-e4 and d5-d4 are reversible, {0|0} remains
        (
            Tree(
                [number(0), Tree([STAR, Tree([Mark.ON], [STAR])], [STAR, Tree([STAR], [Mark.OFF])])],
                [number(0), Tree([STAR, Tree([Mark.ON], [STAR])], [STAR, Tree([STAR], [Mark.OFF])])],
            ),
            LoopyVerdict("value", STAR),
        ),
        (Tree([Mark.ON], [Mark.ON]), LoopyVerdict("win")),
        (Tree([], [Mark.OFF]), LoopyVerdict("loss")),
        (Tree([STAR], [Mark.OFF]), LoopyVerdict("threat", None, "R")),
        (Tree([Mark.OFF], [Mark.OFF]), LoopyVerdict("loss")),
        (Tree([Mark.ON], [Mark.OFF]), LoopyVerdict("threat", None, "LR")),
        (number(3), LoopyVerdict("value", number(3))),
    ],
)
def test_outright_wins(tree: Tree | Value, verdict: LoopyVerdict) -> None:
    assert resolve(tree) == verdict


def test_only_on_and_off_are_leaves() -> None:
    with pytest.raises(ValueError, match="over"):
        resolve(Tree([Mark.OVER], []))
