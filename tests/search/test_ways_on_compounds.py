"""Every exact way on composed games of random machines: the value of whole-game search wherever it answers."""

from __future__ import annotations

import random

import pytest

from ludisect import load
from ludisect.compose.build import compose
from ludisect.compose.tree import Goal
from ludisect.decompose.methods import decompose
from ludisect.decompose.model import Decomposition
from ludisect.errors import BudgetExceeded, InputError
from ludisect.search import solve  # noqa: F401  (registers all ways)
from ludisect.search.budget import Budget
from ludisect.search.ways import WAYS, Inapplicable
from ludisect.search.whole import solve_whole


def composed(seed: int) -> Decomposition | None:
    """A random compound, taken apart; None where the machines do not fit together or the parts are refuted."""
    rng = random.Random(seed)
    operation = rng.choice(["choice", "sync", "serial", "choice", "sync"])
    machines = [rng.choice(["walk", "ring", "board"]) for _ in range(rng.choice([2, 2, 3]))]
    players = rng.choice([1, 2, 2])
    turns = rng.choice(["alternating", "simultaneous"]) if players == 2 else None
    goals: list[Goal] = ["additive", "all", "any"]
    goal = rng.choice(goals)
    try:
        made = compose(
            operation, machines, goal=goal, seed=seed, players=players, turns=turns, steps=rng.choice([None, 5, 8])
        )
    except InputError:
        return None
    parts = decompose(load(made.rules), seconds=10)
    return None if parts.evidence is None or parts.evidence.status == "failed" else parts


def agreeing(parts: Decomposition) -> int:
    """How many exact ways answer; each must have the value of the whole."""
    try:
        whole = solve_whole(parts.game, budget=Budget(10))
    except BudgetExceeded:
        return 0
    answers = 0
    for way in WAYS.values():
        if not way.exact or way.applies(parts) is None:
            continue
        try:
            answer = way.solve(parts, Budget(10), None)
        except (Inapplicable, BudgetExceeded):
            continue
        for role, value in whole.value.items():
            found = answer.value[role]
            if value is not None and found is not None:
                assert found == pytest.approx(value), f"{way.name}: {role}"
        answers += 1
    return answers


def test_a_few_compounds() -> None:
    found = [parts for seed in range(4) if (parts := composed(seed)) is not None]
    assert sum(map(agreeing, found)) > 0


@pytest.mark.slow
def test_many_compounds() -> None:
    found = [parts for seed in range(150) if (parts := composed(seed)) is not None]
    assert sum(map(agreeing, found)) > 100
