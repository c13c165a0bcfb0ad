"""A depth is heeded or refused by every way, never ignored."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.errors import InputError
from ludisect.loader import load
from ludisect.search.budget import Budget
from ludisect.search.solve import names, solve
from ludisect.search.study import Study
from ludisect.search.ways import GENERAL, SPECIAL, WAYS
from tests.search.known import lifts, nim, taken_apart

GAMES: dict[str, tuple[Callable[[], Decomposition], int]] = {
    "nimbers": (lambda: taken_apart("kayles:4,2"), 1),
    "quotient": (lambda: taken_apart("nim:3,5"), 3),
    "tmseq": (lambda: taken_apart("nim:3,5"), 2),
    "tmseq-published": (lambda: taken_apart("nim:2,3"), 1),
    "tmseq-published-a": (lambda: taken_apart("nim:2,3"), 1),
    "tmseq-published-sets": (lambda: taken_apart("nim:2,3"), 1),
    "urgent": (lambda: taken_apart("double-crisscross"), 2),
    "plans": (lambda: taken_apart("two-track"), 1),
    "greedy": (lambda: taken_apart("two-track"), 1),
    "lockstep": (lifts, 2),
}
"""For each way that heeds a depth: a game, and a depth at which it does not see the end."""


@pytest.mark.parametrize("by", sorted(WAYS))
def test_every_way_heeds_a_depth_or_refuses_it(by: str) -> None:
    way = WAYS[by]
    if by not in GAMES:
        assert not way.by_depth
        with pytest.raises(InputError) as caught:
            solve(nim(1, 2), by, depth=3)
        assert str(caught.value) == (
            f"{by!r} solves a game to its end and cannot look only 3 moves ahead; with a depth, choose from parts, "
            f"whole, alpha-beta, {', '.join(sorted(GAMES))}"
        )
        with pytest.raises(InputError, match="to its end"):
            way.run(Study(nim(1, 2)), Budget(), 3)
        return
    assert way.by_depth
    make, depth = GAMES[by]
    parts = make()
    full, short, deep = solve(parts, by), solve(parts, by, depth=depth), solve(parts, by, depth=100)
    assert (deep.value, deep.move) == (full.value, full.move)
    assert (deep.exact, deep.line) == (full.exact, full.line)
    assert not short.exact
    assert (short.value, short.bounds, short.parts, short.nodes) != (full.value, full.bounds, full.parts, full.nodes)
    for role, (low, high) in short.bounds.items():
        best = solve(parts, "whole").value[role]
        assert best is not None
        assert low <= best <= high


def test_by_parts_takes_only_ways_that_heed_a_depth() -> None:
    parts = taken_apart("toads-and-frogs")
    assert solve(parts).algorithm == "values"
    assert not WAYS["values"].by_depth
    shallow = solve(parts, depth=2)
    assert WAYS[shallow.algorithm].by_depth
    assert not shallow.exact
    assert all(solve(parts).value[role] in (low, high) for role, (low, high) in shallow.bounds.items())
    assert any(not way.by_depth for way in (*SPECIAL, *GENERAL))


def test_a_depth_in_misere_play_is_refused() -> None:
    parts = nim(2, 3, misere=True)
    assert solve(parts, "nimbers").exact
    with pytest.raises(InputError, match="misère sums are solved to their ends, whatever the depth"):
        solve(parts, "nimbers", depth=1)
    assert solve(parts, depth=1).algorithm == "quotient"


@pytest.mark.parametrize("by", ["parts", "whole", "alpha-beta"])
def test_the_whole_heeds_a_depth(by: str) -> None:
    assert by in names()
    short = solve(load("nim:2,3"), by, depth=2)
    assert not short.exact
    assert short.bounds or by == "parts"
