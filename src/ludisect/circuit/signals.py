"""Signals through the circuit, 512 at once: which inputs reach which nets, and what an assumption forces.

Two questions, each asked of many sources at once (one bit per source, eight words per net):

- *reach*: from each input, along the edges, with the sign of the path and no heed of what the gates compute;
- *force*: assume a few literals (inputs or gates) and propagate three values (true, false, unknown).

A third, *conjunctions*, walks back from each next net and asks which fluents stand in conjunction with which moves
(Hufschmitt, Vittaut and Jouandeau 2018, §4.4): at an AND that carries the signal of a move, the edges that do not carry
it; an OR under a negation is such an AND too, by De Morgan.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.circuit import Circuit
from ludisect.circuit.rows import Rows, row_words, unpack
from ludisect.effort import spend
from ludisect.kernels.kernel import jit

WORDS = 8
CHUNK = 64 * WORDS

CARRIED = 1 << 24
"""Words that the walk back from one net may take: it bounds memory, and what is found does not hang on it."""


@jit("(int64, int64, int64, int32[::1], int32[::1], int32[::1], uint64[:, ::1], uint64[:, ::1])")
def _reach(
    begin: Any, n_sources: Any, n_inputs: Any, start: Any, literals: Any, outputs: Any, up: Any, down: Any
) -> None:
    """Some words of the rows, from one on."""
    n_gates = start.size - 1
    nodes = 1 + n_inputs + n_gates
    words = (n_sources + 63) // 64
    width = min(WORDS, words - begin)
    plus = np.zeros((nodes, width), np.uint64)
    minus = np.zeros((nodes, width), np.uint64)
    for i in range(64 * begin, min(n_sources, 64 * (begin + width))):
        plus[1 + i, (i >> 6) - begin] = np.uint64(1) << np.uint64(i & 63)
    for g in range(n_gates):
        node = 1 + n_inputs + g
        for e in range(start[g], start[g + 1]):
            child = literals[e] >> 1
            if literals[e] & 1:
                for w in range(width):
                    plus[node, w] |= minus[child, w]
                    minus[node, w] |= plus[child, w]
            else:
                for w in range(width):
                    plus[node, w] |= plus[child, w]
                    minus[node, w] |= minus[child, w]
    for o in range(outputs.size):
        child = outputs[o] >> 1
        for w in range(width):
            if outputs[o] & 1:
                up[o, begin + w] = minus[child, w]
                down[o, begin + w] = plus[child, w]
            else:
                up[o, begin + w] = plus[child, w]
                down[o, begin + w] = minus[child, w]


@dataclass(frozen=True, slots=True, eq=False)
class Reach:
    """Per output: a row with bit i set if input i (node 1 + i) reaches it, positively (``up``) or not (``down``)."""

    up: Rows
    down: Rows

    def either(self) -> Rows:
        """Reached at all."""
        return self.up | self.down


def reach(circuit: Circuit, outputs: Sequence[int] | NDArray[np.int32], sources: int | None = None) -> Reach:
    """Which inputs (the first so many, or all) reach the given literals, and with which sign."""
    wanted, sources = np.asarray(outputs, np.int32), circuit.n_inputs if sources is None else sources
    shape = (wanted.size, row_words(sources))
    up, down = np.zeros(shape, np.uint64), np.zeros(shape, np.uint64)
    for begin in range(0, row_words(sources), WORDS):
        spend(0)  # a place to end
        _reach(begin, sources, circuit.n_inputs, circuit.start, circuit.literals, wanted, up, down)
    return Reach(up, down)


@jit(
    "(int64, int32[::1], int32[::1], int64[::1], int64[::1], int64[::1], boolean[::1], int64, int32[::1], "
    "uint64[:, ::1], uint64[:, ::1])"
)
def _force(
    n_inputs: Any, start: Any, literals: Any, gates: Any, nodes: Any, sources: Any, values: Any, n_sources: Any,
    outputs: Any, is_true: Any, is_false: Any,
) -> None:  # fmt: skip
    """``nodes``, ``sources``, ``values``: in source s, node n is assumed to be v; sorted by (chunk of s, n)."""
    size = 1 + n_inputs + start.size - 1
    yes = np.empty((size, WORDS), np.uint64)
    no = np.empty((size, WORDS), np.uint64)
    at = 0
    for begin in range(0, n_sources, CHUNK):
        yes[: 1 + n_inputs] = np.uint64(0)
        no[: 1 + n_inputs] = np.uint64(0)
        yes[0] = ~np.uint64(0)
        while at < nodes.size and sources[at] < begin + CHUNK and nodes[at] <= n_inputs:
            bit = sources[at] - begin
            mask = np.uint64(1) << np.uint64(bit & 63)
            if values[at]:
                yes[nodes[at], bit >> 6] |= mask
            else:
                no[nodes[at], bit >> 6] |= mask
            at += 1
        for k in range(gates.size):
            g = gates[k]
            node = 1 + n_inputs + g
            yes[node] = ~np.uint64(0)
            no[node] = np.uint64(0)
            for e in range(start[g], start[g + 1]):
                child = literals[e] >> 1
                if literals[e] & 1:
                    for w in range(WORDS):
                        yes[node, w] &= no[child, w]
                        no[node, w] |= yes[child, w]
                else:
                    for w in range(WORDS):
                        yes[node, w] &= yes[child, w]
                        no[node, w] |= no[child, w]
            while at < nodes.size and sources[at] < begin + CHUNK and nodes[at] == node:
                bit = sources[at] - begin
                mask = np.uint64(1) << np.uint64(bit & 63)
                if values[at]:
                    yes[node, bit >> 6] |= mask
                    no[node, bit >> 6] &= ~mask
                else:
                    no[node, bit >> 6] |= mask
                    yes[node, bit >> 6] &= ~mask
                at += 1
        first = begin >> 6
        for o in range(outputs.size):
            child = outputs[o] >> 1
            for w in range(min(WORDS, is_true.shape[1] - first)):
                if outputs[o] & 1:
                    is_true[o, first + w] = no[child, w]
                    is_false[o, first + w] = yes[child, w]
                else:
                    is_true[o, first + w] = yes[child, w]
                    is_false[o, first + w] = no[child, w]


def force(
    circuit: Circuit, assumptions: Sequence[Sequence[int]], outputs: Sequence[int] | NDArray[np.int32]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Three-valued propagation: (certainly true, certainly false), outputs x assumptions.

    Each assumption is a set of literals (of inputs or of gates) that are taken to hold, with all else unknown.
    """
    wanted = np.asarray(outputs, np.int32)
    n = len(assumptions)
    flat = np.array([x for group in assumptions for x in group], np.int64)
    sources = np.repeat(np.arange(n), [len(group) for group in assumptions])
    gates = np.flatnonzero(circuit.cone(wanted)).astype(np.int64)
    nodes = flat >> 1
    needed = nodes <= circuit.n_inputs
    needed |= np.isin(nodes - circuit.n_inputs - 1, gates)
    nodes, sources, values = nodes[needed], sources[needed], (flat[needed] & 1) == 0
    order = np.lexsort((nodes, sources // CHUNK))
    shape = (wanted.size, row_words(n))
    is_true, is_false = np.zeros(shape, np.uint64), np.zeros(shape, np.uint64)
    _force(
        circuit.n_inputs, circuit.start, circuit.literals, gates, nodes[order], sources[order], values[order], n,
        wanted, is_true, is_false,
    )  # fmt: skip
    return unpack(is_true, n), unpack(is_false, n)


@jit
def _cone(root: Any, n_inputs: Any, start: Any, literals: Any, place: Any, cone: Any) -> Any:
    """Nodes below ``root`` (itself too), sorted, in ``cone``; ``place[node]`` = 1 + index. Returns how many."""
    n = 0
    place[root] = 1
    cone[0] = root
    n = 1
    at = 0
    while at < n:
        node = cone[at]
        at += 1
        if node > n_inputs:
            g = node - n_inputs - 1
            for e in range(start[g], start[g + 1]):
                child = literals[e] >> 1
                if place[child] == 0:
                    place[child] = 1
                    cone[n] = child
                    n += 1
    cone[:n].sort()
    for i in range(n):
        place[cone[i]] = i + 1
    return n


@jit
def _grown(array: Any, n: Any) -> Any:
    if n < array.size:
        return array
    out = np.empty(2 * array.size, array.dtype)
    out[: array.size] = array
    return out


@jit(
    "(int64, int64, int64, int64, int64, int32[::1], int32[::1], int32[::1], boolean[:, ::1], boolean[:, ::1], "
    "boolean, boolean[:, ::1])"
)
def _conjunctions(
    f: Any, from_move: Any, carried: Any, n_inputs: Any, n_fluents: Any, start: Any, literals: Any, next_nets: Any,
    wanted: Any, exclusive: Any, own: Any, other: Any,
) -> Any:  # fmt: skip
    """(next literal, move, precondition literal) in three arrays, for fluent f and moves of its cone from some place
    on; and the place to go on from, 0 if none is left. See ``conjunctions`` and ``own_conjunctions``."""
    size = 1 + n_inputs + start.size - 1
    place = np.zeros(size, np.int32)
    cone = np.empty(size, np.int32)
    heads = np.empty(64, np.int64)
    movers = np.empty(64, np.int64)
    premises = np.empty(64, np.int64)
    found = 0
    root = next_nets[f] >> 1
    if root <= n_inputs:
        return heads[:0], movers[:0], premises[:0], 0  # a move, a fluent or a constant: nothing stands in conjunction
    n = _cone(root, n_inputs, start, literals, place, cone)
    low, high = 0, 0
    while low < n and cone[low] <= n_fluents:
        low += 1
    high = low
    while high < n and cone[high] <= n_inputs:
        high += 1
    first = low + from_move
    step = 64 * max(1, carried // (6 * n))  # so many moves at a time that what is carried stays within bounds
    m = max(0, min(step, high - first))
    width = (m + 63) // 64
    carry = np.zeros((2, n, width), np.uint64)
    for i in range(m):
        carry[0, first + i, i >> 6] = np.uint64(1) << np.uint64(i & 63)
    for i in range(high, n):
        g = cone[i] - n_inputs - 1
        for e in range(start[g], start[g + 1]):
            child = place[literals[e] >> 1] - 1
            c = literals[e] & 1
            for w in range(width):
                carry[c, i, w] |= carry[0, child, w]
                carry[1 - c, i, w] |= carry[1, child, w]
    for sign in range(2):
        head = 2 * f + sign
        alive = np.zeros((2, n, width), np.uint64)
        joined = np.zeros((2, n, width), np.uint64)
        rest = np.zeros(width, np.uint64)
        p = (next_nets[f] & 1) ^ sign
        any_alive = False
        for i in range(m):
            move = cone[first + i] - 1 - n_fluents
            mask = np.uint64(1) << np.uint64(i & 63)
            if wanted[move, head] and not exclusive[head, move] and carry[p, n - 1, i >> 6] & mask:
                alive[p, n - 1, i >> 6] |= mask
                any_alive = True
        if not any_alive:
            continue
        for i in range(n - 1, high - 1, -1):
            g = cone[i] - n_inputs - 1
            for p in range(2):
                some = False
                for w in range(width):
                    some |= (alive[p, i, w] | joined[p, i, w]) != 0
                if not some:
                    continue
                for e in range(start[g], start[g + 1]):
                    child = place[literals[e] >> 1] - 1
                    q = p ^ (literals[e] & 1)
                    for w in range(width):
                        joined[q, child, w] |= joined[p, i, w]
                        alive[q, child, w] |= alive[p, i, w] & carry[q, child, w]
                        if p == 0:
                            joined[q, child, w] |= alive[p, i, w] & ~(carry[0, child, w] | carry[1, child, w])
        for i in range(low):
            if cone[i] == 0:
                continue
            if own and cone[i] != f + 1:
                for w in range(width):
                    rest[w] |= joined[0, i, w] | joined[1, i, w]
                continue
            for q in range(2):
                for w in range(width):
                    word = joined[q, i, w]
                    b = 0
                    while word:
                        if word & np.uint64(1):
                            heads = _grown(heads, found)
                            movers = _grown(movers, found)
                            premises = _grown(premises, found)
                            heads[found] = head
                            movers[found] = cone[first + 64 * w + b] - 1 - n_fluents
                            premises[found] = 2 * (cone[i] - 1) + q
                            found += 1
                        word >>= np.uint64(1)
                        b += 1
        if own:
            for i in range(m):
                if rest[i >> 6] & (np.uint64(1) << np.uint64(i & 63)):
                    other[cone[first + i] - 1 - n_fluents, head] = True
    further = from_move + step if first + step < high else 0
    return heads[:found].copy(), movers[:found].copy(), premises[:found].copy(), further


@dataclass(frozen=True, slots=True, eq=False)
class Conjunctions:
    """Row k: ``premise[k]`` stands in conjunction with ``move[k]`` (a column of ``Game.legal``) in next of ``head[k]``.

    ``head`` and ``premise`` are fluent literals, 2 * fluent + (1 if false).
    """

    head: NDArray[np.int64]
    move: NDArray[np.int64]
    premise: NDArray[np.int64]


def conjunctions(circuit: Circuit, wanted: NDArray[np.bool_], exclusive: NDArray[np.bool_]) -> Conjunctions:
    """Preconditions of next per move, for the pairs ``wanted[move, head]``.

    ``exclusive[head, move]`` marks moves that alone decide a head (Definition 4 of the paper): they have none.
    """
    return Conjunctions(*_run(circuit, wanted, exclusive, False)[0])


def own_conjunctions(circuit: Circuit, exclusive: NDArray[np.bool_]) -> tuple[Conjunctions, NDArray[np.bool_]]:
    """For all moves: only where a fluent is a premise of its own next; and [move, head], whether there are others.

    All preconditions of all moves can be tens of millions in games with frame axioms that list moves.
    """
    wanted = np.ones((circuit.legal.size, 2 * circuit.n_fluents), np.bool_)
    found, other = _run(circuit, wanted, exclusive, True)
    return Conjunctions(*found), other


def _run(
    circuit: Circuit, wanted: NDArray[np.bool_], exclusive: NDArray[np.bool_], own: bool
) -> tuple[Any, NDArray[np.bool_]]:
    other = np.zeros((circuit.legal.size, 2 * circuit.n_fluents) if own else (0, 0), np.bool_)
    found = []
    for f in range(circuit.n_fluents):
        further = -1
        while further:
            spend(0)  # a place to end
            *rows, further = _conjunctions(
                f, max(0, further), CARRIED, circuit.n_inputs, circuit.n_fluents, circuit.start, circuit.literals,
                circuit.next, wanted, exclusive, own, other,
            )  # fmt: skip
            found.append(rows)
    return [np.concatenate(column) for column in zip(*found, strict=True)], other


def move_decides(circuit: Circuit) -> NDArray[np.bool_]:
    """[next literal, move]: the move alone makes the literal certain (an exclusive precondition)."""
    first = 1 + circuit.n_fluents
    moves = [(2 * (first + m),) for m in range(circuit.legal.size)]
    certain, impossible = force(circuit, moves, circuit.next)
    out = np.empty((2 * circuit.n_fluents, circuit.legal.size), np.bool_)
    out[0::2], out[1::2] = certain, impossible
    return out
