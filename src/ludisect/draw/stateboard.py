"""One state as boards in text, a sign for what lies on each square; what is on no board stands below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

from ludisect.circuit.game import Game
from ludisect.draw.boarddata import At
from ludisect.draw.boards import Board, boards_of
from ludisect.draw.contents import content, empty_words
from ludisect.draw.terminal import WIDTH, block, side_by_side
from ludisect.gdl.interpret import Interpreter
from ludisect.gdl.state import State
from ludisect.gdl.terms import Term

NOTHING = "·"
PIECE = "●"
"""What holds where fluents say no more than a square."""

_TIE = "\N{NO-BREAK SPACE}"


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
    return "\n".join([*lines, *below_boards(state, [str(term) for term in rest], width)])


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
    return content(term, board) if board.contents else PIECE


def _signs(board: Board, fluents: Sequence[Term], start: frozenset[Term]) -> dict[str, str]:
    """What stands for each word that can lie on the board: a dot for empty, first letters if they differ."""
    words = sorted({_content(fluents[f], board) for cell in board.cells.values() for f in cell.fluents})
    empty = empty_words(board, fluents, start) if board.contents else frozenset[str]()
    signs = {word: NOTHING for word in words if word in empty}
    others = [word for word in words if word not in signs]
    letters = {word[0] for word in others}
    short = len(letters) == len(others) and max(map(len, others), default=0) > 2
    return signs | {word: word[0] if short else word for word in others}


def below_boards(state: State[Any], terms: Sequence[str], width: int) -> list[str]:
    """Fluents that are on no board in lines, and the result if there is one."""
    tied = " ".join(term.replace(" ", _TIE) for term in terms) if state.fluents else "no fluent holds"
    lines = [line.replace(_TIE, " ") for line in wrap(tied, width, break_long_words=False, break_on_hyphens=False)]
    return [*lines, f"over: {state.result}"] if state.is_over else lines
