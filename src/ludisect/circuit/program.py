"""A circuit -> straight programs for the lanes: gates in an order that is cheap to run, and where nets go.

The kernel runs gates in *runs*: stretches of gates with the same number of plain and complemented edges, so that the
loop over a run has no branches. Gates are taken depth first from the outputs, in chunks, so that what belongs together
is computed together; inside a chunk they are scheduled greedily: of all kinds of gate that have some gate ready, take
the kind with the most, and run everything of that kind that is or becomes ready. Results are numbered in the order in
which they are computed, so a run needs to store no output indices.
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

Ints = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """Runs of gates: rows of (plain edges, complemented edges, gates); ``index`` lists the nodes that they read.

    The first gate writes node ``base``, the next ``base + 1`` and so on.
    """

    base: int
    runs: Ints
    index: Ints

    @property
    def size(self) -> int:
        """How many nodes it writes."""
        return int(self.runs[:, 2].sum())


@jit("(int64, int32[::1], int32[::1], int32[::1], int32[::1], int64, int64)")
def _schedule(n_inputs: Any, start: Any, literals: Any, together: Any, kind: Any, n_kinds: Any, chunk: Any) -> Any:
    """The gates of ``together`` chunk by chunk, reordered inside each chunk for long runs of one kind.

    Every gate comes after those it reads; ``together`` has that property already.
    """
    first = n_inputs + 1
    place = np.full(start.size - 1, -1, np.int32)  # of a gate in the chunk at hand
    order = np.empty_like(together)
    head = np.full(n_kinds, -1, np.int32)  # linked lists of ready gates, by kind
    tail = np.full(n_kinds, -1, np.int32)
    ready = np.zeros(n_kinds, np.int64)
    waiting = np.zeros(chunk, np.int32)
    after = np.full(chunk, -1, np.int32)
    n = 0
    for low in range(0, together.size, chunk):
        size = min(chunk, together.size - low)
        for i in range(size):
            place[together[low + i]] = i
        reader_start = np.zeros(size + 1, np.int32)
        waiting[:] = 0
        for i in range(size):
            g = together[low + i]
            for e in range(start[g], start[g + 1]):
                child = (literals[e] >> 1) - first
                if child >= 0 and place[child] >= 0:
                    waiting[i] += 1
                    reader_start[place[child] + 1] += 1
        for i in range(size):
            reader_start[i + 1] += reader_start[i]
        fill = reader_start[:-1].copy()
        readers = np.empty(reader_start[size], np.int32)
        for i in range(size):
            g = together[low + i]
            for e in range(start[g], start[g + 1]):
                child = (literals[e] >> 1) - first
                if child >= 0 and place[child] >= 0:
                    readers[fill[place[child]]] = i
                    fill[place[child]] += 1
        for i in range(size):
            if waiting[i] == 0:
                _push_ready(i, kind[together[low + i]], head, tail, after, ready)
        end = n + size
        while n < end:
            best = np.argmax(ready)
            while head[best] >= 0:
                i = head[best]
                head[best] = after[i]
                ready[best] -= 1
                order[n] = together[low + i]
                n += 1
                for at in range(reader_start[i], reader_start[i + 1]):
                    j = readers[at]
                    waiting[j] -= 1
                    if waiting[j] == 0:
                        _push_ready(j, kind[together[low + j]], head, tail, after, ready)
        for i in range(size):
            place[together[low + i]] = -1
    return order


@jit
def _push_ready(i: Any, k: Any, head: Any, tail: Any, after: Any, ready: Any) -> None:
    """Append gate i of the chunk to the ready gates of kind k."""
    after[i] = -1
    if head[k] < 0:
        head[k] = i
    else:
        after[tail[k]] = i
    tail[k] = i
    ready[k] += 1


@jit("(int64, int32[::1], int32[::1], boolean[::1], int32[::1])")
def _depth_first(n_inputs: Any, start: Any, literals: Any, wanted: Any, outputs: Any) -> Any:
    """The wanted gates, each output's after the other, every gate after those it reads."""
    first = n_inputs + 1
    n_gates = start.size - 1
    seen = np.zeros(n_gates, np.bool_)
    order = np.empty(n_gates, np.int32)
    stack = np.empty(n_gates + 1, np.int32)
    edge = np.empty(n_gates + 1, np.int32)
    n = 0
    for output in outputs:
        root = (output >> 1) - first
        if root < 0 or seen[root] or not wanted[root]:
            continue
        seen[root] = True
        top = 0
        stack[0] = root
        edge[0] = start[root]
        while top >= 0:
            g = stack[top]
            if edge[top] == start[g + 1]:
                order[n] = g
                n += 1
                top -= 1
                continue
            child = (literals[edge[top]] >> 1) - first
            edge[top] += 1
            if child >= 0 and wanted[child] and not seen[child]:
                seen[child] = True
                top += 1
                stack[top] = child
                edge[top] = start[child]
    return order[:n].copy()


@jit("(int32[::1], int32[::1], int32[::1], int32[::1])")
def _lay_out(order: Any, start: Any, literals: Any, node_of: Any) -> Any:
    """The node index of a schedule: per gate its plain edges, then its complemented ones, renumbered."""
    total = 0
    for g in order:
        total += start[g + 1] - start[g]
    index = np.empty(total, np.int32)
    at = 0
    for g in order:
        for sign in range(2):
            for e in range(start[g], start[g + 1]):
                if (literals[e] & 1) == sign:
                    index[at] = node_of[literals[e] >> 1]
                    at += 1
    return index


class Compiler:
    """Turns cones of one circuit into programs that share one numbering of nodes."""

    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit
        n = circuit.n_inputs + 1
        self.next_node = n
        self.node_of = np.full(n + circuit.gates, -1, np.int32)
        self.node_of[:n] = np.arange(n)
        self.done = np.zeros(circuit.gates, np.bool_)
        lengths = np.diff(circuit.start)
        signs = np.concatenate([[0], np.cumsum(circuit.literals & 1)])
        self.negative = (signs[circuit.start[1:]] - signs[circuit.start[:-1]]).astype(np.int64)
        self.positive = lengths - self.negative

    def program(self, outputs: Ints, copies: Ints | None = None) -> tuple[Program, Ints]:
        """A program for what ``outputs`` need beyond earlier programs, and the outputs as renumbered literals.

        ``copies`` are literals that get a node of their own in any case (an input that is about to be overwritten).
        """
        circuit = self.circuit
        wanted = circuit.cone(outputs) & ~self.done
        codes = self.positive * (1 << 32) + self.negative
        kinds, kind = np.unique(codes[wanted], return_inverse=True)
        kind_of = np.zeros(circuit.gates, np.int32)
        kind_of[wanted] = kind
        together = _depth_first(circuit.n_inputs, circuit.start, circuit.literals, wanted, outputs)
        order: Ints = _schedule(
            circuit.n_inputs, circuit.start, circuit.literals, together, kind_of, max(1, kinds.size),
            CircuitLimits.current().program_chunk,
        )  # fmt: skip
        base = self.next_node
        self.node_of[circuit.n_inputs + 1 + order] = base + np.arange(order.size)
        self.done |= wanted
        index = _lay_out(order, circuit.start, circuit.literals, self.node_of)
        of = kind_of[order]
        cuts = np.flatnonzero(np.diff(of, prepend=-1)) if of.size else np.empty(0, np.int64)
        runs = np.stack(
            [
                (kinds[of[cuts]] >> 32) if of.size else cuts,
                (kinds[of[cuts]] & 0xFFFFFFFF) if of.size else cuts,
                np.diff(cuts, append=of.size),
            ],
            axis=1,
        )
        self.next_node += order.size
        if copies is not None and copies.size:
            plain, inverted = copies[copies & 1 == 0], copies[copies & 1 == 1]
            rows = [[1, 0, plain.size]] * bool(plain.size) + [[0, 1, inverted.size]] * bool(inverted.size)
            runs = np.concatenate([runs, np.array(rows)])
            index = np.concatenate([index, self.node_of[plain >> 1], self.node_of[inverted >> 1]])
            self.next_node += copies.size
        return Program(base, runs.astype(np.int32), index.astype(np.int32)), self.literals(outputs)

    def literals(self, outputs: Ints) -> Ints:
        """Literals of the circuit in the numbering of the programs."""
        found: Ints = (2 * self.node_of[outputs >> 1] + (outputs & 1)).astype(np.int32)
        return found


@dataclass(frozen=True, slots=True, eq=False)
class MoveList:
    """One role's moves in a step: literals of `legal` and the input nodes to write, padded to a multiple of eight."""

    role: int
    legal: Ints
    target: Ints
    moves: int


@dataclass(frozen=True, slots=True, eq=False)
class StepProgram:
    """All that one step of a playout needs, in one phase of the game (see ``phase``)."""

    legal: Program
    terminal: int
    must: Ints
    """Literals that hold unless some role without a choice is stuck."""
    choices: tuple[MoveList, ...]
    next: Program
    update: Ints
    """Rows (fluent node, literal of its next value)."""
    n_nodes: int


def step_program(circuit: Circuit, fluents: NDArray[np.int64], scratch: int) -> StepProgram:
    """Compile one phase. ``fluents`` are the nodes to keep up to date; ``scratch`` is a node free to overwrite."""
    compiler = Compiler(circuit)
    first_move = 1 + circuit.n_fluents
    must: list[int] = []
    chosen: list[tuple[int, Ints, Ints]] = []
    for r, (low, high) in enumerate(circuit.roles.tolist()):
        legal = circuit.legal[low - first_move : high - first_move]
        possible = np.flatnonzero(legal != FALSE)
        if possible.size == 1:
            if legal[possible[0]] != TRUE:
                must.append(int(legal[possible[0]]))
        elif possible.size == 0:
            must.append(FALSE)
        else:
            chosen.append((r, legal[possible], (low + possible).astype(np.int32)))
    heads = [np.array([circuit.terminal, *must], np.int32), *(legal for _, legal, _ in chosen)]
    program, outputs = compiler.program(np.concatenate(heads))
    at = 1 + len(must)
    choices = []
    for r, legal, target in chosen:
        pad = -legal.size % 8
        choices.append(
            MoveList(
                r,
                np.concatenate([outputs[at : at + legal.size], np.full(pad, FALSE, np.int32)]).astype(np.int32),
                np.concatenate([target, np.full(pad, scratch, np.int32)]).astype(np.int32),
                legal.size,
            )
        )
        at += legal.size
    following = circuit.next[fluents - 1]
    moving = following != 2 * fluents  # a fluent whose next value is itself needs no update
    fluents, following = fluents[moving], following[moving]
    # Updates are made in place, so a next value that is another fluent's present one is copied first.
    is_wire = (following >> 1 >= 1) & (following >> 1 <= circuit.n_fluents)
    wires = following[is_wire]
    nexts, literals = compiler.program(following, copies=wires)
    if wires.size:
        order = np.concatenate([np.flatnonzero(wires & 1 == 0), np.flatnonzero(wires & 1 == 1)])
        nodes = np.empty(wires.size, np.int32)
        nodes[order] = np.arange(compiler.next_node - wires.size, compiler.next_node)
        literals[is_wire] = 2 * nodes
    return StepProgram(
        legal=program,
        terminal=int(outputs[0]),
        must=outputs[1 : 1 + len(must)].copy(),
        choices=tuple(choices),
        next=nexts,
        update=np.stack([fluents, literals], axis=1).astype(np.int32),
        n_nodes=compiler.next_node,
    )


@jit("(int64, int64, int32[::1], int32[::1], int32[::1], int32[::1])")
def _felt(n_inputs: Any, n_fluents: Any, start: Any, literals: Any, nxt: Any, wanted: Any) -> Any:
    """Which nodes the wanted literals depend on, now or through the next values of fluents later."""
    first = n_inputs + 1
    reached = np.zeros(first + start.size - 1, np.bool_)
    stack = np.empty(reached.size + wanted.size, np.int32)
    top = 0
    for literal in wanted:
        node = literal >> 1
        if not reached[node]:
            reached[node] = True
            stack[top] = node
            top += 1
    while top > 0:
        top -= 1
        node = stack[top]
        if 1 <= node <= n_fluents:
            child = nxt[node - 1] >> 1
            if not reached[child]:
                reached[child] = True
                stack[top] = child
                top += 1
        elif node >= first:
            for e in range(start[node - first], start[node - first + 1]):
                child = literals[e] >> 1
                if not reached[child]:
                    reached[child] = True
                    stack[top] = child
                    top += 1
    return reached


def relevant_fluents(circuit: Circuit) -> NDArray[np.int64]:
    """Nodes of the fluents that legal, terminal or goal can ever feel: the others need not be simulated."""
    wanted = np.concatenate([circuit.legal, np.array([circuit.terminal], np.int32), circuit.goal])
    reached = _felt(circuit.n_inputs, circuit.n_fluents, circuit.start, circuit.literals, circuit.next, wanted)
    return 1 + np.flatnonzero(reached[1 : 1 + circuit.n_fluents])
