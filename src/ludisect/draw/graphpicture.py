"""The dependency graph as a drawing: a box per part, nodes at their places on the board, lines between."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.draw.boardlook import BADGE, PartLook, badge, badge_width
from ludisect.draw.graphdata import GraphData, GraphNode
from ludisect.draw.limits import DrawLimits
from ludisect.draw.palette import CONTEXT
from ludisect.draw.routes import Placed, Routed, Row, Wire, lay_out, rounded
from ludisect.draw.svg import BODY, SMALL, Fragment, Point, arrow_head, element, path, text, tooltip
from ludisect.draw.text import fit, text_width, wrap
from ludisect.draw.theme import Theme

SQUARE, PITCH = 40.0, 52.0
SMALL_SQUARE, SMALL_PITCH = 30.0, 34.0
"""For boards that would be too wide."""
PILL = 28.0
PAD = 16.0
WIDEST = 620.0
"""Of what stands inside a box."""
LABEL = 200.0
"""The longest label, in units."""


@dataclass(frozen=True, slots=True)
class Box:
    """A place's box: where its nodes are inside it (middle, width, height), arrows from moves, lines of text."""

    place: int
    width: float
    height: float
    nodes: Mapping[int, tuple[float, float, float, float]]
    arrows: tuple[tuple[Point, Point], ...]
    lines: tuple[tuple[float, str], ...]


def part_looks(parts: Decomposition) -> dict[int, PartLook]:
    """How parts are shown: by their numbers; what runs by itself has the colour and the letter of the context."""
    context = [part.id for part in parts.parts if part.kind == "independent"]
    return {number: PartLook("C" if len(context) == 1 else f"C{k}", CONTEXT) for k, number in enumerate(context, 1)}


def graph_fragment(theme: Theme, data: GraphData, room: float) -> Fragment:
    """All boxes in rows of equal columns, the context below them, and what leads from box to box."""
    places = sorted({node.place for node in data.nodes})
    boxes = {place: _box(data, place) for place in places}
    rows = _rows(data, boxes, room)
    links = data.links[: DrawLimits.current().graph_links]
    wires = [Wire(link.source, link.target, link.told) for link in links if {link.source, link.target} <= boxes.keys()]
    placed, routed, (width, height) = lay_out(rows, wires)
    body = [_line(theme, data, one) for one in routed]
    looks = part_looks(data.parts)
    for place, box in boxes.items():
        at = placed[place]
        body.append(Fragment(0, 0, _drawn(theme, data, box, at, looks)).at(at.x, at.y))
    body += [_words(theme, one) for one in routed if one.words_at is not None]
    reach = [0.0, width, *(x for one in routed for x, _ in one.corners)]
    for one in routed:
        if one.words_at is not None:
            half = text_width(one.wire.words, SMALL) / 2 + 6
            reach += [one.words_at[0] - half, one.words_at[0] + half]
    left, right = min(reach), max(reach)
    whole = Fragment(right - left, height, Fragment(0, 0, "".join(body)).at(-left, 0))
    more = len(data.links) - len(links)
    if more:
        told = f"{more} more lines between parts are in the list of edges"
        note = text(theme, 0, height + 20, told, SMALL, tone="ink2")
        whole = Fragment(max(whole.width, text_width(told, SMALL)), height + 26, whole.body + note)
    return whole


def _rows(data: GraphData, boxes: Mapping[int, Box], room: float) -> list[Row]:
    """Parts in the order in which they are played, in equal columns; what runs by itself comes last."""
    parts = data.parts.parts
    depth: dict[int, int] = {}

    def late(number: int, seen: frozenset[int] = frozenset()) -> int:
        if number not in depth and number not in seen:
            part = next((p for p in parts if p.id == number), None)
            after = part.after if part is not None else ()
            depth[number] = 1 + max((late(n, seen | {number}) for n in after), default=0)
        return depth.get(number, 0)

    first = [p for p in boxes if p < data.shown and parts[p].kind == "dependent"]
    first.sort(key=lambda p: (late(parts[p].id), parts[p].id))
    rest = [p for p in boxes if p not in first]
    out: list[Row] = []
    for group in (first, rest):
        if not group:
            continue
        widest = max(boxes[p].width for p in group)
        columns = max(1, min(len(group), int((room + 24) // (widest + 24))))
        for k in range(0, len(group), columns):
            some = group[k : k + columns]
            out.append(tuple((p, widest, boxes[p].height) for p in some))
    return out


# ---- one box ----


def box_title(data: GraphData, place: int) -> str:
    """What stands at the head of a box, beside its number."""
    if place >= data.shown:
        return data.place_name(place)
    part = data.parts.parts[place]
    count = len(part.fluent_numbers)
    squares = sum(node.kind == "square" and "row" not in node.label for node in data.nodes if node.place == place)
    told = f"{count} fluent{'s' * (count != 1)}"
    if squares:
        told = f"{squares} square{'s' * (squares != 1)}, {told}"
    name = part_name(data.parts, place)
    if part.kind == "dependent" and part.useful:
        return f"{name}: {told}"
    return f"{'context' if part.kind == 'independent' else 'idle part'}: {name}, {told}"


def part_name(parts: Decomposition, place: int) -> str:
    """A part by the names of its fluents and what all of them have in common: ``cell1``, ``heap a``."""
    patterns = [p.strip("()").replace(" *", "") for p in parts.parts[place].patterns]
    return ", ".join(patterns[:2]) + (" …" if len(patterns) > 2 else "")


def _box(data: GraphData, place: int) -> Box:
    mine = [n for n, node in enumerate(data.nodes) if node.place == place]
    squares = [n for n in mine if data.nodes[n].at is not None]
    others = [n for n in mine if data.nodes[n].kind == "fluents"]
    moves = [n for n in mine if data.nodes[n].kind == "moves"]
    nodes: dict[int, tuple[float, float, float, float]] = {}
    top = PAD + BADGE + 12
    y, width = _boards(data, squares, nodes, top)
    if others:
        y, wide = _pills(data, others, nodes, (0.0, y + (8 if squares else 0)), max(width, 220.0))
        width = max(width, wide)
    arrows: list[tuple[Point, Point]] = []
    if moves:
        widest = max(_pill_width(data.nodes[n]) for n in moves)
        if (squares or others) and width + widest + 48 <= WIDEST:
            start = top + max(0.0, (y - top - len(moves) * (PILL + 8)) / 2)
            for k, n in enumerate(moves):
                w = _pill_width(data.nodes[n])
                at = start + k * (PILL + 8) + PILL / 2
                nodes[n] = (width + 40 + w / 2, at, w, PILL)
                arrows.append(((width + 40, at), (width + 10, at)))
            y, width = max(y, start + len(moves) * (PILL + 8)), width + 40 + widest
        else:
            y, wide = _pills(data, moves, nodes, (0.0, y + 8), max(width, 300.0))
            width = max(width, wide)
    told = _told(data, place)
    head = text_width(fit(box_title(data, place), BODY, WIDEST, bold=True), BODY, bold=True) + 44
    width = max(width, min(head, WIDEST), 180.0)
    lines = []
    for line in wrap(told, SMALL, width) if told else []:
        y += SMALL * 1.5
        lines.append((y, line))
    shifted = {n: (x + PAD, yy, w, h) for n, (x, yy, w, h) in nodes.items()}
    moved = tuple(((a[0] + PAD, a[1]), (b[0] + PAD, b[1])) for a, b in arrows)
    return Box(place, width + 2 * PAD, y + PAD, shifted, moved, tuple(lines))


def _boards(
    data: GraphData, squares: Sequence[int], nodes: dict[int, tuple[float, float, float, float]], top: float
) -> tuple[float, float]:
    """Squares where they lie on their boards, one board below another; how far they reach down and across."""
    y, width = top, 0.0
    for board in sorted({at[0] for n in squares if (at := data.nodes[n].at)}):
        mine = {n: at for n in squares if (at := data.nodes[n].at) and at[0] == board}
        rows = sorted({at[1] for at in mine.values()})
        columns = sorted({at[2] for at in mine.values()})
        in_rows = any(data.nodes[n].label.startswith("row ") for n in mine)
        if in_rows:
            y, wide = _pills(data, list(mine), nodes, (0.0, y), 260.0)
            width = max(width, wide)
            continue
        spread = columns[-1] - columns[0] + 1
        side, pitch = (SQUARE, PITCH) if spread * PITCH <= WIDEST else (SMALL_SQUARE, SMALL_PITCH)
        for n, (_, row, column) in mine.items():
            x = (column - columns[0]) * pitch + side / 2
            nodes[n] = (x, y + (row - rows[0]) * pitch + side / 2, side, side)
        y += (rows[-1] - rows[0]) * pitch + side + 12
        width = max(width, (spread - 1) * pitch + side)
    return y, width


def _pill_width(node: GraphNode) -> float:
    return text_width(fit(node.label, SMALL, LABEL), SMALL) + 20


def _pills(
    data: GraphData,
    mine: Sequence[int],
    nodes: dict[int, tuple[float, float, float, float]],
    corner: Point,
    room: float,
) -> tuple[float, float]:
    """Nodes with words, in columns as wide as the widest."""
    widest = max(_pill_width(data.nodes[n]) for n in mine)
    columns = max(1, int((room + 8) // (widest + 8)))
    x0, y0 = corner
    for k, n in enumerate(mine):
        x, y = x0 + k % columns * (widest + 8), y0 + k // columns * (PILL + 8)
        nodes[n] = (x + widest / 2, y + PILL / 2, widest, PILL)
    rows = -(-len(mine) // columns)
    return y0 + rows * (PILL + 8), min(columns, len(mine)) * (widest + 8) - 8


def _told(data: GraphData, place: int) -> str:
    """What holds a box together, in a line."""
    inside = data.inside(place)
    if not inside:
        return ""
    known = {data.evidence(i) for i in inside}
    noun = "dependency" if len(inside) == 1 else "dependencies"
    how = {"witness": "each with a witness", "tested": "seen in plays", "rules": "read off the rules"}
    return f"{len(inside)} {noun} inside, {how[next(iter(known))] if len(known) == 1 else 'some with a witness'}"


# ---- drawing ----


def _drawn(theme: Theme, data: GraphData, box: Box, at: Placed, looks: Mapping[int, PartLook]) -> str:
    owned = box.place < data.shown
    part = data.parts.parts[box.place] if owned else None
    look = (looks.get(part.id) or PartLook(str(part.id), part.id)) if part is not None else None
    failed = data.parts.evidence.counterexample if data.parts.evidence is not None else None
    wrong = failed is not None and part is not None and failed.part == part.id
    tone = f"part-{look.tone}" if look else "edge"
    out = [
        element(
            "rect", width=at.width, height=at.height, rx=10,
            stroke_dasharray="7 4" if part and not part.useful else None,
            **theme.paint(f"{tone}-fill" if look else "shade", "refuted" if wrong else tone, 2),
        )
    ]  # fmt: skip
    x = PAD
    if look is not None:
        out.append(badge(theme, PAD, PAD - 2, look, part.id if part else None))
        x += badge_width(look.badge) + 8
    title = fit(box_title(data, box.place), BODY, at.width - x - PAD, bold=True)
    out.append(text(theme, x, PAD + BADGE / 2 + 2.5, title, BODY, bold=True))
    out += _hidden(theme, data, box)
    for start, end in box.arrows:
        line = element("path", d=path("M", *start, "L", end[0] + 6, end[1]), **theme.paint(None, "edge", 1.5))
        out += [line, arrow_head(theme, end, (end[0] - start[0], 0), "edge", 8)]
    out += [_node(theme, data, n, where, tone, look) for n, where in box.nodes.items()]
    out += [text(theme, PAD, y, line, SMALL, tone="ink2") for y, line in box.lines]
    return element("g", *out, data_part=str(part.id) if part else None)


def _node(
    theme: Theme, data: GraphData, n: int, where: tuple[float, float, float, float], tone: str, look: PartLook | None
) -> str:
    node, game = data.nodes[n], data.parts.game
    x, y, w, h = where
    held = [str(game.fluents[f]) for f in node.fluents]
    held += [f"{game.roles[r]}: {game.moves[r][m]}" for r, m in node.moves]
    listed = "\n".join(held[:24]) + (f"\n… {len(held) - 24} more" if len(held) > 24 else "")
    is_move = node.kind == "moves"
    fill = "shade" if is_move else "surface"
    shape = element(
        "rect", x=x - w / 2, y=y - h / 2, width=w, height=h, rx=h / 2 if is_move else 6,
        **theme.paint(fill, tone if look else "edge", 1.5),
    )  # fmt: skip
    label = text(theme, x, y + SMALL * 0.36, fit(node.label, SMALL, max(w - 4, 10)), SMALL, anchor="middle")
    told = json.dumps([str(game.fluents[f]) for f in node.fluents], ensure_ascii=False) if node.fluents else None
    part = str(data.parts.parts[node.place].id) if node.place < data.shown else None
    return element(
        "g", tooltip(f"{node.label}\n{listed}"), shape, label, data_node=str(n), data_fluents=told, data_part=part
    )


def _hidden(theme: Theme, data: GraphData, box: Box) -> list[str]:
    """On a page: the edges between the nodes of a box, which are seen only when it lights them up."""
    if theme.name != "page":
        return []
    out = []
    for edge in data.drawn:
        if edge.source in box.nodes and edge.target in box.nodes:
            (x1, y1, *_), (x2, y2, *_) = box.nodes[edge.source], box.nodes[edge.target]
            dx, dy = x2 - x1, y2 - y1
            length = (dx * dx + dy * dy) ** 0.5 or 1.0
            middle = ((x1 + x2) / 2 - dy / length * 14, (y1 + y2) / 2 + dx / length * 14)
            line = element("path", d=path("M", x1, y1, "Q", *middle, x2, y2), **theme.paint(None, "ink2", 1.5))
            out.append(_edge(data, line, edge.edges, edge.kind, (str(edge.source), str(edge.target)), hidden=True))
    return out[: DrawLimits.current().graph_hidden]


def _edge(data: GraphData, body: str, edges: Sequence[int], kind: str, ends: tuple[str, str], *, hidden: bool) -> str:
    return element(
        "g", body, data_edge=" ".join(map(str, edges[:1])) or None, data_from=ends[0], data_to=ends[1], data_kind=kind,
        data_evidence=data.evidence(edges[0]) if edges else None, visibility="hidden" if hidden else None,
    )  # fmt: skip


def _line(theme: Theme, data: GraphData, one: Routed) -> str:
    """A line from box to box: thick, and in the colour of bad news where the parts failed a check."""
    link = next(x for x in data.links if (x.source, x.target) == (one.wire.source, one.wire.target))
    failed = data.parts.evidence is not None and data.parts.evidence.status == "failed"
    parts = data.parts.parts
    both = [p for p in (link.source, link.target) if p < data.shown and parts[p].kind == "dependent"]
    tone = "refuted" if failed and len(both) == 2 and not link.serial else "ink" if len(both) == 2 else "edge"
    end, before = one.corners[-1], one.corners[-2]
    line = element("path", d=rounded(one.corners), **theme.paint(None, tone, 2.5))
    head = arrow_head(theme, end, (end[0] - before[0], end[1] - before[1]), tone, 11)
    names = data.place_name(link.source), data.place_name(link.target)
    told = tooltip(f"{names[0]} to {names[1]}: {link.told}")
    kinds = {data.graph.edges[i].kind for i in link.edges}
    kind = "serial" if link.serial else next(iter(kinds)) if len(kinds) == 1 else "several" if kinds else "context"
    return _edge(data, told + line + head, link.edges, kind, names, hidden=False)


def _words(theme: Theme, one: Routed) -> str:
    if one.words_at is None:
        return ""
    x, y = one.words_at
    width = text_width(one.wire.words, SMALL) + 10
    straight = len(one.corners) == 2
    ground = element(
        "rect", x=x - width / 2, y=y - SMALL, width=width, height=SMALL * 1.4, rx=4, **theme.paint("surface")
    )
    label = text(theme, x, y, one.wire.words, SMALL, anchor="middle", tone="ink2")
    return label if straight else ground + label
