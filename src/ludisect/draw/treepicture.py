"""Local trees as drawings: a box per position with board, value, temperature, stops, a line per move."""

from __future__ import annotations

from dataclasses import dataclass

from ludisect.cgt import Value
from ludisect.cgt.writer import text as value_text
from ludisect.draw.boardlook import BoardLook
from ludisect.draw.boardpicture import board_fragment
from ludisect.draw.sumboards import SumBoards
from ludisect.draw.svg import BODY, SMALL, Fragment, element, path, picture, text, tooltip
from ludisect.draw.text import SERIF, fit, text_width, typeset
from ludisect.draw.theme import Theme, theme_of
from ludisect.errors import BudgetExceeded
from ludisect.rulesets.position import Player, Position
from ludisect.sums.localtree import LocalTree, TreeBranch
from ludisect.sums.table import Sum

_WIDTH, _GAP, _BOARD, _DROP = 148.0, 16.0, 64.0, 76.0
_TALL = _BOARD + 66.0
_LONGEST = 22
"""Characters of a value; a longer one is told by its mean."""


@dataclass(slots=True)
class _Node:
    """Where a node is drawn: the middle of its box, and its level."""

    tree: LocalTree
    level: int
    middle: float
    below: list[tuple[TreeBranch, _Node]]


def tree_svg(tree: LocalTree, *, dominated: bool = False, theme: str = "light", prefix: str = "") -> str:
    """The picture of ``tree``; without ``dominated`` moves unless these are asked for."""
    paper = theme_of(theme)
    edge = 0.0

    def place(part: LocalTree, level: int) -> _Node:
        nonlocal edge
        below = [(b, place(b.tree, level + 1)) for b in part.branches if dominated or not b.dominated]
        if below:
            return _Node(part, level, (below[0][1].middle + below[-1][1].middle) / 2, below)
        edge += _WIDTH + _GAP
        return _Node(part, level, edge - _GAP - _WIDTH / 2, [])

    root = place(tree, 0)
    levels = 1 + _depth(root)
    whole = Fragment(edge - _GAP, levels * _TALL + (levels - 1) * _DROP, "".join(_drawn(paper, root)))
    name = f"{tree.position.name} {tree.position}"
    about = f"{name} is {_told(tree.value)}; {len(tree)} positions, Left's moves to the left, Right's to the right"
    return picture(paper, whole, "tree", f"Local tree of {name}", about, prefix=prefix)


def _depth(node: _Node) -> int:
    return max((_depth(child) for _, child in node.below), default=node.level)


def _drawn(theme: Theme, node: _Node) -> list[str]:
    x, y = node.middle, node.level * (_TALL + _DROP)
    out: list[str] = []
    for branch, child in node.below:
        side = "left" if branch.player is Player.LEFT else "right"
        tone = "edge" if branch.dominated else side
        cx, cy = child.middle, y + _TALL + _DROP
        bend = cy - 52
        line = path("M", x, y + _TALL, "C", x, y + _TALL + 18, cx, bend - 14, cx, bend, "V", cy)
        dash = "6 4" if branch.player is Player.RIGHT else None
        out.append(element("path", d=line, stroke_dasharray=dash, data_role=side, **theme.paint(None, tone, 2)))
        more = f" +{len(branch.moves) - 1}" if len(branch.moves) > 1 else ""
        gain = "" if branch.incentive is None else f"gains {_told(branch.incentive)}"
        lines = [fit(f"{branch.player.name.title()} {branch.moves[0]}{more}", SMALL, _WIDTH - 8)]
        lines += [fit(typeset(gain), SMALL, _WIDTH - 8)] if gain else []
        wide = max(text_width(told, SMALL) for told in lines) + 8
        high = 16.0 * len(lines) + 4
        out.append(
            element("rect", x=cx - wide / 2, y=cy - 10 - high, width=wide, height=high, rx=4, **theme.paint("surface"))
        )
        for k, told in enumerate(lines):
            at = cy - 10 - high + 14 + 16 * k
            out.append(text(theme, cx, at, told, SMALL, anchor="middle", tone="ink2" if k else tone, bold=not k))
        out += _drawn(theme, child)
    return [*out, _box(theme, node.tree, x - _WIDTH / 2, y)]


def _box(theme: Theme, tree: LocalTree, x: float, y: float) -> str:
    g = tree.value
    out = [
        tooltip(tree.doubts or "exact"),
        element("rect", x=x, y=y, width=_WIDTH, height=_TALL, rx=8, stroke_dasharray="5 4" if tree.doubts else None,
                **theme.paint("surface", "edge", 1.5)),
        _board(theme, tree.position, x, y + 8),
    ]  # fmt: skip
    value = fit(_told(g) + ("?" if tree.doubts else ""), 17, _WIDTH - 8)
    middle = x + _WIDTH / 2
    out.append(text(theme, middle, y + _BOARD + 26, value, 17, anchor="middle", face=SERIF))
    facts = (f"temperature {g.temperature}", f"stops {g.left_stop}, {g.right_stop}")
    for k, line in enumerate(facts):
        told = fit(typeset(line), SMALL, _WIDTH - 8)
        out.append(text(theme, middle, y + _BOARD + 43 + 15 * k, told, SMALL, anchor="middle", tone="ink2"))
    return element("g", *out)


def _board(theme: Theme, position: Position, x: float, y: float) -> str:
    """The board as small as it must be; its text where it has none."""
    boards = SumBoards(Sum([position])).boards
    diagram = boards[0] if boards else None
    if diagram is not None:
        longest = max(len(diagram.rows), 1)
        look = BoardLook(theme, room=_WIDTH - 16, plain=True, largest=min(20.0, (_BOARD - 4) / longest))
        drawn = board_fragment(look, diagram, 0)
        if drawn.width <= _WIDTH - 8 and drawn.height <= _BOARD:
            return drawn.at(x + (_WIDTH - drawn.width) / 2, y + (_BOARD - drawn.height) / 2)
    shown = fit(str(position), BODY, _WIDTH - 10)
    return text(theme, x + _WIDTH / 2, y + _BOARD / 2, shown, BODY, anchor="middle", face="monospace")


def _told(g: Value) -> str:
    try:
        found = value_text(g)
    except BudgetExceeded:
        found = ""
    return typeset(found if found and len(found) <= _LONGEST else f"mean {g.mean}")
