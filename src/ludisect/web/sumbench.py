"""A sum of combinatorial games on the bench: positions along a line of play, boards, parts, pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ludisect.draw.drawing import board_svg
from ludisect.draw.sumboards import SumBoards
from ludisect.draw.thermopicture import thermograph_svg
from ludisect.draw.treepicture import tree_svg
from ludisect.errors import IllegalMove, InputError, UnknownRole
from ludisect.rulesets.chessboard import ChessBoard
from ludisect.rulesets.pawns import Pawns
from ludisect.rulesets.position import Component, Player
from ludisect.rulesets.squares import name_of
from ludisect.sums.expression import value_of
from ludisect.sums.table import Sum
from ludisect.web.bench import Line, fingerprint, shown_name
from ludisect.web.limits import WebLimits
from ludisect.web.owngames import own_games
from ludisect.web.reply import match_in_sum, reply_in_sum
from ludisect.web.worth import Partial, SumWorth

SIDES: Final = {player.name.lower(): player for player in Player}


def open_sum(source: Mapping[str, Any], seconds: float, memory: float) -> SumBench:
    """The sum of an expression, or of the pawns of a FEN."""
    if "own" in source:
        own_games(source["own"])  # they are registered by their names
    fen = source.get("fen")
    text = source["sum"] if fen is None else f"pawns {_pawns(fen)}"
    return SumBench(Sum(text), text, fen)


def _pawns(fen: str) -> Pawns:
    """The pawns of a FEN; kings stand like rocks."""
    board = ChessBoard.read(fen)
    pawns = board.pawn_structure()
    if not pawns.white | pawns.black:
        raise InputError("there are no pawns on the board; an ending is taken apart by its pawns")
    rocks = sum(1 << square for square in board.kings) if board.has_kings else 0
    return Pawns(pawns.white, pawns.black, pawns.passant, rocks)


class SumBench:
    """One sum."""

    def __init__(self, start: Sum, text: str, fen: str | None) -> None:
        self._start, self._text, self._fen = start, text, fen
        board = None if fen is None else ChessBoard.read(fen)
        self._kings = () if board is None or not board.has_kings else tuple(map(name_of, board.kings))
        self._worth = SumWorth()

    def info(self) -> dict[str, Any]:
        return {
            "kind": "sum",
            "game": self._text,
            "title": self._text if self._fen is None else self._fen,
            "shown": shown_name(self._text if self._fen is None else self._fen),
            "source": None,
            "text": None,
            "sum": self._text,
            "fen": self._fen,
            "roles": list(SIDES),
            "turns": "either player may begin",
            "scored": self._start.scored,
            "components": [str(x) for x in self._start.components],
            "boards": self.position([], None, None)["boards"],
        }

    def _at(self, line: Line) -> Sum:
        """The sum after moves; the same player may move twice, since who is to play can be changed."""
        here = self._start
        for number, step in enumerate(line, 1):
            if len(step) != 1:
                raise InputError(f"move {number}: in a sum one player moves at a time, such as {{'left': '1: a1-b1'}}")
            ((role, text),) = step.items()
            if role not in SIDES:
                raise UnknownRole(role, list(SIDES))
            try:
                here = here.play(here.find(SIDES[role], text))
            except IllegalMove as error:
                raise IllegalMove(error.role, error.move, error.legal, number) from None
        return here

    def position(self, line: Line, to: str | None, state: Sequence[str] | None) -> dict[str, Any]:
        if state is not None:
            raise InputError("a sum is given by its text and a line of moves, not by a state")
        here = self._at(line)
        mover = _mover(here, to)
        legal = {role: [move.text for move in here.moves(player)] for role, player in SIDES.items()}
        over = not legal[mover.name.lower()]
        text = str(here)
        return {
            "state": [text],
            "hash": fingerprint([text]),
            "legal": legal,
            "terminal": over,
            "goals": _goals(here, mover) if over else None,
            "points": None if here.points is None else str(here.points),
            "to": [] if over else [mover.name.lower()],
            "ply": len(line),
            "trouble": None,
            **self._with_kings(SumBoards(here).to_json()),
        }

    def _with_kings(self, shown: dict[str, Any]) -> dict[str, Any]:
        """The boards with the kings of a pawn ending, which are rocks to the pawns."""
        for board in shown["boards"] if self._kings else ():
            for cell in board["cells"]:
                row, column = cell["at"]
                name = f"{board['columns'][column]}{board['rows'][row]}"
                if name in self._kings:
                    side = "black" if name == self._kings[1] else "white"
                    cell |= {"glyph": f"king-{side}", "holds": f"{side} king"}
        return shown

    def values(
        self, line: Line, to: str | None, options: Mapping[str, Any], seconds: float, memory: float, tell: Partial
    ) -> dict[str, Any]:
        """What every move is worth, and every part."""
        return self._worth.at(self._at(line), seconds, tell)

    def play(
        self, line: Line, to: str | None, options: Mapping[str, Any], seconds: float, memory: float
    ) -> dict[str, Any]:
        """The engine's reply."""
        here = self._at(line)
        return {"result": reply_in_sum(here, _mover(here, to), options)}

    def match(
        self, line: Line, to: str | None, options: Mapping[str, Any], seconds: float, memory: float, tell: Partial
    ) -> dict[str, Any]:
        """Strategies against each other from here."""
        return {"result": match_in_sum(self._at(line), options, tell)}

    def picture(
        self, what: str, line: Line, to: str | None, theme: str, part: int | None, depth: int, method: str
    ) -> str:
        """A board, the thermograph of a part or of the whole, the tree of a part."""
        here = self._at(line)
        if what == "board":
            return board_svg(SumBoards(here).boards, theme=theme, title=str(here))
        if what == "graph":
            raise InputError("a sum has no graph of dependencies: its parts are independent as they stand")
        shown: Component | Sum = here if part is None else _part(here, part)
        table = shown if isinstance(shown, Sum) else Sum([shown])
        if what == "tree":
            return tree_svg(table.tree(depth), theme=theme)
        worth = value_of(table, seconds=WebLimits.current().answer_seconds / 2)
        return thermograph_svg(worth.thermograph, str(table), theme=theme)


def _part(here: Sum, number: int) -> Component:
    """A part of a sum by its number on the board."""
    parts = {part.number: part.position for part in SumBoards(here).parts}
    if number not in parts:
        raise InputError(f"there is no part {number} here; there are {', '.join(map(str, parts)) or 'none'}")
    return parts[number]


def _mover(here: Sum, to: str | None) -> Player:
    """Who is to play: whom the page says, else the opponent of who moved last, at the start Left."""
    if to is None:
        return Player.LEFT if here.last is None else here.last.player.opponent
    if to not in SIDES:
        raise UnknownRole(to, list(SIDES))
    return SIDES[to]


def _goals(here: Sum, mover: Player) -> dict[str, int]:
    """Who has won, where the one to move cannot: 100, 0, or 50 each; in games with points, by points."""
    if here.points is not None:
        points = here.points
        left = 50 if points == 0 else 100 if points > 0 else 0
    else:
        winner = here.won or mover.opponent
        left = 100 if winner is Player.LEFT else 0
    return {"left": left, "right": 100 - left}
