"""The searches of a puzzle against plain twins on small games; plays that are found are played on the rules."""

from __future__ import annotations

import random
import time
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from ludisect import clock
from ludisect.circuit.game import Game
from ludisect.circuit.rows import Rows, unpack
from ludisect.errors import InputError
from ludisect.games.source import find_rules
from ludisect.gdl.interpret import Interpreter
from ludisect.loader import load
from ludisect.play.byparts import PartsPlayer
from ludisect.play.limits import PlayLimits
from ludisect.play.player import Assignment
from ludisect.play.puzzle.broad import BroadSearch
from ludisect.play.puzzle.foundplay import FoundPlay, replayed
from ludisect.play.puzzle.nested import NestedSearch
from ludisect.play.puzzle.planned import PlannedSearch, longest
from ludisect.play.puzzle.promise import MOST, Promise
from ludisect.play.puzzle.promising import Novelty, PromisingSearch
from ludisect.play.puzzle.puzzle import Puzzle
from ludisect.play.puzzle.successors import Met, clockwork, expanded
from ludisect.search.whole.whole import goal_bounds
from ludisect.settings import using

SMALL = ("lights-on", "two-track", "four-lamps", "slide-puzzle", "relay", "lights-out:2x3")
AMPLE = 300.0


def perfect(game: Game) -> int:
    return int(goal_bounds(game)[1][0])


def plain_breadth(game: Game) -> tuple[int, int]:
    """(best goal, moves of a shortest play with it), by following every play, one state at a time."""
    seen, level, depth, best = {game.start.fluents}, [game.start], 0, (-1, 0)
    while level:
        following = []
        for state in level:
            for move in state.legal[game.roles[0]]:
                after = state.play({game.roles[0]: move})
                if after.fluents in seen:
                    continue
                seen.add(after.fluents)
                if after.is_over:
                    goal = after.goals[game.roles[0]] or 0
                    best = max(best, (goal, -depth - 1))
                else:
                    following.append(after)
        level, depth = following, depth + 1
    return best[0], -best[1]


def on_the_rules(name: str, moves: tuple[int, ...], game: Game) -> int:
    state = Interpreter(find_rules(name)).start
    for move in moves:
        assert not state.is_over
        state = state.play({game.roles[0]: game.moves[0][move]})
    assert state.is_over
    return state.goals[game.roles[0]] or 0


@pytest.mark.parametrize("name", SMALL)
def test_breadth_first_finds_a_shortest_best_play(name: str) -> None:
    game = load(name)
    goal, length = plain_breadth(game)
    search = BroadSearch(game, game.batch.initial, perfect(game), 2**28)
    search.run(clock.now() + AMPLE)
    assert search.over
    assert search.best is not None
    assert search.best.goal == goal
    if goal == perfect(game):
        assert len(search.best.moves) == length
    else:
        assert search.exhausted
    assert on_the_rules(name, search.best.moves, game) == goal


@pytest.mark.parametrize("name", SMALL)
def test_best_first_searches_a_small_space_whole(name: str) -> None:
    game = load(name)
    goal, _ = plain_breadth(game)
    puzzle = Puzzle(game)
    search = PromisingSearch(game, game.batch.initial, perfect(game), 2**28, puzzle._promise)
    search.run(clock.now() + AMPLE)
    assert search.over
    assert search.best is not None
    assert search.best.goal == goal
    assert on_the_rules(name, search.best.moves, game) == goal


@pytest.mark.parametrize("name", ["lights-on", "two-track", "peg-solitaire"])
def test_nested_plays_are_plays(name: str) -> None:
    game = load(name)
    search = NestedSearch(game, game.batch.initial, perfect(game))
    while search.looked < 4 and not search.over:
        search._step(clock.now() + AMPLE)
    assert search.best is not None
    assert on_the_rules(name, search.best.moves, game) == search.best.goal


@pytest.mark.parametrize("name", ["two-track", "four-lamps", "relay", "lights-out:2x3"])
def test_a_solver_finds_a_perfect_play_where_there_is_one(name: str) -> None:
    """Longer and longer plays are asked for until one is perfect, or they are too long."""
    game = load(name)
    goal, _ = plain_breadth(game)
    with using(PlayLimits(planned_size=40 * (game.circuit.gates + game.circuit.n_inputs))):
        search = PlannedSearch(game, game.batch.initial, perfect(game), Puzzle(game)._goal)
        search.run(clock.now() + 1e-9)
        assert search.best is None  # a turn that short is saved up
        while not search.over:
            search.run(clock.now() + AMPLE)
    assert (search.best is not None) == (goal == perfect(game))
    if search.best is not None:
        assert replayed(game, game.batch.initial, search.best.moves) == goal
        assert on_the_rules(name, search.best.moves, game) == goal


def test_a_solver_is_asked_for_plays_as_long_as_random_ones() -> None:
    game = load("two-track")
    most = longest(game, game.batch.initial)
    assert most >= plain_breadth(game)[1]
    with using(PlayLimits(planned_moves=1)):
        assert longest(game, game.batch.initial) == 1
    with using(PlayLimits(planned_size=1)):
        assert PlannedSearch(game, game.batch.initial, perfect(game), Puzzle(game)._goal).over


def test_memory_ends_a_search_and_what_was_found_stays() -> None:
    game = load("knights-tour:4x5")
    search = BroadSearch(game, game.batch.initial, perfect(game), 2**16)
    search.run(clock.now() + AMPLE)
    assert search.over
    assert not search.exhausted


@pytest.mark.parametrize("name", [*SMALL, "knights-tour:3x4"])
def test_nothing_is_unmet_exactly_where_the_goal_holds(name: str) -> None:
    """Also against a recursion over the gates, state by state."""
    game = load(name)
    circuit = game.circuit
    rows = states(game, 60)
    bits = unpack(rows, len(game.fluents))
    for literal, (_, value) in zip(circuit.goal.tolist(), game.goal_table, strict=True):
        promise = Promise(game, literal, 10**6)
        if not promise.useful:
            continue
        lacks = promise(rows)
        holds = unpack(game.batch.evaluator(np.array([literal], np.int32)).run(rows), 1)[:, 0]
        assert ((lacks == 0) == holds).all(), value
        assert lacks.tolist() == [plain_lack(game, literal, row) for row in bits]


def plain_lack(game: Game, literal: int, bits: NDArray[np.bool_]) -> int:
    circuit = game.circuit

    def hold(x: int) -> int:
        return fail(x ^ 1) if x & 1 else positive(x >> 1)

    def fail(x: int) -> int:
        return hold(x ^ 1) if x & 1 else negative(x >> 1)

    def positive(node: int) -> int:
        if node == 0:
            return 0
        if node <= circuit.n_fluents:
            return int(not bits[node - 1])
        return min(MOST, sum(hold(int(x)) for x in circuit.gate(node)))

    def negative(node: int) -> int:
        if node == 0:
            return MOST
        if node <= circuit.n_fluents:
            return int(bits[node - 1])
        return min(fail(int(x)) for x in circuit.gate(node))

    return hold(literal)


def states(game: Game, n: int) -> Rows:
    """Some states of random plays."""
    draw, out = random.Random(1), list[Rows]()
    while len(out) < n:
        state = game.start
        while not state.is_over:
            out.append(game.batch.row(state.fluents))
            if not state.legal[game.roles[0]]:
                break
            state = state.play({game.roles[0]: draw.choice(state.legal[game.roles[0]])})
        out.append(game.batch.row(state.fluents))
    return np.concatenate(out[:n])


@pytest.mark.parametrize("name", [*SMALL, "multiple-hanoi", "blocks-maze"])
def test_clockwork_is_the_same_in_every_play(name: str) -> None:
    game = load(name)
    runs = clockwork(game)
    draw, seen = random.Random(2), dict[int, tuple[bool, ...]]()
    for _ in range(20):
        state, step = game.start, 0
        while True:
            bits = unpack(game.batch.row(state.fluents), len(game.fluents))[0][runs]
            assert seen.setdefault(step, tuple(bits)) == tuple(bits)
            if state.is_over or not state.legal[game.roles[0]] or step > 60:
                break
            state, step = state.play({game.roles[0]: draw.choice(state.legal[game.roles[0]])}), step + 1


@given(st.lists(st.lists(st.integers(0, 40), min_size=1, max_size=30), min_size=1, max_size=6))
def test_new_rows_are_those_that_a_set_does_not_have(batches: list[list[int]]) -> None:
    met, known, count = Met(np.array([[7]], np.uint64)), {7}, 1
    for numbers in batches:
        rows = np.array(numbers, np.uint64)[:, None]
        new = met.add(rows, np.zeros(rows.shape[0], np.int64), np.arange(rows.shape[0], dtype=np.int32))
        fresh = [i for i, x in enumerate(numbers) if x not in known and x not in numbers[:i]]
        assert new.tolist() == fresh
        known |= set(numbers)
        count += len(fresh)
        assert len(met) == count


@given(st.lists(st.tuples(st.integers(0, 2), st.lists(st.booleans(), min_size=5, max_size=5)), max_size=12))
def test_novelty_is_a_fluent_or_a_pair_that_was_not_seen(some: list[tuple[int, list[bool]]]) -> None:
    """One state at a time, against sets."""
    novelty, ones, twos = Novelty(np.arange(5)), set[tuple[int, int]](), set[tuple[int, int, int]]()
    for c, bits in some:
        held = [i for i, bit in enumerate(bits) if bit]
        one = {(c, i) for i in held}
        two = {(c, i, k) for i, k in combinations(held, 2)}
        expected = 0 if one - ones else 1 if two - twos else 2
        assert novelty(np.array([bits], np.bool_), np.array([c])).tolist() == [expected]
        ones |= one
        twos |= two


def test_a_puzzle_keeps_the_best_play_from_move_to_move() -> None:
    game = load("slide-puzzle")
    puzzle = Puzzle(game)
    puzzle.run(seconds=AMPLE)
    assert puzzle.certain
    assert puzzle.best is not None
    goal = puzzle.best.goal
    while puzzle.best.moves:
        move = puzzle.best.moves[0]
        puzzle = puzzle.after(move, game.batch.next(puzzle.row, np.array([[move]], np.int32)))
        assert puzzle.certain
        assert puzzle.best is not None
        assert puzzle.best.goal == goal
    assert bool(game.batch.terminal(puzzle.row)[0])


def test_a_puzzle_takes_no_play_that_cannot_be_played() -> None:
    game = load("lights-on")
    puzzle = Puzzle(game)
    for wrong in (FoundPlay((0, 1), 100, "made up"), FoundPlay((), 100, "made up")):
        puzzle.take(wrong)
        assert puzzle.best is None
    assert replayed(game, game.batch.initial, (99 % len(game.moves[0]),)) is None
    with pytest.raises(InputError, match="2 roles"):
        Puzzle(load("tictactoe"))


def test_expanded_is_every_legal_move() -> None:
    game = load("two-track")
    source, moves, after = expanded(game, game.batch.initial)
    assert [game.moves[0][m] for m in moves] == sorted(
        game.start.legal[game.roles[0]], key=lambda move: game.move_index[0][move]
    )
    for k, (m, row) in enumerate(zip(moves.tolist(), after, strict=True)):
        assert source[k] == 0
        assert game.batch.state(row) == game.start.play({game.roles[0]: game.moves[0][m]}).fluents


@pytest.mark.parametrize("name", ["slide-puzzle", "lights-out:2x3", "relay", "two-track"])
def test_the_player_solves_puzzles(name: str) -> None:
    rules, game = find_rules(name), load(name)
    player = PartsPlayer()
    player.start(Assignment(rules, game.roles[0], AMPLE, AMPLE, game=game), time.monotonic() + AMPLE)
    state = Interpreter(rules).start
    while not state.is_over:
        choice = player.choose(time.monotonic() + AMPLE)
        state = state.play({game.roles[0]: choice.move})
        player.told({game.roles[0]: choice.move})
    assert state.goals[game.roles[0]] == plain_breadth(game)[0]
    player.stop()


def test_the_player_goes_on_where_another_move_was_made() -> None:
    """A manager moved for it: what was found may not fit any more."""
    rules, game = find_rules("lights-out:2x3"), load("lights-out:2x3")
    player = PartsPlayer()
    player.start(Assignment(rules, game.roles[0], AMPLE, AMPLE, game=game), time.monotonic() + AMPLE)
    role = game.roles[0]
    other = next(move for move in game.start.legal[role] if move != player.choose(time.monotonic() + AMPLE).move)
    player.told({role: other})
    state = Interpreter(rules).start.play({role: other})
    while not state.is_over:
        choice = player.choose(time.monotonic() + AMPLE)
        assert choice.move in state.legal[role]
        state = state.play({role: choice.move})
        player.told({role: choice.move})
    player.stop()
