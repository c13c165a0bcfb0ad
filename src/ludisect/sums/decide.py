"""Who wins a sum of positions, by whatever way is in reach: values of the parts, a mixture, or plain play.

Where all parts have values that local search finds, :mod:`ludisect.sums.outcome` decides their sum. Where some part is
too large for that, :mod:`ludisect.sums.wholesearch` plays it out, first with values of small parts, then without any.
No way is best everywhere: a Domineering board of 36 cells has a value within seconds and far too many plays, an
Amazons board of 12 the other way round. So each way gets a share of the time. A single board of a game that
:mod:`ludisect.rulesets.boardplay` knows is played out in compiled code before the other ways of playing are tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ludisect import clock
from ludisect.errors import BudgetExceeded
from ludisect.rulesets.grid import GridPosition
from ludisect.rulesets.position import Component, Impartial, Negative, Player, Position
from ludisect.sums.limits import SumsLimits
from ludisect.sums.local import LocalSearch, Store, ValueSource
from ludisect.sums.outcome import SumSolver, outcome_class
from ludisect.sums.scoring import all_counted, points_class, refuse_points
from ludisect.sums.threatsearch import has_threats
from ludisect.sums.wholesearch import WholeSearch

WAYS = ("values", "mixed", "plays")
"""In the order in which they are tried."""

BOARD_WAYS = ("values", "board", "mixed", "plays")
"""The same for a single board that compiled search can play out."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether the player who moves first wins, and by which way that was found: one of ``BOARD_WAYS``."""

    wins: bool
    way: str


def decide(
    components: Sequence[Component], player: Player, *, seconds: float | None = None, store: Store | None = None
) -> Decision:
    """Whether ``player``, moving first, wins the sum of ``components``.

    Without a limit in ``seconds`` the values are searched for until they are found.

    Raises:
        InputError: the sum is counted in points.
        BudgetExceeded: the time was up.
    """
    refuse_points(components)
    if seconds is None or any(map(has_threats, components)):
        return Decision(_by_values(components, player, seconds, store), "values")
    start, share = clock.now(), 0.0
    board = lone_board(components)
    limits = SumsLimits.current()
    ways = zip(
        *((WAYS, limits.decide_shares) if board is None else (BOARD_WAYS, limits.decide_board_shares)), strict=True
    )
    for way, part in ways:
        share += part  # what an earlier way left over goes to the next
        rest = max(0.0, start + share * seconds - clock.now())
        try:
            if way == "values":
                nodes = None if board is None else limits.decide_few
                return Decision(_by_values(components, player, rest, store, nodes), way)
            if way == "board" and board is not None:
                from ludisect.rulesets.boardplay import BoardPlay

                return Decision(BoardPlay().wins(board, player, seconds=rest), way)
            search = WholeSearch(seconds=rest, local_nodes=limits.decide_small if way == "mixed" else 0)
            return Decision(search.wins(components, player), way)
        except BudgetExceeded:
            continue
    raise BudgetExceeded(f"the time limit of {seconds:g} s was reached before the sum was decided", budget="seconds")


def outcome_of(components: Sequence[Component], search: ValueSource) -> str:
    """The outcome class ``L``, ``R``, ``N`` or ``P`` of a sum; a board without values near by is played out.

    Of a sum that is counted in points, as :func:`ludisect.sums.scoring.points_class` has it.

    Raises:
        BudgetExceeded: a limit of ``search`` was reached, or the game is too deep.
    """
    if all_counted(components):
        values, solver = search.all_values(components), SumSolver()
        return points_class(solver.stop(values, left_starts=True), solver.stop(values, left_starts=False))
    if len(components) == 1 and isinstance(components[0], Negative):
        return outcome_of([components[0].position], search).translate(_MIRROR)
    board = lone_board(components)
    if board is not None:
        try:
            with search.at_most(SumsLimits.current().decide_few):
                search.all_values(components)
        except BudgetExceeded as error:
            if error.budget != "nodes":
                raise
            from ludisect.rulesets.boardplay import BoardPlay

            boards = BoardPlay()
            return outcome_class(boards.wins(board, Player.LEFT), boards.wins(board, Player.RIGHT))
    elif any(map(has_threats, components)):
        wins = {player: search.first_wins(components, player) for player in Player}
        left, right = wins[Player.LEFT], wins[Player.RIGHT]
        if left is not None and right is not None:
            return outcome_class(left, right)
    return SumSolver().outcome(search.all_values(components)).letter


_MIRROR = str.maketrans("LR", "RL")


def _by_values(
    components: Sequence[Component],
    player: Player,
    seconds: float | None,
    store: Store | None,
    nodes: int | None = None,
) -> bool:
    end = None if seconds is None else clock.now() + seconds
    search = LocalSearch(seconds=seconds, nodes=nodes, store=store)
    if any(map(has_threats, components)):
        wins = search.first_wins(components, player)
        if wins is not None:
            return wins
    values = search.all_values(components)
    rest = None if end is None else max(0.0, end - clock.now())
    return SumSolver(seconds=rest).wins(values, left_starts=player is Player.LEFT)


def lone_board(components: Sequence[Component]) -> Position | None:
    """The only component, if compiled search can play it out."""
    if len(components) != 1 or not isinstance(components[0], GridPosition | Impartial):
        return None
    from ludisect.rulesets.boardplay import BoardPlay  # late: it loads numpy

    return components[0] if BoardPlay.fits(components[0]) else None
