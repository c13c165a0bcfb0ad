"""Heaps as drawings: columns of counters on the ground, each in the colour of its part, its size below."""

from __future__ import annotations

from ludisect.draw.boarddata import BoardData, Square
from ludisect.draw.boardlook import (
    BADGE,
    OUTLINE,
    BoardLook,
    badge,
    badge_width,
    in_one_part,
    square_data,
    title_fragment,
)
from ludisect.draw.svg import SMALL, Fragment, element, path, text, tooltip
from ludisect.draw.text import fit


def heaps_fragment(look: BoardLook, board: BoardData, index: int) -> Fragment:
    """Columns of counters on the ground, the lowest is the first."""
    theme = look.theme
    title = title_fragment(look, board, 200)
    tallest = max(1, len(board.rows))
    wide = 52.0 if not look.plain else 24.0
    high = min(20.0, max(6.0, 340.0 / tallest)) if not look.plain else min(8.0, 54.0 / tallest)
    head = 0.0 if look.plain else BADGE + 10
    ground = title.height + head + tallest * high
    out = [title.body]
    home: dict[int, tuple[int, ...]] = {s.at[1]: s.parts for s in board.squares}
    sizes: dict[int, int] = {}
    for square in board.squares:
        sizes[square.at[1]] = max(sizes.get(square.at[1], 0), square.at[0] + 1)
    for heap in range(len(board.columns)):
        number = (home.get(heap) or (0,))[0]
        size, x = sizes.get(heap, 0), heap * wide
        body = []
        if number and size:
            part = look.part(number)
            body.append(
                element(
                    "rect",
                    x=x + 3,
                    y=ground - size * high - 4,
                    width=wide - 6,
                    height=size * high + 4,
                    rx=6,
                    **theme.paint(f"part-{part.tone}-fill", f"part-{part.tone}", 1.5 if look.plain else OUTLINE),
                )
            )
            if not look.plain and not in_one_part(board):
                body.append(
                    badge(theme, x + wide / 2 - badge_width(part.badge) / 2, ground - size * high - 30, part, number)
                )
        out.append(element("g", *body, data_part=str(number) if number else None))
        if not look.plain:
            name = fit(board.columns[heap], SMALL, wide - 6)
            out.append(text(theme, x + wide / 2, ground + 18, name, SMALL, anchor="middle", tone="ink2"))
            out.append(text(theme, x + wide / 2, ground + 34, str(size), SMALL, anchor="middle", bold=True))
    for square in board.squares:
        out.append(_in_heap(look, board, index, square, (wide, high, ground)))
    width = len(board.columns) * wide
    out.append(element("path", d=path("M", 0.0, ground, "H", width), **theme.paint(None, "ink", 1.5)))
    below = 4.0 if look.plain else 40.0
    return Fragment(max(width, title.width), ground + below, "".join(out))


def _in_heap(look: BoardLook, board: BoardData, index: int, square: Square, size: tuple[float, float, float]) -> str:
    """One counter; on a page, taking it takes all above it, too."""
    wide, high, ground = size
    row, column = square.at
    told = f"heap {board.columns[column]}, counter {row + 1}" + (
        f", part {look.part(square.parts[0]).badge}" if square.parts else ""
    )
    data = square_data(look, index, square, told)
    gap = min(3.0, high * 0.18)
    return element(
        "rect", tooltip(told), x=column * wide + wide * 0.2, y=ground - (row + 1) * high + gap - 2, width=wide * 0.6,
        height=high - gap, rx=(high - gap) / 2, **look.theme.paint("piece"), **data,
    )  # fmt: skip
