"""Every pass over a netlist keeps its outputs: random circuits, all inputs that can occur, before and after."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludisect.circuit import factor
from ludisect.circuit.circuit import Circuit
from ludisect.loader import load
from tests.circuit.evaluate import evaluate

FLUENTS = 4


@st.composite
def circuits(draw: st.DrawFn) -> Circuit:
    """Two roles with a few moves, four fluents, a heap of gates over them."""
    sizes = [draw(st.integers(1, 4)), draw(st.integers(1, 3))]
    n_inputs = FLUENTS + sum(sizes)
    start, literals = [0], list[int]()
    of_state = set(range(FLUENTS + 1))  # nodes that no move can change: legal, terminal and goal read only these
    for g in range(draw(st.integers(1, 14))):
        highest = n_inputs + g
        edges = draw(st.lists(st.integers(2, 2 * highest + 1), min_size=2, max_size=6))
        if {lit >> 1 for lit in edges} <= of_state:
            of_state.add(highest + 1)
        literals += edges
        start.append(len(literals))
    any_net = st.integers(0, 2 * (n_inputs + len(start) - 1) + 1)
    state_net = st.sampled_from([2 * node + c for node in sorted(of_state) for c in (0, 1)])
    kinds = [state_net] * sum(sizes) + [any_net] * FLUENTS + [state_net] * 3
    outputs = [draw(kind) for kind in kinds]
    bounds = np.cumsum([1 + FLUENTS, *sizes])
    empty = np.empty(0, np.int32)
    return Circuit(
        n_fluents=FLUENTS,
        roles=np.stack([bounds[:-1], bounds[1:]], axis=1).astype(np.int32),
        start=empty,
        literals=empty,
        legal=np.empty(sum(sizes), np.int32),
        next=empty,
        terminal=0,
        goal=empty,
        initial=np.array([draw(st.booleans()) for _ in range(FLUENTS)]),
        input_value=np.array([1] + [2] * n_inputs, np.int8),
    ).with_netlist(np.array(start, np.int32), np.array(literals, np.int32), np.array(outputs, np.int32))


def every_input(circuit: Circuit) -> list[list[bool]]:
    """All states with all joint moves: each role makes exactly one move."""
    out = []
    for state in product([False, True], repeat=circuit.n_fluents):
        for joint in product(*(range(low, high) for low, high in circuit.roles.tolist())):
            moves = [node in joint for node in range(circuit.n_fluents + 1, circuit.n_inputs + 1)]
            out.append([*state, *moves])
    return out


def assert_same(before: Circuit, after: Circuit) -> None:
    for inputs in every_input(before):
        expected = evaluate(before, inputs, before.outputs.tolist())
        assert evaluate(after, inputs, after.outputs.tolist()) == expected


PASSES: dict[str, Callable[[Circuit], Circuit]] = {
    "simplify": lambda c: c._simplify(),
    "factor": lambda c: c.with_netlist(*factor.factor(c.n_inputs, c.start, c.literals, c.outputs)),
    "share pairs": lambda c: c.with_netlist(*factor.share_pairs(c.n_inputs, c.start, c.literals, c.outputs, 48)),
    "optimize": lambda c: c.optimize(),
}


@pytest.mark.parametrize("name", PASSES)
@given(circuit=circuits())
@settings(max_examples=120, deadline=None)
def test_pass_keeps_outputs(name: str, circuit: Circuit) -> None:
    # factoring and sharing expect what simplify leaves: distinct literals, no constants
    before = circuit if name == "simplify" else circuit._simplify()
    assert_same(before, PASSES[name](before))


@given(circuit=circuits())
@settings(max_examples=60, deadline=None)
def test_optimize_never_adds_edges(circuit: Circuit) -> None:
    simple = circuit._simplify()
    assert simple.optimize().edges <= simple.edges


@given(circuit=circuits(), data=st.data())
@settings(max_examples=80, deadline=None)
def test_support_is_what_the_cone_reads(circuit: Circuit, data: st.DataObject) -> None:
    highest = circuit.n_inputs + circuit.gates
    wanted = data.draw(st.lists(st.integers(0, 2 * highest + 1), max_size=4))
    read, waiting = set[int](), [lit >> 1 for lit in wanted]
    while waiting:
        node = waiting.pop()
        if node > circuit.n_inputs:
            waiting += (circuit.gate(node) >> 1).tolist()
        elif node:
            read.add(node)
    assert circuit.support(wanted).tolist() == sorted(read)


@given(circuit=circuits(), data=st.data())
@settings(max_examples=60, deadline=None)
def test_cofactor_is_the_circuit_with_inputs_fixed(circuit: Circuit, data: st.DataObject) -> None:
    fluents = data.draw(st.dictionaries(st.integers(1, FLUENTS), st.integers(0, 1), max_size=FLUENTS))
    small = circuit.cofactor(fluents)
    for inputs in every_input(circuit):
        if any(inputs[node - 1] != bool(value) for node, value in fluents.items()):
            continue
        outputs = circuit.outputs.tolist()
        expected = evaluate(circuit, inputs, outputs)
        legal = evaluate(circuit, inputs, circuit.legal.tolist())
        made = [i for i, done in enumerate(inputs[FLUENTS:]) if done]
        if not all(legal[i] for i in made):
            continue  # cofactors may use that only legal moves are made
        assert evaluate(small, inputs, small.outputs.tolist()) == expected


@given(circuit=circuits())
@settings(max_examples=80, deadline=None)
def test_folded_constants_hold_in_every_reachable_state(circuit: Circuit) -> None:
    folded = circuit.fold()
    start = tuple(bool(x) for x in circuit.initial)
    seen, todo = {start}, [start]
    while todo:
        state = todo.pop()
        for joint in product(*(range(low, high) for low, high in circuit.roles.tolist())):
            moves = [node in joint for node in range(FLUENTS + 1, circuit.n_inputs + 1)]
            inputs = [*state, *moves]
            legal = evaluate(circuit, inputs, circuit.legal.tolist())
            if not all(ok for ok, done in zip(legal, moves, strict=True) if done):
                continue
            expected = evaluate(circuit, inputs, circuit.outputs.tolist())
            assert evaluate(folded, inputs, folded.outputs.tolist()) == expected
            after = tuple(evaluate(circuit, inputs, circuit.next.tolist()))
            if after not in seen:
                seen.add(after)
                todo.append(after)
    for node in range(1, FLUENTS + 1):
        if folded.input_value[node] < 2:
            assert {state[node - 1] for state in seen} == {bool(folded.input_value[node])}


@given(circuit=circuits(), data=st.data())
@settings(max_examples=80)
def test_only_states_that_keep_to_what_is_folded_are_folded_again(circuit: Circuit, data: st.DataObject) -> None:
    folded = circuit.fold()
    other = np.array(data.draw(st.lists(st.booleans(), min_size=FLUENTS, max_size=FLUENTS)))
    known = folded.input_value[1 : 1 + FLUENTS]
    agrees = all(k == 2 or k == x for k, x in zip(known.tolist(), other.tolist(), strict=True))
    there = replace(folded, initial=other)
    if agrees:
        again = there.fold().input_value[1 : 1 + FLUENTS]
        assert (again[known < 2] == known[known < 2]).all()
    else:
        with pytest.raises(ValueError, match="contradicts fluents that are folded in"):
            there.fold()


def test_dump_is_readable() -> None:
    game = load(
        "(role r) (init a) (<= (legal r x) (true a)) (<= (legal r y) (true b)) (<= (next b) (does r x) (true a))"
        "(<= (next a) (does r y)) (<= terminal (true a) (true b)) (goal r 50)"
    )
    assert game.circuit.dump() == "\n".join(
        [
            "g5 = f0 & m0",
            "g6 = f0 & f1",
            "terminal = g6",
            "legal 0 = f0",
            "legal 1 = f1",
            "next 0 = m1",
            "next 1 = g5",
            "goal 0 = 1",
        ]
    )
