"""Who wins a sum of combinatorial games, and by which move, for either player to begin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cached_property

from ludisect import clock
from ludisect.answer import Answer, Line, MoveValue, PartAnswer
from ludisect.cgt import budget
from ludisect.cgt.marked import short_worth
from ludisect.cgt.writer import short
from ludisect.errors import BudgetExceeded, InputError
from ludisect.kernels.workers import want
from ludisect.ruleofplay import NORMAL, POINTS
from ludisect.rulesets.position import Component, Player, Position
from ludisect.sums.guessing import GuessedValues, searched_ahead
from ludisect.sums.limits import SumsLimits
from ludisect.sums.local import LocalSearch, Store
from ludisect.sums.optionvalues import OptionValues, flat
from ludisect.sums.outcome import sum_values
from ludisect.sums.strategies import STRATEGIES, Advice, optimal, thermostrat
from ludisect.sums.table import Sum, SumMove
from ludisect.sums.total import AT_ONCE, rough_bounds


def solve(
    game: str | Sum | Component,
    *,
    by: str = "optimal",
    seconds: float | None = None,
    store: Store | None = None,
    jobs: int = 1,
) -> Answer:
    """Who wins a sum, and the move of each player when it is his turn.

    ``value`` gives for each player 100 if he wins moving first, 0 if he does not, and None if that was not decided;
    ``exact`` says whether both answers are proved. In a sum that is counted in points it gives how many he gets more
    than the opponent if he moves first. In a sum that was played to (:meth:`Sum.play_line`) one player is to move, and
    the strategy may look at the moves so far. With more than one of ``jobs``, the parts are searched in as many
    processes.

    Raises:
        InputError: the expression is malformed, or there is no strategy ``by``.
        BudgetExceeded: the time limit came, or an interrupt, before the sum was decided, or before the values that the
            strategy ``by`` needs were found; ``partial`` is then the Answer known by then. Its moves rest on guesses,
            and ``between`` are two numbers between which the value of the sum lies, if the rules tell.
    """
    if by not in STRATEGIES:
        raise InputError(f"unknown strategy {by!r}; known are {', '.join(sorted(STRATEGIES))}")
    start = clock.now()
    want("value")
    table = game if isinstance(game, Sum) else Sum(game)
    limits = SumsLimits.current()
    search_seconds = None if seconds is None else (1 - limits.guess_share) * seconds
    players = list(Player) if table.last is None else [table.last.player.opponent]
    choices: dict[Player, Advice] = {}
    limit = ""
    try:
        if not isinstance(game, Sum) or seconds is not None or store is not None or jobs > 1:
            share = None if search_seconds is None else limits.winner_values_share * search_seconds
            table = table.asked_of(searched_ahead(table.components, seconds=share, store=store, jobs=jobs))
        for turn, player in enumerate(players):
            rest = None if search_seconds is None else max(0.0, start + search_seconds - clock.now())
            choices[player] = _choose(by, table, player, None if rest is None else rest / (len(players) - turn))
        if by == "optimal" and not all(c.proved for c in choices.values()):
            limit = "the time limit was reached before the sum was decided"
    except BudgetExceeded as error:
        limit = f"{error}; the moves rest on estimates"
    except KeyboardInterrupt:
        limit = "interrupted"
    known = table
    if limit:
        rest = None if seconds is None else max(0.0, start + seconds - clock.now())
        known = _guessed(table, by, players, choices, rest, jobs, at_once=limit == "interrupted")
    answer = _answer(game if isinstance(game, str) else str(table), by, known, choices, bool(limit), start)
    answer = replace(answer, solution=SumForesight(table, by))
    if limit:
        kind = "interrupt" if limit == "interrupted" else "seconds"
        message = "interrupted before the sum was decided" if kind == "interrupt" else limit
        raise BudgetExceeded(message, budget=kind, partial=answer)
    return answer


def _guessed(
    table: Sum,
    by: str,
    players: list[Player],
    choices: dict[Player, Advice],
    seconds: float | None,
    jobs: int,
    *,
    at_once: bool,
) -> Sum:
    """Choose by guesses where nothing was decided; the sum with these guesses, or as it was if there are none."""
    recall = table.search.recall if isinstance(table.search, LocalSearch) else None
    open_ = [player for player in players if player not in choices or not choices[player].proved]
    strategy = thermostrat if by in ("optimal", "alpha-beta") else STRATEGIES[by]
    try:
        guesses = GuessedValues(
            table.components, seconds=AT_ONCE if at_once else seconds, recall=recall, jobs=1 if at_once else jobs
        )
        guessed = table.asked_of(guesses)
        for player in open_:
            choices[player] = strategy(guessed, player)
    except (BudgetExceeded, InputError):  # a game without an estimate, or sums too large
        guessed = table
        for player in open_:
            first = next(iter(table.moves(player)), None)
            choices.setdefault(player, Advice(first, None, False, "no value and no estimate was found in time"))
    for player in players:  # in their order
        choices[player] = choices.pop(player)
    return guessed


def _answer(name: str, by: str, table: Sum, choices: dict[Player, Advice], stopped: bool, start: float) -> Answer:
    exact = all(c.proved and (c.points is not None or not table.scored) for c in choices.values())
    doubts = table.search.doubts(table.components)
    return Answer(
        name,
        by,
        exact,
        {p.name.lower(): c.worth(scored=table.scored) for p, c in choices.items()},
        {p.name.lower(): c.move.text for p, c in choices.items() if c.move},
        nodes=table.search.nodes + sum(c.nodes for c in choices.values()),
        seconds=clock.now() - start,
        parts=tuple(_part(table, i, at_once=stopped) for i in range(len(table.components))),
        reasons={p.name.lower(): c.why for p, c in choices.items()},
        rule=POINTS if table.scored else NORMAL,
        evidence=_evidence(table, len(choices)) if exact else doubts or "not proved",
        begins=True,
        between=rough_bounds(table.components) if stopped else None,
    )


def _evidence(table: Sum, beginners: int) -> str:
    what = "how many points each gets" if table.scored else "who wins"
    return f"{what} is proved" + " for either beginner" * (beginners > 1)


class SumForesight:
    """What follows in a sum; what the local search knows is used again."""

    def __init__(self, table: Sum, by: str) -> None:
        self._table, self._by, self._options = table, by, OptionValues()

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
                if not table.threatened:
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
        return solve(self._played(then), by=self._by)

    def values(self, then: object = None) -> tuple[MoveValue, ...]:
        """What every move is worth; see ``Answer.values``."""
        return self._options.of(self._table if then is None else self._played(then).asked_of(self._table.search))

    def parts(self, then: object = None) -> tuple[PartAnswer, ...]:
        """What is known of the parts of all components; see ``Answer.parts_at``."""
        table = self._table if then is None else self._played(then).asked_of(self._table.search)
        parts, components = flat(table)
        told = (_part(parts, k, at_once=False) for k in range(len(components)))
        return tuple(replace(p, more={**p.more, "component": i + 1}) for p, i in zip(told, components, strict=True))

    def _played(self, then: object) -> Sum:
        """The sum that is meant: it itself, or after a move from here."""
        if isinstance(then, Sum):
            return then
        if isinstance(then, SumMove):
            return self._table.play(then)
        if not isinstance(then, Mapping):
            raise TypeError(f"a later sum is a Sum, a SumMove or a move by player, not {type(then).__name__}")
        players = {p.name.lower(): p for p in Player}
        if len(then) != 1 or not then.keys() <= players.keys():
            raise InputError(f"a move in a sum is made by left or by right, as in {{'left': '1: ...'}}, not {then}")
        ((name, text),) = then.items()
        return self._table.play(self._table.find(players[name], text))


def _choose(by: str, game: Sum, player: Player, seconds: float | None) -> Advice:
    strategy = STRATEGIES[by]
    return optimal(game, player, seconds=seconds) if strategy is optimal else strategy(game, player)


def _part(game: Sum, i: int, *, at_once: bool) -> PartAnswer:
    """One component: the mean is that of its parts together, the temperature at most that of the hottest (None where
    it was played without values, and they are not found in so short a time); what is guessed says so."""
    component, limits = game.components[i], SumsLimits.current()
    position = str(Sum([component]))
    more: dict[str, object] = {"component": i + 1, "position": position, "mean": None, "temperature_at_most": None}
    try:
        with game.search.at_most(limits.decide_few, 0.0 if at_once else float("inf"), steps=limits.decide_steps):
            values, marked = game.search.settled([component])
    except (BudgetExceeded, InputError):
        return PartAnswer(i + 1, f"{position} was played without its value", more=more)
    given = f"{position} is worth" if isinstance(component, Position) else f"component {i + 1} is"
    if marked is not None:
        worth = marked + sum_values(values)
        return PartAnswer(i + 1, f"{given} {short_worth(worth)}", worth, more=more, kind="value")
    more["mean"] = str(sum((g.mean for g in values), Fraction(0)))
    more["temperature_at_most"] = str(max((g.temperature for g in values), default=Fraction(-1)))
    doubts = game.search.doubts([component])
    if doubts:
        more["guess"] = doubts
    try:
        with budget(nodes=limits.addition_nodes):
            value = game.value_of(component)
    except BudgetExceeded:
        about = f" ({doubts})" if doubts else ""
        return PartAnswer(i + 1, f"{position} has mean {more['mean']}{about}", more=more)
    if doubts:
        return PartAnswer(i + 1, f"{position} may be worth {short(value)} ({doubts})", value, more=more, kind="value")
    return PartAnswer(i + 1, f"{given} {short(value)}", value, more=more, kind="value")
