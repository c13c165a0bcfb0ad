"""Ways to play a sum: optimal, (greedy) hotstrat, thermostrat, sentestrat, alpha-beta on the whole.

Each is a function of the sum and the player to move and answers with a :class:`Advice`, which says whether the move
is proved to win (or proved to be as good as any other because all lose), and why it was chosen. Strategies look at the
parts of which the components consist (:mod:`ludisect.sums.partmoves`); where the values of these are guessed, they play
by the guesses and prove nothing.

References: Mäser, *Global threats in combinatorial games* (2001), 2.3 (incentives, sum play) and 8.4.5 (hotstrat and
its greedy form); *Winning Ways*, ch. 6 (Thermostrat); Berlekamp, *The economist's view of combinatorial games*, in
Games of No Chance (1996) (Sentestrat).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ludisect import clock
from ludisect.cgt import Thermograph, Value, budget
from ludisect.cgt.dyadic import Number
from ludisect.errors import BudgetExceeded
from ludisect.rulesets.position import Component, Player, Position
from ludisect.sums.decide import lone_board
from ludisect.sums.limits import SumsLimits
from ludisect.sums.outcome import SumSolver
from ludisect.sums.partmoves import PartMove, all_parts, changed, part_moves, split
from ludisect.sums.pointsearch import AlphaBeta
from ludisect.sums.scoring import at_most
from ludisect.sums.table import Sum, SumMove
from ludisect.sums.wholesearch import WholeSearch


@dataclass(frozen=True, slots=True)
class Advice:
    """A move (``None`` if there is none), whether the mover wins (``None`` if unknown), and how that is known."""

    move: SumMove | None
    wins: bool | None
    proved: bool
    why: str
    nodes: int = 0
    points: Fraction | None = None
    """In a sum that is counted in points, how many the mover gets more than the opponent, as far as that is known."""

    def worth(self, *, scored: bool) -> float | None:
        """What the mover gets: points, or 100 for a win; None if that is not known."""
        if scored:
            return None if self.points is None else float(self.points)
        return None if self.wins is None else 100 * self.wins


Strategy = Callable[[Sum, Player], Advice]
"""Chooses a move of the player; the past of the sum may matter."""


def optimal(game: Sum, player: Player, *, seconds: float | None = None) -> Advice:
    """A winning move if there is one; moves with dominated incentives are left out, the sum is never added up.

    In a sum that is counted in points, a move that gets the most. Where the parts have no values within reach, plays
    are searched instead. If the time is up before every move was decided, the most promising move is played, unproved.
    """
    moves = game.moves(player)
    if not moves:
        return over(game, player)
    if game.search.doubts(game.components):  # nothing can be proved by guesses
        return thermostrat(game, player)
    end = None if seconds is None else clock.now() + seconds
    if game.scored:
        return _most_points(game, player, end)
    if game.threatened:
        return _with_threats(game, player, moves, end)
    try:
        with game.search.at_most(None, float("inf") if seconds is None else seconds):
            by_values = has_values(game)
            if by_values:
                moves = [m.move for m in _ordered(game, player, undominated(game, player, part_moves(game, player)))]
    except BudgetExceeded:
        return Advice(moves[0], None, False, "the time was up before the values of the moves were found")
    return _by_sums(game, player, moves, end) if by_values else _by_plays(game, player, moves, end)


def _by_sums(game: Sum, player: Player, moves: list[SumMove], end: float | None) -> Advice:
    """A move that leaves a sum of values which the opponent loses; the most promising moves come first."""
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


def over(game: Sum, player: Player) -> Advice:
    """What there is to say when the player has no move."""
    points = game.points
    if points is None:
        return Advice(None, False, True, "no move is left")
    mine = Fraction(points if player is Player.LEFT else -points)
    return Advice(None, mine > 0, True, "no move is left", points=mine)


def _most_points(game: Sum, player: Player, end: float | None) -> Advice:
    """The move that leaves the best stop."""
    try:
        game.all_values()
    except BudgetExceeded:
        return Advice(game.moves(player)[0], None, False, "the time was up before the values were found")
    moves = [m.move for m in _ordered(game, player, undominated(game, player, part_moves(game, player)))]
    solver, left = SumSolver(), player is Player.LEFT
    best: tuple[Fraction, SumMove] | None = None
    for move in moves:
        solver.seconds = _left(end)
        try:
            stop = solver.stop(game.play(move).all_values(), left_starts=not left)
        except BudgetExceeded:
            return Advice(
                best[1] if best else moves[0], None, False, "the time was up; the best move so far", solver.nodes
            )
        if best is None or (stop if left else -stop) > best[0]:
            best = (stop if left else -stop), move
    assert best is not None
    why = "no move gets more points"
    return Advice(best[1], best[0] > 0, True, why, solver.nodes, best[0])


def _with_threats(game: Sum, player: Player, moves: list[SumMove], end: float | None) -> Advice:
    """A winning move where somebody can win outright: values decide what is left with threats in one part at most."""
    before = game.search.nodes
    try:
        with game.search.at_most(None, float("inf") if end is None else max(0.0, end - clock.now())):
            for move in moves:
                if game.play(move).won is player:
                    return Advice(move, True, True, "the move wins outright")
            for move in moves:
                if not _first_wins(game.play(move), player.opponent):
                    why = "the opponent, moving next, loses the sum that remains"
                    return Advice(move, True, True, why, game.search.nodes - before)
    except BudgetExceeded:
        return Advice(moves[0], None, False, "the time was up; a legal move", game.search.nodes - before)
    return Advice(moves[0], False, True, "every move loses against best play", game.search.nodes - before)


def _first_wins(game: Sum, player: Player) -> bool:
    wins = game.search.first_wins(game.components, player)
    return SumSolver().wins(game.all_values(), left_starts=player is Player.LEFT) if wins is None else wins


def _left(end: float | None) -> float | None:
    return None if end is None else max(0.0, end - clock.now())


def has_values(game: Sum) -> bool:
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
    """Move in the part with the highest temperature, the way its thermograph recommends."""
    moves = part_moves(game, player)
    if not moves:
        return over(game, player)
    heat = {m.part: game.thermograph_of(*m.part).temperature for m in moves}
    hottest = max(heat.values())
    best = max((m for m in moves if heat[m.part] == hottest), key=lambda m: _worth(game, player, m, hottest))
    return _checked(game, player, best, f"{_place(game, best)} has the highest temperature, {hottest}")


def greedy_hotstrat(game: Sum, player: Player) -> Advice:
    """Hotstrat without dominated incentives; the largest immediate gain in the mean decides, then what it leaves.

    Among equal gains the move is taken that leaves a part whose temperature is nearest to the highest of the others.
    """
    moves = part_moves(game, player)
    if not moves:
        return over(game, player)
    heat = sorted((game.thermograph_of(part).temperature for part in all_parts(game)), reverse=True)
    graphs = {m.part: game.thermograph_of(*m.part) for m in moves}
    sign = 1 if player is Player.LEFT else -1

    def rank(move: PartMove) -> tuple[Fraction, Fraction]:
        before, after = graphs[move.part], game.thermograph_of(*move.after)
        others = heat[1:] if heat[:1] == [before.temperature] else heat
        gap = abs(Fraction(after.temperature) - max(others, default=Fraction(-1)))
        return sign * (Fraction(after.mean) - before.mean), -gap

    # the hottest parts first, and in them the largest gain: most incentives need not be found at all
    ranks = [rank(move) for move in moves]
    order = sorted(range(len(moves)), key=lambda k: (graphs[moves[k].part].temperature, ranks[k]), reverse=True)
    incentives = Incentives(game, player, moves, [gain for gain, _ in ranks])
    best = next(moves[k] for k in order if not incentives.dominated(k))
    return _checked(game, player, best, f"the largest gain in the hottest part, {_place(game, best)}")


def thermostrat(game: Sum, player: Player) -> Advice:
    """Move where the thermograph is widest at the ambient temperature: at most that temperature is lost."""
    moves = part_moves(game, player)
    if not moves:
        return over(game, player)
    t = ambient_temperature([game.thermograph_of(part) for part in all_parts(game)], player)
    graphs = {m.part: game.thermograph_of(*m.part) for m in moves}
    widest = max(graphs, key=lambda part: (Fraction(graphs[part].width(t)), Fraction(graphs[part].temperature)))
    best = max((m for m in moves if m.part == widest), key=lambda m: _worth(game, player, m, t))
    return _checked(game, player, best, f"{_place(game, best)} is widest at the ambient temperature {t}")


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
    """Answer a move that left its part hotter than the ambient temperature; otherwise play as hotstrat.

    The ambient temperature is the lowest that the hottest part has had before that move. A sum knows the moves that led
    to it (:attr:`Sum.last`, :attr:`Sum.before`); at the start of a play there is nothing to answer.
    """
    last, before = game.last, game.before
    if last is not None and before is not None and last.player is not player:
        left = set(changed(Counter(split(before.components[last.component])), last.after)[1])
        ambient = hottest(before)
        while (before := before.before) is not None:
            ambient = min(ambient, hottest(before))
        heat = max((game.thermograph_of(part).temperature for part in left), default=-1)
        replies = [m for m in part_moves(game, player) if left & set(m.part)] if heat > ambient else []
        if replies:
            best = max(replies, key=lambda m: _worth(game, player, m, heat))
            why = f"the threat in {_place(game, best)} is hotter than the ambient temperature {ambient}"
            return _checked(game, player, best, why)
    return hotstrat(game, player)


def alpha_beta(game: Sum, player: Player, *, nodes: int = 200_000) -> Advice:
    """Search the sum as one game, knowing nothing of values or parts: the baseline.

    A sum that is counted in points is searched to a growing depth, with estimates beyond.
    """
    if game.scored:
        return _points_by_depth(game, player, nodes)
    seen: dict[tuple[Player, tuple[object, ...], Player | None], bool] = {}

    def mover_wins(sum_: Sum, mover: Player) -> bool:
        key = (mover, sum_.components, sum_.won)
        if key not in seen:
            if len(seen) >= nodes:
                raise BudgetExceeded(f"more than {nodes} positions", budget="nodes")
            seen[key] = False  # counts the position; a play never returns to it
            seen[key] = any(not mover_wins(sum_.play(m), mover.opponent) for m in sum_.moves(mover))
        return seen[key]

    moves = game.moves(player)
    if not moves:
        return over(game, player)
    try:
        for move in moves:
            if not mover_wins(game.play(move), player.opponent):
                return Advice(move, True, True, "the whole sum was searched", len(seen))
    except (BudgetExceeded, RecursionError):
        return Advice(moves[0], None, False, f"the whole sum was not searched within {nodes} positions", len(seen))
    return Advice(moves[0], False, True, "every move loses against best play", len(seen))


def _points_by_depth(game: Sum, player: Player, nodes: int) -> Advice:
    if not game.moves(player):
        return over(game, player)
    move, search = game.moves(player)[0], AlphaBeta(nodes=nodes)
    why = f"the whole sum was not searched to depth 1 within {nodes} positions"
    for found in search.deepen(game, player):
        if found.exact:
            return Advice(found.move, found.points > 0, True, "the whole sum was searched", search.nodes, found.points)
        move, why = found.move, f"the whole sum was searched to depth {found.depth}, with estimates beyond"
    return Advice(move, None, False, why, search.nodes)


# ---- what the strategies share --------------------------------------------------------------------------------------


def hottest(game: Sum) -> Fraction:
    """The highest temperature of a part; -1 if there is none."""
    return Fraction(max((game.thermograph_of(part).temperature for part in all_parts(game)), default=-1))


def _place(game: Sum, move: PartMove) -> str:
    """Where a move is made, in words."""
    whole = f"component {move.move.component + 1}"
    if len(split(game.components[move.move.component])) == 1:
        return whole
    return f"the part {' + '.join(map(str, move.part))} of {whole}"


def undominated(game: Sum, player: Player, moves: list[PartMove]) -> list[PartMove]:
    """Leave out the moves whose incentive is at most that of another move."""
    kept: list[tuple[PartMove, Value | None]] = []
    for move in moves:
        gain = incentive(game, player, move)
        if gain is None:
            kept.append((move, None))
        elif not any(other is not None and at_most(gain, other, points=game.scored) for _, other in kept):
            kept = [(m, other) for m, other in kept if other is None or not at_most(other, gain, points=game.scored)]
            kept.append((move, gain))
    return [move for move, _ in kept]


class Incentives:
    """The incentives of some moves, found when they are asked for; ``gains`` are their means."""

    def __init__(self, game: Sum, player: Player, moves: list[PartMove], gains: list[Fraction]) -> None:
        self._game, self._player, self._moves, self._gains = game, player, moves, gains
        self._known: dict[int, Value | None] = {}

    def dominated(self, k: int) -> bool:
        """Whether another move has a larger incentive, or an earlier one the same; as in :func:`undominated`."""
        own = self._of(k)
        if own is None:
            return False
        points = self._game.scored
        for other, gain in enumerate(self._gains):
            if other == k or gain < self._gains[k]:
                continue  # a game of lower mean is not larger
            theirs = self._of(other)
            if theirs is None or not at_most(own, theirs, points=points):
                continue
            if other < k or not at_most(theirs, own, points=points):
                return True
        return False

    def _of(self, k: int) -> Value | None:
        if k not in self._known:
            self._known[k] = incentive(self._game, self._player, self._moves[k])
        return self._known[k]


def incentive(game: Sum, player: Player, move: PartMove) -> Value | None:
    """What the mover gains; ``None`` if finding out is too much work."""
    try:
        with budget(nodes=SumsLimits.current().incentive_nodes):
            gain = game.value_of(*move.after) - game.value_of(*move.part)
    except BudgetExceeded as error:
        if error.budget == "seconds":
            raise
        return None
    return gain if player is Player.LEFT else -gain


def _worth(game: Sum, player: Player, move: PartMove, t: Number) -> tuple[Fraction, Fraction]:
    """What the mover gains by a move at temperature ``t``, at best; the mean of what is left breaks ties."""
    after, before = game.thermograph_of(*move.after), game.thermograph_of(*move.part)
    if player is Player.LEFT:
        return Fraction(after.right.at(t)) - before.right.at(t), Fraction(after.mean)
    return before.left.at(t) - Fraction(after.left.at(t)), -Fraction(after.mean)


def _ordered(game: Sum, player: Player, moves: list[PartMove]) -> list[PartMove]:
    """Moves by what they gain at the ambient temperature, best first (as they come, if that is too much work)."""
    try:
        t = ambient_temperature([game.thermograph_of(part) for part in all_parts(game)], player)
        return sorted(moves, key=lambda move: _worth(game, player, move, t)[0], reverse=True)
    except BudgetExceeded as error:
        if error.budget != "nodes":
            raise
        return moves


def _checked(game: Sum, player: Player, move: PartMove, why: str) -> Advice:
    """The choice of a heuristic, proved if the stops of what remains are beyond doubt."""
    doubts = game.search.doubts(game.components)
    if doubts:
        return Advice(move.move, None, False, f"{why}; {doubts}")
    stops = SumSolver().stop_bounds(game.play(move.move).all_values())
    low, high = stops["right"] if player is Player.LEFT else stops["left"]
    if low > 0 if player is Player.LEFT else high < 0:
        return Advice(move.move, True, True, f"{why}; the stops of what remains prove the win")
    return Advice(move.move, None, False, why)


STRATEGIES: dict[str, Strategy] = {
    "alpha-beta": alpha_beta,
    "greedy-hotstrat": greedy_hotstrat,
    "hotstrat": hotstrat,
    "optimal": optimal,
    "sentestrat": sentestrat,
    "thermostrat": thermostrat,
}
"""Strategies by name."""
