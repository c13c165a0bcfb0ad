"""Writing SVG: escaped elements, text, and fragments of known size that are put together like boxes.

Nothing here uses style sheets or a ``style`` attribute, and ids only with a prefix that the caller gives: several
pictures on one page, as in a notebook, would share them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import hypot
from typing import Literal

from ludisect.draw.text import FACE, text_width
from ludisect.draw.theme import Theme

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")

Point = tuple[float, float]
PictureKind = Literal["board", "graph", "thermograph", "tree", "decomposition"]

MARGIN = 20.0
"""Around a whole picture."""

SMALL, BODY, HEAD, NAME = 12.0, 13.0, 15.0, 20.0
"""Sizes of text; there is none smaller."""


def clean(text: str) -> str:
    """Text that may stand in XML or HTML: markup escaped, what XML forbids or what turns the line replaced."""
    return escape(_TURNING.sub("\ufffd", _NOT_XML.sub("\ufffd", text)))


def number(x: float) -> str:
    """A coordinate: a tenth of a unit is finer than any screen shows."""
    out = f"{x:.1f}".removesuffix(".0")
    return "0" if out == "-0" else out


def element(name: str, *children: str, **attributes: str | float | None) -> str:
    """One element. Attribute names have ``_`` for ``-``, and one at the end is dropped; None leaves one out."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{number(value) if isinstance(value, (int, float)) else clean(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    inside = "".join(children)
    return f"<{name}{written}>{inside}</{name}>" if inside else f"<{name}{written}/>"


def tooltip(text: str) -> str:
    """What a browser shows when the pointer rests on the parent."""
    return element("title", clean(text))


def path(*steps: str | float) -> str:
    """The ``d`` of a path: letters and numbers."""
    return " ".join(s if isinstance(s, str) else number(s) for s in steps)


def text(
    theme: Theme,
    x: float,
    y: float,
    content: str,
    size: float,
    *,
    anchor: str | None = None,
    bold: bool = False,
    tone: str = "ink",
    face: str | None = None,
) -> str:
    """A line of text that stands on ``y``."""
    paint = theme.paint(tone)
    return element(
        "text", clean(content), x=x, y=y, font_size=size, text_anchor=anchor, font_weight="bold" if bold else None,
        font_family=face, **paint,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fragment:
    """A finished piece of the picture, drawn from its own upper left corner."""

    width: float
    height: float
    body: str

    def at(self, x: float, y: float) -> str:
        """The piece moved to its place."""
        if not x and not y:
            return self.body
        return element("g", self.body, transform=f"translate({number(x)} {number(y)})")


def stack(pieces: Sequence[Fragment], gap: float) -> Fragment:
    """Pieces below one another; empty ones are left out."""
    y, body, width = 0.0, [], 0.0
    for piece in (p for p in pieces if p.body):
        body.append(piece.at(0, y))
        y += piece.height + gap
        width = max(width, piece.width)
    return Fragment(width, max(0.0, y - gap), "".join(body))


def flow(pieces: Sequence[Fragment], room: float, gap: float, *, middle: bool = False) -> Fragment:
    """Pieces side by side, in rows that are no wider than ``room`` or than one piece."""
    body: list[str] = []
    x = y = height = width = 0.0
    row: list[tuple[float, Fragment]] = []

    def close() -> None:
        body.extend(p.at(at, y + ((height - p.height) / 2 if middle else 0)) for at, p in row)

    for piece in (p for p in pieces if p.body):
        if row and x + piece.width > room:
            close()
            row, x, y, height = [], 0.0, y + height + gap, 0.0
        row.append((x, piece))
        width, height = max(width, x + piece.width), max(height, piece.height)
        x += piece.width + gap
    close()
    return Fragment(width, y + height, "".join(body))


def heading(theme: Theme, content: str, size: float = HEAD) -> Fragment:
    """A line that says what comes below."""
    return Fragment(text_width(content, size, bold=True), size * 1.3, text(theme, 0, size, content, size, bold=True))


def line_of(theme: Theme, content: str, size: float = BODY, *, tone: str = "ink") -> Fragment:
    """One line of text."""
    return Fragment(text_width(content, size), size * 1.35, text(theme, 0, size, content, size, tone=tone))


def picture(
    theme: Theme,
    whole: Fragment,
    kind: PictureKind,
    title: str,
    desc: str = "",
    *,
    prefix: str = "",
    interactive: bool = False,
    margin: float = MARGIN,
) -> str:
    """A whole picture. One that people act on is a group: ``img`` would hide what is inside from screen readers."""
    width, height = whole.width + 2 * margin, whole.height + 2 * margin
    ground = element("rect", width=width, height=height, rx=8, **theme.paint("surface")) if theme.name != "page" else ""
    names: dict[str, str | float | None] = {"role": "group" if interactive else "img"}
    told = [("title", title), ("desc", desc)]
    if prefix:
        names["aria_labelledby"] = f"{prefix}title"
        names["aria_describedby"] = f"{prefix}desc" if desc else None
    else:
        names["aria_label"] = title
    fixed: dict[str, str | float | None] = {} if theme.name == "page" else {"width": width, "height": height}
    return (
        element(
            "svg",
            *(element(tag, clean(words), id=f"{prefix}{tag}" if prefix else None) for tag, words in told if words),
            ground,
            whole.at(margin, margin),
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {number(width)} {number(height)}",
            **fixed,
            **names,
            data_picture=kind,
            font_family=FACE if theme.name != "page" else None,
        )
        + "\n"
    )


def arrow_head(theme: Theme, tip: Point, towards: Point, tone: str, size: float = 9.0) -> str:
    """The end at ``tip`` of a line that runs in the direction ``towards``."""
    length = hypot(*towards) or 1.0
    dx, dy = towards[0] / length, towards[1] / length

    def at(back: float, aside: float) -> Point:
        return tip[0] - back * dx - aside * dy, tip[1] - back * dy + aside * dx

    points = " ".join(f"{number(x)},{number(y)}" for x, y in (tip, at(size, size * 0.5), at(size, -size * 0.5)))
    return element("polygon", points=points, **theme.paint(tone))
