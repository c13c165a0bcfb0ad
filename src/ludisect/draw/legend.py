"""The head of a picture (the game, its parts as a sum, how they are known) and its legend."""

from __future__ import annotations

from collections.abc import Sequence

from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.draw.boarddata import BoardData
from ludisect.draw.boardlook import BADGE, PartLook, badge, badge_width
from ludisect.draw.graphdata import GraphData
from ludisect.draw.graphpicture import part_looks, part_name
from ludisect.draw.limits import DrawLimits
from ludisect.draw.outlines import hatching
from ludisect.draw.svg import BODY, NAME, SMALL, Fragment, element, flow, line_of, stack, text
from ludisect.draw.text import SERIF, fit, text_width, wrap
from ludisect.draw.theme import Theme

_TERM = 36.0
_SIGNS = {"proved": "✓", "tested": "≈", "refuted": "✕", "guessed": "?"}


def summary(parts: Decomposition) -> str:
    """Structure, turns and method in one line."""
    idle = sum(1 for part in parts.parts if part.kind == "dependent" and not part.useful)
    told = [f"{idle} idle part{'s' * (idle != 1)}"] if idle else []
    return " · ".join([*told, parts.structure, parts.turns, f"method {parts.method}"])


def verdict(parts: Decomposition) -> tuple[str, str]:
    """How the decomposition is known: a tone (proved, tested, refuted, guessed), and the words."""
    count = parts.counts[0]
    name = f"{count} part{'s' * (count != 1)}"
    evidence = parts.evidence
    if evidence is None:
        return "guessed", f"{name}, not verified"
    if evidence.status == "failed":
        found = evidence.counterexample
        return "refuted", "failed verification" + (f": condition {found.condition}, {found.what}" if found else "")
    if evidence.status == "proved":
        return "proved", f"{name}, proved independent" if count > 1 else f"{name}, proved"
    return "tested", f"{name}, tested on {evidence.transitions:,} transitions, no counterexample"


def chip(theme: Theme, tone: str, words: str, room: float) -> Fragment:
    """A verdict with its sign, on its ground; longer ones in several lines."""
    lines = wrap(f"{_SIGNS[tone]} {words}", BODY, room - 24)[:4] or [""]
    width = max(text_width(line, BODY, bold=True) for line in lines) + 24
    height = len(lines) * BODY * 1.4 + 10
    ground = element("rect", width=width, height=height, rx=min(13.0, height / 2), **theme.paint(f"{tone}-ground"))
    told = [
        text(theme, 12, 5 + BODY * (1.05 + 1.4 * k), fit(line, BODY, room - 24, bold=True), BODY, bold=True, tone=tone)
        for k, line in enumerate(lines)
    ]
    return Fragment(min(width, room), height, ground + "".join(told))


def head_fragment(theme: Theme, parts: Decomposition, room: float) -> Fragment:
    """Name, sum line, verdict, and what kind of game it is."""
    name = fit(parts.game.name, NAME, room, bold=True)
    title = Fragment(text_width(name, NAME, bold=True), NAME * 1.25, text(theme, 0, NAME, name, NAME, bold=True))
    tone, words = verdict(parts)
    about = [line_of(theme, line, BODY, tone="ink2") for line in wrap(summary(parts), BODY, room)[:3]]
    return stack([title, sum_line(theme, parts, room), chip(theme, tone, words, room), *about], 10)


def sum_line(theme: Theme, parts: Decomposition, room: float) -> Fragment:
    """The game as a sum of its parts."""
    looks = part_looks(parts)
    most = DrawLimits.current().legend_named
    pieces: list[Fragment] = []
    shown = [(p, part) for p, part in enumerate(parts.parts) if part.kind == "dependent"]
    joint = " → " if parts.structure == "serial" else " + "
    for k, (p, part) in enumerate(shown[:most]):
        if k:
            pieces.append(_middle(theme, joint.strip()))
        pieces.append(_term(theme, looks.get(part.id) or PartLook(str(part.id), part.id), part.id, part_name(parts, p)))
    if len(shown) > most:
        pieces.append(_middle(theme, f"{joint.strip()} {len(shown) - most} more"))
    context = [part_name(parts, p) for p, part in enumerate(parts.parts) if part.kind == "independent"]
    if context:
        pieces.append(_middle(theme, fit(f"· context: {', '.join(context)}", BODY, room), size=BODY))
    return flow(pieces, room, 8)


def _middle(theme: Theme, words: str, size: float = 17.0) -> Fragment:
    body = text(theme, 2, _TERM / 2 + size * 0.36, words, size, tone="ink2")
    return Fragment(text_width(words, size) + 4, _TERM, body)


def _term(theme: Theme, look: PartLook, number: int, name: str) -> Fragment:
    shown = fit(name, 17, 150)
    mark = badge_width(look.badge)
    width = 8 + mark + 8 + text_width(shown, 17) + 10
    ground = element(
        "rect", x=0.75, y=0.75, width=width - 1.5, height=_TERM - 1.5, rx=8,
        **theme.paint(f"part-{look.tone}-fill", f"part-{look.tone}", 1.5),
    )  # fmt: skip
    words = text(theme, 16 + mark, _TERM / 2 + 6, shown, 17, face=SERIF)
    body = element("g", ground, badge(theme, 8, (_TERM - BADGE) / 2, look), words, data_part=str(number))
    return Fragment(width, _TERM, body)


def legend_fragment(theme: Theme, data: GraphData, boards: Sequence[BoardData], room: float) -> Fragment:
    """What signs mean that do not explain themselves, as far as the picture uses them."""
    entries: list[Fragment] = []
    squares = [s for b in boards for s in b.squares]
    if any(len(s.parts) > 1 for s in squares):
        entries.append(_entry(theme, "", 0, "striped: a square of several parts"))
    if any(not s.parts and not s.glyph for s in squares) and any(s.parts for s in squares):
        hatch = element("path", d=hatching([(0, 0)], 18), **theme.paint(None, "line", 1))
        frame = element("rect", width=18, height=18, **theme.paint(None, "line", 1))
        entries.append(_entry(theme, hatch + frame, 18, "in no part"))
    if any(node.kind == "moves" for node in data.nodes):
        pill = element("rect", width=30, height=18, rx=9, **theme.paint("shade", "edge", 1.5))
        entries.append(_entry(theme, pill, 30, "moves; · stands for any value"))
    if any(node.kind != "moves" for node in data.nodes):
        box = element("rect", width=18, height=18, rx=4, **theme.paint("surface", "edge", 1.5))
        entries.append(_entry(theme, box, 18, "fluents, at their place on the board if there is one"))
    if any(part.kind == "independent" for part in data.parts.parts):
        mark = badge(theme, 0, -1, PartLook("C", 8))
        entries.append(_entry(theme, mark, BADGE, "context: runs by itself, whatever is played"))
    if any(not part.useful for part in data.parts.parts):
        dashed = element("rect", width=30, height=18, rx=4, stroke_dasharray="5 3", **theme.paint(None, "edge", 1.5))
        entries.append(_entry(theme, dashed, 30, "idle part: neither score nor end depends on it"))
    return flow(entries, room, 14)


def _entry(theme: Theme, sample: str, width: float, content: str) -> Fragment:
    x = width + 7 if width else 0
    return Fragment(x + text_width(content, SMALL), 20, sample + text(theme, x, 13.5, content, SMALL, tone="ink2"))
