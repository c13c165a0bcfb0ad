"""Crosspoints and timing: Figure 3, a conjunction that opens a second stage, and what plays contradict."""

from __future__ import annotations

import numpy as np
import pytest

import ludisect
from ludisect.circuit.game import Game
from ludisect.circuit.record import plays
from ludisect.circuit.rows import unpack
from ludisect.circuit.signals import Conjunctions
from ludisect.decomposition.limits import DecompositionLimits
from ludisect.decomposition.statistics import playouts
from ludisect.decomposition.statistics.crosspoints import CausalGraph, confirmed, crosspoints
from ludisect.decomposition.statistics.timing import NEVER, time_plays
from ludisect.gdl.reader import read

SHIPS = """
(role pilot) (succ 0 1) (succ 1 2) (succ 2 3)
(init (speed a 2)) (init (speed b 1)) (init (height 0)) (init (clock 0))
(<= (legal pilot (brake ?x)) (true (speed ?x ?v)) (succ ?u ?v))
(<= (legal pilot (push ?x)) (true (speed ?x 1)) moving)
(<= (legal pilot climb) stopped)
(<= (legal pilot sink) stopped (true (height ?h)) (succ ?g ?h))
(<= moving (true (speed ?x ?v)) (succ ?u ?v))
(<= stopped (true (speed a 0)) (true (speed b 0)))
(<= (next (speed ?x ?u)) (does pilot (brake ?x)) (true (speed ?x ?v)) (succ ?u ?v))
(<= (next (speed ?x 2)) (does pilot (push ?x)))
(<= (touched ?x) (does pilot (brake ?x)))
(<= (touched ?x) (does pilot (push ?x)))
(<= (next (speed ?x ?v)) (true (speed ?x ?v)) (not (touched ?x)))
(<= (next (height ?h)) (does pilot climb) (true (height ?g)) (succ ?g ?h))
(<= (next (height ?g)) (does pilot sink) (true (height ?h)) (succ ?g ?h))
(<= (next (height ?h)) (true (height ?h)) (not (does pilot climb)) (not (does pilot sink)))
(<= (next (height 3)) (true (height 3)) (does pilot climb))
(<= (next (clock ?n)) (true (clock ?m)) (plus ?m ?n))
(plus 0 1) (plus 1 2) (plus 2 3) (plus 3 4) (plus 4 5) (plus 5 6) (plus 6 7) (plus 7 8) (plus 8 9) (plus 9 10)
(plus 10 11) (plus 11 12) (plus 12 13) (plus 13 14) (plus 14 15)
(<= terminal (true (clock 15)))
(<= (goal pilot 100) (true (height 3)))
(<= (goal pilot 0) (not (true (height 3))))
"""
"""Two speeds have to come down to 0 together; only then does the climbing begin."""


def test_a_conjunction_of_two_speeds_opens_the_second_stage() -> None:
    game = ludisect.load(read(SHIPS, name="ships"))
    found = playouts.find(game)
    names = [{game.fluents[f].name for f in group} for group in found.groups]
    assert sorted(names, key=sorted) == [{"height"}, {"speed"}]
    speed = names.index({"speed"})
    assert found.after == {1 - speed: (speed,)}
    assert not found.useless  # the speeds do not count for the goal, but open what does
    assert [{game.fluents[f].name for f in group} for group in found.independent] == [{"clock"}]


def graph(edges: list[tuple[int, int]], literals: int, moves: int) -> CausalGraph:
    """A causal graph from pairs."""
    ends = np.array(edges)
    return CausalGraph(literals, moves, ends[:, 0], ends[:, 1])


def test_a_literal_on_no_circle_that_opens_moves_is_a_crosspoint() -> None:
    """Figure 3 in small: blank (initial) -> mark -> cell -> over -> second mark -> second cell."""
    game = ludisect.load("four-lamps")  # four fluents, four moves; nothing is true at the start
    edges = [(1, 8), (8, 0), (0, 2), (2, 9), (9, 4), (5, 9)]
    none = Conjunctions(*(np.empty(0, np.int64) for _ in range(3)))
    legal = np.zeros((8, 4), np.bool_)
    found = crosspoints(game, graph(edges, 8, 4), none, legal)
    assert [c.literals for c in found] == [(2,)]
    assert np.flatnonzero(found[0].before).tolist() == [0, 1, 8]
    assert np.flatnonzero(found[0].after).tolist() == [4, 9]
    on_a_circle = crosspoints(game, graph([*edges, (9, 0)], 8, 4), none, legal)
    assert on_a_circle == []


def test_a_crosspoint_that_changes_again_is_dropped() -> None:
    """The turn marker of a game opens moves again and again."""
    game = ludisect.load("tictactoe")
    n = 2 * len(game.fluents)
    turn = next(i for i, f in enumerate(game.fluents) if str(f) == "(control oplayer)")
    mark = next(i for i, m in enumerate(game.moves[1]) if str(m) == "(mark 1 1)") + int(game.batch.first_move[1])
    made_up = graph([(n + 1, 2 * turn), (2 * turn, n + mark)], n, game.circuit.legal.size)
    none = Conjunctions(*(np.empty(0, np.int64) for _ in range(3)))
    legal = np.zeros((n, game.circuit.legal.size), np.bool_)
    found = crosspoints(game, made_up, none, legal)
    assert [c.literals for c in found] == [(2 * turn,)]
    assert confirmed(found, made_up, time_plays(game, 100), 3) == []


@pytest.mark.parametrize("name", ["serial-tictactoe", "relay", "runners"])
def test_times_of_plays(name: str) -> None:
    """Each play by itself, in plain Python: its states follow one another in the batches in the same order."""
    game = ludisect.load(name)
    timing = time_plays(game, 40, seed=5)
    alive = list(range(40))
    first_legal = np.full_like(timing.first_legal, NEVER)
    last_change = np.full_like(timing.last_change, -1)
    length = np.zeros(40, np.int64)
    for step, (states, _, following) in enumerate(plays(game, 40, seed=5)):
        legal = game.batch.legal(states)
        changed = unpack(states ^ following, len(game.fluents))
        over = game.batch.terminal(following)
        for i, k in enumerate(alive):
            first_legal[k] = np.minimum(first_legal[k], np.where(legal[i], step, NEVER))
            last_change[k] = np.where(changed[i], step, last_change[k])
            length[k] = step + 1
        alive = [k for k, end in zip(alive, over.tolist(), strict=True) if not end]
    assert (timing.first_legal == first_legal).all()
    assert (timing.last_change == last_change).all()
    assert (timing.length == length).all()
    _check_over(game, timing.first_legal, timing.last_change, length)


def _check_over(
    game: Game,
    first_legal: np.ndarray[tuple[int, ...], np.dtype[np.int32]],
    last_change: np.ndarray[tuple[int, ...], np.dtype[np.int32]],
    length: np.ndarray[tuple[int, ...], np.dtype[np.int64]],
) -> None:
    timing = time_plays(game, 40, seed=5)
    for move in range(0, first_legal.shape[1], 3):
        told = [k for k in range(40) if first_legal[k, move] < length[k] - DecompositionLimits().timing_later]
        found = timing.over_for([move], list(range(len(game.fluents))), 3)
        for f in range(len(game.fluents)):
            wanted = len(told) > 3 and all(last_change[k, f] <= first_legal[k, move] for k in told)
            assert bool(found[f]) == wanted
