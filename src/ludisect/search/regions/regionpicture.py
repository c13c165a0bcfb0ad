"""A region as SVG: the squares that its facts stand for, those of the region in colour.

Facts whose last two arguments are whole numbers lie on a grid, as ``(free 2 3)`` does: row 2, column 3. Other facts
stand in a row, one square each.
"""

from __future__ import annotations

from collections import defaultdict
from html import escape
from typing import TYPE_CHECKING

from ludisect.gdl.terms import Term, integer

if TYPE_CHECKING:
    from ludisect.search.regions.region import Region

SIDE = 34
INSIDE, OUTSIDE, HELD, LINE = "#cfe3f8", "#f2f3f5", "#0b6bcb", "#9aa0a8"


def region_svg(region: Region) -> str:
    """The picture: squares of open facts are blue, with a dot where one of them holds; a tooltip names the facts."""
    facts = region.operators.facts
    places = [_place(fact) for fact in facts]
    found = [place for place in places if place is not None]
    # two facts on one square are told apart by their first arguments; facts beside the grid stand above it
    low_row, low_col = (min(x) for x in zip(*found, strict=True)) if found else (0, 0)
    squares: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    beside = 0
    for k, place in enumerate(places):
        if place is None:
            squares[-1 if found else 0, beside].append(k)
            beside += 1
        else:
            squares[place[0] - low_row, place[1] - low_col].append(k)
    top = min((row for row, _ in squares), default=0)
    height = SIDE * (max((row for row, _ in squares), default=0) - top + 1)
    width = SIDE * (max((col for _, col in squares), default=0) + 1)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 {width + 2} {height + 2}" width="{width + 2}" '
        f'height="{height + 2}" role="img"><title>{escape(f"{region.name}: {region}")}</title>'
    ]
    for (row, col), some in sorted(squares.items()):
        mine = [k for k in some if region.open >> k & 1]
        held = [k for k in mine if region.holding >> k & 1]
        x, y = SIDE * col, SIDE * (row - top)
        told = "; ".join(f"{facts[k]}{'' if k in held else ' does not hold'}" for k in mine)
        out.append(
            f'<rect x="{x}" y="{y}" width="{SIDE}" height="{SIDE}" fill="{INSIDE if mine else OUTSIDE}" '
            f'stroke="{LINE}">{f"<title>{escape(told)}</title>" if told else ""}</rect>'
        )
        if held:
            out.append(f'<circle cx="{x + SIDE // 2}" cy="{y + SIDE // 2}" r="{SIDE // 6}" fill="{HELD}"/>')
    return "".join([*out, "</svg>"])


def _place(fact: Term) -> tuple[int, int] | None:
    """The row and column that a fact speaks of, if its last two arguments are whole numbers."""
    if len(fact.args) < 2:
        return None
    row, col = (integer(x) if isinstance(x, Term) else None for x in fact.args[-2:])
    return None if row is None or col is None else (row, col)
