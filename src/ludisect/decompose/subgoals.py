"""Subgoals and victory conditions: what parts of the goal nets decide the score by themselves (§4.7).

Every fluent and gate below the goal nets is set to each value in turn, and three values are propagated. A value that
makes a role's best goal certain is a victory condition; one without which the best goal is out of reach, or that makes
a better goal than the worst certain, is a subgoal. What lies above a found one is not looked at: conditions are
minimal. The fluents below a condition belong together, because nothing smaller earns a part of the score.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.decompose.signals import force, reach


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
    nodes, used = _goal_nodes(game)
    assumptions = [(2 * n + c,) for n in nodes.tolist() for c in (0, 1)]
    certain, impossible = force(circuit, assumptions, circuit.goal)
    below = {int(n): i for i, n in enumerate(nodes.tolist())}
    won = np.zeros(len(nodes), np.bool_)
    found = np.zeros(len(nodes), np.bool_)
    victory: list[tuple[int, int]] = []
    subgoals: list[tuple[int, int]] = []
    for i, node in enumerate(nodes.tolist()):
        if node > circuit.n_inputs:
            children = [below[c] for c in (circuit.gate(node) >> 1).tolist() if c in below]
            won[i] = won[children].any()
            found[i] = found[children].any()
        new_win = new_goal = False
        for c in (0, 1):
            if not used[i, c]:
                continue
            this, other = 2 * i + c, 2 * i + 1 - c
            for role, top in best.items():
                if certain[top, this]:
                    if not won[i]:
                        victory.append((role, i))
                        new_win = True
                elif not found[i] and _is_subgoal(game, role, top, worst[role], this, other, certain, impossible):
                    subgoals.append((role, i))
                    new_goal = True
        won[i] |= new_win
        found[i] |= new_goal or new_win
    reached = _fluents_below(game, nodes)
    if any(all(role != r for role, _ in subgoals) for r in best):
        subgoals = []
    return Conditions(_sets(victory, reached), _sets(subgoals, reached))


def _sets(found: list[tuple[int, int]], reached: list[frozenset[int]]) -> tuple[tuple[int, frozenset[int]], ...]:
    return tuple(dict.fromkeys((role, reached[i]) for role, i in found))


def _is_subgoal(
    game: Game, role: int, top: int, bottom: int, this: int, other: int, certain: NDArray[np.bool_],
    impossible: NDArray[np.bool_],
) -> bool:  # fmt: skip
    if impossible[top, other]:
        return not impossible[top, this]
    if impossible[top, this]:
        return False
    if impossible[bottom, this]:
        return True
    return any(certain[net, this] for net, (r, _) in enumerate(game.goal_table) if r == role and net != bottom)


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


def _goal_nodes(game: Game) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Fluents and gates below the goal nets in topological order, and the signs with which the nets use them."""
    circuit = game.circuit
    used = np.zeros((1 + circuit.n_inputs + circuit.gates, 2), np.bool_)
    for literal in circuit.goal.tolist():
        used[literal >> 1, literal & 1] = True
    for node in range(circuit.n_inputs + circuit.gates, circuit.n_inputs, -1):
        if used[node].any():
            for literal in circuit.gate(node).tolist():
                for c in (0, 1):
                    used[literal >> 1, c ^ (literal & 1)] |= used[node, c]
    nodes = np.flatnonzero(used.any(axis=1))
    nodes = nodes[(nodes > 0) & ((nodes <= circuit.n_fluents) | (nodes > circuit.n_inputs))]
    return nodes, used[nodes]


def _fluents_below(game: Game, nodes: NDArray[np.int64]) -> list[frozenset[int]]:
    rows = reach(game.circuit, (2 * nodes).astype(np.int32)).either()
    bits = np.unpackbits(rows.view(np.uint8), axis=1, bitorder="little")[:, : len(game.fluents)]
    return [frozenset(np.flatnonzero(row).tolist()) for row in bits]
