"""Building a circuit looks at the clock between its passes, and what is known of a game in no time is told."""

from __future__ import annotations

import pytest

import ludisect
from ludisect import loader
from ludisect.circuit.circuit import build
from ludisect.decomposition.gamesize import game_figures
from ludisect.effort import Effort, OutOfTime, ending
from ludisect.errors import BudgetExceeded
from ludisect.games.source import find_rules
from ludisect.ground import ground


def test_building_ends_when_its_time_is_over() -> None:
    grounded = ground(find_rules("tictactoe"))
    with pytest.raises(OutOfTime), ending(Effort(seconds=0)):
        build(grounded)


def test_a_circuit_that_is_not_built_in_time_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: object, **__: object) -> None:
        raise OutOfTime

    monkeypatch.setattr(loader, "build", late)
    with pytest.raises(BudgetExceeded, match=r"circuit of \d+ ground rules is not built within 60 s"):
        ludisect.load("tictactoe", seconds=60)


def test_what_is_not_settled_in_time_is_open() -> None:
    game = ludisect.load("double-tictactoe")
    late, known = game_figures(game, Effort(seconds=0)), game_figures(game)
    assert [late["turns"], late["phases"], late["impartial"]["answer"]] == [None, None, None]
    assert [known["turns"], known["phases"], known["impartial"]["answer"]] == ["alternating", 2, False]
    assert {name for name in known if known[name] != late[name]} <= {"turns", "phases", "impartial"}
