"""The numbers of the rulesets: how large boards and heaps may be, and how much of a heap is drawn."""

from __future__ import annotations

from dataclasses import dataclass

from ludisect.settings import Numbers, number


@dataclass(frozen=True, kw_only=True)
class PositionLimits(Numbers):
    """What the text of a position may ask for."""

    grid_cells: int = number(4096, "Cells of a board; nothing useful could be computed beyond", least=1)
    heaps_digits: int = number(1000, "Digits of the size of a heap", least=1, most=4000)
    heaps_drawn: int = number(60, "Counters of a heap in a diagram; a larger heap is known by its text", least=1)
