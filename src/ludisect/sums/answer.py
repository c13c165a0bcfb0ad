"""Answers about expressions as JSON-ready data and pictures: what the command line prints.

``value``  canonical form, outcome, mean, temperature, stops and birthday of an expression;
``solve``  who wins and by which move, without the value of the sum;
``thermograph``  the picture of the walls.
"""

from __future__ import annotations

from fractions import Fraction

from ludisect import clock
from ludisect.cgt import Value
from ludisect.errors import BudgetExceeded, InputError
from ludisect.kernels.workers import want
from ludisect.rulesets.notation import read
from ludisect.rulesets.position import Player
from ludisect.sums.decide import FEW
from ludisect.sums.local import LocalSearch, Store
from ludisect.sums.outcome import SumSolver, sum_values
from ludisect.sums.play import SOON, STRATEGIES, Advice, Strategy, optimal
from ludisect.sums.table import Sum

ADDITION_SECONDS = 20.0
"""A sum that is not added up in this time is described by bounds instead (unless the caller says how long)."""

AT_ONCE = 0.2
"""Seconds for saying what is known after an interrupt."""

VALUES_SHARE = 0.5
"""The share of the time for values; the rest is for the sum, or for plays where there are none."""


def value_of(expression: str, *, seconds: float | None = None, store: Store | None = None) -> Value:
    """The value of an expression such as ``"domineering 4x4 + {1|*}"``.

    Raises:
        InputError: the expression is malformed.
        BudgetExceeded: it takes too long, is too large, or is interrupted; ``partial`` is a dict of what is known. If
            the values of all parts were found: ``outcome``, ``mean``, ``temperature_at_most``, and bounds on the stops;
            if not, ``bounds`` between which the value lies (None where the rules give none).
    """
    want("value")
    start = clock.now()
    game = Sum(read(expression), search=LocalSearch(seconds=seconds, store=store))
    try:
        parts = game.all_values()
    except BudgetExceeded as error:
        error.partial = {"bounds": _rough_bounds(game)}
        raise
    except KeyboardInterrupt:
        raise BudgetExceeded("interrupted", budget="interrupt", partial={"bounds": _rough_bounds(game)}) from None
    limit = ADDITION_SECONDS if seconds is None else max(0.0, seconds - (clock.now() - start))
    try:
        return sum_values(parts, seconds=limit)
    except (BudgetExceeded, RecursionError):
        raise BudgetExceeded(
            f"the sum of {len(parts)} parts is too large to be written as one value within {limit:.3g} s; its "
            "outcome, mean and bounds on its stops are known",
            budget="seconds",
            partial=bounds(parts, seconds=limit),
        ) from None
    except KeyboardInterrupt:
        known = bounds(parts, seconds=AT_ONCE)
        raise BudgetExceeded("interrupted", budget="interrupt", partial=known) from None


def _rough_bounds(game: Sum) -> list[str] | None:
    """Numbers between which the sum lies, by the rules of its games alone."""
    low = high = Fraction(0)
    for x in game.components:
        ends = (x.right_stop, x.left_stop) if isinstance(x, Value) else x.bounds()
        if ends is None:
            return None
        # a value lies strictly between numbers beyond its stops; those given by rules hold as they are
        slack = 1 if isinstance(x, Value) and not x.is_number else 0
        low, high = low + ends[0] - slack, high + ends[1] + slack
    return [str(low), str(high)]


def bounds(parts: list[Value], *, seconds: float | None = None) -> dict[str, object]:
    """What is known of a sum that is not added up."""
    solver = SumSolver(seconds=seconds)
    stops = solver.stop_bounds(parts)
    try:
        outcome: str | None = solver.outcome(parts).letter
    except BudgetExceeded:
        outcome = None
    return {
        "outcome": outcome,
        "mean": str(sum((g.mean for g in parts), Fraction(0))),
        "temperature_at_most": str(max((g.temperature for g in parts), default=Fraction(-1))),
        "left_stop": [str(x) for x in stops["left"]],
        "right_stop": [str(x) for x in stops["right"]],
    }


def value(expression: str, *, seconds: float | None = None, store: Store | None = None) -> dict[str, object]:
    """Describe the value of an expression; raises as :func:`value_of`.

    >>> value("{1|*}")["outcome"]
    'L'
    """
    return describe(value_of(expression, seconds=seconds, store=store))


def describe(g: Value) -> dict[str, object]:
    """A value as data; numbers as text, so that nothing is lost."""
    return {
        "canonical": str(g),
        "outcome": g.outcome,
        "mean": str(g.mean),
        "temperature": str(g.temperature),
        "left_stop": str(g.left_stop),
        "right_stop": str(g.right_stop),
        "birthday": g.birthday,
    }


def thermograph(expression: str, *, seconds: float | None = None, store: Store | None = None) -> str:
    """The thermograph of an expression as an SVG document; raises as :func:`value_of`."""
    return value_of(expression, seconds=seconds, store=store).thermograph.to_svg(expression)


def solve(
    expression: str, *, by: str = "optimal", seconds: float | None = None, store: Store | None = None
) -> dict[str, object]:
    """Who wins the sum, and the move of each player when it is his turn.

    ``value`` gives for each player 100 if he wins moving first, 0 if he does not, and None if that was not decided;
    ``exact`` says whether both answers are proved. If that was prevented by the time limit or by an interrupt
    (``interrupted``), ``limit`` says so and ``bounds`` are two numbers between which the value of the sum lies (None
    where the rules give none).

    Raises:
        InputError: the expression is malformed, or there is no strategy ``by``.
        BudgetExceeded: the strategy ``by`` needs values of parts that were not found in time.
    """
    if by not in STRATEGIES:
        raise InputError(f"unknown strategy {by!r}; known are {', '.join(sorted(STRATEGIES))}")
    start = clock.now()
    want("value")
    share = None if seconds is None else VALUES_SHARE * seconds
    game = Sum(read(expression), search=LocalSearch(seconds=share, store=store))
    choices: dict[Player, Advice] = {}
    interrupted = False
    try:
        for turn, player in enumerate(Player):
            rest = None if seconds is None else max(0.0, start + seconds - clock.now())
            choices[player] = _choose(by, game, player, None if rest is None else rest / (2 - turn))
    except KeyboardInterrupt:
        interrupted = True
        for player in Player:
            choices.setdefault(player, Advice(next(iter(game.moves(player)), None), None, False, "interrupted"))
    data: dict[str, object] = {
        "game": expression,
        "algorithm": by,
        "exact": all(c.proved for c in choices.values()),
        "value": {p.name.lower(): None if c.wins is None else 100 * c.wins for p, c in choices.items()},
        "move": {p.name.lower(): c.move.text if c.move else None for p, c in choices.items()},
        "why": {p.name.lower(): c.why for p, c in choices.items()},
        "nodes": game.search.nodes + sum(c.nodes for c in choices.values()),
        "seconds": round(clock.now() - start, 6),
        "parts": [_part(game, i, 0.0 if interrupted else SOON) for i in range(len(game.components))],
    }
    if interrupted:
        data["interrupted"] = True
    if interrupted or (by == "optimal" and not data["exact"]):
        reached = "interrupted" if interrupted else "the time limit was reached"
        data["limit"] = f"{reached} before the sum was decided"
        data["bounds"] = _rough_bounds(game)
    return data


def _choose(by: str, game: Sum, player: Player, seconds: float | None) -> Advice:
    strategy: Strategy = STRATEGIES[by]()
    return optimal(game, player, seconds=seconds) if strategy is optimal else strategy(game, player)


def _part(game: Sum, i: int, seconds: float) -> dict[str, object]:
    """One component: the mean is that of its parts together, the temperature at most that of the hottest (None where
    it was played without values, and they are not found in so short a time)."""
    known: dict[str, object] = {"component": i + 1, "position": str(Sum([game.components[i]]))}
    try:
        with game.search.at_most(FEW, seconds):
            values = game.values(game.components[i])
    except BudgetExceeded:
        return {**known, "mean": None, "temperature_at_most": None}
    known["mean"] = str(sum((g.mean for g in values), Fraction(0)))
    known["temperature_at_most"] = str(max((g.temperature for g in values), default=Fraction(-1)))
    return known
