"""Local views: where the other parts as they stand at the start would end the play, others are filled in."""

from __future__ import annotations

import numpy as np

from ludisect import decompose, load
from ludisect.search.part.views import PASS, Views
from ludisect.search.settle import settled
from ludisect.search.solve import solve

LAMPS = """
(role red) (role blue)
(init (lamp a on)) (init (lamp b dark)) (init (turn red)) (init (step 0))
(<= (next (turn red)) (true (turn blue))) (<= (next (turn blue)) (true (turn red)))
(then 0 1) (then 1 2) (then 2 3) (then 3 4)
(<= (next (step ?n)) (true (step ?m)) (then ?m ?n))
(<= both (true (lamp a on)) (true (lamp b on)))
(other on dark) (other dark on)
(<= (legal ?r (switch ?l)) (true (turn ?r)) (true (lamp ?l ?x)) (not both))
(<= (legal ?r rest) (true (turn ?r)))
(<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
(<= (switched ?l) (does ?r (switch ?l)))
(<= (next (lamp ?l ?y)) (switched ?l) (true (lamp ?l ?x)) (other ?x ?y))
(<= (next (lamp ?l ?x)) (true (lamp ?l ?x)) (not (switched ?l)))
(<= terminal both) (<= terminal (true (step 4)))
(<= (goal red 100) (true (lamp b on))) (<= (goal red 0) (true (lamp b dark)))
(<= (goal blue 100) (true (lamp a dark))) (<= (goal blue 30) (true (lamp a on)))
"""
"""Nobody may switch a lamp when both are on, but then the play is over: the lamps are free of each other."""


def test_moves_are_seen_where_play_goes_on() -> None:
    parts = settled(decompose(load(LAMPS)))
    assert len(parts.dependent) == 2
    views = Views(parts)
    for i in range(2):
        graph = views.graph(i)
        acts = (graph.move != PASS).any(axis=1)
        source = np.repeat(np.arange(graph.edge_start.size - 1), np.diff(graph.edge_start)) // len(graph.settings)
        assert set(source[acts].tolist()) == {0, 1}  # a lamp can be switched whether it is on or not


def test_the_value_is_that_of_the_whole() -> None:
    game = load(LAMPS)
    assert solve(game).value == solve(game, "whole").value
    assert solve(game, "quotient").exact
