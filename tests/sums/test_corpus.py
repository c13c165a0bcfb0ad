"""Answers of other programs: none of ours may differ. A sample here; all of them with ``-m slow``."""

from __future__ import annotations

import time

import pytest

from ludisect.cgt import number
from ludisect.errors import BudgetExceeded
from ludisect.rulesets import Player, read_component
from ludisect.sums.local import LocalSearch
from ludisect.sums.outcome import SumSolver
from ludisect.sums.refute import refute
from ludisect.sums.table import Sum

from .corpus import FOLDER, Case, ask, cases

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.skipif(not FOLDER.is_dir(), reason="the positions of other programs are not at ../shared/cgt"),
]

OUTCOMES = {
    "sums5": "NNNRRLRLLL",
    "sums10": "RLLLNRRLNR",
    "sums20": "RNRRRLLLNN",
    "sums40": "LRNRLRRRNL",
    "sums80": "LRLNRLLLLR",
}
"""As published; the second of sums40 and the fifth of sums80 are ours, each proved by means and temperatures."""


def sweep(chosen: list[Case], seconds: float) -> tuple[list[str], list[str]]:
    """Wrong answers, and cases not decided in time."""
    wrong, late = [], []
    for case in chosen:
        try:
            found = ask(case, seconds=seconds)
        except BudgetExceeded:
            late.append(str(case))
            continue
        if found != case.expected:
            wrong.append(f"{case}, but found {found}")
    return wrong, late


SMALL = {"amazons": 14, "cannibal_clobber": 23, "nogo": 30, "nogo_1xn": 30, "impartial domineering": 19}
"""Board text up to which a game is in the sample; 14 for all others."""


def test_a_sample_of_all_games() -> None:
    by_game: dict[tuple[str, str], list[Case]] = {}
    for case in cases():
        game = case.games[0][0]
        if len(case.games) > 1 or len(case.games[0][1]) <= SMALL.get(game, 14):
            by_game.setdefault((game, case.kind), []).append(case)
    sample = [c for group in by_game.values() for c in group[:: max(1, len(group) // 3)]]
    assert len(sample) > 50
    assert sweep(sample, seconds=120.0) == ([], [])


def test_the_harness_sees_a_wrong_answer() -> None:
    wrong, _ = sweep([Case((("domineering", "..|.."),), "B/W", "B loss")], seconds=2.0)
    assert len(wrong) == 1


@pytest.mark.slow
def test_all_cases(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Every case, at most 10 s each: of CPU time, so that other work on the machine changes nothing."""
    monkeypatch.setattr("ludisect.clock.perf_counter", time.process_time)
    by_game: dict[str, list[Case]] = {}
    for case in cases():
        by_game.setdefault(case.games[0][0] if len(case.games) == 1 else "sums", []).append(case)
    all_wrong: list[str] = []
    for game, group in sorted(by_game.items()):
        wrong, late = sweep(group, seconds=10.0)
        all_wrong += wrong
        with capsys.disabled():
            print(f"\n{game}: {len(group)} cases, {len(wrong)} wrong, {len(late)} not decided", *late, sep="\n  ")
    assert all_wrong == []


@pytest.mark.parametrize("name", sorted(OUTCOMES))
def test_outcomes_of_long_sums(name: str) -> None:
    search, solver = LocalSearch(), SumSolver(seconds=120)
    letters = ""
    for line in (FOLDER / f"{name}.txt").read_text().splitlines():
        boards = [read_component(f"domineering {text}") for text in line.split()]
        found = solver.outcome(Sum(boards, search=search).all_values())
        if found.proof == "means":
            assert abs(found.mean) > found.temperature
        letters += found.letter
    assert letters == OUTCOMES[name]


def test_a_winning_strategy_is_replayed() -> None:
    """Plays of a sum of five, the winner by optimal play, the loser at random."""
    line = (FOLDER / "sums5.txt").read_text().splitlines()[3]
    game = Sum([read_component(f"domineering {text}") for text in line.split()])
    for first in Player:
        assert refute(game, Player.RIGHT, first, plays=3) is None


def test_the_critical_number() -> None:
    """The first sums of 20, shifted so that the stop of the player to move is 0 or as near as the walls tell."""
    search = LocalSearch()
    for line in (FOLDER / "sums20.txt").read_text().splitlines()[:4]:
        values = Sum([read_component(f"domineering {t}") for t in line.split()], search=search).all_values()
        solver = SumSolver(seconds=600)
        low, high = solver.stop_bounds(values)["left"]
        x = number(-low)
        assert low <= high
        assert solver.outcome([*values, x]).letter in "LRNP"
