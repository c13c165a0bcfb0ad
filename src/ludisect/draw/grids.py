"""Boards as drawings: every square in the colour and with the number of its part."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, sqrt

from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.draw.boarddata import At
from ludisect.draw.boards import Axis, Board, Cell
from ludisect.draw.layout import rows
from ludisect.draw.palette import FAINT, PAPER, color, ink_on, mix
from ludisect.draw.svg import Fragment, Point, element, polygon, text, tooltip
from ludisect.draw.text import fit, text_width

TITLE, AXIS, NUMBER = 13.0, 10.0, 13.0
WIDEST = 620.0
"""Boards are drawn with squares small enough to stay below this."""
AREA = 700_000.0
"""What all boards together may fill before squares get smaller."""

DrawSquare = Callable[[Board, At, float, float, float], str]
"""Board, square, its upper left corner, its side -> its picture."""


def boards_fragment(parts: Decomposition, boards: Sequence[Board], room: float) -> Fragment:
    """All boards in rows, each square in the colour of its part."""

    def draw(board: Board, at: At, x: float, y: float, side: float) -> str:
        return _cell(parts, board.cells[at], x, y, side, (board.rows, board.columns), at)

    return grids([(board, board.title) for board in boards], draw, room)


def grids(titled: Sequence[tuple[Board, str]], draw: DrawSquare, room: float) -> Fragment:
    """Boards with their titles and coordinates in rows; ``draw`` draws a square."""
    squares = sum(len(b.rows) * len(b.columns) for b, _ in titled)
    side = max(9.0, min(30.0, sqrt(AREA / max(squares, 1))))
    pieces = [_board(b, title, draw, min(side, WIDEST / max(len(b.rows), len(b.columns)))) for b, title in titled]
    corners, (width, height) = rows([(p.width, p.height) for p in pieces], room, 30)
    return Fragment(width, height, "".join(p.at(*corner) for p, corner in zip(pieces, corners, strict=True)))


def _board(board: Board, title: str, draw: DrawSquare, side: float) -> Fragment:
    margin = max(text_width(fit(v, AXIS, 60), AXIS) for v in board.rows) + 6
    top = TITLE * 1.4 + AXIS * 1.6
    shown = fit(title, TITLE, WIDEST)
    out = [text(0, TITLE, shown, TITLE)]
    step = ceil(AXIS * 1.4 / side)
    for c, value in enumerate(board.columns):
        if c % step == 0:
            label = fit(value, AXIS, side * step - 2)
            out.append(text(margin + (c + 0.5) * side, top - 4, label, AXIS, anchor="middle", fill=FAINT))
    for r, value in enumerate(board.rows):
        if r % step == 0:
            y = top + (r + 0.5) * side + AXIS * 0.36
            out.append(text(margin - 5, y, fit(value, AXIS, 60), AXIS, anchor="end", fill=FAINT))
    for r, c in sorted(board.cells):
        out.append(draw(board, (r, c), margin + c * side, top + r * side, side))
    width = max(margin + len(board.columns) * side, text_width(shown, TITLE)) + 2
    return Fragment(width, top + len(board.rows) * side + 2, "".join(out))


def _cell(parts: Decomposition, cell: Cell, x: float, y: float, side: float, axes: tuple[Axis, Axis], at: At) -> str:
    ids = [str(parts.parts[p].id) if p >= 0 else "" for p in cell.parts]
    tones = [color(p) for p in cell.parts]
    where = f"row {axes[0][at[0]]}, column {axes[1][at[1]]}"
    fluents = [
        f"{parts.game.fluents[f]}" for f in cell.fluents[:12]
    ]  # fmt: skip
    told = f"{where}: {_belongs(cell, ids)}\n" + "\n".join(fluents) + ("\n…" if len(cell.fluents) > 12 else "")
    if len(tones) == 1:
        ground = element("rect", x=x, y=y, width=side, height=side, fill=tones[0])
    else:
        ground = "".join(
            polygon([(x + px * side, y + py * side) for px, py in points], tone)
            for tone, points in zip(tones, bands(len(tones)), strict=True)
        )
    frame = square_frame(x, y, side)
    number = "/".join(i or "–" for i in ids) if ids != [""] else ""
    return element(
        "g",
        tooltip(told),
        ground,
        frame,
        _number(number, tones, x, y, side),
        data_part=" ".join(i for i in ids if i) or None,
    )


def square_frame(x: float, y: float, side: float) -> str:
    """The lines around a square."""
    tone, width = mix(FAINT, PAPER, 0.1), min(1.0, side / 20)
    return element("rect", x=x, y=y, width=side, height=side, fill="none", stroke=tone, stroke_width=width)


def _belongs(cell: Cell, ids: Sequence[str]) -> str:
    names = [f"part {i}" if i else "no part" for i in ids]
    return " and ".join(names)


def _number(number: str, tones: Sequence[str], x: float, y: float, side: float) -> str:
    """The part's number, if the square has room for it; on several colours it gets a ground of its own."""
    size = min(NUMBER, side * 0.6)
    if text_width(number, size) > side - 4:
        size *= 0.75
    width = text_width(number, size)
    if not number or side < 13 or width > side - 3:
        return ""
    ink = ink_on(tones[0])
    under = ""
    if len(tones) > 1:
        ink = ink_on(PAPER)
        under = element(
            "rect", x=x + side / 2 - width / 2 - 1.5, y=y + side / 2 - size * 0.6, width=width + 3, height=size * 1.2,
            rx=2, fill=PAPER, fill_opacity=0.85,
        )  # fmt: skip
    return under + text(x + side / 2, y + side / 2 + size * 0.36, number, size, anchor="middle", fill=ink)


def bands(n: int) -> list[list[Point]]:
    """The unit square cut into ``n`` stripes along its falling diagonal, of which a stripe is where x + y lies within
    one n-th of 0..2."""
    out = []
    for k in range(n):
        low, high = 2 * k / n, 2 * (k + 1) / n
        corners = [_on_top(low), _on_top(high)]
        if low < 1 < high:
            corners = [_on_top(low), (1.0, 0.0), _on_top(high)]
        lower = [(b, a) for a, b in corners]
        out.append([*corners, *reversed(lower)])
    return out


def _on_top(t: float) -> Point:
    """Where x + y = t meets the upper or the right side."""
    return (t, 0.0) if t <= 1 else (1.0, t - 1)


def swatch(x: float, y: float, tones: Sequence[str], side: float = 16) -> str:
    """A small square for the legend."""
    return "".join(
        polygon([(x + px * side, y + py * side) for px, py in points], tone)
        for tone, points in zip(tones, bands(len(tones)), strict=True)
    )
