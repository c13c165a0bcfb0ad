"""What roles can bring about: state by state and move by move, against many states at once."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.rows import Rows, pack, unpack
from ludisect.circuit.wires import affected
from ludisect.decomposition.evidence.sample import Sample, take_sample
from ludisect.decomposition.exact import dependencies as module
from ludisect.decomposition.exact.dependencies import Dependencies, outcomes
from ludisect.decomposition.exact.variables import FluentGroup, find_invariants, variables_of
from tests.decomposition.found import game_of

GAMES = ["two-track", "nim:2,3", "rock-paper-scissors:2", "double-tictactoe", "relay", "tron", "lights-on"]


def strange(game: Game, n: int = 40) -> tuple[Rows, NDArray[np.int32]]:
    """Visited states with some fluents changed, and the moves that were made in them."""
    sample = take_sample(game, playouts=50, states=n)
    rng = np.random.default_rng(1)
    flips = pack(rng.random((len(sample.states), len(game.fluents))) < 0.05)
    return sample.states ^ flips, sample.joint


@pytest.mark.parametrize("name", GAMES)
def test_every_role_one_by_one(name: str) -> None:
    game = game_of(name)
    states, joint = strange(game)
    found = outcomes(game, states, joint)
    legal, over = game.batch.legal(states), game.batch.terminal(states)
    n = len(game.fluents)
    for s in range(len(states)):
        mine = [
            np.flatnonzero(legal[s, game.batch.first_move[r] : game.batch.first_move[r + 1]])
            for r in range(len(game.roles))
        ]
        for r in range(len(game.roles)):
            others = all(joint[s, q] in mine[q] for q in range(len(game.roles)) if q != r)
            assert found.sound[s, r] == (not over[s] and len(mine[r]) > 0 and others)
            if not found.sound[s, r]:
                continue
            rises, falls = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
            now = unpack(states[s : s + 1], n)[0]
            for m in mine[r]:
                made = joint[s : s + 1].copy()
                made[0, r] = m
                after = unpack(game.batch.next(states[s : s + 1], made), n)[0]
                rises |= after & ~now
                falls |= now & ~after
            assert (unpack(found.rises[s, r][None], n)[0] == rises).all()
            assert (unpack(found.falls[s, r][None], n)[0] == falls).all()


def edges(sample: Sample, variables: list[FluentGroup], at_once: int) -> list[tuple[object, ...]]:
    """Every edge with its witness, looked for so many variables at a time."""
    found = Dependencies(sample, variables)
    found.stand_in(np.arange(min(32, len(sample.states))))
    rng = np.random.default_rng(0)
    for low in range(0, len(variables), at_once):
        found.look(range(low, min(low + at_once, len(variables))), rng)
    return [
        (u, v, w.role, w.fluent, w.states.tobytes(), w.joint.tobytes()) for (u, v), w in sorted(found.edges.items())
    ]


@pytest.mark.parametrize("name", GAMES)
def test_looking_at_many_variables_together_changes_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of(name)
    sample = take_sample(game, playouts=100, states=100)
    free = np.flatnonzero(~game.circuit.constant_fluents).tolist()
    for variables in (variables_of(find_invariants(game, sample, free), free), [FluentGroup((f,)) for f in free]):
        together = edges(sample, variables, 16)
        monkeypatch.setattr(module, "affected", lambda c, sources: np.ones((len(sources), c.n_fluents), np.bool_))
        assert edges(sample, variables, 1) == together  # each by itself, and everything evaluated
        monkeypatch.undo()


@pytest.mark.parametrize("name", GAMES)
def test_what_the_wires_say_is_affected(name: str) -> None:
    """Against the supports of single nets."""
    game = game_of(name)
    circuit = game.circuit
    sources = [(f,) for f in range(len(game.fluents))] + [tuple(range(0, len(game.fluents), 2))]
    found = affected(circuit, sources)
    reads = [set(circuit.support(circuit.next[[f]]).tolist()) for f in range(len(game.fluents))]
    first = 1 + circuit.n_fluents
    legal = [set(circuit.support(circuit.legal[low - first : high - first]).tolist()) for low, high in circuit.roles]
    for k, source in enumerate(sources):
        nodes = {1 + f for f in source}
        roles = [range(low, high) for (low, high), read in zip(circuit.roles, legal, strict=True) if read & nodes]
        for f, read in enumerate(reads):
            assert found[k, f] == bool(read & nodes or any(read & set(moves) for moves in roles))
