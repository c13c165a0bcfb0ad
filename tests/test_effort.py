"""Efforts: steps are used up by work alone, seconds only where they are given."""

from __future__ import annotations

from math import inf
from threading import Thread

import pytest

from ludisect.effort import Effort, OutOfTime, ending, spend, spent, watched


def test_steps_are_used_up() -> None:
    effort = Effort(100)
    assert not effort.over()
    spend(60)
    assert (effort.left, effort.over(), effort.seconds_left) == (40, False, None)
    spend(40)
    assert (effort.left, effort.over()) == (0, True)
    spend(5)
    assert effort.left == 0
    assert Effort(0).over()
    assert not Effort().over()
    assert Effort().left == inf


def test_seconds_only_if_given(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("ludisect.clock.now", lambda: now[0])
    patient, hasty = Effort(100), Effort(100, seconds=2.0)
    now[0] += 1.5
    assert (hasty.over(), hasty.left, hasty.seconds_left) == (False, 100, 0.5)
    now[0] += 1e9
    assert (hasty.over(), hasty.left, hasty.seconds_left) == (True, 0, 0)
    assert (patient.over(), patient.left) == (False, 100)


def test_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("ludisect.clock.now", lambda: now[0])
    whole = Effort(8e9, seconds=16.0)
    spend(6e9)
    now[0] += 4.0
    for effort, work, seconds in (
        (whole.part(0.25), 2e9, 4.0),
        (whole.part(0.25, least=5e9), 5e9, 5.0),
        (whole.part(1.0), 8e9, 12.0),
        (whole.part(0.25, least=20e9), 20e9, 12.0),
        (whole.steps(0.25), 2e9, 12.0),
        (whole.steps(0.25, least=5e9), 5e9, 12.0),
        (whole.rest(), 2e9, 12.0),
        (whole.rest(least=3e9), 3e9, 12.0),
        (whole.within(1e9), 1e9, 1.0),
        (whole.within(9e9), 2e9, 9.0),
        (Effort(10).part(0.5), 5, None),
        (Effort(10).steps(0.5), 5, None),
        (Effort(10).rest(), 10, None),
        (Effort(10).within(3), 3, None),
    ):
        assert (effort.work, effort.left, effort.seconds, effort.seconds_left) == (work, work, seconds, seconds)
    part = whole.part(0.25)
    spend(2e9)  # of the part and of the whole
    assert part.over()
    assert whole.over()


def test_threads_do_not_spend_each_others_efforts() -> None:
    before, there = spent(), []

    def work() -> None:
        spend(7)
        there.append(spent())

    thread = Thread(target=work)
    thread.start()
    thread.join()
    assert there == [7]
    assert spent() == before


def test_work_ends_where_steps_are_reported_after_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("ludisect.clock.now", lambda: now[0])
    gates: list[str] = []
    effort = Effort(seconds=2.0)
    with watched(lambda: gates.append("outer")):
        with ending(effort):
            spend(1)
            now[0] = 3.0
            with pytest.raises(OutOfTime):
                spend(1)
        spend(1)
    assert gates == ["outer"] * 3, "the gate around it is passed too, and stays"
    with ending(Effort(0.0)):
        spend(1)  # no seconds were given: nothing ends it


def test_all_gates_are_passed() -> None:
    passed: list[str] = []
    with watched(lambda: passed.append("outer")):
        with watched(lambda: passed.append("inner")):
            spend(1)
        spend(1)
    spend(1)
    assert passed == ["outer", "inner", "outer"]
