"""Lines between boxes that stand in rows and columns: they run in streets, in lanes with room for words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import hypot

from ludisect.draw.svg import SMALL, Point, path
from ludisect.draw.text import text_width

LANE = 20.0
"""From lane to lane: the height of a line of words."""
STREET = 24.0
"""The least room between rows and between columns."""
PORT = 16.0
"""From line to line where several end at one side of a box."""

Row = tuple[tuple[int, float, float], ...]
"""Boxes of one row: name, width, height."""


@dataclass(frozen=True, slots=True)
class Wire:
    """A line from box to box with its words; wires from one box with the same words share a lane."""

    source: int
    target: int
    words: str


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a box is."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Routed:
    """A line as its corners, and where its words stand (the middle of them), if they are not told by another line."""

    wire: Wire
    corners: tuple[Point, ...]
    words_at: Point | None


@dataclass(slots=True)
class _Streets:
    """Which lanes are taken in the street above each row (and below the last), and how many lines end at each side."""

    lanes: dict[int, dict[tuple[int, str], int]] = field(default_factory=dict)
    ports: dict[tuple[int, str], list[tuple[int, str, int]]] = field(default_factory=dict)

    def lane(self, street: int, wire: Wire) -> int:
        taken = self.lanes.setdefault(street, {})
        return taken.setdefault((wire.source, wire.words), len(taken))

    def port(self, box: int, side: str, wire: Wire) -> int:
        """Which of the ports of a side a wire has; wires that share a lane leave by one."""
        key = (wire.source, wire.words, -1 if box == wire.source else wire.target)
        mine = self.ports.setdefault((box, side), [])
        if key not in mine:
            mine.append(key)
        return mine.index(key)


def lay_out(rows: Sequence[Row], wires: Sequence[Wire]) -> tuple[dict[int, Placed], list[Routed], tuple[float, float]]:
    """Boxes in their rows, each row centred; the lines between them; and the size of the whole."""
    where = {name: (r, k) for r, row in enumerate(rows) for k, (name, *_) in enumerate(row)}
    streets = _Streets()
    beside = [w for w in wires if _beside(where, w)]
    gap = STREET + max((text_width(w.words, SMALL) + 16 for w in beside), default=0.0)
    for wire in wires:
        _take(where, streets, wire)
    placed, heights, size = _places(rows, streets, gap)
    told: set[tuple[int, str, int]] = set()
    routed = [_route(where, streets, placed, heights, gap, wire, told) for wire in wires]
    wide = max([size[0], *(c[0] for r in routed for c in r.corners)], default=0.0)
    return placed, routed, (wide, size[1])


def _beside(where: Mapping[int, tuple[int, int]], wire: Wire) -> bool:
    """Whether the boxes are neighbours in a row: the line goes straight from side to side."""
    (r, k), (s, m) = where[wire.source], where[wire.target]
    return r == s and abs(k - m) == 1


def _take(where: Mapping[int, tuple[int, int]], streets: _Streets, wire: Wire) -> None:
    """Lanes and ports that a line needs. Street ``r`` lies above row ``r``."""
    (r, _), (s, _) = where[wire.source], where[wire.target]
    if _beside(where, wire):
        return
    if r == s:
        streets.lane(r, wire)
        streets.port(wire.source, "top", wire)
        streets.port(wire.target, "top", wire)
        return
    down = s > r
    streets.lane(r + down, wire)
    if abs(s - r) > 1:
        streets.lane(s + (not down), wire)
    streets.port(wire.source, "bottom" if down else "top", wire)
    streets.port(wire.target, "top" if down else "bottom", wire)


def _places(
    rows: Sequence[Row], streets: _Streets, gap: float
) -> tuple[dict[int, Placed], list[float], tuple[float, float]]:
    """Boxes, the top of the street above each row and below the last, and the size."""
    widths = [sum(w for _, w, _ in row) + gap * (len(row) - 1) for row in rows]
    wide = max(widths, default=0.0)
    placed: dict[int, Placed] = {}
    tops: list[float] = []
    y = 0.0
    for r, row in enumerate(rows):
        tops.append(y)
        lanes = len(streets.lanes.get(r, {}))
        y += lanes * LANE + (STREET if lanes else 0.0) + (STREET if r and not lanes else 0.0)
        x = (wide - widths[r]) / 2
        for name, w, h in row:
            placed[name] = Placed(x, y, w, h)
            x += w + gap
        y += max((h for *_, h in row), default=0.0)
    tops.append(y)
    lanes = len(streets.lanes.get(len(rows), {}))
    return placed, tops, (wide, y + lanes * LANE + (STREET if lanes else 0.0))


def _route(
    where: Mapping[int, tuple[int, int]],
    streets: _Streets,
    placed: Mapping[int, Placed],
    tops: Sequence[float],
    gap: float,
    wire: Wire,
    told: set[tuple[int, str, int]],
) -> Routed:
    a, b = placed[wire.source], placed[wire.target]
    (r, k), (s, m) = where[wire.source], where[wire.target]
    if _beside(where, wire):
        middle = min(a.y + a.height, b.y + b.height, a.y + 60) - 12 + (24 if m < k else 0)
        x1, x2 = (a.x + a.width, b.x) if m > k else (a.x, b.x + b.width)
        return Routed(wire, ((x1, middle), (x2, middle)), ((x1 + x2) / 2, middle - 6))

    def level(street: int) -> float:
        return tops[street] + STREET / 2 + (streets.lane(street, wire) + 0.5) * LANE

    def port(box: Placed, name: int, side: str) -> Point:
        count = len(streets.ports[name, side])
        pitch = min(PORT, (box.width - 24) / max(1, count))
        x = box.x + box.width / 2 + (streets.port(name, side, wire) - (count - 1) / 2) * pitch
        return x, box.y if side == "top" else box.y + box.height

    if r == s:
        start, end, street = port(a, wire.source, "top"), port(b, wire.target, "top"), r
        y = level(street)
        corners: tuple[Point, ...] = (start, (start[0], y), (end[0], y), end)
    else:
        down = s > r
        start = port(a, wire.source, "bottom" if down else "top")
        end = port(b, wire.target, "top" if down else "bottom")
        street = r + down
        y = level(street)
        if abs(s - r) == 1:
            corners = (start, (start[0], y), (end[0], y), end)
        else:
            aside, y2 = b.x - gap / 2, level(s + (not down))
            corners = (start, (start[0], y), (aside, y), (aside, y2), (end[0], y2), end)
    key = (wire.source, wire.words, street)
    words_at = None if key in told else (start[0], y + SMALL * 0.36)
    told.add(key)
    return Routed(wire, corners, words_at)


def rounded(corners: Sequence[Point], radius: float = 8.0) -> str:
    """A line through corners that are rounded off, as the ``d`` of a path."""
    steps: list[str | float] = ["M", *corners[0]]
    for before, here, after in zip(corners, corners[1:], corners[2:], strict=False):
        one, two = hypot(here[0] - before[0], here[1] - before[1]), hypot(after[0] - here[0], after[1] - here[1])
        r = min(radius, one / 2, two / 2)
        if r < 0.5:
            steps += ["L", *here]
            continue
        into = [h + (b - h) * r / one for h, b in zip(here, before, strict=True)]
        out = [h + (a - h) * r / two for h, a in zip(here, after, strict=True)]
        steps += ["L", *into, "Q", *here, *out]
    return path(*steps, "L", *corners[-1])
