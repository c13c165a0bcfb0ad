"""What random play brings, from every way that it can go: the plain twin of playouts."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from ludisect.gdl import State


def mean_goal(state: State[Any], role: str) -> Fraction:
    """What a role gets on average if everybody moves at random."""
    if state.is_over:
        return Fraction(state.goals[role] or 0)
    joint = list(product(*state.legal.values()))
    return sum((mean_goal(state.play(moves), role) for moves in joint), Fraction()) / len(joint)
