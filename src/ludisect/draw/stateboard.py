"""One state as boards with their pieces, in the terminal and as SVG; what is on no board stands below."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

from ludisect.circuit.game import Game
from ludisect.draw.boarddata import At
from ludisect.draw.boards import Board, boards_of
from ludisect.draw.grids import grids, square_frame
from ludisect.draw.palette import FAINT, INK, PAPER, color, mix
from ludisect.draw.svg import Fragment, element, framed, heading, stack, text, tooltip
from ludisect.draw.terminal import WIDTH, block, side_by_side
from ludisect.draw.text import fit, text_width
from ludisect.gdl.interpret import Interpreter
from ludisect.gdl.state import State
from ludisect.gdl.terms import Term

NOTHING = "·"
PIECE = "●"
"""What holds where fluents say no more than a square."""

_EMPTY = ("empty", "blank")
_OFTEN_EMPTY = ("b", "e", "dirt", "free", "green", "none", "nil", "null", "open")
"""Words for an empty square if they hold on half the board or more when play begins; ``b`` can also be black."""

_TIE = "\N{NO-BREAK SPACE}"
_ROOM = 620.0
_SIZE = 12.0


@dataclass(frozen=True, slots=True)
class _Placed:
    """A board, what lies where, and what the signs mean that stand for words."""

    board: Board
    pieces: dict[At, str]
    signs: dict[str, str]

    @property
    def title(self) -> str:
        meanings = [f"{sign}={word}" for word, sign in self.signs.items() if sign != word]
        return " ".join([self.board.title, *meanings])


def state_text(state: State[Any], *, width: int = WIDTH) -> str:
    """The boards side by side, then the other fluents, then the result if the game is over."""
    placed, rest = _places(state)
    blocks = [block(p.board, p.title, p.pieces, {}) for p in placed]
    lines = [line.rstrip() for line in side_by_side(blocks, width=width).plain.split("\n")] if blocks else []
    return "\n".join([*lines, *_below(state, rest, width)])


def state_svg(state: State[Any]) -> str:
    """The same as a picture."""
    placed, rest = _places(state)
    by_board = {id(p.board): p for p in placed}
    order = {
        piece: i for i, piece in enumerate(sorted({v for p in placed for v in (*p.signs.values(), *p.pieces.values())}))
    }

    def draw(board: Board, at: At, x: float, y: float, side: float) -> str:
        piece = by_board[id(board)].pieces[at]
        tone = PAPER if piece == NOTHING else mix(color(order[piece]), PAPER, 0.45)
        told = f"row {board.rows[at[0]]}, column {board.columns[at[1]]}: {piece}"
        ground = element("rect", x=x, y=y, width=side, height=side, fill=tone)
        return element("g", tooltip(told), ground, square_frame(x, y, side), _piece(piece, x, y, side))

    pieces = [heading(state.game.name)]
    if placed:
        pieces.append(grids([(p.board, p.title) for p in placed], draw, _ROOM))
    pieces += [_line(line) for line in _below(state, rest, 90)]
    return framed(stack(pieces, 8), repr(state).strip("<>"))


def _places(state: State[Any]) -> tuple[list[_Placed], list[Term]]:
    """The boards with what lies on them, and the fluents that hold and lie on none."""
    game = state.game
    start = game.initial_state()
    fluents: Sequence[Term] = game.fluents if isinstance(game, Game) else sorted(start | state.fluents, key=str)
    rules = game.rules if isinstance(game, Game | Interpreter) else None
    placed, shown = [], set()
    for board in boards_of(fluents, start, rules):
        signs = _signs(board, fluents, start)
        pieces = {}
        for at, cell in board.cells.items():
            here = [fluents[f] for f in cell.fluents if fluents[f] in state.fluents]
            shown.update(here)
            pieces[at] = "/".join(signs[_content(term, board)] for term in here) or NOTHING
        placed.append(_Placed(board, pieces, signs))
    return placed, sorted(state.fluents - shown, key=str)


def _content(term: Term, board: Board) -> str:
    return " ".join(str(term.args[k]) for k in board.contents) if board.contents else PIECE


def _signs(board: Board, fluents: Sequence[Term], start: frozenset[Term]) -> dict[str, str]:
    """What stands for each word that can lie on the board: a dot for empty, first letters if they differ."""
    contents = {f: _content(fluents[f], board) for cell in board.cells.values() for f in cell.fluents}
    words = sorted(set(contents.values()))
    held = Counter(word for f, word in contents.items() if fluents[f] in start)
    signs = {word: NOTHING for word in words if word.lower() in _EMPTY} or {
        word: NOTHING for word, n in held.most_common(1) if word.lower() in _OFTEN_EMPTY and 2 * n >= len(board.cells)
    }
    others = [word for word in words if word not in signs]
    letters = {word[0] for word in others}
    short = len(letters) == len(others) and max(map(len, others), default=0) > 2
    return signs | {word: word[0] if short else word for word in others}


def _below(state: State[Any], terms: Sequence[Term], width: int) -> list[str]:
    """The terms in lines, and the result if there is one."""
    tied = " ".join(str(term).replace(" ", _TIE) for term in terms) if state.fluents else "no fluent holds"
    lines = [line.replace(_TIE, " ") for line in wrap(tied, width, break_long_words=False, break_on_hyphens=False)]
    return [*lines, f"over: {state.result}"] if state.is_over else lines


def _piece(piece: str, x: float, y: float, side: float) -> str:
    size = min(15.0, side * 0.6)
    while size > 6 and text_width(piece, size) > side - 3:
        size *= 0.85
    tone = mix(FAINT, PAPER, 0.5) if piece == NOTHING else INK
    shown = fit(piece, size, side - 2)
    return text(x + side / 2, y + side / 2 + size * 0.36, shown, size, anchor="middle", fill=tone)


def _line(line: str) -> Fragment:
    return Fragment(text_width(line, _SIZE), _SIZE * 1.3, text(0, _SIZE, line, _SIZE))
