"""Kings and pawns on a chess board: FEN in and out, legal moves, and moves in standard notation.

Only kings and pawns are read and moved. A promoted piece can stand on the board, so that the move that made it has its
check or mate sign, and the opponent's answers are known.

References: the FEN and SAN sections of the PGN standard (Edwards 1994). The tests hold all of this against another
implementation.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from ludisect.errors import InputError
from ludisect.rulesets.pawns import MOST, Pawns
from ludisect.rulesets.position import Player
from ludisect.rulesets.squares import FIRST_RANK, LAST_RANK, distance, name_of, square, squares_of

WHITE, BLACK = Player.LEFT, Player.RIGHT
COLOURS = {WHITE: "White", BLACK: "Black"}
PROMOTIONS = "QRBN"

_PIECES = {"q": "queen", "r": "rook", "b": "bishop", "n": "knight"}
_STEPS = {
    "K": ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)),
    "N": ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)),
    "R": ((1, 0), (0, 1), (-1, 0), (0, -1)),
    "B": ((1, 1), (-1, 1), (-1, -1), (1, -1)),
}
_STEPS["Q"] = (*_STEPS["R"], *_STEPS["B"])


@dataclass(frozen=True, slots=True)
class ChessMove:
    """From where to where; ``promotion`` is Q, R, B, N, or empty."""

    start: int
    to: int
    promotion: str = ""


@dataclass(frozen=True)
class ChessBoard:
    """Pawns as sets of squares, the kings' squares (-1 for both if a diagram leaves them out), and whose turn it is.

    >>> board = ChessBoard.read("8/1p5p/p7/4k3/4Pp2/5K1P/PP6/8 w - - 0 1")
    >>> print(*(board.san(m) for m in board.legal_moves()))
    a3 b3 h4 a4 b4 Kg4 Ke2 Kf2 Kg2
    """

    white: int
    black: int
    kings: tuple[int, int]
    turn: Player = WHITE
    passant: int = -1
    """The square that a pawn has just passed by a double step, or -1."""
    halfmoves: int = 0
    fullmoves: int = 1
    promoted: tuple[tuple[int, Player, str], ...] = ()
    """Square, colour and kind of pieces that pawns have become."""

    # ---- FEN ------------------------------------------------------------------------------------------------------

    @classmethod
    def read(cls, fen: str) -> ChessBoard:
        """A position in FEN; fields that are left out at the end are those of a new position, White to move.

        Raises:
            InputError: the text is no FEN, holds other pieces than kings and pawns, or no position of chess.
        """
        fields = fen.split()
        if not fields:
            raise InputError("the FEN is empty; write for example 8/1p5p/p7/4k3/4Pp2/5K1P/PP6/8 w - - 0 1")
        if len(fields) > 6:
            raise InputError(f"a FEN has six fields; {fields[6]!r} is one too many")
        placement, turn, castling, passant, halfmoves, fullmoves = (*fields, *_DEFAULTS[len(fields) :])
        if turn not in ("w", "b"):
            raise InputError(f"the second field of a FEN says whose turn it is, w or b, not {turn!r}")
        if castling != "-":
            raise InputError(f"the third field of a FEN must be '-': without rooks nobody can castle, not {castling!r}")
        for number, text in (("fifth", halfmoves), ("sixth", fullmoves)):
            if not (text.isascii() and text.isdecimal() and len(text) < 6):
                raise InputError(f"the {number} field of a FEN is a number of moves, not {text!r}")
        white, black, kings = _placed(placement)
        board = cls(white, black, kings, WHITE if turn == "w" else BLACK, -1, int(halfmoves), max(1, int(fullmoves)))
        board._check()
        return board if passant == "-" else replace(board, passant=board._passed(passant))

    def _check(self) -> None:
        """Refuse what no play of chess leads to."""
        for pawns, player in ((self.white, WHITE), (self.black, BLACK)):
            if pawns & (FIRST_RANK | LAST_RANK):
                s = next(squares_of(pawns & (FIRST_RANK | LAST_RANK)))
                raise InputError(f"a pawn stands on {name_of(s)}; pawns stand on the ranks 2 to 7")
            if pawns.bit_count() > MOST:
                raise InputError(f"{COLOURS[player]} has {pawns.bit_count()} pawns; there are at most {MOST}")
        if self.has_kings:
            if distance(*self.kings) < 2:
                raise InputError(f"the kings on {name_of(self.kings[0])} and {name_of(self.kings[1])} touch each other")
            if self.in_check(self.turn.opponent):
                who = COLOURS[self.turn.opponent]
                raise InputError(f"{who}'s king is in check and it is {COLOURS[self.turn]}'s turn: no play leads there")

    def _passed(self, text: str) -> int:
        """The square of the fourth field."""
        s = square(text)
        rank, ahead, pawns = (5, -8, self.black) if self.turn is WHITE else (2, 8, self.white)
        if s is None or s >> 3 != rank:
            raise InputError(
                f"the fourth field of a FEN is - or, if {COLOURS[self.turn]} moves, a square on rank {rank + 1}, "
                f"not {text!r}"
            )
        if not pawns >> s + ahead & 1 or any(self.piece_at(x) for x in (s, s - ahead)):
            raise InputError(f"no pawn can have made a double step over {text} just now")
        return s

    @property
    def fen(self) -> str:
        """The position in FEN."""
        rows = []
        for rank in range(7, -1, -1):
            row, empty = "", 0
            for file in range(8):
                piece = self.piece_at(8 * rank + file)
                if piece:
                    row, empty = row + (str(empty) if empty else "") + piece, 0
                else:
                    empty += 1
            rows.append(row + (str(empty) if empty else ""))
        passant = "-" if self.passant < 0 else name_of(self.passant)
        turn = "w" if self.turn is WHITE else "b"
        return f"{'/'.join(rows)} {turn} - {passant} {self.halfmoves} {self.fullmoves}"

    def __str__(self) -> str:
        return self.fen

    # ---- what stands where ----------------------------------------------------------------------------------------

    @property
    def has_kings(self) -> bool:
        """Whether the kings are on the board; a diagram of pawns alone has none."""
        return self.kings[0] >= 0

    @cached_property
    def _promoted_at(self) -> dict[int, tuple[Player, str]]:
        return {s: (player, kind) for s, player, kind in self.promoted}

    def piece_at(self, s: int) -> str:
        """The piece on a square as FEN has it, or nothing."""
        if s in self.kings:
            return "K" if s == self.kings[0] else "k"
        if (self.white | self.black) >> s & 1:
            return "P" if self.white >> s & 1 else "p"
        player, kind = self._promoted_at.get(s, (WHITE, ""))
        return kind if player is WHITE else kind.lower()

    def pawns(self, player: Player) -> int:
        """The squares of a player's pawns."""
        return self.white if player is WHITE else self.black

    def king(self, player: Player) -> int:
        """The square of a player's king."""
        return self.kings[player is BLACK]

    def pawn_structure(self) -> Pawns:
        """The pawns alone."""
        usable = self.passant >= 0 and self._capturers(self.passant)
        return Pawns(self.white, self.black, self.passant if usable else -1)

    def _capturers(self, s: int) -> int:
        """Pawns of the player to move that could capture on ``s``."""
        own, back = (self.white, -1) if self.turn is WHITE else (self.black, 1)
        return sum(1 << x for x in _around(s, ((1, back), (-1, back))) if own >> x & 1)

    # ---- attacks --------------------------------------------------------------------------------------------------

    def in_check(self, player: Player) -> bool:
        """Whether the king of ``player`` is attacked."""
        return self.has_kings and self.attacked(self.king(player), player.opponent)

    def attacked(self, s: int, by: Player) -> bool:
        """Whether ``by`` attacks a square."""
        back = -1 if by is WHITE else 1
        pawns = self.pawns(by)
        if any(pawns >> x & 1 for x in _around(s, ((1, back), (-1, back)))):
            return True
        if self.has_kings and distance(s, self.king(by)) == 1:
            return True
        return any(player is by and self._reaches(start, kind, s) for start, player, kind in self.promoted)

    def _reaches(self, start: int, kind: str, s: int) -> bool:
        for file, rank in _STEPS[kind]:
            at = start
            while (at := _step(at, file, rank)) >= 0:
                if at == s:
                    return True
                if kind in "KN" or self.piece_at(at):
                    break
        return False

    # ---- moves ----------------------------------------------------------------------------------------------------

    def legal_moves(self) -> list[ChessMove]:
        """The moves of the player whose turn it is: pawns first, then the king.

        Raises:
            InputError: the player has a promoted piece, which is not moved here.
        """
        if any(player is self.turn for _, player, _ in self.promoted):
            raise InputError("only kings and pawns are moved here, and the player to move has another piece")
        return [m for m in self._candidates() if not self.play(m).in_check(self.turn)]

    def _candidates(self) -> Iterator[ChessMove]:
        """Moves by how the pieces go, whatever becomes of the own king."""
        own, other = self.pawns(self.turn), self.turn.opponent
        others = [*squares_of(self.pawns(other)), *(s for s, player, _ in self.promoted if player is other)]
        rocks = sum(1 << s for s in (*self.kings, *self._promoted_at) if s >= 0)
        for start, to in Pawns(self.white, self.black, self.passant, rocks).moves(self.turn):
            yield from _promoting(start, to)
        for to in (s for s, player, _ in self.promoted if player is other):  # pawns know nothing of these
            for start in squares_of(self._capturers(to)):
                yield from _promoting(start, to)
        if self.has_kings:
            king = self.king(self.turn)
            for to in _around(king, _STEPS["K"]):
                if not own >> to & 1 and (to in others or not self.piece_at(to)):
                    yield ChessMove(king, to)

    def play(self, move: ChessMove) -> ChessBoard:
        """The board after a move of the player whose turn it is."""
        start, to = move.start, move.to
        pawns = {WHITE: self.white, BLACK: self.black}
        kings = list(self.kings)
        other = self.turn.opponent
        promoted = tuple(x for x in self.promoted if x[0] != to)
        captured = bool(pawns[other] >> to & 1) or len(promoted) < len(self.promoted)
        pawns[other] &= ~(1 << to)
        passant = -1
        by_pawn = bool(pawns[self.turn] >> start & 1)
        if by_pawn:
            pawns[self.turn] ^= 1 << start
            if move.promotion:
                promoted = (*promoted, (to, self.turn, move.promotion))
            else:
                pawns[self.turn] |= 1 << to
            if to == self.passant and (to - start) % 8:
                pawns[other] &= ~(1 << to + (-8 if self.turn is WHITE else 8))
            passant = (start + to) // 2 if abs(to - start) == 16 else -1
        else:
            kings[self.turn is BLACK] = to
        return ChessBoard(
            pawns[WHITE],
            pawns[BLACK],
            (kings[0], kings[1]),
            other,
            passant,
            0 if by_pawn or captured else self.halfmoves + 1,
            self.fullmoves + (self.turn is BLACK),
            promoted,
        )

    def to_move(self, player: Player) -> ChessBoard:
        """The same board with ``player`` to move; a right to capture en passant goes with the turn."""
        return self if player is self.turn else replace(self, turn=player, passant=-1)

    # ---- SAN ------------------------------------------------------------------------------------------------------

    def san(self, move: ChessMove) -> str:
        """A legal move in standard algebraic notation, with + for check and # for mate."""
        to = name_of(move.to)
        if self.has_kings and move.start == self.king(self.turn):
            text = f"K{'x' * bool(self.piece_at(move.to))}{to}"
        else:
            capture = f"{name_of(move.start)[0]}x" if (move.to - move.start) % 8 else ""
            text = f"{capture}{to}{'=' * bool(move.promotion)}{move.promotion}"
        after = self.play(move)
        if not after.in_check(after.turn):
            return text
        return text + ("+" if after.legal_moves() else "#")


_DEFAULTS = ("", "w", "-", "-", "0", "1")


def _placed(placement: str) -> tuple[int, int, tuple[int, int]]:
    """White's pawns, Black's pawns and the kings of the first field."""
    rows = placement.split("/")
    if len(rows) != 8:
        raise InputError(
            f"the first field of a FEN has 8 ranks with / between, from rank 8 to rank 1; {placement!r} has {len(rows)}"
        )
    found: dict[str, list[int]] = {"P": [], "p": [], "K": [], "k": []}
    for rank, row in zip(range(7, -1, -1), rows, strict=True):
        file = 0
        for sign in row:
            if sign in "12345678":
                file += int(sign)
                continue
            if sign in found and file < 8:
                found[sign].append(8 * rank + file)
            elif sign.lower() in _PIECES and file < 8:
                raise InputError(
                    f"a {_PIECES[sign.lower()]} stands on {name_of(8 * rank + file)}; "
                    "only kings and pawns are taken apart here"
                )
            elif sign not in found:
                raise InputError(
                    f"rank {rank + 1} of the FEN, {row!r}, holds {sign!r}, which is no piece and no number"
                )
            file += 1
        if file != 8:
            raise InputError(f"rank {rank + 1} of the FEN, {row!r}, has {file} squares instead of 8")
    for name, sign in (("White", "K"), ("Black", "k")):
        if len(found[sign]) > 1:
            raise InputError(f"{name} has {len(found[sign])} kings")
    if len(found["K"]) != len(found["k"]):
        missing = "Black" if found["K"] else "White"
        raise InputError(f"{missing} has no king; give both kings, or none for a diagram of pawns alone")
    kings = (found["K"][0], found["k"][0]) if found["K"] else (-1, -1)
    return sum(1 << s for s in found["P"]), sum(1 << s for s in found["p"]), kings


def _promoting(start: int, to: int) -> Iterator[ChessMove]:
    if to >> 3 in (0, 7):
        yield from (ChessMove(start, to, kind) for kind in PROMOTIONS)
    else:
        yield ChessMove(start, to)


def _step(s: int, file: int, rank: int) -> int:
    """The square so many files and ranks away, or -1."""
    x, y = (s & 7) + file, (s >> 3) + rank
    return 8 * y + x if 0 <= x < 8 and 0 <= y < 8 else -1


def _around(s: int, steps: tuple[tuple[int, int], ...]) -> list[int]:
    return [at for file, rank in steps if (at := _step(s, file, rank)) >= 0]
