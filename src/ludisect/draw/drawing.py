"""Everything that can be drawn, each by one function with a theme: light, dark, or page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.draw.boarddata import BoardData
from ludisect.draw.boardlook import BoardLook, PartLook
from ludisect.draw.boardpicture import boards_fragment
from ludisect.draw.graphdata import GraphData
from ludisect.draw.graphpicture import graph_fragment, part_looks
from ludisect.draw.layers import RuleLayers
from ludisect.draw.legend import head_fragment, legend_fragment, verdict
from ludisect.draw.page import page
from ludisect.draw.ruleboards import RuleBoards
from ludisect.draw.stateboard import below_boards
from ludisect.draw.sumboards import SumBoards
from ludisect.draw.svg import BODY, Fragment, heading, line_of, picture, stack
from ludisect.draw.theme import Theme, theme_of
from ludisect.errors import InputError
from ludisect.gdl.state import State
from ludisect.rulesets.position import Position
from ludisect.sums.table import Sum

ROOM = 1100.0
"""The width of pictures that hold much, unless a caller has less."""


# ---- boards ----


def board_svg(
    boards: Sequence[BoardData],
    *,
    theme: str = "light",
    title: str = "Board",
    desc: str = "",
    room: float = 760.0,
    interactive: bool = False,
    parts: Decomposition | None = None,
    prefix: str = "",
) -> str:
    """Boards as data, drawn; ``interactive`` makes their squares cells of a grid that can have the focus."""
    paper = theme_of(theme)
    looks: dict[int, PartLook] = part_looks(parts) if parts is not None else {}
    look = BoardLook(paper, room, interactive=interactive, parts=looks)
    whole = boards_fragment(look, boards)
    return picture(paper, whole, "board", title, desc, prefix=prefix, interactive=interactive, margin=12)


def state_svg(state: State[Any], *, theme: str = "light", room: float = 760.0, prefix: str = "") -> str:
    """A state of rules: its boards with what lies on them, and below them what is on none."""
    paper = theme_of(theme)
    seen = RuleBoards(state.game, known=state.fluents)
    boards = seen.boards(state)
    placed = {f for board in boards for square in board.squares for f in square.fluents}
    rest = sorted(f for f in map(str, state.fluents) if f not in placed)
    lines = [line_of(paper, line, BODY, tone="ink2") for line in below_boards(state, rest, 90)]
    pieces = [heading(paper, state.game.name), boards_fragment(BoardLook(paper, room), boards), *lines]
    return picture(paper, stack(pieces, 10), "board", repr(state).strip("<>"), prefix=prefix)


def position_svg(position: Position, *, theme: str = "light", room: float = 560.0, prefix: str = "") -> str:
    """A position of Left and Right, its parts in their colours; nothing if it has no board."""
    boards = SumBoards(Sum([position])).boards
    if not boards:
        return ""
    paper = theme_of(theme)
    name = f"{position.name} {position}"
    shown = [replace(board, title=position.name) for board in boards]
    whole = boards_fragment(BoardLook(paper, room, largest=44.0), shown)
    return picture(paper, whole, "board", name, prefix=prefix, margin=12)


# ---- decompositions ----


def graph_svg(
    parts: Decomposition,
    *,
    theme: str = "light",
    room: float = ROOM,
    data: GraphData | None = None,
    prefix: str = "",
) -> str:
    """The dependency graph alone."""
    paper = theme_of(theme)
    whole = graph_fragment(paper, data or GraphData(parts), room)
    return picture(paper, whole, "graph", f"Dependencies of {parts.game.name}", _about(parts), prefix=prefix)


def decomposition_svg(
    parts: Decomposition, *, theme: str = "light", room: float = ROOM, data: GraphData | None = None, prefix: str = ""
) -> str:
    """The whole picture: name, sum line and verdict, boards, dependency graph, legend."""
    paper = theme_of(theme)
    seen = RuleLayers(parts.game, parts) if data is None else data.seen
    return _whole(paper, data or GraphData(parts, seen), seen, room, prefix)


def decomposition_html(parts: Decomposition) -> str:
    """One page that needs nothing else: the picture, and tables of parts, evidence and edges that point into it."""
    data = GraphData(parts)
    return page(parts, data, decomposition_svg(parts, theme="page", data=data))


def write_picture(parts: Decomposition, path: str | Path, *, theme: str = "light") -> None:
    """Write the picture in the form that the ending of the name asks for: ``.svg`` or ``.html`` (light and dark)."""
    target = Path(path)
    ending = target.suffix.lower()
    if ending not in (".svg", ".html"):
        raise InputError(f"cannot draw {target.name!r}: the name has to end in .svg or .html")
    drawn = decomposition_svg(parts, theme=theme) if ending == ".svg" else decomposition_html(parts)
    target.write_text(drawn, encoding="utf-8")


def _whole(theme: Theme, data: GraphData, seen: RuleLayers, room: float, prefix: str) -> str:
    parts = data.parts
    boards = [seen.board(layers, seen.start) for layers in seen.layers]
    look = BoardLook(theme, room, parts=part_looks(parts), largest=44.0)
    graph = graph_fragment(theme, data, room)
    grids = boards_fragment(look, boards) if boards else Fragment(0, 0, "")
    wide = max(graph.width, grids.width, min(620.0, room))
    pieces = [head_fragment(theme, parts, wide)]
    if boards:
        pieces += [heading(theme, "Boards" if len(boards) > 1 else "Board"), grids]
    pieces += [heading(theme, "Dependencies" if parts.graph else "Parts"), graph]
    pieces.append(legend_fragment(theme, data, boards, wide))
    title = f"Decomposition of {parts.game.name}"
    return picture(theme, stack(pieces, 16), "decomposition", title, _about(parts), prefix=prefix)


def _about(parts: Decomposition) -> str:
    """A picture in a sentence."""
    _, words = verdict(parts)
    named = [f"part {part.id}: {part.name}" for part in parts.parts if part.kind == "dependent"]
    more = f"; and {len(named) - 6} more" if len(named) > 6 else ""
    return f"{words}. {'; '.join(named[:6])}{more}."
