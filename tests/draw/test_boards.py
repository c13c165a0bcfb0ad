"""Boards: which fluents make one, how several are told apart, and how the terminal shows them."""

from __future__ import annotations

import pytest
from rich.console import Console

import ludisect
from ludisect.decomposition.model.decomposition import Decomposition, Part
from ludisect.draw.boards import Board, boards
from ludisect.draw.terminal import board_rich, board_text

from .samples import SAMPLES, domineering, double_tictactoe, first_argument, load, sample, stripes


def whole(name: str) -> Decomposition:
    """The game as one part."""
    game = load(name)
    return Decomposition(
        game, "by hand", (Part(1, "dependent", True, tuple(range(len(game.fluents)))),), "mixed", "single"
    )


def shape(board: Board) -> tuple[str, int, int, int]:
    return board.title, len(board.rows), len(board.columns), len(board.cells)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("tictactoe", [("(cell ↓ → *)", 3, 3, 9)]),
        ("double-tictactoe", [("(cell1 ↓ → *)", 3, 3, 9), ("(cell2 ↓ → *)", 3, 3, 9)]),
        ("connect-four", [("(cell → ↑ *)", 6, 7, 42)]),  # its variables are called ?c and ?r
        ("tron", [("(rider * → ↑)", 5, 5, 25), ("(wall → ↑)", 5, 5, 25)]),
        ("clobber", [("(stone * ↓ →)", 3, 4, 12)]),  # the stone's colour lies on the square
        ("peg-solitaire", [("(peg ↓ →)", 5, 5, 15)]),  # a triangle
        ("domineering:2x3,4x4", [("(free ↓ →)", 4, 8, 22)]),  # a gap between two boards
        ("kayles", [("(standing ↓ →)", 2, 7, 12)]),  # letters and numbers
        ("triple-tictactoe", [(f"(cell {b} ↓ → *)", 3, 3, 9) for b in ("left", "middle", "right")]),
        ("serial-tictactoe", [("(first □ *)", 3, 3, 9), ("(second □ *)", 3, 3, 9)]),
        ("ultimate-tictactoe", [(f"(cell {c}{r} □ *)", 3, 3, 9) for c in "abc" for r in "123"]),
        ("four-lamps", []),
        ("runners", []),  # who runs is not ordered
        ("multiple-hanoi", []),
        ("rock-paper-scissors", []),
    ],
)
def test_boards_of_bundled_games(name: str, expected: list[tuple[str, int, int, int]]) -> None:
    assert [shape(b) for b in boards(whole(name))] == expected


def test_squares_hold_each_fluent_once_with_its_part() -> None:
    for make in SAMPLES.values():
        parts = make()
        part_of = parts.part_of().tolist()
        seen: list[int] = []
        for board in boards(parts):
            for cell in board.cells.values():
                seen += cell.fluents
                assert set(cell.parts) == {part_of[f] for f in cell.fluents}
        assert len(seen) == len(set(seen))


def test_place_of_a_fluent_is_what_its_arguments_say() -> None:
    parts = whole("double-tictactoe")
    for board in boards(parts):
        for (r, c), cell in board.cells.items():
            for f in cell.fluents:
                term = parts.game.fluents[f]
                assert (str(term.args[0]), str(term.args[1])) == (board.rows[r], board.columns[c])


RULES = """
(role r)
(next-day mon tue) (next-day tue wed)
(likes mon tue) (likes mon wed)
(<= (base (free ?d ?h)) (day ?d) (hour ?h))
(day mon) (day tue) (day wed) (hour nine) (hour ten)
(after nine ten)
(<= (input r (book ?d ?h)) (day ?d) (hour ?h))
(<= (init (free ?d ?h)) (day ?d) (hour ?h))
(<= (legal r (book ?d ?h)) (true (free ?d ?h)))
(<= (next (free ?d ?h)) (true (free ?d ?h)) (not (does r (book ?d ?h))))
(<= some (true (free ?d ?h)))
(<= terminal (not some))
(goal r 100)
"""


def test_values_ordered_by_a_relation_of_the_rules() -> None:
    """The chain of ``next-day`` orders the days though their names do not; ``likes`` is no chain and orders nothing."""
    game = ludisect.load(RULES)
    part = Part(1, "dependent", True, tuple(range(len(game.fluents))))
    (board,) = boards(Decomposition(game, "by hand", (part,), "single-player", "single"))
    assert (board.rows, board.columns) == (("mon", "tue", "wed"), ("nine", "ten"))


def test_argument_that_tells_parts_apart_makes_boards() -> None:
    titles = [b.title for b in boards(sample("lights-on-parallel", first_argument))]
    assert titles == [f"(shines {side} ↓ →)" for side in ("east", "north", "south", "west")]


def test_square_in_several_parts() -> None:
    (board,) = boards(stripes())
    assert {c.parts for c in board.cells.values()} == {(0, 1, -1)}


def test_terminal_shows_part_numbers() -> None:
    assert board_text(double_tictactoe()) == (
        "(cell1 ↓ → *)   (cell2 ↓ → *)\n"
        "  1 2 3           1 2 3\n"
        "1 1 1 1         1 2 2 2\n"
        "2 1 1 1         2 2 2 2\n"
        "3 1 1 1         3 2 2 2"
    )
    assert board_text(domineering()).splitlines()[2:] == ["1 1 1 1   2 2 2 2"] + ["2 1 1 1   2 2 2 2"] + [
        f"{r}         2 2 2 2" for r in (3, 4)
    ]
    assert "1/2/-" in board_text(stripes())
    assert board_text(SAMPLES["four_lamps"]()) == ""


def test_terminal_wraps_boards() -> None:
    parts = SAMPLES["squares"]()
    for width in (30, 60, 200):
        assert max(map(len, board_rich(parts, width=width).plain.splitlines())) <= width
    assert board_rich(parts, width=200).plain.count("\n") == 4


def test_terminal_colours_each_part() -> None:
    console = Console(force_terminal=True, color_system="truecolor", width=100)
    with console.capture() as seen:
        console.print(board_rich(double_tictactoe()))
    assert "48;2;17;72;179" in seen.get()  # the first colour as background
    assert "48;2;236;97;0" in seen.get()
