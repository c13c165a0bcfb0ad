"""Thermographs as drawings: equal units on both axes, temperature upward, values growing to the left."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from ludisect.cgt.thermograph import Thermograph, Wall
from ludisect.draw.svg import BODY, SMALL, Fragment, element, path, picture, stack, text, tooltip
from ludisect.draw.text import SERIF, fit, text_width, typeset
from ludisect.draw.theme import Theme, theme_of

_FULL, _SMALL_FORM = (440.0, 320.0), (120.0, 64.0)
"""The room for walls and mast."""
_STEPS = [Fraction(1, 4), Fraction(1, 2), *(Fraction(n * 10**k) for k in range(9) for n in (1, 2, 5))]
"""From one label of an axis to the next."""


@dataclass(frozen=True, slots=True)
class _Plot:
    """Where temperatures and values are drawn: the same number of units each."""

    low: Fraction
    high: Fraction
    floor: Fraction
    top: Fraction
    unit: float

    def x(self, value: Fraction | int) -> float:
        return float(self.high - value) * self.unit

    def y(self, t: Fraction | int) -> float:
        return float(self.top - t) * self.unit

    @property
    def size(self) -> tuple[float, float]:
        return self.x(self.low), self.y(self.floor)


def thermograph_svg(
    graph: Thermograph, title: str = "", *, theme: str = "light", small: bool = False, prefix: str = ""
) -> str:
    """The picture of a thermograph; the small form has no axes, and begins at temperature 0."""
    paper = theme_of(theme)
    told = sentence(graph)
    if small:
        return picture(
            paper, _small(paper, graph), "thermograph", title or "Thermograph", told, prefix=prefix, margin=4
        )
    name = fit(typeset(title), 15, 440, bold=True) if title else ""
    head = [Fragment(text_width(name, 15, bold=True), 20, text(paper, 0, 15, name, 15, bold=True))] if name else []
    about = Fragment(text_width(told, SMALL), 18, text(paper, 0, SMALL, told, SMALL, tone="ink2"))
    whole = stack([*head, about, _full(paper, graph)], 8)
    return picture(paper, whole, "thermograph", title or "Thermograph", told, prefix=prefix)


def sentence(graph: Thermograph) -> str:
    """What a thermograph says, in words."""
    if graph.temperature < 0:
        return typeset(f"a number, {graph.mean}; moving here costs {-graph.temperature}")
    stops = f"left stop {graph.left.at(0)}, right stop {graph.right.at(0)}"
    return typeset(f"mean {graph.mean}, temperature {graph.temperature}, {stops}")


def _plot(graph: Thermograph, floor_at: int, room: tuple[float, float], most: float, *, full: bool) -> _Plot:
    """The part of the plane that is shown, and its unit."""
    from_floor = [wall.at(floor_at) for wall in (graph.left, graph.right)]
    values = [Fraction(x) for w in (graph.left, graph.right) for t, x in w.points if t >= floor_at]
    values += [Fraction(x) for x in from_floor]
    spare = max(Fraction(1, 2), (max(values) - min(values)) / 10) if full else Fraction(1, 4)
    low, high = min(values) - spare, max(values) + spare
    hot = max(Fraction(graph.temperature), Fraction(0))
    above = max(Fraction(1), hot / 3) if full else max(Fraction(3, 4), (hot - floor_at) / 2)
    top = hot + above
    unit = min(room[0] / float(high - low), room[1] / float(top - floor_at), most)
    if full:  # the mean stands beside the mast, the right stop beside its wall
        for x, told in ((graph.mean, f"mean {graph.mean}"), (graph.right.at(0), str(graph.right.at(0)))):
            low = min(low, x - Fraction((text_width(typeset(told), BODY) + 16) / unit))
    return _Plot(low, high, Fraction(floor_at), top, unit)


def _wall(theme: Theme, plot: _Plot, graph: Thermograph, wall: Wall, side: str, width: float) -> str:
    """A wall from the floor to the foot of the mast, and a dot with its place at each corner."""
    corners = [(t, x) for t, x in wall.points if t > plot.floor]
    start = max(plot.floor, Fraction(-1))
    corners = [(start, wall.at(start)), *corners]
    if corners[-1][0] < graph.temperature:  # upright below the mast
        corners.append((graph.temperature, wall.mast))
    steps: list[str | float] = []
    for k, (t, x) in enumerate(corners):
        steps += ["M" if not k else "L", plot.x(Fraction(x)), plot.y(Fraction(t))]
    line = element("path", d=path(*steps), stroke_linejoin="round", **theme.paint(None, side, width))
    dots = "".join(
        element(
            "circle", tooltip(f"{side} wall: value {typeset(str(x))} at temperature {typeset(str(t))}"),
            cx=plot.x(Fraction(x)), cy=plot.y(Fraction(t)), r=width + 0.7, **theme.paint(side),
            data_wall=side, data_t=str(t), data_x=str(x),
        )
        for t, x in corners
    )  # fmt: skip
    return line + dots


def _mast(theme: Theme, plot: _Plot, graph: Thermograph, width: float) -> str:
    foot = max(Fraction(graph.temperature), plot.floor)
    x = plot.x(Fraction(graph.mean))
    d = path("M", x, plot.y(foot), "V", 0.0)
    return element(
        "path", tooltip("mast"), d=d, **theme.paint(None, "ink", width),
        data_wall="mast", data_t=str(graph.temperature), data_x=str(graph.mean),
    )  # fmt: skip


def _value(theme: Theme, x: float, y: float, value: object, *, anchor: str = "middle", tone: str = "ink") -> str:
    return text(theme, x, y, typeset(str(value)), BODY, anchor=anchor, tone=tone, face=SERIF)


# ---- the small form ----


def _small(theme: Theme, graph: Thermograph) -> Fragment:
    plot = _plot(graph, 0 if graph.temperature > 0 else -1, _SMALL_FORM, 44.0, full=False)
    width, height = plot.size
    ground, mean = plot.y(0), plot.x(Fraction(graph.mean))
    out = [element("path", d=path("M", 0.0, ground, "H", width), **theme.paint(None, "edge", 1.5))]
    told = typeset(f"t {graph.temperature}")
    hot = plot.y(Fraction(graph.temperature))
    if graph.temperature > 0:
        line = path("M", 0.0, hot, "H", width)
        out.append(element("path", d=line, stroke_dasharray="2 3", **theme.paint(None, "edge", 1)))
    out += [_mast(theme, plot, graph, 2.5)]
    out += [_wall(theme, plot, graph, w, side, 2.2) for w, side in ((graph.left, "left"), (graph.right, "right"))]
    name = typeset(str(graph.mean))
    out.append(_value(theme, mean + 7, BODY * 0.9, graph.mean, anchor="start"))
    reach = [0.0, width, mean + 8 + text_width(name, BODY)]
    if graph.temperature > 0:
        at = min(0.0, mean - 8 - text_width(told, SMALL))
        out.append(text(theme, at, max(hot - 4, SMALL * 0.8), told, SMALL, tone="ink2"))
        stops, low, high = _stops(theme, plot, graph, ground + 16)
        out.append(stops)
        reach += [at, low, high]
        height = max(height, ground + 20)
    return Fragment(max(reach) - min(reach), height, Fragment(0, 0, "".join(out)).at(-min(reach), 0))


def _stops(theme: Theme, plot: _Plot, graph: Thermograph, y: float) -> tuple[str, float, float]:
    """Both stops below the ground line, pushed apart where they would lie on each other; and how far they reach."""
    stops = [(wall.at(0), tone) for wall, tone in ((graph.left, "left"), (graph.right, "right"))]
    places = [plot.x(Fraction(x)) for x, _ in stops]
    widths = [text_width(typeset(str(x)), BODY) for x, _ in stops]
    near = max(0.0, (widths[0] + widths[1]) / 2 + 8 - (places[1] - places[0])) / 2
    places = [places[0] - near, places[1] + near]
    out = "".join(_value(theme, at, y, x, tone=tone) for (x, tone), at in zip(stops, places, strict=True))
    return out, places[0] - widths[0] / 2, places[1] + widths[1] / 2


# ---- the full form ----


def _full(theme: Theme, graph: Thermograph) -> Fragment:
    plot = _plot(graph, -1, _FULL, 96.0, full=True)
    width, height = plot.size
    out = []
    longest = max(text_width(typeset(str(round(x))), SMALL) for x in (plot.low, plot.high)) + 12
    step = next((s for s in _STEPS if float(s) * plot.unit >= max(42.0, longest)), _STEPS[-1])
    for k in range(ceil(plot.low / step), floor(plot.high / step) + 1):
        x = plot.x(k * step)
        out.append(element("path", d=path("M", x, 0.0, "V", height), **theme.paint(None, "line", 1)))
        out.append(text(theme, x, height + 21, typeset(str(k * step)), SMALL, anchor="middle", tone="ink2"))
    margin = 0.0
    for k in range(ceil(plot.floor / step), floor(plot.top / step) + 1):
        t = k * step
        y = plot.y(t)
        look = theme.paint(None, "edge" if t == 0 else "line", 2 if t == 0 else 1)
        out.append(element("path", d=path("M", 0.0, y, "H", width), **look))
        told = typeset(str(t))
        out.append(text(theme, width + 8, y + SMALL * 0.36, told, SMALL, tone="ink2"))
        margin = max(margin, text_width(told, SMALL) + 8)
    out += [_mast(theme, plot, graph, 3)]
    out += [_wall(theme, plot, graph, w, side, 2.8) for w, side in ((graph.left, "left"), (graph.right, "right"))]
    axis = "value, larger to the left"
    out.append(text(theme, width / 2, height + 40, axis, SMALL, anchor="middle", tone="ink2"))
    out.append(text(theme, width + margin, -12, "temperature", SMALL, anchor="end", tone="ink2"))
    labels, low, high = _labels(theme, plot, graph)
    half = text_width(axis, SMALL) / 2
    reach = [low, high, 0.0, width + margin, width / 2 - half, width / 2 + half]
    reach += [-text_width("−5⁄2", SMALL) / 2, width + margin - text_width("temperature", SMALL)]
    body = Fragment(0, 0, "".join([*out, *labels])).at(-min(reach), 24)
    return Fragment(max(reach) - min(reach), height + 70, body)


def _labels(theme: Theme, plot: _Plot, graph: Thermograph) -> tuple[list[str], float, float]:
    """The mean beside the mast, the temperature on a dashed line, the stops outside the walls just above 0.

    Also how far these reach to the left and to the right.
    """
    width, _ = plot.size
    mean = plot.x(Fraction(graph.mean))
    out = [_told(theme, mean + 10, 14.0, f"mean {graph.mean}", "ink", "start")]
    low, high = 0.0, mean + 12 + text_width(typeset(f"mean {graph.mean}"), BODY)
    if graph.temperature > 0:
        hot, ground = plot.y(Fraction(graph.temperature)), plot.y(0) - 6
        line = path("M", 0.0, hot, "H", width)
        out.append(element("path", d=line, stroke_dasharray="5 4", **theme.paint(None, "ink2", 1.2)))
        told = f"t {graph.temperature}"
        at = min(4.0, mean - 8 - text_width(typeset(told), BODY))
        out.append(_told(theme, at, hot - 6, told, "ink2", "start"))
        left, right = plot.x(Fraction(graph.left.at(0))) - 10, plot.x(Fraction(graph.right.at(0))) + 10
        out.append(_told(theme, left, ground, str(graph.left.at(0)), "left", "end"))
        out.append(_told(theme, right, ground, str(graph.right.at(0)), "right", "start"))
        low = min(at, left - text_width(typeset(str(graph.left.at(0))), BODY)) - 2
        high = max(high, right + text_width(typeset(str(graph.right.at(0))), BODY) + 2)
    return out, low, high


def _told(theme: Theme, x: float, y: float, content: str, tone: str, anchor: str) -> str:
    shown = typeset(content)
    wide = text_width(shown, BODY)
    left = x if anchor == "start" else x - wide
    ground = element("rect", x=left - 2, y=y - BODY, width=wide + 4, height=BODY * 1.35, rx=3, **theme.paint("surface"))
    return ground + text(theme, x, y, shown, BODY, anchor=anchor, tone=tone, face=SERIF)
