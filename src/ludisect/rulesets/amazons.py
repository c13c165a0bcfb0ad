"""Amazons: a queen moves like in chess and then shoots an arrow, which blocks a cell for good.

References: Zamkauskas 1988; Berlekamp, *Sums of N×2 Amazons* (2000); Snatzke, *Exhaustive search in the game Amazons*
(2001).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ludisect.cgt import Value, number
from ludisect.cgt.dyadic import Number
from ludisect.rulesets.grid import GridPosition, rays
from ludisect.rulesets.position import Player

_QUEEN = {Player.LEFT: "X", Player.RIGHT: "O"}


class Amazons(GridPosition):
    """Amazons on any board; a move is the triple of cells (from, to, arrow)."""

    name = "amazons"
    swaps = True

    def moves(self, player: Player) -> Sequence[tuple[int, int, int]]:
        lines, cells, own = rays(self.rows, self.cols), self.cells, _QUEEN[player]

        def reach(start: int, left: int) -> list[int]:
            """The cells seen from ``start`` when the queen has left the cell ``left``."""
            out = []
            for line in lines[start]:
                for i in line:
                    if cells[i] != "." and i != left:
                        break
                    out.append(i)
            return out

        queens = [i for i, x in enumerate(cells) if x == own]
        return [(i, j, k) for i in queens for j in reach(i, -1) for k in reach(j, i)]

    def play(self, player: Player, move: tuple[int, int, int]) -> Amazons:
        start, goal, arrow = move
        return self.replaced([(start, "."), (goal, _QUEEN[player]), (arrow, "#")])

    def adjacent(self) -> Sequence[Sequence[int]]:
        return tuple(tuple(line[0] for line in lines if line) for lines in rays(self.rows, self.cols))

    def matters(self, group: Sequence[int]) -> bool:
        cells = {self.cells[i] for i in group}
        return "." in cells and len(cells) > 1

    def terminal_value(self) -> Value | None:
        """Territory: where only one player has queens, the value is the number of moves he can make there."""
        owners = set(self.cells) & {"X", "O"}
        if len(owners) != 1:
            return None
        return number(_most_moves(self, Player.LEFT)) if "X" in owners else number(-_most_moves(self, Player.RIGHT))

    def bounds(self) -> tuple[Number, Number]:
        """Every move fills a cell."""
        room = self.cells.count(".")
        return -room if "O" in self.cells else 0, room if "X" in self.cells else 0

    def estimate(self) -> Number:
        """Empty cells that Left's queens reach in fewer moves, minus those that Right's reach in fewer."""
        left, right = self._moves_to("X"), self._moves_to("O")
        far = len(self.cells)
        pairs = [(left.get(i, far), right.get(i, far)) for i, x in enumerate(self.cells) if x == "."]
        return sum((a < b) - (a > b) for a, b in pairs)

    def _moves_to(self, queen: str) -> dict[int, int]:
        """How many moves it takes one of the queens to reach each cell, arrows not counted."""
        lines, cells = rays(self.rows, self.cols), self.cells
        moves = {i: 0 for i, x in enumerate(cells) if x == queen}
        reached = list(moves)
        for i in reached:  # grows while it is walked
            for line in lines[i]:
                for j in line:
                    if cells[j] != ".":
                        break
                    if j not in moves:
                        moves[j] = moves[i] + 1
                        reached.append(j)
        return moves

    def move_text(self, move: tuple[int, int, int]) -> str:
        start, goal, arrow = map(self.cell_text, move)
        return f"{start}-{goal}/{arrow}"


@lru_cache(maxsize=1 << 16)
def _most_moves(territory: Amazons, player: Player) -> int:
    """How many moves ``player`` can make in a row; every move fills a cell, so at most one per empty cell."""
    room = territory.cells.count(".")
    best = 0
    for move in territory.moves(player):
        after = territory.play(player, move)
        best = max(best, 1 + sum(_most_moves(part, player) for part in after.parts()))
        if best == room:
            break
    return best
