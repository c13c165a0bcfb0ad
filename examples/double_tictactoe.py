"""Two boards of tic-tac-toe, written in Python: the same game as the bundled sheet ``double-tictactoe``.

It prints:

    (cell1 ↓ → *) ·=b   (cell2 ↓ → *) ·=b
      1 2 3               1 2 3
    1 · · ·             1 · · ·
    2 · x ·             2 · · ·
    3 · · ·             3 · · ·
    (control oplayer)
    1. dependent: (cell1 * * *)
    2. dependent: (cell2 * * *)
    3. independent: (control *)
    {'xplayer': 50.0, 'oplayer': 50.0} {'xplayer': Term.parse('(mark1 1 1)')}
"""

from __future__ import annotations

from collections.abc import Iterator

import ludisect
from ludisect.gdl import Condition, FluentTerm, MoveTerm, PythonRules, all_of, any_of, condition, does, fluent, move

MARK = {"xplayer": "x", "oplayer": "o"}
OTHER = {"xplayer": "oplayer", "oplayer": "xplayer"}
SQUARES = [(r, c) for r in (1, 2, 3) for c in (1, 2, 3)]
LINES = [
    *([(r, c) for c in (1, 2, 3)] for r in (1, 2, 3)),
    *([(r, c) for r in (1, 2, 3)] for c in (1, 2, 3)),
    [(1, 1), (2, 2), (3, 3)],
    [(1, 3), (2, 2), (3, 1)],
]
BOARDS = (1, 2)

cell = {board: fluent(f"cell{board}") for board in BOARDS}
mark = {board: move(f"mark{board}") for board in BOARDS}
control, noop = fluent("control"), move("noop")


class DoubleTicTacToe(PythonRules):
    """The mover marks an empty cell of either board; each board counts half."""

    roles = ("xplayer", "oplayer")
    name = "double-tictactoe"

    def start(self) -> Iterator[FluentTerm]:
        yield control("xplayer")
        for board in BOARDS:
            for square in SQUARES:
                yield cell[board](*square, "b")

    def legal(self, role: str) -> Iterator[tuple[MoveTerm, Condition]]:
        for board in BOARDS:
            for square in SQUARES:
                yield mark[board](*square), control(role) & cell[board](*square, "b") & ~self.closed(board)
        yield noop, ~control(role)

    def next(self) -> Iterator[tuple[FluentTerm, Condition]]:
        for board in BOARDS:
            for square in SQUARES:
                marked = {MARK[role]: does(role, mark[board](*square)) for role in self.roles}
                for content in ("x", "o", "b"):
                    here = cell[board](*square, content)
                    yield here, marked.get(content, False) | (here & ~any_of(marked.values()))
        for role in self.roles:
            yield control(OTHER[role]), control(role)

    @condition
    def won(self, board: int, role: str) -> Condition:
        return any_of(all_of(cell[board](*square, MARK[role]) for square in line) for line in LINES)

    @condition
    def closed(self, board: int) -> Condition:
        full = ~any_of(cell[board](*square, "b") for square in SQUARES)
        return full | any_of(self.won(board, role) for role in self.roles)

    def terminal(self) -> Condition:
        return all_of(self.closed(board) for board in BOARDS)

    def goal(self, role: str) -> Iterator[tuple[int, Condition]]:
        results = {
            board: {
                50: self.won(board, role),
                25: ~self.won(board, role) & ~self.won(board, OTHER[role]),
                0: self.won(board, OTHER[role]),
            }
            for board in BOARDS
        }
        for first, one in results[1].items():
            for second, two in results[2].items():
                yield first + second, one & two


def main() -> None:
    game = ludisect.load(DoubleTicTacToe())
    print(game.start.play("(mark1 2 2)"))
    for part in ludisect.decompose(game):
        print(part)
    answer = ludisect.solve(game)
    print(answer.value, answer.move)


if __name__ == "__main__":
    main()
