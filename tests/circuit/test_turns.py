"""Who moves when: the turn structure of small sheets, from states seen in plays."""

from __future__ import annotations

import numpy as np
import pytest

from ludisect.circuit.turns import turns, turns_in
from ludisect.loader import load

ROLES = "abc"


def choices(*steps: str, roles: str = ROLES) -> str:
    """A game of some steps: in each, the named roles choose between two moves, the others wait."""
    numbers = " ".join(f"(succ {n} {n + 1})" for n in range(len(steps)))
    choosing = " ".join(f"(chooses {r} {n})" for n, some in enumerate(steps) for r in some)
    return f"""
{" ".join(f"(role {r})" for r in roles)} {numbers} {choosing} (init (step 0)) (hand left) (hand right)
(<= (legal ?r ?h) (true (step ?n)) (chooses ?r ?n) (hand ?h))
(<= (legal ?r wait) (role ?r) (true (step ?n)) (not (chooses ?r ?n)))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (next (raised ?r ?h)) (does ?r ?h) (hand ?h))
(<= terminal (true (step {len(steps)})))
(<= (goal ?r 50) (role ?r))
"""


@pytest.mark.parametrize(
    ("steps", "roles", "wanted"),
    [
        (["a", "a"], "a", "single-player"),
        (["a", "b", "c"], ROLES, "alternating"),
        (["a", "", "a"], ROLES, "alternating"),  # one who never has a choice does not count
        (["abc", "", "abc"], ROLES, "simultaneous"),
        (["ab", "bc", "ca"], ROLES, "mixed"),  # two of three at once
        (["a", "b", "bc"], ROLES, "mixed"),
        (["abc", "a"], ROLES, "mixed"),
        (["abc", "ab"], ROLES, "mixed"),
        (["ab", "ab"], "ab", "simultaneous"),
    ],
)
def test_who_chooses_when(steps: list[str], roles: str, wanted: str) -> None:
    assert turns(load(choices(*steps, roles=roles)), playouts=16) == wanted


def test_who_chooses_in_states_that_are_given() -> None:
    """Columns of the roles may be other than their moves: here a has two, b two and c one."""
    game = load(choices("abc"))
    first = np.array([0, 2, 4, 5])
    alone = np.array([[True, True, True, False, True], [True, False, True, True, True]])
    both = np.array([[True, True, True, True, True]])
    assert turns_in(game, [alone], first) == "alternating"
    assert turns_in(game, [alone, both], first) == "mixed"
    assert turns_in(game, [both], first) == "mixed"
    assert turns_in(game, [np.ones((1, 9), np.bool_)]) == "simultaneous"
    assert turns_in(load(choices("a", roles="a")), [], np.array([0, 3])) == "single-player"
