"""Edges as lines: one per pair of ends and kind, beside each other, bundled where many meet many."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import hypot

from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.decomposition.model.dependency import EdgeKind
from ludisect.draw.limits import DrawLimits
from ludisect.draw.lump import DrawnTie, Lumped, place_name
from ludisect.draw.palette import STROKES
from ludisect.draw.svg import Point, arrow_head, element, number, tooltip


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle by its centre and size."""

    x: float
    y: float
    width: float
    height: float

    def edge_towards(self, other: Point) -> Point:
        """Where the line from the centre to ``other`` leaves the rectangle."""
        dx, dy = other[0] - self.x, other[1] - self.y
        share = min(
            self.width / 2 / abs(dx) if dx else float("inf"), self.height / 2 / abs(dy) if dy else float("inf"), 1.0
        )
        return self.x + dx * share, self.y + dy * share


@dataclass(frozen=True, slots=True)
class Line:
    """Ties (their indices) drawn as one line; ``both`` if some run each way."""

    source: int
    target: int
    kind: EdgeKind
    weight: float
    both: bool
    ties: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Drawn:
    """How strongly a line is drawn (0..1 in width, its opacity), and whether it leaves boxes by their sides."""

    share: float = 1.0
    opacity: float = 0.85
    ports: bool = False


def lines(pairs: Iterable[tuple[int, int, int, DrawnTie]]) -> list[Line]:
    """Ties as lines between their ends (given as index, source, target, tie): one per pair of ends and kind."""
    found: dict[tuple[int, int, EdgeKind], list[tuple[int, bool, float]]] = defaultdict(list)
    for index, a, b, tie in pairs:
        found[min(a, b), max(a, b), tie.kind].append((index, a <= b, tie.weight))
    out = []
    for (a, b, kind), members in found.items():
        forward = {way for _, way, _ in members}
        source, target = (a, b) if True in forward else (b, a)
        ties = tuple(index for index, _, _ in members)
        out.append(Line(source, target, kind, max(w for *_, w in members), len(forward) == 2, ties))
    return out


def inner_lines(
    lumped: Lumped, mine: Sequence[Line], boxes: Mapping[int, Box], *, ports: bool, greatest: Mapping[EdgeKind, float]
) -> list[str]:
    """The lines of one cluster; ``greatest`` is the weight of each kind that is drawn in full width."""
    bundled, single = bundles(mine) if ports else ([], mine)
    # Many lines are drawn thin and pale, so that a crowd looks like one and its labels stay readable.
    faint = min(1.0, 60 / max(len(single), 1))
    opacity = 0.35 + 0.5 * faint
    out = [_bundle(lumped, b, boxes, k) for k, b in enumerate(bundled)]
    for together in _siblings(single):
        for k, line in enumerate(together):
            # A line that runs the other way has to bend the other way to keep beside its siblings.
            bend = (k - (len(together) - 1) / 2) * 14 * (1 if line.source < line.target else -1)
            share = line.weight / (greatest[line.kind] or 1.0)
            out.append(_line(lumped, line, boxes, bend, Drawn(share * faint, opacity, ports)))
    return out


def bundles(mine: Sequence[Line]) -> tuple[list[list[Line]], list[Line]]:
    """Lines that tie each of some nodes to each of others, by bundle; and those in no bundle."""
    targets: dict[tuple[EdgeKind, int], set[int]] = defaultdict(set)
    for line in mine:
        if not line.both:
            targets[line.kind, line.source].add(line.target)
    alike: dict[tuple[EdgeKind, frozenset[int]], set[int]] = defaultdict(set)
    for (kind, source), reached in targets.items():
        alike[kind, frozenset(reached)].add(source)
    number_of: dict[tuple[EdgeKind, int], int] = {}
    least = DrawLimits.current().lines_bundle
    found = [(key, group) for key, group in alike.items() if len(key[1]) >= least and len(group) >= least]
    for k, ((kind, _), sources) in enumerate(found):
        number_of.update({(kind, source): k for source in sources})
    out: list[list[Line]] = [[] for _ in found]
    single: list[Line] = []
    for line in mine:
        k = number_of.get((line.kind, line.source), -1) if not line.both else -1
        (single if k < 0 else out[k]).append(line)
    return out, single


def _bundle(lumped: Lumped, together: Sequence[Line], boxes: Mapping[int, Box], k: int) -> str:
    """Lines from each source to a point in the aisle between the columns, and on to each target."""
    sources, targets = ({line.source for line in together}, {line.target for line in together})
    first, last = boxes[min(sources)], boxes[min(targets)]
    way = 1 if first.x < last.x else -1
    inner = (
        max(way * boxes[i].x + boxes[i].width / 2 for i in sources),
        min(way * boxes[i].x - boxes[i].width / 2 for i in targets),
    )
    ends = [boxes[i].y for i in (*sources, *targets)]
    center = way * sum(inner) / 2 + 12 * (k % 3 - 1), sum(ends) / len(ends)
    look = STROKES[together[0].kind]
    count = sum(lumped.ties[i].count for line in together for i in line.ties)
    out = [tooltip(f"each of {len(sources)} to each of {len(targets)}: {look.meaning} ({count} edges)")]
    for ids, side in ((sources, 1), (targets, -1)):
        for i in sorted(ids):
            box = boxes[i]
            end = box.x + way * side * box.width / 2, box.y + 5
            ties = [t for line in together if i in (line.source, line.target) for t in line.ties]
            legs = element(
                "path", d=_path(end, center, center), fill="none", stroke=look.color, stroke_width=look.width,
                stroke_dasharray=look.dash, stroke_opacity=0.85,
            )  # fmt: skip
            head = "" if side > 0 else arrow_head(end, (end[0] - center[0], end[1] - center[1]), look.color, look.head)
            out.append(element("g", legs, head, data_tie=" ".join(map(str, ties))))
    out.append(element("circle", cx=center[0], cy=center[1], r=2.5, fill=look.color))
    return element("g", *out)


def _siblings(found: Iterable[Line]) -> Iterable[list[Line]]:
    """Lines by their pair of ends."""
    out: dict[tuple[int, int], list[Line]] = defaultdict(list)
    for line in found:
        out[min(line.source, line.target), max(line.source, line.target)].append(line)
    return out.values()


def _path(start: Point, middle: Point, end: Point) -> str:
    return " ".join(["M", *map(number, start), "Q", *map(number, middle), *map(number, end)])


def _line(lumped: Lumped, line: Line, boxes: Mapping[int, Box], bend: float, drawn: Drawn) -> str:
    a, b = boxes[line.source], boxes[line.target]
    names = lumped.groups[line.source].label, lumped.groups[line.target].label
    if drawn.ports:
        way = 1 if a.x < b.x else -1
        start = a.x + way * a.width / 2, a.y + bend * way * 0.35
        end = b.x - way * b.width / 2, b.y + bend * way * 0.35
        return _stroke(lumped, line, start, ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2), end, drawn, names)
    dx, dy = b.x - a.x, b.y - a.y
    length = hypot(dx, dy) or 1.0
    middle = (a.x + dx / 2 - dy / length * bend * 2, a.y + dy / 2 + dx / length * bend * 2)
    return _stroke(lumped, line, a.edge_towards(middle), middle, b.edge_towards(middle), drawn, names)


def _stroke(
    lumped: Lumped, line: Line, start: Point, middle: Point, end: Point, drawn: Drawn, names: tuple[str, str]
) -> str:
    look = STROKES[line.kind]
    width = look.width * (0.6 + 0.6 * max(0.0, drawn.share))
    count = sum(lumped.ties[i].count for i in line.ties)
    told = f"{names[0]} {'↔' if line.both else '→'} {names[1]}: {line.kind}"
    told += f" ({count} edges)" if count > 1 else ""
    why = next((lumped.ties[i].why for i in line.ties if lumped.ties[i].why), "")
    return element(
        "g",
        tooltip(told + (f"\n{why}" if why else "")),
        element(
            "path", d=_path(start, middle, end), fill="none", stroke=look.color, stroke_width=width,
            stroke_dasharray=look.dash, stroke_opacity=drawn.opacity,
        ),
        arrow_head(end, (end[0] - middle[0], end[1] - middle[1]), look.color, look.head),
        arrow_head(start, (start[0] - middle[0], start[1] - middle[1]), look.color, look.head) if line.both else "",
        data_tie=" ".join(map(str, line.ties)),
    )  # fmt: skip


def between_lines(parts: Decomposition, lumped: Lumped, frames: Mapping[int, Box]) -> str:
    """What ties clusters, all edges of a kind in one line, and the order of serial parts; drawn below the boxes."""
    groups = lumped.groups
    outer = [
        (i, groups[t.source].place, groups[t.target].place, t)
        for i, t in enumerate(lumped.ties)
        if groups[t.source].place != groups[t.target].place
    ]
    found = lines(outer)
    told = {(line.source, line.target) for line in found if line.kind == "serial"}
    place_of_id = {s.id: p for p, s in enumerate(parts.parts)}
    for p, s in enumerate(parts.parts):
        for before in s.after:
            q = place_of_id.get(before, p)
            if q != p and q in frames and p in frames and (q, p) not in told:
                found.append(Line(q, p, "serial", 1.0, False, ()))
    out = []
    for together in _siblings(found):
        for k, line in enumerate(together):
            shift = (k - (len(together) - 1) / 2) * 16
            a, b = frames[line.source], frames[line.target]
            dx, dy = b.x - a.x, b.y - a.y
            length = hypot(dx, dy) or 1.0
            sign = 1 if line.source < line.target else -1
            nx, ny = -dy / length * shift * sign, dx / length * shift * sign
            a, b = (Box(box.x + nx, box.y + ny, box.width, box.height) for box in (a, b))
            start, end = _leave(frames[line.source], a, b), _leave(frames[line.target], b, a)
            middle = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
            names = place_name(parts, lumped, line.source), place_name(parts, lumped, line.target)
            out.append(_stroke(lumped, line, start, middle, end, Drawn(), names))
    return "".join(out)


def _leave(frame: Box, start: Box, towards: Box) -> Point:
    """Where the line from a point in ``frame`` (near its centre) to another leaves the frame."""
    dx, dy = towards.x - start.x, towards.y - start.y
    shares = []
    for d, at, center, half in (
        (dx, start.x, frame.x, frame.width / 2),
        (dy, start.y, frame.y, frame.height / 2),
    ):
        if d:
            shares.append(((center + half if d > 0 else center - half) - at) / d)
    # The boxes cover what lies below them: the end of a line stays clear of them.
    share = min([s for s in shares if s >= 0], default=0.0) + 3.0 / (hypot(dx, dy) or 1.0)
    return start.x + dx * share, start.y + dy * share
