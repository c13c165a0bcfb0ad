"""All positions of a game: explored frontier by frontier, thousands per kernel call, kept as arrays."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.rows import Rows
from ludisect.circuit.rowtable import RowTable
from ludisect.errors import BudgetExceeded
from ludisect.kernels.kernel import jit
from ludisect.progress import report
from ludisect.search.budget import Budget
from ludisect.search.whole.positions import NOBODY, Graph, movers, paid

EDGES_AT_ONCE = 1 << 16
"""Joint moves that one kernel call takes: enough to fill the lanes, few enough to stay in the cache."""

STATES_AT_ONCE = 1 << 13

EDGES_IN_A_MOMENT = 1 << 18
"""An interrupted search says what follows from about so many edges, those nearest to the start: it must end soon."""


@jit("(uint64[:, ::1], int64[::1], boolean[::1], int64[::1])")
def count_joint(legal: Any, first_move: Any, skip: Any, out: Any) -> None:
    """How many joint moves each state has: the product of the roles' numbers of legal moves; 0 where ``skip``."""
    for s in range(legal.shape[0]):
        out[s] = 0
        if skip[s]:
            continue
        total = 1
        for r in range(first_move.size - 1):
            here = 0
            for m in range(first_move[r], first_move[r + 1]):
                if (legal[s, m >> 6] >> np.uint64(m & 63)) & np.uint64(1):
                    here += 1
            total *= here
        out[s] = total


@jit("(uint64[:, ::1], int64[::1], int64[::1], int32[:, ::1], int64[::1])")
def list_joint(legal: Any, first_move: Any, start: Any, joint: Any, source: Any) -> None:
    """Write every joint move of every state: the last role's move changes fastest."""
    n_roles = first_move.size - 1
    longest = 0
    for r in range(n_roles):
        longest = max(longest, first_move[r + 1] - first_move[r])
    moves = np.empty((n_roles, longest), np.int32)
    count = np.empty(n_roles, np.int64)
    for s in range(legal.shape[0]):
        low, high = start[s], start[s + 1]
        if low == high:
            continue
        for r in range(n_roles):
            count[r] = 0
            for m in range(first_move[r], first_move[r + 1]):
                if (legal[s, m >> 6] >> np.uint64(m & 63)) & np.uint64(1):
                    moves[r, count[r]] = m - first_move[r]
                    count[r] += 1
        for e in range(low, high):
            rest = e - low
            for r in range(n_roles - 1, -1, -1):
                joint[e, r] = moves[r, rest % count[r]]
                rest //= count[r]
            source[e] = s


def legal_joint(
    game: Game, states: Rows, skip: NDArray[np.bool_], at_once: float = inf
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]:
    """(where the joint moves of each state begin, all of them, the state of each); none of a state to ``skip``.

    They are those of the first states, as many as have no more than ``at_once`` together, but of one in any case.
    """
    legal = game.batch.legal_rows(states)
    degree = np.empty(len(states), np.int64)
    count_joint(legal, game.batch.first_move, skip, degree)
    start = np.concatenate([[0], np.cumsum(degree)])
    n = min(len(states), max(1, int(np.searchsorted(start, at_once, side="right")) - 1))
    joint = np.empty((int(start[n]), len(game.roles)), np.int32)
    source = np.empty(joint.shape[0], np.int64)
    list_joint(legal[:n], game.batch.first_move, start, joint, source)
    return start[: n + 1], joint, source


def joint_moves(game: Game, state: Rows) -> tuple[NDArray[np.int32], Rows]:
    """(joint moves in a state, the states to which they lead); none if the play is over there."""
    _, joint, source = legal_joint(game, state, game.batch.terminal(state))
    return joint, game.batch.next(state[source], joint)


@dataclass(frozen=True, eq=False)
class StateSpace:
    """The reachable states of a game by number (``states[0]`` is the start) and the graph of its moves.

    States are numbered in the order of their distance from the start; level d is ``levels[d]`` to ``levels[d + 1]``.
    """

    game: Game
    graph: Graph
    table: RowTable = field(repr=False)
    levels: tuple[int, ...] = ()

    @property
    def states(self) -> Rows:
        """The states by number."""
        return self.table.rows[: self.graph.positions]

    @cached_property
    def stuck(self) -> NDArray[np.int64]:
        """States that are not terminal and in which some role has no legal move."""
        return np.flatnonzero(self.graph.stuck)

    def nearest(self, most: int) -> StateSpace:
        """The states nearest to the start, as if exploring had stopped when more than ``most`` were known."""
        graph = self.graph
        met = np.maximum.accumulate(np.concatenate([[self.levels[1] - 1], graph.successor]))
        known = met[graph.edge_start[1:]] + 1  # after each state is expanded
        last = int(np.searchsorted(known, most, side="right"))
        if last >= graph.expanded:
            return self
        level = max(k for k, begin in enumerate(self.levels) if begin <= last)
        batch = _at_once(most)  # a level is expanded batch by batch
        expanded = self.levels[level] + ((last - self.levels[level]) // batch + 1) * batch
        expanded = min(expanded, self.levels[level + 1], graph.expanded)
        edges, n = int(graph.edge_start[expanded]), int(known[expanded - 1])
        mover = graph.mover[:n].copy()
        mover[expanded:] = NOBODY
        terminal = graph.terminal[:n]
        some = Graph(
            np.minimum(graph.edge_start[: n + 1], edges),
            graph.successor[:edges],
            graph.joint[:edges],
            mover,
            terminal,
            graph.goals[:n],
            n if terminal[expanded:].all() else expanded,
        )
        return StateSpace(self.game, some, self.table, (*(level for level in self.levels if level < n), n))


@dataclass(slots=True)
class _Arrays:
    """Edges collected batch by batch."""

    out_degree: list[NDArray[np.int64]] = field(default_factory=list)
    successor: list[NDArray[np.int32]] = field(default_factory=list)
    joint: list[NDArray[np.int32]] = field(default_factory=list)
    nbytes: int = 0

    def keep(self, degree: NDArray[np.int64], successor: NDArray[np.int32], joint: NDArray[np.int32]) -> None:
        self.out_degree.append(degree)
        self.successor.append(successor)
        self.joint.append(joint)
        self.nbytes += degree.nbytes + successor.nbytes + joint.nbytes

    def shorten(self) -> None:
        """Keep only whole batches, and of those the first, as many as are evaluated in a moment."""
        n = first_batches(self.successor[: len(self.joint)])
        del self.out_degree[n:], self.successor[n:], self.joint[n:]


def explore(
    game: Game,
    *,
    start: Rows | None = None,
    depth: int | None = None,
    enough: float | None = None,
    most: int | None = None,
    budget: Budget | None = None,
) -> StateSpace:
    """Every state that joint moves lead to from ``start`` (the initial state), up to ``depth`` moves deep.

    With ``enough``, exploring stops when the first role has such a goal in a state that ends the play; with ``most``,
    when more states than that are known.

    Raises BudgetExceeded when time or memory is used up or the user interrupts; ``partial`` is the StateSpace so far.
    """
    budget = budget or Budget()
    table = RowTable(game.batch.initial.shape[1])
    table.add(game.batch.initial if start is None else start)
    begun = len(table)
    at_once = _at_once(most)
    arrays = _Arrays()
    levels = [0]
    done = 0
    try:
        while done < len(table) and (depth is None or len(levels) <= depth):
            end = len(table)
            levels.append(end)
            while done < end:
                if most is not None and len(table) > most:
                    return _finish(game, table, arrays, levels, done)
                if enough is not None and _best(game, table.rows[done : min(end, done + STATES_AT_ONCE)]) >= enough:
                    return _finish(game, table, arrays, levels, done)
                done = _expand(game, table, arrays, done, min(end, done + at_once))
                report("listing positions", len(table))
                # twice: the pieces are joined at the end
                budget.check(table.nbytes + 2 * arrays.nbytes, steps=100 * arrays.successor[-1].size)
    except BudgetExceeded as error:
        error.partial = _finish(game, table, arrays, levels, done)
        raise
    except KeyboardInterrupt:
        arrays.shorten()
        met = max([begun, *(1 + int(batch.max(initial=0)) for batch in arrays.successor)])
        space = _finish(game, table, arrays, levels, sum(d.size for d in arrays.out_degree), met)
        raise BudgetExceeded("interrupted", budget="interrupt", partial=space) from None
    return _finish(game, table, arrays, levels, done)


def _at_once(most: int | None) -> int:
    """How many states are expanded before their number is looked at."""
    return STATES_AT_ONCE if most is None else max(1, min(STATES_AT_ONCE, most // 8))


def _best(game: Game, states: Rows) -> int:
    """The best goal of the first role in states that end the play; -1 without one."""
    ended = states[game.batch.terminal(states)]
    return int(paid(game.batch.goals(ended))[:, 0].max()) if ended.shape[0] else -1


def _expand(game: Game, table: RowTable, arrays: _Arrays, low: int, high: int) -> int:
    """Expand states low..high, or fewer if they have too many joint moves for one call."""
    states = table.rows[low:high]
    start, joint, source = legal_joint(game, states, game.batch.terminal(states), EDGES_AT_ONCE)
    # nothing is kept before the numbers are given: an interrupt leaves whole states or none
    successor = table.add(game.batch.next(states[source], joint))
    arrays.keep(np.diff(start), successor, joint)
    return low + start.size - 1


def first_batches(successor: list[NDArray[np.int32]]) -> int:
    """How many batches of edges, from the first on, an interrupted search evaluates."""
    return int(np.searchsorted(np.cumsum([batch.size for batch in successor]), EDGES_IN_A_MOMENT))


def _finish(
    game: Game, table: RowTable, arrays: _Arrays, levels: list[int], done: int, met: int | None = None
) -> StateSpace:
    """The graph of the states met so far, or of the first of them."""
    n, n_roles = len(table) if met is None else met, len(game.roles)
    degree = np.zeros(n, np.int64)
    if done:
        degree[:done] = np.concatenate(arrays.out_degree)
    edge_start = np.concatenate([[0], np.cumsum(degree)])
    joint = np.concatenate(arrays.joint) if arrays.joint else np.empty((0, n_roles), np.int32)
    successor = np.concatenate(arrays.successor) if arrays.successor else np.empty(0, np.int32)
    mover = np.empty(n, np.int8)
    movers(edge_start, joint, successor[:, None], mover)
    terminal = np.zeros(n, np.bool_)
    goals = np.full((n, n_roles), -1, np.int32)
    for low in range(0, n, EDGES_AT_ONCE):
        rows = table.rows[low : min(n, low + EDGES_AT_ONCE)]
        over = terminal[low : low + EDGES_AT_ONCE] = game.batch.terminal(rows)
        goals[low : low + EDGES_AT_ONCE][over] = game.batch.goals(rows[over])
    # a terminal state needs no expansion, so those beyond the limit count as expanded if nothing else follows
    if not (~terminal[done:]).any():
        done = n
    graph = Graph(edge_start, successor, joint, mover, terminal, goals, done)
    return StateSpace(game, graph, table, (*(level for level in levels if level < n), n))
