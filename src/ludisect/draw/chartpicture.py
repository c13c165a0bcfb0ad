"""Charts along a play: a value after every move, with a band around it where there is one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import ceil

from ludisect.draw.svg import SMALL, Fragment, element, path, picture, text, tooltip
from ludisect.draw.text import text_width, typeset
from ludisect.draw.theme import Theme, theme_of

_HEIGHT = 72.0


def chart_svg(
    values: Sequence[float | None],
    *,
    spread: Sequence[float] = (),
    low: float | None = None,
    high: float | None = None,
    at: int | None = None,
    title: str = "Value along the play",
    width: float = 740.0,
    theme: str = "light",
    prefix: str = "",
) -> str:
    """The values after 0, 1, 2, ... moves; None where one is not known, and the line has a gap.

    ``spread`` is how far the value may lie off at each move: a band. ``low`` and ``high`` are the ends of the scale, by
    default those of what is shown. ``at`` is the move that is marked.
    """
    paper = theme_of(theme)
    known = [v for v in values if v is not None]
    reach = [v + s for v, s in zip(values, spread, strict=False) if v is not None]
    reach += [v - s for v, s in zip(values, spread, strict=False) if v is not None]
    bottom = low if low is not None else min([0.0, *known, *reach])
    top = high if high is not None else max([0.0, *known, *reach])
    if top - bottom < 1e-9:
        bottom, top = bottom - 1, top + 1
    whole = _chart(paper, values, spread, (bottom, top), at, width)
    last = next((v for v in reversed(values) if v is not None), None)
    told = f"{len(values) - 1} moves; from {_short(known[0])} to {_short(last)}" if known and last is not None else ""
    return picture(paper, whole, "chart", title, told, prefix=prefix, margin=6)


def _chart(
    theme: Theme,
    values: Sequence[float | None],
    spread: Sequence[float],
    scale: tuple[float, float],
    at: int | None,
    width: float,
) -> Fragment:
    bottom, top = scale
    labels = [_short(v) for v in (top, (top + bottom) / 2, bottom)]
    margin = max(text_width(label, SMALL) for label in labels) + 10
    room = width - margin - 10
    moves = max(1, len(values) - 1)

    def x(k: float) -> float:
        return margin + 4 + room * k / moves

    def y(v: float) -> float:
        return 10 + (top - v) / (top - bottom) * _HEIGHT

    out = []
    for value, label in zip((top, (top + bottom) / 2, bottom), labels, strict=True):
        strong = abs(value) < 1e-9 or value == (top + bottom) / 2
        line = path("M", margin, y(value), "H", width)
        out.append(element("path", d=line, **theme.paint(None, "edge" if strong else "line", 1)))
        out.append(text(theme, margin - 6, y(value) + SMALL * 0.36, label, SMALL, anchor="end", tone="ink2"))
    step = max(1, ceil(len(values) * 30 / max(room, 1.0)))
    for k in range(0, len(values), step):
        out.append(text(theme, x(k), _HEIGHT + 30, str(k), SMALL, anchor="middle", tone="ink2"))
    out += _band(theme, values, spread, x, y)
    steps: list[str | float] = []
    for k, known in enumerate(values):
        if known is not None:
            steps += ["L" if k and values[k - 1] is not None else "M", x(k), y(known)]
    if steps:
        out.append(element("path", d=path(*steps), stroke_linejoin="round", **theme.paint(None, "ink", 2)))
    for k, known in enumerate(values):
        if known is not None:
            told = tooltip(f"after {k} moves: {_short(known)}")
            look = theme.paint("ink" if k == at else "surface", "ink", 1.8)
            radius = 5.5 if k == at else 4.0
            out.append(element("circle", told, cx=x(k), cy=y(known), r=radius, data_ply=str(k), **look))
    return Fragment(width, _HEIGHT + 34, "".join(out))


def _band(
    theme: Theme,
    values: Sequence[float | None],
    spread: Sequence[float],
    x: Callable[[float], float],
    y: Callable[[float], float],
) -> list[str]:
    """The area between value plus and value minus spread, piece by piece."""
    out = []
    pairs = [(k, v, s) for k, (v, s) in enumerate(zip(values, spread, strict=False)) if v is not None]
    for (k, v, s), (m, w, u) in pairwise(pairs):
        if m == k + 1 and (s or u):
            d = path("M", x(k), y(v + s), "L", x(m), y(w + u), "L", x(m), y(w - u), "L", x(k), y(v - s), "Z")
            out.append(element("path", d=d, **theme.paint("shade")))
    return out


def _short(value: float) -> str:
    return typeset(f"{value:.3g}")
