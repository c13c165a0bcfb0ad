"""Games that never end: the rules give a value to ends alone, so nothing about them is called exact."""

from __future__ import annotations

import pytest

from ludisect import load, solve

TURNS = """(init (c a)) (<= (next (c a)) (true (c b))) (<= (next (c b)) (true (c a)))
(<= (legal ?r noop) (role ?r) (not (true (c ?r))))"""

ALONE = "(init (c a)) (next (c a))"

END = "(<= terminal (true (p l done)))"


def board(name: str) -> str:
    """A lamp that can be switched on and off for ever."""
    return f"""(init (p {name} off)) (<= (legal ?r (turn {name})) (true (c ?r)))
(<= (next (p {name} on)) (does ?r (turn {name})) (true (p {name} off)))
(<= (next (p {name} off)) (does ?r (turn {name})) (true (p {name} on)))
(<= (next (p {name} ?x)) (true (p {name} ?x)) (not (turned {name}))) (<= (turned ?n) (does ?r (turn ?n)))"""


GOALS = """(<= (goal ?r 100) (role ?r) (true (p l on))) (<= (goal ?r 0) (role ?r) (not (true (p l on))))"""

NOTHING = "(<= (goal ?r 0) (role ?r))"

SHEETS = {
    "one player, one lamp": "(role a)" + ALONE + board("l") + END + GOALS,
    "one player, two lamps": "(role a)" + ALONE + board("l") + board("m") + END + GOALS,
    "one player, nothing to win": "(role a)" + ALONE + board("l") + board("m") + END + NOTHING,
    "two players, two lamps": "(role a) (role b)" + TURNS + board("l") + board("m") + END + GOALS,
    "two players, nothing to win": "(role a) (role b)" + TURNS + board("l") + board("m") + END + NOTHING,
}


@pytest.mark.parametrize("by", ["parts", "whole", "alpha-beta", "quotient"])
@pytest.mark.parametrize("name", SHEETS)
def test_no_play_ends_and_no_value_is_exact(name: str, by: str) -> None:
    if by == "quotient" and "one lamp" in name:
        return  # there is one part
    answer = solve(load(SHEETS[name]), by)
    assert not answer.exact
    # depth first nobody sees all positions
    assert by == "alpha-beta" or any("no play comes to an end" in note for note in answer.notes)


def test_one_play_that_ends_is_enough() -> None:
    stop = "(<= (legal a stop) (true (p l on))) (<= (next (p l done)) (does a stop)) (<= (turned l) (does a stop))"
    goals = "(<= (goal a 70) (true (p l done))) (<= (goal a 0) (not (true (p l done))))"
    for by in ("parts", "whole"):
        answer = solve(load("(role a)" + ALONE + board("l") + stop + END + goals), by)
        assert answer.exact
        assert answer.value == {"a": 70.0}
