"""Local concepts: the questions about one part that goal and terminal ask, read off the circuit.

A net that reads one part (and the context) is such a question. In a gate that reads several parts, the inputs that read
the same part are one question together: their conjunction (compare M. Günther, 2007, ch. 5, where the concepts are
found in call graphs of rules).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.circuit import Circuit
from ludisect.circuit.game import Game
from ludisect.circuit.program import Compiler
from ludisect.circuit.rows import Evaluator, Rows, unpack
from ludisect.decomposition.model.decomposition import Decomposition, Part
from ludisect.kernels.kernel import jit

NONE, MIXED = -1, -2
"""Owner of a net that reads no part; of one that reads several."""


@dataclass(frozen=True, slots=True)
class Concept:
    """A conjunction of literals that read one part; ``context`` are the context fluents that it reads too."""

    literals: tuple[int, ...]
    context: tuple[int, ...] = ()


@jit("(int64, int32[::1], int32[::1], int64[::1])")
def _net_owners(n_inputs: Any, start: Any, literals: Any, owner: Any) -> None:
    for g in range(start.size - 1):
        found = -1
        for e in range(start[g], start[g + 1]):
            child = owner[literals[e] >> 1]
            if child == -2 or (child >= 0 and found >= 0 and child != found):
                found = -2
                break
            found = max(found, child)
        owner[n_inputs + 1 + g] = found


def owners(parts: Decomposition) -> NDArray[np.int64]:
    """Per node of the circuit: the index in ``parts.dependent`` of the one part that it reads, or NONE, or MIXED."""
    circuit = parts.game.circuit
    out = np.full(circuit.n_inputs + 1 + circuit.gates, NONE, np.int64)
    for i, part in enumerate(parts.dependent):
        out[1 + np.array(part.fluent_numbers, np.int64)] = i
    _net_owners(circuit.n_inputs, circuit.start, circuit.literals, out)
    return out


def concepts(parts: Decomposition, outputs: Sequence[int] | NDArray[np.int32]) -> list[list[Concept]]:
    """Per dependent part: the concepts that determine, together with the context, the given literals."""
    circuit = parts.game.circuit
    owner = owners(parts)
    found: list[dict[tuple[int, ...], None]] = [{} for _ in parts.dependent]
    waiting = sorted({int(x) >> 1 for x in outputs})
    seen = set(waiting)
    while waiting:
        node = waiting.pop()
        if owner[node] >= 0:
            found[owner[node]].setdefault((2 * node,))
        elif owner[node] == MIXED:
            groups: dict[int, list[int]] = {}
            for literal in circuit.gate(node).tolist():
                here = int(owner[literal >> 1])
                if here >= 0:
                    groups.setdefault(here, []).append(literal)
                elif here == MIXED and literal >> 1 not in seen:
                    seen.add(literal >> 1)
                    waiting.append(literal >> 1)
            for i, group in groups.items():
                found[i].setdefault(tuple(sorted(group)) if len(group) > 1 else (group[0] & ~1,))
    context = set(parts.context_numbers)
    return [
        [Concept(c, tuple(f for f in fluents_read(circuit, c) if f in context)) for c in of_part] for of_part in found
    ]


def fluents_read(circuit: Circuit, literals: Sequence[int] | NDArray[np.int32]) -> list[int]:
    """The fluents that literals depend on."""
    nodes = circuit.support(np.asarray(literals, np.int32))
    return [int(x) - 1 for x in nodes if x <= circuit.n_fluents]


def moves_read(circuit: Circuit, literals: Sequence[int] | NDArray[np.int32]) -> list[int]:
    """The moves (roles side by side) that literals depend on."""
    nodes = circuit.support(np.asarray(literals, np.int32))
    return [int(x) - 1 - circuit.n_fluents for x in nodes if x > circuit.n_fluents]


def acting(part: Part) -> list[tuple[int, int]]:
    """(role, move) of all moves that act in a part."""
    return [(r, m) for r, classes in enumerate(part.move_numbers) for members in classes for m in members]


def side_by_side(game: Game, moves: Iterable[tuple[int, int]]) -> list[int]:
    """The numbers of moves of several roles, as the circuit has them."""
    return [int(game.batch.first_move[r]) + m for r, m in moves]


def ruling(game: Game, part: Part) -> list[int]:
    """The literals that rule a part: legality of its moves, next values of its fluents."""
    legal = game.circuit.legal[side_by_side(game, acting(part))]
    return [*legal.tolist(), *game.circuit.next[list(part.fluent_numbers)].tolist()]


def ending(parts: Decomposition) -> list[list[int]]:
    """Per dependent part: literals that read it alone and any of which ends the whole game."""
    circuit = parts.game.circuit
    owner = owners(parts)
    context = set(parts.context_numbers)
    out: list[list[int]] = [[] for _ in parts.dependent]
    waiting = [int(circuit.terminal)]
    while waiting:
        literal = waiting.pop()
        here = int(owner[literal >> 1])
        if here >= 0 and not context.intersection(fluents_read(circuit, [literal])):
            out[here].append(literal)
        elif literal & 1 and literal >> 1 > circuit.n_inputs:
            waiting.extend((circuit.gate(literal >> 1) ^ 1).tolist())
    return out


class Nets:
    """Some literals of a circuit, evaluated on many states."""

    def __init__(self, circuit: Circuit, literals: Sequence[int] | NDArray[np.int32]) -> None:
        compiler = Compiler(circuit)
        program, outputs = compiler.program(np.asarray(literals, np.int32))
        self._size = len(literals)
        self._evaluator = Evaluator(program, outputs, circuit.n_fluents, circuit.legal.size, compiler.next_node)

    def __call__(self, states: Rows) -> NDArray[np.bool_]:
        """States x literals."""
        return unpack(self._evaluator.run(states), self._size)
