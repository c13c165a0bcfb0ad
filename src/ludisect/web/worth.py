"""What every move of a position is worth, from solutions that are kept from one position to the next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from ludisect import clock
from ludisect.answer import Answer, MoveValue, written
from ludisect.cgt import MarkedValue, Worth, budget
from ludisect.circuit.game import Game
from ludisect.draw.sumboards import SumBoards, TablePart
from ludisect.errors import BudgetExceeded, InputError
from ludisect.gdl.state import State
from ludisect.rulesets.position import Player, Position
from ludisect.settings import using
from ludisect.solving import solve
from ludisect.sums.expression import describe
from ludisect.sums.limits import SumsLimits
from ludisect.sums.local import LocalSearch
from ludisect.sums.optionvalues import OptionValues
from ludisect.sums.outcome import sum_values
from ludisect.sums.strategies import Advice, optimal
from ludisect.sums.table import Sum
from ludisect.sums.total import total_value
from ludisect.web.limits import WebLimits

PLAYED_A_SECOND: Final = 100_000
"""Positions of a play that a search expands in a second, on a slow machine."""

EARLY: Final = 0.3
"""Share of a job's time for solving a game from its beginning when a later state is asked for first."""

LATER: Final = 0.2
"""Share of a job's time for moves that the search left aside once it had found the best."""

Partial = Callable[[dict[str, Any]], None]
"""Told what is known before the answer is there."""


def limit_name(error: BudgetExceeded) -> str:
    """Which of its limits a job reached."""
    return "memory" if error.budget == "memory" else "seconds"


class RuleWorth:
    """The values of moves in a game given by rules."""

    def __init__(self) -> None:
        self._kept: Answer | None = None

    def at(self, state: State[Game], seconds: float, memory: float) -> dict[str, Any]:
        """The values in a state: by the solution that is kept, or by a new one."""
        begin, limit = clock.now(), None
        answer, values = self._known(state)
        if answer is None and self._kept is None and state.moves_made:
            with suppress(BudgetExceeded):  # from the beginning, where that is quick: it tells every later state
                self._kept = _keeping(solve(state.game, seconds=EARLY * seconds, memory=memory * 2**30))
            answer, values = self._known(state)
        if answer is None:
            try:
                answer = solve(state, seconds=max(0.1, seconds - (clock.now() - begin)), memory=memory * 2**30)
            except BudgetExceeded as error:
                if not isinstance(error.partial, Answer):
                    raise
                answer, limit = error.partial, error
            self._kept = _keeping(answer) or self._kept
            values = () if answer.solution is None else answer.values()
            if answer.exact:
                values = _filled(state, answer, values, clock.now() + LATER * seconds, memory)
        data = answer.to_json()
        data.pop("line")
        result = data | {
            "values": [value.to_json() for value in values],
            "seconds": round(clock.now() - begin, 4),
            **({} if limit is None else {"limit": str(limit)}),
        }
        return {"result": result, "limit": None if limit is None else limit_name(limit)}

    def _known(self, state: State[Game]) -> tuple[Answer | None, tuple[MoveValue, ...]]:
        """The answer for a state and its values, if the solution that is kept tells them all, and exactly.

        A solution tells of the states that come after the one it was found for, not of those before it.
        """
        if self._kept is None or state.is_over:
            return None, ()
        values = self._kept.values(state)
        wanted = sum(len(state.legal[role]) for role in state.choosing or state.legal)
        if len(values) < wanted or not all(value.exact for value in values):
            return None, ()
        return self._kept.after(state), values


def _filled(
    state: State[Game], answer: Answer, values: tuple[MoveValue, ...], end: float, memory: float
) -> tuple[MoveValue, ...]:
    """The values with those that the search did not look for, each move solved by itself while there is time."""
    if len(state.choosing) != 1:
        return values
    (role,) = state.choosing
    filled = []
    for value in values:
        rest = end - clock.now()
        if not value.exact and rest > 0:
            known = _exactly(state.play({role: value.move}), rest, memory)
            if known is not None:
                value = replace(value, value=known, exact=True, best=known[role] == answer.value[role])
        filled.append(value)
    return tuple(filled)


def _exactly(state: State[Game], seconds: float, memory: float) -> Mapping[str, float | None] | None:
    """What a state is worth, if that is found in time."""
    if state.is_over:
        return dict(state.goals)
    with suppress(BudgetExceeded):
        answer = solve(state, seconds=seconds, memory=memory * 2**30)
        return answer.value if answer.exact else None
    return None


def _keeping(answer: Answer) -> Answer | None:
    """The answer if it is worth keeping: exact, and with what the search found."""
    return answer if answer.exact and answer.solution is not None else None


class SumWorth:
    """The values of moves, parts and the whole of a sum; one search remembers what it found."""

    def __init__(self) -> None:
        self._search = LocalSearch()
        self._options = OptionValues()

    def at(self, here: Sum, seconds: float, tell: Partial) -> dict[str, Any]:
        """The values in a position, for either player to move: parts first, then who wins, then every move."""
        begin, limits = clock.now(), WebLimits.current()
        table = Sum(here.components, search=self._search)  # without its past: either may be to move
        boards = SumBoards(here)
        parts: list[dict[str, Any]] = []
        end = begin + limits.parts_share * seconds
        for part in boards.parts:
            with self._search.at_most(None, max(0.0, end - clock.now())):
                parts.append(self._part(part, here.scored))
            tell({"parts": parts})
        total = {"value": None, "why": "not all parts have values"}
        if all(part["value"] is not None for part in parts):
            total = _total(table, limits.parts_share * seconds)
        advice = {player: self._best(table, player, limits.best_share * seconds) for player in Player}
        values = self._values(table, boards, begin + seconds)
        open_ = not all(one is not None and one.proved for one in advice.values())
        result = {
            "game": str(table),
            "rule": "points" if here.scored else "normal play",
            "exact": not open_,
            "evidence": "" if open_ else f"{'the points' if here.scored else 'who wins'} for either beginner, proved",
            "value": {p.name.lower(): one and one.worth(scored=here.scored) for p, one in advice.items()},
            "move": {p.name.lower(): one.move.text if one and one.move else None for p, one in advice.items()},
            "why": {player.name.lower(): one.why for player, one in advice.items() if one is not None},
            "values": values,
            "parts": parts,
            "total": total,
            "mean": total.get("mean") or _added(part.get("mean") for part in parts),
            "temperature": _highest(part.get("temperature") for part in parts),
            "seconds": round(clock.now() - begin, 4),
        }
        return {"result": result, "limit": "seconds" if open_ else None}

    def _best(self, table: Sum, player: Player, seconds: float) -> Advice | None:
        try:
            with self._search.at_most(None, seconds):
                return optimal(table, player, seconds=seconds)
        except (BudgetExceeded, InputError):
            return None

    def _values(self, table: Sum, boards: SumBoards, end: float) -> list[dict[str, Any]]:
        """What every move is worth; of a board that has to be played out, as much as there is time for."""
        limits = SumsLimits.current()
        rest = max(0.0, end - clock.now())
        count = max(1, sum(len(table.moves(player)) for player in Player))
        nodes = min(limits.option_play_nodes, max(1000, int(PLAYED_A_SECOND * rest / count)))
        with using(replace(limits, option_play_nodes=nodes)), self._search.at_most(None, rest):
            values = [value.to_json() for value in self._options.of(table)]
        numbers = {(move.role, move.move): move.part for move in boards.moves}
        for value in values:
            value["part"] = numbers.get((value["role"], value["move"]))  # as numbered on the board
        return values

    def _part(self, part: TablePart, scored: bool) -> dict[str, Any]:
        """What is known of one part: its value with all that follows from it, or that it was not found."""
        known: dict[str, Any] = {"part": part.number, "text": part.text, "kind": "value", "value": None}
        position = part.position
        try:
            worth: Worth = position if not isinstance(position, Position) else self._worth(position)
        except (BudgetExceeded, InputError) as error:
            return known | {"why": str(error)}
        return known | _described(worth, scored)

    def _worth(self, position: Position) -> Worth:
        values, marked = self._search.settled([position])
        with budget(nodes=SumsLimits.current().addition_nodes):
            total = sum_values(values)
        return total if marked is None else marked + total


def _described(worth: Worth, scored: bool) -> dict[str, Any]:
    told = describe(worth, scored=scored)
    told.pop("canonical")
    if isinstance(worth, MarkedValue):
        return {"value": written(worth), "number": False, "thermograph": None, **told}
    walls = worth.thermograph
    points = {
        side: [[str(t), str(x)] for t, x in wall.points]
        for side, wall in (("left", walls.left), ("right", walls.right))
    }
    cost = str(-worth.temperature) if worth.is_number else None
    return {"value": written(worth), "number": worth.is_number, "cost": cost, "thermograph": points, **told}


def _total(table: Sum, seconds: float) -> dict[str, Any]:
    """The value of the whole, or what is known of it where it is too large to be added up."""
    try:
        with budget(nodes=SumsLimits.current().addition_nodes):
            worth = total_value(table.components, table.search, seconds=seconds)
        return _described(worth, table.scored)
    except BudgetExceeded as error:
        known = error.partial if isinstance(error.partial, dict) else {}
        return {"value": None, "why": str(error), **known}
    except InputError as error:
        return {"value": None, "why": str(error)}


def _added(means: Iterable[str | None]) -> str | None:
    """The mean of a sum from those of its parts, where all are known."""
    known = [None if mean is None else Fraction(mean) for mean in means]
    return None if not known or None in known else str(sum(filter(None, known), Fraction(0)))


def _highest(temperatures: Iterable[str | None]) -> str | None:
    """The temperature of the hottest part, of those that are known."""
    known = [Fraction(one) for one in temperatures if one is not None]
    return str(max(known)) if known else None
