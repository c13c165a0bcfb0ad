"""Are the kings bound? A short local search: whoever moves the king loses a pawn.

This is a heuristic and stays one (Mäser 2001, 7.3.1): a lost pawn need not lose the game, and a king that is bound now
may be free later.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ludisect.rulesets.chessboard import COLOURS, ChessBoard, ChessMove
from ludisect.rulesets.position import Player
from ludisect.rulesets.squares import distance, squares_of

_QUEEN = 8
"""Pawns that a promotion is worth in the count."""


@dataclass(frozen=True, slots=True)
class KingsVerdict:
    """Whether the kings are in mutual zugzwang, what each king move gains in pawns, and why in a sentence."""

    bound: bool
    gains: dict[Player, dict[str, int]]
    why: str


def touched(board: ChessBoard, groups: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The groups of pawns that a king stands next to."""
    return [
        group for group in groups if any(distance(s, king) == 1 for king in board.kings for s in squares_of(sum(group)))
    ]


def zugzwang(board: ChessBoard, white: int, black: int, *, plies: int) -> KingsVerdict:
    """Whether either king loses a pawn by every move, among these pawns alone."""
    local = replace(board, white=white, black=black, passant=-1, promoted=())
    gains: dict[Player, dict[str, int]] = {}
    for player in Player:
        if board.to_move(player).in_check(player):
            return KingsVerdict(False, {}, f"{COLOURS[player]}'s king is in check and must move")
        here = local.to_move(player)
        moves = [m for m in here.legal_moves() if m.start == here.king(player)]
        gains[player] = {here.san(m): _gain(here, m, plies - 1) for m in moves}
    free = {p: [san for san, gain in gains[p].items() if gain >= 0] for p in Player}
    if not any(free.values()):
        return KingsVerdict(True, gains, "every king move loses a pawn, so neither king moves while a pawn can")
    told = [
        f"{COLOURS[p]} can play {' or '.join(free[p][:3])}{' …' * (len(free[p]) > 3)} without losing a pawn"
        for p in Player
        if free[p]
    ]
    return KingsVerdict(False, gains, " and ".join(told))


def _gain(board: ChessBoard, move: ChessMove, plies: int) -> int:
    """Pawns won by a move and what follows, minus pawns lost; nobody needs to go on who would rather not."""
    after = board.play(move)
    other = board.turn.opponent
    won = board.pawns(other).bit_count() - after.pawns(other).bit_count() + _QUEEN * bool(move.promotion)
    if not plies or after.promoted:
        return won
    return won - max([0, *(_gain(after, m, plies - 1) for m in after.legal_moves())])
