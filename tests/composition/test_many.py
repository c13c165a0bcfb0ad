"""Random compounds: proper games, the same as their plans, and the claimed parts are what they are said to be."""

from __future__ import annotations

import copy
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from ludisect.circuit.game import Game
from ludisect.composition.disguise import DISGUISES, Written
from ludisect.composition.many import compose_one, compose_set, written_one
from ludisect.composition.simulator import Simulator
from ludisect.gdl import Interpreter, check, check_by_playouts
from ludisect.loader import load
from tests.composition.brute import Brute

_OPERATIONS = re.compile(r"\((\w+)")
NUMBERS = range(0, 33 * 7, 7)


@pytest.fixture(scope="module")
def games() -> dict[int, tuple[Written, dict[str, Any], Game]]:
    out = {}
    for number in NUMBERS:
        written, description = written_one(number, seed=11)
        out[number] = written, description, load(written.rules)
    return out


Games = dict[int, tuple[Written, dict[str, Any], Game]]


def test_rules_are_faultless(games: Games) -> None:
    for number, (written, _, game) in games.items():
        assert check(written.rules) == [], number
        report = check_by_playouts(game, plays=5, max_length=100)
        assert [p for p in report.problems if p.level == "error" or "no end" in p.what] == [], number


def test_the_interpreter_plays_them_too(games: Games) -> None:
    for number in list(games)[:5]:
        report = check_by_playouts(Interpreter(games[number][0].rules), plays=3, max_length=100)
        assert not [p for p in report.problems if p.level == "error"], number


def test_everything_is_covered(games: Games) -> None:
    made = [description for _, description, _ in games.values()]
    wanted: dict[str, set[Any]] = {
        "glue": {"choice", "sync", "serial", "multiple", "nested"},
        "players": {1, 2, 3},
        "turns": {"single-player", "alternating", "simultaneous"},
        "goal": {"additive", "all", "any"},
        "end": {"all", "any"},
        "rest": {True, False},
        "locks": {0, 1},
    }
    for key, values in wanted.items():
        assert {d[key] for d in made} >= values, key
    assert {name for d in made for name in d["disguises"]} == set(DISGUISES)
    assert any(d["steps"] is None for d in made)
    assert any(d["steps"] for d in made)


def test_rules_say_what_the_plan_says(games: Games) -> None:
    for number, (written, _, game) in games.items():
        for seed in range(2):
            assert _lockstep(written, game, random.Random(seed)) == "", number


def _lockstep(written: Written, game: Game, rng: random.Random) -> str:
    """Play rules and plan side by side; what differs, if anything does."""
    simulator = Simulator(written.writer.plan)
    position, state = simulator.start(), game.initial_state()
    while True:
        if written.fluents(position) != state:
            return "state"
        if simulator.terminal(position) != game.is_terminal(state):
            return "terminal"
        if simulator.goals(position) != tuple(game.goals(state).values()):
            return "goals"
        if game.is_terminal(state):
            return ""
        choices = [simulator.legal(position, r) for r in range(len(game.roles))]
        legal = list(game.legal_moves(state).values())
        if [len(some) for some in choices] != [len(some) for some in legal]:
            return "legal"
        following = {written.fluents(p): p for p in (simulator.next(position, j) for j in product(*choices))}
        joints = [dict(zip(game.roles, joint, strict=True)) for joint in product(*legal)]
        chosen = rng.sample(joints, min(len(joints), 8))
        states = [game.next_state(state, joint) for joint in chosen]
        if not following.keys() >= set(states):
            return "next"
        state = states[0]
        position = following[state]


def test_answers_hold(games: Games) -> None:
    for number, (written, description, game) in games.items():
        assert list(Brute(game, written.answer).faults()) == [], (number, description)


def test_wrong_answers_are_seen_to_be_wrong(games: Games) -> None:
    """The check above can fail: two parts that exchange half of their fluents do not pass, nor a wrong use.

    Only where it is sharp: a later stage may read what comes before it, parts that move together leave their first
    states together, and of roles that move at once it asks less.
    """
    for number, (written, description, game) in games.items():
        if description["turns"] != "simultaneous" and set(_OPERATIONS.findall(description["tree"])) == {"choice"}:
            for claim in _wrong_answers(written.answer):
                assert list(Brute(game, claim).faults()) != [], (number, description)


def _wrong_answers(answer: dict[str, Any]) -> Iterator[dict[str, Any]]:
    swapped = copy.deepcopy(answer)
    first, second = swapped["subgames"][:2]
    half = min(len(first["fluents"]), len(second["fluents"])) // 2
    first["fluents"][:half], second["fluents"][:half] = second["fluents"][:half], first["fluents"][:half]
    yield swapped
    other = copy.deepcopy(answer)
    other["subgames"][0]["useful"] = not other["subgames"][0]["useful"]
    yield other


def test_counts_agree_with_parts(games: Games) -> None:
    for written, _, game in games.values():
        answer = written.answer
        dependent = [s for s in answer["subgames"] if s["kind"] == "dependent"]
        assert answer["action_dependent"] == len(dependent)
        assert answer["useless"] == sum(not s["useful"] for s in dependent)
        assert answer["action_independent"] == len(answer["subgames"]) - len(dependent)
        assert answer["roles"] == list(game.roles)
        assert [s["id"] for s in answer["subgames"]] == list(range(1, len(answer["subgames"]) + 1))


def test_the_same_seed_gives_the_same_game() -> None:
    code = (
        "from ludisect.composition import compose_one; g = compose_one(13, 2); print(g.text, g.answer, g.description)"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": salt, "PYTHONPATH": ":".join(sys.path)},
        ).stdout
        for salt in ("1", "2")
    }  # fmt: skip
    assert len(texts) == 1
    assert compose_one(13, 2).text in texts.pop()
    assert compose_one(13, 3).text != compose_one(13, 2).text


def test_a_longer_set_begins_like_a_shorter_one() -> None:
    assert [g.text for g in compose_set(2, 4)] == [g.text for g in compose_set(3, 4)][:2]


@pytest.mark.slow
def test_a_thousand_answers_hold() -> None:
    for number in range(1000):
        written, description = written_one(number)
        game = load(written.rules)
        assert check(written.rules) == [], number
        assert _lockstep(written, game, random.Random(number)) == "", number
        assert list(Brute(game, written.answer).faults()) == [], (number, description)
