"""A region as a diagram: the squares that the facts of its game stand for, its own as the part.

Facts whose last two arguments are whole numbers lie on a grid, as ``(free 2 3)`` does: row 2, column 3. Other facts
stand in a row, one square each; beside a grid, above it.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from ludisect.gdl.terms import Term, integer
from ludisect.rulesets.depiction import Diagram

if TYPE_CHECKING:
    from ludisect.search.regions.region import Region


def region_diagram(region: Region) -> Diagram:
    """Every square of the game; a square holds what is true there of the region's own facts."""
    squares = _squares(region.operators.facts)
    order = sorted(squares)
    tops = {row: k for k, row in enumerate(sorted({row for row, _ in order}))}
    sides = {col: k for k, col in enumerate(sorted({col for _, col in order}))}
    holds = [
        " ".join(str(region.operators.facts[k]) for k in squares[at] if (region.open & region.holding) >> k & 1)
        for at in order
    ]
    mine = [i for i, at in enumerate(order) if any(region.open >> k & 1 for k in squares[at])]
    return Diagram(
        "grid", tuple(str(row) if row >= 0 else "" for row in tops), tuple(map(str, sides)),
        tuple((tops[row], sides[col]) for row, col in order), tuple(holds), (tuple(mine),),
    )  # fmt: skip


def _squares(facts: tuple[Term, ...]) -> dict[tuple[int, int], list[int]]:
    """The facts of every square, by row and column."""
    places = [_place(fact) for fact in facts]
    grid = any(place is not None for place in places)
    squares: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    beside = 0
    for k, place in enumerate(places):
        if place is None:
            beside += 1
        squares[place or (-1 if grid else 1, beside)].append(k)
    return squares


def _place(fact: Term) -> tuple[int, int] | None:
    """The row and column that a fact speaks of, if its last two arguments are whole numbers."""
    numbers = [integer(x) for x in fact.args[-2:] if isinstance(x, Term)]
    if len(numbers) < 2 or numbers[0] is None or numbers[1] is None:
        return None
    return numbers[0], numbers[1]
