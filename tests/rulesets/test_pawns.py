"""Pawns: notation, moves, parts, names; one file alone; bad input."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludisect import position, value
from ludisect.cgt import Value, nimber, number, up
from ludisect.errors import InputError
from ludisect.rulesets import Pawns, Player, Position, read_component
from ludisect.rulesets.pawns import chunks

from .pawnplay import LEFT, RIGHT, named_moves, plain_moves

squares = st.integers(8, 55)


@st.composite
def boards(draw: st.DrawFn, most: int = 6) -> Pawns:
    places = draw(st.lists(squares, unique=True, min_size=1, max_size=2 * most))
    cut = draw(st.integers(0, len(places)))
    white, black = places[:cut][:8], places[cut:][:8]
    return Pawns(sum(1 << s for s in white), sum(1 << s for s in black))


@given(boards())
def test_moves_are_those_of_a_plain_twin(board: Pawns) -> None:
    assert board == Pawns(str(board))
    for player in Player:
        assert named_moves(board, player) == plain_moves(str(board), player)


@settings(max_examples=30)
@given(boards(), st.randoms(use_true_random=False))
def test_play_keeps_to_the_rules(board: Pawns, chance: random.Random) -> None:
    """A random play: names, parts and mirror images of every position on the way."""
    player = LEFT
    for _ in range(12):
        parts = board.parts()
        assert sum(p.white for p in parts) == board.white
        assert sum(p.black for p in parts) == board.black
        opposite = -board
        for side in Player:
            assert sorted(m for p in parts for m in p.moves(side)) == sorted(board.moves(side))
            assert len(opposite.moves(side)) == len(board.moves(side.opponent))
        assert -opposite == board
        assert opposite.key()[0] == board.key()[0] == board._mirrored().key()[0]
        if opposite.key() != board.key():
            assert opposite.key()[1] != board.key()[1]
        moves = board.moves(player)
        if not moves:
            break
        move = chance.choice(moves)
        after = board.play(player, move)
        assert sum(map(len, _pieces(board))) - sum(map(len, _pieces(after))) == (move[1] - move[0]) % 8 % 2
        board, player = after, player.opponent


def _pieces(board: Pawns) -> tuple[str, str]:
    return bin(board.white).count("1") * "w", bin(board.black).count("1") * "b"


def test_en_passant() -> None:
    """The right belongs to the part, is there only if somebody can use it, and ends with the next move."""
    board = Pawns("a2 h2 / b4 h4").play(LEFT, (8, 24))
    assert str(board) == "a4 h2 / b4 h4 ep a3"
    assert Pawns(str(board)) == board
    assert ("b4", "a3") in named_moves(board, RIGHT)
    assert ("b4", "a3") not in named_moves(board, LEFT)
    assert [str(p) for p in board.parts()] == ["a4 / b4 ep a3", "h2 / h4"]
    assert str(board.play(RIGHT, (25, 16))) == "h2 / a3 h4"
    assert board.move_text((25, 16)) == "bxa3"
    assert str(Pawns("a2 / c4").play(LEFT, (8, 24))) == "a4 / c4"
    later = board.play(RIGHT, (31, 23))
    assert later.passant == -1
    black = Pawns("c5 / b7").play(RIGHT, (49, 33))
    assert str(black) == "c5 / b5 ep b6"
    assert str(black.play(LEFT, (34, 41))) == "b6 /"


def test_promotion_wins_and_ends_the_play() -> None:
    board = Pawns("a7 / h3")
    (move,) = board.moves(LEFT)
    after = board.play(LEFT, move)
    assert board.move_text(move) == "a8=Q"
    assert after.won_by() is LEFT
    assert not after.moves(RIGHT)
    assert board.outright
    assert board.won_by() is None
    assert (-after).won_by() is RIGHT
    assert (-board).sure_winner(None) is RIGHT


def test_chunks() -> None:
    """Mäser 2001, 7.3.1: same colour on neighbouring files; opposite colours only before they have passed."""
    for text, parts in [
        ("a2 b2 h3 / a6 b7 h7", ["a2 b2 / a6 b7", "h3 / h7"]),
        ("a5 / b4", ["a5 /", "/ b4"]),
        ("a4 / b5", ["a4 / b5"]),
        ("a4 / b4", ["a4 /", "/ b4"]),
        ("a2 c2 / b5", ["a2 c2 / b5"]),
        ("a2 c2 /", ["a2 /", "c2 /"]),
        ("a2 b6 / b3", ["a2 b6 / b3"]),
        ("a2 c6 / b4", ["a2 / b4", "c6 /"]),
        ("a4 b4 e4 / b6 f5 f7", ["a4 b4 / b6", "e4 / f5 f7"]),
    ]:
        board = Pawns(text)
        assert [str(p) for p in board.parts()] == parts
        assert len(chunks(board.white, board.black)) == len(parts)


class OneFile(Position):
    """Two pawns on a file of any length with ``between`` empty squares; who still may step twice."""

    name = "onefile"

    def __init__(self, between: int, left: bool, right: bool) -> None:
        self.state = between, left, right

    def moves(self, player: Player) -> Sequence[int]:
        between, *double = self.state
        return range(1, min(between, 2 if double[player is RIGHT] else 1) + 1)

    def play(self, player: Player, move: int) -> OneFile:
        between, left, right = self.state
        return OneFile(between - move, left and player is RIGHT, right and player is LEFT)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OneFile) and self.state == other.state

    def __hash__(self) -> int:
        return hash(self.state)


def test_one_file() -> None:
    """Mäser 2001, 7.1.2 and formula (7.1), on boards as tall as they need to be."""
    for s in range(9):
        star = nimber(s % 2)
        assert OneFile(s, False, False).value == star
        assert OneFile(s, True, False).value == (star if s < 2 else up(s - 1) + star)
        assert OneFile(s, True, True).value == (nimber(s) if s in (1, 2) else number(0))


@pytest.mark.parametrize(
    ("pawns", "expected"),
    [("a2 / a5", "^"), ("h3 / h7", "vv*"), ("h4 / h7", "v"), ("h5 / h7", "*"), ("a2 / a7", "0"), ("c3 / c6", "0")],
)
def test_one_file_of_the_chess_board(pawns: str, expected: str) -> None:
    """Mäser 2001, figures 7.1 and 7.2."""
    assert value(f"pawns {pawns}") == Value(expected)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a2 b2", "a slash"),
        ("a2 / b3 / c4", "a slash"),
        ("/", "no pawns"),
        ("a9 / b7", "no square"),
        ("a2 x / b7", "no square"),
        ("a1 / b7", "ranks 2 to 7"),
        ("a2 / b8", "ranks 2 to 7"),
        ("a2 a2 / b7", "twice"),
        ("a2 / a2", "white and a black"),
        ("a2 b2 c2 d2 e2 f2 g2 h2 a3 / b7", "9 pawns"),
        ("a4 / b4 ep a4", "rank 3 or 6"),
        ("a5 / b5 ep a3", "double step"),
        ("a4 a2 / b4 ep a3", "double step"),
    ],
)
def test_bad_input(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_component(f"pawns {text}")


def test_what_pawns_are_not() -> None:
    with pytest.raises(InputError, match="impartial form"):
        position("impartial pawns a2 / a7")
    with pytest.raises(InputError, match="write for example pawns a2 b2 / a6 b7"):
        position("pawns")
    assert str(position("negative pawns a2 b2 / a6 b7")) == "a3 b2 / a7 b7"
    assert str(Pawns("a4 / c4 ep a3")) == "a4 / c4", "a right that nobody can use is none"


def test_blocked_squares_and_pictures() -> None:
    """Squares on which kings stand: nobody goes there, names and mirror images know them."""
    board = Pawns("e4 h3 / f4 h7 blocked e5 f3")
    assert Pawns(str(board)) == board
    assert named_moves(board, LEFT) == {("h3", "h4")}
    assert [str(p) for p in board.parts()] == ["e4 / blocked e5", "/ f4 blocked f3", "h3 / h7"]
    opposite = -board
    assert str(opposite) == "f5 h2 / e5 h6 blocked e4 f6"
    assert opposite.key()[0] == board.key()[0] == board._mirrored().key()[0]
    assert Pawns("a6 / blocked a8").sure_winner(None) is None
    assert Pawns("a6 / blocked b8").sure_winner(None) is LEFT
    assert board.picture().count('data-piece="pawn-') == 4
    with pytest.raises(InputError, match="blocked"):
        Pawns("e4 / f4 blocked e4")
