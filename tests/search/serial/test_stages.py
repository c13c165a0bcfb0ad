"""Stages that are sums themselves: the value of whole-game search without the positions of the stages."""

from __future__ import annotations

from math import prod
from random import Random

import pytest

from ludisect import load
from ludisect.decomposition.methods import decompose
from ludisect.errors import InputError
from ludisect.search.limits import SearchLimits
from ludisect.search.part.views import Views
from ludisect.search.solve import solve
from ludisect.settings import using
from tests.search.agreement import Tally, Whole
from tests.search.staged import Kind, staged_walks
from tests.search.test_glue import HEAPS_THEN_RACE

SHAPES = [[[4, 4], [5]], [[4, 5], [4, 4]], [[5], [4, 5]], [[3, 4], [4], [3, 4]], [[4, 3, 4], [3, 4]]]


def check(seed: int, kind: Kind, tally: Tally) -> None:
    """Hold all ways against the whole, with the parts as written and as found."""
    rng = Random(seed)
    parts = staged_walks(rng.choice(SHAPES), rng, kind, wins=rng.random() < 0.5)
    tally.check(f"{kind} {seed}", parts, Whole(parts.game))


@pytest.mark.parametrize("kind", ["last mover", "cannot move", "points", "one player"])
def test_stages_of_sums(kind: Kind) -> None:
    tally = Tally()
    for seed in range(8):
        check(seed, kind, tally)
    assert tally.faults == []
    assert tally.answers["stages, exact"] >= 5
    assert tally.answers["serial, exact"] == 8


def test_the_parts_of_stages_are_found() -> None:
    parts = decompose(staged_walks([[3, 4], [3, 3]], Random(1), "last mover").game)
    assert len(parts.dependent) == 4
    answer = solve(parts)
    assert answer.algorithm == "stages"
    assert list(Whole(parts.game).faults(answer)) == []


def test_stages_too_large_to_search() -> None:
    parts = staged_walks([[30] * 4, [30] * 4], Random(3), "last mover", steps=30)
    views = Views(parts)
    sizes = [views.graph(i).positions for i in range(8)]
    assert prod(sizes[:4]) > 300_000  # positions of the first stage alone, and as many of the second
    with using(SearchLimits(checking_positions=50, checking_plays=2)):
        answer = solve(parts, seconds=120)
    assert answer.algorithm == "stages"
    assert answer.exact
    assert answer.nodes < 100
    assert any("its parts add up (nimbers)" in line for line in answer.why)


def test_a_role_that_may_pass_is_refused() -> None:
    waiting = "(<= (legal ?p noop) (role ?p) (not (true (control ?p))))"
    passing = HEAPS_THEN_RACE.replace(waiting, "(<= (legal ?p noop) (role ?p))")
    assert passing != HEAPS_THEN_RACE
    clock = "(init (clock 0)) (<= (next (clock ?n)) (true (clock ?m)) (succ ?m ?n)) (<= terminal (true (clock 4)))"
    parts = decompose(load(passing + clock))
    assert len(parts.dependent) == 3
    with pytest.raises(InputError, match="may pass although it could move"):
        solve(parts, "serial")
    tally = Tally()
    tally.check("passing", parts, Whole(parts.game))
    assert tally.faults == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["last mover", "cannot move", "points", "one player"])
def test_many_stages_of_sums(kind: Kind) -> None:
    tally = Tally()
    for seed in range(100, 400):
        check(seed, kind, tally)
    assert tally.faults == []
