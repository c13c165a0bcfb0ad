"""Subgoals and victory conditions: what parts of the goal nets decide the score by themselves (§4.7).

Every fluent and gate below the goal nets is set to each value in turn, and three values are propagated. A value that
makes a role's best goal certain is a victory condition; one without which the best goal is out of reach, or that makes
a better goal than the worst certain, is a subgoal. What lies above a found one is not looked at: conditions are
minimal. The fluents below a condition belong together, because nothing smaller earns a part of the score.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.rows import unpack
from ludisect.circuit.signals import force, reach
from ludisect.kernels.kernel import jit


@dataclass(frozen=True, slots=True)
class Conditions:
    """Fluents below each condition, and whose it is: (role, fluents)."""

    victory: tuple[tuple[int, frozenset[int]], ...]
    subgoals: tuple[tuple[int, frozenset[int]], ...]


def conditions(game: Game) -> Conditions:
    """Examine the goal nets."""
    circuit = game.circuit
    best, worst = _extremes(game)
    if not best:
        return Conditions((), ())
    used = np.zeros((1 + circuit.n_inputs + circuit.gates, 2), np.bool_)
    _signs(circuit.n_inputs, circuit.start, circuit.literals, circuit.goal, used)
    nodes = np.flatnonzero(used.any(axis=1))
    nodes = nodes[(nodes > 0) & ((nodes <= circuit.n_fluents) | (nodes > circuit.n_inputs))]
    certain, impossible = force(circuit, [(x,) for n in nodes.tolist() for x in (2 * n, 2 * n + 1)], circuit.goal)
    asked = used[nodes].ravel()
    other = np.arange(len(asked)) ^ 1
    wins, helps = {}, {}
    for role, top in best.items():
        wins[role] = certain[top] & asked
        mine = [n for n, (r, _) in enumerate(game.goal_table) if r == role and n != worst[role]]
        better = impossible[worst[role]] | certain[mine].any(axis=0)
        # without it the best goal is out of reach; or with it, something better than the worst is certain
        helps[role] = (impossible[top][other] | better) & ~impossible[top] & ~certain[top] & asked
    place = np.full(1 + circuit.n_inputs + circuit.gates, -1, np.int64)
    place[nodes] = np.arange(len(nodes))
    any_win, any_help = (np.logical_or.reduce(list(x.values())).reshape(-1, 2).any(axis=1) for x in (wins, helps))
    first_win, first_help = np.zeros(len(nodes), np.bool_), np.zeros(len(nodes), np.bool_)
    _minimal(circuit.n_inputs, circuit.start, circuit.literals, nodes, place, any_win, any_help, first_win, first_help)
    victory = _sets(game, nodes, {r: x.reshape(-1, 2).any(axis=1) & first_win for r, x in wins.items()})
    subgoals = _sets(game, nodes, {r: x.reshape(-1, 2).any(axis=1) & first_help for r, x in helps.items()})
    if {role for role, _ in subgoals} != set(best):
        subgoals = ()  # a role that nothing less than the whole helps: then the parts of the others are not parts
    return Conditions(victory, subgoals)


@jit("(int64, int32[::1], int32[::1], int32[::1], boolean[:, ::1])")
def _signs(n_inputs: Any, start: Any, literals: Any, outputs: Any, used: Any) -> None:
    """With which signs the outputs use each node."""
    for literal in outputs:
        used[literal >> 1, literal & 1] = True
    for g in range(start.size - 2, -1, -1):
        node = 1 + n_inputs + g
        for c in range(2):
            if used[node, c]:
                for e in range(start[g], start[g + 1]):
                    used[literals[e] >> 1, c ^ (literals[e] & 1)] = True


@jit("(int64, int32[::1], int32[::1], int64[::1], int64[::1], boolean[::1], boolean[::1], boolean[::1], boolean[::1])")
def _minimal(
    n_inputs: Any, start: Any, literals: Any, nodes: Any, place: Any, win: Any, help_: Any, first_win: Any,
    first_help: Any,
) -> None:  # fmt: skip
    """Which conditions have none below them; subgoals give way to victory conditions too."""
    won = np.zeros(nodes.size, np.bool_)
    found = np.zeros(nodes.size, np.bool_)
    for i in range(nodes.size):
        g = nodes[i] - n_inputs - 1
        if g >= 0:
            for e in range(start[g], start[g + 1]):
                child = place[literals[e] >> 1]
                if child >= 0:
                    won[i] |= won[child]
                    found[i] |= found[child]
        first_win[i] = win[i] and not won[i]
        first_help[i] = help_[i] and not found[i]
        won[i] |= first_win[i]
        found[i] |= first_help[i] or first_win[i]


def _sets(
    game: Game, nodes: NDArray[np.int64], found: dict[int, NDArray[np.bool_]]
) -> tuple[tuple[int, frozenset[int]], ...]:
    out: dict[tuple[int, frozenset[int]], None] = {}
    for role, which in found.items():
        rows = reach(game.circuit, (2 * nodes[which]).astype(np.int32)).either()
        for row in unpack(rows, len(game.fluents)):
            out[role, frozenset(np.flatnonzero(row).tolist())] = None
    return tuple(out)


def _extremes(game: Game) -> tuple[dict[int, int], dict[int, int]]:
    """Per role with more than one goal value that can be had: the nets of the greatest and of the least value."""
    best: dict[int, int] = {}
    worst: dict[int, int] = {}
    for net, (role, value) in enumerate(game.goal_table):
        if game.circuit.goal[net] == 1:
            continue  # constantly false: no play ends with it
        if role not in best or value > game.goal_table[best[role]][1]:
            best[role] = net
        if role not in worst or value < game.goal_table[worst[role]][1]:
            worst[role] = net
    single = [r for r in best if best[r] == worst[r]]
    for r in single:
        del best[r], worst[r]
    return best, worst
