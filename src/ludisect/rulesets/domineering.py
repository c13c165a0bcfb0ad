"""Domineering (Left places vertical dominoes, Right horizontal ones) and Cram (both place either).

References: Göran Andersson's game as in *Winning Ways*, ch. 5, and Conway, *On Numbers and Games*, ch. 10 (values of
small boards); Cram: Gardner 1974.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar

from ludisect.cgt.dyadic import Number
from ludisect.rulesets.grid import GridPosition
from ludisect.rulesets.position import Player


class Domineering(GridPosition):
    """Domineering on any board; a move is the pair of cells it covers."""

    name = "domineering"
    alphabet: ClassVar[str] = ".#"
    transposes = -1

    def moves(self, player: Player) -> Sequence[tuple[int, int]]:
        cells, cols = self.cells, self.cols
        if player is Player.LEFT:
            return [(i, i + cols) for i in range(len(cells) - cols) if cells[i] == "." == cells[i + cols]]
        return [(i, i + 1) for i in range(len(cells) - 1) if cells[i] == "." == cells[i + 1] and (i + 1) % cols]

    def play(self, player: Player, move: tuple[int, int]) -> Domineering:
        return self.replaced((i, "#") for i in move)

    def bounds(self) -> tuple[Number, Number]:
        """Nobody can place more dominoes than fit into the board when the opponent never moves."""

        def most(lines: list[str]) -> int:
            return sum(len(run) // 2 for line in lines for run in line.split("#"))

        rows = [self.cells[i : i + self.cols] for i in range(0, len(self.cells), self.cols)]
        return -most(rows), most(["".join(column) for column in zip(*rows, strict=True)])

    def estimate(self) -> Number:
        """Half of what both players could place if the opponent never moved."""
        low, high = self.bounds()
        return Fraction(low + high, 2)

    def move_text(self, move: tuple[int, int]) -> str:
        return "-".join(map(self.cell_text, move))


class Cram(Domineering):
    """The impartial game with the same dominoes."""

    name = "cram"
    impartial = True
    transposes = 1

    def moves(self, player: Player) -> Sequence[tuple[int, int]]:
        return [*super().moves(Player.LEFT), *super().moves(Player.RIGHT)]

    def bounds(self) -> tuple[Number, Number]:
        """An impartial game lies strictly between -1 and 1."""
        return -1, 1

    def estimate(self) -> Number:
        """Nimbers have mean 0."""
        return 0
