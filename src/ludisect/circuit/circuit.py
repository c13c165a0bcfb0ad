"""The circuit of a game: inputs, gates, and the nets that say legal, next, terminal and goal.

Names across this arrow: ``GroundRules.fluents`` and ``moves`` -> inputs, in that order; ``legal_atom`` -> ``legal``,
``next_atom`` -> ``next``, ``terminal_atom`` -> ``terminal``, ``goal_atom`` -> ``goal``: literals of the netlist (see
``netlist`` for what a literal is).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit import factor, netlist
from ludisect.circuit.limits import CircuitLimits
from ludisect.circuit.unfold import unfold
from ludisect.effort import spend
from ludisect.ground import GroundRules
from ludisect.kernels.kernel import jit
from ludisect.progress import report

Ints = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Circuit:
    """A netlist (see ``netlist`` for the layout) with named outputs.

    ``roles[r]`` is (first input node, past the last) of role r's moves. ``input_value`` holds, per input node, 0 or 1
    for an input that is known to be constant in every reachable state, else 2; such inputs are read by no gate.
    """

    n_fluents: int
    roles: Ints
    start: Ints
    literals: Ints
    legal: Ints
    next: Ints
    terminal: int
    goal: Ints
    initial: NDArray[np.bool_]
    input_value: NDArray[np.int8]

    @property
    def n_inputs(self) -> int:
        """Fluents and moves together."""
        return self.n_fluents + self.legal.size

    @property
    def gates(self) -> int:
        """Number of AND gates."""
        return self.start.size - 1

    @property
    def edges(self) -> int:
        """Number of gate inputs: what an evaluation costs."""
        return int(self.literals.size)

    @property
    def outputs(self) -> Ints:
        """legal, next, terminal and goal in one array."""
        return np.concatenate([self.legal, self.next, np.array([self.terminal], np.int32), self.goal]).astype(np.int32)

    @property
    def constant_fluents(self) -> NDArray[np.bool_]:
        """Which fluents are the same in every reachable state, as far as folding shows."""
        return np.asarray(self.input_value[1 : 1 + self.n_fluents] < 2)

    @property
    def role_of(self) -> Ints:
        """Per node up to the last input: the role whose move it is, or -1."""
        out = np.full(self.n_inputs + 1, -1, np.int32)
        for r, (low, high) in enumerate(self.roles):
            out[low:high] = r
        return out

    def with_netlist(self, start: Ints, literals: Ints, outputs: Ints) -> Circuit:
        """The same interface over another netlist."""
        m, f = self.legal.size, self.n_fluents
        return replace(
            self,
            start=start,
            literals=literals,
            legal=outputs[:m],
            next=outputs[m : m + f],
            terminal=int(outputs[m + f]),
            goal=outputs[m + f + 1 :],
        )

    def gate(self, node: int) -> Ints:
        """The literals of the gate at a node."""
        g = node - self.n_inputs - 1
        return self.literals[self.start[g] : self.start[g + 1]]

    def levels(self) -> Ints:
        """Per gate: 1 + the highest level among the gates that it reads."""
        levels: Ints = _levels(self.n_inputs, self.start, self.literals)
        return levels

    def cone(self, outputs: Sequence[int] | Ints) -> NDArray[np.bool_]:
        """Which gates the given literals depend on."""
        wanted = np.asarray(outputs, np.int32)
        return netlist.live_gates(self.n_inputs, self.start, self.literals, wanted)  # type: ignore[no-any-return]

    def support(self, outputs: Sequence[int] | Ints) -> NDArray[np.int64]:
        """The input nodes that the given literals depend on, through whatever gates."""
        read = _read(self.n_inputs, self.start, self.literals, np.asarray(outputs, np.int32))
        return np.sort(read)

    def reached(self, inputs: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Per node: whether it reads one of the marked input nodes, through whatever gates."""
        return _reached(self.n_inputs, self.start, self.literals, inputs)  # type: ignore[no-any-return]

    def cofactor(self, fixed: Mapping[int, int]) -> Circuit:
        """Fix inputs (node -> 0 or 1), fold, and get a smaller circuit with the same interface.

        What follows from the rules of play folds too: a move that cannot be legal any more is not done, and the only
        move that a role has left is.
        """
        values = np.full(self.n_inputs + 1, 2, np.int8)
        for node, value in fixed.items():
            values[node] = value
        circuit = self
        while True:
            circuit = circuit._substitute(values)
            moves = _settled_moves(circuit, values)
            if not moves:
                return circuit.optimize() if circuit.edges <= CircuitLimits.current().circuit_large else circuit
            for node, value in moves.items():
                values[node] = value

    def known(self, values: NDArray[np.int8]) -> Circuit:
        """With inputs (per node 0, 1, or 2 for open) put in that are constant in every reachable state.

        Their own nets say so too: such a fluent stays as it is, such a move is never legal.
        """
        circuit = self._substitute(values)
        fluents, moves = values[1 : 1 + self.n_fluents], values[1 + self.n_fluents :]
        following, legal = circuit.next.copy(), circuit.legal.copy()
        following[fluents == 1], following[fluents == 0] = netlist.TRUE, netlist.FALSE
        legal[moves == 0] = netlist.FALSE
        return replace(circuit, next=following, legal=legal)._simplify()

    def _substitute(self, values: NDArray[np.int8]) -> Circuit:
        input_map = (2 * np.arange(self.n_inputs + 1)).astype(np.int32)
        input_map[values == 1] = netlist.TRUE
        input_map[values == 0] = netlist.FALSE
        input_map[0] = netlist.TRUE
        known = np.where(values < 2, values, self.input_value).astype(np.int8)
        known[0] = 1
        return replace(self, input_value=known)._simplify(input_map)

    def _simplify(self, input_map: Ints | None = None) -> Circuit:
        spend(0)  # a place to end
        if input_map is None:
            input_map = (2 * np.arange(self.n_inputs + 1)).astype(np.int32)
            # a move known never to be legal does not count among the moves of its role
            input_map[self.input_value == 0] = netlist.FALSE
        return self.with_netlist(
            *netlist.simplify(
                self.n_inputs, self.start, self.literals, self.outputs, input_map, self.role_of, self.roles
            )
        )

    def fold(self) -> Circuit:
        """Put in the fluents that never change and the moves that are never (or always) made, to a fixpoint."""
        known = self.input_value[1 : 1 + self.n_fluents]
        if ((known < 2) & (known != self.initial)).any():
            raise ValueError("the initial state contradicts fluents that are folded in as constants")
        circuit = self._simplify()
        while True:
            values = netlist.spread_constants(
                circuit.n_inputs, circuit.start, circuit.literals, circuit.initial, circuit.roles, circuit.role_of,
                circuit.legal, circuit.next,
            )  # fmt: skip
            if np.array_equal(values, circuit.input_value):
                return circuit
            circuit = circuit._substitute(values)

    def optimize(self, rival: int | None = None) -> Circuit:
        """Factor, share and simplify until next to nothing is saved.

        Gives up early if factoring leaves more than twice the edges of a ``rival`` circuit.
        """
        circuit, limits = self._simplify(), CircuitLimits.current()
        while True:
            spend(0)  # a place to end
            smaller = circuit.with_netlist(
                *factor.factor(circuit.n_inputs, circuit.start, circuit.literals, circuit.outputs)
            )._simplify()
            if smaller.edges >= circuit.edges * (1 - limits.circuit_factor_worth):
                break
            circuit = smaller
            if rival is not None and circuit.edges > 2 * rival:
                return circuit
            if circuit.edges > limits.circuit_large:
                break
        while True:
            spend(0)  # a place to end
            shared = circuit.with_netlist(
                *factor.share_pairs(
                    circuit.n_inputs, circuit.start, circuit.literals, circuit.outputs, limits.circuit_pair_fan_in
                )
            )._simplify()
            saved = circuit.edges - shared.edges
            if saved > 0:
                circuit = shared
            if saved <= limits.circuit_share_worth * circuit.edges or circuit.edges > limits.circuit_large:
                return circuit

    def dump(self) -> str:
        """The netlist as text, one gate per line; the same circuit always gives the same text."""
        return "\n".join(self._dump_lines())

    def _dump_lines(self) -> Iterator[str]:
        def name(literal: int) -> str:
            node = literal >> 1
            sign = "~" if literal & 1 else ""
            if node == 0:
                return "0" if literal & 1 else "1"
            if node <= self.n_fluents:
                return f"{sign}f{node - 1}"
            return f"{sign}m{node - 1 - self.n_fluents}" if node <= self.n_inputs else f"{sign}g{node}"

        for node in range(self.n_inputs + 1, self.n_inputs + 1 + self.gates):
            yield f"g{node} = {' & '.join(name(x) for x in self.gate(node).tolist())}"
        yield f"terminal = {name(self.terminal)}"
        for label, group in (("legal", self.legal), ("next", self.next), ("goal", self.goal)):
            for i, literal in enumerate(group.tolist()):
                yield f"{label} {i} = {name(literal)}"


def _settled_moves(circuit: Circuit, values: NDArray[np.int8]) -> dict[int, int]:
    """Moves that a folded `legal` decides and that are not fixed yet."""
    out: dict[int, int] = {}
    first_move = 1 + circuit.n_fluents
    for low, high in circuit.roles.tolist():
        impossible = circuit.legal[low - first_move : high - first_move] == netlist.FALSE
        free = (circuit.input_value[low:high] == 2) & (values[low:high] == 2)
        out |= dict.fromkeys((low + np.flatnonzero(free & impossible)).tolist(), 0)
        if np.count_nonzero(~impossible) == 1:
            out |= dict.fromkeys((low + np.flatnonzero(free & ~impossible)).tolist(), 1)
    return out


@jit("(int64, int32[::1], int32[::1])")
def _levels(n_inputs: int, start: Ints, literals: Ints) -> Ints:
    n_gates = start.size - 1
    level = np.zeros(n_gates, np.int32)
    for g in range(n_gates):
        high = 0
        for e in range(start[g], start[g + 1]):
            child = (literals[e] >> 1) - n_inputs - 1
            if child >= 0:
                high = max(high, level[child])
        level[g] = high + 1
    return level


@jit("(int64, int32[::1], int32[::1], boolean[::1])")
def _reached(n_inputs: Any, start: Any, literals: Any, inputs: Any) -> Any:
    out = np.zeros(n_inputs + start.size, np.bool_)
    out[: n_inputs + 1] = inputs
    for g in range(start.size - 1):
        for e in range(start[g], start[g + 1]):
            if out[literals[e] >> 1]:
                out[n_inputs + 1 + g] = True
                break
    return out


@jit("(int64, int32[::1], int32[::1], int32[::1])")
def _read(n_inputs: Any, start: Any, literals: Any, outputs: Any) -> Any:
    """The inputs in the cone of some outputs, each once. Only the cone is walked: single nets are asked for by the
    thousand, and a pass over all gates for each would be long."""
    seen = np.zeros(n_inputs + start.size, np.bool_)
    found = np.empty(n_inputs, np.int64)
    stack = np.empty(start.size - 1, np.int32)
    n, top = 0, 0
    for out in outputs:
        n, top = _visit(out >> 1, n_inputs, seen, found, n, stack, top)
    while top > 0:
        top -= 1
        g = stack[top]
        for e in range(start[g], start[g + 1]):
            n, top = _visit(literals[e] >> 1, n_inputs, seen, found, n, stack, top)
    return found[:n].copy()


@jit
def _visit(node: Any, n_inputs: Any, seen: Any, found: Any, n: Any, stack: Any, top: Any) -> Any:
    """Note a node that was not seen yet: an input among the ``n`` found, a gate on the stack of ``top``."""
    if node == 0 or seen[node]:
        return n, top
    seen[node] = True
    if node <= n_inputs:
        found[n] = node
        return n + 1, top
    stack[top] = node - n_inputs - 1
    return n, top + 1


def build(ground: GroundRules, rival: int | None = None) -> Circuit:
    """The folded, optimized circuit of ground rules; less is done if it cannot be smaller than ``rival`` edges."""
    n_fluents = len(ground.fluents)
    inputs = np.concatenate([ground.true_atom, ground.does_atom]).astype(np.int32)
    wanted = np.concatenate(
        [ground.legal_atom, ground.next_atom, np.array([ground.terminal_atom], np.int32), ground.goal_atom]
    ).astype(np.int32)
    report("building", 0, 3)
    start, literals, outputs = unfold(ground.words, ground.n_rules, inputs, wanted)
    bounds = np.cumsum([1 + n_fluents, *(len(m) for m in ground.moves)])
    empty = np.empty(0, np.int32)
    raw = Circuit(
        n_fluents=n_fluents,
        roles=np.stack([bounds[:-1], bounds[1:]], axis=1).astype(np.int32),
        start=empty,
        literals=empty,
        legal=np.empty(ground.legal_atom.size, np.int32),
        next=empty,
        terminal=0,
        goal=empty,
        initial=ground.initial,
        input_value=np.concatenate([[1], np.full(inputs.size, 2)]).astype(np.int8),
    ).with_netlist(start, literals, outputs)
    report("building", 1, 3)
    folded = raw.fold()
    report("building", 2, 3)
    circuit = folded.optimize(rival)
    report("building", 3, 3)
    return circuit
