"""Boards and graphs as small SVG pictures, for notebooks: what a position looks like."""

from __future__ import annotations

from collections.abc import Sequence

_SIDE = 24
_CELLS = {".": "white", "#": "#3b3f45", "X": "white", "O": "white", "x": "#cfe3f8", "o": "#f8d5d0"}
_STONES = {"X": "#0b6bcb", "O": "#c9372c"}


def board_svg(cells: str, cols: int) -> str:
    """The board, row by row: blocked cells dark, Left's stones blue, Right's red, cells open to one player tinted."""
    width, height = cols * _SIDE, len(cells) // cols * _SIDE
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 {width + 2} {height + 2}" '
        f'width="{width + 2}" height="{height + 2}" role="img">'
    ]
    for i, cell in enumerate(cells):
        y, x = divmod(i, cols)
        x, y = x * _SIDE, y * _SIDE
        fill = _CELLS.get(cell, "white")
        out.append(f'<rect x="{x}" y="{y}" width="{_SIDE}" height="{_SIDE}" fill="{fill}" stroke="#6b7077"/>')
        if cell in _STONES:
            middle = _SIDE // 2
            out.append(f'<circle cx="{x + middle}" cy="{y + middle}" r="{middle - 3}" fill="{_STONES[cell]}"/>')
    return "".join([*out, "</svg>"])


def graph_svg(
    names: Sequence[str],
    stones: Sequence[str],
    places: Sequence[tuple[float, float]],
    edges: Sequence[tuple[int, int]],
) -> str:
    """A graph of nodes with names, placed between -1 and 1: Left's blue, Right's red, the others white."""
    room = _SIDE * max(2, len(names) // 2)
    points = [(round(x * room, 1), round(y * room, 1)) for x, y in places]
    side = 2 * (room + _SIDE)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-side // 2} {-side // 2} {side} {side}" width="{side}" '
        f'height="{side}" role="img" font-family="sans-serif" font-size="11" text-anchor="middle">'
    ]
    for i, j in edges:
        (a, b), (c, d) = points[i], points[j]
        out.append(f'<line x1="{a}" y1="{b}" x2="{c}" y2="{d}" stroke="#6b7077" stroke-width="1.5"/>')
    for name, stone, (x, y) in zip(names, stones, points, strict=True):
        fill, ink = (_STONES[stone], "white") if stone in _STONES else ("white", "black")
        out.append(f'<circle cx="{x}" cy="{y}" r="{_SIDE // 2 - 1}" fill="{fill}" stroke="#3b3f45"/>')
        out.append(f'<text x="{x}" y="{y + 4}" fill="{ink}">{name}</text>')
    return "".join([*out, "</svg>"])
