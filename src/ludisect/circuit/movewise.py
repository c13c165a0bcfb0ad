"""What can no longer change, found move by move: fluents that stay, and moves that are never legal again.

Folding (``Circuit.fold``) asks net by net what can be. A frame rule such as "stays if a move is made elsewhere" is an
OR over moves there, each of which may be left undone, so that it seems to fail: that exactly one of them is made is
forgotten. Here every move is a lane of its own, 64 to a word, with two rails per net ("can be 0", "can be 1"): in its
lane the move is made and no other of its role. Whose turn it is, and whatever else runs by itself, is followed exactly.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.circuit import Circuit
from ludisect.circuit.limits import CircuitLimits
from ludisect.effort import spend
from ludisect.kernels.kernel import jit

WORDS = 8
"""Words of lanes that go through the circuit together."""

ALL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)


@jit("(int64, int32[::1], int32[::1], uint64[:, ::1], uint64[:, ::1])")
def _both_rails(first: Any, start: Any, literals: Any, one: Any, zero: Any) -> None:
    """Per gate and lane: whether it can be 1, and whether it can be 0."""
    words = one.shape[1]
    for g in range(start.size - 1):
        for w in range(words):
            one[first + g, w] = ALL
            zero[first + g, w] = np.uint64(0)
        for e in range(start[g], start[g + 1]):
            node = literals[e] >> 1
            if literals[e] & 1:
                for w in range(words):
                    one[first + g, w] &= zero[node, w]
                    zero[first + g, w] |= one[node, w]
            else:
                for w in range(words):
                    one[first + g, w] &= one[node, w]
                    zero[first + g, w] |= zero[node, w]


def unsteered(circuit: Circuit) -> NDArray[np.int64]:
    """The fluents that run by themselves: the largest set of which each next reads the set alone."""
    inside = np.ones(circuit.n_fluents, np.bool_)
    while True:
        outside = np.ones(circuit.n_inputs + 1, np.bool_)
        outside[: 1 + circuit.n_fluents] = np.append(False, ~inside)  # the constant is no input
        kept = inside & ~circuit.reached(outside)[circuit.next >> 1]
        if kept.sum() == inside.sum():
            return np.flatnonzero(inside)
        inside = kept
        spend(circuit.edges)


def settled(circuit: Circuit) -> NDArray[np.int8]:
    """Per input node: 0 or 1 if it is that for good from the initial state on (moves: never made), else 2.

    All of them are 2 where the turns are too many to be followed.
    """
    open_ = np.full(circuit.n_inputs + 1, 2, np.int8)
    turns = _turns(circuit, CircuitLimits.current().movewise_turns)
    if turns is None:
        return open_
    reach = _Reach(circuit, turns[0])
    while reach.step():
        pass
    values = reach.values()
    return np.where(circuit.input_value < 2, circuit.input_value, values).astype(np.int8)


def playable_at(circuit: Circuit, most: int) -> tuple[NDArray[np.bool_], int]:
    """Turns x moves: which moves can be legal at each turn of what runs by itself, whatever else is the case; and the
    turn that comes after the last. No turns at all if there are more than so many."""
    turns, loop = _turns(circuit, most) or ([], 0)
    out = np.zeros((len(turns), circuit.legal.size), np.bool_)
    rails = _Rails(circuit, 1)
    for at in range(0, len(turns), 64):
        some = turns[at : at + 64]
        rails.one[0], rails.zero[0] = ALL, 0
        rails.one[1 : circuit.n_inputs + 1] = rails.zero[1 : circuit.n_inputs + 1] = ALL
        for f in some[0]:
            held = sum(int(turn[f]) << k for k, turn in enumerate(some))
            rails.one[1 + f], rails.zero[1 + f] = np.uint64(held), ~np.uint64(held)
        rails.evaluate()
        lanes = (rails.can(circuit.legal, 1) & rails.can(np.array([circuit.terminal]), 0))[:, 0]
        for k in range(len(some)):
            out[at + k] = lanes >> np.uint64(k) & np.uint64(1)
    return out, loop


def _turns(circuit: Circuit, most: int) -> tuple[list[dict[int, bool]], int] | None:
    """The values that the fluents which run by themselves go through, and the turn that comes after the last; None if
    they are too many."""
    alone = unsteered(circuit)
    values, seen = circuit.initial[alone], dict[bytes, NDArray[np.bool_]]()
    first, rails = 1 + circuit.n_fluents, _Rails(circuit, 1)
    order = np.zeros(circuit.n_fluents, np.bool_)
    while values.tobytes() not in seen:
        if len(seen) == most:
            return None
        seen[values.tobytes()] = values
        order[alone] = values
        rails.one[0] = ALL
        rails.one[1:first, 0] = np.where(order, ALL, np.uint64(0))
        rails.zero[1:first] = ~rails.one[1:first]
        rails.one[first : circuit.n_inputs + 1] = rails.zero[first : circuit.n_inputs + 1] = ALL
        rails.evaluate()
        values = rails.can(circuit.next[alone], 1)[:, 0] == ALL
    turns = [dict(zip(alone.tolist(), values.tolist(), strict=True)) for values in seen.values()]
    return turns, list(seen).index(values.tobytes())


class _Rails:
    """Per node and lane: whether it can be 1, and whether it can be 0. Inputs are given, gates follow."""

    def __init__(self, circuit: Circuit, words: int) -> None:
        self.circuit = circuit
        self.one = np.zeros((circuit.n_inputs + 1 + circuit.gates, words), np.uint64)
        self.zero = np.zeros_like(self.one)

    def evaluate(self) -> None:
        """Let the gates follow their inputs."""
        circuit = self.circuit
        _both_rails(circuit.n_inputs + 1, circuit.start, circuit.literals, self.one, self.zero)
        spend(2 * self.one.shape[1] * circuit.edges / 8)

    def can(self, nets: NDArray[np.int32], value: int) -> NDArray[np.uint64]:
        """Lanes in which nets can have a value."""
        rails = (self.zero, self.one)
        flipped = (nets & 1).astype(np.bool_)[:, None]
        return np.asarray(np.where(flipped, rails[1 - value][nets >> 1], rails[value][nets >> 1]))


class _Reach:
    """What can be from the initial state on, as far as is known: it only grows."""

    def __init__(self, circuit: Circuit, turns: list[dict[int, bool]]) -> None:
        self.circuit, self.turns = circuit, turns
        self.can = np.stack([~circuit.initial, circuit.initial])
        """Whether each fluent can be 0, and 1."""
        for turn in turns:
            for f, value in turn.items():
                self.can[int(value), f] = True
        self.playable = np.zeros(circuit.legal.size, np.bool_)
        self._rails = _Rails(circuit, WORDS)
        self._one, self._zero = self._rails.one, self._rails.zero

    def values(self) -> NDArray[np.int8]:
        """Per input node what it is for good, else 2."""
        out = np.full(self.circuit.n_inputs + 1, 2, np.int8)
        fluents = out[1 : 1 + self.circuit.n_fluents]
        fluents[~self.can[0]], fluents[~self.can[1]] = 1, 0
        out[1 + self.circuit.n_fluents :][~self.playable] = 0
        out[0] = 1
        return out

    def step(self) -> bool:
        """Let every move be made that can be legal, at every turn; whether that makes more possible."""
        before = int(self.can.sum()), int(self.playable.sum())
        for turn in self.turns:
            self._turn(turn)
        return before != (int(self.can.sum()), int(self.playable.sum()))

    def _turn(self, turn: dict[int, bool]) -> None:
        circuit = self.circuit
        self._inputs(turn)
        self._rails.evaluate()
        legal = self._rails.can(circuit.legal, 1)[:, 0] != 0
        self.playable |= legal
        of_role = [legal[low - 1 - circuit.n_fluents : high - 1 - circuit.n_fluents] for low, high in circuit.roles]
        counts = [int(some.sum()) for some in of_role]
        if 0 in counts:
            return  # nobody can go on
        free = np.setdiff1d(np.arange(circuit.n_fluents), np.array([*turn], np.int64))
        can = np.ones((2, free.size), np.bool_)
        for r, count in enumerate(counts):
            if count > 1 or max(counts) == 1:
                can &= self._after(turn, of_role, r, circuit.next[free])
        self.can[:, free] |= can

    def _after(
        self, turn: dict[int, bool], of_role: list[NDArray[np.bool_]], role: int, nets: NDArray[np.int32]
    ) -> NDArray[np.bool_]:
        """Whether each net can be 0, and 1, after some move of a role."""
        out = np.zeros((2, nets.size), np.bool_)
        moves = int(self.circuit.roles[role, 0]) + np.flatnonzero(of_role[role])
        for at in range(0, moves.size, 64 * WORDS):
            some = moves[at : at + 64 * WORDS]
            self._inputs(turn)
            for r, (low, high) in enumerate(self.circuit.roles.tolist()):
                self._one[low:high] = 0
                self._zero[low:high] = ALL
                playable = low + np.flatnonzero(of_role[r])
                if r != role:
                    self._one[playable] = ALL
                    self._zero[playable] = 0 if playable.size == 1 else ALL
            lanes = np.arange(some.size)
            bit = np.uint64(1) << (lanes % 64).astype(np.uint64)
            self._one[some, lanes // 64] = bit
            self._zero[some, lanes // 64] = ~bit
            self._rails.evaluate()
            used = np.zeros(WORDS, np.uint64)
            np.bitwise_or.at(used, lanes // 64, bit)
            for value in (0, 1):
                out[value] |= (self._rails.can(nets, value) & used).any(axis=1)
        return out

    def _inputs(self, turn: dict[int, bool]) -> None:
        circuit = self.circuit
        first = 1 + circuit.n_fluents
        can = self.can.copy()
        for f, value in turn.items():
            can[:, f] = not value, value
        self._one[0], self._zero[0] = ALL, 0
        self._one[1:first] = np.where(can[1], ALL, np.uint64(0))[:, None]
        self._zero[1:first] = np.where(can[0], ALL, np.uint64(0))[:, None]
        self._one[first : circuit.n_inputs + 1] = ALL
        self._zero[first : circuit.n_inputs + 1] = ALL
