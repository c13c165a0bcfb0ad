"""What an expression is worth: its value; as JSON-ready data outcome, mean, temperature, stops, birthday."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, TypeVar

from ludisect import clock
from ludisect.answer import written
from ludisect.cgt import (
    MarkedValue,
    Value,
    Worth,
    atomic_weight,
    budget,
    freeze,
    left_incentives,
    number,
    reduced,
    right_incentives,
)
from ludisect.cgt.dyadic import Number, exact
from ludisect.errors import BudgetExceeded, InputError, check_numbers
from ludisect.kernels.workers import want
from ludisect.rulesets.position import Component, Position
from ludisect.sums.guessing import GuessedValues, searched_ahead
from ludisect.sums.limits import SumsLimits
from ludisect.sums.local import LocalSearch, Store, ValueSource
from ludisect.sums.outcome import sum_values
from ludisect.sums.partmoves import split
from ludisect.sums.scoring import points_class
from ludisect.sums.table import Sum
from ludisect.sums.total import AT_ONCE, rough_bounds, total_value

Valued: TypeAlias = str | Number | float | Component | Sum
"""What has a value."""

Found = TypeVar("Found")


def value_of(what: Valued, *, seconds: float | None = None, store: Store | None = None, jobs: int = 1) -> Worth:
    """The value of an expression such as ``"domineering 4x4 + {1|*}"``, of a position, a sum, or a number.

    >>> print(value_of("domineering 2x3 + nim 3"), value_of(0.5))
    {2*3|-1/2*3} 1/2

    Where somebody can win outright it is a :class:`~ludisect.cgt.MarkedValue`:

    >>> print(value_of("pawns a5 b5 c5 / a7 b7 c7"))
    {on|{0,{on|0}|off}}

    With more than one of ``jobs``, the parts are searched in as many processes.

    Raises:
        InputError: the expression is malformed.
        BudgetExceeded: it takes too long, is too large, or is interrupted; ``partial`` is a dict of what is known. If
            the values of all parts were found: ``outcome``, ``mean``, ``temperature_at_most``, and bounds on the stops;
            if not, ``bounds`` between which the value lies (None where the rules give none), and a ``guess`` by
            heuristic search (None where a game has no estimate), with ``parts`` that say what of it is exact.
    """
    check_numbers(seconds=seconds, jobs=jobs)
    if isinstance(what, Value | MarkedValue):
        return what
    if not isinstance(what, (str, Position, Sum)):
        if exact(what) is None:
            raise TypeError(
                f"value takes the text of a value, a position or a sum, a number, a Value, a Position or a Sum, "
                f"not {type(what).__name__}"
            )
        return number(what)
    want("value")
    game = what if isinstance(what, Sum) else Sum(what)
    if seconds is None and store is None and jobs == 1:
        search = game.search
    else:
        share = None if seconds is None else (1 - SumsLimits.current().guess_share) * seconds
        try:
            search = searched_ahead(game.components, seconds=share, store=store, jobs=jobs)
        except KeyboardInterrupt:
            known = {"bounds": rough_bounds(game.components), **_guess(game, game.search, AT_ONCE)}
            raise BudgetExceeded("interrupted", budget="interrupt", partial=known) from None
    start = clock.now()
    try:
        return total_value(game.components, search, seconds=seconds)
    except BudgetExceeded as error:
        if isinstance(error.partial, dict) and error.partial.keys() == {"bounds"}:
            at_once = error.budget == "interrupt"
            rest = AT_ONCE if at_once else None if seconds is None else max(0.0, seconds - (clock.now() - start))
            error.partial |= _guess(game, search, rest)
        raise


def _guess(game: Sum, search: ValueSource, seconds: float | None) -> dict[str, object]:
    """What heuristic search says of a sum whose value is out of reach."""
    recall = search.recall if isinstance(search, LocalSearch) else None
    try:
        found = GuessedValues(game.components, seconds=seconds, recall=recall)
        parts = [(part, guess) for x in game.components for part, guess in zip(split(x), found.guesses(x), strict=True)]
        total = sum_values((guess.value for _, guess in parts), steps=SumsLimits.current().decide_steps)
    except (BudgetExceeded, InputError):
        return {"exact": False, "guess": None}
    g = reduced(total)
    return {
        "exact": False,
        "guess": {
            "canonical": written(g),
            "mean": str(g.mean),
            "temperature": str(g.temperature),
            "left_stop": str(g.left_stop),
            "right_stop": str(g.right_stop),
            "depth": min((guess.depth for _, guess in parts if not guess.exact), default=0),
        },
        "parts": [
            {"position": str(Sum([part])), "value": written(guess.value), "exact": guess.exact, "depth": guess.depth}
            for part, guess in parts
        ],
    }


def value(expression: Valued, *, seconds: float | None = None, store: Store | None = None) -> dict[str, object]:
    """Describe the value of an expression; raises as :func:`value_of`.

    >>> value("{1|*}")["outcome"]
    'L'
    """
    table = Sum(expression)
    return describe(value_of(table, seconds=seconds, store=store), scored=table.scored)


def describe(g: Worth, *, scored: bool = False) -> dict[str, object]:
    """A value as data; numbers as text, so that nothing is lost.

    That of a game with points is a reduced form; its stops are the scores of best play.
    Where somebody can win outright, ``threats`` tells who if he moves first, and what such a value lacks is None.
    """
    if isinstance(g, MarkedValue):
        lacks = ("mean", "temperature", "left_stop", "right_stop")
        known = {name: _number(g, name) for name in lacks}
        return {"canonical": str(g), "outcome": g.outcome, **known, "birthday": None, "threats": g.threatens}
    return {
        "canonical": str(g),
        "outcome": points_class(g.left_stop, g.right_stop) if scored else g.outcome,
        "mean": str(g.mean),
        "temperature": str(g.temperature),
        "left_stop": str(g.left_stop),
        "right_stop": str(g.right_stop),
        "birthday": g.birthday,
        **({"rule": "points"} if scored else {}),
    }


def more(g: Worth) -> dict[str, object]:
    """What else the theory says of a value, as data; nothing of a value with outright wins.

    >>> for name, known in more(number(0) + value_of("^^*")).items(): print(name, known)
    reduced 0
    frozen ↑↑*
    atomic_weight 2
    left_incentives ['↓↓*']
    right_incentives ['↑*']

    None stands for what is too large, and for the atomic weight of a value that is not all-small.
    """
    if isinstance(g, MarkedValue):
        return {}
    one = {"reduced": _within(reduced, g), "frozen": _within(lambda x: freeze(x)[0], g)}
    one["atomic_weight"] = _within(atomic_weight, g)
    every = {"left_incentives": _within(left_incentives, g), "right_incentives": _within(right_incentives, g)}
    return {
        **{name: None if found is None else written(found) for name, found in one.items()},
        **{name: None if gains is None else [written(gain) for gain in gains] for name, gains in every.items()},
    }


def _within(of: Callable[[Value], Found], g: Value) -> Found | None:
    """What is found within the limits of an incentive."""
    try:
        with budget(nodes=SumsLimits.current().incentive_nodes):
            return of(g)
    except BudgetExceeded:
        return None


def _number(g: MarkedValue, name: str) -> str | None:
    try:
        return str(getattr(g, name))
    except InputError:
        return None
