"""The head of a picture (what game, what structure, how it is known) and its legend."""

from __future__ import annotations

from collections.abc import Sequence

from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.draw.boards import Board
from ludisect.draw.clusters import badge, badge_width, node_shape
from ludisect.draw.grids import swatch
from ludisect.draw.layout import rows
from ludisect.draw.limits import DrawLimits
from ludisect.draw.lump import Lumped
from ludisect.draw.palette import ALARM, BASE, FAINT, GREY, INK, STROKES, color
from ludisect.draw.svg import Fragment, arrow_head, element, text
from ludisect.draw.text import fit, text_width, wrap

SMALL = 11.0


def summary(parts: Decomposition) -> str:
    """Counts, structure, turns and method in one line."""
    dependent, useless, independent = parts.counts
    told = f"{dependent} dependent part{'s' * (dependent != 1)}"
    told += f" ({useless} useless)" if useless else ""
    return f"{told}, {independent} independent · {parts.structure} · {parts.turns} · method {parts.method}"


def verdict(parts: Decomposition) -> str:
    """How the decomposition is known, in one line."""
    evidence = parts.evidence
    if evidence is None:
        return "not verified"
    if evidence.status == "failed":
        found = evidence.counterexample
        return "failed verification" + (f": condition {found.condition}, {found.what}" if found else "")
    seen = f"{evidence.transitions:,} transitions"
    return "proved" if evidence.status == "proved" else f"tested on {seen}, no counterexample"


def head_fragment(parts: Decomposition, room: float) -> Fragment:
    """Title, summary, verdict."""
    name = fit(parts.game.name, 20, room, bold=True)
    failed = parts.evidence is not None and parts.evidence.status == "failed"
    out = [text(0, 20, name, 20, bold=True)]
    y = 22.0
    for content, fill in ((summary(parts), INK), (verdict(parts), ALARM if failed else FAINT)):
        for line in wrap(content, 12.5, room)[:4]:
            y += 18
            out.append(text(0, y, line, 12.5, fill=fill))
    return Fragment(room, y + 6, "".join(out))


def legend_fragment(parts: Decomposition, lumped: Lumped, boards: Sequence[Board], room: float) -> Fragment:
    """Every colour, shape and line that the picture uses."""
    entries: list[Fragment] = []
    named = DrawLimits.current().legend_named
    for p, s in enumerate(parts.parts[:named]):
        shown = " ".join(s.patterns[:3]) or s.kind
        mark = str(s.id)
        entries.append(_entry(badge(1, 10, mark, color(p)), badge_width(mark) + 2, fit(shown, SMALL, 190)))
    if len(parts.parts) > named:
        more = len(parts.parts) - named
        entries.append(_entry("", 0, f"… {more} more part{'s' * (more != 1)}"))
    if any(len(c.parts) > 1 for b in boards for c in b.cells.values()):
        entries.append(_entry(swatch(2, 2, BASE[:2]), 20, "square in several parts"))
    if any(-1 in c.parts for b in boards for c in b.cells.values()):
        entries.append(_entry(swatch(2, 2, [GREY]), 20, "square in no part (constant or unseen)"))
    if boards:
        marks = "↓ row, → column" + (", □ square" if any("□" in b.title for b in boards) else "")
        entries.append(_entry("", 0, marks))
    if any(g.fluents for g in lumped.groups):
        entries.append(_entry(node_shape(1, -1, 30, GREY, moves=False), 32, "fluents; * stands for any value"))
    if any(g.moves and not g.fluents for g in lumped.groups):
        entries.append(_entry(node_shape(1, -1, 30, GREY, moves=True), 32, "moves"))
    kinds = {t.kind for t in lumped.ties} | ({"serial"} if any(s.after for s in parts.parts) else set())
    for kind, look in STROKES.items():
        if kind in kinds:
            sample = element(
                "line",
                x1=1,
                y1=10,
                x2=38,
                y2=10,
                stroke=look.color,
                stroke_width=look.width,
                stroke_dasharray=look.dash,
            ) + arrow_head((38, 10), (1, 0), look.color, look.head)
            entries.append(_entry(sample, 40, f"{kind}: {look.meaning}"))
    if any(not s.useful for s in parts.parts):
        dashed = element("rect", x=1, y=0, width=30, height=20, rx=4, fill="none", stroke=FAINT, stroke_dasharray="5 3")
        entries.append(_entry(dashed, 32, "useless part"))
    corners, (width, height) = rows([(e.width, e.height) for e in entries], room, 10)
    return Fragment(width, height, "".join(e.at(*at) for e, at in zip(entries, corners, strict=True)))


def _entry(sample: str, width: float, content: str) -> Fragment:
    x = width + 5 if width else 0
    return Fragment(x + text_width(content, SMALL) + 10, 22, sample + text(x, 14, content, SMALL))
