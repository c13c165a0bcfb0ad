"""Toppling Dominoes: a player topples a domino of his colour left or right, with all dominoes on that side.

Reference: Fink, Nowakowski, Siegel, Wolfe, *Toppling conjectures*, in Games of No Chance 4 (2015).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Self

from ludisect.cgt.dyadic import Number
from ludisect.errors import InputError
from ludisect.rulesets.depiction import Diagram
from ludisect.rulesets.grid import SWAP_STONES
from ludisect.rulesets.position import Player, Position


@dataclass(frozen=True)
class Toppling(Position):
    """A row of dominoes, from its text: ``X`` Left's, ``O`` Right's, ``#`` anybody's.

    A move leaves the row from start to end.
    """

    row: str

    name = "toppling_dominoes"

    def __post_init__(self) -> None:
        if self.row.strip("XO#"):
            raise InputError(f"{self.name}: a row is made of X, O and #, as in XXO#X, not {self.row!r}")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a row such as ``XXO#X``."""
        if not text.strip():
            raise InputError(f"{cls.name}: the row is empty; it is made of X, O and #, as in XXO#X")
        return cls(text.strip())

    def __str__(self) -> str:
        return self.row

    def __repr__(self) -> str:
        return f"Toppling({self.row!r})"

    def __neg__(self) -> Toppling:
        return Toppling(self.row.translate(SWAP_STONES))

    def moves(self, player: Player) -> Sequence[tuple[int, int]]:
        own = "X#" if player is Player.LEFT else "O#"
        standing = [i for i, x in enumerate(self.row) if x in own]
        return [(0, i) for i in standing] + [(i + 1, len(self.row)) for i in standing]

    def play(self, player: Player, move: tuple[int, int]) -> Toppling:
        return Toppling(self.row[move[0] : move[1]])

    def parts(self) -> Sequence[Position]:
        return [self] if self.row else []

    def bounds(self) -> tuple[Number, Number]:
        """Every move topples a domino of the player's."""
        both = self.row.count("#")
        return -both - self.row.count("O"), both + self.row.count("X")

    def key(self) -> tuple[Hashable, bool]:
        row, swapped = self.row, self.row.translate(SWAP_STONES)
        same, other = min(row, row[::-1]), min(swapped, swapped[::-1])
        return (self.name, min(same, other)), other < same

    def diagram(self) -> Diagram:
        count = range(len(self.row))
        names = tuple(str(i + 1) for i in count)
        parts = (tuple(count),) if self.row else ()
        return Diagram("grid", ("",), names, tuple((0, i) for i in count), tuple(self.row), parts)

    def move_cells(self, move: tuple[int, int]) -> Sequence[int]:
        start, end = move
        return (start - 1, 0) if start else (end, len(self.row) - 1)

    def cell_glyph(self, cell: int) -> str:
        return {"X": "domino-first", "O": "domino-second"}.get(self.row[cell], "domino-both")

    def move_text(self, move: tuple[int, int]) -> str:
        start, end = move
        return f"{start}<" if start else f">{end + 1}"
