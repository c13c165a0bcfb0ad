"""Guards kept as nets: what no small disjunction says ("every block has a liberty") stays a circuit over facts.

The layout is that of :mod:`ludisect.circuit.netlist`: node 0 is TRUE, nodes 1 to n are the facts, AND gates follow.
Settling goes through the gates with two rails ("can be 0", "can be 1"), as it goes through guards that are
conjunctions; then all gates that are settled are folded away. What is left of a guard reads open facts alone, and a
region carries it along, so that a region late in a play has few gates, whatever the game began with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.circuit import Circuit
from ludisect.circuit.numbergroups import join, root
from ludisect.kernels.kernel import jit
from ludisect.search.regions.changes import bits
from ludisect.search.regions.settling import Operator

Ints = NDArray[np.int32]
Rails = NDArray[np.uint8]


@dataclass(frozen=True, eq=False, slots=True)
class Gates:
    """AND gates over some facts, and the literals that are guards of operators, one for each."""

    start: Ints
    literals: Ints
    guards: Ints


@dataclass(frozen=True, eq=False, slots=True)
class GuardNets:
    """The guards of all operators of a game, and what each operator changes, over ``facts`` facts."""

    facts: int
    gates: Gates
    effects_at: Ints
    effects: Ints
    """Literals of facts, per operator: as they are after it was made."""
    who: Ints
    """Per operator: 0 for Left, 1 for Right."""

    @property
    def first(self) -> int:
        """The node of the first gate."""
        return 1 + self.facts

    def to_bytes(self) -> bytes:
        """All that tells two of them apart."""
        gates = self.gates
        arrays = (gates.start, gates.literals, gates.guards, self.effects_at, self.effects, self.who)
        return b"|".join(array.tobytes() for array in arrays)

    def word(self, marked: Rails) -> int:
        """Marks per fact as a word."""
        return int.from_bytes(np.packbits(marked, bitorder="little").tobytes(), "little")

    def marks(self, word: int) -> Rails:
        """A word as marks per fact."""
        raw = np.frombuffer(word.to_bytes((self.facts + 7) // 8, "little"), np.uint8)
        return np.unpackbits(raw, count=self.facts, bitorder="little")


class NetBuilder:
    """Gates of several circuits put together over the same facts."""

    def __init__(self, place: dict[int, int]) -> None:
        self._place = place
        """Per fluent of the circuits: the number of the fact."""
        self._start, self._literals = [0], list[int]()
        self._same: dict[tuple[int, ...], int] = {}

    def gate(self, literals: Sequence[int]) -> int:
        """A gate, a new one unless there is such a gate already; its literal."""
        form = tuple(sorted(set(literals)))
        if len(form) == 1:
            return form[0]
        if form not in self._same:
            self._literals += form
            self._start.append(len(self._literals))
            self._same[form] = 2 * (len(self._place) + len(self._start) - 1)
        return self._same[form]

    def cube(self, needs: int, bars: int) -> list[int]:
        """The literals of a conjunction of facts."""
        return [*(2 * (1 + f) for f in bits(needs)), *(2 * (1 + f) + 1 for f in bits(bars))]

    def copied(self, circuit: Circuit, nets: Sequence[int]) -> dict[int, int]:
        """The gates below some nets of a circuit, taken over; what each net is now."""
        number = {0: 0} | {1 + f: 1 + k for f, k in self._place.items()}

        def moved(literal: int) -> int:
            return 2 * number[literal >> 1] + (literal & 1)

        for g in np.flatnonzero(circuit.cone(list(nets))).tolist():
            node = circuit.n_inputs + 1 + g
            number[node] = self.gate([moved(one) for one in circuit.gate(node).tolist()]) >> 1
        return {net: moved(net) for net in nets}

    def nets(self, listed: Sequence[Operator], guards: Sequence[int]) -> GuardNets:
        """All of it, with the guard of each operator."""
        effects = [
            [*(2 * (1 + f) for f in bits(op.sets)), *(2 * (1 + f) + 1 for f in bits(op.clears))] for op in listed
        ]
        return GuardNets(
            len(self._place),
            Gates(np.array(self._start, np.int32), np.array(self._literals, np.int32), np.array(guards, np.int32)),
            np.cumsum([0, *map(len, effects)]).astype(np.int32),
            np.array([literal for some in effects for literal in some], np.int32),
            np.array([op.player.value == "R" for op in listed], np.int32),
        )


# ---- kernels: ``can[v, node]`` says whether a node can be v ----


@jit("(int64, int32[::1], int32[::1], uint8[:, ::1])", inner=True)
def _both(first: Any, start: Any, literals: Any, can: Any) -> None:
    for g in range(start.size - 1):
        one, zero = np.uint8(1), np.uint8(0)
        for e in range(start[g], start[g + 1]):
            node, c = literals[e] >> 1, literals[e] & 1
            one &= can[1 - c, node]
            zero |= can[c, node]
        can[1, first + g] = one
        can[0, first + g] = zero


@jit("(int64, int32[::1], int32[::1], int32[::1], int32[::1], int32[::1], int32[::1], uint8[:, ::1])")
def reach(
    first: Any, start: Any, literals: Any, guards: Any, among: Any, effects_at: Any, effects: Any, can: Any
) -> Any:
    """Which of the operators ``among`` (their guards in this order) live; ``can`` grows to what can still be."""
    live = np.zeros(among.size, np.bool_)
    grown = True
    while grown:
        grown = False
        _both(first, start, literals, can)
        for i in range(among.size):
            guard = guards[i]
            if live[i] or not can[1 - (guard & 1), guard >> 1]:
                continue
            live[i] = True
            for e in range(effects_at[among[i]], effects_at[among[i] + 1]):
                node, v = effects[e] >> 1, 1 - (effects[e] & 1)
                if not can[v, node]:
                    can[v, node] = 1
                    grown = True
    return live


@jit("(int64, int32[::1], int32[::1], int32[::1], uint8[:, ::1])")
def folded(first: Any, start: Any, literals: Any, guards: Any, can: Any) -> Any:
    """Gates that can be either, below some guards, without what is settled; the guards, and the facts that are read."""
    wanted = np.zeros(first + start.size - 1, np.uint8)
    for guard in guards:
        wanted[guard >> 1] = 1
    for g in range(start.size - 2, -1, -1):
        node = first + g
        if wanted[node] and can[0, node] and can[1, node]:
            for e in range(start[g], start[g + 1]):
                wanted[literals[e] >> 1] = 1
    stands = np.zeros(wanted.size, np.int32)  # per node the literal that it is now
    for node in range(first):
        stands[node] = 2 * node if can[0, node] and can[1, node] else 1 - can[1, node]
    new_start = np.zeros(start.size, np.int32)
    new_literals = np.zeros(literals.size, np.int32)
    made, at = 0, 0
    for g in range(start.size - 1):
        node = first + g
        if not wanted[node]:
            continue
        if not (can[0, node] and can[1, node]):
            stands[node] = 1 - can[1, node]
            continue
        begin = at
        for e in range(start[g], start[g + 1]):
            one = stands[literals[e] >> 1] ^ (literals[e] & 1)
            if one > 1:
                new_literals[at] = one
                at += 1
        if at == begin + 1:
            at = begin
            stands[node] = new_literals[begin]
        else:
            stands[node] = 2 * (first + made)
            made += 1
            new_start[made] = at
    out = np.zeros(guards.size, np.int32)
    for i in range(guards.size):
        out[i] = stands[guards[i] >> 1] ^ (guards[i] & 1)
    read = np.zeros(first - 1, np.uint8)
    for node in range(1, first):
        read[node - 1] = wanted[node] & can[0, node] & can[1, node]
    return new_start[: made + 1].copy(), new_literals[:at].copy(), out, read


@jit("(int64, int32[::1], int32[::1], int32[::1], uint8[::1])")
def fitting(first: Any, start: Any, literals: Any, guards: Any, holds: Any) -> Any:
    """Which guards hold where these facts do."""
    value = np.zeros(first + start.size - 1, np.uint8)
    value[0] = 1
    value[1:first] = holds
    for g in range(start.size - 1):
        one = np.uint8(1)
        for e in range(start[g], start[g + 1]):
            one &= value[literals[e] >> 1] ^ np.uint8(literals[e] & 1)
        value[first + g] = one
    out = np.zeros(guards.size, np.bool_)
    for i in range(guards.size):
        out[i] = value[guards[i] >> 1] != (guards[i] & 1)
    return out


@jit("(int64, int32[::1], int32[::1], int32[::1], int32[::1], int32[::1], int32[::1], uint8[::1])")
def labelled(
    first: Any, start: Any, literals: Any, guards: Any, live: Any, effects_at: Any, effects: Any, is_open: Any
) -> Any:
    """Per fact and per operator the number of its region, facts first; a fact that is not open has one of its own."""
    nodes = first + start.size - 1
    above = np.arange(nodes + live.size)
    reached = np.zeros(nodes, np.uint8)
    for i in range(live.size):
        if guards[i] > 1:
            reached[guards[i] >> 1] = 1
            join(above, nodes + i, guards[i] >> 1)
        for e in range(effects_at[live[i]], effects_at[live[i] + 1]):
            node = effects[e] >> 1
            if is_open[node - 1]:
                join(above, nodes + i, node)
    for g in range(start.size - 2, -1, -1):
        if reached[first + g]:
            for e in range(start[g], start[g + 1]):
                reached[literals[e] >> 1] = 1
                join(above, first + g, literals[e] >> 1)
    out = np.zeros(first - 1 + live.size, np.int64)
    for node in range(1, first):
        out[node - 1] = root(above, node)
    for i in range(live.size):
        out[first - 1 + i] = root(above, nodes + i)
    return out


def settle_nets(nets: GuardNets, gates: Gates, among: Ints, facts: int) -> tuple[Ints, Gates, Rails]:
    """Which of some operators live where these facts hold, what is left of their guards, and which facts are open."""
    can = np.zeros((2, nets.first + gates.start.size - 1), np.uint8)
    held = nets.marks(facts)
    can[1, 0] = 1
    can[1, 1 : nets.first] = held
    can[0, 1 : nets.first] = 1 - held
    lives = reach(nets.first, gates.start, gates.literals, gates.guards, among, nets.effects_at, nets.effects, can)
    guards = gates.guards[lives]
    start, literals, guards, read = folded(nets.first, gates.start, gates.literals, guards, can)
    return among[lives], Gates(start, literals, guards), read
