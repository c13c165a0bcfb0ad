"""New gates say what they are called after, in every state, and leave the old ones alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import ludisect
from ludisect.circuit.gates import NewGates
from ludisect.circuit.netlist import FALSE, TRUE
from ludisect.circuit.record import record


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
