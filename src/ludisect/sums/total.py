"""The value of a sum, added up from the values of its parts, or what is known where that is too much."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ludisect import clock
from ludisect.cgt import MarkedValue, Value, Worth, reduced
from ludisect.errors import BudgetExceeded
from ludisect.rulesets.position import Component
from ludisect.sums.limits import SumsLimits
from ludisect.sums.local import ValueSource
from ludisect.sums.outcome import SumSolver, sum_values
from ludisect.sums.scoring import all_counted
from ludisect.sums.threatsearch import has_threats

AT_ONCE = 0.2
"""Seconds for saying what is known after an interrupt."""


def total_value(components: Sequence[Component], search: ValueSource, *, seconds: float | None = None) -> Worth:
    """The value of a sum: its parts by ``search``, which may have a limit of its own, then added up.

    Of a sum that is counted in points it is the reduced form.

    Raises:
        BudgetExceeded: it takes too long, is too large, or is interrupted; ``partial`` is a dict of what is known. If
            the values of all parts were found: ``outcome``, ``mean``, ``temperature_at_most``, and bounds on the stops;
            if not, ``bounds`` between which the value lies (None where the rules give none).
    """
    start = clock.now()
    try:
        parts, marked = search.settled(components)
    except BudgetExceeded as error:
        error.partial = {"bounds": rough_bounds(components)}
        raise
    except KeyboardInterrupt:
        partial = {"bounds": rough_bounds(components)}
        raise BudgetExceeded("interrupted", budget="interrupt", partial=partial) from None
    limits = SumsLimits.current()
    rest = None if seconds is None else max(0.0, seconds - (clock.now() - start))
    steps = limits.total_steps if seconds is None else None
    try:
        total = sum_values(parts, seconds=rest, steps=steps)
        if marked is not None:
            return marked + total
        return reduced(total) if all_counted(components) else total
    except (BudgetExceeded, RecursionError):
        within = f"{limits.total_steps:,} steps" if rest is None else f"{rest:.3g} s"
        raise BudgetExceeded(
            f"the sum of {len(parts)} parts is too large to be written as one value within {within}; its outcome, "
            "mean and bounds on its stops are known",
            budget="nodes" if rest is None else "seconds",
            partial=bounds(parts, seconds=rest, nodes=limits.total_nodes if rest is None else None),
        ) from None
    except KeyboardInterrupt:
        known = bounds(parts, seconds=AT_ONCE)
        raise BudgetExceeded("interrupted", budget="interrupt", partial=known) from None


def rough_bounds(components: Sequence[Component]) -> list[str] | None:
    """Numbers between which the sum lies, by the rules of its games alone; ``off`` and ``on`` with outright wins."""
    if any(map(has_threats, components)):
        return ["off", "on"]
    low = high = Fraction(0)
    for x in components:
        assert not isinstance(x, MarkedValue)
        ends = (x.right_stop, x.left_stop) if isinstance(x, Value) else x.bounds()
        if ends is None:
            return None
        # a value lies strictly between numbers beyond its stops; those given by rules hold as they are
        slack = 1 if isinstance(x, Value) and not x.is_number else 0
        low, high = low + ends[0] - slack, high + ends[1] + slack
    return [str(low), str(high)]


def bounds(parts: list[Value], *, seconds: float | None = None, nodes: int | None = None) -> dict[str, object]:
    """What is known of a sum that is not added up."""
    solver = SumSolver(seconds=seconds, nodes=nodes)
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
