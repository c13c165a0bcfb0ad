"""A circuit cut down to some of its fluents, moves and goals: inputs that nothing kept reads are gone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ludisect.circuit import netlist
from ludisect.circuit.circuit import Circuit, Ints


def restrict(circuit: Circuit, fluents: Sequence[int], moves: Sequence[int], goals: Sequence[int]) -> Circuit:
    """The circuit of these fluents, moves (roles side by side) and goals alone, each given in rising order.

    Raises ValueError if one of their nets reads another input.
    """
    f, m, g = (np.array(some, np.int64) for some in (fluents, moves, goals))
    wanted = np.concatenate(
        [circuit.legal[m], circuit.next[f], np.array([circuit.terminal], np.int32), circuit.goal[g]]
    ).astype(np.int32)
    inputs = np.concatenate([[0], 1 + f, 1 + circuit.n_fluents + m])
    others = np.setdiff1d(circuit.support(wanted), inputs)
    if others.size:
        raise ValueError(f"input {others[0]} is read, and is not among those that are kept")
    left = np.full(circuit.n_inputs + 1, netlist.FALSE, np.int32)  # moves that are gone are never made
    left[inputs] = 2 * inputs
    start, literals, outputs = netlist.simplify(
        circuit.n_inputs, circuit.start, circuit.literals, wanted, left, circuit.role_of, circuit.roles
    )
    number = np.zeros(circuit.n_inputs + start.size, np.int32)
    number[inputs] = np.arange(inputs.size)
    number[circuit.n_inputs + 1 :] = inputs.size + np.arange(start.size - 1)
    role_of = circuit.role_of[inputs]
    ends = 1 + f.size + np.cumsum([0, *(np.count_nonzero(role_of == r) for r in range(len(circuit.roles)))])
    small = Circuit(
        n_fluents=f.size,
        roles=np.stack([ends[:-1], ends[1:]], axis=1).astype(np.int32),
        start=start,
        literals=_carried(literals, number),
        legal=np.empty(m.size, np.int32),
        next=np.empty(f.size, np.int32),
        terminal=0,
        goal=np.empty(g.size, np.int32),
        initial=circuit.initial[f],
        input_value=circuit.input_value[inputs],
    )
    return small.with_netlist(start, small.literals, _carried(outputs, number))


def _carried(literals: Ints, number: Ints) -> Ints:
    """Literals whose nodes have other numbers now."""
    carried: Ints = (2 * number[literals >> 1] + (literals & 1)).astype(np.int32)
    return carried
