"""Points that nobody can change any more, as a position without moves."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from ludisect.cgt import Value, number
from ludisect.cgt.dyadic import Number
from ludisect.rulesets.position import Player, Position


@dataclass(frozen=True)
class FinalScore(Position):
    """A position without moves that is worth some points to Left: the part of a game that is over."""

    points: Number

    name = "points"

    def moves(self, player: Player) -> Sequence[Any]:
        return ()

    def play(self, player: Player, move: Any) -> NoReturn:
        raise ValueError("there are no moves where only points are left")

    def score(self) -> Number:
        return self.points

    def key(self) -> tuple[Hashable, bool]:
        return (self.name, str(self.points)), False

    def terminal_value(self) -> Value:
        return number(self.points)

    def bounds(self) -> tuple[Number, Number]:
        return self.points, self.points

    def __neg__(self) -> FinalScore:
        return FinalScore(-self.points)

    def __str__(self) -> str:
        return str(self.points)
