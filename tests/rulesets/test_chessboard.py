"""Kings and pawns on the chess board: FEN, legal moves and SAN against python-chess; what is refused."""

from __future__ import annotations

import random

import pytest

from ludisect.errors import InputError
from ludisect.rulesets.chessboard import BLACK, WHITE, ChessBoard, ChessMove
from ludisect.rulesets.squares import square

chess = pytest.importorskip("chess", reason="python-chess is installed with the extra dev")


def random_fen(chance: random.Random) -> str:
    """Kings and pawns thrown on a board, then a few random moves, often a double step at the end."""
    while True:
        board = chess.Board(None)
        for sign, place in zip("Kk", chance.sample(range(64), 2), strict=True):
            board.set_piece_at(place, chess.Piece.from_symbol(sign))
        for sign in "Pp":
            for _ in range(chance.randint(0, 8)):
                place = chance.randrange(8, 56)
                if not board.piece_at(place):
                    board.set_piece_at(place, chess.Piece.from_symbol(sign))
        board.turn = chance.random() < 0.5
        if chance.random() < 0.3:  # a white pawn that can step past a black one
            file = chance.randrange(7)
            for place, sign in ((8 + file, "P"), (25 + file, "p")):
                board.set_piece_at(place, chess.Piece.from_symbol(sign))
            for place in (16 + file, 24 + file):
                board.remove_piece_at(place)
            board.turn = chess.WHITE
        if board.is_valid():
            break
    for _ in range(chance.randint(0, 5)):
        moves = [m for m in board.legal_moves if not m.promotion]
        double = [m for m in moves if board.piece_type_at(m.from_square) == chess.PAWN and _far(m)]
        if not moves:
            break
        board.push(chance.choice(double if double and chance.random() < 0.6 else moves))
    fen: str = board.fen(en_passant="fen")
    return fen


def _far(move: object) -> bool:
    return abs(move.from_square - move.to_square) == 16  # type: ignore[attr-defined,no-any-return]


def compare(fen: str) -> tuple[int, int]:
    """Both boards on one position; how many promotions and captures en passant were among the moves."""
    theirs, ours = chess.Board(fen), ChessBoard.read(fen)
    assert ours.fen == fen
    expected, promotions, passant = {}, 0, 0
    for move in theirs.legal_moves:
        san = theirs.san(move)
        promotions += bool(move.promotion)
        passant += theirs.is_en_passant(move)
        theirs.push(move)
        kind = chess.piece_symbol(move.promotion).upper() if move.promotion else ""
        expected[ChessMove(move.from_square, move.to_square, kind)] = san, theirs.fen(en_passant="fen")
        theirs.pop()
    assert {m: (ours.san(m), ours.play(m).fen) for m in ours.legal_moves()} == expected, fen
    for player, colour in ((WHITE, chess.WHITE), (BLACK, chess.BLACK)):
        king = theirs.king(colour)
        assert ours.in_check(player) == theirs.is_attacked_by(not colour, king)
    return promotions, passant


def check(seed: int, positions: int) -> tuple[int, int]:
    chance = random.Random(seed)
    found = [compare(random_fen(chance)) for _ in range(positions)]
    return sum(x for x, _ in found), sum(x for _, x in found)


def test_random_positions_against_python_chess() -> None:
    promotions, passant = check(1, 300)
    assert promotions > 100
    assert passant > 10


@pytest.mark.slow
def test_ten_thousand_positions_against_python_chess() -> None:
    promotions, passant = check(2, 10_000)
    assert promotions > 10_000
    assert passant > 200


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        ("", "empty"),
        ("8/8/8/8 w - - 0 1", "has 8 ranks.*has 4"),
        ("8/8/8/8/8/8/8/7 w - - 0 1", "rank 1 of the FEN, '7', has 7 squares"),
        ("8/8/8/8/8/8/8/9 w - - 0 1", "holds '9'"),
        ("8/8/8/8/8/8/8/K7P w - - 0 1", "has 9 squares"),
        ("8/8/8/8/8/8/8/Kx6 w - - 0 1", "holds 'x', which is no piece"),
        ("8/8/3q4/8/8/8/8/K6k w - - 0 1", "a queen stands on d6"),
        ("8/8/8/8/8/8/8/K6k x - - 0 1", "w or b, not 'x'"),
        ("8/8/8/8/8/8/8/K6k w KQ - 0 1", "nobody can castle"),
        ("8/8/8/8/8/8/8/K6k w - e9 0 1", "fourth field"),
        ("8/8/8/8/8/8/8/K6k w - e6 0 1", "double step"),
        ("8/8/8/8/8/8/8/K6k w - - x 1", "fifth field"),
        ("8/8/8/8/8/8/8/K6k w - - 0 -1", "sixth field"),
        ("8/8/8/8/8/8/8/K6k w - - 0 1 7", "one too many"),
        ("8/8/8/8/8/8/8/Kk6 w - - 0 1", "touch"),
        ("8/8/8/8/8/8/8/KK5k w - - 0 1", "White has 2 kings"),
        ("8/8/8/8/8/8/8/K7 w - - 0 1", "Black has no king"),
        ("P7/8/8/8/8/8/8/K6k w - - 0 1", "a pawn stands on a8"),
        ("8/PPPPPPPP/P7/8/8/8/8/K6k w - - 0 1", "White has 9 pawns"),
        ("8/8/8/8/8/3k4/4P3/K7 w - - 0 1", "Black's king is in check and it is White's turn"),
    ],
)
def test_bad_fens(fen: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        ChessBoard.read(fen)


def test_fields_that_are_left_out() -> None:
    assert ChessBoard.read("8/8/8/8/8/8/P7/K6k").fen == "8/8/8/8/8/8/P7/K6k w - - 0 1"
    assert ChessBoard.read("8/8/8/8/8/8/P7/K6k b").turn is BLACK
    pawns_only = ChessBoard.read("8/p7/8/8/8/8/P7/8")
    assert not pawns_only.has_kings
    assert [pawns_only.san(m) for m in pawns_only.legal_moves()] == ["a3", "a4"]
    assert str(pawns_only.pawn_structure()) == "a2 / a7"


def test_promoted_pieces_are_not_moved() -> None:
    board = ChessBoard.read("8/P7/8/8/8/k7/8/7K w - - 0 1")
    (queen,) = (m for m in board.legal_moves() if m.promotion == "Q")
    assert board.san(queen) == "a8=Q+"
    after = board.play(queen)
    assert after.piece_at(square("a8") or 0) == "Q"
    with pytest.raises(InputError, match="only kings and pawns are moved"):
        after.to_move(WHITE).legal_moves()
