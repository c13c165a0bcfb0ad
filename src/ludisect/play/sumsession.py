"""A person against the engine in a sum of combinatorial games: Left and Right move in turn."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from ludisect import clock
from ludisect.errors import BudgetExceeded, InputError
from ludisect.play.session import Hint, Session
from ludisect.rulesets.position import Player, Position
from ludisect.sums.strategies import Advice, optimal
from ludisect.sums.table import Sum

SIDES = {"left": Player.LEFT, "right": Player.RIGHT}


class SumSession(Session):
    """A sum of positions and values; the engine plays as well as can be found out in time."""

    player = "optimal"

    def __init__(self, expression: str, *, side: str | None, first: str | None, seconds: float) -> None:
        for given in (side, first):
            if given is not None and given.lower() not in SIDES:
                raise InputError(f"{given!r} is no side of a sum; there are left and right")
        self.name = expression
        self.person = (side or "left").lower()
        self.first = (first or "left").lower()
        self.opponent = f"optimal ({SIDES[self.person].opponent.name.lower()})"
        self.seconds = seconds
        self.game = Sum(expression)
        self._advice: Advice | None = None

    @property
    def _mover(self) -> Player:
        last = self.game.last
        return SIDES[self.first] if last is None else last.player.opponent

    @property
    def moves(self) -> list[str]:
        if self._mover is not SIDES[self.person]:
            return []
        return [move.text for move in self.game.moves(self._mover)]

    @property
    def over(self) -> bool:
        return not self.game.moves(self._mover)

    def picture(self, width: int) -> str:
        lines = []
        for number, component in enumerate(self.game.components, 1):
            if isinstance(component, Position):
                rows = str(component).split("|")
                lines += [f"{number}: {component.name}", *(f"   {row}" for row in rows)]
            else:
                lines.append(f"{number}: {component}")
        lines.append(f"{self._mover.name.lower()} to move")
        return "\n".join(lines)

    def begin(self) -> list[str]:
        out = []
        while not self.over and self._mover is not SIDES[self.person]:
            mover = self._mover
            self._advice = optimal(self.game, mover, seconds=self.seconds)
            if self._advice.move is None:
                break
            out.append(f"{mover.name.lower()} plays {self._advice.move.text}")
            self.game = self.game.play(self._advice.move)
        return out

    def play(self, move: str) -> list[str]:
        self.game = self.game.play(self.game.find(SIDES[self.person], move))
        return [f"{self.person} plays {move}", *self.begin()]

    def hints(self) -> tuple[list[Hint], str]:
        """A move wins if the other one, moving next, does not. The moves share the time of one, a second at least."""
        out: list[tuple[float, Hint]] = []
        moves = self.game.moves(SIDES[self.person])
        end = clock.now() + max(self.seconds, 1.0)
        for number, move in enumerate(moves):
            left = (end - clock.now()) / (len(moves) - number)
            reply = Advice(None, None, False, "")
            if left > 0:
                with suppress(BudgetExceeded):
                    reply = optimal(self.game.play(move), SIDES[self.person].opponent, seconds=left)
            if reply.points is not None and reply.proved:
                out.append((-float(reply.points), Hint(move.text, f"{_signed(-reply.points)} points")))
            elif reply.wins is None:
                out.append((0.0, Hint(move.text, "?")))
            else:
                out.append((-1.0 if reply.wins else 1.0, Hint(move.text, "loses" if reply.wins else "wins")))
        ranked = sorted(out, key=lambda one: -one[0])
        return [hint for _, hint in ranked], f"what comes of each move of {self.person} against best play"

    def undo(self) -> bool:
        game = self.game
        while game.before is not None:
            mine = game.last is not None and game.last.player is SIDES[self.person]
            game = game.before
            if mine:
                self.game, self._advice = game, None
                return True
        return False

    def why(self) -> list[str]:
        advice = self._advice
        if advice is None or advice.move is None:
            return []
        known = "proved" if advice.proved else "not proved"
        return [f"{advice.move.player.name.lower()} played {advice.move.text}: {advice.why} ({known})"]

    def result(self) -> str:
        points = self.game.points
        if points is not None:
            return f"points of left minus those of right: {_signed(points)}"
        loser = self._mover
        return f"{loser.name.lower()} cannot move: {loser.opponent.name.lower()} wins"

    def to_json(self) -> dict[str, Any]:
        moves, game = [], self.game
        while game.last is not None and game.before is not None:
            moves.append(f"{game.last.player.name.lower()} {game.last.text}")
            game = game.before
        kept = {"name": self.name, "role": self.person, "first": self.first, "seconds": self.seconds}
        return {"kind": "sum", **kept, "moves": moves[::-1]}

    def resume(self, moves: list[str]) -> None:
        """Go to where a match was left."""
        self.game = Sum(self.name).play_line("; ".join(moves))


def _signed(points: object) -> str:
    return str(points) if str(points).startswith("-") or str(points) == "0" else f"+{points}"
