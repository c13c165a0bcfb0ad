"""Clobber: a stone moves onto an orthogonally adjacent stone of the opponent and removes it.

References: Albert, Grossman, Nowakowski, Wolfe, *An introduction to Clobber*, INTEGERS 5 (2005).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from ludisect.cgt import Value, number
from ludisect.cgt.dyadic import Number
from ludisect.rulesets.grid import GridPosition, neighbours
from ludisect.rulesets.position import Player

_NO_EMPTY = str.maketrans("", "", ".#")
_STONE = {Player.LEFT: "X", Player.RIGHT: "O"}


class Clobber(GridPosition):
    """Clobber on any board; a move is the pair of cells (from, to). All-small: both can move or neither."""

    name = "clobber"
    swaps = True
    dead = ".#"
    cannibal: ClassVar[bool] = False
    """Whether a stone may also remove one of its own colour."""

    @classmethod
    def fresh(cls, rows: int, cols: int) -> Clobber:
        return cls(rows, cols, "".join("XO"[(r + c) % 2] for r in range(rows) for c in range(cols)))

    def moves(self, player: Player) -> Sequence[tuple[int, int]]:
        own = _STONE[player]
        near, cells = neighbours(self.rows, self.cols), self.cells
        prey = "XO" if self.cannibal else _STONE[player.opponent]
        return [(i, j) for i, x in enumerate(cells) if x == own for j in near[i] if cells[j] in prey]

    def play(self, player: Player, move: tuple[int, int]) -> Clobber:
        return self.replaced([(move[0], "."), (move[1], _STONE[player])])

    def matters(self, group: Sequence[int]) -> bool:
        return len(group) > 1 and (self.cannibal or len({self.cells[i] for i in group}) > 1)

    def bounds(self) -> tuple[Number, Number]:
        """An all-small game lies strictly between -1 and 1."""
        return -1, 1

    def move_text(self, move: tuple[int, int]) -> str:
        return "-".join(map(self.cell_text, move))


class CannibalClobber(Clobber):
    """Clobber in which a stone may also remove a neighbour of its own colour."""

    name = "cannibal_clobber"
    cannibal = True

    def bounds(self) -> tuple[Number, Number]:
        """Every move takes a stone, and one is left."""
        most = max(0, self.cells.count("X") + self.cells.count("O") - 1)
        return -most, most

    def terminal_value(self) -> Value | None:
        """Connected stones of one colour last one move less than there are: each goes to its neighbour in a tree."""
        stones = self.cells.translate(_NO_EMPTY)
        if len(self.components()) != 1 or len(set(stones)) != 1:
            return None
        return number(len(stones) - 1 if stones[0] == "X" else 1 - len(stones))
