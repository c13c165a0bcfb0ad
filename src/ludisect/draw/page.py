"""The page to explore a decomposition: picture, parts, evidence, edges, tied by what the pointer is on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ludisect.decomposition.model.decomposition import Counterexample, Decomposition, Part
from ludisect.draw.legend import summary, verdict
from ludisect.draw.limits import DrawLimits
from ludisect.draw.lump import Lumped
from ludisect.draw.palette import color, ink_on
from ludisect.draw.svg import clean

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1240px; margin: 0 auto; padding: 1.2rem; }
h1 { margin: 0 0 .2rem; } h2 { margin: 1.8rem 0 .5rem; font-size: 1.15rem; }
figure { margin: 1rem 0; overflow: auto; } figure svg { display: block; margin: 0 auto; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .3rem .6rem;
  border-bottom: 1px solid var(--line); } tr:hover { background: var(--soft); }
code, .kif { font: 13px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
.badge { display: inline-block; min-width: 1.4em; text-align: center; border-radius: 4px; font-weight: bold; }
.failed { color: #d55e00; font-weight: bold; } .two { display: flex; flex-wrap: wrap; gap: 1rem; }
.two > section { flex: 1 1 20rem; border: 1px solid var(--line); border-radius: 6px; padding: .4rem .8rem; }
mark { background: #f0e442; color: #1b1f24; } details > summary { cursor: pointer; }
svg [data-part], svg [data-tie], svg [data-node] { transition: opacity .12s; }
svg.some [data-part]:not(.hot), svg.some [data-tie]:not(.hot) { opacity: .16; }
svg.some [data-part].hot [data-tie] { opacity: 1; }
svg.tied [data-tie]:not(.hot) { opacity: .08; } svg.tied [data-node]:not(.hot) { opacity: .3; }
tr.hot { background: #f0e44244; }
"""

# Hovering a part, in the picture or in a table, fades the others; hovering an edge fades the other edges.
_SCRIPT = """
const picture = document.querySelector('figure svg');
const all = s => Array.from(document.querySelectorAll(s));
const words = (e, key) => (e.dataset[key] || '').split(' ').filter(Boolean);
function clear() { picture.classList.remove('some', 'tied'); all('.hot').forEach(e => e.classList.remove('hot')); }
function heat(key, values) {
  all('[data-' + key + ']').forEach(e => e.classList.toggle('hot', words(e, key).some(v => values.includes(v))));
}
document.addEventListener('pointerover', event => {
  clear();
  const tie = event.target.closest('[data-tie]'), part = event.target.closest('[data-part]');
  if (tie && words(tie, 'tie').length) {
    heat('tie', words(tie, 'tie'));
    const ends = all('tr[data-tie].hot').flatMap(e => words(e, 'ends'));
    heat('node', ends);
    picture.classList.add('tied');
  } else if (part) { heat('part', words(part, 'part')); picture.classList.add('some'); }
});
"""


def page(parts: Decomposition, lumped: Lumped, svg: str) -> str:
    """The whole page as text."""
    failed = ' class="failed"' if parts.evidence is not None and parts.evidence.status == "failed" else ""
    sections = [
        f"<h1>{clean(parts.game.name)}</h1>",
        f"<p>{clean(summary(parts))}<br><span{failed}>{clean(verdict(parts))}</span></p>",
        f"<figure>{svg}</figure>",
        "<h2>Parts</h2>",
        _parts(parts),
        _evidence(parts),
        _rest(parts),
        _edges(parts, lumped),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Decomposition of {clean(parts.game.name)}</title><style>{_STYLE}</style></head>\n<body>\n"
        + "\n".join(s for s in sections if s)
        + f"\n<script>{_SCRIPT}</script>\n</body></html>\n"
    )


# ---- parts ----


def _parts(parts: Decomposition) -> str:
    rows = [_part(parts, p, s) for p, s in enumerate(parts.parts)]
    head = "<tr><th></th><th>kind</th><th>fluents</th><th>local moves</th></tr>"
    return f'<table id="parts">{head}{"".join(rows)}</table>'


def _part(parts: Decomposition, p: int, s: Part) -> str:
    game = parts.game
    kind = [s.kind, *([] if s.useful else ["useless"])] + ([f"after {', '.join(map(str, s.after))}"] if s.after else [])
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
    return (
        f'<tr data-part="{s.id}"><td>{_badge(p, s.id)}</td><td>{clean(", ".join(kind))}</td>'
        f"<td>{fluents}</td><td>{''.join(moves) or 'none'}</td></tr>"
    )


def _badge(p: int, content: object) -> str:
    tone = color(p)
    return f'<span class="badge" style="background:{tone};color:{ink_on(tone)}">{clean(str(content))}</span>'


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


def _edges(parts: Decomposition, lumped: Lumped) -> str:
    if not lumped.ties:
        return ""
    rows = []
    for i, tie in enumerate(lumped.ties[: DrawLimits.current().page_listed]):
        a, b = lumped.groups[tie.source], lumped.groups[tie.target]
        rows.append(
            f'<tr data-tie="{i}" data-ends="{tie.source} {tie.target}"><td><code>{clean(a.label)}</code></td>'
            f"<td>{clean(tie.kind)}</td><td><code>{clean(b.label)}</code></td><td>{tie.count}</td>"
            f"<td>{tie.weight:.3g}</td><td>{clean(tie.why)}</td></tr>"
        )
    more = len(lumped.ties) - len(rows)
    head = "<tr><th>from</th><th>kind</th><th>to</th><th>edges</th><th>greatest weight</th><th>rests on</th></tr>"
    total = len(parts.graph.edges) if parts.graph else 0
    return (
        f"<h2>Edges</h2><details><summary>{len(lumped.ties)} bundles of {total} edges</summary>"
        f'<table id="edges">{head}{"".join(rows)}</table>{f"<p>… {more} more</p>" if more else ""}</details>'
    )
