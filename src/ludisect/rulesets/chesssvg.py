"""A chess board as SVG: squares, tints, labels; kings and pawns as paths of our own, without fonts."""

from __future__ import annotations

from collections.abc import Mapping

SIDE = 45
"""Units of a square."""

MARGIN = 18
"""For the names of files and ranks."""

_LIGHT, _DARK, _INK, _PAPER = "#f3ead8", "#d3bd96", "#1b1f24", "#ffffff"

PAWN = (
    "M22.5 8.5a5.6 5.6 0 0 1 3.6 9.9h3.4v3h-3.2c.4 5.6 3.2 9.2 6.4 12.1H12.3c3.2-2.9 6-6.5 6.4-12.1h-3.2v-3h3.4"
    "a5.6 5.6 0 0 1 3.6-9.9zM10.5 35h24v4.5h-24z"
)
KING = (
    "M21 4h3v2.6h2.6v3H24v3.6c2.2.5 3.5 1.8 4.2 3.5 5.5-1.5 10.3 1.8 9 7.4-.7 3.2-3.3 6-4.6 9.4H12.4"
    "c-1.3-3.4-3.9-6.2-4.6-9.4-1.3-5.6 3.5-8.9 9-7.4.7-1.7 2-3 4.2-3.5V9.6h-2.6v-3H21zM11 35h23v4.5H11z"
)
_SHAPES = {"P": PAWN, "K": KING}


def chess_svg(
    pieces: Mapping[int, str], *, tints: Mapping[int, str] | None = None, labels: Mapping[int, str] | None = None
) -> str:
    """The board from White's side: pieces as FEN names them, by square; tinted squares, and small labels in corners."""
    size = 8 * SIDE + 2 * MARGIN
    body = board_body(pieces, tints or {}, labels or {})
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" width="{size}" height="{size}" '
        f'role="img">{body}</svg>'
    )


def board_body(pieces: Mapping[int, str], tints: Mapping[int, str], labels: Mapping[int, str]) -> str:
    """What stands inside the picture: 8 squares and a margin on every side."""
    out = []
    for s in range(64):
        x, y = MARGIN + (s & 7) * SIDE, MARGIN + (7 - (s >> 3)) * SIDE
        fill = _LIGHT if (s + (s >> 3)) & 1 else _DARK
        out.append(f'<rect x="{x}" y="{y}" width="{SIDE}" height="{SIDE}" fill="{fill}"/>')
        if s in tints:
            out.append(
                f'<rect x="{x + 1.5}" y="{y + 1.5}" width="{SIDE - 3}" height="{SIDE - 3}" rx="5" fill="{tints[s]}" '
                f'stroke="{_INK}" stroke-width="0.8"/>'
            )
        if s in pieces:
            white = pieces[s].isupper()
            fill, line = (_PAPER, _INK) if white else (_INK, _PAPER)
            out.append(
                f'<path d="{_SHAPES[pieces[s].upper()]}" transform="translate({x} {y})" fill="{fill}" stroke="{line}" '
                f'stroke-width="{1.4 if white else 0.9}" stroke-linejoin="round"/>'
            )
        if s in labels:
            out.append(_text(x + 7, y + 13, labels[s], 11, bold=True))
    for k in range(8):
        middle = MARGIN + k * SIDE + SIDE / 2
        for edge in (13, MARGIN + 8 * SIDE + 13):
            out.append(_text(middle, edge, "abcdefgh"[k], 11))
            out.append(_text(edge - 5, middle + 4, str(8 - k), 11))
    return "".join(out)


def _text(x: float, y: float, content: str, size: int, *, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" font-family="sans-serif" text-anchor="middle"{weight} '
        f'fill="{_INK}">{content}</text>'
    )
