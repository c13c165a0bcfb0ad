"""Ways to play a sum: optimal, hotstrat, greedy hotstrat, thermostrat, sentestrat, and alpha-beta on the whole.

Each is a function of the sum and the player to move and answers with a :class:`Advice`, which says whether the move
is proved to win (or proved to be as good as any other because all lose), and why it was chosen.

References: Mäser, *Global threats in combinatorial games* (2001), 2.3 (incentives, sum play) and 8.4.5 (hotstrat and
its greedy form); *Winning Ways*, ch. 6 (Thermostrat); Berlekamp, *The economist's view of combinatorial games*, in
Games of No Chance (1996) (Sentestrat).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ludisect import clock
from ludisect.cgt import Thermograph, Value, budget
from ludisect.cgt.dyadic import Number
from ludisect.cgt.value import le
from ludisect.errors import BudgetExceeded
from ludisect.rulesets.position import Component, Player, Position
from ludisect.sums.decide import lone_board
from ludisect.sums.limits import SumsLimits
from ludisect.sums.outcome import SumSolver
from ludisect.sums.table import Sum, SumMove
from ludisect.sums.whole import WholeSearch


@dataclass(frozen=True, slots=True)
class Advice:
    """A move (``None`` if there is none), whether the mover wins (``None`` if unknown), and how that is known."""

    move: SumMove | None
    wins: bool | None
    proved: bool
    why: str
    nodes: int = 0


Strategy = Callable[[Sum, Player], Advice]
"""Chooses a move of the player; the past of the sum may matter."""


def optimal(game: Sum, player: Player, *, seconds: float | None = None) -> Advice:
    """A winning move if there is one; moves with dominated incentives are left out, the sum is never added up.

    Where the parts have no values within reach, plays are searched instead. If the time is up before every move was
    decided, the most promising move is played, unproved.
    """
    moves = game.moves(player)
    if not moves:
        return Advice(None, False, True, "no move is left")
    end = None if seconds is None else clock.now() + seconds
    if not _has_values(game):
        return _by_plays(game, player, moves, end)
    moves = _ordered(game, player, undominated(game, player, moves))
    solver, undecided = SumSolver(), False
    for move in moves:
        solver.seconds = _left(end)
        try:
            lost = solver.wins(game.play(move).all_values(), left_starts=player is Player.RIGHT)
        except BudgetExceeded:
            undecided = True
            continue
        if not lost:
            return Advice(move, True, True, "the opponent, moving next, loses the sum that remains", solver.nodes)
    if undecided:
        return Advice(moves[0], None, False, "the time was up; the most promising move", solver.nodes)
    return Advice(moves[0], False, True, "every move loses against best play", solver.nodes)


def _left(end: float | None) -> float | None:
    return None if end is None else max(0.0, end - clock.now())


def _has_values(game: Sum) -> bool:
    """Whether the values of all parts are found: within few positions if the board can be played out instead."""
    try:
        limits = SumsLimits.current()
        with game.search.at_most(limits.decide_few, steps=limits.decide_steps):
            game.all_values()
        return True
    except BudgetExceeded:
        if lone_board(game.components) is not None:
            return False
    try:
        game.all_values()
    except BudgetExceeded:
        return False
    return True


def _by_plays(game: Sum, player: Player, moves: list[SumMove], end: float | None) -> Advice:
    """A winning move by search of plays, of a single board in compiled code."""
    whole, board = WholeSearch(seconds=_left(end)), lone_board(game.components)
    if board is not None:
        from ludisect.rulesets.boardplay import BoardPlay  # late: it loads numpy

        boards = BoardPlay()

    def wins(components: Sequence[Component], mover: Player) -> bool:
        if board is None:
            return whole.wins(components, mover)
        position = components[0]
        assert isinstance(position, Position)
        return boards.wins(position, mover, seconds=_left(end))

    def nodes() -> int:
        return whole.nodes if board is None else boards.nodes

    try:
        if wins(game.components, player):
            for move in moves:
                if not wins(game.play(move).components, player.opponent):
                    return Advice(move, True, True, "the opponent, moving next, loses: plays were searched", nodes())
        return Advice(moves[0], False, True, "every move loses against best play: plays were searched", nodes())
    except BudgetExceeded:
        return Advice(moves[0], None, False, "the time was up before the plays were searched", nodes())


def hotstrat(game: Sum, player: Player) -> Advice:
    """Move in the component with the highest temperature, the way its thermograph recommends."""
    moves = game.moves(player)
    if not moves:
        return Advice(None, False, True, "no move is left")
    heat = {i: game.thermograph_of(game.components[i]).temperature for i in {m.component for m in moves}}
    hottest = max(heat.values())
    best = max((m for m in moves if heat[m.component] == hottest), key=lambda m: _worth(game, player, m, hottest))
    return _checked(game, player, best, f"component {best.component + 1} has the highest temperature, {hottest}")


def greedy_hotstrat(game: Sum, player: Player) -> Advice:
    """Hotstrat without dominated incentives; the largest immediate gain in the mean decides, then what it leaves.

    Among equal gains the move is taken that leaves a component whose temperature is nearest to the highest of the
    others.
    """
    moves = undominated(game, player, game.moves(player))
    if not moves:
        return Advice(None, False, True, "no move is left")
    graphs = [game.thermograph_of(x) for x in game.components]
    hottest = max(graphs[m.component].temperature for m in moves)
    sign = 1 if player is Player.LEFT else -1

    def rank(move: SumMove) -> tuple[Fraction, Fraction]:
        after = game.thermograph_of(move.after)
        others = [g.temperature for i, g in enumerate(graphs) if i != move.component]
        gap = abs(Fraction(after.temperature) - max(others, default=Fraction(-1)))
        return sign * Fraction(after.mean), -gap

    best = max((m for m in moves if graphs[m.component].temperature == hottest), key=rank)
    return _checked(game, player, best, f"the largest gain in the hottest component, {best.component + 1}")


def thermostrat(game: Sum, player: Player) -> Advice:
    """Move where the thermograph is widest at the ambient temperature: at most that temperature is lost."""
    moves = game.moves(player)
    if not moves:
        return Advice(None, False, True, "no move is left")
    graphs = [game.thermograph_of(x) for x in game.components]
    playable = sorted({m.component for m in moves})
    t = ambient_temperature(graphs, player)
    widest = max(playable, key=lambda i: (Fraction(graphs[i].width(t)), Fraction(graphs[i].temperature)))
    best = max((m for m in moves if m.component == widest), key=lambda m: _worth(game, player, m, t))
    return _checked(game, player, best, f"component {widest + 1} is widest at the ambient temperature {t}")


def ambient_temperature(graphs: list[Thermograph], player: Player) -> Number:
    """The lowest temperature at which what Thermostrat secures for ``player`` is greatest.

    For Left that is the sum of the right walls plus the largest width, for Right the mirror image.
    """
    corners = {t for g in graphs for wall in (g.left, g.right) for t, _ in wall.points if t >= 0} | {0}

    def secured(t: Number) -> Fraction:
        widest = max((Fraction(g.width(t)) for g in graphs), default=Fraction(0))
        if player is Player.LEFT:
            return sum((Fraction(g.right.at(t)) for g in graphs), Fraction(0)) + widest
        return -sum((Fraction(g.left.at(t)) for g in graphs), Fraction(0)) + widest

    return max(sorted(corners), key=secured)


def sentestrat(game: Sum, player: Player) -> Advice:
    """Answer a move that left its component hotter than the ambient temperature; otherwise play as hotstrat.

    The ambient temperature is the lowest that the hottest component has had before that move. A sum knows the moves
    that led to it (:attr:`Sum.last`, :attr:`Sum.before`); at the start of a play there is nothing to answer.
    """
    last, before = game.last, game.before
    if last is not None and before is not None and last.player is not player:
        ambient = before.hottest
        while (before := before.before) is not None:
            ambient = min(ambient, before.hottest)
        heat = game.thermograph_of(game.components[last.component]).temperature
        if heat > ambient:
            replies = [m for m in game.moves(player) if m.component == last.component]
            if replies:
                best = max(replies, key=lambda m: _worth(game, player, m, heat))
                why = f"the threat in component {last.component + 1} is hotter than the ambient temperature {ambient}"
                return _checked(game, player, best, why)
    return hotstrat(game, player)


def alpha_beta(game: Sum, player: Player, *, nodes: int = 200_000) -> Advice:
    """Search the sum as one game, knowing nothing of values or parts: the baseline."""
    seen: dict[tuple[Player, tuple[object, ...]], bool] = {}

    def mover_wins(sum_: Sum, mover: Player) -> bool:
        key = (mover, sum_.components)
        if key not in seen:
            if len(seen) >= nodes:
                raise BudgetExceeded(f"more than {nodes} positions", budget="nodes")
            seen[key] = False  # counts the position; a play never returns to it
            seen[key] = any(not mover_wins(sum_.play(m), mover.opponent) for m in sum_.moves(mover))
        return seen[key]

    moves = game.moves(player)
    if not moves:
        return Advice(None, False, True, "no move is left")
    try:
        for move in moves:
            if not mover_wins(game.play(move), player.opponent):
                return Advice(move, True, True, "the whole sum was searched", len(seen))
    except (BudgetExceeded, RecursionError):
        return Advice(moves[0], None, False, f"the whole sum was not searched within {nodes} positions", len(seen))
    return Advice(moves[0], False, True, "every move loses against best play", len(seen))


# ---- what the strategies share --------------------------------------------------------------------------------------


def undominated(game: Sum, player: Player, moves: list[SumMove]) -> list[SumMove]:
    """Leave out the moves whose incentive is at most that of another move."""
    kept: list[tuple[SumMove, Value | None]] = []
    for move in moves:
        gain = _incentive(game, player, move)
        if gain is None:
            kept.append((move, None))
        elif not any(other is not None and le(gain, other) for _, other in kept):
            kept = [(m, other) for m, other in kept if other is None or not le(other, gain)]
            kept.append((move, gain))
    return [move for move, _ in kept]


def _incentive(game: Sum, player: Player, move: SumMove) -> Value | None:
    """What the mover gains; ``None`` if finding out is too much work."""
    try:
        with budget(nodes=SumsLimits.current().incentive_nodes):
            gain = game.value_of(move.after) - game.value_of(game.components[move.component])
    except BudgetExceeded:
        return None
    return gain if player is Player.LEFT else -gain


def _worth(game: Sum, player: Player, move: SumMove, t: Number) -> tuple[Fraction, Fraction]:
    """What the mover keeps after a move at temperature ``t``, at best; the mean breaks ties."""
    after = game.thermograph_of(move.after)
    if player is Player.LEFT:
        return Fraction(after.right.at(t)), Fraction(after.mean)
    return -Fraction(after.left.at(t)), -Fraction(after.mean)


def _ordered(game: Sum, player: Player, moves: list[SumMove]) -> list[SumMove]:
    """Moves by what they gain at the ambient temperature, best first (as they come, if that is too much work)."""

    def gain(move: SumMove) -> Fraction:
        before = graphs[move.component]
        base = Fraction(before.right.at(t)) if player is Player.LEFT else -Fraction(before.left.at(t))
        return _worth(game, player, move, t)[0] - base

    try:
        graphs = [game.thermograph_of(x) for x in game.components]
        t = ambient_temperature(graphs, player)
        return sorted(moves, key=gain, reverse=True)
    except BudgetExceeded as error:
        if error.budget != "nodes":
            raise
        return moves


def _checked(game: Sum, player: Player, move: SumMove, why: str) -> Advice:
    """The choice of a heuristic, proved if the stops of what remains are beyond doubt."""
    stops = SumSolver().stop_bounds(game.play(move).all_values())
    low, high = stops["right"] if player is Player.LEFT else stops["left"]
    if low > 0 if player is Player.LEFT else high < 0:
        return Advice(move, True, True, f"{why}; the stops of what remains prove the win")
    return Advice(move, None, False, why)


STRATEGIES: dict[str, Strategy] = {
    "alpha-beta": alpha_beta,
    "greedy-hotstrat": greedy_hotstrat,
    "hotstrat": hotstrat,
    "optimal": optimal,
    "sentestrat": sentestrat,
    "thermostrat": thermostrat,
}
"""Strategies by name."""
