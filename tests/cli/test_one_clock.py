"""The seconds of a command are one limit for building its game and for what comes after."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ludisect import loader
from ludisect.cli import check, decompose, simulate, solve, verify
from ludisect.errors import BudgetExceeded
from ludisect.games.source import find_rules


class Given(Exception):
    """Ends a command where it is told its seconds."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds


class Clock:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.time = 100.0

    def now(self) -> float:
        """As ``clock.now``."""
        return self.time


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock by which building a game takes two seconds."""
    clock, build = Clock(), loader.load

    def slow(*game: Any, **options: Any) -> Any:
        clock.time += 2.0
        return build(*game, memory=options["memory"])

    monkeypatch.setattr("ludisect.clock.now", clock.now)
    monkeypatch.setattr(loader, "load", slow)
    return clock


def seconds_of(work: Callable[[], object]) -> float | None:
    """The seconds that are left for the work of a command."""
    with pytest.raises(Given) as told:
        work()
    return told.value.seconds


def give(*_: Any, seconds: float | None = None, **__: Any) -> None:
    """Stands for the work."""
    raise Given(seconds)


COMMON: dict[str, Any] = {"memory": 1.0, "json": True, "quiet": True}


@pytest.mark.parametrize(("seconds", "left"), [(None, None), (5.0, 3.0), (1.0, 0.0)])
def test_what_building_took_is_not_given_again(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, seconds: float | None, left: float | None
) -> None:
    monkeypatch.setattr("ludisect.decomposition.decompose", give)
    monkeypatch.setattr("ludisect.decomposition.verify", give)
    monkeypatch.setattr("ludisect.solving.solve", give)
    monkeypatch.setattr("ludisect.decomposition.model.decomposition.Decomposition.from_json", lambda *_: None)
    here: dict[str, Any] = {"state": None, "moves": None, "seconds": seconds, **COMMON}
    asked: dict[str, Any] = {"method": "exact", "variant": None, "playouts": 1, "seed": 0}
    shown: dict[str, Any] = {
        "verify": True,
        "prove": False,
        "values": False,
        "svg": None,
        "html": None,
        "explain": None,
    }
    assert seconds_of(lambda: decompose.run("nim:1,2", **here, **asked, **shown)) == left
    judged: dict[str, Any] = {"decomposition": None, "playouts": 1, "prove": False, "seed": 0, "seconds": seconds}
    assert seconds_of(lambda: verify.run("nim:1,2", **judged, **COMMON)) == left
    sought: dict[str, Any] = {"by": None, "depth": None, "jobs": None, "store": None}
    assert seconds_of(lambda: solve.run("nim:1,2", **here, **sought)) == left


def test_playing_at_random_has_what_building_left(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludisect.circuit.lanes.Playouts.run", give)
    monkeypatch.setattr("ludisect.gdl.check_by_playouts", give)
    here: dict[str, Any] = {"max_length": 9, "seed": 0, "seconds": 5.0, **COMMON}
    played: dict[str, Any] = {"playouts": 1, "threads": 1, "state": None, "moves": None}
    assert seconds_of(lambda: simulate.run("nim:1,2", **here, **played)) == 3.0
    assert seconds_of(lambda: check.run("nim:1,2", **here, plays=1, engine="auto")) == 3.0


def test_all_tries_at_grounding_share_the_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, tries = Clock(), []

    def never(*_: Any, seconds: float, **__: Any) -> None:
        clock.time += seconds
        tries.append(seconds)
        raise BudgetExceeded("too many", budget="seconds")

    monkeypatch.setattr("ludisect.clock.now", clock.now)
    monkeypatch.setattr(loader, "ground", never)
    with pytest.raises(BudgetExceeded):
        loader.load(find_rules("nim:1,2"), seconds=8.0)
    assert len(tries) == 4
    assert clock.time == pytest.approx(108.0)
