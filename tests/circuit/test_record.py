"""Recorded transitions are what the game says they are; rows are told apart as numpy does."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from ludisect.circuit.game import Game
from ludisect.circuit.limits import CircuitLimits
from ludisect.circuit.record import Transitions, fingerprints, record, unique_rows
from ludisect.circuit.turns import turns
from ludisect.errors import BudgetExceeded
from ludisect.loader import load
from ludisect.settings import using


@pytest.fixture(scope="module")
def game() -> Game:
    return load("double-tictactoe")


def as_counter(seen: Transitions) -> Counter[tuple[bytes, bytes, bytes]]:
    rows = zip(seen.states, seen.joint, seen.following, seen.count.tolist(), strict=True)
    out: Counter[tuple[bytes, bytes, bytes]] = Counter()
    for s, j, f, n in rows:
        out[s.tobytes(), j.tobytes(), f.tobytes()] += n
    return out


def test_merging_keeps_the_counts(game: Game) -> None:
    every, merged = record(game, 300, seed=9, distinct=False), record(game, 300, seed=9)
    assert as_counter(every) == as_counter(merged)
    assert len(merged) == len(as_counter(merged)) < len(every)


def test_transitions_are_legal_and_right(game: Game) -> None:
    seen = record(game, 100, seed=2)
    legal = game.batch.legal(seen.states)
    for r in range(len(game.roles)):
        assert legal[np.arange(len(seen)), game.batch.first_move[r] + seen.joint[:, r]].all()
    assert not game.batch.terminal(seen.states).any()
    assert np.array_equal(game.batch.next(seen.states, seen.joint), seen.following)


def test_every_play_is_played_to_its_end(game: Game) -> None:
    seen = record(game, 3000, seed=2)
    ends = seen.count[game.batch.terminal(seen.following)].sum()
    starts = seen.count[(seen.states == game.batch.initial).all(axis=1)].sum()
    assert ends == starts == 3000


def test_unique_rows_is_numpys_unique() -> None:
    rng = np.random.default_rng(1)
    table = rng.integers(0, 3, (500, 3)).astype(np.uint64)
    first, group = unique_rows(table)
    assert np.array_equal(table[first][group], table)
    assert first.size == len(np.unique(table, axis=0))


def test_rows_of_one_bit_have_fingerprints_of_their_own() -> None:
    rows = np.zeros((8 * 64 + 2, 8), np.uint64)
    for k in range(8 * 64):
        rows[k, k >> 6] = np.uint64(1) << np.uint64(k & 63)
    found = fingerprints(rows)
    assert found[-1] == found[-2]
    assert len(set(found.tolist())) == len(rows) - 1
    assert not set(found.tolist()) & set(fingerprints(rows, seed=1).tolist())


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("lights-on", "single-player"),
        ("tictactoe", "alternating"),
        ("rock-paper-scissors", "simultaneous"),
        ("tron", "simultaneous"),
        ("three-player-tictactoe", "alternating"),
    ],
)
def test_turns(name: str, kind: str) -> None:
    assert turns(load(name)) == kind


def test_plays_that_need_more_memory_than_there_is_are_refused() -> None:
    game = load("tictactoe")
    with using(CircuitLimits(record_bytes=float(1 << 14))), pytest.raises(BudgetExceeded, match="fewer --playouts"):
        record(game, 100_000)
    with using(CircuitLimits(record_bytes=float(1 << 20))):
        assert len(record(game, 100)) > 100
