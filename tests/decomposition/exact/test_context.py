"""The context: variables that run by themselves, found by induction and held against every reachable state."""

from __future__ import annotations

import numpy as np
import pytest

from ludisect.circuit.game import Game
from ludisect.decomposition.evidence.sample import take_sample
from ludisect.decomposition.exact import context as module
from ludisect.decomposition.exact.context import closed_context
from ludisect.decomposition.exact.variables import find_invariants, variables_of
from ludisect.effort import Effort
from ludisect.gdl.terms import Term
from tests.decomposition.brute import explore
from tests.decomposition.found import game_of


def context(game: Game) -> set[Term]:
    """The fluents of the largest set of variables that is found to run by itself."""
    free = [int(f) for f in np.flatnonzero(~game.circuit.constant_fluents)]
    invariants = find_invariants(game, take_sample(game), free)
    variables = variables_of(invariants, free)
    found = closed_context(game, invariants, variables, range(len(variables)), effort=Effort(5e9))
    return {game.fluents[f] for v in found for f in variables[v].fluents}


@pytest.mark.parametrize("name", ["two-track", "nim:2,3", "rock-paper-scissors:2", "lights-on", "relay", "runners"])
def test_it_is_the_turn_and_the_clock(name: str) -> None:
    assert {t.name for t in context(game_of(name))} <= {"control", "thrown", "turn", "round"}
    assert bool(context(game_of(name))) == (name not in ("two-track", "relay"))


@pytest.mark.parametrize("name", ["nim:2,3", "rock-paper-scissors:2", "kayles:2,3", "chomp:2x3"])
def test_nothing_else_decides_what_becomes_of_it(name: str) -> None:
    game = game_of(name)
    mine = context(game)
    assert mine
    known: dict[object, object] = {}
    for step in explore(game) or ():
        assert known.setdefault(step.state & mine, step.following & mine) == step.following & mine


@pytest.mark.parametrize("name", ["two-track", "nim:2,3", "rock-paper-scissors:2", "lights-on", "relay", "queens:4"])
def test_random_states_only_save_questions(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without them the solver breaks one candidate after another, and the same ones are left."""
    game = game_of(name)
    free = [int(f) for f in np.flatnonzero(~game.circuit.constant_fluents)]
    sample = take_sample(game)
    invariants = find_invariants(game, sample, free)
    variables = variables_of(invariants, free)
    every = range(len(variables))
    found = closed_context(game, invariants, variables, every, visited=sample.states, effort=Effort(5e9))
    monkeypatch.setattr(module._Trial, "at_random", lambda *_: None)
    monkeypatch.setattr(module._Trial, "_walk", lambda *_: None)
    some = list(every)[::2]
    assert closed_context(game, invariants, variables, every, effort=Effort(5e9)) == found
    assert closed_context(game, invariants, variables, every, wanted=some, effort=Effort(5e9)) == [
        v for v in found if v in some
    ]


def test_without_effort_the_circuit_alone_decides() -> None:
    """A counter that reads only itself is known for one without a proof."""
    game = game_of("queens:4")
    free = [int(f) for f in np.flatnonzero(~game.circuit.constant_fluents)]
    invariants = find_invariants(game, take_sample(game), free)
    variables = variables_of(invariants, free)
    found = closed_context(game, invariants, variables, range(len(variables)), effort=Effort(0))
    assert {game.fluents[f].name for v in found for f in variables[v].fluents} == {"row"}
