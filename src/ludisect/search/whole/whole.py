"""Whole-game search: every position, then values from the ends backwards. The baseline and the oracle of this room."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludisect.answer import Answer, PartAnswer
from ludisect.circuit.game import Game
from ludisect.circuit.rows import Rows
from ludisect.errors import BudgetExceeded
from ludisect.gdl.terms import Term
from ludisect.ruleofplay import Rule
from ludisect.search.budget import Budget
from ludisect.search.foresight import KnownValues, foreseen
from ludisect.search.limits import SearchLimits
from ludisect.search.whole.backward import Table, Values, choose, name_of, payoffs, ranks, solve_graph
from ludisect.search.whole.matrix import solve_matrix
from ludisect.search.whole.opposed import Opposition
from ludisect.search.whole.positions import choosers
from ludisect.search.whole.statespace import StateSpace, explore

NAME = "whole"


def goal_bounds(game: Game) -> tuple[Table, Table]:
    """The least and the greatest goal that each role can get by the rules."""
    low, high = np.zeros(len(game.roles)), np.zeros(len(game.roles))  # a goal that is not defined counts as 0
    for role, value in game.goal_table:
        low[role], high[role] = min(low[role], value), max(high[role], value)
    return low, high


def enough(game: Game) -> float | None:
    """The goal at which a search for a single player can stop, since the rules know no higher one; None for several."""
    return float(goal_bounds(game)[1][0]) if len(game.roles) == 1 else None


def solve_whole(
    game: Game,
    *,
    start: Rows | None = None,
    depth: int | None = None,
    budget: Budget | None = None,
    opposition: Opposition | None = None,
) -> Answer:
    """The value of a game by exploring all of it, or bounds from the first ``depth`` moves.

    Raises BudgetExceeded if a limit is hit; ``partial`` is the Answer with the bounds known by then.
    """
    budget = budget or Budget()
    opposed = partial((opposition or Opposition(game)).proved, budget)
    listing = budget.keeping(SearchLimits.current().whole_evaluating)
    try:
        space = explore(game, start=start, depth=depth, enough=enough(game), budget=listing)
    except BudgetExceeded as error:
        if isinstance(error.partial, StateSpace):
            error.partial = answer_of(error.partial, Budget(begin=budget.begin), opposed)
        raise
    return answer_of(space, budget, opposed)


CYCLIC = "plays can go on for ever; a value is given only where that changes nothing"

ENDLESS = "not exact: no play comes to an end, and the rules give a value to ends alone"


def answer_of(space: StateSpace, budget: Budget, opposed: Callable[[], bool]) -> Answer:
    """The answer for the start of an explored game."""
    graph = space.graph
    low, high = goal_bounds(space.game)
    values = solve_graph(graph, least=low, greatest=high, opposed=opposed, budget=budget)
    edges = graph.edges_of(0)
    rank = None
    if values.cyclic and graph.mover[0] >= 0:
        rank = ranks(graph, values, int(graph.mover[0]))[graph.successor[edges]]
    notes = list(_notes(space, values))
    after = graph.successor[edges]
    move, mixed = best_moves(space.game, graph.joint[edges], after, values.low[after], values.rule, rank=rank)
    answer = assemble(
        space.game,
        NAME,
        values.low[0],
        values.high[0],
        move=move,
        mixed=mixed,
        nodes=len(space.table),
        seconds=budget.spent,
        rule=name_of(graph, values.rule),
        evidence="all positions that play can reach were searched" if graph.complete else "",
        notes=notes,
        certain=not graph.endless,
    )
    if graph.complete:  # nothing that was found out of parts is in it
        answer = replace(answer, checked=f"all {graph.positions} positions were searched")
    return foreseen(space.game, answer, KnownPositions(space, values), space.states[:1])


class KnownPositions(KnownValues):
    """The values of all positions that were explored."""

    def __init__(self, space: StateSpace, values: Values) -> None:
        self._space, self._values, self.rule = space, values, values.rule

    def values(self, rows: Rows) -> Table:
        """See ``KnownValues``."""
        number = self._space.table.find(rows)
        number[number >= self._space.graph.positions] = -1
        return self._values.at(number)

    def ranks(self, rows: Rows) -> NDArray[np.int64]:
        """See ``KnownValues``: how far it is to the end, where play could go round in circles."""
        return self._ranks[self._space.table.find(rows)]

    @cached_property
    def _ranks(self) -> NDArray[np.int64]:
        return ranks(self._space.graph, self._values, 0)


def assemble(
    game: Game,
    algorithm: str,
    low: Table,
    high: Table,
    *,
    move: dict[str, Term],
    mixed: dict[str, dict[Term, float]],
    nodes: int,
    seconds: float,
    parts: tuple[PartAnswer, ...] = (),
    conclusion: tuple[str, ...] = (),
    rule: str = "",
    evidence: str = "",
    notes: list[str],
    certain: bool = True,
) -> Answer:
    """An Answer from bounds on the values: exact if they meet for every role and what they rest on is ``certain``."""
    known = [bool(a == b) for a, b in zip(low, high, strict=True)]
    return Answer(
        game=game.name,
        algorithm=algorithm,
        exact=certain and all(known),
        value={role: _tidy(low[r]) if known[r] else None for r, role in enumerate(game.roles)},
        move=move,
        bounds={role: (_tidy(low[r]), _tidy(high[r])) for r, role in enumerate(game.roles) if not known[r]},
        mixed=mixed,
        nodes=nodes,
        seconds=seconds,
        parts=parts,
        conclusion=conclusion,
        rule=rule,
        evidence=evidence,
        notes=tuple(notes),
    )


def _tidy(x: float) -> float:
    """Values of stage games come from floating point; whole ones are shown whole."""
    return float(round(x)) if abs(x - round(x)) < 1e-9 else float(x)


def best_moves(
    game: Game,
    joint: NDArray[np.int32],
    after: NDArray[Any],
    low: Table,
    rule: Rule,
    *,
    rank: NDArray[np.int64] | None = None,
) -> tuple[dict[str, Term], dict[str, dict[Term, float]]]:
    """A best move per role with a choice, and odds where only mixing attains the value.

    ``joint`` are the joint moves of a position, ``after`` the states to which they lead (or their numbers), ``low`` the
    values of those.
    """
    move: dict[str, Term] = {}
    mixed: dict[str, dict[Term, float]] = {}
    if not joint.size:
        return move, mixed
    chooses = choosers(joint, after)
    if rule == "equilibrium":
        payoff, mine, other = payoffs(joint, low[:, 0])
        _, rows, columns = solve_matrix(payoff)
        for r, (moves, odds) in enumerate(((mine, rows), (other, columns))):
            if not chooses[r]:
                continue
            role = game.roles[r]
            move[role] = game.moves[r][int(moves[int(odds.argmax())])]
            if odds.max() < 1.0 - 1e-9:
                mixed[role] = {game.moves[r][int(m)]: float(x) for m, x in zip(moves, odds, strict=True) if x > 1e-9}
        return move, mixed
    for r, role in enumerate(game.roles):
        if chooses[r]:
            move[role] = game.moves[r][int(joint[choose(joint, low, r, rule, rank), r])]
    return move, mixed


def _notes(space: StateSpace, values: Values) -> list[str]:
    graph, out = space.graph, []
    if not graph.complete and values.known(0):
        out.append("the search stopped at the best goal that the rules know")
    elif not graph.complete:
        which = "known" if len(space.table) == graph.positions else "nearest to the start were looked at in the end"
        out.append(f"{graph.positions} positions {which}, {graph.expanded} of them expanded; the rest count as bounds")
    out += [ENDLESS] if graph.endless else [CYCLIC] if values.cyclic else []
    if space.stuck.size:
        out.append(f"in {space.stuck.size} positions a role has no legal move; they count as 0 for everybody")
    if (graph.goals[graph.terminal] < 0).any():
        out.append("some ends give a role no goal value, or several; they count as 0")
    return out
