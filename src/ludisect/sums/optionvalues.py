"""What every move in a sum is worth: whether it wins, or its points, and what its player gains by it.

Nothing is added up: what a move leaves is decided by the values of the parts, as the sum itself is. A single board that
has no values near by is played out, up to a limit; the tables of that search serve all moves. What is decided by
neither is not known.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from ludisect.answer import MoveValue
from ludisect.cgt import Value
from ludisect.errors import BudgetExceeded, InputError
from ludisect.rulesets.grid import GridPosition
from ludisect.rulesets.position import Component, Player
from ludisect.sums.decide import lone_board
from ludisect.sums.limits import SumsLimits
from ludisect.sums.outcome import SumSolver
from ludisect.sums.partmoves import PartMove, Parts, changed, split
from ludisect.sums.strategies import has_values, incentive
from ludisect.sums.table import Sum, SumMove

if TYPE_CHECKING:
    from ludisect.rulesets.boardplay import BoardPlay


class OptionValues:
    """Judges the moves of a sum and of what becomes of it; what a search of plays knows is kept."""

    @cached_property
    def _boards(self) -> BoardPlay:
        from ludisect.rulesets.boardplay import BoardPlay  # late: it loads numpy

        return BoardPlay()

    def of(self, game: Sum) -> tuple[MoveValue, ...]:
        """The moves of who is to move, or of both players if either may begin."""
        players = list(Player) if game.last is None else [game.last.player.opponent]
        doubts = bool(game.search.doubts(game.components))
        by_values = not doubts and (game.threatened or has_values(game))
        return tuple(value for player in players for value in self._of_player(game, player, doubts, by_values))

    def _of_player(self, game: Sum, player: Player, doubts: bool, by_values: bool) -> list[MoveValue]:
        judged: dict[tuple[Parts, Parts], tuple[Fraction | None, bool | None, Value | None]] = {}
        before, listed = [Counter(split(x)) for x in game.components], []
        for move in game.moves(player):
            part, after = changed(before[move.component], move.after)
            if (part, after) not in judged:  # equal parts are worth the same
                points, wins = (None, None) if doubts else self._judge(game, move, by_values)
                gain = None
                if by_values and not game.threatened:
                    gain = incentive(game, player, PartMove(move, part, after))
                judged[part, after] = points, wins, gain
            listed.append((move, judged[part, after]))
        known = [_worth(game, points, wins) for _, (points, wins, _) in listed]
        top = None if None in known else max((x for x in known if x is not None), default=None)
        won = not game.scored and 100 in known
        numbers = _numbers(game)
        out = []
        for (move, (_, wins, gain)), worth in zip(listed, known, strict=True):
            best = None if worth is None or (top is None and not won) else worth == (100 if won else top)
            value = {player: worth, player.opponent: None if worth is None else _of_other(game, worth)}
            out.append(
                MoveValue(
                    player.name.lower(),
                    move.text,
                    {p.name.lower(): None if x is None else float(x) for p, x in sorted(value.items(), key=_order)},
                    best,
                    worth is not None,
                    numbers.get((move.component, _place(game.components[move.component], move.after))),
                    wins,
                    gain,
                )
            )
        return out

    def _judge(self, game: Sum, move: SumMove, by_values: bool) -> tuple[Fraction | None, bool | None]:
        """What the player gets more than the opponent, in a sum of points; and whether he wins."""
        after, left = game.play(move), move.player is Player.LEFT
        try:
            if game.scored:
                stop = SumSolver().stop(after.all_values(), left_starts=not left)
                mine = Fraction(stop if left else -stop)
                return mine, mine > 0
            if after.won is not None:
                return None, after.won is move.player
            return None, not self._first_wins(after, move.player.opponent, by_values)
        except (BudgetExceeded, InputError):
            return None, None

    def _first_wins(self, game: Sum, player: Player, by_values: bool) -> bool:
        limits = SumsLimits.current()
        if by_values:
            with game.search.at_most(limits.option_nodes):
                wins = game.search.first_wins(game.components, player) if game.threatened else None
                if wins is not None:
                    return wins
                return SumSolver().wins(game.all_values(), left_starts=player is Player.LEFT)
        board = lone_board(game.components)
        if board is None:
            raise BudgetExceeded("the parts have no values within reach", budget="nodes")
        return self._boards.wins(board, player, nodes=limits.option_play_nodes)


def _worth(game: Sum, points: Fraction | None, wins: bool | None) -> Fraction | int | None:
    if game.scored:
        return points
    return None if wins is None else 100 * wins


def _of_other(game: Sum, worth: Fraction | int) -> Fraction | int:
    return -worth if game.scored else 100 - worth


def _order(item: tuple[Player, object]) -> int:
    return list(Player).index(item[0])


def _numbers(game: Sum) -> dict[tuple[int, int | None], int]:
    """By component and place in it, the number of every part, counted through."""
    out: dict[tuple[int, int | None], int] = {}
    for i, component in enumerate(game.components):
        for k in range(len(split(component))):
            out[i, k] = len(out) + 1
    return out


def _place(component: Component, after: Component) -> int | None:
    """Which of the parts of a component a move was made in; None if that cannot be told."""
    parts = split(component)
    if len(parts) == 1:
        return 0
    gone, _ = changed(Counter(parts), after)
    places = [k for k, part in enumerate(parts) if part in gone]
    if len(places) > 1 and isinstance(component, GridPosition) and isinstance(after, GridPosition):
        touched = {i for i, (a, b) in enumerate(zip(component.cells, after.cells, strict=False)) if a != b}
        groups = [group for group in component.components() if component.matters(group)]
        if len(groups) == len(parts) and len(component.cells) == len(after.cells):
            places = [k for k in places if touched.intersection(groups[k])]
    return places[0] if len(places) == 1 else None


def flat(game: Sum) -> tuple[Sum, list[int]]:
    """The parts of all components as a sum of its own, and the component of each."""
    listed = [(i, part) for i, x in enumerate(game.components) for part in split(x)]
    return Sum([part for _, part in listed], search=game.search), [i for i, _ in listed]
