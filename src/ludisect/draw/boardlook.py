"""What all drawings of boards share: how parts look, badges, patterns, titles, what squares say."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ludisect.draw.boarddata import At, BoardData, Square
from ludisect.draw.outlines import dotting, hatching
from ludisect.draw.palette import pattern
from ludisect.draw.svg import BODY, SMALL, Fragment, element, text
from ludisect.draw.text import fit, text_width
from ludisect.draw.theme import Attributes, Theme

LARGEST = 60.0
"""The side of a square where there is room."""
BADGE = 20.0
OUTLINE = 3.0


@dataclass(frozen=True, slots=True)
class PartLook:
    """How a part is shown: what stands on its badge, and the number whose colour it has."""

    badge: str
    tone: int


@dataclass(frozen=True, slots=True)
class BoardLook:
    """What is drawn of boards, and how."""

    theme: Theme
    room: float = 760.0
    """The width that is there; boards stand below one another where they do not fit."""
    interactive: bool = False
    """Squares are cells of a grid that can have the focus."""
    plain: bool = False
    """Without titles, coordinates and badges: a board as part of something else."""
    parts: Mapping[int, PartLook] = field(default_factory=dict)
    """Parts that are not shown by their number."""
    largest: float = LARGEST

    def part(self, number: int) -> PartLook:
        """How a part is shown."""
        return self.parts.get(number) or PartLook(str(number), number)


def badge_width(content: str) -> float:
    """The room that a badge takes."""
    return max(BADGE, text_width(content, SMALL, bold=True) + 8)


def badge(theme: Theme, x: float, y: float, part: PartLook, number: int | None = None) -> str:
    """A part's number on its colour; ``x``, ``y`` are its upper left corner."""
    width = badge_width(part.badge)
    ground = element("rect", x=x, y=y, width=width, height=BADGE, rx=4, **theme.paint(f"part-{part.tone}"))
    middle = y + BADGE / 2 + SMALL * 0.36
    tone = f"part-{part.tone}-ink"
    name = text(theme, x + width / 2, middle, part.badge, SMALL, anchor="middle", bold=True, tone=tone)
    return element("g", ground, name, data_part=None if number is None else str(number))


def patterned(theme: Theme, tone: int, cells: Sequence[At], side: float) -> str:
    """The pattern that tells a part from the earlier one of its colour."""
    kind = pattern(tone)
    if kind == "hatch":
        return element("path", d=hatching(cells, side), **theme.paint(None, f"part-{tone}", 1))
    if kind == "dots":
        return element("path", d=dotting(cells, side), stroke_linecap="round", **theme.paint(None, f"part-{tone}", 2.5))
    return ""


def title_fragment(look: BoardLook, board: BoardData, width: float) -> Fragment:
    """The name of a board, and the badge of the part if it is all in one."""
    if look.plain or not (board.title or in_one_part(board)):
        return Fragment(0, 0, "")
    x, out = 0.0, ""
    if in_one_part(board):
        number = board.part or 0
        part = look.part(number)
        out = badge(look.theme, 0, 0, part, number)
        x = badge_width(part.badge) + 8
    name = fit(board.title, BODY, max(width, 120.0) - x, bold=True)
    out += text(look.theme, x, BADGE / 2 + BODY * 0.36, name, BODY, bold=True)
    return Fragment(x + text_width(name, BODY, bold=True), BADGE + 8, out)


def in_one_part(board: BoardData) -> bool:
    """Whether all that belongs to any part belongs to one."""
    return board.part is not None and all(square.parts for square in board.squares)


def square_data(look: BoardLook, index: int, square: Square, told: str) -> Attributes:
    """The attributes by which a page knows a square, a counter, a point or a line of the board with this number."""
    data: Attributes = {
        "data_board": str(index),
        "data_row": str(square.at[0]),
        "data_column": str(square.at[1]),
        "data_holds": square.holds,
        "data_part": " ".join(map(str, square.parts)) or None,
    }
    if square.fluents:
        data["data_fluents"] = json.dumps(list(square.fluents), ensure_ascii=False)
    if look.interactive:
        data |= {"role": "gridcell", "tabindex": "-1", "aria_label": told}
    return data
