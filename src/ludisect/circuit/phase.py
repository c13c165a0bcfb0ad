"""Turns: fluents that go round by themselves (whose turn it is), found by folding, and one circuit per turn.

If all lanes of a batch stand at the same turn, the fluents that say whose turn it is are constants there, and the
circuit with those constants folded in is often half as large: the waiting role has one move, and no gates for the rest.

Found so: follow the initial state in three-valued logic (moves unknown unless a role has only one) and collect the
fluents that repeat with a short period; then keep those for which it is proved: with the values of turn k put in,
their `next` nets must fold to the values of turn k + 1. What fails is dropped, and the proof is tried again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.circuit import Circuit
from ludisect.circuit.limits import CircuitLimits
from ludisect.circuit.netlist import FALSE, TRUE
from ludisect.kernels.kernel import jit


@dataclass(frozen=True, slots=True)
class Phases:
    """``circuits[k]`` is the game at turn k; ``values[k]`` gives the turn's fluents (node -> 0 or 1)."""

    circuits: tuple[Circuit, ...]
    values: tuple[dict[int, int], ...]


@jit("(int64, int32[::1], int32[::1], int64, int32[:, ::1], int32[::1], int32[::1], boolean[::1], int64)")
def _follow(
    n_inputs: Any, start: Any, literals: Any, n_fluents: Any, roles: Any, legal: Any, nxt: Any, initial: Any, steps: Any
) -> Any:
    """Values (0, 1, or 2 for unknown) of all fluents at steps 0, 1, … from the initial state, whatever is played."""
    first = n_inputs + 1
    value = np.empty(first + start.size - 1, np.int8)
    seen = np.empty((steps, n_fluents), np.int8)
    state = np.empty(n_fluents, np.int8)
    for f in range(n_fluents):
        state[f] = 1 if initial[f] else 0
    for t in range(steps):
        seen[t] = state
        value[0] = 1
        value[1 : 1 + n_fluents] = state
        value[1 + n_fluents : first] = 2
        _evaluate(first, start, literals, value)
        for r in range(roles.shape[0]):
            possible = 0
            for node in range(roles[r, 0], roles[r, 1]):
                if _literal(value, legal[node - 1 - n_fluents]) != 0:
                    possible += 1
            for node in range(roles[r, 0], roles[r, 1]):
                if _literal(value, legal[node - 1 - n_fluents]) == 0:
                    value[node] = 0
                else:
                    value[node] = 1 if possible == 1 else 2
        _evaluate(first, start, literals, value)
        for f in range(n_fluents):
            state[f] = _literal(value, nxt[f])
    return seen


@jit
def _literal(value: Any, literal: Any) -> Any:
    x = value[literal >> 1]
    return x if x == 2 or (literal & 1) == 0 else 1 - x


@jit
def _evaluate(first: Any, start: Any, literals: Any, value: Any) -> None:
    for g in range(start.size - 1):
        result = 1
        for e in range(start[g], start[g + 1]):
            x = _literal(value, literals[e])
            if x == 0:
                result = 0
                break
            if x == 2:
                result = 2
        value[first + g] = result


def _candidates(circuit: Circuit) -> tuple[int, NDArray[np.int8], list[int]]:
    """The shortest period with most fluents: (period, value per step and fluent, fluents)."""
    limits = CircuitLimits.current()
    seen = _follow(
        circuit.n_inputs, circuit.start, circuit.literals, circuit.n_fluents, circuit.roles, circuit.legal,
        circuit.next, circuit.initial, limits.phase_steps,
    )  # fmt: skip
    known = (seen < 2).all(axis=0) & (circuit.input_value[1 : 1 + circuit.n_fluents] == 2)
    changing = (seen != seen[0]).any(axis=0)
    best, found = 1, np.empty(0, np.int64)
    for period in limits.phase_periods:
        if 2 * period > limits.phase_steps:
            continue  # it could not show itself
        same = (seen[period:] == seen[:-period]).all(axis=0)
        fluents = np.flatnonzero(known & changing & same)
        if fluents.size > found.size:
            best, found = period, fluents
    return best, seen, [int(f) for f in found]


def phases(circuit: Circuit) -> Phases:
    """The circuits of the turns of a game; a single one, the game itself, where there are no turns."""
    period, seen, fluents = _candidates(circuit)
    while fluents:
        values = [{1 + f: int(seen[k, f]) for f in fluents} for k in range(period)]
        circuits = [circuit.cofactor(v) for v in values]
        wrong = {
            f
            for k in range(period)
            for f in fluents
            if circuits[k].next[f] != (TRUE if seen[(k + 1) % period, f] else FALSE)
        }
        if not wrong:
            return Phases(tuple(circuits), tuple(values))
        fluents = [f for f in fluents if f not in wrong]
    return Phases((circuit,), ({},))
