"""Values of all positions of a graph, from the ends backwards.

Which rule of play holds is stated in ``ruleofplay``; every solver of this room uses the same, so that their values can
be compared.

Where plays can go on for ever or positions are missing, values are bounds: what a role can force if the others do their
worst, once with endless plays and missing positions counted as its worst goal, once as its best.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.rows import any_column
from ludisect.kernels.kernel import jit
from ludisect.progress import report
from ludisect.ruleofplay import Rule, named, rule_for
from ludisect.search.budget import Budget
from ludisect.search.whole.matrix import solve_matrix
from ludisect.search.whole.positions import SEVERAL, Graph

Table = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Values:
    """Per position and role, bounds on the value; equal where it is known."""

    rule: Rule
    low: Table
    high: Table
    cyclic: bool

    def known(self, position: int) -> bool:
        """Whether the value of a position is known for every role."""
        return bool((self.low[position] == self.high[position]).all())

    def at(self, positions: NDArray[np.int32]) -> Table:
        """The values of some positions; NaN where they are not known, or there is no such position (-1)."""
        low = self.low[positions]
        known = (positions >= 0) & ~any_column(low != self.high[positions])
        return np.where(known[:, None], low, np.nan)


@jit("(float64[::1], float64[::1], int64)")
def _better(a: Any, b: Any, role: Any) -> Any:
    """Whether a role that chooses alone takes a rather than b: max-n with its tie rule (`ruleofplay`)."""
    if a[role] != b[role]:
        return a[role] > b[role]
    for r in range(a.size):
        if a[r] != b[r]:
            return a[r] < b[r]
    return False


@jit("(int32[::1], int64[::1], int32[::1], int8[::1], boolean[::1], float64[:, ::1])")
def _max_n(order: Any, edge_start: Any, successor: Any, mover: Any, terminal: Any, value: Any) -> None:
    for s in order:
        low, high = edge_start[s], edge_start[s + 1]
        if terminal[s] or low == high:
            continue
        best = successor[low]
        role = mover[s]
        if role >= 0:
            for e in range(low + 1, high):
                if _better(value[successor[e]], value[best], role):
                    best = successor[e]
        value[s] = value[best]


@jit
def _worst_case(low: Any, high: Any, joint: Any, successor: Any, value: Any, role: Any, best: Any) -> Any:
    """Max over the role's moves of min over the others' moves. ``best`` is room for one number per move of the role."""
    n = 0
    for e in range(low, high):
        m = joint[e, role]
        v = value[successor[e], role]
        at = -1
        for i in range(n):
            if best[i, 0] == m:
                at = i
                break
        if at < 0:
            best[n, 0], best[n, 1] = m, v
            n += 1
        elif v < best[at, 1]:
            best[at, 1] = v
    out = best[0, 1]
    for i in range(1, n):
        out = max(out, best[i, 1])
    return out


@jit("(int32[::1], int64[::1], int32[::1], int32[:, ::1], int8[::1], boolean[::1], float64[:, ::1])")
def _security(order: Any, edge_start: Any, successor: Any, joint: Any, mover: Any, terminal: Any, value: Any) -> Any:
    """One sweep of worst cases for every role; gives whether something changed."""
    longest = 1
    for s in range(edge_start.size - 1):
        longest = max(longest, edge_start[s + 1] - edge_start[s])
    best = np.empty((longest, 2))
    changed = False
    for s in order:
        low, high = edge_start[s], edge_start[s + 1]
        if terminal[s] or low == high:
            continue
        for r in range(value.shape[1]):
            if mover[s] == -2:
                v = _worst_case(low, high, joint, successor, value, r, best)
            else:
                v = value[successor[low], r]
                for e in range(low + 1, high):
                    x = value[successor[e], r]
                    v = max(v, x) if mover[s] == r else min(v, x)
            if v != value[s, r]:
                value[s, r] = v
                changed = True
    return changed


def rule_of(graph: Graph) -> Rule:
    """The rule of play that fits a graph."""
    at_once = bool((graph.mover == SEVERAL).any())
    return rule_for(graph.roles, at_once=at_once, constant_sum=at_once and constant_sum(graph))


def name_of(graph: Graph, rule: Rule) -> str:
    """The name of the rule in an answer; that goals are opposite is said only where all ends are known."""
    return named(rule, graph.roles, constant_sum=graph.complete and constant_sum(graph))


def constant_sum(graph: Graph) -> bool:
    """Whether two players share the same total at every end that the graph has, and wherever play gets stuck."""
    sums = np.append(graph.pays.sum(axis=1), np.zeros(int(graph.stuck.any()), np.int64))
    return graph.roles == 2 and bool(graph.terminal.any()) and bool((sums == sums[0]).all())


def solve_graph(
    graph: Graph,
    *,
    least: Table | None = None,
    greatest: Table | None = None,
    opposed: Callable[[], bool] | None = None,
    budget: Budget | None = None,
) -> Values:
    """The value of every position; goals that the rules do not define count as 0.

    ``least`` and ``greatest`` bound the goals of each role (default: what the ends of the graph have); they stand in
    for positions that were not expanded. ``opposed`` is asked about those whether two players share the same total at
    all ends there too; without it, that is not known.
    """
    budget = budget or Budget()
    rule = rule_of(graph)
    order, cyclic = graph.order
    ends = graph.pays.astype(np.float64)
    if least is None:
        least = ends.min(axis=0) if ends.size else np.zeros(graph.roles)
    if greatest is None:
        greatest = ends.max(axis=0) if ends.size else np.full(graph.roles, 100.0)
    stuck = graph.stuck

    def begin(filled: Table) -> Table:
        out = np.tile(filled.astype(np.float64), (graph.positions, 1))
        out[graph.terminal] = ends
        out[stuck] = 0.0  # the rules leave a role without a move and do not end the play: nobody gets anything
        return out

    if graph.complete and not cyclic:
        value = begin(least)
        if rule in ("optimum", "max-n"):
            _max_n(order, graph.edge_start, graph.successor, graph.mover, graph.terminal, value)
        elif rule == "equilibrium":
            _equilibrium(graph, order, value, budget)
        else:
            _sweep(graph, order, value, budget)
        return Values(rule, value, value, False)
    low = begin(least)
    _sweep(graph, order, low, budget)
    if rule == "optimum" and graph.complete:
        return Values(rule, low, low, cyclic)  # an endless play reaches no goal, so it never counts
    high = begin(greatest)
    if rule == "optimum" or (
        rule == "max-n" and constant_sum(graph) and (graph.complete or (opposed is not None and opposed()))
    ):
        _sweep(graph, order, high, budget)
    # otherwise others need not do their worst to a role, and only the lower bound says something
    return Values(rule, low, high, cyclic)


def _sweep(graph: Graph, order: NDArray[np.int32], value: Table, budget: Budget) -> None:
    arrays = (graph.edge_start, graph.successor, graph.joint, graph.mover, graph.terminal)
    while _security(order, *arrays, value):
        budget.check(steps=10 * graph.successor.size)


def backed_up(graph: Graph, rule: Rule, states: NDArray[np.int32], values: Table) -> Table:
    """The values with those of some positions worked out anew, by the rule of play, from those of what follows."""
    out = values.copy()
    if rule in ("optimum", "max-n"):
        _max_n(states, graph.edge_start, graph.successor, graph.mover, graph.terminal, out)
    elif rule == "equilibrium":
        _stages(graph, states, out)
    else:
        _security(states, graph.edge_start, graph.successor, graph.joint, graph.mover, graph.terminal, out)
    return out


STAGE_STEPS = 50_000
"""Steps (see ``effort``) that a stage counts, about."""


def _equilibrium(graph: Graph, order: NDArray[np.int32], value: Table, budget: Budget) -> None:
    """Backward induction with a matrix game wherever both choose at once."""
    for n in range(0, order.size, 1024):
        report("solving stage games", n, order.size)
        budget.check(steps=1024 * STAGE_STEPS)
        _stages(graph, order[n : n + 1024], value)


def _stages(graph: Graph, order: NDArray[np.int32], value: Table) -> None:
    """The values of some positions, one after the other, from those of what follows."""
    for s in order.tolist():
        edges = graph.edges_of(s)
        if graph.terminal[s] or edges.start == edges.stop:
            continue
        if graph.mover[s] == SEVERAL:
            first = solve_matrix(stage_matrix(graph, s, value[:, 0]))[0]
            value[s] = first, value[graph.successor[edges.start]].sum() - first
        else:
            options = value[graph.successor[edges]]
            r = int(graph.mover[s])
            value[s] = options[options[:, r].argmax()] if r >= 0 else options[0]


def stage_matrix(graph: Graph, s: int, value: Table) -> Table:
    """The first player's values at a position: its moves x the second player's moves."""
    edges = graph.edges_of(s)
    return payoffs(graph.joint[edges], value[graph.successor[edges]])[0]


def payoffs(joint: NDArray[np.int32], value: Table) -> tuple[Table, NDArray[np.int32], NDArray[np.int32]]:
    """Joint moves of two players with the first one's values as a matrix, with the moves of its rows and columns."""
    mine, i = np.unique(joint[:, 0], return_inverse=True)
    other, j = np.unique(joint[:, 1], return_inverse=True)
    payoff = np.zeros((mine.size, other.size))
    payoff[i, j] = value
    return payoff, mine, other


@jit("(int32[::1], int64[::1], int32[::1], int8[::1], boolean[::1], float64[:, ::1], int64, int64[::1])")
def _rank_sweep(
    order: Any, edge_start: Any, successor: Any, mover: Any, terminal: Any, low: Any, r: Any, rank: Any
) -> Any:
    changed = False
    for s in order:
        begin, end = edge_start[s], edge_start[s + 1]
        if terminal[s] or begin == end:
            continue
        new = 2**31 - 1 if mover[s] == r else 0
        for e in range(begin, end):
            t = successor[e]
            if mover[s] == r:
                if low[t, r] >= low[s, r] and rank[t] < new:
                    new = rank[t]
            elif rank[t] > new:
                new = rank[t]
        if new < 2**31 - 1 and new + 1 < rank[s]:
            rank[s] = new + 1
            changed = True
    return changed


def ranks(graph: Graph, values: Values, role: int) -> NDArray[np.int64]:
    """How many moves a role needs at most to force its lower bound, by position: best moves must progress."""
    order, cyclic = graph.order
    rank = np.full(graph.positions, 2**31 - 1, np.int64)
    rank[np.diff(graph.edge_start) == 0] = 0
    arrays = (graph.edge_start, graph.successor, graph.mover, graph.terminal)
    while _rank_sweep(order, *arrays, values.low, role, rank) and cyclic:
        pass  # without cycles all is settled at once
    return rank


def choose(joint: NDArray[np.int32], low: Table, role: int, rule: Rule, rank: NDArray[np.int64] | None = None) -> int:
    """An edge of one position with a best move of a role that has a choice.

    ``joint`` are the joint moves, ``low`` the values of where they lead (one row each). The best move is the one whose
    worst outcome is best for the role; if nobody else has a choice, max-n's order decides; then the least ``rank``.
    """
    alone = rule == "max-n"
    best = -1
    for m in np.unique(joint[:, role]).tolist():
        edges = np.flatnonzero(joint[:, role] == m)
        e = int(edges[low[edges, role].argmin()])
        if best < 0:
            best = e
        elif alone and not np.array_equal(low[e], low[best]):
            best = e if _better(low[e], low[best], role) else best
        elif low[e, role] > low[best, role] or (
            rank is not None and low[e, role] == low[best, role] and rank[e] < rank[best]
        ):
            best = e
    return best
