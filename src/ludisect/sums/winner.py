"""Who wins a sum of combinatorial games, and by which move, for either player to begin."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property

from ludisect import clock
from ludisect.answer import Answer, Line, PartAnswer
from ludisect.cgt import Value, budget
from ludisect.cgt.writer import short
from ludisect.errors import BudgetExceeded, InputError
from ludisect.kernels.workers import want
from ludisect.rulesets.position import Component, Player
from ludisect.sums.limits import SumsLimits
from ludisect.sums.local import LocalSearch, Store
from ludisect.sums.play import STRATEGIES, Advice, optimal
from ludisect.sums.table import Sum, SumMove
from ludisect.sums.total import rough_bounds


def solve(
    game: str | Sum | Component, *, by: str = "optimal", seconds: float | None = None, store: Store | None = None
) -> Answer:
    """Who wins a sum, and the move of each player when it is his turn.

    ``value`` gives for each player 100 if he wins moving first, 0 if he does not, and None if that was not decided;
    ``exact`` says whether both answers are proved. In a sum that was played to (:meth:`Sum.play_line`) one player is to
    move, and the strategy may look at the moves so far.

    Raises:
        InputError: the expression is malformed, or there is no strategy ``by``.
        BudgetExceeded: the time limit came, or an interrupt, before the sum was decided; ``partial`` is then the
            Answer known by then, with ``between`` two numbers between which the value of the sum lies, if the rules
            tell. Or the strategy ``by`` needs values of parts that were not found in time.
    """
    if by not in STRATEGIES:
        raise InputError(f"unknown strategy {by!r}; known are {', '.join(sorted(STRATEGIES))}")
    start = clock.now()
    want("value")
    table = game if isinstance(game, Sum) else Sum(game)
    if not isinstance(game, Sum) or seconds is not None or store is not None:
        share = None if seconds is None else SumsLimits.current().winner_values_share * seconds
        table = table.asked_of(LocalSearch(seconds=share, store=store))
    players = list(Player) if table.last is None else [table.last.player.opponent]
    choices: dict[Player, Advice] = {}
    interrupted = False
    try:
        for turn, player in enumerate(players):
            rest = None if seconds is None else max(0.0, start + seconds - clock.now())
            choices[player] = _choose(by, table, player, None if rest is None else rest / (len(players) - turn))
    except KeyboardInterrupt:
        interrupted = True
        for player in players:
            choices.setdefault(player, Advice(next(iter(table.moves(player)), None), None, False, "interrupted"))
    exact = all(c.proved for c in choices.values())
    stopped = interrupted or (by == "optimal" and not exact)
    between = rough_bounds(table.components) if stopped else None
    answer = Answer(
        game if isinstance(game, str) else str(table),
        by,
        exact,
        {p.name.lower(): None if c.wins is None else 100 * c.wins for p, c in choices.items()},
        {p.name.lower(): c.move.text for p, c in choices.items() if c.move},
        nodes=table.search.nodes + sum(c.nodes for c in choices.values()),
        seconds=clock.now() - start,
        parts=tuple(_part(table, i, at_once=interrupted) for i in range(len(table.components))),
        reasons={p.name.lower(): c.why for p, c in choices.items()},
        rule="normal play",
        evidence=("who wins is proved" + " for either beginner" * (len(players) > 1)) if exact else "not proved",
        begins=True,
        between=between,
        solution=SumForesight(table, by),
    )
    if stopped:
        reached = "interrupted" if interrupted else "the time limit was reached"
        message = f"{reached} before the sum was decided"
        raise BudgetExceeded(message, budget="interrupt" if interrupted else "seconds", partial=answer)
    return answer


class SumForesight:
    """What follows in a sum; what the local search knows is used again."""

    def __init__(self, table: Sum, by: str) -> None:
        self._table, self._by = table, by

    def line(self) -> Line:
        """Best play, as far as the values of the parts are found with little work; Left begins if either may."""
        return self._line if self._by == "optimal" else ()

    @cached_property
    def _line(self) -> Line:
        limits = SumsLimits.current()
        table, nodes, out = self._table, 0, list[dict[str, str]]()
        player = Player.LEFT if table.last is None else table.last.player.opponent
        while nodes <= limits.winner_line_nodes:
            try:
                with table.search.at_most(limits.decide_few, steps=limits.decide_steps):
                    table.all_values()
            except BudgetExceeded:
                break
            advice = optimal(table, player)
            if advice.move is None or not advice.proved:
                break
            nodes += advice.nodes
            out.append({player.name.lower(): advice.move.text})
            table, player = table.play(advice.move), player.opponent
        return tuple(out)

    def after(self, then: object) -> Answer:
        """The answer for another sum, or after a move: by player, as its text or as a ``SumMove``."""
        if isinstance(then, Sum):
            return solve(then, by=self._by)
        if isinstance(then, SumMove):
            return solve(self._table.play(then), by=self._by)
        if not isinstance(then, Mapping):
            raise TypeError(f"after takes a Sum, a SumMove or a move by player, not {type(then).__name__}")
        players = {p.name.lower(): p for p in Player}
        if len(then) != 1 or not then.keys() <= players.keys():
            raise InputError(f"a move in a sum is made by left or by right, as in {{'left': '1: ...'}}, not {then}")
        ((name, text),) = then.items()
        return solve(self._table.play(self._table.find(players[name], text)), by=self._by)


def _choose(by: str, game: Sum, player: Player, seconds: float | None) -> Advice:
    strategy = STRATEGIES[by]
    return optimal(game, player, seconds=seconds) if strategy is optimal else strategy(game, player)


def _part(game: Sum, i: int, *, at_once: bool) -> PartAnswer:
    """One component: the mean is that of its parts together, the temperature at most that of the hottest (None where
    it was played without values, and they are not found in so short a time)."""
    position = str(Sum([game.components[i]]))
    more: dict[str, object] = {"component": i + 1, "position": position, "mean": None, "temperature_at_most": None}
    limits = SumsLimits.current()
    try:
        with game.search.at_most(limits.decide_few, 0.0 if at_once else float("inf"), steps=limits.decide_steps):
            values = game.values(game.components[i])
    except BudgetExceeded:
        return PartAnswer(i + 1, f"{position} was played without its value", more=more)
    more["mean"] = str(sum((g.mean for g in values), Fraction(0)))
    more["temperature_at_most"] = str(max((g.temperature for g in values), default=Fraction(-1)))
    try:
        with budget(nodes=limits.addition_nodes):
            value = game.value_of(game.components[i])
    except BudgetExceeded:
        return PartAnswer(i + 1, f"{position} has mean {more['mean']}", more=more)
    given = f"component {i + 1} is" if isinstance(game.components[i], Value) else f"{position} is worth"
    return PartAnswer(i + 1, f"{given} {short(value)}", value, more=more)
