"""Global threats: what a position is worth in which a move can win the whole sum, searched with cuts.

Depth first, knowing who moves next: whoever can win outright does so, and a move after which the opponent can is none
(:func:`ludisect.cgt.marked.compose` has the table of result types). Values decide a sum as long as at most one part has
threats left. Parts with threats are therefore never added to each other: :class:`Joint` plays them as one position,
until threats are left in one of them alone.

Reference: Mäser, *Global threats in combinatorial games* (2001), 6.3 (GTSearch, figure 6.4). He leaves open what
happens if both players have threats in different games; here the threat that is executed first wins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ludisect.cgt import OFF, ON, MarkedValue, Value, Worth
from ludisect.cgt.marked import compose, stand_in, wrap
from ludisect.cgt.value import ZERO, add
from ludisect.rulesets.position import Component, Player, Position
from ludisect.sums.transposition import TranspositionTable

_WINS = {Player.LEFT: stand_in(ON), Player.RIGHT: stand_in(OFF)}


def has_threats(x: Component) -> bool:
    """Whether somebody can win outright in a component, now or later."""
    return x.outright if isinstance(x, Position) else isinstance(x, MarkedValue)


class MarkedGame(Position):
    """A value with outright wins as a position; ``over`` once one of them was played."""

    name = "marked"
    outright = True

    def __init__(self, worth: Worth, *, over: bool = False) -> None:
        self.worth, self.over = worth, over

    def moves(self, player: Player) -> Sequence[int]:
        return range(0 if self.over else len(self._options(player)))

    def play(self, player: Player, move: int) -> MarkedGame:
        after = self._options(player)[move]
        return MarkedGame(after, over=after in (ON, OFF))

    def _options(self, player: Player) -> tuple[Worth, ...]:
        return self.worth.left if player is Player.LEFT else self.worth.right

    def won_by(self) -> Player | None:
        return None if not self.over else Player.LEFT if self.worth == ON else Player.RIGHT

    def __neg__(self) -> MarkedGame:
        return MarkedGame(-self.worth, over=self.over)

    def __str__(self) -> str:
        return str(self.worth)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MarkedGame) and (self.worth, self.over) == (other.worth, other.over)

    def __hash__(self) -> int:
        return hash((self.worth, self.over))


class Joint(Position):
    """Several positions with outright wins as one; a move is (which, the move there). Who wins outright first, wins."""

    name = "joint"
    outright = True

    def __init__(self, members: tuple[Position, ...]) -> None:
        self.members = members

    def moves(self, player: Player) -> Sequence[tuple[int, Any]]:
        if self.won_by() is not None:
            return []
        return [(i, m) for i, x in enumerate(self.members) for m in x.moves(player)]

    def play(self, player: Player, move: tuple[int, Any]) -> Joint:
        i, inner = move
        return Joint((*self.members[:i], self.members[i].play(player, inner), *self.members[i + 1 :]))

    def won_by(self) -> Player | None:
        return next(filter(None, (x.won_by() for x in self.members)), None)

    def __str__(self) -> str:
        return " and ".join(f"{x.name} {x}" for x in self.members)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Joint) and self.members == other.members

    def __hash__(self) -> int:
        return hash(self.members)


class ThreatSearch:
    """Evaluates positions with outright wins; ``tick`` is called for each that is expanded, and may raise."""

    def __init__(self, tick: Callable[[], None], entries: int | None = None) -> None:
        self._tick = tick
        self._known: TranspositionTable[tuple[Position, Player | None], Value] = TranspositionTable(entries)
        self._decided: TranspositionTable[tuple[tuple[Position, ...], Value, Player], bool] = TranspositionTable(
            entries
        )
        self.nodes = 0

    def worth(self, position: Position) -> Worth:
        """The value of one position, nobody being to move."""
        if isinstance(position, MarkedGame):
            return position.worth
        return wrap(self._result(position, None))

    def joined(self, parts: Sequence[Component]) -> Worth:
        """What several parts with threats are worth together."""
        return self.worth(Joint(tuple(x if isinstance(x, Position) else MarkedGame(x) for x in parts)))

    def first_wins(self, parts: Sequence[Component], rest: Value, player: Player) -> bool:
        """Whether ``player``, moving first, wins parts with threats beside a short value.

        They are played in turn until threats are left in one part at most; no value is found of the whole.
        """
        members, marked = list[Position](), list[MarkedValue]()
        for x in parts:
            part = x if isinstance(x, Position) else MarkedGame(x)
            worth = self.worth(part)
            if isinstance(worth, Value):
                rest = add(rest, worth)
            else:
                members.append(part)
                marked.append(worth)
        if len(marked) < 2:
            outcome = (marked[0] + rest if marked else rest).outcome
            return outcome in ("N", player.value)
        members.sort(key=str)
        key = (tuple(members), rest, player)
        known = self._decided.get(key)
        if known is None:
            before = self.nodes
            self.nodes += 1
            self._tick()
            known = self._plays_to_win(members, rest, player)
            self._decided.put(key, known, self.nodes - before)
        return known

    def _plays_to_win(self, members: list[Position], rest: Value, player: Player) -> bool:
        after = [(i, x.play(player, m)) for i, x in enumerate(members) for m in x.moves(player)]
        if any(x.won_by() is player for _, x in after):
            return True
        if any(not self.first_wins([*members[:i], x, *members[i + 1 :]], rest, player.opponent) for i, x in after):
            return True
        options = rest.left if player is Player.LEFT else rest.right
        return any(not self.first_wins(members, x, player.opponent) for x in options)

    def _result(self, position: Position, to_move: Player | None) -> Value:
        """The value as a stand-in, which is that of a win or a loss where ``to_move`` or whoever moves forces it."""
        key = (position, to_move)
        known = self._known.get(key)
        if known is None:
            before = self.nodes
            self.nodes += 1
            winner = position.sure_winner(to_move)
            known = _WINS[winner] if winner is not None else self._expand(position, to_move)
            self._known.put(key, known, self.nodes - before)
        return known

    def _expand(self, position: Position, to_move: Player | None) -> Value:
        self._tick()
        if isinstance(position, Joint):
            added = self._added(position)
            if added is not None:
                return _forced(added, to_move)
        left = self._options(position, Player.LEFT)
        if to_move is Player.LEFT and left == [_WINS[Player.LEFT]]:
            return left[0]
        right = self._options(position, Player.RIGHT)
        return _forced(compose(left, right), to_move)

    def _options(self, position: Position, player: Player) -> list[Value]:
        """The values of a player's options; only the win, where there is one."""
        win, out = _WINS[player], dict[Value, None]()
        after = [position.play(player, move) for move in position.moves(player)]
        if any(x.won_by() is player for x in after):
            return [win]
        for x in after:
            found = self._result(x, player.opponent)
            if found is win:
                return [win]
            out[found] = None
        return list(out)

    def _added(self, position: Joint) -> Value | None:
        """The sum of the members, if at most one of them has threats left."""
        marked: list[MarkedValue] = []
        total = ZERO
        for member in position.members:
            worth = self.worth(member)
            if isinstance(worth, Value):
                total = add(total, worth)
            else:
                marked.append(worth)
                if len(marked) > 1:
                    return None
        return stand_in(marked[0] + total if marked else total)


def _forced(g: Value, to_move: Player | None) -> Value:
    """``g``, or the outright win of the player to move if he has one."""
    worth = wrap(g)
    if to_move is not None and isinstance(worth, MarkedValue) and to_move.value in worth.threatens:
        return _WINS[to_move]
    return g
