"""Graphs as boards: points and lines, those of a part on a broad band of its ground."""

from __future__ import annotations

from collections.abc import Sequence

from ludisect.draw.boarddata import BoardData
from ludisect.draw.boardlook import BADGE, BoardLook, badge, in_one_part, square_data, title_fragment
from ludisect.draw.svg import SMALL, Fragment, element, path, text, tooltip
from ludisect.draw.text import fit

_PLAYER = {"line-first": ("left", None), "line-second": ("right", "9 5"), "line-both": ("both", "2 5")}
"""Colour and dash of lines that one player may take, or both."""


def lines_fragment(look: BoardLook, board: BoardData, index: int) -> Fragment:
    """Points and lines; those of a part on a broad band of its ground."""
    theme = look.theme
    title = title_fragment(look, board, 240)
    unit = 58.0 if not look.plain else 18.0
    wide = max((x for x, _ in board.points), default=0.0) + 0.6
    high = max((y for _, y in board.points), default=0.0)
    pad = 8.0 if look.plain else 30.0
    top = title.height + pad
    places = [(x * unit + pad, top + (high - y) * unit) for x, y in board.points]
    out = [title.body]
    bands, strokes, badges, seen = [], [], [], set()
    for k, (a, b) in enumerate(board.lines):
        square = board.squares[k] if board.kind == "lines" else None
        number = square.parts[0] if square and square.parts else 0
        same = sum({places[u], places[v]} == {places[a], places[b]} for u, v in board.lines[:k])
        d = _line(places[a], places[b], same, loop=a == b)
        tone, dash = _PLAYER[square.glyph] if square else ("edge", None)
        if number:
            part = look.part(number)
            bands.append(
                element("path", d=d, stroke_linecap="round", data_part=str(number),
                        **theme.paint(None, f"part-{part.tone}-fill", 0.4 * unit))
            )  # fmt: skip
            if number not in seen and not look.plain and not in_one_part(board):
                seen.add(number)
                x, y = max(places[a], places[b], key=lambda p: -p[1])
                badges.append(badge(theme, x + 8, y - BADGE / 2, part, number))
        told = f"{board.rows[k]}, part {look.part(number).badge}" if number else board.rows[k] if square else ""
        data = square_data(look, index, square, told) if square else {}
        strokes.append(
            element(
                "path",
                tooltip(told) if told else "",
                d=d,
                stroke_linecap="butt" if dash is None else "round",
                stroke_dasharray=dash,
                **theme.paint(None, tone, (5.0 if square else 1.5) * unit / 58),
                **data,
            )
        )
    out += [*bands, *strokes, *_points(look, board, index, places), *badges]
    width = wide * unit + 2 * pad
    if board.kind == "lines":
        ground = top + high * unit
        out.append(element("path", d=path("M", 0.0, ground, "H", width), **theme.paint(None, "ink", 2.5)))
    return Fragment(max(width, title.width), top + high * unit + pad, "".join(out))


def _line(a: tuple[float, float], b: tuple[float, float], bend: int, *, loop: bool) -> str:
    """A line; further ones between the same points bend aside, one that comes back is a loop."""
    if loop:
        return path("M", a[0], a[1], "C", a[0] - 26, a[1] - 40, a[0] + 26, a[1] - 40, a[0], a[1])
    if (not bend and abs(a[1] - b[1]) > 0.1) or (not bend and abs(a[0] - b[0]) > 40):
        return path("M", a[0], a[1], "L", b[0], b[1])
    aside = 22.0 * (1 + bend // 2) * (-1) ** bend
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = (dx * dx + dy * dy) ** 0.5 or 1.0
    middle = (a[0] + b[0]) / 2 + dy / length * aside, (a[1] + b[1]) / 2 - dx / length * aside
    return path("M", a[0], a[1], "Q", middle[0], middle[1], b[0], b[1])


def _points(look: BoardLook, board: BoardData, index: int, places: Sequence[tuple[float, float]]) -> list[str]:
    theme = look.theme
    if board.kind == "lines":
        return [element("circle", cx=x, cy=y, r=3.5 if not look.plain else 2, **theme.paint("ink")) for x, y in places]
    out = []
    radius = 14.0 if not look.plain else 5.0
    for k, (x, y) in enumerate(places):
        square = board.squares[k]
        number = square.parts[0] if square.parts else 0
        fill = f"part-{look.part(number).tone}-fill" if number else "surface"
        line = f"part-{look.part(number).tone}" if number else "edge"
        fill, line, ink = {
            "stone-first": ("piece", "piece", "surface"), "stone-second": ("hollow", "piece", "ink"),
        }.get(square.glyph, (fill, line, "ink"))  # fmt: skip
        node = element(
            "circle",
            cx=x,
            cy=y,
            r=radius,
            **theme.paint(fill, line, 2),
            **square_data(look, index, square, board.rows[k]),
        )
        name = fit(board.rows[k], SMALL, 2 * radius - 2)
        label = text(theme, x, y + SMALL * 0.36, name, SMALL, anchor="middle", tone=ink) if not look.plain else ""
        out.append(node + label)
    return out
