"""New gates put behind those of a circuit, or the old ones once more with other nets for inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ludisect.circuit.circuit import Circuit, Ints
from ludisect.circuit.netlist import TRUE


class NewGates:
    """AND gates that read literals of a circuit, or of each other."""

    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit
        self.sizes: list[int] = []
        self.literals: list[int] = []

    def both(self, literals: Sequence[int]) -> int:
        """The literal of an AND."""
        if not literals:
            return TRUE
        self.sizes.append(len(literals))
        self.literals += literals
        return 2 * (self.circuit.n_inputs + self.circuit.gates + len(self.sizes))

    def either(self, literals: Sequence[int]) -> int:
        """The literal of an OR."""
        return self.both([x ^ 1 for x in literals]) ^ 1

    def put_behind(self) -> Circuit:
        """The circuit with these gates; no output of it reads them yet."""
        ends = self.circuit.start[-1] + np.cumsum(self.sizes, dtype=np.int32)
        return replace(
            self.circuit,
            start=np.concatenate([self.circuit.start, ends]).astype(np.int32),
            literals=np.concatenate([self.circuit.literals, np.array(self.literals, np.int32)]).astype(np.int32),
        )


def once_more(circuit: Circuit, instead: Mapping[int, int], outputs: Ints) -> tuple[Circuit, Ints]:
    """The circuit with a second copy of its gates, which reads other literals instead of some inputs (nodes), and the
    given outputs as literals of the copy."""
    other = 2 * (np.arange(circuit.n_inputs + 1 + circuit.gates) + circuit.gates)
    other[: circuit.n_inputs + 1] -= 2 * circuit.gates
    for node, literal in instead.items():
        other[node] = literal
    both = replace(
        circuit,
        start=np.concatenate([circuit.start, circuit.start[-1] + circuit.start[1:]]).astype(np.int32),
        literals=np.concatenate([circuit.literals, other[circuit.literals >> 1] ^ (circuit.literals & 1)]).astype(
            np.int32
        ),
    )
    return both, (other[outputs >> 1] ^ (outputs & 1)).astype(np.int32)
