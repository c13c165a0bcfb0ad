"""Signs on squares: marks, stones, dominoes, toads and frogs, chess pieces, letters; by shape and shade."""

from __future__ import annotations

from collections.abc import Callable

from ludisect.draw.svg import SMALL, element, number, path, text
from ludisect.draw.text import fit, text_width
from ludisect.draw.theme import Theme

PAWN = (
    "M22.5 8.5a5.6 5.6 0 0 1 3.6 9.9h3.4v3h-3.2c.4 5.6 3.2 9.2 6.4 12.1H12.3c3.2-2.9 6-6.5 6.4-12.1h-3.2v-3h3.4"
    "a5.6 5.6 0 0 1 3.6-9.9zM10.5 35h24v4.5h-24z"
)
KING = (
    "M21 4h3v2.6h2.6v3H24v3.6c2.2.5 3.5 1.8 4.2 3.5 5.5-1.5 10.3 1.8 9 7.4-.7 3.2-3.3 6-4.6 9.4H12.4"
    "c-1.3-3.4-3.9-6.2-4.6-9.4-1.3-5.6 3.5-8.9 9-7.4.7-1.7 2-3 4.2-3.5V9.6h-2.6v-3H21zM11 35h23v4.5H11z"
)
_CHESS_SIDE = 45.0
"""The square in which these two are drawn."""

_TOAD = "M6 30C6 19 14 13 23 13C32 13 39 19 40 25C41 30 37 33 30 33L10 33C7 33 6 32 6 30Z"
"""A crouching back that looks to the right."""


def sign(theme: Theme, glyph: str, x: float, y: float, side: float, holds: str = "") -> str:
    """The sign of this name on the square with this corner; letters say what it holds."""
    if not glyph:
        return ""
    shape, _, player = glyph.partition("-")
    draw = _SHAPES.get(shape)
    return draw(theme, player, x, y, side) if draw else letter(theme, holds, x, y, side)


def letter(theme: Theme, holds: str, x: float, y: float, side: float) -> str:
    """As much of a word as fits; what does not fit is told by the tooltip."""
    size = min(18.0, side * 0.45)
    if text_width(holds, size) > side - 6:
        size = SMALL
    if size < SMALL or side < 20:
        return ""
    return text(theme, x + side / 2, y + side / 2 + size * 0.36, fit(holds, size, side - 4), size, anchor="middle")


def slab(theme: Theme, player: str, x: float, y: float, width: float, height: float) -> str:
    """A domino, or another thing that lies flat."""
    inset = min(5.0, min(width, height) * 0.12)
    fill, stroke = ("piece", None) if player == "first" else ("hollow", "piece")
    if player == "both":
        fill, stroke = "shade", "edge"
    body = element(
        "rect", x=x + inset, y=y + inset, width=width - 2 * inset, height=height - 2 * inset,
        rx=min(8.0, min(width, height) * 0.18), **theme.paint(fill, stroke, 2),
    )  # fmt: skip
    if player == "both":  # anybody's: a line across
        middle = y + height / 2
        body += element(
            "path", d=path("M", x + inset + 4, middle, "H", x + width - inset - 4), **theme.paint(None, "edge", 2)
        )
    return body


def _stone(theme: Theme, player: str, x: float, y: float, side: float) -> str:
    fill, stroke = ("piece", None) if player != "second" else ("hollow", "piece")
    if player in ("white", "black"):
        fill, stroke = player, "rim"
    width = max(1.5, side / 24)
    radius = side * 0.34 - (width / 2 if stroke else 0)
    return element("circle", cx=x + side / 2, cy=y + side / 2, r=radius, **theme.paint(fill, stroke, width))


def _counter(theme: Theme, player: str, x: float, y: float, side: float) -> str:
    return element("circle", cx=x + side / 2, cy=y + side / 2, r=side * 0.28, **theme.paint("piece"))


def _mark(theme: Theme, player: str, x: float, y: float, side: float) -> str:
    return element("circle", cx=x + side / 2, cy=y + side / 2, r=max(2.0, side * 0.09), **theme.paint("edge"))


def _only(theme: Theme, player: str, x: float, y: float, side: float) -> str:
    fill, stroke = ("piece", None) if player == "first" else ("hollow", "piece")
    return element(
        "circle", cx=x + side / 2, cy=y + side / 2, r=max(2.5, side * 0.12), **theme.paint(fill, stroke, 1.5)
    )


def _cross(theme: Theme, player: str, x: float, y: float, side: float) -> str:
    a, b = side * 0.24, side * 0.76
    d = path("M", x + a, y + a, "L", x + b, y + b, "M", x + b, y + a, "L", x + a, y + b)
    return element("path", d=d, stroke_linecap="round", **theme.paint(None, "ink", side * 0.09))


def _nought(theme: Theme, player: str, x: float, y: float, side: float) -> str:
    return element("circle", cx=x + side / 2, cy=y + side / 2, r=side * 0.26, **theme.paint(None, "ink", side * 0.09))


def _blocked(theme: Theme, player: str, x: float, y: float, side: float) -> str:
    inset = min(3.0, side * 0.08)
    inner = side - 2 * inset
    steps: list[str | float] = []
    for k in (0.33, 0.67, 1.0):
        steps += ["M", x + inset, y + inset + inner * k, "L", x + inset + inner * k, y + inset]
    for k in (0.33, 0.67):
        steps += ["M", x + inset + inner * k, y + inset + inner, "L", x + inset + inner, y + inset + inner * k]
    ground = element("rect", x=x + inset, y=y + inset, width=inner, height=inner, **theme.paint("shade"))
    return ground + element("path", d=path(*steps), **theme.paint(None, "edge", 1.2))


def _domino(theme: Theme, player: str, x: float, y: float, side: float) -> str:
    return slab(theme, player, x + side * 0.2, y, side * 0.6, side)


def _chess(outline: str) -> Callable[[Theme, str, float, float, float], str]:
    def draw(theme: Theme, player: str, x: float, y: float, side: float) -> str:
        scale = side / _CHESS_SIDE
        place = f"translate({number(x)} {number(y)}) scale({scale:.3f})"
        return element("path", d=outline, transform=place, stroke_linejoin="round", **theme.paint(player, "rim", 1.4))

    return draw


def _animal(first: bool) -> Callable[[Theme, str, float, float, float], str]:
    def draw(theme: Theme, player: str, x: float, y: float, side: float) -> str:
        scale = side / 46
        fill = "piece" if first else "hollow"
        eye = "hollow" if first else "piece"

        def across(v: float) -> float:
            return x + v * scale if first else x + side - v * scale

        steps: list[str | float] = []
        coordinates: list[float] = []
        for token in _TOAD.replace("C", " C ").replace("M", "M ").replace("L", " L ").replace("Z", " Z").split():
            if token.isalpha():
                steps.append(token)
            else:
                coordinates.append(float(token))
                even = len(coordinates) % 2 == 0
                steps.append(y + coordinates[-1] * scale if even else across(coordinates[-1]))
        body = element("path", d=path(*steps), **theme.paint(fill, "piece", max(1.5, side / 24)))
        looks = element("circle", cx=across(32.0), cy=y + 19 * scale, r=3 * scale, **theme.paint(eye))
        return body + looks

    return draw


_SHAPES: dict[str, Callable[[Theme, str, float, float, float], str]] = {
    "stone": _stone,
    "counter": _counter,
    "mark": _mark,
    "only": _only,
    "cross": _cross,
    "nought": _nought,
    "blocked": _blocked,
    "domino": _domino,
    "pawn": _chess(PAWN),
    "king": _chess(KING),
    "toad": _animal(True),
    "frog": _animal(False),
}
