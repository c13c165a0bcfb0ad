"""Decision diagrams of nets: two nets say the same of all states iff their diagrams are the same.

Made for goals that count: a count of facts has a small diagram whatever the order of the facts, while a solver that
learns clauses needs exponentially many of them to see that two counts agree.
"""

from __future__ import annotations

from collections.abc import Mapping

from ludisect.circuit.circuit import Circuit
from ludisect.circuit.netlist import TRUE

NO, YES = 0, 1
"""The two diagrams without a question."""


class TooLarge(Exception):
    """A diagram has more nodes than are wanted."""


class Diagrams:
    """Diagrams over the inputs that some nets of a circuit read; equal numbers mean equal functions."""

    def __init__(self, circuit: Circuit, nets: list[int], most: int) -> None:
        self._circuit, self._most = circuit, most
        self.inputs = [int(node) for node in circuit.support(nets)]
        self._rank = {node: k for k, node in enumerate(self.inputs)}
        leaf = len(self.inputs)
        self._nodes: list[tuple[int, int, int]] = [(leaf, NO, NO), (leaf, YES, YES)]
        """Per diagram: the place of the input that it asks for, and what it is if that fails and if it holds."""
        self._number: dict[tuple[int, int, int], int] = {}
        self._both: dict[tuple[int, int], int] = {}
        self._not: dict[int, int] = {NO: YES, YES: NO}
        self._net: dict[int, int] = {0: YES}

    def _make(self, rank: int, fails: int, holds: int) -> int:
        if fails == holds:
            return fails
        key = rank, fails, holds
        if key not in self._number:
            if len(self._nodes) >= self._most:
                raise TooLarge
            self._number[key] = len(self._nodes)
            self._nodes.append(key)
        return self._number[key]

    def _and(self, one: int, two: int) -> int:
        if one == NO or two == NO:
            return NO
        if one in (YES, two):
            return two
        if two == YES:
            return one
        key = (one, two) if one < two else (two, one)
        if key not in self._both:
            (r, f, h), (s, g, k) = self._nodes[one], self._nodes[two]
            rank = min(r, s)
            fails = self._and(f if r == rank else one, g if s == rank else two)
            holds = self._and(h if r == rank else one, k if s == rank else two)
            self._both[key] = self._make(rank, fails, holds)
        return self._both[key]

    def _negated(self, one: int) -> int:
        if one not in self._not:
            rank, fails, holds = self._nodes[one]
            self._not[one] = self._make(rank, self._negated(fails), self._negated(holds))
        return self._not[one]

    def of(self, literal: int) -> int:
        """The diagram of a literal; raises TooLarge."""
        if literal >> 1 == TRUE >> 1:
            return YES if literal == TRUE else NO
        stack = [literal >> 1]
        while stack:
            node = stack[-1]
            if node in self._net:
                stack.pop()
                continue
            if node <= self._circuit.n_inputs:
                self._net[node] = self._make(self._rank[node], NO, YES)
                continue
            inputs = self._circuit.gate(node).tolist()
            missing = [one >> 1 for one in inputs if one >> 1 not in self._net]
            if missing:
                stack.extend(missing)
                continue
            out = YES
            for one in inputs:
                out = self._and(out, self._side(one))
            self._net[node] = out
        return self._side(literal)

    def _side(self, literal: int) -> int:
        found = self._net[literal >> 1]
        return self._negated(found) if literal & 1 else found

    def count(self, weights: Mapping[int, int], total: int) -> int:
        """The diagram of "the weights of the inputs that hold sum up to this"; raises TooLarge."""
        known: dict[tuple[int, int], int] = {}

        def rest(rank: int, left: int) -> int:
            if rank == len(self.inputs):
                return NO if left else YES
            if (rank, left) not in known:
                weight = weights.get(self.inputs[rank], 0)
                known[rank, left] = self._make(rank, rest(rank + 1, left), rest(rank + 1, left - weight))
            return known[rank, left]

        return rest(0, total)
