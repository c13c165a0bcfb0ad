"""Signals through circuits, held against plain recursion on one source at a time."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest

import ludisect
from ludisect.circuit import signals
from ludisect.circuit.circuit import Circuit
from ludisect.circuit.rows import unpack
from ludisect.circuit.signals import conjunctions, force, move_decides, own_conjunctions, reach

GAMES = ("tictactoe", "lights-on-parallel", "blocks-maze", "parallel-tictactoe", "chomp", "runners")


@cache
def circuit_of(name: str) -> Circuit:
    """The circuit of a bundled game."""
    return ludisect.load(name).circuit


def signs(circuit: Circuit, literal: int, source: int) -> set[int]:
    """With which signs (0, 1) a source node occurs below a literal."""
    node, c = literal >> 1, literal & 1
    if node == source:
        return {c}
    if node <= circuit.n_inputs:
        return set()
    return {c ^ s for x in circuit.gate(node).tolist() for s in signs(circuit, x, source)}


def value(circuit: Circuit, literal: int, assumed: dict[int, bool]) -> bool | None:
    """Three-valued: None is unknown."""
    node, c = literal >> 1, bool(literal & 1)
    if node in assumed:
        return assumed[node] ^ c
    if node == 0:
        return not c
    if node <= circuit.n_inputs:
        return None
    inside = [value(circuit, x, assumed) for x in circuit.gate(node).tolist()]
    known = False if False in inside else None if None in inside else True
    return None if known is None else known ^ c


@pytest.mark.parametrize("name", GAMES)
def test_reach_has_the_signs_of_paths(name: str) -> None:
    circuit = circuit_of(name)
    rng = random.Random(name)
    outputs = [*rng.sample(circuit.next.tolist(), 6), int(circuit.terminal), 0, 1, 3]
    found = reach(circuit, outputs)
    up, down = unpack(found.up, circuit.n_inputs), unpack(found.down, circuit.n_inputs)
    for k, literal in enumerate(outputs):
        for source in rng.sample(range(1, circuit.n_inputs + 1), 12):
            wanted = signs(circuit, literal, source)
            assert (up[k, source - 1], down[k, source - 1]) == (0 in wanted, 1 in wanted)


@pytest.mark.parametrize("name", GAMES)
def test_force_is_three_valued_evaluation(name: str) -> None:
    circuit = circuit_of(name)
    rng = random.Random(name)
    nodes = range(1, circuit.n_inputs + circuit.gates + 1)
    assumptions = [tuple(2 * n + rng.randrange(2) for n in rng.sample(nodes, rng.randrange(1, 4))) for _ in range(600)]
    outputs = [*rng.sample(circuit.next.tolist(), 5), int(circuit.terminal), *circuit.goal.tolist()]
    certain, impossible = force(circuit, assumptions, outputs)
    for k in rng.sample(range(600), 40):
        assumed = {x >> 1: not x & 1 for x in assumptions[k]}
        for o, literal in enumerate(outputs):
            wanted = value(circuit, literal, assumed)
            assert (certain[o, k], impossible[o, k]) == (wanted is True, wanted is False)


def in_conjunction(circuit: Circuit, literal: int, move: int) -> set[int]:
    """Literals (of nodes) below the edges that meet the move's signal at an AND, by plain recursion."""
    node, c = literal >> 1, literal & 1
    out: set[int] = set()
    if node <= circuit.n_inputs:
        return out
    for x in circuit.gate(node).tolist():
        child = x ^ c  # the edge as seen from outside the complement
        carried = signs(circuit, child, move)
        if 0 in carried:
            out |= in_conjunction(circuit, child, move)
        elif not c and not carried:
            out |= fluents_below(circuit, child)
    return out


def fluents_below(circuit: Circuit, literal: int) -> set[int]:
    """Fluent literals below a literal, with sign."""
    node, c = literal >> 1, literal & 1
    if 0 < node <= circuit.n_fluents:
        return {literal}
    if node <= circuit.n_inputs:
        return set()
    return set().union(*(fluents_below(circuit, x ^ c) for x in circuit.gate(node).tolist()))


@pytest.mark.parametrize("name", ["lights-on-parallel", "blocks-maze", "chomp", "runners", "kayles"])
def test_conjunctions_are_the_edges_that_meet_the_signal(name: str) -> None:
    circuit = circuit_of(name)
    n_moves = circuit.legal.size
    nobody = np.zeros((2 * circuit.n_fluents, n_moves), np.bool_)
    found = conjunctions(circuit, np.ones((n_moves, 2 * circuit.n_fluents), np.bool_), nobody)
    rows = {(h, m, p) for h, m, p in zip(found.head.tolist(), found.move.tolist(), found.premise.tolist(), strict=True)}
    rng = random.Random(name)
    for _ in range(150):
        head, move = rng.randrange(2 * circuit.n_fluents), rng.randrange(n_moves)
        root, node = int(circuit.next[head // 2]) ^ (head & 1), 1 + circuit.n_fluents + move
        wanted = in_conjunction(circuit, root, node) if 0 in signs(circuit, root, node) else set()
        assert {p for h, m, p in rows if (h, m) == (head, move)} == {x - 2 for x in wanted}
    own, other = own_conjunctions(circuit, nobody)
    mine = zip(own.head.tolist(), own.move.tolist(), own.premise.tolist(), strict=True)
    assert set(mine) == {(h, m, p) for h, m, p in rows if h // 2 == p // 2}
    assert {(m, h) for m, h in np.argwhere(other).tolist()} == {(m, h) for h, m, p in rows if h // 2 != p // 2}


def test_moves_a_few_at_a_time_stand_in_the_same_conjunctions(monkeypatch: pytest.MonkeyPatch) -> None:
    circuit = ludisect.load("breakthrough:4x5").circuit
    nobody = np.zeros((2 * circuit.n_fluents, circuit.legal.size), np.bool_)
    both = []
    for words in (signals.CARRIED, 1):
        monkeypatch.setattr(signals, "CARRIED", words)
        found = conjunctions(circuit, np.ones(nobody.T.shape, np.bool_), nobody)
        both.append(set(zip(found.head.tolist(), found.move.tolist(), found.premise.tolist(), strict=True)))
    assert circuit.legal.size > 64
    assert both[0] == both[1]


def test_a_press_alone_decides_its_lamp() -> None:
    game = ludisect.load("lights-on-parallel")
    decides = move_decides(game.circuit)
    lamp = next(i for i, f in enumerate(game.fluents) if str(f) == "(shines east a 4)")
    dim = next(i for i, f in enumerate(game.fluents) if str(f) == "(shines east a 3)")
    press = next(i for i, m in enumerate(game.moves[0]) if str(m) == "(press east a)")
    assert decides[2 * lamp, press]
    assert decides[2 * dim + 1, press]
    decided = {game.fluents[h // 2] for h in np.flatnonzero(decides[:, press]).tolist()}
    assert {str(f) for f in decided if f.name == "shines"} == {f"(shines east a {k})" for k in range(5)}
