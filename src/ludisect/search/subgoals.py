"""Single-player games whose best goal asks each part for something of its own: reach each, then play it through.

If the net of the highest goal value is a conjunction, every part has its subgoal: the literals that read it. A shortest
way to a state that satisfies them is found in each part alone, so that many parts cost no more than each of them. The
plan is then played on the rules themselves; it counts only if every move is legal and the play ends with that goal.
So the answer rests on nothing but the rules, and no goal is higher.
"""

from __future__ import annotations

from collections import deque
from time import monotonic

import numpy as np

from ludisect.decompose.model import Decomposition
from ludisect.search.answer import Answer
from ludisect.search.budget import Budget
from ludisect.search.concepts import MIXED, Nets, owners
from ludisect.search.local import PASS, LocalGraph, Views
from ludisect.search.nimsum import name_part
from ludisect.search.ways import Inapplicable, Way, register

NAME = "subgoals"

FALSE = 1
"""The literal that never holds."""


def best_goal(parts: Decomposition) -> tuple[int, int]:
    """(highest goal value that the rules know, the literal of its net)."""
    nets = zip(parts.game.goal_table, parts.game.circuit.goal.tolist(), strict=True)
    return max(((value, literal) for (_, value), literal in nets if literal != FALSE), default=(0, FALSE))


def subgoals(parts: Decomposition, literal: int) -> list[list[int]] | None:
    """Per dependent part the literals that a conjunction asks of it; None if the net is no such conjunction."""
    circuit = parts.game.circuit
    owner = owners(parts)
    out: list[list[int]] = [[] for _ in parts.dependent]
    waiting, seen = [literal], {literal}
    while waiting:
        here = waiting.pop()
        who = int(owner[here >> 1])
        if who >= 0:
            out[who].append(here)
        elif who == MIXED:
            if here & 1:
                return None
            new = [x for x in circuit.gate(here >> 1).tolist() if x not in seen]
            waiting += new
            seen |= set(new)
    return out


def shortest_way(graph: LocalGraph, wanted: list[bool]) -> list[int] | None:
    """Global moves that lead a part to a wanted state; None if there is no way."""
    if wanted[0]:
        return []
    before: dict[int, tuple[int, int]] = {0: (-1, -1)}
    waiting = deque([0])
    while waiting:
        s = waiting.popleft()
        for k in range(len(graph.settings)):
            edges = graph.edges_of(s, k)
            for e in range(edges.start, edges.stop):
                t = int(graph.successor[e])
                if int(graph.move[e, 0]) == PASS or t in before:
                    continue
                before[t] = (s, int(graph.joint[e, 0]))
                if wanted[t]:
                    way = []
                    while t:
                        t, move = before[t]
                        way.append(move)
                    return way[::-1]
                waiting.append(t)
    return None


def play_through(parts: Decomposition, moves: list[int], value: int) -> bool:
    """Whether the moves are legal one after the other and the play is over with a goal exactly after the last."""
    game = parts.game
    rows = [game.initial]
    for m in moves:
        if not game.legal(rows[-1])[0, m]:
            return False
        rows.append(game.next(rows[-1], np.array([[m]])))
    over = game.terminal(np.concatenate(rows)).tolist()
    return over[-1] and not any(over[:-1]) and int(game.goal_values(rows[-1])[0, 0]) == value


def applies(parts: Decomposition) -> str | None:
    """One player, and a best goal that is a conjunction of what single parts show."""
    if len(parts.game.roles) != 1 or len(parts.dependent) < 2 or parts.structure == "parallel-sync":
        return None
    found = subgoals(parts, best_goal(parts)[1])
    if found is None or sum(map(bool, found)) < 2:
        return None
    return "the best goal asks each part for something of its own"


def solve_subgoals(parts: Decomposition, budget: Budget, depth: int | None = None) -> Answer:
    """A play with the best goal that the rules know. ``depth`` is not used.

    Raises Inapplicable if the parts cannot all reach their subgoals, or not in any order that was tried.
    """
    begin = monotonic()
    value, literal = best_goal(parts)
    asked = subgoals(parts, literal)
    if asked is None:
        raise Inapplicable("the best goal is no conjunction of what single parts show")
    game = parts.game
    views = Views(parts, budget=budget)
    ways: list[list[int]] = []
    nodes = 0
    for i, literals in enumerate(asked):
        if not literals:
            ways.append([])
            continue
        graph = views.graph(i)
        nodes += graph.positions
        base = views.time_row(0) & ~views.mask(i)
        holds = Nets(game.circuit, literals)(graph.states | base).all(axis=1)
        way = shortest_way(graph, np.asarray(holds).tolist())
        if way is None:
            raise Inapplicable(f"part {parts.dependent[i].id} cannot do what the best goal asks of it")
        ways.append(way)
    order = _order(parts, ways, value)
    why = [
        f"{name_part(parts, i)} takes {len(way)} moves: {' '.join(str(game.moves[0][m]) for m in way)}"
        for i, way in enumerate(ways)
        if way
    ]
    role = game.roles[0]
    return Answer(
        game.name, NAME, True, {role: value}, {role: game.moves[0][order[0]]} if order else {}, nodes=nodes,
        seconds=monotonic() - begin, why=tuple(why),
        notes=(f"all {len(order)} moves were played through; no goal is higher than {value}",),
    )  # fmt: skip


def _order(parts: Decomposition, ways: list[list[int]], value: int) -> list[int]:
    """The ways one after the other, each part once as the last."""
    busy = [i for i, way in enumerate(ways) if way]
    for last in busy[::-1] or [-1]:
        order = [m for i in (*(i for i in busy if i != last), last) if i >= 0 for m in ways[i]]
        if play_through(parts, order, value):
            return order
    raise Inapplicable("the subgoals can be reached one by one, but not in any order that was tried")


WAY = register(Way(NAME, "single player: what the best goal asks of each part", applies, solve_subgoals, strength=35))
