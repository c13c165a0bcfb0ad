"""The board of an ending, parts coloured and numbered: for the terminal, and as SVG with their values."""

from __future__ import annotations

from rich.text import Text

from ludisect.cgt.marked import short_worth
from ludisect.draw.palette import FAINT, INK, color, ink_on, mix
from ludisect.draw.svg import Fragment, element, framed, stack, text
from ludisect.draw.text import wrap
from ludisect.pawnendings.ending import STATUS, PawnEnding
from ludisect.rulesets.chessboard import ChessBoard
from ludisect.rulesets.chesssvg import MARGIN, SIDE, board_body
from ludisect.rulesets.position import Player
from ludisect.rulesets.squares import squares_of

_SIZE = 8 * SIDE + 2 * MARGIN

_SHOWN = 3
"""Winning moves of a side that are told below the picture."""


def pieces(board: ChessBoard) -> dict[int, str]:
    """What stands on each square."""
    return {s: board.piece_at(s) for s in range(64) if board.piece_at(s)}


def part_of(ending: PawnEnding) -> dict[int, int]:
    """For each square of a pawn, and of kings that stand among pawns, the number of its part."""
    out = {s: part.number for part in ending.parts for s in squares_of(part.pawns.white | part.pawns.black)}
    for part in ending.parts:
        if part.kings:
            out |= dict.fromkeys(ending.board.kings, part.number)
    return out


def board_rich(ending: PawnEnding) -> Text:
    """The board for the terminal: a piece as FEN has it, with the number of its part, on the part's colour."""
    parts, stands = part_of(ending), pieces(ending.board)
    files = Text("     " + "   ".join("abcdefgh") + " ", style="dim")
    lines = [files]
    for rank in range(7, -1, -1):
        line = Text(f"  {rank + 1} ", style="dim")
        for file in range(8):
            s = 8 * rank + file
            piece, number = stands.get(s, "."), parts.get(s)
            if number is None:
                line.append(f" {piece}  ", style="not dim bold" if s in stands else "dim")
            else:
                tone = color(number - 1)
                line.append(f" {piece}{number} ", style=f"not dim bold {ink_on(tone)} on {tone}")
        line.append(f" {rank + 1}", style="dim")
        lines.append(line)
    return Text("\n").join([*lines, files])


def ending_svg(ending: PawnEnding) -> str:
    """The board with parts in colours, their values beside it, and who wins."""
    parts = part_of(ending)
    tints = {s: mix(color(n - 1), "#ffffff", 0.15) for s, n in parts.items()}
    labels = {s: str(n) for s, n in parts.items()}
    board = Fragment(_SIZE, _SIZE, board_body(pieces(ending.board), tints, labels))
    rows = [_row(part.number, f"{_squares(str(part.pawns))}: {_value(ending, part.number)}") for part in ending.parts]
    total = "out of reach" if ending.total is None else short_worth(ending.total)
    told = [f"sum: {total}"] if len(ending.parts) > 1 else []
    for player in Player:
        reasons = ending.reasons(player)
        told += reasons[:_SHOWN]
        told += [f"… and by {len(reasons) - _SHOWN} more moves"] * (len(reasons) > _SHOWN)
    told.append(STATUS[ending.status])
    lines = [line for each in told for line in wrap(each, 12.5, _SIZE - 2 * MARGIN)]
    last = len(wrap(STATUS[ending.status], 12.5, _SIZE - 2 * MARGIN))
    below = Fragment(
        _SIZE,
        17.0 * len(lines) + 4,
        "".join(
            text(MARGIN, 13 + 17 * k, line, 12.5, fill=FAINT if k >= len(lines) - last else INK)
            for k, line in enumerate(lines)
        ),
    )
    return framed(stack([board, *rows, below], 6), f"the ending {ending.board.fen} in parts")


def _row(number: int, told: str) -> Fragment:
    """A line of the legend."""
    lines = wrap(told, 12.5, _SIZE - 2 * MARGIN - 24)
    swatch = element(
        "rect",
        x=MARGIN,
        y=1,
        width=15,
        height=15,
        rx=3,
        fill=mix(color(number - 1), "#ffffff", 0.15),
        stroke=INK,
        stroke_width=0.8,
    )
    name = text(MARGIN + 7.5, 13, str(number), 11, anchor="middle", bold=True)
    body = [text(MARGIN + 24, 13 + 16 * k, line, 12.5) for k, line in enumerate(lines)]
    return Fragment(_SIZE, 16.0 * len(lines) + 2, "".join([swatch, name, *body]))


def _squares(pawns: str) -> str:
    """The pawns of a part; that kings block some squares is seen on the board."""
    return pawns.partition(" blocked ")[0]


def _value(ending: PawnEnding, number: int) -> str:
    part = ending.parts[number - 1]
    told = "out of reach" if part.value is None else short_worth(part.value)
    return f"{told}, with the kings (heuristic)" if part.kings else told
