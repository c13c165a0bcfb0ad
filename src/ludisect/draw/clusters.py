"""The dependency graph as a drawing: one box per part, its fluents and moves inside, edges by kind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, sqrt

import numpy as np

from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.decomposition.model.dependency import EdgeKind
from ludisect.draw.layout import Points, Size, columns, force, rows
from ludisect.draw.limits import DrawLimits
from ludisect.draw.lines import Box, Line, between_lines, bundles, inner_lines, lines
from ludisect.draw.lump import Group, Lumped, place_name
from ludisect.draw.palette import FAINT, GREY, INK, PAPER, STROKES, color, ink_on, mix
from ludisect.draw.svg import Fragment, element, text, tooltip
from ludisect.draw.text import fit, text_width

LABEL, HEADER = 12.0, 13.0
NODE_HEIGHT, NODE_GAP, PAD, AISLE, STREET = 22.0, 9.0, 14.0, 84.0, 46.0
MAX_LABEL = 230.0
MEETING = "Where lines meet in a dot, each node that one comes from is tied to each that one goes to."


@dataclass(frozen=True, slots=True)
class _Cluster:
    """A part's box: its nodes' boxes in its own coordinates."""

    place: int
    nodes: tuple[int, ...]
    boxes: Mapping[int, Box]
    size: Size
    ports: bool
    """Lines leave boxes at the middle of their sides, as between columns."""


def graph_fragment(parts: Decomposition, lumped: Lumped) -> Fragment:
    """All clusters, packed in rows, with what ties them."""
    groups = lumped.groups
    inner = [
        (i, t.source, t.target, t)
        for i, t in enumerate(lumped.ties)
        if groups[t.source].place == groups[t.target].place
    ]
    inside = lines(inner)
    most = DrawLimits.current().clusters_ties
    dropped = max(0, len(inside) - most)
    inside = sorted(inside, key=lambda line: -line.weight)[:most]
    by_place: dict[int, list[int]] = defaultdict(list)
    for g, group in enumerate(groups):
        by_place[group.place].append(g)
    order = sorted(by_place, key=lambda p: (_rank(parts, lumped, p), p))
    clusters = [
        _cluster(parts, lumped, p, by_place[p], [line for line in inside if groups[line.source].place == p])
        for p in order
    ]
    area = sum((c.size[0] + STREET) * (c.size[1] + STREET) for c in clusters)
    corners, (width, height) = rows([c.size for c in clusters], min(max(sqrt(area) * 1.5, 640.0), 1500.0), STREET)
    frames = {
        c.place: Box(x + c.size[0] / 2, y + c.size[1] / 2, *c.size) for c, (x, y) in zip(clusters, corners, strict=True)
    }
    body = [between_lines(parts, lumped, frames)]
    greatest = {kind: max((t.weight for t in lumped.ties if t.kind == kind), default=1.0) for kind in STROKES}
    notes = [f"{dropped} more lines inside parts are not drawn, the lightest ones"] if dropped else []
    for c, (x, y) in zip(clusters, corners, strict=True):
        mine = [line for line in inside if groups[line.source].place == c.place]
        body.append(Fragment(*c.size, _cluster_body(parts, lumped, c, mine, greatest)).at(x, y))
        if c.ports and bundles(mine)[0] and MEETING not in notes:
            notes.append(MEETING)
    for note in notes:
        body.append(text(0, height + 20, note, 11, fill=FAINT))
        width, height = max(width, text_width(note, 11)), height + 20
    return Fragment(width, height, "".join(body))


def _rank(parts: Decomposition, lumped: Lumped, place: int) -> int:
    """Dependent parts come first, then the context, then what belongs to none."""
    if place >= lumped.shown:
        return 2
    return 0 if parts.parts[place].kind == "dependent" else 1


def title_of(parts: Decomposition, lumped: Lumped, place: int) -> str:
    """What stands at the head of a cluster, beside its number."""
    if place >= lumped.shown:
        return place_name(parts, lumped, place)
    s = parts.parts[place]
    words = [s.kind, *([] if s.useful else ["useless"])]
    if s.after:
        words.append(f"after {', '.join(map(str, s.after))}")
    return ", ".join(words)


# ---- one cluster ----


def _cluster(parts: Decomposition, lumped: Lumped, place: int, nodes: Sequence[int], mine: Sequence[Line]) -> _Cluster:
    labels = {g: fit(lumped.groups[g].label, LABEL, MAX_LABEL) for g in nodes}
    sizes = {g: (text_width(labels[g], LABEL) + 16, NODE_HEIGHT) for g in nodes}
    tied = [g for g in nodes if any(g in (line.source, line.target) for line in mine)]
    alone = [g for g in nodes if g not in set(tied)]
    boxes: dict[int, Box] = {}
    width = height = 0.0
    ports = False
    if tied:
        at, ports = _arrange(lumped.groups, tied, mine, [sizes[g] for g in tied])
        extent = np.array([sizes[g] for g in tied])
        low, high = (at - extent / 2).min(axis=0), (at + extent / 2).max(axis=0)
        boxes = {
            g: Box(float(x - low[0]), float(y - low[1]), *sizes[g]) for g, (x, y) in zip(tied, at.tolist(), strict=True)
        }
        width, height = float(high[0] - low[0]), float(high[1] - low[1]) + NODE_GAP
    for side in ([g for g in alone if lumped.groups[g].fluents], [g for g in alone if not lumped.groups[g].fluents]):
        if side:
            widest = max(sizes[g][0] for g in side)
            room = max(width, (widest + NODE_GAP) * ceil(sqrt(len(side))))
            # Boxes of one side are placed as if all were as wide as the widest: they stand in columns.
            corners, size = rows([(widest, NODE_HEIGHT)] * len(side), room, NODE_GAP)
            for g, (x, y) in zip(side, corners, strict=True):
                boxes[g] = Box(x + sizes[g][0] / 2, height + y + NODE_HEIGHT / 2, *sizes[g])
            width, height = max(width, size[0]), height + size[1] + NODE_GAP
    height -= NODE_GAP
    mark = badge_width(str(parts.parts[place].id)) + 9 if place < lumped.shown else 0.0
    head = mark + text_width(title_of(parts, lumped, place), HEADER)
    width = max(width, head) + 2 * PAD
    spare = (width - 2 * PAD - max(b.x + b.width / 2 for b in boxes.values())) / 2
    top = 32.0
    moved = {g: Box(b.x + PAD + spare, b.y + top, b.width, b.height) for g, b in boxes.items()}
    return _Cluster(place, tuple(nodes), moved, (width, height + top + PAD), ports)


def _arrange(
    groups: Sequence[Group], tied: Sequence[int], mine: Sequence[Line], sizes: Sequence[Size]
) -> tuple[Points, bool]:
    """Moves left and fluents right if every line runs between the two (True), else by forces."""
    local = {g: i for i, g in enumerate(tied)}
    edges = [(local[line.source], local[line.target]) for line in mine]
    fluents = [i for i, g in enumerate(tied) if groups[g].fluents]
    moves = [i for i, g in enumerate(tied) if not groups[g].fluents]
    is_move = set(moves)
    few = max(len(fluents), len(moves)) <= DrawLimits.current().clusters_column
    if few and all((a in is_move) != (b in is_move) for a, b in edges):
        return columns(moves, fluents, edges, sizes, NODE_GAP, AISLE), True
    return force(edges, sizes, NODE_GAP + 9), False


def _cluster_body(
    parts: Decomposition, lumped: Lumped, c: _Cluster, mine: Sequence[Line], greatest: Mapping[EdgeKind, float]
) -> str:
    owned = c.place < lumped.shown
    tone = color(c.place) if owned else GREY
    useful = not owned or parts.parts[c.place].useful
    out = [
        element(
            "rect", width=c.size[0], height=c.size[1], rx=8, fill=mix(tone, PAPER, 0.86), stroke=tone, stroke_width=2,
            stroke_dasharray=None if useful else "7 4",
        )
    ]  # fmt: skip
    x = PAD
    if owned:
        mark = str(parts.parts[c.place].id)
        out.append(badge(PAD, 16, mark, tone))
        x += badge_width(mark) + 9
    out.append(text(x, 21, title_of(parts, lumped, c.place), HEADER, fill=INK))
    out += inner_lines(lumped, mine, c.boxes, ports=c.ports, greatest=greatest)
    out += [_node(parts, lumped.groups[g], c.boxes[g], tone, g) for g in c.nodes]
    part = str(parts.parts[c.place].id) if owned else None
    return element("g", *out, data_part=part)


def badge_width(content: str) -> float:
    """The room that a badge takes."""
    return max(20.0, text_width(content, 12, bold=True) + 8)


def badge(x: float, y: float, content: str, tone: str) -> str:
    """A part's number on its colour, from ``x`` on, at the height of ``y``."""
    width = badge_width(content)
    ground = element("rect", x=x, y=y - 10, width=width, height=20, rx=4, fill=tone)
    return ground + text(x + width / 2, y + 4.5, content, 12, anchor="middle", bold=True, fill=ink_on(tone))


def _node(parts: Decomposition, group: Group, box: Box, tone: str, g: int) -> str:
    only_moves = bool(group.moves) and not group.fluents
    game = parts.game
    held = [str(game.fluents[f]) for f in group.fluents]
    held += [f"{game.roles[r]}: {game.moves[r][m]}" for r, m in group.moves]
    listed = "\n".join(held[:24]) + (f"\n… {len(held) - 24} more" if len(held) > 24 else "")
    shape = node_shape(box.x - box.width / 2, box.y - box.height / 2, box.width, tone, moves=only_moves)
    label = text(box.x, box.y + 4.3, fit(group.label, LABEL, MAX_LABEL), LABEL, anchor="middle")
    return element("g", tooltip(f"{group.label}\n{listed}"), shape, label, data_node=str(g))


def node_shape(x: float, y: float, width: float, tone: str, *, moves: bool) -> str:
    """A white box for fluents, a tinted one with round ends for moves."""
    fill, rx = (mix(tone, PAPER, 0.5), NODE_HEIGHT / 2) if moves else (PAPER, 3)
    return element(
        "rect",
        x=x,
        y=y,
        width=width,
        height=NODE_HEIGHT,
        rx=rx,
        fill=fill,
        stroke=mix(tone, INK, 0.25),
        stroke_width=1.2,
    )
