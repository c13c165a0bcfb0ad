"""Thorny compounds: the rules are the plan, the known values follow the rule of play, and every thorn comes up."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludisect.answer import Answer
from ludisect.composition import Thorny, compose_thorny, compose_thorny_set
from ludisect.composition.thorny.judge import Judge
from ludisect.composition.thorny.plainvalue import TooLargeError, matrix_value, plain_value
from ludisect.gdl import Interpreter, check
from ludisect.gdl.reader import read_term
from ludisect.search.whole.matrix import solve_matrix
from tests.cli.terminal import piped

POSITIONS = 15
"""Of each game that are held against the interpreter."""


def rules_are_the_plan(made: Thorny) -> None:
    """In some positions of a game: fluents, moves, what follows, the end and the goals are the same."""
    machine, plan = Interpreter(made.rules), made.plan
    every = sorted(made.worth.values)
    assert machine.initial_state() == frozenset(map(read_term, plan.fluents(plan.start)))
    for position in every[:: max(1, len(every) // POSITIONS)]:
        state = frozenset(map(read_term, plan.fluents(position)))
        assert machine.is_terminal(state) == plan.over(position)
        if plan.over(position):
            assert tuple(machine.goals(state)[role] for role in plan.roles) == plan.goals(position)
            continue
        legal = machine.legal_moves(state)
        for r, role in enumerate(plan.roles):
            assert sorted(map(str, legal[role])) == sorted(name for name, _, _ in plan.choices(position, r))
        for joint in plan.joints(position):
            moves = {role: read_term(name) for role, (name, _, _) in zip(plan.roles, joint, strict=True)}
            expected = frozenset(map(read_term, plan.fluents(plan.after(position, joint))))
            assert machine.next_state(state, moves) == expected


@pytest.mark.parametrize("number", range(20))
def test_rules_are_the_plan(number: int) -> None:
    rules_are_the_plan(compose_thorny(number, seed=5))


@settings(max_examples=5, deadline=None)  # a second each; twenty more stand above
@given(number=st.integers(0, 10**6), seed=st.integers(0, 10**6))
def test_any_compound_is_a_proper_game(number: int, seed: int) -> None:
    made = compose_thorny(number, seed)
    assert [problem for problem in check(made.rules) if problem.level == "error"] == []
    assert compose_thorny(number, seed).text == made.text
    assert 6 <= made.worth.positions <= 2000
    rules_are_the_plan(made)
    for gets in made.worth.values.values():
        assert all(0 <= x <= 100 for x in gets)


def test_every_thorn_comes_up() -> None:
    seen: Counter[str] = Counter()
    for made in compose_thorny_set(45, seed=4):
        told = made.description
        seen.update([f"players {told['players']}", f"rule {told['rule']}", f"resting {told['resting']}"])
        seen.update({f"part {family}" for family in told["parts"]} | {f"end {end}" for end in told["ends"]})
        seen.update({f"goal {kind}" for kind in told["goals"]} | {f"clock {told['clock']}"})
        seen.update(key for key in ("again", "stages", "steps") if told[key])
        seen["two idle moves"] += told["idle"] > 1
        seen["together"] += any(len(group) > 1 for group in told["groups"])
        seen["mixed turns"] += len({len(some) for some in told["turns"]}) > 1
        seen["loops"] += any(part.family == "lamps" for part in made.plan.parts) and told["steps"] is not None
    wanted = [
        *(f"players {n}" for n in (1, 2, 3)),
        *(f"rule {rule}" for rule in ("optimum", "max-n", "equilibrium", "pessimistic")),
        *(f"resting {how}" for how in ("never", "forced", "free")),
        *(f"part {family}" for family in ("token", "heap", "pins", "lamps")),
        *(f"end {end}" for end in ("all", "any", "part", "stuck")),
        *(f"goal {kind}" for kind in ("last", "sum", "weighted", "count", "product", "lexicographic", "least")),
        *(f"clock {runs}" for runs in ("over", "touched")),
        *("again", "stages", "steps", "two idle moves", "together", "mixed turns", "loops"),
    ]
    assert [trait for trait in wanted if not seen[trait]] == []


def test_each_value_follows_from_the_next_ones() -> None:
    """The values again by another recursion, from single moves, for the rules in which one role chooses at a time."""
    for made in compose_thorny_set(25, seed=8):
        if made.worth.rule not in ("optimum", "max-n"):
            continue
        plan, values = made.plan, made.worth.values
        for position, value in values.items():
            if plan.over(position):
                assert value == tuple(goal or 0 for goal in plan.goals(position))
                continue
            after = {values[plan.after(position, joint)] for joint in plan.joints(position)}
            assert value in after if after else not any(value)
            movers = plan.on_turn(position)
            if len(after) > 1 and len(movers) == 1:
                assert value[movers[0]] == max(x[movers[0]] for x in after)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 4).flatmap(
        lambda n: st.lists(st.lists(st.integers(0, 4), min_size=n, max_size=n), min_size=1, max_size=4)
    )
)
def test_matrix_games_have_one_value(payoff: list[list[int]]) -> None:
    exact = matrix_value([[Fraction(x) for x in row] for row in payoff])
    assert float(exact) == pytest.approx(solve_matrix(np.array(payoff, np.float64))[0])


def test_a_game_without_end_is_refused() -> None:
    made = next(made for made in compose_thorny_set(200, seed=6) if made.worth.positions > 30)
    with pytest.raises(TooLargeError, match="more than 10 positions"):
        plain_value(made.plan, made.plan.start, 10)


def test_the_judge_tells_what_is_wrong() -> None:
    made = next(m for m in compose_thorny_set(50) if m.worth.rule == "max-n" and len(set(m.worth.value)) > 1)
    judge = Judge(made.plan, made.plan.start, made.worth)
    roles = made.plan.roles
    right = {role: float(x) for role, x in zip(roles, made.worth.value, strict=True)}
    assert list(judge.faults(Answer(made.name, "by hand", True, right))) == []
    wrong = {role: 100 - x for role, x in right.items()}
    assert any("gets" in fault for fault in judge.faults(Answer(made.name, "by hand", True, wrong)))
    (mover,) = made.plan.on_turn(made.plan.start)
    illegal = Answer(made.name, "by hand", True, right, {roles[mover]: "(no such move)"})
    assert any("not legal" in fault for fault in judge.faults(illegal))
    bounds = Answer(made.name, "by hand", False, dict.fromkeys(roles), bounds=dict.fromkeys(roles, (101.0, 102.0)))
    assert len(list(judge.faults(bounds))) == len(roles)


def test_a_move_that_gives_something_away_is_told() -> None:
    for made in compose_thorny_set(20, seed=9):
        plan, worth = made.plan, made.worth
        movers = plan.on_turn(plan.start)
        if worth.rule != "max-n" or len(movers) > 1:
            continue
        names = plan.roles
        value = {role: float(x) for role, x in zip(names, worth.value, strict=True)}
        for (name, _, _), joint in product(plan.choices(plan.start, movers[0]), plan.joints(plan.start)):
            if joint[movers[0]][0] != name:
                continue
            gets = worth.values[plan.after(plan.start, joint)][movers[0]]
            answer = Answer(made.name, "by hand", True, value, {names[movers[0]]: name})
            faults = list(Judge(plan, plan.start, worth).faults(answer))
            assert bool(faults) == (gets < worth.value[movers[0]])


def test_the_command_writes_a_set(tmp_path: Path) -> None:
    done = piped("compose", "--set", "2", "--thorny", "--seed", "4", str(tmp_path))
    assert done.returncode == 0
    assert "2 games and their values" in done.stdout
    made = compose_thorny(1, seed=4)
    assert (tmp_path / "thorny-4-1.kif").read_text(encoding="utf-8") == made.text
    assert json.loads((tmp_path / "thorny-4-1.json").read_text(encoding="utf-8")) == made.answer
    index = [json.loads(line) for line in (tmp_path / "index.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [line["game"] for line in index] == ["thorny-4-0", "thorny-4-1"]
    refused = piped("compose", "--thorny", "choice", "tictactoe")
    assert refused.returncode == 2
    assert "--set 100 --thorny DIR" in refused.stderr
