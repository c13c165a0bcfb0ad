"""A king-and-pawn ending as a sum: parts, values, who wins, the winning moves of either side, and why.

The pawns fall into chunks that cannot meet; the chunks that touch a king make one part, in which the kings stand like
rocks. If the kings are in mutual zugzwang, whoever runs out of pawn moves loses. Two things in this are heuristic and
marked: that the zugzwang lasts, and that a promotion wins.

References: Elkies, *On numbers and endgames* (1996); Mäser 2001, ch. 7.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ludisect import clock
from ludisect.cgt import Value, Worth
from ludisect.cgt.marked import short_worth
from ludisect.errors import BudgetExceeded, InputError
from ludisect.pawnendings.kings import KingsVerdict, touched, zugzwang
from ludisect.pawnendings.limits import EndingLimits
from ludisect.rulesets.chessboard import COLOURS, ChessBoard
from ludisect.rulesets.pawns import Pawns, chunks
from ludisect.rulesets.position import Player
from ludisect.rulesets.squares import squares_of
from ludisect.sums.decide import outcome_of
from ludisect.sums.local import LocalSearch

STATUS = {
    "zugzwang": "heuristic: the kings are in mutual zugzwang now, and a promotion is taken to win",
    "assumed": "heuristic: the kings are taken to be bound, and a promotion to win",
    "open": "undecided: the kings are not in mutual zugzwang, so the pawns alone decide nothing",
}


@dataclass(frozen=True, slots=True)
class EndingPart:
    """Some pawns that cannot meet the others; ``value`` is None if it was out of reach."""

    number: int
    pawns: Pawns
    value: Worth | None
    kings: bool
    """Whether the kings stand among them; then the value takes them as bound, which is heuristic."""

    @property
    def bounds(self) -> tuple[str, str]:
        """Between what the value lies."""
        return ("off", "on") if self.value is None else (str(self.value), str(self.value))


@dataclass(frozen=True, slots=True)
class EndingMove:
    """A pawn move: in which part, what that part is worth afterwards, what the sum, and whether it wins."""

    player: Player
    san: str
    part: int
    value: Worth
    total: Worth | None
    wins: bool


@dataclass(frozen=True)
class PawnEnding:
    """What is known of an ending. ``outcome`` is that of the sum (L for White), None where the kings are not bound."""

    board: ChessBoard
    parts: tuple[EndingPart, ...]
    total: Worth | None
    outcome: str | None
    moves: dict[Player, tuple[EndingMove, ...]]
    status: str
    why: str
    """Why the status is what it is."""
    nodes: int = 0
    seconds: float = 0.0
    kings: dict[Player, dict[str, int]] = field(default_factory=dict)
    """What each king move gains in pawns, by the local search."""

    def winning(self, player: Player) -> list[EndingMove]:
        """The winning moves of a player."""
        return [m for m in self.moves.get(player, ()) if m.wins]

    def reasons(self, player: Player) -> list[str]:
        """Why a player who is to move wins or loses, in sentences."""
        if self.outcome is None:
            return []
        name, other = COLOURS[player], COLOURS[player.opponent]
        dots = "1." if player is Player.LEFT else "1..."
        if self.outcome not in ("N", player.value):
            king = ", and a king move loses a pawn" if self.status == "zugzwang" else ""
            tail = f"every pawn move leaves a sum that {other} wins{king}" if self.moves[player] else "no pawn can move"
            return [f"{name} to move loses: {tail}."]
        before = {part.number: part.value for part in self.parts}
        out = []
        for m in self.winning(player):
            left = "" if m.total is None else f", the sum to {short_worth(m.total)}"
            if not isinstance(m.value, Value) and m.value.kind in ("win", "loss"):
                left = ", which no answer elsewhere stops"
            was = before[m.part]
            told = "" if was is None else f" goes from {short_worth(was)} to {short_worth(m.value)}{left}"
            out.append(f"{name} to move wins by {dots}{m.san}: part {m.part}{told}.")
        return out

    def to_json(self) -> dict[str, object]:
        """As printed by ``ludisect chess --json``."""
        names = {player: COLOURS[player].lower() for player in Player}
        return {
            "fen": self.board.fen,
            "parts": [
                {
                    "part": part.number,
                    "pawns": str(part.pawns),
                    "value": None if part.value is None else str(part.value),
                    "heuristic": part.kings,
                    "bounds": list(part.bounds),
                }
                for part in self.parts
            ],
            "sum": None if self.total is None else str(self.total),
            "outcome": self.outcome,
            "moves": {names[p]: [m.san for m in self.winning(p)] for p in Player},
            "status": self.status,
            "why": self.why,
            "reasons": {names[p]: self.reasons(p) for p in Player},
            "tried": {
                names[p]: [
                    {
                        "move": m.san,
                        "part": m.part,
                        "value": str(m.value),
                        "sum": None if m.total is None else str(m.total),
                        "wins": m.wins,
                    }
                    for m in self.moves.get(p, ())
                ]
                for p in Player
            },
            "king_moves": {names[p]: self.kings.get(p, {}) for p in Player},
            "nodes": self.nodes,
            "seconds": round(self.seconds, 4),
        }


def analyse(position: str | ChessBoard | Pawns, *, bound: bool = False, seconds: float | None = None) -> PawnEnding:
    """Take an ending apart: a FEN (with both kings, or with none), or pawns alone such as ``a2 b2 / a6 b7``.

    With ``bound``, the kings are taken as bound whatever the local search says; where there are none, too.

    >>> ending = analyse("8/1p5p/p7/4k3/4Pp2/5K1P/PP6/8")
    >>> print(*(f"{part.pawns}: {part.value}" for part in ending.parts), ending.total, ending.outcome, sep="; ")
    a2 b2 / a6 b7: ↑; e4 / f4 blocked e5 f3: 0; h3 / h7: ↓↓*; ↓*; N

    Raises:
        InputError: the text is malformed, there are other pieces than kings and pawns, or no pawns.
        BudgetExceeded: the pawns are too many for the limits; ``partial`` is the PawnEnding known by then.
    """
    start, limits = clock.now(), EndingLimits.current()
    board = _board(position)
    if not board.white | board.black:
        raise InputError("there are no pawns on the board; an ending is taken apart by its pawns")
    search = LocalSearch(seconds=seconds)
    parts, verdict, status = _divided(board, bound, limits)
    error: BudgetExceeded | None = None
    total: Worth | None = None
    outcome: str | None = None
    moves: dict[Player, tuple[EndingMove, ...]] = dict.fromkeys(Player, ())
    valued: list[EndingPart] = []
    try:
        with search.at_most(limits.ending_positions if seconds is None else None):
            for part in parts:
                valued.append(EndingPart(part.number, part.pawns, _worth(search, [part.pawns]), part.kings))
            total = _total(search, [part.pawns for part in parts])
            if status != "open":
                outcome = outcome_of([part.pawns for part in parts], search)
            for player in Player:
                moves[player] = tuple(_moves(board, player, valued, search, decided=status != "open"))
    except BudgetExceeded as found:
        error = found
    except KeyboardInterrupt:
        error = BudgetExceeded("interrupted", budget="interrupt")
    valued += parts[len(valued) :]
    if error is not None:
        outcome, moves = None, dict.fromkeys(Player, ())
    ending = PawnEnding(
        board,
        tuple(valued),
        total,
        outcome,
        moves,
        status,
        verdict.why,
        search.nodes,
        clock.now() - start,
        verdict.gains,
    )
    if error is not None:
        known = sum(part.value is not None for part in valued)
        raise BudgetExceeded(
            f"{error}: values of {known} of {len(valued)} parts are known", budget=error.budget, partial=ending
        ) from None
    return ending


def _board(position: str | ChessBoard | Pawns) -> ChessBoard:
    if isinstance(position, ChessBoard):
        return position
    if isinstance(position, str):
        if position.count("/") != 1:
            return ChessBoard.read(position)
        position = Pawns(position)
    return ChessBoard(position.white, position.black, (-1, -1), passant=position.passant)


def _divided(board: ChessBoard, bound: bool, limits: EndingLimits) -> tuple[list[EndingPart], KingsVerdict, str]:
    """The parts without their values, those that touch a king in one; whether the kings are bound; the status."""
    structure = board.pawn_structure()
    groups = chunks(structure.white, structure.black, structure.passant)
    if not board.has_kings:
        verdict, near = KingsVerdict(True, {}, "no kings are given; they are taken to be bound elsewhere"), []
    else:
        near = touched(board, groups)
        white, black = (sum(group[side] for group in near) for side in (0, 1))
        verdict = zugzwang(board, white, black, plies=limits.king_plies)
        if verdict.bound and not near:
            verdict = KingsVerdict(False, verdict.gains, "the kings stand next to no pawn")
    rest = [group for group in groups if group not in near]
    whole = [(sum(w for w, _ in near), sum(b for _, b in near))] if near else []
    blocked = sum(1 << s for s in board.kings) if board.has_kings else 0
    found: list[EndingPart] = []
    for white, black in sorted(rest + whole, key=lambda group: min(s & 7 for s in squares_of(sum(group)))):
        part = Pawns(white, black, structure.passant, blocked).alone()
        found.append(EndingPart(len(found) + 1, part, None, (white, black) in whole))
    if verdict.bound and board.has_kings:
        return found, verdict, "zugzwang"
    if not board.has_kings:
        return found, verdict, "assumed"
    if bound:
        why = f"the kings are taken to be bound as asked; {verdict.why}"
        return found, KingsVerdict(False, verdict.gains, why), "assumed"
    return found, verdict, "open"


def _worth(search: LocalSearch, pawns: Sequence[Pawns]) -> Worth:
    values, marked = search.settled(pawns)
    total = sum(values, Value(0))
    return total if marked is None else marked + total


def _total(search: LocalSearch, pawns: Sequence[Pawns]) -> Worth | None:
    """The value of the sum; None where two parts hold threats: who wins is searched, and there is no need to add."""
    return _worth(search, pawns) if sum(_threatened(search, x) for x in pawns) < 2 else None


def _threatened(search: LocalSearch, pawns: Pawns) -> bool:
    return search.settled([pawns])[1] is not None


def _moves(
    board: ChessBoard, player: Player, parts: Sequence[EndingPart], search: LocalSearch, *, decided: bool
) -> list[EndingMove]:
    """The pawn moves of a player, each with what it leaves."""
    here = board.to_move(player)
    out = []
    for move in here.legal_moves():
        if move.promotion not in ("", "Q") or (here.has_kings and move.start == here.king(player)):
            continue
        part = next(p for p in parts if (p.pawns.white | p.pawns.black) >> move.start & 1)
        after = part.pawns.play(player, (move.start, move.to))
        all_after = [after if p is part else p.pawns for p in parts]
        won = after.won_by() is player
        wins = won or (decided and outcome_of(all_after, search) in ("P", player.value))
        total = None if won else _total(search, all_after)
        out.append(EndingMove(player, here.san(move), part.number, _worth(search, [after]), total, wins))
    return out
