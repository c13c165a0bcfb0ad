"""Matches: a sum played out by two strategies, who see every move of each other."""

from __future__ import annotations

from dataclasses import dataclass

from ludisect.errors import InputError
from ludisect.rulesets.position import Component, Player
from ludisect.sums.strategies import STRATEGIES, Strategy
from ludisect.sums.table import Sum, SumMove


@dataclass(frozen=True, slots=True)
class SumMatch:
    """A play of a sum: its moves, what was left, and who won: by the last move, or by points (None: a draw)."""

    moves: tuple[SumMove, ...]
    end: Sum
    winner: Player | None

    @property
    def line(self) -> tuple[str, ...]:
        """The moves as text, each with its player: ``left 2: to 3``."""
        return tuple(f"{move.player.name.lower()} {move.text}" for move in self.moves)

    def __str__(self) -> str:
        won = "a draw" if self.winner is None else f"{self.winner.name.lower()} wins"
        by = "" if not self.end.points else f" by {abs(self.end.points)}"
        return f"{'; '.join((*self.line, ''))}{won}{by}"


def play_match(
    game: str | Sum | Component,
    *,
    left: str | Strategy = "optimal",
    right: str | Strategy = "optimal",
    first: Player = Player.LEFT,
) -> SumMatch:
    """Play a sum out; each player by a strategy or the name of one.

    >>> print(play_match("{3|-3} + {21|0||0}", left="hotstrat", right="sentestrat", first=Player.RIGHT))
    right 1: to -3; left 2: to {21|0}; right 2: to 0; right wins

    Raises:
        InputError: the text of the sum is malformed, or there is no strategy of that name.
        BudgetExceeded: a strategy needs values that are out of reach.
    """
    strategies = {Player.LEFT: _strategy(left), Player.RIGHT: _strategy(right)}
    end, player = game if isinstance(game, Sum) else Sum(game), first
    moves: list[SumMove] = []
    while (move := strategies[player](end, player).move) is not None:
        moves.append(move)
        end, player = end.play(move), player.opponent
    points = end.points
    if points is None:
        return SumMatch(tuple(moves), end, player.opponent)
    return SumMatch(tuple(moves), end, None if not points else Player.LEFT if points > 0 else Player.RIGHT)


def _strategy(name: str | Strategy) -> Strategy:
    if not isinstance(name, str):
        return name
    if name not in STRATEGIES:
        raise InputError(f"there is no strategy {name!r}; choose from {', '.join(sorted(STRATEGIES))}")
    return STRATEGIES[name]
