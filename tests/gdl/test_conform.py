"""The conformance check: a machine agrees with itself, and every kind of difference is seen."""

from __future__ import annotations

import pytest

from ludisect.gdl import check_machine

from .small import race


def test_a_machine_agrees_with_itself() -> None:
    assert check_machine(race(), race()) == []


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("(role red) (role blue)", "(role blue) (role red)", "order of the roles"),
        ("(init (at red 0))", "(init (at red 1))", "initial state"),
        ("(step 2 3)", "(step 2 4)", "legal moves of red"),
        ("(step 0 2)", "(step 0 2) (step 0 3)", "legal moves of blue"),
        ("(<= (next (at ?r ?y)) (does ?r (go ?y)))", "(<= (next (at ?r ?y)) (does ?r (go ?y)) (distinct ?r red))",
         "next state"),
        ("(<= terminal (true (at ?r 3)))", "(<= terminal (true (at red 3)))", "the final state is not terminal"),
        ("(<= terminal (true (at ?r 3)))", "(<= terminal (true (at ?r 2)))", "the state is terminal, but play went on"),
        ("(goal ?r 50)", "(goal ?r 49)", "goals"),
        ("(not (true (at ?r 3))))", "(true (at ?r 2)))", "goals"),
    ],
)  # fmt: skip
def test_differences_are_seen(old: str, new: str, kind: str) -> None:
    assert kind in {found.what for found in check_machine(race(old, new), race())}


def test_goals_are_compared_before_the_end_too() -> None:
    other = race("(<= (goal ?r 0) (role ?r)", "(<= (goal ?r 1) (role ?r)")
    found = check_machine(other, race(), plays=1)
    assert str(found[-1]).endswith("goals: missing (blue 0), (red 0); extra (blue 1), (red 1)")
    assert {mismatch.step for mismatch in found} >= {1, 2}


def test_the_seed_decides_the_plays() -> None:
    other = race("(goal ?r 50)", "(goal ?r 49)")
    assert check_machine(other, race(), plays=5, seed=1) == check_machine(other, race(), plays=5, seed=1)
