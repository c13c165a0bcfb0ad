"""NoGo: stones are placed as in Go, but nothing may ever be captured.

Reference: NoGo (Anti-Atari Go), BIRS workshop on combinatorial game theory, 2011.
"""

from __future__ import annotations

from collections.abc import Sequence

from ludisect.cgt.dyadic import Number
from ludisect.rulesets.grid import GridPosition, neighbours
from ludisect.rulesets.position import Player

_STONE = {Player.LEFT: "X", Player.RIGHT: "O"}


class NoGo(GridPosition):
    """NoGo on any board; a move is the cell of the new stone."""

    name = "nogo"
    swaps = True

    def moves(self, player: Player) -> Sequence[int]:
        return [i for i, x in enumerate(self.cells) if x == "." and self._is_legal(i, _STONE[player])]

    def play(self, player: Player, move: int) -> NoGo:
        return self.replaced([(move, _STONE[player])])

    def _is_legal(self, i: int, stone: str) -> bool:
        """Whether every block has a liberty after a stone at ``i``: its own, and each one that touches it."""
        near = neighbours(self.rows, self.cols)
        cells = self.cells
        if not self._breathes(i, stone, i):
            return False
        return all(cells[j] in ".#" or cells[j] == stone or self._breathes(j, cells[j], i) for j in near[i])

    def _breathes(self, start: int, stone: str, filled: int) -> bool:
        """Whether the block of ``stone`` at ``start`` has an empty neighbour other than ``filled``."""
        near, cells = neighbours(self.rows, self.cols), self.cells
        block, seen = [start], {start}
        for i in block:  # grows while it is walked
            for j in near[i]:
                if cells[j] == "." and j != filled:
                    return True
                if j not in seen and cells[j] == stone:
                    seen.add(j)
                    block.append(j)
        return False

    def linked(self, i: int, j: int) -> bool:
        # stones stay, so a border between different colours never changes
        return super().linked(i, j) and {self.cells[i], self.cells[j]} != {"X", "O"}

    def matters(self, group: Sequence[int]) -> bool:
        return len(group) > 1 and any(self.cells[i] == "." for i in group)

    def bounds(self) -> tuple[Number, Number]:
        """Every move fills a cell."""
        return -self.cells.count("."), self.cells.count(".")

    def move_text(self, move: int) -> str:
        return self.cell_text(move)
