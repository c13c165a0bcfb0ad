"""Moves that a decomposition takes for passes, and that are none: no search by parts is built on them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from ludisect import load
from ludisect.decomposition.methods import decompose
from ludisect.decomposition.model.decomposition import Classes, Decomposition, Evidence
from ludisect.search.limits import SearchLimits
from ludisect.search.part import placing
from ludisect.search.part.views import PASS, Views
from ludisect.search.quotient.classes import quotient
from ludisect.search.solve import solve
from ludisect.search.way import Inapplicable
from ludisect.settings import using
from tests.decomposition.crowd import crowd
from tests.search.agreement import Whole

TESTED = Evidence("tested", 100)


def without(parts: Decomposition, name: str) -> Decomposition:
    """The decomposition as a test that never saw some moves may leave it: they count as passes."""

    def kept(r: int, classes: Classes) -> Classes:
        some = (tuple(m for m in members if str(parts.game.moves[r][m]) != name) for members in classes)
        return tuple(members for members in some if members)

    left = [
        replace(s, move_numbers=tuple(kept(r, of_role) for r, of_role in enumerate(s.move_numbers)))
        for s in parts.parts
    ]
    return replace(parts, parts=tuple(left), evidence=TESTED)


@cache
def whole(seed: int) -> Whole:
    return Whole(load(crowd(seed)))


@cache
def in_parts(seed: int) -> Decomposition:
    parts = decompose(load(crowd(seed)))
    assert len(parts.dependent) > 1
    return parts


@pytest.mark.parametrize("seed", [0, 4, 5, 9, 12])
@pytest.mark.parametrize("track", ["t1", "t2", "t5", "t6"])
def test_a_move_with_an_effect_is_no_pass(seed: int, track: str) -> None:
    parts = in_parts(seed)
    assert any(str(move) == f"(push {track})" for moves in parts.game.moves for move in moves)
    wrong = without(parts, f"(push {track})")
    with pytest.raises(Inapplicable, match="should do the same and do not"):
        quotient(Views(wrong))
    answer = solve(wrong)
    assert list(whole(seed).faults(answer)) == []
    assert answer.exact == answer.algorithm.startswith("whole")


@pytest.mark.parametrize("seed", [0, 4, 5, 9, 12])
def test_right_classes_are_not_refused(seed: int) -> None:
    """Only tested, they are searched by parts, and the answer is not called exact."""
    answer = solve(replace(in_parts(seed), evidence=TESTED))
    assert not answer.algorithm.startswith("whole")
    assert not answer.exact
    assert list(whole(seed).faults(answer)) == []


def test_more_moves_than_can_be_looked_at_are_not_trusted() -> None:
    with using(SearchLimits(placing_joint=10)):
        quotient(Views(in_parts(0)))  # proved
        with pytest.raises(Inapplicable, match="too many joint moves"):
            quotient(Views(replace(in_parts(0), evidence=TESTED)))


def test_a_state_with_more_moves_than_are_listed_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is looked at by itself."""
    monkeypatch.setattr(placing, "EDGES_AT_ONCE", 1)
    quotient(Views(replace(in_parts(0), evidence=TESTED)))
    with pytest.raises(Inapplicable, match="should do the same and do not"):
        quotient(Views(without(in_parts(0), "(push t1)")))


@pytest.mark.parametrize("seed", range(6))
def test_games_with_rare_moves(seed: int) -> None:
    parts = decompose(load(crowd(seed)), playouts=50)
    assert list(whole(seed).faults(solve(parts))) == []


KEEPING = """
(role a) (role b) (init (turn a)) (init (grip free)) (init (lid shut)) (init (step 0))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
(<= (next (turn a)) (true (turn b))) (<= (next (turn b)) (true (turn a)))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
(<= (legal a look) (true (turn a)))
(<= (legal a lift) (true (turn a)) (true (lid shut)))
(<= (legal a grab) (true (turn a)) (true (grip free)))
(<= (legal b keep) (true (turn b)) (true (grip held)))
(<= (legal b polish) (true (turn b)) (not (true (grip held))))
(<= (legal b take) (true (turn b)) (true (lid up)))
(<= (next (grip held)) (does a grab))
(<= (next (grip held)) (does b keep))
(<= (next (grip shiny)) (does b polish))
(<= touched (does a grab)) (<= touched (does b keep)) (<= touched (does b polish))
(<= (next (grip ?x)) (true (grip ?x)) (not touched))
(<= moved (does a lift)) (<= moved (does b take))
(<= (next (lid up)) (does a lift))
(<= (next (lid empty)) (does b take))
(<= (next (lid ?x)) (true (lid ?x)) (not moved))
(<= terminal (true (step 4)))
(<= terminal (true (lid empty)))
(<= won (true (lid empty)) (true (grip free)))
(<= (goal ?r 100) (role ?r) won)
(<= (goal ?r 0) (role ?r) (not won))
"""
"""What is held can be kept; the rule for keeping does not say that it must be held."""


def test_doing_nothing_is_not_read_off_a_move_that_is_not_legal() -> None:
    parts = decompose(load(KEEPING))
    (i,) = (i for i, s in enumerate(parts.dependent) if "(grip" in str(parts.game.fluents[s.fluent_numbers[0]]))
    graph = Views(parts).graph(i)
    for state in range(graph.positions):
        for setting in range(len(graph.settings)):
            some = graph.edges_of(state, setting)
            passing = (graph.move[some] == PASS).all(axis=1)
            assert (graph.successor[some][passing] == state).all()
    assert list(Whole(parts.game).faults(solve(parts))) == []
