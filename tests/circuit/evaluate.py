"""A slow, obvious evaluator of circuits, one state at a time: the twin of every kernel."""

from __future__ import annotations

from collections.abc import Sequence

from ludisect.circuit.circuit import Circuit


def evaluate(circuit: Circuit, inputs: Sequence[bool], outputs: Sequence[int]) -> list[bool]:
    """The values of literals, given those of all inputs (fluents, then moves)."""
    values = [True, *inputs]
    for node in range(circuit.n_inputs + 1, circuit.n_inputs + 1 + circuit.gates):
        values.append(all(values[lit >> 1] != bool(lit & 1) for lit in circuit.gate(node).tolist()))
    return [values[lit >> 1] != bool(lit & 1) for lit in outputs]
