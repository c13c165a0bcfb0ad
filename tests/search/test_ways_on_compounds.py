"""Every exact way on random compound games: the value of whole-game search, and a move that attains it.

The games are glued from two to four random machines as choice, sync, serial and nested; goals are additive,
conjunctive and disjunctive; one to three players move in turn or at once. Each is solved from the parts it was made of
and from those that ``decompose`` finds.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from ludisect import load
from ludisect.composition import compose_one
from ludisect.composition.glue import Goal
from ludisect.composition.ondemand import compose
from ludisect.decomposition.methods import decompose
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.errors import BudgetExceeded, InputError
from tests.search.agreement import Tally, Whole
from tests.search.known import parts_of


def both(number: int, seed: int) -> Iterator[Decomposition]:
    """A random compound with the parts it was made of, and with those that are found."""
    made = compose_one(number, seed)
    game = load(made.rules)
    yield parts_of(game, made.answer)
    yield decompose(game)


def close_games(seed: int) -> Iterator[Decomposition]:
    """A compound of machines with opposite or shared goals, in turn or at once; none where machines do not fit."""
    rng = random.Random(seed)
    operation = rng.choice(["choice", "sync", "serial"])
    machines = [rng.choice(["walk", "ring", "board"]) for _ in range(rng.choice([2, 2, 3]))]
    players = rng.choice([1, 2, 2])
    turns = rng.choice(["alternating", "simultaneous"]) if players == 2 else None
    goals: list[Goal] = ["additive", "all", "any"]
    try:
        made = compose(
            operation, machines, goal=rng.choice(goals), seed=seed, players=players, turns=turns,
            steps=rng.choice([None, 5, 8]),
        )  # fmt: skip
    except InputError:
        return
    yield decompose(load(made.rules))


def check_all(found: Iterator[Decomposition]) -> Tally:
    """Hold all ways against the whole; games that are too large, or whose parts are refuted, are left out."""
    tally = Tally()
    whole: Whole | None = None
    for parts in found:
        if parts.evidence is not None and parts.evidence.status == "failed":
            continue
        try:
            if whole is None or whole.game is not parts.game:
                whole = Whole(parts.game)
            tally.check(parts.game.name, parts, whole)
        except BudgetExceeded:
            continue
    return tally


@pytest.mark.parametrize("number", [0, 4, 9, 19, 24])
def test_a_few_compounds(number: int) -> None:
    tally = check_all(both(number, 7))
    assert tally.faults == []
    assert tally.answers["default"] > 0


def test_a_stage_whose_parts_move_together() -> None:
    # each move acts in both parts of the first stage; taking them for a choice gives a first move worth 67 of 100
    tally = check_all(both(19, 101))
    assert tally.faults == []
    assert tally.answers["default"] == 2


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1001, 1021))
def test_many_compounds(seed: int) -> None:
    """Three thousand games, each with two decompositions: about half an hour of processor time."""
    tally = check_all(parts for number in range(150) for parts in both(number, seed))
    assert tally.faults == []
    assert {"quotient", "tmseq", "plans", "parallel", "serial", "subgoals"} <= set(tally.answers)


@pytest.mark.slow
def test_many_close_games() -> None:
    tally = check_all(parts for seed in range(400) for parts in close_games(seed))
    assert tally.faults == []
