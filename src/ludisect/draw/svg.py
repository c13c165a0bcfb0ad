"""Writing SVG: escaped elements, and fragments of known size that are put together like boxes.

Nothing here uses ids or style sheets: several pictures on one page, as in a notebook, would share them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import hypot

from ludisect.draw.palette import GREY, INK, PAPER
from ludisect.draw.text import FACE, text_width

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

Point = tuple[float, float]

MARGIN = 20.0
"""Around a whole picture."""


def clean(text: str) -> str:
    """Text that may stand in XML or HTML: markup escaped, characters that XML forbids replaced."""
    return escape(_NOT_XML.sub("\ufffd", text))


def number(x: float) -> str:
    """A coordinate: a tenth of a unit is finer than any screen shows."""
    out = f"{x:.1f}".removesuffix(".0")
    return "0" if out == "-0" else out


def element(name: str, *children: str, **attributes: str | float | None) -> str:
    """One element. Attribute names are written with ``_`` for ``-``; None leaves an attribute out."""
    written = "".join(
        f' {key.replace("_", "-")}="{number(value) if isinstance(value, (int, float)) else clean(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    inside = "".join(children)
    return f"<{name}{written}>{inside}</{name}>" if inside else f"<{name}{written}/>"


def tooltip(text: str) -> str:
    """What a browser shows when the pointer rests on the parent."""
    return element("title", clean(text))


def text(
    x: float,
    y: float,
    content: str,
    size: float,
    *,
    anchor: str | None = None,
    bold: bool = False,
    fill: str = INK,
) -> str:
    """A line of text that stands on ``y``."""
    weight = "bold" if bold else None
    return element("text", clean(content), x=x, y=y, font_size=size, text_anchor=anchor, font_weight=weight, fill=fill)


@dataclass(frozen=True, slots=True)
class Fragment:
    """A finished piece of the picture, drawn from its own upper left corner."""

    width: float
    height: float
    body: str

    def at(self, x: float, y: float) -> str:
        """The piece moved to its place."""
        return element("g", self.body, transform=f"translate({number(x)} {number(y)})")


def stack(pieces: Sequence[Fragment], gap: float) -> Fragment:
    """Pieces below one another; empty ones are left out."""
    y, body, width = 0.0, [], 0.0
    for piece in (p for p in pieces if p.body):
        body.append(piece.at(0, y))
        y += piece.height + gap
        width = max(width, piece.width)
    return Fragment(width, max(0.0, y - gap), "".join(body))


def heading(content: str, size: float = 14) -> Fragment:
    """A line that says what comes below."""
    return Fragment(text_width(content, size, bold=True), size * 1.3, text(0, size, content, size, bold=True))


def framed(whole: Fragment, title: str) -> str:
    """A whole picture: a fragment on its own white ground."""
    width, height = whole.width + 2 * MARGIN, whole.height + 2 * MARGIN
    ground = element("rect", x=0.5, y=0.5, width=width - 1, height=height - 1, rx=6, fill=PAPER, stroke=GREY)
    return (
        element(
            "svg",
            tooltip(title),
            ground,
            whole.at(MARGIN, MARGIN),
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {number(width)} {number(height)}",
            width=width,
            height=height,
            style="max-width:100%;height:auto",
            role="img",
            font_family=FACE,
        )
        + "\n"
    )


def polygon(points: Sequence[Point], fill: str) -> str:
    """A filled area."""
    return element("polygon", points=" ".join(f"{number(x)},{number(y)}" for x, y in points), fill=fill)


def arrow_head(tip: Point, towards: Point, color: str, kind: str) -> str:
    """The end at ``tip`` of an edge that runs in the direction ``towards``: arrow, chevron, bar, dot or none."""
    length = hypot(*towards) or 1.0
    dx, dy = towards[0] / length, towards[1] / length

    def at(back: float, aside: float) -> Point:
        return tip[0] - back * dx - aside * dy, tip[1] - back * dy + aside * dx

    if kind == "arrow":
        return polygon([tip, at(8, 3.6), at(8, -3.6)], color)
    if kind == "dot":
        x, y = at(3.2, 0)
        return element("circle", cx=x, cy=y, r=3.2, fill=color)
    if kind in ("bar", "chevron"):
        corners = [at(0, 5), at(0, -5)] if kind == "bar" else [at(7, 3.8), tip, at(7, -3.8)]
        points = " ".join(f"{number(x)},{number(y)}" for x, y in corners)
        return element("polyline", points=points, fill="none", stroke=color, stroke_width=2.6 if kind == "bar" else 1.6)
    return ""
