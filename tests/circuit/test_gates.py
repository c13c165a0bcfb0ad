"""New gates say what they are called after, in every state, and leave the old ones alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludisect
from ludisect.circuit.circuit import Circuit
from ludisect.circuit.gates import NewGates, once_more
from ludisect.circuit.netlist import FALSE, TRUE
from ludisect.circuit.record import record
from tests.circuit.evaluate import evaluate
from tests.circuit.test_netlist import FLUENTS, circuits, every_input


@pytest.mark.parametrize("name", ["tictactoe", "nim:2,3"])
def test_new_gates_read_old_and_new_ones(name: str) -> None:
    game = ludisect.load(name)
    circuit = game.circuit
    gates = NewGates(circuit)
    some = [int(x) for x in circuit.legal[:3]]
    every, anyone = gates.both(some), gates.either(some)
    mixed = gates.both([every ^ 1, anyone])
    legal = circuit.legal.copy()
    legal[:3] = every, anyone, mixed
    changed = replace(game, circuit=replace(gates.put_behind(), legal=legal))
    states = record(game, 20, seed=1).states
    before, after = game.batch.legal(states), changed.batch.legal(states)
    of = before[:, :3]
    np.testing.assert_array_equal(after[:, 0], of.all(axis=1))
    np.testing.assert_array_equal(after[:, 1], of.any(axis=1))
    np.testing.assert_array_equal(after[:, 2], of.any(axis=1) & ~of.all(axis=1))
    np.testing.assert_array_equal(after[:, 3:], before[:, 3:])


def test_of_nothing() -> None:
    gates = NewGates(ludisect.load("nim:1").circuit)
    assert (gates.both([]), gates.either([])) == (TRUE, FALSE)
    assert gates.put_behind().gates == gates.circuit.gates


@given(circuit=circuits(), data=st.data())
@settings(max_examples=80, deadline=None)
def test_once_more_reads_other_nets_instead_of_inputs(circuit: Circuit, data: st.DataObject) -> None:
    nets = st.integers(0, 2 * (circuit.n_inputs + circuit.gates) + 1)
    instead = data.draw(st.dictionaries(st.integers(1, FLUENTS), nets, max_size=FLUENTS))
    both, outputs = once_more(circuit, instead, circuit.outputs)
    for inputs in every_input(circuit):
        before = evaluate(circuit, inputs, circuit.outputs.tolist())
        assert evaluate(both, inputs, circuit.outputs.tolist()) == before
        put = list(inputs)
        for node, literal in instead.items():
            (put[node - 1],) = evaluate(circuit, inputs, [literal])
        assert evaluate(both, inputs, outputs.tolist()) == evaluate(circuit, put, circuit.outputs.tolist())
