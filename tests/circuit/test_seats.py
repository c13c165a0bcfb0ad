"""Playouts from given states: every row gets its plays, with the odds of uniform play from there, whatever its turn."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from ludisect.circuit import seatkernel
from ludisect.circuit.game import Game
from ludisect.circuit.record import plays
from ludisect.circuit.seats import turns_of
from ludisect.errors import InputError
from ludisect.gdl import Fluents
from ludisect.loader import load
from tests.circuit.test_lanes import STUCK


def exact_means(game: Game, states: list[Fluents]) -> np.ndarray:
    """Mean and variance of each role's goal under uniform play from each state, by following every play."""

    @cache
    def moments(state: Fluents) -> np.ndarray:
        if game.is_terminal(state):
            goals = np.array([float(value or 0) for value in game.goals(state).values()])
            return np.stack([goals, goals**2])
        joint: list[dict[str, object]] = [{}]
        for role, moves in game.legal_moves(state).items():
            joint = [{**some, role: move} for some in joint for move in moves]
        later = [moments(game.next_state(state, some)) for some in joint]  # type: ignore[arg-type]
        return np.asarray(np.mean(later, axis=0))

    return np.stack([moments(state) for state in states])


@pytest.mark.parametrize(
    ("name", "least"),
    [("tictactoe", 4), ("nim:2,3", 0), ("rock-paper-scissors", 0), ("four-lamps", 0), ("three-player-tictactoe", 11)],
)
def test_odds_from_any_state_are_exact(name: str, least: int) -> None:
    """States of random plays at every turn, terminal ones too, in one call."""
    game = load(name)
    reached = [states for states, _, _ in plays(game, 12, seed=5)]
    ends = [game.batch.next(states, joint) for states, joint, _ in plays(game, 4, seed=5)]
    rows = np.unique(np.concatenate([*reached[least:], *ends[least:]]), axis=0)[:40]
    found = game.playouts.plays_from(rows, 4000, seed=3).run()
    assert (found.finished == 4000).all()
    first, second = np.moveaxis(exact_means(game, [game.batch.state(row) for row in rows]), 1, 0)
    spread = np.sqrt(np.maximum(second - first**2, 0.0) / 4000)
    assert (np.abs(found.mean() - first) <= 5 * spread + 1e-9).all()
    if len(game.playouts.phases.circuits) > 1:
        assert len(set(turns_of(rows, game.playouts.phases).tolist())) > 1


def test_every_row_gets_exactly_its_plays() -> None:
    game = load("connect-four")
    rows = np.concatenate([states for states, _, _ in plays(game, 40, seed=1)])[:700]
    found = game.playouts.plays_from(rows, 3, seed=1).run()
    assert (found.finished == 3).all()
    assert (found.sums.sum(axis=1) == 300).all()  # a hundred points are shared in every play
    assert ((found.best >= found.mean()) & (found.best <= 100)).all()


def test_plays_are_the_same_in_one_call_and_in_many() -> None:
    game = load("tictactoe")
    rows = np.repeat(game.batch.initial, 900, axis=0)
    whole = game.playouts.plays_from(rows, 2, seed=9).run()
    parts = game.playouts.plays_from(rows, 2, seed=9)
    while not parts.is_over:
        found = parts.run(seconds=0.0)
        if not parts.is_over:
            assert found.finished.sum() < 1800
            parts._step(1)
    assert np.array_equal(parts.run().sums, whole.sums)
    assert not np.array_equal(game.playouts.plays_from(rows, 2, seed=8).run().sums, whole.sums)


def test_terminal_states_need_no_play() -> None:
    game = load("tictactoe")
    state = game.start.play_line("(mark 1 1) (mark 2 2) (mark 1 2) (mark 2 1) (mark 1 3)")
    assert state.is_over
    found = game.playouts.plays_from(game.batch.row(state.fluents), 10).run()
    assert found.moves == 0
    assert found.mean().tolist() == [[100.0, 0.0]]


def test_plays_without_an_end_are_counted_apart() -> None:
    stuck = load(STUCK)
    found = stuck.playouts.plays_from(stuck.batch.initial, 100).run()
    assert (found.finished[0], found.lost[0]) == (0, 100)
    assert np.isnan(found.mean()).all()
    endless = load("(role r) (init (on 1)) (<= (legal r go)) (<= (legal r on)) (<= (next (on 1))) (<= (goal r 0))"
                   "(<= terminal (true (on 2)))")  # fmt: skip
    found = endless.playouts.plays_from(endless.batch.initial, 600, max_length=100).run()
    assert (found.finished[0], found.lost[0]) == (0, 600)
    assert 100 * 600 <= found.moves <= 125 * 600
    goalless = load("(role r) (init (on 1)) (<= (legal r go)) (<= (next (on 2))) (<= terminal (true (on 2)))"
                    "(<= (goal r 10) (true (on 1)))")  # fmt: skip
    found = goalless.playouts.plays_from(goalless.batch.initial, 5).run()
    assert (found.finished[0], found.undefined[0]) == (0, 5)


def test_what_cannot_be_played_from() -> None:
    game = load("tictactoe")
    with pytest.raises(InputError, match=r"^row 0 is no state that play can reach: whose turn it is fits no turn"):
        game.playouts.plays_from(np.zeros_like(game.batch.initial))
    with pytest.raises(InputError, match=r"^plays from each state must be at least 1, not 0$"):
        game.playouts.plays_from(game.batch.initial, 0)


def test_thinned_draws_keep_to_the_best_classes() -> None:
    """One choice among four moves of classes 0 to 3, each with a goal of its own."""
    game = load(
        "(role r) (m 0) (m 1) (m 2) (m 3) (init (at start)) (<= (legal r (pick ?x)) (m ?x) (true (at start)))"
        "(<= (next (at ?x)) (does r (pick ?x))) (<= terminal (true (at ?x)) (distinct ?x start))"
        "(<= (goal r 0) (true (at start)))" + "".join(f"(<= (goal r {10**i}) (true (at {i})))" for i in (0, 1, 2))
        + "(<= (goal r 0) (true (at 3)))"
    )  # fmt: skip
    under_way = game.playouts.plays_from(game.batch.initial, 64_000, seed=4)
    seats = under_way._seats
    names = {1 + len(game.fluents) + i: int(str(move)[-2]) for i, move in enumerate(game.moves[0])}
    seats.classes[:] = [names.get(int(target), 0) for target in game.playouts.code.step[8]]
    seats.thin()
    total = int(under_way.run().sums[0, 0])
    # class 0 alone in 1/4 of the lanes, 0-1 in 1/4, 0-2 in 1/4, all in 1/4
    odds = [1 / 4 + 1 / 8 + 1 / 12 + 1 / 16, 1 / 8 + 1 / 12 + 1 / 16, 1 / 12 + 1 / 16]
    mean = sum(p * 10**i for i, p in enumerate(odds))
    second = sum(p * 100**i for i, p in enumerate(odds))
    assert abs(total / 64_000 - mean) < 5 * np.sqrt((second - mean**2) / 64_000)


@pytest.mark.parametrize("thinned", [False, True])
def test_machine_code_does_what_is_written(thinned: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel as plain Python makes the same plays from the same seed."""
    game = load("tictactoe")
    rows = np.concatenate([states for states, _, _ in plays(game, 12, seed=1)])[:60]

    def sums() -> list[object]:
        under_way = game.playouts.plays_from(rows, 2, seed=3)
        seats = under_way._seats
        seats.classes[:] = np.arange(seats.classes.size) % seatkernel.KEEPS
        seats.thin(thinned)
        found = under_way.run()
        return [found.sums.tolist(), found.best.tolist(), found.moves]

    compiled = sums()
    monkeypatch.setattr(seatkernel, "play_rows", seatkernel.play_rows.plain)
    assert sums() == compiled
