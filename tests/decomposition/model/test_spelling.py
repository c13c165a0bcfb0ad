"""Facts without arguments are printed as the rules spell them and read either way; what never changes is listed."""

from __future__ import annotations

import pytest

from ludisect.decomposition import Decomposition, decompose
from ludisect.loader import load

SHEET = """
(role player) (init {open}) (init (stone a)) ; (closed)
(<= (next {open}) (true {open}) (not (does player close)))
(<= (next closed) (does player close)) (<= (next closed) (true closed))
(<= (next (stone ?x)) (true (stone ?x)))
(legal player close) (legal player wait)
(<= terminal (not (true {open}))) (<= (goal player 100) (true closed)) (<= (goal player 0) (not (true closed)))
"""


@pytest.mark.parametrize("spelt", ["open", "(open)"])
def test_facts_without_arguments_are_spelled_as_in_the_rules(spelt: str) -> None:
    parts = decompose(load(SHEET.format(open=spelt)), playouts=50)
    found = parts.to_json()
    names = {name for part in found["subgames"] for name in part["fluents"]}
    assert names == {spelt, "closed"}  # a comment is no spelling
    assert found["constant"] == ["(stone a)"]
    assert Decomposition.from_json(parts.game, found) == parts


def test_constants_are_told_even_if_there_are_none() -> None:
    assert decompose("nim:1,2", playouts=50).to_json()["constant"] == []
