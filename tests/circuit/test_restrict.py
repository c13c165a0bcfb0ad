"""A circuit cut down says what it said before, and reads nothing that is gone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludisect
from ludisect.circuit.circuit import Circuit
from ludisect.circuit.restrict import restrict
from tests.circuit.evaluate import evaluate
from tests.circuit.test_netlist import FLUENTS, assert_same, circuits, every_input


@given(circuit=circuits())
@settings(max_examples=60, deadline=None)
def test_to_everything_it_is_the_same(circuit: Circuit) -> None:
    small = restrict(circuit, range(FLUENTS), range(circuit.legal.size), range(circuit.goal.size))
    assert_same(circuit, small)
    np.testing.assert_array_equal(small.roles, circuit.roles)


@given(circuit=circuits(), data=st.data())
@settings(max_examples=150, deadline=None)
def test_what_is_kept_is_as_before(circuit: Circuit, data: st.DataObject) -> None:
    fluents = data.draw(st.sets(st.integers(0, FLUENTS - 1), max_size=2))
    goals = sorted(data.draw(st.sets(st.integers(0, circuit.goal.size - 1))))
    moves = {low - 1 - FLUENTS for low in circuit.roles[:, 0].tolist()}  # a role has at least one
    outputs: list[int] = []
    while True:
        kept = [*(1 + f for f in sorted(fluents)), *(1 + FLUENTS + m for m in sorted(moves))]
        outputs = [
            *circuit.legal[sorted(moves)],
            *circuit.next[sorted(fluents)],
            circuit.terminal,
            *circuit.goal[goals],
        ]
        more = {*circuit.support(outputs).tolist()} - {*kept}
        if not more:
            break
        with pytest.raises(ValueError, match=f"input {min(more)} is read, and is not among those that are kept"):
            restrict(circuit, sorted(fluents), sorted(moves), goals)
        fluents |= {node - 1 for node in more if node <= FLUENTS}
        moves |= {node - 1 - FLUENTS for node in more if node > FLUENTS}
    small = restrict(circuit, sorted(fluents), sorted(moves), goals)
    assert (small.n_fluents, small.legal.size, small.goal.size) == (len(fluents), len(moves), len(goals))
    assert small.initial.tolist() == [bool(circuit.initial[f]) for f in sorted(fluents)]
    for inputs in every_input(circuit):
        if all(m in moves for m in range(circuit.legal.size) if inputs[FLUENTS + m]):
            before = evaluate(circuit, inputs, outputs)
            assert evaluate(small, [inputs[node - 1] for node in kept], small.outputs.tolist()) == before


def test_what_is_read_must_be_kept() -> None:
    circuit = ludisect.load("nim:1,2").circuit
    with pytest.raises(ValueError, match="is read, and is not among those that are kept"):
        restrict(circuit, [0], range(circuit.legal.size), [])
