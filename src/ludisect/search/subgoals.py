"""Single-player games whose best goal asks each part for something of its own: reach each, then play it through.

If the net of the highest goal value is a conjunction, every part has its subgoal: what the net asks of it. A shortest
way to a state that satisfies them is found in each part alone, so that many parts cost no more than each of them. The
plan is then played on the rules themselves; it counts only if every move is legal and the play ends with that goal.
So the answer rests on nothing but the rules, and no goal is higher.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from time import monotonic

import numpy as np

from ludisect.circuit.batch import unpack
from ludisect.circuit.circuit import Circuit
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

LARGEST = 50_000
"""Gate inputs of a circuit that is still taken apart."""


@dataclass(frozen=True, slots=True, eq=False)
class Subgoals:
    """What a conjunction asks: values of single fluents, and per dependent part literals of ``circuit``."""

    circuit: Circuit
    fixed: dict[int, bool]
    literals: list[list[int]]


def best_goal(parts: Decomposition) -> tuple[int, int]:
    """(highest goal value that the rules know, the number of its net)."""
    nets = enumerate(zip(parts.game.goal_table, parts.game.circuit.goal.tolist(), strict=True))
    return max(((value, k) for k, ((_, value), literal) in nets if literal != FALSE), default=(0, -1))


def subgoals(parts: Decomposition, net: int) -> Subgoals | None:
    """What the net of a goal asks of each part, if it is a conjunction of such; else None.

    Fluents that the conjunction fixes are put in, which may make more of it fall apart, until nothing new is fixed.
    """
    circuit = parts.game.circuit
    fixed: dict[int, bool] = {}
    while True:
        found = _conjunction(replace(parts, game=replace(parts.game, circuit=circuit)), int(circuit.goal[net]))
        inputs = {x >> 1: not x & 1 for x in (found or {}) if 0 < x >> 1 <= circuit.n_fluents}
        if found is None or not inputs:
            break
        fixed |= {node - 1: value for node, value in inputs.items()}
        circuit = circuit.cofactor({node: int(value) for node, value in inputs.items()})
    if found is None or any(who == MIXED for who in found.values()):
        return None
    literals: list[list[int]] = [[x for x, who in found.items() if who == i] for i in range(len(parts.dependent))]
    return Subgoals(circuit, fixed, literals)


def _conjunction(parts: Decomposition, literal: int) -> dict[int, int] | None:
    """The literals of a conjunction and the part that each reads (MIXED for several); None if it cannot hold."""
    owner = owners(parts)
    out: dict[int, int] = {}
    waiting, seen = [literal], {literal}
    while waiting:
        here = waiting.pop()
        if here == FALSE:
            return None
        who = int(owner[here >> 1])
        if here & 1 or here >> 1 <= parts.game.circuit.n_inputs:
            out[here] = who
            continue
        new = [x for x in parts.game.circuit.gate(here >> 1).tolist() if x not in seen]
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
    return "the best goal may ask each part for something of its own"


def solve_subgoals(parts: Decomposition, budget: Budget, depth: int | None = None) -> Answer:
    """A play with the best goal that the rules know. ``depth`` is not used.

    Raises Inapplicable if the parts cannot all reach their subgoals, or not in any order that was tried.
    """
    begin = monotonic()
    value, net = best_goal(parts)
    if net < 0 or parts.game.circuit.edges > LARGEST:
        raise Inapplicable("the rules know no goal, or are too large to take the goal apart")
    asked = subgoals(parts, net)
    if asked is None:
        raise Inapplicable("the best goal is no conjunction of what single parts show")
    game = parts.game
    views = Views(parts, budget=budget)
    ways: list[list[int]] = []
    nodes = 0
    for i, s in enumerate(parts.dependent):
        mine = {f: asked.fixed[f] for f in s.fluents if f in asked.fixed}
        if not mine and not asked.literals[i]:
            ways.append([])
            continue
        graph = views.graph(i)
        nodes += graph.positions
        way = shortest_way(graph, _wanted(views, i, asked, mine))
        if way is None:
            raise Inapplicable(f"part {s.id} cannot do what the best goal asks of it")
        ways.append(way)
    order = _order(parts, ways, value)
    why = [
        f"{name_part(parts, i)} takes {len(way)} moves: {' '.join(str(game.moves[0][m]) for m in way)}"
        for i, way in enumerate(ways)
        if way
    ]
    why.append("in this order: " + " ".join(str(game.moves[0][m]) for m in order))
    role = game.roles[0]
    return Answer(
        game.name, NAME, True, {role: value}, {role: game.moves[0][order[0]]} if order else {}, nodes=nodes,
        seconds=monotonic() - begin, why=tuple(why),
        notes=(f"all {len(order)} moves were played through; no goal is higher than {value}",),
    )  # fmt: skip


def _wanted(views: Views, i: int, asked: Subgoals, fixed: dict[int, bool]) -> list[bool]:
    """Per local state whether it does what is asked of the part."""
    states = views.graph(i).states
    out = np.ones(states.shape[0], np.bool_)
    bits = unpack(states, len(views.game.fluents))
    for f, value in fixed.items():
        out &= bits[:, f] == value
    if asked.literals[i]:
        base = views.time_row(0) & ~views.mask(i)
        out &= np.asarray(Nets(asked.circuit, asked.literals[i])(states | base).all(axis=1))
    found: list[bool] = out.tolist()
    return found


def _order(parts: Decomposition, ways: list[list[int]], value: int) -> list[int]:
    """The ways one after the other, each part once as the last."""
    busy = [i for i, way in enumerate(ways) if way]
    for last in busy[::-1] or [-1]:
        order = [m for i in (*(i for i in busy if i != last), last) if i >= 0 for m in ways[i]]
        if play_through(parts, order, value):
            return order
    raise Inapplicable("the subgoals can be reached one by one, but not in any order that was tried")


WAY = register(Way(NAME, "single player: what the best goal asks of each part", applies, solve_subgoals, strength=35))
