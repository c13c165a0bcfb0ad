"""The contract of the twins: plain Python programs of the bundled games, written from their rules without GDL.

A twin answers in KIF text, so that a play can be compared move by move with that of an engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import product

Square = tuple[int, int]


class Twin:
    """A game in progress. `moves` gives each role's legal moves, `goals` is None until the play is over."""

    roles: tuple[str, ...]

    def moves(self) -> dict[str, set[str]]:
        raise NotImplementedError

    def play(self, joint: Mapping[str, str]) -> None:
        raise NotImplementedError

    def goals(self) -> dict[str, int] | None:
        scores = self.scores()
        return None if scores is None else dict(zip(self.roles, scores, strict=True))

    def scores(self) -> Iterable[int] | None:
        raise NotImplementedError


class Turns(Twin):
    """One role moves at a time, in order; the others wait. With a single role, a puzzle."""

    turn = 0

    def moves(self) -> dict[str, set[str]]:
        return {r: self.options() if i == self.turn else {"noop"} for i, r in enumerate(self.roles)}

    def play(self, joint: Mapping[str, str]) -> None:
        self.act(*words(joint[self.roles[self.turn]]))
        self.turn = (self.turn + 1) % len(self.roles)

    def options(self) -> set[str]:
        raise NotImplementedError

    def act(self, *move: str) -> None:
        raise NotImplementedError

    def last_mover_wins(self) -> tuple[int, int]:
        """The scores of two roles when the one whose turn it is has lost."""
        return (0, 100) if self.turn == 0 else (100, 0)


def words(move: str) -> list[str]:
    """The name and the arguments of a flat term."""
    return move.strip("()").split()


def grid(rows: int, columns: int) -> list[Square]:
    """The squares of a board, from (1, 1)."""
    return list(product(range(1, rows + 1), range(1, columns + 1)))


def boards(text: str) -> dict[Square, Square]:
    """Boards such as ``2x3,4x4`` set side by side a column apart: square on the grid -> square on its board."""
    out: dict[Square, Square] = {}
    left = 0
    for item in text.split(","):
        rows, columns = map(int, item.split("x"))
        out |= {(r, left + c): (r, c) for r, c in grid(rows, columns)}
        left += columns + 1
    return out


def sides(text: str) -> tuple[int, int]:
    """Read ``AxB``."""
    first, second = text.split("x")
    return int(first), int(second)


def has_line(marked: set[Square], length: int) -> bool:
    """Whether so many of the squares stand in a row, column or diagonal."""
    return any(
        all((r + k * dr, c + k * dc) in marked for k in range(length))
        for r, c in marked
        for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1))
    )


Build = Callable[[str], Twin]
"""Makes a twin from the parameters of the game (an empty text where there are none)."""
