"""Boards as drawings: squares on the ground of their part, an outline and a badge per part, pieces."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from ludisect.draw.boarddata import At, BoardData, BoardPiece, Square
from ludisect.draw.boardlook import (
    BADGE,
    OUTLINE,
    BoardLook,
    badge,
    badge_width,
    in_one_part,
    patterned,
    square_data,
    title_fragment,
)
from ludisect.draw.heappicture import heaps_fragment
from ludisect.draw.linepicture import lines_fragment
from ludisect.draw.outlines import hatching, outline
from ludisect.draw.signs import sign, slab
from ludisect.draw.svg import SMALL, Fragment, element, flow, text, tooltip
from ludisect.draw.text import fit, text_width
from ludisect.draw.theme import Attributes, Theme

SMALLEST, TALLEST = 14.0, 560.0
"""The side of a square at least, and the height of a board with large ones."""
_GAP = 28.0


def boards_fragment(look: BoardLook, boards: Sequence[BoardData]) -> Fragment:
    """All boards, side by side as long as they fit."""
    return flow([board_fragment(look, board, k) for k, board in enumerate(boards)], look.room, _GAP)


def board_fragment(look: BoardLook, board: BoardData, index: int) -> Fragment:
    """One board; ``index`` is its number among the others."""
    draw = {"grid": _grid, "heaps": heaps_fragment, "lines": lines_fragment, "points": lines_fragment}[board.kind]
    return draw(look, board, index)


# ---- squares ----


def _grid(look: BoardLook, board: BoardData, index: int) -> Fragment:
    theme = look.theme
    margin = 0.0 if look.plain else max([text_width(v, SMALL) for v in board.rows], default=0.0) + 8
    columns, rows = max(1, len(board.columns)), max(1, len(board.rows))
    smallest = 4.0 if look.plain else SMALLEST
    side = min(look.largest, (look.room - margin - 4) / columns, max(smallest, TALLEST / rows))
    side = max(smallest, side)
    title = title_fragment(look, board, margin + columns * side)
    top = title.height + (0.0 if look.plain else SMALL * 1.5)
    out = [title.body, *([] if look.plain else _coordinates(theme, board, side, margin, top))]
    body = _squares(look, board, index, side)
    body += _regions(look, board, side)
    body += _pieces(look, board, side)
    if not look.plain and not in_one_part(board):
        body += _badges(look, board, side)
    out.append(Fragment(0, 0, "".join(body)).at(margin + 1.5, top + 1.5))
    width, height = margin + columns * side + 3, top + rows * side + 3
    if board.unused and not look.plain:
        note = fit(board.unused, SMALL, max(width, 200.0))
        out.append(text(theme, 0, height + SMALL * 1.3, note, SMALL, tone="ink2"))
        width, height = max(width, text_width(note, SMALL)), height + SMALL * 1.8
    return Fragment(max(width, title.width), height, "".join(out))


def _coordinates(theme: Theme, board: BoardData, side: float, margin: float, top: float) -> list[str]:
    out = []
    widest = max((text_width(v, SMALL) for v in board.columns), default=0.0)
    step = max(1, ceil((min(widest, 60.0) + 4) / side))
    for c, value in enumerate(board.columns):
        if c % step == 0:
            shown = fit(value, SMALL, side * step - 3)
            x = margin + 1.5 + (c + 0.5) * side
            if step > 1:  # a label that is wider than its square begins there
                out.append(text(theme, margin + 1.5 + c * side, top - 4, shown, SMALL, tone="ink2"))
            else:
                out.append(text(theme, x, top - 4, shown, SMALL, anchor="middle", tone="ink2"))
    down = max(1, ceil(SMALL * 1.1 / side))
    for r, value in enumerate(board.rows):
        if r % down == 0:
            y = top + 1.5 + (r + 0.5) * side + SMALL * 0.36
            out.append(text(theme, margin - 6, y, value, SMALL, anchor="end", tone="ink2"))
    return out


def _squares(look: BoardLook, board: BoardData, index: int, side: float) -> list[str]:
    """The squares, a group for every row."""
    covered = {at for piece in board.pieces if piece.glyph for at in piece.cells}
    checkered = any(s.glyph.startswith(("pawn", "king")) for s in board.squares)
    parted = any(square.parts for square in board.squares)
    by_row: dict[int, list[str]] = {}
    empty: list[At] = []
    for square in board.squares:
        by_row.setdefault(square.at[0], []).append(_square(look, board, index, square, side, checkered=checkered))
        if parted and not square.parts and not square.glyph and square.at not in covered and not checkered:
            empty.append(square.at)
    role = "row" if look.interactive else None
    out = [element("g", *cells, role=role) for cells in by_row.values()]
    grid = element("g", *out, role="grid", aria_label=board.title) if look.interactive else "".join(out)
    dead = element("path", d=hatching(empty, side), **look.theme.paint(None, "line", 1)) if empty else ""
    return [grid, dead]


def _square(look: BoardLook, board: BoardData, index: int, square: Square, side: float, *, checkered: bool) -> str:
    theme = look.theme
    row, column = square.at
    x, y = column * side, row * side
    ground = "shade" if checkered and (row + column) % 2 else "surface"
    tones = [f"part-{look.part(number).tone}-fill" for number in square.parts] or [ground]
    shape: Attributes = {"x": x, "y": y, "width": side, "height": side}
    line = min(1.0, side / 20)
    told = square_told(look, board, square)
    data = square_data(look, index, square, told)
    children = [] if look.plain else [tooltip(told)]
    if len(tones) == 1:
        return element("rect", *children, **shape, **theme.paint(tones[0], "line", line), **data)
    bands = [
        element("polygon", points=" ".join(f"{x + px * side:.1f},{y + py * side:.1f}" for px, py in points),
                **theme.paint(tone))
        for tone, points in zip(tones, stripes(len(tones)), strict=True)
    ]  # fmt: skip
    frame = element("rect", **shape, **theme.paint(None, "line", line))
    return element("g", *children, *bands, frame, **data)


def square_told(look: BoardLook, board: BoardData, square: Square) -> str:
    """A square in words."""
    row, column = board.rows[square.at[0]], board.columns[square.at[1]]
    where = ", ".join(f"{name} {value}" for name, value in (("row", row), ("column", column)) if value)
    parts = " and ".join(look.part(number).badge for number in square.parts)
    told = [where, square.holds or "empty", f"part {parts}" if parts else ""]
    return ", ".join(filter(None, told))


def stripes(n: int) -> list[list[tuple[float, float]]]:
    """The unit square cut into ``n`` stripes along its falling diagonal, in each of which x + y lies within one n-th
    of 0..2."""

    def on_top(t: float) -> tuple[float, float]:
        """Where x + y = t meets the upper or the right side."""
        return (t, 0.0) if t <= 1 else (1.0, t - 1)

    out = []
    for k in range(n):
        low, high = 2 * k / n, 2 * (k + 1) / n
        corners = [on_top(low), *([(1.0, 0.0)] if low < 1 < high else []), on_top(high)]
        out.append([*corners, *((b, a) for a, b in reversed(corners))])
    return out


def _regions(look: BoardLook, board: BoardData, side: float) -> list[str]:
    """Patterns and outlines of the parts."""
    cells: dict[int, list[At]] = {}
    for square in board.squares:
        for number in square.parts:
            cells.setdefault(number, []).append(square.at)
    out = []
    width = min(OUTLINE, max(1.0, side / 8))
    for number, mine in sorted(cells.items()):
        tone = look.part(number).tone
        shape = element(
            "path",
            d=outline(mine, side, width / 2),
            stroke_linejoin="round",
            **look.theme.paint(None, f"part-{tone}", width),
        )
        out.append(element("g", patterned(look.theme, tone, mine, side), shape, data_part=str(number)))
    return out


def _badges(look: BoardLook, board: BoardData, side: float) -> list[str]:
    """One badge for each part, in its first square; of parts that begin in one square, and of a crowd, the first."""
    first: dict[int, At] = {}
    for square in sorted(board.squares, key=lambda s: s.at):
        for number in square.parts:
            first.setdefault(number, square.at)
    filled = {s.at for s in board.squares if s.glyph} | {at for piece in board.pieces for at in piece.cells}
    out: list[str] = []
    taken: list[tuple[float, float, float]] = []
    for number, at in sorted(first.items()):
        part = look.part(number)
        inside = -7.0 if at in filled or side < 36 else 4.0
        x, y, width = at[1] * side + inside, at[0] * side + inside, badge_width(part.badge)
        if all(x >= left + wide or left >= x + width or abs(y - top) >= BADGE for left, top, wide in taken):
            taken.append((x, y, width))
            out.append(badge(look.theme, x, y, part, number))
    return out


def _pieces(look: BoardLook, board: BoardData, side: float) -> list[str]:
    theme = look.theme
    out = []
    for square in board.squares:
        drawn = sign(theme, square.glyph, square.at[1] * side, square.at[0] * side, side, square.holds)
        if drawn:
            out.append(element("g", drawn, data_piece=square.glyph))
    return out + [_piece(theme, piece, side) for piece in board.pieces]


def _piece(theme: Theme, piece: BoardPiece, side: float) -> str:
    """Something that lies on several squares; around what was placed or moved last, a frame of ink."""
    rows, columns = [at[0] for at in piece.cells], [at[1] for at in piece.cells]
    x, y = min(columns) * side, min(rows) * side
    width, height = (max(columns) + 1) * side - x, (max(rows) + 1) * side - y
    body = ""
    if piece.glyph.startswith("domino"):
        body = slab(theme, piece.glyph.partition("-")[2], x, y, width, height)
    elif piece.glyph:
        body = sign(theme, piece.glyph, x, y, side)
    if piece.last:
        inset = min(5.0, side * 0.12)
        if not piece.glyph:  # where it ended: the last square but for arrows, which come third
            row, column = piece.cells[min(1, len(piece.cells) - 1)]
            x, y, width, height = column * side, row * side, side, side
        body += element(
            "rect", x=x + inset, y=y + inset, width=width - 2 * inset, height=height - 2 * inset, rx=min(8.0, side / 6),
            **theme.paint(None, "ink", min(4.0, side / 15) if piece.glyph else min(2.5, side / 20)),
        )  # fmt: skip
    return element(
        "g", body, data_piece=piece.glyph or None, data_role=piece.role, data_last="true" if piece.last else None
    )
