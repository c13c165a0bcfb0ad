"""Boards as small SVG pictures, for notebooks: what a position on a grid looks like."""

from __future__ import annotations

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
