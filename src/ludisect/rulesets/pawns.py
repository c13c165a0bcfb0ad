"""Pawns alone on a chess board, White is Left, Black Right; who promotes a pawn wins the whole sum.

Pushes, double steps from the own second rank, captures, and captures en passant; the right to capture en passant ends
with the next move among these pawns. Who cannot move loses, unless somebody promotes first. A promotion wins outright
(a *global threat*), which is true of most king-and-pawn endings and a rule here.

References: Elkies, *On numbers and endgames*, in Games of No Chance (1996); Mäser 2001, ch. 6 and 7, with his division
of pawns into chunks (7.3.1).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations

from ludisect.errors import InputError
from ludisect.rulesets.depiction import Diagram
from ludisect.rulesets.position import Player, Position
from ludisect.rulesets.squares import (
    A_FILE,
    BOARD,
    FIRST_RANK,
    H_FILE,
    LAST_RANK,
    SECOND_RANK,
    SEVENTH_RANK,
    flipped,
    mirrored,
    name_of,
    square,
    squares_of,
)
from ludisect.unionfind import Joined

MOST = 8
"""Pawns of one colour."""


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Pawns(Position):
    """Pawns, from their text or as sets of squares (bit 0 is a1, bit 63 is h8); a move is a pair of squares.

    ``passant`` is the square on which a pawn that has just made a double step can be captured, or -1; ``blocked`` are
    squares on which something stands that never moves, such as kings in mutual zugzwang.

    >>> from ludisect import position
    >>> print(position("pawns a2 b2 / a6 b7").value, position("pawns a5 b5 c5 / a7 b7 c7").value)
    ↑ {on|{0,{on|0}|off}}
    """

    white: int
    black: int
    passant: int
    blocked: int

    name = "pawns"
    outright = True

    def __init__(self, white: str | int, black: int = 0, passant: int = -1, blocked: int = 0) -> None:
        if isinstance(white, str):
            white, black, passant, blocked = _read(white)
        fields = self.__dict__  # frozen: nobody sets these again
        fields["white"], fields["black"], fields["passant"], fields["blocked"] = white, black, passant, blocked
        fields["_hash"] = hash((white, black, passant, blocked))

    @classmethod
    def parse(cls, text: str) -> Pawns:
        """``a2 b2 / a6 b7``: White's pawns, a slash, Black's; ``ep a3`` after it names a square to capture on.

        ``blocked e5 f3`` at the end names squares on which something stands that never moves.

        Raises:
            InputError: a square is none, is on the first or last rank or named twice, or there are too many pawns.
        """
        return cls(text)

    # ---- play -----------------------------------------------------------------------------------------------------

    def moves(self, player: Player) -> Sequence[tuple[int, int]]:
        white, black = self.white, self.black
        if white & LAST_RANK or black & FIRST_RANK:
            return []
        free = ~(white | black | self.blocked) & BOARD
        if player is Player.LEFT:
            single = white << 8 & free
            double = (single & SECOND_RANK << 8) << 8 & free
            prey = black | 1 << self.passant if self.passant >> 3 == 5 else black
            east, west = (white & ~H_FILE) << 9 & prey, (white & ~A_FILE) << 7 & prey
            steps = ((single, -8), (double, -16), (east, -9), (west, -7))
        else:
            single = black >> 8 & free
            double = (single & SEVENTH_RANK >> 8) >> 8 & free
            prey = white | 1 << self.passant if self.passant >> 3 == 2 else white
            east, west = (black & ~H_FILE) >> 7 & prey, (black & ~A_FILE) >> 9 & prey
            steps = ((single, 8), (double, 16), (east, 7), (west, 9))
        return [(to + back, to) for targets, back in steps if targets for to in squares_of(targets)]

    def play(self, player: Player, move: tuple[int, int]) -> Pawns:
        start, to = move
        ahead = 8 if player is Player.LEFT else -8
        own, other = (self.white, self.black) if player is Player.LEFT else (self.black, self.white)
        own ^= 1 << start | 1 << to
        passant = -1
        if to - start == 2 * ahead:
            beside = (1 << to & ~H_FILE) << 1 | (1 << to & ~A_FILE) >> 1
            if other & beside:  # a right that nobody can use is none
                passant = start + ahead
        elif to == self.passant and (to - start) % 8:
            other &= ~(1 << to - ahead)
        else:
            other &= ~(1 << to)
        white, black = (own, other) if player is Player.LEFT else (other, own)
        return Pawns(white, black, passant, self.blocked)

    def won_by(self) -> Player | None:
        if self.white & LAST_RANK:
            return Player.LEFT
        return Player.RIGHT if self.black & FIRST_RANK else None

    def sure_winner(self, to_move: Player | None) -> Player | None:
        """A promotion, or a passed pawn that is quicker than every enemy pawn would be on an empty board."""
        winner = self.won_by()
        if winner is None and self.passant < 0:  # a pawn that has just made its double step may yet be captured
            if _outruns(self.white, self.black, self.blocked, to_move):
                return Player.LEFT
            other = to_move and to_move.opponent
            if _outruns(flipped(self.black), flipped(self.white), flipped(self.blocked), other):
                return Player.RIGHT
        return winner

    # ---- parts and names ------------------------------------------------------------------------------------------

    def parts(self) -> Sequence[Pawns]:
        """The chunks of pawns that cannot meet (Mäser 2001, 7.3.1)."""
        groups = [] if self.won_by() else chunks(self.white, self.black, self.passant)
        if len(groups) < 2:
            return [self]
        caught = 1 << _victim(self.passant) if self.passant >= 0 else 0
        return [Pawns(w, b, self.passant if caught & (w | b) else -1, self.blocked).alone() for w, b in groups]

    def alone(self) -> Pawns:
        """The same without squares that do not concern these pawns: blocked on other files, a right nobody can use."""
        files = sum(A_FILE << f for f in range(8) if (self.white | self.black) & A_FILE << f)
        caught = 1 << _victim(self.passant) if self.passant >= 0 else 0
        passant = self.passant if caught & (self.white | self.black) else -1
        return Pawns(self.white, self.black, passant, self.blocked & files)

    def key(self) -> tuple[Hashable, bool]:
        """The same for a part on other files, for its mirror image, and for the other colours' negative."""
        own = min(self._shifted(), self._mirrored()._shifted())
        negative = -self
        other = min(negative._shifted(), negative._mirrored()._shifted())
        return (self.name, *min(own, other)), other < own

    def _shifted(self) -> tuple[int, int, int, int]:
        """The pawns as far to the a-file as they go; pawns never leave the files that they stand on together."""
        white, black, passant, blocked = self.white, self.black, self.passant, self.alone().blocked
        while (white | black) and not (white | black) & A_FILE:
            white, black, blocked = white >> 1, black >> 1, blocked >> 1
            passant = passant - 1 if passant >= 0 else -1
        return white, black, passant, blocked

    def _mirrored(self) -> Pawns:
        passant = self.passant ^ 7 if self.passant >= 0 else -1
        return Pawns(mirrored(self.white), mirrored(self.black), passant, mirrored(self.blocked))

    def __neg__(self) -> Pawns:
        passant = self.passant ^ 56 if self.passant >= 0 else -1
        return Pawns(flipped(self.black), flipped(self.white), passant, flipped(self.blocked))

    # ---- text -----------------------------------------------------------------------------------------------------

    def move_text(self, move: tuple[int, int]) -> str:
        """The move in standard algebraic notation."""
        start, to = move
        capture = f"{name_of(start)[0]}x" if (to - start) % 8 else ""
        return f"{capture}{name_of(to)}{'=Q' if to >> 3 in (0, 7) else ''}"

    def __str__(self) -> str:
        out = f"{_names(self.white)} / {_names(self.black)}".strip()
        out += f" ep {name_of(self.passant)}" if self.passant >= 0 else ""
        return out + (f" blocked {_names(self.blocked)}" if self.blocked else "")

    def diagram(self) -> Diagram:
        """The chess board from White's side: cell 0 is a8."""
        files, ranks = tuple("abcdefgh"), tuple("87654321")
        stands = dict.fromkeys(squares_of(self.white), "P") | dict.fromkeys(squares_of(self.black), "p")
        stands |= dict.fromkeys(squares_of(self.blocked), "#")
        parts = [tuple(sorted(s ^ 56 for s in squares_of(x.white | x.black))) for x in self.parts()]
        cells = tuple(divmod(i, 8) for i in range(64))
        return Diagram("grid", ranks, files, cells, tuple(stands.get(i ^ 56, "") for i in range(64)), tuple(parts))

    def move_cells(self, move: tuple[int, int]) -> Sequence[int]:
        return [s ^ 56 for s in move]

    def cell_glyph(self, cell: int) -> str:
        s = cell ^ 56
        if self.blocked >> s & 1:
            return "blocked"
        return "pawn-white" if self.white >> s & 1 else "pawn-black" if self.black >> s & 1 else ""

    def __repr__(self) -> str:
        return f"Pawns({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Pawns)
            and self.white == other.white
            and self.black == other.black
            and self.passant == other.passant
            and self.blocked == other.blocked
        )

    def __hash__(self) -> int:
        found: int = self.__dict__["_hash"]
        return found


def chunks(white: int, black: int, passant: int = -1) -> list[tuple[int, int]]:
    """Pawns in classes that cannot meet, each as White's and Black's squares.

    Pawns on the same or neighbouring files belong together, of opposite colours only if they have not passed each
    other, or if one can capture the other en passant; so do all that are linked by such pairs.
    """
    pawns = sorted(squares_of(white | black), key=lambda s: (s & 7, s))
    joined = Joined[int]()
    for one, other in combinations(pawns, 2):
        if _meet(one, other, white, passant):
            joined.join(one, other)
    members: dict[int, int] = {}
    for s in pawns:
        members[joined.root(s)] = members.get(joined.root(s), 0) | 1 << s
    return [(white & some, black & some) for some in members.values()]


def _victim(passant: int) -> int:
    """Where the pawn stands that can be captured en passant."""
    return passant + (8 if passant >> 3 == 2 else -8)


def _meet(one: int, other: int, white: int, passant: int) -> bool:
    if abs((one & 7) - (other & 7)) > 1:
        return False
    one_white, other_white = bool(white >> one & 1), bool(white >> other & 1)
    if one_white == other_white:
        return True
    if passant >= 0 and one >> 3 == other >> 3 and _victim(passant) in (one, other):
        return True
    return one >> 3 < other >> 3 if one_white else other >> 3 < one >> 3


# ---- pawns that cannot be caught ------------------------------------------------------------------------------------


def _outruns(white: int, black: int, blocked: int, to_move: Player | None) -> bool:
    """Whether a white pawn surely promotes first; its way is free, and no black pawn can come to guard it."""
    fastest = min((_steps(63 - s) for s in squares_of(black)), default=99)
    for s in squares_of(white):
        steps = _steps(s)
        if steps > fastest or (steps == fastest and to_move is not Player.LEFT):
            continue
        if not (white | blocked) & _AHEAD[s] and not any(_guards(s, enemy, white) for enemy in squares_of(black)):
            return True
    return False


def _steps(s: int) -> int:
    """Moves that a white pawn on ``s`` needs to promote on an empty board."""
    return 7 - (s >> 3) - (s >> 3 == 1)


def _guards(s: int, enemy: int, white: int) -> bool:
    """Whether a black pawn may stop a white one on ``s``: it stands before it, or captures its way there in time."""
    ahead = (enemy >> 3) - (s >> 3)
    aside = (enemy & 7) - (s & 7)
    captures = max(0, abs(aside) - 1)
    if not captures:
        return ahead > 0
    towards = (enemy & 7) + (1 if aside < 0 else -1)
    return ahead > 2 * captures and bool(white & A_FILE << towards)


_AHEAD = [(A_FILE << (s & 7)) & (BOARD << (s & 56) + 8) & BOARD for s in range(64)]
"""The squares in front of a white pawn."""


# ---- reading --------------------------------------------------------------------------------------------------------


def _names(squares: int) -> str:
    return " ".join(sorted(map(name_of, squares_of(squares))))


def _read(text: str) -> tuple[int, int, int, int]:
    body, _, rocks = text.partition(" blocked ")
    body, _, after = body.partition(" ep ")
    sides = body.split("/")
    if len(sides) != 2:
        raise InputError(
            f"{text.strip()!r}: pawns are White's squares, a slash, and Black's squares, as in: pawns a2 b2 / a6 b7"
        )
    white, black = (_pawns(side, colour) for side, colour in zip(sides, ("White", "Black"), strict=True))
    if white & black:
        raise InputError(f"{name_of(next(squares_of(white & black)))} holds a white and a black pawn")
    if not white | black:
        raise InputError("there are no pawns; write for example: pawns a2 b2 / a6 b7")
    blocked = 0
    for word in rocks.split():
        s = square(word)
        if s is None or (white | black) >> s & 1:
            raise InputError(f"blocked: {word!r} is no square, or a pawn stands on it")
        blocked |= 1 << s
    return white, black, _passant(white, black, after.strip()) if after.strip() else -1, blocked


def _pawns(text: str, colour: str) -> int:
    out = 0
    for word in text.replace(",", " ").split():
        s = square(word)
        if s is None:
            raise InputError(f"{word!r} is no square; pawns stand on a2 to h7, as in: pawns a2 b2 / a6 b7")
        if not 1 <= s >> 3 <= 6:
            raise InputError(f"no pawn can stand on {word}: pawns stand on the ranks 2 to 7")
        if out >> s & 1:
            raise InputError(f"{word} is named twice among {colour}'s pawns")
        out |= 1 << s
    if out.bit_count() > MOST:
        raise InputError(f"{colour} has {out.bit_count()} pawns; there are at most {MOST}")
    return out


def _passant(white: int, black: int, text: str) -> int:
    """The square behind a pawn that has just made a double step; -1 if nobody could capture there."""
    s = square(text)
    if s is None or s >> 3 not in (2, 5):
        raise InputError(f"ep is followed by a square on the rank 3 or 6, not by {text!r}")
    own, other, ahead = (white, black, 8) if s >> 3 == 2 else (black, white, -8)
    free = not (white | black) & (1 << s | 1 << s - ahead)
    if not own >> s + ahead & 1 or not free:
        raise InputError(f"ep {text}: no pawn can have made a double step over {text} just now")
    landed = 1 << s + ahead
    return s if other & ((landed & ~H_FILE) << 1 | (landed & ~A_FILE) >> 1) else -1
