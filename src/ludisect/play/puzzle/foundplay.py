"""The best play found of a puzzle: moves that were played through before anybody relies on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ludisect.circuit.game import Game
from ludisect.circuit.rows import Rows
from ludisect.search.whole.positions import paid


@dataclass(frozen=True, slots=True)
class FoundPlay:
    """Moves (numbers) from a state to an end of the play, what they yield, and who found them."""

    moves: tuple[int, ...]
    goal: int
    how: str

    def better(self, other: FoundPlay | None) -> bool:
        """Whether it yields more, or as much in fewer moves."""
        return other is None or (self.goal, -len(self.moves)) > (other.goal, -len(other.moves))


def replayed(game: Game, start: Rows, moves: Sequence[int]) -> int | None:
    """What a play yields, move by move on the game; None if a move is not legal or the play does not end with them."""
    row = start
    for move in moves:
        if bool(game.batch.terminal(row)[0]) or not bool(game.batch.legal(row)[0, move]):
            return None
        row = game.batch.next(row, np.array([[move]], np.int32))
    return int(paid(game.batch.goals(row))[0, 0]) if bool(game.batch.terminal(row)[0]) else None
