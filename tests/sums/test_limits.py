"""The numbers of sums: work is counted where no seconds are given, and what they bound is still answered."""

from __future__ import annotations

import pytest

import ludisect
from ludisect import clock
from ludisect.errors import BudgetExceeded
from ludisect.settings import using
from ludisect.sums.limits import SumsLimits

SWITCHES = " + ".join(f"{{{{{3 * n}|{n}}}|{{-{n}|-{5 * n}}}}}" for n in range(1, 9))


def test_a_sum_that_is_not_added_up_says_what_is_known() -> None:
    whole = ludisect.value(SWITCHES)
    with using(SumsLimits(total_steps=50)), pytest.raises(BudgetExceeded, match="within 50 steps") as caught:
        ludisect.value("0 + " + SWITCHES)
    assert caught.value.budget == "nodes"
    known = caught.value.partial
    assert isinstance(known, dict)
    assert known["outcome"] == whole.outcome
    assert known["mean"] == str(whole.mean)


def test_who_wins_a_sum_is_not_searched_for_without_end() -> None:
    with (
        using(SumsLimits(total_steps=50, total_nodes=1, outcome_plain_nodes=1)),
        pytest.raises(BudgetExceeded) as caught,
    ):
        ludisect.value("0 + " + SWITCHES)
    assert isinstance(caught.value.partial, dict)
    assert caught.value.partial["outcome"] is None


@pytest.mark.parametrize("nodes", [1, 10_000_000])
def test_a_try_by_plays_changes_no_nim_value(nodes: int) -> None:
    text = "impartial nogo 3x4"
    with using(SumsLimits(local_nim_nodes=5, local_play_nodes=nodes)):
        found = ludisect.value(text)
    assert found == ludisect.value(text)


@pytest.mark.parametrize("pace", [0.01, 100.0])
def test_the_clock_decides_nothing_where_no_seconds_are_given(pace: float, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "domineering 3x4 + clobber XOX|OXO + nim 3 5 + {4|-1}"
    expected = ludisect.solve(text)
    now = clock.now
    monkeypatch.setattr(clock, "now", lambda: pace * now())
    found = ludisect.solve(text)
    assert (found.value, found.move, found.nodes, found.parts) == (
        expected.value,
        expected.move,
        expected.nodes,
        expected.parts,
    )
