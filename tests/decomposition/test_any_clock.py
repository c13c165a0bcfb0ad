"""The same seed gives the same answer, however fast the clock runs: no limit that decides a result counts seconds."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

import ludisect
from ludisect.circuit.limits import CircuitLimits
from ludisect.decomposition import verify
from ludisect.decomposition.limits import DecompositionLimits
from tests.clocks import same, under_clocks
from tests.decomposition import sheets

GAMES = ["double-tictactoe", "parallel-tictactoe", "serial-tictactoe", "blocks-maze", "nim", "reversi", "connect-four"]


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Iterator[float]:
    """Runs of a test: with the true clock, then with others."""
    return under_clocks(monkeypatch)


def told(game: ludisect.Game, **options: object) -> str:
    """All that a decomposition says but how long it took."""
    data = ludisect.decompose(game, playouts=100, **options).to_json()  # type: ignore[arg-type]
    del data["seconds"]
    return json.dumps(data)


@pytest.mark.parametrize("name", GAMES)
def test_circuits_and_parts(name: str, clocks: Iterator[float]) -> None:
    limits = CircuitLimits(loader_small=0)  # every game is ground in two ways

    def answers() -> Iterator[str]:
        for _ in clocks:
            game = ludisect.load(name, limits=limits)
            yield game.circuit.dump() + told(game)

    assert same(answers())


@pytest.mark.parametrize("method", ["playouts", "instances", "symbols"])
def test_published_methods_and_their_proofs(method: str, clocks: Iterator[float]) -> None:
    game = ludisect.load("parallel-tictactoe")
    assert same(told(game, method=method, prove=True) for _ in clocks)


@pytest.mark.parametrize("work", [0.0, 3e6, 1e7, 3e7, 1e8])
@pytest.mark.parametrize("name", ["parallel-tictactoe", "queens:5"])
def test_work_that_runs_out(name: str, work: float, clocks: Iterator[float]) -> None:
    """Wherever the budget ends, it ends there every time."""
    game = ludisect.load(name)
    limits = DecompositionLimits(decompose_work=work, exact_least=work / 10)
    assert same(told(game, limits=limits) for _ in clocks)


def test_work_that_runs_out_makes_a_difference() -> None:
    """Or the test above would show nothing: with less work less is told apart, and less proved."""
    game = ludisect.load("parallel-tictactoe")
    answers = set()
    for work in (0.0, 1e7, 1e11):
        answers.add(told(game, limits=DecompositionLimits(decompose_work=work, exact_least=work / 10)))
    assert len(answers) == 3


def test_the_judge(clocks: Iterator[float]) -> None:
    parts = ludisect.decompose(ludisect.load(sheets.two_numbers(12)), playouts=100)

    assert same(json.dumps(verify(parts, playouts=100, prove=True).to_json()) for _ in clocks)
