"""Game trees with outright wins, valued with integers in place of the wins: the twin of marked values.

A leaf that wins outright is stood for by an integer larger than anything else on the board; if the canonical form does
not depend on that integer, it is the value (Mäser, *Global threats in combinatorial games*, 2001, ch. 6).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ludisect.cgt.loopy import Mark
from ludisect.cgt.value import Value, canonical, number

HUGE = 1 << 40
"""More than any number in a tree of the tests."""


@dataclass(frozen=True, slots=True)
class Tree:
    """A position of a game with outright wins: options are trees, short values, or the marks ON and OFF."""

    left: Sequence[Tree | Value | Mark]
    right: Sequence[Tree | Value | Mark]


@dataclass(frozen=True, slots=True)
class LoopyVerdict:
    """What :func:`resolve` found: ``win`` or ``loss`` for Left whoever starts, a short ``value``, or an open threat.

    With ``threat`` the value is not short: the players named in ``threatens`` win outright if they may move first
    (nobody is named if the threat lies deeper in the game).
    """

    kind: str
    value: Value | None = None
    threatens: str = ""


def resolve(tree: Tree | Value | Mark) -> LoopyVerdict:
    """Evaluate a game tree with outright wins (Mäser's result types win, loss and CGT, and threats)."""
    first, second = _with_wins(tree, HUGE), _with_wins(tree, 2 * HUGE)
    if first is second:
        return LoopyVerdict("value", first)
    limit = HUGE // 2
    if first.right_stop > limit:
        return LoopyVerdict("win")
    if first.left_stop < -limit:
        return LoopyVerdict("loss")
    return LoopyVerdict(
        "threat", None, ("L" if first.left_stop > limit else "") + ("R" if first.right_stop < -limit else "")
    )


def _with_wins(tree: Tree | Value | Mark, huge: int) -> Value:
    if isinstance(tree, Value):
        return tree
    if tree is Mark.ON:
        return number(huge)
    if tree is Mark.OFF:
        return number(-huge)
    assert isinstance(tree, Tree)
    return canonical([_with_wins(x, huge) for x in tree.left], [_with_wins(y, huge) for y in tree.right])
