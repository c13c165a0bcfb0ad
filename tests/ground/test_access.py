"""Both ways into clingo give the same games; one that does not fit is not taken."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import clingo
import numpy as np
import pytest

from ludisect.errors import BudgetExceeded
from ludisect.games.source import find_rules
from ludisect.ground import access, observe
from ludisect.ground.access import CAccess, PublicAccess, way_in
from ludisect.ground.ground import GroundRules, ground


@pytest.fixture
def without_c_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    public = PublicAccess()
    monkeypatch.setattr(observe, "way_in", lambda: public)


@pytest.fixture
def fresh() -> Iterator[None]:
    way_in.cache_clear()
    yield
    way_in.cache_clear()


def same(one: GroundRules, other: GroundRules) -> bool:
    return all(
        np.array_equal(getattr(one, name), getattr(other, name)) for name in GroundRules.__slots__ if name != "seconds"
    )


@pytest.mark.parametrize("name", ["tictactoe", "nim:2,3", "four-lamps", "double-tictactoe", "breakthrough"])
def test_the_public_observer_gives_the_same_ground_rules(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = find_rules(name)
    assert isinstance(way_in(), CAccess)
    expected = ground(rules)
    public = PublicAccess()
    monkeypatch.setattr(observe, "way_in", lambda: public)
    assert same(ground(rules), expected)


@pytest.mark.usefixtures("without_c_functions")
def test_limits_hold_with_the_public_observer() -> None:
    with pytest.raises(BudgetExceeded, match="more than 50 rules"):
        ground(find_rules("connect-four"), max_rules=50)
    with pytest.raises(BudgetExceeded, match="GB allowed"):
        ground(find_rules("connect-four"), memory=2000.0)


@pytest.mark.usefixtures("fresh")
def test_names_that_clingo_no_longer_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clingo, "_internal", SimpleNamespace(_ffi=None))
    assert isinstance(way_in(), PublicAccess)


@pytest.mark.usefixtures("fresh")
def test_functions_that_say_something_else(monkeypatch: pytest.MonkeyPatch) -> None:
    true_atoms = CAccess.atoms_of

    def other(self: CAccess, control: Any, predicate: str, arity: int) -> access.Atoms:
        return {symbols: literal + 1 for symbols, literal in true_atoms(self, control, predicate, arity).items()}

    monkeypatch.setattr(CAccess, "atoms_of", other)
    assert isinstance(way_in(), PublicAccess)
