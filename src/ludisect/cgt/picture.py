"""Thermographs as SVG: temperature upward, values growing to the left, as in the books."""

from __future__ import annotations

from html import escape
from math import ceil, floor
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludisect.cgt.thermograph import Thermograph, Wall

_WIDTH, _HEIGHT, _MARGIN = 480, 380, 56
LEFT, RIGHT, MAST, _AXIS = "#0b6bcb", "#c9372c", "#3b3f45", "#6b7077"


def thermograph_svg(graph: Thermograph, title: str = "") -> str:
    """The picture of ``graph``; Left's wall is blue, Right's red, the mast dark; tooltips tell the corners."""
    corners = [*graph.left.points, *graph.right.points]
    low, high = floor(min(x for _, x in corners)), ceil(max(x for _, x in corners))
    if low == high:
        low, high = low - 1, high + 1
    top = max(1, ceil(graph.temperature)) + 1

    def place(t: float, x: float) -> tuple[float, float]:
        across = (high - x) / (high - low) * (_WIDTH - 2 * _MARGIN) + _MARGIN
        return round(across, 2), round(_HEIGHT - _MARGIN - (t + 1) / (top + 1) * (_HEIGHT - 2 * _MARGIN), 2)

    def wall(w: Wall, color: str, name: str) -> str:
        # a wall that is upright below the mast has its last corner lower down
        points = [place(float(t), float(x)) for t, x in (*w.points, (graph.temperature, w.mast))]
        path = " ".join(f"{x},{y}" for x, y in points)
        dots = "".join(
            f'<circle cx="{place(float(t), float(x))[0]}" cy="{place(float(t), float(x))[1]}" r="3.5" fill="{color}">'
            f"<title>{name}: value {x} at temperature {t}</title></circle>"
            for t, x in w.points
        )
        return f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2.5"/>{dots}'

    facts = (
        f"mean {graph.mean}, temperature {graph.temperature}, left stop {graph.left.at(0)}, "
        f"right stop {graph.right.at(0)}"
    )
    label = escape(title) if title else "Thermograph"
    middle, bottom = _WIDTH / 2, _HEIGHT - _MARGIN
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'font-family="sans-serif" font-size="12"><title>{label}: {facts}</title>',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
        f'<text x="{middle}" y="20" text-anchor="middle" font-size="14">{label}</text>',
        f'<text x="{middle}" y="40" text-anchor="middle" fill="{_AXIS}">{facts}</text>',
    ]
    step = max(1, (high - low) // 10)
    for x in range(low, high + 1, step):
        (ax, ay), (_, by) = place(-1, x), place(top, x)
        out.append(f'<line x1="{ax}" y1="{ay}" x2="{ax}" y2="{by}" stroke="{_AXIS}" stroke-opacity="0.25"/>')
        out.append(f'<text x="{ax}" y="{ay + 16}" text-anchor="middle" fill="{_AXIS}">{x}</text>')
    for t in range(-1, top + 1, max(1, top // 8)):
        (ax, ay), (bx, _) = place(t, high), place(t, low)
        weight = "0.8" if t == 0 else "0.25"
        out.append(f'<line x1="{ax}" y1="{ay}" x2="{bx}" y2="{ay}" stroke="{_AXIS}" stroke-opacity="{weight}"/>')
        out.append(f'<text x="{bx + 8}" y="{ay + 4}" fill="{_AXIS}">{t}</text>')
    (ax, ay), (bx, by) = (place(float(t), float(graph.mean)) for t in (graph.temperature, top))
    x, y = _WIDTH - 14, _HEIGHT / 2
    out += [
        f'<text x="{_MARGIN}" y="{bottom + 38}" fill="{LEFT}">left wall</text>',
        f'<text x="{middle}" y="{bottom + 38}" text-anchor="middle" fill="{_AXIS}">value, larger to the left</text>',
        f'<text x="{_WIDTH - _MARGIN}" y="{bottom + 38}" text-anchor="end" fill="{RIGHT}">right wall</text>',
        f'<text x="{x}" y="{y}" text-anchor="middle" fill="{_AXIS}" transform="rotate(-90 {x} {y})">temperature</text>',
        f'<line x1="{ax}" y1="{ay}" x2="{bx}" y2="{by}" stroke="{MAST}" stroke-width="2.5"><title>mast</title></line>',
        wall(graph.left, LEFT, "left wall"),
        wall(graph.right, RIGHT, "right wall"),
        "</svg>",
    ]
    return "\n".join(out) + "\n"
