"""The board of an ending, parts coloured and numbered: for the terminal, and as SVG with their values."""

from __future__ import annotations

from rich.text import Text

from ludisect.cgt.marked import short_worth
from ludisect.draw.boarddata import BoardData, Square
from ludisect.draw.boardlook import BADGE, BoardLook, PartLook, badge, badge_width
from ludisect.draw.boardpicture import board_fragment
from ludisect.draw.palette import ink_on, part_colour
from ludisect.draw.svg import BODY, Fragment, line_of, picture, stack, text
from ludisect.draw.text import typeset, wrap
from ludisect.draw.theme import Theme, theme_of
from ludisect.pawnendings.ending import STATUS, PawnEnding
from ludisect.rulesets.chessboard import ChessBoard
from ludisect.rulesets.position import Player
from ludisect.rulesets.squares import squares_of

_WIDE = 400.0
_GLYPHS = {"P": "pawn", "K": "king"}

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
                tone = part_colour(number)
                line.append(f" {piece}{number} ", style=f"not dim bold {ink_on(tone)} on {tone}")
        line.append(f" {rank + 1}", style="dim")
        lines.append(line)
    return Text("\n").join([*lines, files])


def ending_svg(ending: PawnEnding, *, theme: str = "light", prefix: str = "") -> str:
    """The board with parts in colours, their values below it, and who wins."""
    paper = theme_of(theme)
    board = board_fragment(BoardLook(paper, _WIDE, largest=46.0), board_data(ending), 0)
    rows = [
        _row(paper, part.number, f"{_squares(str(part.pawns))}: {_value(ending, part.number)}") for part in ending.parts
    ]
    total = "out of reach" if ending.total is None else short_worth(ending.total)
    told = [typeset(f"sum: {total}")] if len(ending.parts) > 1 else []
    for player in Player:
        reasons = ending.reasons(player)
        told += reasons[:_SHOWN]
        told += [f"… and by {len(reasons) - _SHOWN} more moves"] * (len(reasons) > _SHOWN)
    lines = [line_of(paper, line) for each in told for line in wrap(each, BODY, _WIDE)]
    lines += [line_of(paper, line, tone="ink2") for line in wrap(STATUS[ending.status], BODY, _WIDE)]
    whole = stack([board, *rows, stack(lines, 2)], 8)
    desc = "; ".join(f"part {part.number}: {_value(ending, part.number)}" for part in ending.parts)
    return picture(paper, whole, "board", f"The ending {ending.board.fen} in parts", desc, prefix=prefix)


def board_data(ending: PawnEnding) -> BoardData:
    """The board as data, seen from White's side."""
    parts, stands = part_of(ending), pieces(ending.board)
    squares = []
    for rank in range(7, -1, -1):
        for file in range(8):
            s = 8 * rank + file
            piece = stands.get(s, "")
            kind = _GLYPHS.get(piece.upper(), "")
            glyph = f"{kind}-{'white' if piece.isupper() else 'black'}" if kind else "letter" if piece else ""
            squares.append(Square((7 - rank, file), piece, glyph, (), (parts[s],) if s in parts else ()))
    return BoardData("", "grid", tuple("87654321"), tuple("abcdefgh"), tuple(squares))


def _row(theme: Theme, number: int, told: str) -> Fragment:
    """A part with its value, as a line of the legend."""
    look = PartLook(str(number), number)
    x = badge_width(look.badge) + 8
    lines = wrap(typeset(told), BODY, _WIDE - x)
    body = [text(theme, x, BADGE / 2 + BODY * 0.36 + 18 * k, line, BODY) for k, line in enumerate(lines)]
    mark = badge(theme, 0, 0, look, number)
    return Fragment(_WIDE, max(BADGE, 18.0 * len(lines)), "".join([mark, *body]))


def _squares(pawns: str) -> str:
    """The pawns of a part; that kings block some squares is seen on the board."""
    return pawns.partition(" blocked ")[0]


def _value(ending: PawnEnding, number: int) -> str:
    part = ending.parts[number - 1]
    told = "out of reach" if part.value is None else short_worth(part.value)
    return f"{told}, with the kings (heuristic)" if part.kings else told
