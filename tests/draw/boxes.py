"""Where the text of an SVG lies: read back from the finished picture, transforms and all."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass

from ludisect.draw.text import text_width

SPACE = "{http://www.w3.org/2000/svg}"

ASCENT, DESCENT = 0.80, 0.24
"""How far letters reach above and below the line they stand on, in ems."""


@dataclass(frozen=True)
class Label:
    """A line of text and the rectangle that it fills."""

    text: str
    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Label) -> bool:
        """Whether the rectangles share an area; coordinates are rounded to a tenth."""
        return (
            min(self.right, other.right) - max(self.left, other.left) > 0.2
            and min(self.bottom, other.bottom) - max(self.top, other.top) > 0.2
        )


def labels(svg: str) -> list[Label]:
    """Every text element."""
    out: list[Label] = []

    def visit(e: ElementTree.Element, x: float, y: float) -> None:
        moved = re.fullmatch(r"translate\((\S+) (\S+)\)( scale\(\S+\))?", e.get("transform", "translate(0 0)"))
        assert moved, e.get("transform")
        assert not (moved[3] and len(e)), "nothing with text is scaled: it would be too small"
        x, y = x + float(moved[1]), y + float(moved[2])
        if e.tag == f"{SPACE}text":
            size = float(e.get("font-size", ""))
            width = text_width(e.text or "", size, bold=e.get("font-weight") == "bold")
            shift = {"start": 0.0, "middle": width / 2, "end": width}[e.get("text-anchor", "start")]
            left, base = x + float(e.get("x", "")) - shift, y + float(e.get("y", ""))
            out.append(Label(e.text or "", left, base - ASCENT * size, left + width, base + DESCENT * size))
        for child in e:
            visit(child, x, y)

    visit(ElementTree.fromstring(svg), 0.0, 0.0)
    return out


def view_box(svg: str) -> tuple[float, float]:
    """Width and height."""
    left, top, width, height = map(float, ElementTree.fromstring(svg).get("viewBox", "").split())
    assert (left, top) == (0, 0)
    return width, height


def rectangles(svg: str) -> list[tuple[ElementTree.Element, float, float]]:
    """Every rectangle with a place, and where its upper left corner comes to lie."""
    out: list[tuple[ElementTree.Element, float, float]] = []

    def visit(e: ElementTree.Element, x: float, y: float) -> None:
        moved = re.match(r"translate\((\S+) (\S+)\)", e.get("transform", "translate(0 0)"))
        assert moved
        x, y = x + float(moved[1]), y + float(moved[2])
        if e.tag == f"{SPACE}rect":
            out.append((e, x + float(e.get("x", "0")), y + float(e.get("y", "0"))))
        for child in e:
            visit(child, x, y)

    visit(ElementTree.fromstring(svg), 0.0, 0.0)
    return out
