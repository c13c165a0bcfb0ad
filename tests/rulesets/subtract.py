"""A game as a user writes one: a subtraction game with its own rules for each player."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from ludisect.errors import InputError
from ludisect.rulesets import Player, Position


@dataclass(frozen=True)
class Subtract(Position):
    """Left takes one or three tokens, Right one or two."""

    tokens: int
    name = "subtract"

    @classmethod
    def parse(cls, text: str) -> Self:
        if not text.isdecimal():
            raise InputError(f"subtract: {text!r} is no number of tokens")
        return cls(int(text))

    def __str__(self) -> str:
        return str(self.tokens)

    def moves(self, player: Player) -> list[int]:
        return [k for k in ((1, 3) if player is Player.LEFT else (1, 2)) if k <= self.tokens]

    def play(self, player: Player, move: int) -> Subtract:
        return Subtract(self.tokens - move)
