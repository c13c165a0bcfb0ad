"""Alpha-beta of a whole sum that is counted in points, depth by depth: the baseline of play by parts.

It knows nothing of values or parts. Beyond its depth the estimates of the components are added up. The best move of
the depth before is tried first.

Reference: Mäser, *Game Bench* (2001), 8.4.5 (the opponent of greedy hotstrat).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import inf

from ludisect.cgt.dyadic import Number
from ludisect.errors import BudgetExceeded
from ludisect.rulesets.position import Component, Player, Position
from ludisect.sums.table import Sum, SumMove
from ludisect.sums.transposition import TranspositionTable


@dataclass(frozen=True, slots=True)
class PointGuess:
    """What is known at one depth: the best move, and the points that the mover gets more than the opponent."""

    move: SumMove
    points: Fraction
    depth: int
    exact: bool
    """Whether no estimate was needed."""


Reached = float | Fraction
"""A number of points, or a bound that is infinite."""


@dataclass(slots=True)
class _Row:
    """What the table knows of a position: points between ``low`` and ``high``, to which depth, and the best move."""

    depth: int
    low: Reached
    high: Reached
    exact: bool
    move: int


class AlphaBeta:
    """Searches sums; ``nodes`` counts the positions, of all questions together."""

    def __init__(self, *, nodes: int | None = None, entries: int | None = None) -> None:
        self.nodes, self._most = 0, nodes
        self._rows: TranspositionTable[tuple[Player, tuple[Component, ...]], _Row] = TranspositionTable(entries)

    def deepen(self, game: Sum, player: Player, *, depth: int = 64) -> Iterator[PointGuess]:
        """One depth after the other, until no estimate is needed or a limit is reached; the player must have a move."""
        for limit in range(1, depth + 1):
            try:
                points, exact = self._search(game, player, limit, -inf, inf)
            except (BudgetExceeded, RecursionError):
                return
            row = self._rows.get((player, game.components))
            assert row is not None
            yield PointGuess(game.moves(player)[row.move], Fraction(points), limit, exact)
            if exact:
                return

    def _search(self, game: Sum, player: Player, depth: int, alpha: Reached, beta: Reached) -> tuple[Reached, bool]:
        """The mover's points, right if they lie between ``alpha`` and ``beta``, and whether no estimate was needed."""
        self.nodes += 1
        if self._most is not None and self.nodes > self._most:
            raise BudgetExceeded(f"more than {self._most} positions", budget="nodes")
        sign, moves = 1 if player is Player.LEFT else -1, game.moves(player)
        if not moves:
            assert game.points is not None
            return Fraction(sign * game.points), True
        if depth == 0:
            return Fraction(sign * sum(map(_estimate, game.components), Fraction(0))), False
        key, order = (player, game.components), list(range(len(moves)))
        known = self._rows.get(key)
        if known is not None:
            if (known.exact or known.depth == depth) and (known.low == known.high or known.low >= beta):
                return known.low, known.exact
            order.insert(0, order.pop(known.move))
        best: Reached = -inf
        chosen, exact = order[0], True
        for k in order:
            reply, sure = self._search(game.play(moves[k]), player.opponent, depth - 1, -beta, -max(alpha, best))
            exact = exact and sure
            if -reply > best:
                best, chosen = -reply, k
            if best >= beta:
                break
        low, high = best if best > alpha else -inf, best if best < beta else inf
        self._rows.put(key, _Row(depth, low, high, exact, chosen), depth)
        return best, exact


def _estimate(component: Component) -> Number:
    if not isinstance(component, Position):
        return component.mean
    guess = component.estimate()
    return component.score() or 0 if guess is None else guess
