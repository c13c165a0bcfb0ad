"""Toads and Frogs: Left's toads go right, Right's frogs go left, by steps or by jumps over one opponent.

References: Guy's game as in *Winning Ways*, ch. 1 and 5; Erickson, *New Toads and Frogs results*, in Games of No
Chance (1996).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import ClassVar

from ludisect.cgt.dyadic import Number
from ludisect.rulesets.grid import SWAP_STONES, GridPosition
from ludisect.rulesets.position import Player


class Toads(GridPosition):
    """Toads and Frogs on strips (rows do not touch); a move is the pair of cells (from, to)."""

    name = "toads"
    alphabet: ClassVar[str] = ".#XOTF"

    @classmethod
    def normalize(cls, rows: int, cols: int, cells: str) -> str:
        return cells.replace("T", "X").replace("F", "O")

    def moves(self, player: Player) -> Sequence[tuple[int, int]]:
        own, other, step = ("X", "O", 1) if player is Player.LEFT else ("O", "X", -1)
        out = []
        for i, x in enumerate(self.cells):
            if x == own:
                first, second = self._at(i, step), self._at(i, 2 * step)
                if first == ".":
                    out.append((i, i + step))
                elif first == other and second == ".":
                    out.append((i, i + 2 * step))
        return out

    def _at(self, i: int, step: int) -> str:
        """The cell ``step`` places away in the same row; beyond the edge everything is blocked."""
        return self.cells[i + step] if 0 <= i % self.cols + step < self.cols else "#"

    def play(self, player: Player, move: tuple[int, int]) -> Toads:
        return self.replaced([(move[1], self.cells[move[0]]), (move[0], ".")])

    def adjacent(self) -> Sequence[Sequence[int]]:
        last = self.cols - 1
        return [[j for j in (i - 1, i + 1) if 0 <= min(i, j) % self.cols < last] for i in range(len(self.cells))]

    def matters(self, group: Sequence[int]) -> bool:
        return len(group) > 1 and any(self.cells[i] == "." for i in group)

    def bounds(self) -> tuple[Number, Number]:
        """Every move takes a toad to another cell in front of it that no frog stands on, a frog likewise."""
        rows = [self.cells[i : i + self.cols] for i in range(0, len(self.cells), self.cols)]

        def most(row: str, own: str) -> int:
            return sum(row[i + 1 :].count(".") + row[i + 1 :].count(own) for i, x in enumerate(row) if x == own)

        return -sum(most(row[::-1], "O") for row in rows), sum(most(row, "X") for row in rows)

    def key(self) -> tuple[Hashable, bool]:
        # only a half turn with exchanged players is a symmetry
        mirror = self.cells[::-1].translate(SWAP_STONES)
        return (self.name, self.cols, min(self.cells, mirror)), mirror < self.cells

    def __neg__(self) -> Toads:
        return type(self)(self.rows, self.cols, self.cells[::-1].translate(SWAP_STONES))

    def cell_glyph(self, cell: int) -> str:
        return {"X": "toad", "O": "frog"}.get(self.cells[cell]) or super().cell_glyph(cell)

    def move_text(self, move: tuple[int, int]) -> str:
        return "-".join(map(self.cell_text, move))
