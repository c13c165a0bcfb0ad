"""Decompositions as pictures: SVG, a page to explore, and files of either."""

from __future__ import annotations

from pathlib import Path

from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.draw.boards import boards
from ludisect.draw.clusters import graph_fragment
from ludisect.draw.grids import boards_fragment
from ludisect.draw.legend import head_fragment, legend_fragment
from ludisect.draw.lump import Lumped, lump
from ludisect.draw.page import page
from ludisect.draw.svg import framed, heading, stack
from ludisect.errors import InputError

NARROWEST = 620.0


def decomposition_svg(parts: Decomposition) -> str:
    """The picture: title, boards, dependency graph, legend. It brings its own white ground."""
    return _svg(parts, lump(parts))


def decomposition_html(parts: Decomposition) -> str:
    """One page that needs nothing else: the picture, and tables of parts, evidence and edges that point into it."""
    lumped = lump(parts)
    return page(parts, lumped, _svg(parts, lumped))


def write_picture(parts: Decomposition, path: str | Path) -> None:
    """Write the picture in the form that the ending of the name asks for: ``.svg`` or ``.html``."""
    forms = {".svg": decomposition_svg, ".html": decomposition_html}
    target = Path(path)
    form = forms.get(target.suffix.lower())
    if form is None:
        raise InputError(f"cannot draw {target.name!r}: the name has to end in {' or '.join(forms)}")
    target.write_text(form(parts), encoding="utf-8")


def _svg(parts: Decomposition, lumped: Lumped) -> str:
    found = boards(parts)
    graph = graph_fragment(parts, lumped)
    room = max(graph.width, NARROWEST)
    grids = boards_fragment(parts, found, room * 1.25)
    room = max(room, grids.width)
    pieces = [head_fragment(parts, room)]
    if found:
        pieces += [heading("Boards" if len(found) > 1 else "Board"), grids]
    pieces += [heading("Dependency graph" if parts.graph else "Parts"), graph]
    pieces += [heading("Legend"), legend_fragment(parts, lumped, found, room)]
    whole = stack(pieces, 12)
    return framed(whole, f"Decomposition of {parts.game.name}")
