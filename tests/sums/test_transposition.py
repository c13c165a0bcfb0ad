"""Transposition tables: they keep to their bound, keep the useful, and never change an answer."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludisect.errors import InputError
from ludisect.rulesets import Impartial, Position, read_component
from ludisect.sums.local import LocalSearch
from ludisect.sums.transposition import TranspositionTable

BOARDS = ["domineering 3x3", "clobber 2x3", "nogo 2x3", "cannibal_clobber XOX|OXO", "amazons X..|.O."]


def position(expression: str) -> Position:
    found = read_component(expression)
    assert isinstance(found, Position)
    return found


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 50)), max_size=60), st.integers(1, 8))
@settings(max_examples=50, deadline=None)
def test_the_bound_holds_and_what_is_kept_is_right(entries: list[tuple[int, int]], bound: int) -> None:
    table: TranspositionTable[int, int] = TranspositionTable(bound)
    last: dict[int, int] = {}
    for key, work in entries:
        table.put(key, 100 * key + work, work)
        last[key] = 100 * key + work
        assert table.get(key) == last[key]  # the newest entry is never the one that goes
        assert len(table) <= bound
        assert all(table.get(k) in (None, v) for k, v in last.items())


def test_the_least_useful_go_first() -> None:
    table: TranspositionTable[str, int] = TranspositionTable(4)
    for key, work in (("cheap", 1), ("asked", 1), ("dear", 50), ("cheaper still", 1)):
        table.put(key, work, work)
    for _ in range(3):
        assert table.get("asked") == 1
    table.put("new", 0)
    assert ["asked" in table, "dear" in table, "new" in table] == [True] * 3
    assert ("cheap" in table, "cheaper still" in table) == (False, False)
    assert len(table) == 3


@pytest.mark.parametrize("bound", [4, 20])
@pytest.mark.parametrize("expression", BOARDS)
def test_a_tiny_bound_changes_no_value(expression: str, bound: int) -> None:
    board = position(expression)
    free, tight = LocalSearch(), LocalSearch(entries=bound)
    assert tight.value(board) is free.value(board)
    assert tight.nodes >= free.nodes
    if bound == 4:
        assert tight.nodes > free.nodes  # something was forgotten and found again


@pytest.mark.parametrize("expression", ["impartial domineering 2x4", "cram 2x4", "impartial clobber XOX|OXO"])
def test_a_tiny_bound_changes_no_nim_value(expression: str) -> None:
    board = position(expression)
    assert board.impartial
    assert isinstance(board, Impartial) or board.name == "cram"
    free, tight = LocalSearch(), LocalSearch(entries=4)
    assert tight.value(board) is free.value(board)
    assert tight.nodes > free.nodes


def test_a_bound_is_at_least_one() -> None:
    with pytest.raises(InputError, match="at least 1 entry"):
        LocalSearch(entries=0)
