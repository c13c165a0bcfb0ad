"""Moves in any order: what plays show, held against plain twins; sets of moves that become plays; what is refuted."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludisect import clock
from ludisect.circuit.game import Game
from ludisect.circuit.rows import pack, unpack
from ludisect.gdl import read
from ludisect.loader import load
from ludisect.play.limits import PlayLimits
from ludisect.play.puzzle.anyorder import AnyOrderSearch, required
from ludisect.play.puzzle.foundplay import replayed
from ludisect.play.puzzle.habits import Habits, cliques, plays_of
from ludisect.play.puzzle.planned import PlannedSearch, ends_within
from ludisect.play.puzzle.puzzle import Puzzle
from ludisect.settings import using
from tests.play.puzzle.test_puzzle import plain_breadth

AMPLE = 300.0


def latin(size: int, symbols: int, given_cells: str = "") -> str:
    """A square to be filled, no symbol twice in a row or column; over when nothing fits any more."""
    numbers = " ".join(f"(place {k})" for k in range(size)) + " ".join(f" (symbol {k})" for k in range(symbols))
    return f"""(role r) {numbers} {given_cells}
        (<= (init (empty ?x ?y)) (place ?x) (place ?y) (not (given ?x ?y)))
        (<= (init (cell ?x ?y ?s)) (is ?x ?y ?s)) (<= (given ?x ?y) (is ?x ?y ?s)) (is none none none)
        (<= (legal r (put ?x ?y ?s)) (true (empty ?x ?y)) (symbol ?s) (not (row ?x ?s)) (not (column ?y ?s)))
        (<= (row ?x ?s) (true (cell ?x ?y ?s))) (<= (column ?y ?s) (true (cell ?x ?y ?s)))
        (<= (next (cell ?x ?y ?s)) (does r (put ?x ?y ?s))) (<= (next (cell ?x ?y ?s)) (true (cell ?x ?y ?s)))
        (<= (next (empty ?x ?y)) (true (empty ?x ?y)) (not (filled ?x ?y))) (<= (filled ?x ?y) (does r (put ?x ?y ?s)))
        (<= terminal (not playable)) (<= playable (legal r (put ?x ?y ?s)))
        (<= open (true (empty ?x ?y))) (<= (goal r 100) (not open)) (<= (goal r 0) open)"""


COUNTED = """(role r) (succ 0 1) (succ 1 2) (succ 2 3) (square a) (square b) (square c) (square d) (wrong a)
    (init (step 0)) (<= (legal r (mark ?x)) (square ?x) (not (true (on ?x)))) (legal r stop)
    (<= (next (step ?t)) (true (step ?s)) (succ ?s ?t)) (<= (next (on ?x)) (does r (mark ?x)))
    (<= (next (on ?x)) (true (on ?x))) (<= (next stopped) (does r stop)) (<= (next stopped) (true stopped))
    (<= terminal (true (step 3))) (<= spoilt (true (on ?x)) (wrong ?x)) (<= spoilt (true stopped))
    (<= (goal r 100) (not spoilt)) (<= (goal r 0) spoilt)"""
"""Three squares of four are marked, as the counter tells, and one of them spoils all."""


ROOKS = """(role r) (line 0) (line 1) (line 2) (line 3) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (init (step 0))
    (<= (legal r (put ?x ?y)) (line ?x) (line ?y) (not (row ?x)) (not (column ?y))) (legal r stop)
    (<= (row ?x) (true (rook ?x ?y))) (<= (column ?y) (true (rook ?x ?y)))
    (<= (next (rook ?x ?y)) (does r (put ?x ?y))) (<= (next (rook ?x ?y)) (true (rook ?x ?y)))
    (<= (next (step ?t)) (true (step ?s)) (succ ?s ?t)) (<= (next stopped) (does r stop))
    (<= terminal (true (step 4))) (<= terminal (true stopped))
    (<= (goal r 100) (not (true stopped))) (<= (goal r 0) (true stopped))"""
"""As many rooks as rows, one for each step of the counter."""


def asked(game: Game) -> AnyOrderSearch:
    puzzle = Puzzle(game)
    return AnyOrderSearch(game, puzzle.row, puzzle.perfect, puzzle._goal, seed=0)


@pytest.mark.parametrize("rules", [latin(4, 4), latin(4, 4, "(is 1 1 0) (is 2 3 0) (is 3 0 2)"), COUNTED, ROOKS])
def test_a_set_of_moves_becomes_a_play(rules: str) -> None:
    game = load(read(rules))
    search = asked(game)
    while not search.over:
        search.run(clock.now() + AMPLE)
    assert search.best is not None
    assert replayed(game, game.batch.initial, search.best.moves) == 100
    state = game.start
    for move in search.best.moves:
        state = state.play({"r": game.moves[0][move]})
    assert state.is_over
    assert state.goals == {"r": 100}


def test_where_nothing_is_perfect_it_comes_to_an_end() -> None:
    """Nine places and two symbols in each row: the board is never full."""
    game = load(read(latin(3, 2)))
    assert plain_breadth(game)[0] == 0
    with using(PlayLimits(anyorder_plays=256, anyorder_most=1024)):
        search = asked(game)
        while not search.over:
            search.run(clock.now() + AMPLE)
    assert search.best is None
    assert not search.exhausted


def test_where_what_becomes_of_a_fluent_depends_on_more_than_the_move_it_is_not_asked() -> None:
    search = asked(load("lights-out:2x3"))
    search.run(clock.now() + AMPLE)
    assert search.over
    assert search.best is None


@pytest.mark.parametrize("rules", [latin(3, 3), COUNTED])
def test_habits_are_what_every_play_shows(rules: str) -> None:
    game = load(read(rules))
    start, allowed = game.batch.initial, np.ones(len(game.moves[0]), np.bool_)
    habits = Habits(game, start, 7, 50)
    habits.watch(40, allowed)
    seen: dict[int, list[tuple[list[bool], list[bool]]]] = {}
    made: dict[int, set[int]] = {}
    n = len(game.fluents)
    for step in plays_of(game, start, 40, allowed, np.random.default_rng(7), 50):
        befores, afters = unpack(step.before, n).tolist(), unpack(step.after, n).tolist()
        for play, move, one, two in zip(step.plays.tolist(), step.moves.tolist(), befores, afters, strict=True):
            seen.setdefault(move, []).append((one, two))
            made.setdefault(play, set()).add(move)
    held, lacked = habits.needs
    for move, times in seen.items():
        for f in range(n):
            changed = any(one[f] != two[f] for one, two in times)
            assert habits.adds[move, f] == (changed and all(two[f] for _, two in times))
            assert habits.deletes[move, f] == (changed and not any(two[f] for _, two in times))
            assert held[move, f] == all(one[f] for one, _ in times)
            assert lacked[move, f] == (not any(one[f] for one, _ in times))
        for other in seen:
            together = any({move, other} <= some for some in made.values())
            assert habits.apart[move, other] == (move != other and not together)


@given(st.integers(1, 9), st.sets(st.tuples(st.integers(0, 8), st.integers(0, 8))))
def test_cliques_part_all_members_into_groups_that_are_apart(n: int, pairs: set[tuple[int, int]]) -> None:
    apart = np.zeros((9, 9), np.bool_)
    for a, b in pairs:
        if a != b:
            apart[a, b] = apart[b, a] = True
    groups = cliques(apart, np.arange(n))
    assert sorted(member for group in groups for member in group) == list(range(n))
    assert all(apart[a, b] for group in groups for a in group for b in group if a != b)


def test_what_a_goal_requires_holds_wherever_it_does() -> None:
    game = load(read(COUNTED))
    goal = Puzzle(game)._goal
    must = required(game, goal)
    assert {str(game.fluents[f]): value for f, value in must.items()} == {"(on a)": False, "stopped": False}
    n = len(game.fluents)
    for number in range(2**n):
        bits = np.array([number >> f & 1 for f in range(n)], np.bool_)
        holds = game.batch.goals(pack(bits[None, :]))[0, 0] == 100
        assert holds == all(bits[f] == value for f, value in must.items())


def test_that_no_play_is_perfect_is_proved_where_the_counter_ends_all() -> None:
    game = load(read(COUNTED.replace("(wrong a)", "(wrong a) (wrong b)")))
    assert plain_breadth(game)[0] == 0
    assert not ends_within(game, game.batch.initial, 2)
    assert ends_within(game, game.batch.initial, 3)
    search = PlannedSearch(game, game.batch.initial, 100, Puzzle(game)._goal)
    while not search.over:
        search.run(clock.now() + AMPLE)
    assert search.refuted
    puzzle = Puzzle(game)
    puzzle._begin()
    puzzle._searches = [one for one in puzzle._searches if not hasattr(one, "looked") or one.name == "nested plays"]
    puzzle.run()
    assert puzzle.ceiling == 0
    assert puzzle.certain
    assert not ends_within(load("two-track"), load("two-track").batch.initial, 1)
