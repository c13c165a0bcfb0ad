"""Playouts: exact numbers of them, uniform moves, the right odds, and the same from any angle."""

from __future__ import annotations

import os
import signal
from itertools import count

import numpy as np
import pytest

from ludisect.circuit.game import Game
from ludisect.circuit.lanes import LANES, Playouts, Tally
from ludisect.circuit.record import plays
from ludisect.errors import UnknownRole
from ludisect.gdl import Interpreter
from ludisect.loader import load
from ludisect.progress import listening
from tests.circuit.odds import exact_odds


def assert_odds(game: Game, tally: Tally, odds: dict[tuple[int, ...], float]) -> None:
    """The counts are within six standard deviations of what the odds say."""
    for role in range(len(game.roles)):
        for value in {goals[role] for goals in odds}:
            p = sum(q for goals, q in odds.items() if goals[role] == value)
            n = tally.goal_counts[role].get(value, 0)
            assert abs(n - p * tally.playouts) < 6 * np.sqrt(tally.playouts * p * (1 - p)) + 1e-6


@pytest.mark.parametrize("name", ["nim:2,3", "rock-paper-scissors", "four-lamps", "two-track", "chomp:3x3"])
def test_odds_of_small_games_are_exact(name: str) -> None:
    game = load(name)
    assert game.rules is not None
    assert_odds(game, game.playouts.run(400_000, seed=11), exact_odds(Interpreter(game.rules)))


def test_tictactoe_has_the_known_odds() -> None:
    """First player 0.584921, second 0.288294, draw 0.126786: uniform play, by enumeration of all 255168 plays."""
    game = load("tictactoe")
    tally = game.playouts.run(2_000_000, seed=2)
    assert_odds(game, tally, {(100, 0): 0.5849206, (0, 100): 0.2880952, (50, 50): 0.1269841})
    assert tally.mean_goal("xplayer") == tally.mean_goal(0) == pytest.approx(64.8, abs=0.5)
    with pytest.raises(UnknownRole, match=r"^no role is called 'oplayr'; did you mean oplayer\?$"):
        tally.mean_goal("oplayr")
    assert tally.playouts == tally.finished == 2_000_000
    assert tally.states == tally.moves + tally.playouts


@pytest.mark.parametrize("n", [1, 2, 7, 8, 9, 15, 16, 17, 63, 64, 100, 255, 256, 300, 4200])
def test_moves_are_uniform(n: int) -> None:
    """One choice among n, each with a result of its own: chi-squared over the results."""
    moves = "".join(f"(m {i})" for i in range(n))
    game = load(
        f"(role r) {moves} (init (at start)) (<= (legal r (pick ?x)) (m ?x) (true (at start)))"
        "(<= (next (at ?x)) (does r (pick ?x))) (<= over (true (at ?x)) (distinct ?x start)) (<= terminal over)"
        + "".join(f"(<= (goal r {i % 101}) (true (at {i})))" for i in range(n))
        + "(<= (goal r 0) (true (at start)))"
    )
    tally = game.playouts.run(200_000, seed=n)
    assert tally.playouts == 200_000
    assert tally.mean_length == 1.0
    weights = np.bincount(np.arange(n) % 101, minlength=101) / n
    expected = 200_000 * weights
    counts = np.array([tally.goal_counts[0].get(v, 0) for v in range(101)])
    assert counts[expected == 0].sum() == 0
    some = expected > 0
    chi2 = ((counts[some] - expected[some]) ** 2 / expected[some]).sum()
    freedom = some.sum() - 1
    assert chi2 < freedom + 8 * np.sqrt(2 * freedom) + 8


@pytest.mark.parametrize("n", [1, 2, LANES - 1, LANES, LANES + 1, 5000])
def test_exactly_the_asked_number_is_played(n: int) -> None:
    tally = load("nim:1,2").playouts.run(n, seed=n)
    assert tally.playouts == tally.finished == n
    assert all(sum(c.values()) == n for c in tally.goal_counts)


def test_same_seed_same_answer_other_seed_other_answer() -> None:
    playouts = load("tictactoe").playouts

    def counts(seed: int, threads: int = 1) -> object:
        return playouts.run(20_000, seed=seed, threads=threads).goal_counts

    assert counts(1) == counts(1)
    assert counts(1, threads=2) == counts(1, threads=2)
    assert counts(1) != counts(2)


def test_threads_share_the_work() -> None:
    game = load("tictactoe")
    tally = game.playouts.run(300_001, seed=4, threads=3)
    assert tally.playouts == 300_001
    assert_odds(game, tally, {(100, 0): 0.5849206, (0, 100): 0.2880952, (50, 50): 0.1269841})


@pytest.mark.parametrize("name", ["tictactoe", "three-player-tictactoe", "nim:3,4", "parallel-tictactoe"])
def test_turns_change_nothing(name: str) -> None:
    """One program per turn or one for all: the same odds and lengths."""
    game = load(name)
    with_turns = game.playouts.run(300_000, seed=1)
    without = Playouts(game.circuit, game.goal_table, use_phases=False).run(300_000, seed=2)
    assert len(game.playouts.phases.circuits) == len(game.roles)
    assert with_turns.mean_length == pytest.approx(without.mean_length, rel=0.01)
    for role in range(len(game.roles)):
        assert with_turns.mean_goal(role) == pytest.approx(without.mean_goal(role), abs=0.5)


def test_playouts_agree_with_plays_on_rows() -> None:
    game = load("serial-tictactoe")
    lengths = sum(states.shape[0] for states, _, _ in plays(game, 20_000, seed=3))
    assert game.playouts.run(200_000, seed=4).mean_length == pytest.approx(lengths / 20_000, rel=0.01)


STUCK = """
(role a) (role b) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (init (turn a))
(<= (legal a (go ?x)) (true (step ?x)) (succ ?x ?y))
(<= (legal a stay) (true (step ?x)))
(<= (legal b wait) (not (true (step 2))))
(<= (next (step ?y)) (does a (go ?x)) (succ ?x ?y))
(<= (next (step ?x)) (does a stay) (true (step ?x)))
(<= terminal (true (step 3)))
(<= (goal ?r 50) (role ?r))
"""


def test_states_without_a_move_end_the_play_and_are_counted() -> None:
    tally = load(STUCK).playouts.run(10_000, seed=1)
    assert (tally.playouts, tally.stuck, tally.finished) == (10_000, 10_000, 0)


def test_endless_plays_are_cut() -> None:
    game = load("(role r) (init (on 1)) (<= (legal r go)) (<= (legal r on)) (<= (next (on 1))) (<= (goal r 0))"
                "(<= terminal (true (on 2)))")  # fmt: skip
    tally = game.playouts.run(2000, seed=1, max_length=100)
    assert (tally.playouts, tally.cut, tally.finished) == (2000, 2000, 0)
    assert 100 <= tally.mean_length <= 125


def test_a_time_limit_finishes_what_was_begun() -> None:
    tally = load("tictactoe").playouts.run(10**15, seed=1, seconds=0.2)
    assert 0 < tally.playouts < 10**15
    assert tally.playouts == tally.finished == sum(tally.goal_counts[0].values())


def test_progress_adds_up() -> None:
    seen: list[tuple[str, int, int | None]] = []
    game = load("tictactoe")
    for threads in (1, 2):
        with listening(lambda *step: seen.append(step)):
            game.playouts.run(100_000, seed=1, threads=threads)
        assert seen[-1] == ("playing", 100_000, 100_000)


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_finishes_what_was_begun(threads: int) -> None:
    """Ctrl-C reaches Python between two slices of the kernel, on one thread as an exception in the loop itself."""
    game = load("tictactoe")
    if threads == 1:
        presses = iter([KeyboardInterrupt])

        def interrupt(step: str, done: int, of: int | None) -> None:
            for press in presses:
                raise press

        with listening(interrupt):
            tally = game.playouts.run(10**15, seed=1)
    else:
        calls = count(1)

        def press(step: str, done: int, of: int | None) -> None:
            if next(calls) == 20:  # all threads are at work
                os.kill(os.getpid(), signal.SIGINT)

        with listening(press):
            tally = game.playouts.run(10**15, seed=1, threads=threads)
    assert tally.interrupted
    assert 0 < tally.playouts == tally.finished == sum(tally.goal_counts[0].values())


def test_ctrl_c_twice_waits_for_no_play() -> None:
    def interrupt(step: str, done: int, of: int | None) -> None:
        raise KeyboardInterrupt

    endless = "(role r) (init on) (legal r go) (next on) (<= terminal (not (true on))) (goal r 0)"
    game = load(endless)
    with pytest.raises(KeyboardInterrupt), listening(interrupt):
        game.playouts.run(10**6, max_length=10**15)
