"""One step on the whole game: does the value of each state follow from those of the states after it?

The states and moves come from the circuit of the whole game; what they are worth comes from what the search kept. A
claim that holds in every state that play can reach is right, whatever way it was found.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.rows import any_column
from ludisect.ruleofplay import Rule
from ludisect.search.foresight import Foresight
from ludisect.search.movevalues import CLOSE
from ludisect.search.whole.backward import Table, backed_up
from ludisect.search.whole.positions import SEVERAL, Graph
from ludisect.search.whole.statespace import StateSpace


@dataclass(frozen=True, slots=True, eq=False)
class OneStep:
    """What came of looking at some states: how many could be judged, and what is wrong in one of them."""

    judged: int
    values: Table
    """Of all states of the space, what the search claims; NaN where it claims nothing."""
    wrong: str | None = None


def one_step(space: StateSpace, claimed: Foresight, before: Table | None = None) -> OneStep:
    """Judge every expanded state of a space of which the search knows the value, and enough of what follows.

    ``before``: what the search claimed of the first states, where it was asked already.
    """
    graph, known = space.graph, claimed.known
    asked = 0 if before is None else before.shape[0]
    over = graph.terminal[asked:]
    values = claimed.worth_beside(space.states[asked:], over, graph.goals[asked:][over])
    values = values if before is None else np.concatenate([before, values])
    rule: Rule = "pessimistic" if known.apart else known.rule
    states = _judged(graph, values, rule, several=known.apart or rule in ("equilibrium", "pessimistic"))
    if not states.size:
        return OneStep(0, values)
    told = np.where(np.isnan(values), -np.inf, values) if rule == "optimum" else values
    after = backed_up(graph, rule, states, told)
    bad = np.flatnonzero(any_column(np.abs(after[states] - told[states]) > CLOSE))
    if not bad.size:
        return OneStep(int(states.size), values)
    s = int(states[bad[0]])
    return OneStep(int(states.size), values, _told(space, s, values[s], after[s]))


def _judged(graph: Graph, values: Table, rule: Rule, *, several: bool) -> NDArray[np.int32]:
    """The expanded states in which play goes on whose value is known, and all that follow (of one player: some)."""
    unknown = any_column(np.isnan(values))
    degree = np.diff(graph.edge_start)
    source = np.repeat(np.arange(graph.positions), degree)
    missing = np.bincount(source[unknown[graph.successor]], minlength=graph.positions)
    fits: NDArray[np.bool_] = ~unknown & (degree > 0) & ~graph.terminal
    fits &= missing < degree if rule == "optimum" else missing == 0
    fits[graph.expanded :] = False
    if not several:
        fits &= graph.mover != SEVERAL
    return np.flatnonzero(fits).astype(np.int32)


def _told(space: StateSpace, s: int, claimed: Table, after: Table) -> str:
    game = space.game
    r = int((np.abs(claimed - after) > CLOSE).argmax())
    held = " ".join(map(str, sorted(map(str, game.batch.state(space.states[s])))))
    start = "at the start" if s == 0 and bool((space.states[0] == game.batch.initial[0]).all()) else f"in {held}"
    return f"{start} {game.roles[r]} should get {claimed[r]:g}, and what follows gives {after[r]:g}"


def attained(space: StateSpace, values: Table, claimed: Foresight) -> str | None:
    """What is wrong with the recommended first moves, by the values of the states after them; None if nothing is."""
    game, answer, edges = space.game, claimed.answer, space.graph.edges_of(0)
    joint, after = space.graph.joint[edges], values[space.graph.successor[edges]]
    for r, role in enumerate(game.roles):
        odds = dict(answer.mixed.get(role, {})) or ({answer.move[role]: 1.0} if role in answer.move else {})
        value = answer.value[role]
        if not odds or value is None:
            continue
        shares = np.zeros(joint.shape[0])
        for move, share in odds.items():
            shares[joint[:, r] == game.move_index[r][move]] = share
        if not (shares > 0).any():
            return f"{role} is told to play {next(iter(odds))}, which is not legal"
        if np.isnan(after[shares > 0, r]).any():
            continue
        _, others = np.unique(np.delete(joint, r, axis=1), axis=0, return_inverse=True)
        gets = np.bincount(others.reshape(-1), weights=np.where(shares > 0, shares * after[:, r], 0.0))
        if gets.min() < value - 100 * CLOSE:
            return f"{role} is told to play {next(iter(odds))}, and gets {float(gets.min()):g} of {value:g} by it"
    return None


def against_whole(space: StateSpace, low: Table, high: Table, claimed: Foresight) -> str | None:
    """What is wrong with the value of the start, held against a search of all positions; None if nothing is."""
    for r, (role, value) in enumerate(claimed.answer.value.items()):
        if not low[r] - CLOSE <= cast(float, value) <= high[r] + CLOSE:
            between = f"{low[r]:g}" if low[r] == high[r] else f"{low[r]:g} to {high[r]:g}"
            return f"a search of all {space.graph.positions} positions gives {role} {between}, not {value:g}"
    return None
