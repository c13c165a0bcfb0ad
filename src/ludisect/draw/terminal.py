"""Boards for the terminal: every square as the number of its part, plain or coloured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.cells import cell_len
from rich.text import Text

from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.draw.boarddata import At
from ludisect.draw.boards import Board, Cell, boards
from ludisect.draw.palette import CONTEXT, ink_on, part_colour

WIDTH = 100
"""Boards stand side by side as long as they fit."""

_GAP = 3

Block = list[Text]
"""Lines of equal length."""


def board_text(parts: Decomposition) -> str:
    """All boards as plain text: part numbers, ``-`` for what is in no part; empty if there is no board."""
    return "\n".join(line.rstrip() for line in board_rich(parts).plain.split("\n"))


def board_rich(parts: Decomposition, *, width: int = WIDTH) -> Text:
    """All boards with each square on the colour of its part, as rich prints it."""
    blocks = []
    for board in boards(parts):
        shown = {at: _number(parts, cell) for at, cell in board.cells.items()}
        styles = {at: _style(parts, cell) for at, cell in board.cells.items()}
        blocks.append(block(board, board.title, shown, styles))
    return side_by_side(blocks, width=width)


def side_by_side(blocks: Sequence[Block], *, width: int = WIDTH) -> Text:
    """Blocks in rows that are no wider than that, or than one block."""
    rows: list[list[Block]] = []
    used = 0
    for one in blocks:
        mine = one[0].cell_len
        if not rows or used + _GAP + mine > width:
            rows.append([])
            used = -_GAP
        rows[-1].append(one)
        used += _GAP + mine
    out: list[Text] = []
    for row in rows:
        if out:
            out.append(Text())
        out += _beside(row)
    return Text("\n").join(out)


def _beside(blocks: Sequence[Block]) -> list[Text]:
    height = max(map(len, blocks))
    filled = [[*b, *(Text(" " * b[0].cell_len) for _ in range(height - len(b)))] for b in blocks]
    return [Text(" " * _GAP).join(lines) for lines in zip(*filled, strict=True)]


def block(board: Board, title: str, shown: Mapping[At, str], styles: Mapping[At, str]) -> Block:
    """A board with something on each square, and its coordinates."""
    side = max(cell_len(v) for v in (*shown.values(), *board.columns))
    margin = max(len(v) for v in board.rows)
    lines = [Text(title), Text(" " * margin + "".join(" " + v.rjust(side) for v in board.columns), style="dim")]
    for r, row in enumerate(board.rows):
        line = Text(row.rjust(margin), style="dim")
        for c in range(len(board.columns)):
            content = shown.get((r, c), "")
            line.append(" " * (1 + side - cell_len(content)) + content, style=styles.get((r, c), "not dim"))
        lines.append(line)
    longest = max(line.cell_len for line in lines)
    for line in lines:
        line.append(" " * (longest - line.cell_len))
    return lines


def _number(parts: Decomposition, cell: Cell) -> str:
    return "/".join(str(parts.parts[p].id) if p >= 0 else "-" for p in cell.parts)


def _style(parts: Decomposition, cell: Cell) -> str:
    """The part's colour; a square of several parts is shown by its numbers alone."""
    if len(cell.parts) > 1 or cell.parts[0] < 0:
        return "not dim bold"
    part = parts.parts[cell.parts[0]]
    tone = part_colour(CONTEXT if part.kind == "independent" else part.id)
    return f"not dim {ink_on(tone)} on {tone}"
