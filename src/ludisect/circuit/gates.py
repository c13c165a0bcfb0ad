"""New gates put behind those of a circuit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ludisect.circuit.circuit import Circuit
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
