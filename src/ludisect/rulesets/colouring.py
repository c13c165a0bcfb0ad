"""Col and Snort: colouring cells so that neighbours differ (Col) or agree (Snort).

Stones only restrict their empty neighbours, so a position is kept as the set of cells still open: ``.`` to both
players, ``x`` to Left only, ``o`` to Right only, ``#`` to nobody.

References: *Winning Ways*, ch. 2 (Col, by Vout) and ch. 6 (Snort, by Norton); Conway, *On Numbers and Games*, ch. 8.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar

from ludisect.cgt.dyadic import Number
from ludisect.rulesets.grid import GridPosition, neighbours
from ludisect.rulesets.position import Player

_OWN = {Player.LEFT: "x", Player.RIGHT: "o"}


class _Colouring(GridPosition):
    alphabet: ClassVar[str] = ".#XOxo"
    swaps = True
    reserves: ClassVar[Player]
    """Whose cell an open neighbour becomes when Left colours a cell."""

    @classmethod
    def normalize(cls, rows: int, cols: int, cells: str) -> str:
        out = list(cells)
        for i, x in enumerate(cells):
            if x in "XO":
                out[i] = "#"
                for j in neighbours(rows, cols)[i]:
                    out[j] = cls.restrict(Player.LEFT if x == "X" else Player.RIGHT, out[j])
        return "".join(out)

    @classmethod
    def restrict(cls, player: Player, cell: str) -> str:
        """What becomes of an open cell when ``player`` colours its neighbour."""
        owner = _OWN[cls.reserves if player is Player.LEFT else cls.reserves.opponent]
        return owner if cell in (".", owner) else cell if cell in "#XO" else "#"

    def moves(self, player: Player) -> Sequence[int]:
        return [i for i, x in enumerate(self.cells) if x == "." or x == _OWN[player]]

    def play(self, player: Player, move: int) -> _Colouring:
        near = neighbours(self.rows, self.cols)[move]
        return self.replaced([(move, "#"), *((j, self.restrict(player, self.cells[j])) for j in near)])

    def matters(self, group: Sequence[int]) -> bool:
        return True

    def reserved(self) -> int:
        """Cells open to Left alone minus those open to Right alone."""
        return self.cells.count("x") - self.cells.count("o")

    def bounds(self) -> tuple[Number, Number]:
        """Every move fills a cell that is open to the player."""
        both = self.cells.count(".")
        return -both - self.cells.count("o"), both + self.cells.count("x")

    def move_text(self, move: int) -> str:
        return self.cell_text(move)


class Col(_Colouring):
    """No two neighbours of the same colour."""

    name = "col"
    reserves = Player.RIGHT

    def estimate(self) -> Number:
        """Half of the reserved cells: colouring one takes neighbours from the same player."""
        return Fraction(self.reserved(), 2)

    def linked(self, i: int, j: int) -> bool:
        # Left's reserved cell beside Right's: neither player's move there touches the other
        return super().linked(i, j) and {self.cells[i], self.cells[j]} != {"x", "o"}


class Snort(_Colouring):
    """No two neighbours of different colours."""

    name = "snort"
    reserves = Player.LEFT

    def estimate(self) -> Number:
        """All reserved cells: colouring one takes nothing from the same player."""
        return self.reserved()

    def linked(self, i: int, j: int) -> bool:
        # two cells reserved for the same player never disturb each other
        return super().linked(i, j) and (self.cells[i] == "." or self.cells[i] != self.cells[j])
