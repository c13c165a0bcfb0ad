"""Local trees as SVG: a box per position with its board, value, temperature and stops, an edge per move."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from ludisect.cgt import Value
from ludisect.cgt.picture import LEFT, RIGHT
from ludisect.cgt.writer import text
from ludisect.errors import BudgetExceeded
from ludisect.rulesets.position import Player

if TYPE_CHECKING:
    from ludisect.sums.localtree import LocalTree, TreeBranch

_WIDTH, _GAP, _LINE, _BOARD, _DROP = 132, 14, 15, 54, 64
_LONGEST = 20
"""Characters of a value; a longer one is told by its mean."""
_INK, _PALE = "#3b3f45", "#b8bcc2"
_SIZE = re.compile(r'width="([\d.]+)" height="([\d.]+)"')


@dataclass(slots=True)
class _Node:
    """Where a node is drawn: the middle of its box, and its top."""

    tree: LocalTree
    level: int
    middle: float
    below: list[tuple[TreeBranch, _Node]]


def tree_svg(tree: LocalTree, *, dominated: bool = False) -> str:
    """The picture of ``tree``; without ``dominated`` moves unless these are asked for."""
    edge = 0.0

    def place(part: LocalTree, level: int) -> _Node:
        nonlocal edge
        below = [(b, place(b.tree, level + 1)) for b in part.branches if dominated or not b.dominated]
        if below:
            return _Node(part, level, (below[0][1].middle + below[-1][1].middle) / 2, below)
        edge += _WIDTH + _GAP
        return _Node(part, level, edge - _WIDTH / 2, [])

    root = place(tree, 0)
    levels = 1 + max(_depth(root), 0)
    tall = _BOARD + 3 * _LINE + 18
    height, width = levels * tall + (levels - 1) * _DROP + 2 * _GAP, edge + _GAP
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height}" width="{width:g}" height="{height}" '
        f'role="img" font-family="sans-serif" font-size="11" text-anchor="middle">'
        f"<title>{escape(f'{tree.position.name} {tree.position}')}</title>",
        f'<rect width="{width:g}" height="{height}" fill="white"/>',
        *_drawn(root, tall),
        "</svg>",
    ]
    return "\n".join(out) + "\n"


def _depth(node: _Node) -> int:
    return max((_depth(child) for _, child in node.below), default=node.level)


def _drawn(node: _Node, tall: int) -> list[str]:
    x, y = node.middle, _GAP + node.level * (tall + _DROP)
    out: list[str] = []
    for branch, child in node.below:
        color = _PALE if branch.dominated else LEFT if branch.player is Player.LEFT else RIGHT
        cx, cy = child.middle, y + tall + _DROP
        out.append(f'<line x1="{x:g}" y1="{y + tall}" x2="{cx:g}" y2="{cy}" stroke="{color}" stroke-width="1.8"/>')
        gain = "" if branch.incentive is None else f"gains {_told(branch.incentive)}"
        more = f" +{len(branch.moves) - 1}" if len(branch.moves) > 1 else ""
        for k, line in enumerate((branch.moves[0] + more, gain)):
            at = f'x="{cx:g}" y="{cy - 19 + k * 13}"'
            out.append(f'<text {at} stroke="white" stroke-width="4" aria-hidden="true">{escape(line)}</text>')
            out.append(f'<text {at} fill="{color}">{escape(line)}</text>')
        out += _drawn(child, tall)
    g, left = node.tree.value, x - _WIDTH / 2
    dashes = ' stroke-dasharray="4 3"' if node.tree.doubts else ""
    out.append(
        f'<rect x="{left:g}" y="{y}" width="{_WIDTH}" height="{tall}" rx="5" fill="white" stroke="{_INK}"{dashes}>'
        f"<title>{escape(node.tree.doubts or 'exact')}</title></rect>"
    )
    out.append(_board(node.tree.position.picture(), str(node.tree.position), x, y + 6))
    value = _told(g) + ("?" if node.tree.doubts else "")
    lines = (value, f"temperature {g.temperature}", f"stops {g.left_stop}, {g.right_stop}")
    for k, line in enumerate(lines):
        weight = ' font-weight="bold"' if not k else ""
        out.append(f'<text x="{x:g}" y="{y + _BOARD + 22 + k * _LINE}" fill="{_INK}"{weight}>{escape(line)}</text>')
    return out


def _board(picture: str, name: str, x: float, y: float) -> str:
    """The board as small as it must be; its text where it has no picture."""
    size = _SIZE.search(picture)
    if not picture or size is None:
        shown = name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"
        return f'<text x="{x:g}" y="{y + _BOARD / 2:g}" fill="{_INK}" font-family="monospace">{escape(shown)}</text>'
    wide, high = float(size[1]), float(size[2])
    scale = min(1.0, _BOARD / high, (_WIDTH - 12) / wide)
    corner = f"{x - wide * scale / 2:.1f} {y + (_BOARD - high * scale) / 2:.1f}"
    return f'<g transform="translate({corner}) scale({scale:.3f})">{picture}</g>'


def _told(g: Value) -> str:
    try:
        found = text(g)
    except BudgetExceeded:
        found = ""
    return found if found and len(found) <= _LONGEST else f"mean {g.mean}"
