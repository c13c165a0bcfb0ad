"""A search without a limit in seconds says the same, however fast the clock runs; so do those limited by work."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from ludisect import clock
from ludisect.answer import Answer
from ludisect.circuit.game import Game
from ludisect.decomposition.methods import decompose
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.errors import BudgetExceeded
from ludisect.loader import load
from ludisect.search.budget import Budget
from ludisect.search.firstmove import guess_moves
from ludisect.search.limits import SearchLimits
from ludisect.search.solve import solve
from ludisect.search.whole.opposed import Opposition
from ludisect.settings import using
from tests.answers import untimed
from tests.clocks import same, under_clocks
from tests.search.fronts import fronts
from tests.search.oneplayer.test_subgoals import LATIN
from tests.search.test_coarser import nested


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Iterator[float]:
    """Runs of a test: with the true clock, then with others."""
    return under_clocks(monkeypatch)


def told(game: Game | Decomposition, by: str = "parts", **numbers: float) -> str:
    """All that a search says but how long it took, also at a limit."""
    limit = ""
    try:
        with using(SearchLimits(**numbers)):  # type: ignore[arg-type]
            answer = solve(game, by, memory=2.0**28)
    except BudgetExceeded as error:
        if not isinstance(error.partial, Answer):
            raise
        answer, limit = error.partial, str(error)
    return json.dumps([limit, untimed(answer.to_json())])


@pytest.mark.parametrize("name", ["double-tictactoe", "nim:3,4,5", "domineering:2x2,2x3", "blocks-maze", "relay"])
def test_the_default(name: str, clocks: Iterator[float]) -> None:
    assert same(told(load(name)) for _ in clocks)


def test_parts_that_were_put_together(clocks: Iterator[float]) -> None:
    parts = nested("a choice of stages", 1, 1)
    answers = [told(parts) for _ in clocks]
    assert same(iter(answers))
    assert "count as one" in answers[0]


def test_too_much_work_for_parts_that_were_put_together() -> None:
    """The limit is one that decides: without it the test above would show nothing."""
    parts = nested("a choice of stages", 1, 1)
    assert "steps of work" in told(parts, coarser_work=0.0)
    assert "steps of work" not in told(parts)


@pytest.mark.parametrize("work", [8e9, 1e7, 0.0])
def test_plans_of_a_solver(work: float, clocks: Iterator[float]) -> None:
    parts = decompose(load(LATIN))
    answers = [told(parts, "subgoals", boundedplan_work=work, errand_broad=64) for _ in clocks]
    assert same(iter(answers))
    assert json.loads(answers[0])[1]["value"] == {"r": 100}


def test_a_plan_that_the_solver_has_no_work_for_is_another() -> None:
    parts = decompose(load(LATIN))
    with_solver, without = (told(parts, "subgoals", boundedplan_work=work, errand_broad=64) for work in (8e9, 0.0))
    assert with_solver != without


def test_opponents(clocks: Iterator[float]) -> None:
    game = load("connect-four")
    assert same(str(Opposition(game).total(Budget())) for _ in clocks)


@pytest.mark.parametrize("work", [0.0, 1e6, 1e8])
def test_opponents_with_little_work(work: float, clocks: Iterator[float]) -> None:
    game = load("tictactoe")
    with using(SearchLimits(opposed_work=work, opposed_node_steps=0.0)):
        found = [Opposition(game).total(Budget()) for _ in clocks]
    assert found == found[:1] * len(found)
    assert found[0].proved == (work == 1e8)


def test_guessed_moves(clocks: Iterator[float]) -> None:
    game = load("connect-four")
    with using(SearchLimits(firstmove_work=2e7)):
        found = [guess_moves(game) for _ in clocks]
    assert found == found[:1] * len(found)
    assert 0 < found[0][1] < 64 * 7  # the work ran out


@pytest.mark.parametrize("work", [1e6, 3e7])
@pytest.mark.parametrize("by", ["parts", "whole", "alpha-beta", "quotient"])
def test_a_search_limited_by_work(by: str, work: float, clocks: Iterator[float]) -> None:
    """Wherever the work ends, it ends there every time."""
    parts = decompose(load("double-crisscross"))
    answers = [told(parts, by, search_work=work, firstmove_work=1e7, anytime_least=3e7) for _ in clocks]
    assert same(iter(answers))
    limit, answer = json.loads(answers[0])
    assert limit == f"not finished within {work:g} steps of work"
    assert not answer["exact"]
    assert answer["move"]["red"]


@pytest.mark.parametrize(
    ("name", "by"), [("blocks-maze", "greedy"), ("toads-and-frogs", "tmseq-published-a"), ("fronts", "joint")]
)
def test_looking_ahead_in_the_parts(name: str, by: str, clocks: Iterator[float]) -> None:
    """The best move so far is the same: how deep the rounds get is a matter of work."""
    parts = decompose(load(fronts(5) if name == "fronts" else name))
    answers = [told(parts, by, search_work=1e3, anytime_work=3e8, anytime_least=3e7) for _ in clocks]
    assert same(iter(answers))
    limit, answer = json.loads(answers[0])
    assert limit == "not finished within 1000 steps of work"
    assert any("this guess is by" in note for note in answer["notes"])


@pytest.mark.parametrize("name", ["domineering:3x4", "kayles:7,9", "regio:3x3", "pawns:3x5"])
def test_regions(name: str, clocks: Iterator[float]) -> None:
    assert same(told(load(name), "regions") for _ in clocks)


def test_parts_that_take_too_long_to_find_end_with_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever works on the circuit is ended by the limit of all, though it does not look at its own."""
    game, rounds, now = load("nim:3,4,5"), list[int](), [clock.now()]

    def never_looks(game: Game, *, values: bool, seconds: float | None = None) -> Decomposition:
        for k in range(10_000):
            rounds.append(k)
            now[0] += 0.01
            game.batch.terminal(game.batch.initial)
        return decompose(game, values=values, seconds=seconds)

    monkeypatch.setattr("ludisect.clock.now", lambda: now[0])  # which stands still otherwise
    monkeypatch.setattr("ludisect.search.solve.decompose", never_looks)
    with pytest.raises(BudgetExceeded, match="not finished within 3 s") as caught:
        solve(game, seconds=3.0)
    assert 250 < len(rounds) < 350
    assert isinstance(caught.value.partial, Answer)
    assert caught.value.partial.bounds == {"player1": (0, 100), "player2": (0, 100)}


def test_seconds_are_counted_by_the_clock_in_force(monkeypatch: pytest.MonkeyPatch) -> None:
    """Benchmarks put processor time in its place after the modules are loaded."""
    monkeypatch.setattr(clock, "now", lambda: -1e6)
    budget = Budget(5.0)
    assert budget.left == 5.0
    monkeypatch.setattr(clock, "now", lambda: -1e6 + 6.0)
    assert budget.over
