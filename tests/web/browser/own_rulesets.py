"""Rulesets as a user would write them: one that works on a board of its own, and one that breaks in a position."""

from __future__ import annotations

from collections.abc import Sequence

from ludisect.rulesets import Player
from ludisect.rulesets.grid import GridPosition


class Crosses(GridPosition):
    """Both put crosses on free squares that touch no cross; who cannot move loses."""

    name = "crosses"
    example = "3x3"

    def moves(self, player: Player) -> Sequence[int]:
        free = [i for i, cell in enumerate(self.cells) if cell == "."]
        return [i for i in free if all(self.cells[j] != "X" for j in self._near(i))]

    def play(self, player: Player, move: int) -> Crosses:
        return type(self)(self.rows, self.cols, self.cells[:move] + "X" + self.cells[move + 1 :])

    def _near(self, i: int) -> list[int]:
        row, column = divmod(i, self.cols)
        around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        return [r * self.cols + c for r, c in around if 0 <= r < self.rows and 0 <= c < self.cols]


class Broken(Crosses):
    """Breaks as soon as there is a cross."""

    name = "broken"
    example = "2x2"

    def moves(self, player: Player) -> Sequence[int]:
        if "X" in self.cells:
            raise ZeroDivisionError("no rule for crosses")
        return super().moves(player)
