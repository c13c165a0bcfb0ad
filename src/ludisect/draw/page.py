"""The page to explore a decomposition: picture, parts, evidence, edges, tied by what the pointer is on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ludisect.decomposition.model.decomposition import Counterexample, Decomposition, Part
from ludisect.draw.boardlook import PartLook
from ludisect.draw.graphdata import MEANING, GraphData, GraphNode, pattern_of
from ludisect.draw.graphpicture import part_looks
from ludisect.draw.limits import DrawLimits
from ludisect.draw.palette import base, pattern
from ludisect.draw.svg import clean
from ludisect.draw.theme import stylesheet

_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; max-width: 1240px; margin: 0 auto; padding: 20px;
  background: var(--ground); color: var(--ink); }
h2 { margin: 28px 0 8px; font-size: 17px; } h3, h4 { margin: 8px 0 4px; font-size: 15px; }
figure { margin: 0 0 16px; padding: 4px; overflow: auto; background: var(--surface); border-radius: 12px;
  border: 1px solid var(--line); }
figure svg { display: block; margin: 0 auto; }
table { border-collapse: collapse; width: 100%; background: var(--surface); } th, td { text-align: left;
  vertical-align: top; padding: 5px 10px; border-bottom: 1px solid var(--line); } tr:hover { background: var(--shade); }
.wide { overflow-x: auto; }
code, .kif { font: 13px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
.badge { display: inline-block; min-width: 22px; text-align: center; border-radius: 4px; font-weight: bold; }
.failed { color: var(--refuted); font-weight: bold; } .two { display: flex; flex-wrap: wrap; gap: 16px; }
.two > section { flex: 1 1 300px; border: 1px solid var(--line); border-radius: 8px; padding: 4px 12px; }
mark { background: var(--tested-ground); color: var(--tested); } details > summary { cursor: pointer; }
svg [data-part], svg [data-edge], svg [data-node] { transition: opacity .12s; }
svg.some [data-part]:not(.hot) { opacity: .25; } svg.some .hot [data-part] { opacity: 1; }
svg [data-edge].hot { visibility: visible; } svg.tied [data-node]:not(.hot) { opacity: .3; }
svg [data-node].hot > rect { stroke-width: 3; } tr.hot { background: var(--tested-ground); }
@media (prefers-reduced-motion: reduce) { svg * { transition: none !important; } }
"""

# Resting on a node shows its edges, resting on an edge of the list shows its ends, resting on a part fades the others.
_SCRIPT = """
const picture = document.querySelector('figure svg');
const all = s => Array.from(document.querySelectorAll(s));
function clear() { picture.classList.remove('some', 'tied'); all('.hot').forEach(e => e.classList.remove('hot')); }
function edges(list) {
  const ends = new Set(list.flatMap(e => [e.dataset.from, e.dataset.to]));
  list.forEach(e => e.classList.add('hot'));
  all('[data-node]').forEach(e => e.classList.toggle('hot', ends.has(e.dataset.node)));
  if (list.length) picture.classList.add('tied');
}
function show(target) {
  clear();
  const [edge, node, part] = ['edge', 'node', 'part'].map(what => target.closest('[data-' + what + ']'));
  if (edge) edges(all('[data-edge="' + edge.dataset.edge + '"]'));
  else if (node) {
    const k = node.dataset.node;
    edges(all('svg [data-edge]').filter(e => e.dataset.from === k || e.dataset.to === k));
    node.classList.add('hot');
  } else if (part) {
    const mine = part.dataset.part.split(' ');
    all('[data-part]').forEach(e => e.classList.toggle('hot', e.dataset.part.split(' ').some(p => mine.includes(p))));
    picture.classList.add('some');
  }
}
document.addEventListener('pointerover', event => show(event.target));
document.addEventListener('focusin', event => show(event.target));
"""


def page(parts: Decomposition, data: GraphData, svg: str) -> str:
    """The whole page as text."""
    looks = part_looks(parts)
    sections = [
        f"<figure>{svg}</figure>",
        "<h2>Parts</h2>",
        _parts(parts, looks),
        _evidence(parts),
        _rest(parts),
        _edges(data),
    ]
    name = clean(parts.game.name)
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Decomposition of {name}</title><style>{stylesheet()}{_grounds()}{_STYLE}{_width(svg)}</style></head>\n"
        "<body>\n<main>\n"
        + "\n".join(s for s in sections if s)
        + f"\n</main>\n<script>{_SCRIPT}</script>\n</body></html>\n"
    )


def _width(svg: str) -> str:
    """The picture in its natural size: shrunk to a narrow screen, its text would be too small."""
    _, _, wide = svg.partition('viewBox="0 0 ')
    return f"figure svg {{ width: {wide.partition(' ')[0]}px; }}"


def _grounds() -> str:
    """Badges in tables: the colours of parts as grounds."""
    return "".join(f".b-{k}{{background:var(--part-{k});color:var(--part-{k}-ink)}}" for k in range(9))


# ---- parts ----


def _parts(parts: Decomposition, looks: Mapping[int, PartLook]) -> str:
    rows = [_part(parts, s, looks.get(s.id) or PartLook(str(s.id), s.id)) for s in parts.parts]
    head = "<tr><th>part</th><th>kind</th><th>fluents</th><th>local moves</th></tr>"
    return f'<div class="wide"><table id="parts">{head}{"".join(rows)}</table></div>'


def _part(parts: Decomposition, s: Part, look: PartLook) -> str:
    game = parts.game
    kind = ["context" if s.kind == "independent" else "part" if s.useful else "idle part"]
    kind += [f"after {', '.join(map(str, s.after))}"] if s.after else []
    shown = s.patterns
    short = " ".join(shown[:6]) + (" …" if len(shown) > 6 else "")
    fluents = _folded(
        f"{len(s.fluent_numbers)}: <code>{clean(short)}</code>", (str(game.fluents[f]) for f in s.fluent_numbers)
    )
    moves = []
    for r, classes in enumerate(s.move_numbers):
        told = (" = ".join(str(game.moves[r][m]) for m in members) for members in classes)
        if classes:
            moves.append(_folded(f"{clean(game.roles[r])}: {len(classes)}", told))
    tone = 0 if pattern(look.tone) == "grey" else base(look.tone)
    badge = f'<span class="badge b-{tone}">{clean(look.badge)}</span>'
    return (
        f'<tr data-part="{s.id}"><td>{badge}</td><td>{clean(", ".join(kind))}</td>'
        f"<td>{fluents}</td><td>{''.join(moves) or 'none'}</td></tr>"
    )


def _folded(summary_html: str, lines: Iterable[str]) -> str:
    """A list that opens on a click; ``summary_html`` is markup already, the lines are not."""
    listed, most = list(lines), DrawLimits.current().page_listed
    shown = "<br>".join(clean(line) for line in listed[:most])
    more = f"<br>… {len(listed) - most} more" if len(listed) > most else ""
    return f'<details><summary>{summary_html}</summary><div class="kif">{shown}{more}</div></details>'


def _rest(parts: Decomposition) -> str:
    """Constants, what no playout saw, notes."""
    out = []
    if parts.constant:
        verb = "changes" if len(parts.constant) == 1 else "change"
        told = [str(t) for t in parts.constant]
        out.append(_folded(f"{_counted(told, 'fluent')} never {verb}", told))
    if parts.unseen:
        told = [str(t) for t in parts.unseen]
        out.append(_folded(f"{_counted(told, 'fluent')} not seen to change", told))
    if parts.unseen_move_numbers:
        told = [f"{role}: {t}" for role, moves in parts.unseen_moves.items() for t in moves]
        out.append(_folded(f"{_counted(told, 'move')} that no playout made", told))
    out += [f"<p>{clean(note)}</p>" for note in parts.notes]
    return "<h2>Set apart</h2>" + "".join(out) if out else ""


def _counted(things: Sequence[str], name: str) -> str:
    return f"{len(things)} {name}{'s' * (len(things) != 1)}"


# ---- evidence ----


def _evidence(parts: Decomposition) -> str:
    evidence = parts.evidence
    if evidence is None:
        return "<h2>Evidence</h2><p>Nobody verified this decomposition.</p>"
    failed = ' class="failed"' if evidence.status == "failed" else ""
    out = [f"<h2>Evidence</h2><p{failed}>{clean(evidence.status)}, {evidence.transitions:,} transitions</p>"]
    if evidence.claims:
        rows = (f"<tr><td>{clean(k)}</td><td>{clean(v)}</td></tr>" for k, v in evidence.claims.items())
        out.append(f"<table>{''.join(rows)}</table>")
    if evidence.counterexample is not None:
        out.append(_counterexample(evidence.counterexample))
    return "".join(out)


def _counterexample(found: Counterexample) -> str:
    """The situations side by side; what not all of them share is marked."""
    texts = [{key: _lines(value) for key, value in s.items()} for s in found.situations]
    columns = []
    for i, situation in enumerate(texts, 1):
        cells = []
        for key, lines in situation.items():
            shared = set.intersection(*(set(t.get(key, [])) for t in texts))
            told = "<br>".join(clean(x) if x in shared else f"<mark>{clean(x)}</mark>" for x in lines)
            cells.append(f'<h4>{clean(key)}</h4><div class="kif">{told or "–"}</div>')
        columns.append(f"<section><h3>Situation {i}</h3>{''.join(cells)}</section>")
    return (
        f'<div id="counterexample"><p data-part="{found.part}">Condition {found.condition}, '
        f'part {found.part}: {clean(found.what)}</p><div class="two">{"".join(columns)}</div></div>'
    )


def _lines(value: Any) -> list[str]:
    if isinstance(value, Mapping):
        return [f"{key}: {line}" for key, inner in value.items() for line in _lines(inner)]
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [line for inner in value for line in _lines(inner)]
    return [str(value)]


# ---- edges ----


def _edges(data: GraphData) -> str:
    """Every edge that ties two nodes of the picture, what it means and what it rests on."""
    if not data.drawn:
        return ""
    rows = []
    for edge in data.drawn[: DrawLimits.current().page_listed]:
        a, b = data.nodes[edge.source], data.nodes[edge.target]
        first = data.graph.edges[edge.edges[0]]
        rows.append(
            f'<tr data-edge="{edge.edges[0]}" data-from="{edge.source}" data-to="{edge.target}">'
            f"<td>{_named(data, a)}</td><td>{clean(MEANING[edge.kind])}</td><td>{_named(data, b)}</td>"
            f"<td>{len(edge.edges)}</td><td>{clean(first.why)}</td></tr>"
        )
    more = len(data.drawn) - len(rows)
    head = "<tr><th>from</th><th>how</th><th>to</th><th>edges</th><th>rests on</th></tr>"
    return (
        f"<h2>Edges</h2><details><summary>{len(data.graph.edges)} edges between {len(data.nodes)} nodes</summary>"
        f'<div class="wide"><table id="edges">{head}{"".join(rows)}</table></div>'
        f"{f'<p>… {more} more</p>' if more else ''}</details>"
    )


def _named(data: GraphData, node: GraphNode) -> str:
    """A node by what it stands for: a square by its first fluent."""
    game = data.parts.game
    told = pattern_of([game.fluents[f] for f in node.fluents]) if node.at and node.fluents else node.label
    return f"<code>{clean(told)}</code>"
