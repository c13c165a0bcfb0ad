"""Statistics of plays, held against dictionaries filled one transition at a time."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
import pytest

import ludisect
from ludisect.circuit.game import Game
from ludisect.circuit.record import plays
from ludisect.circuit.rows import unpack
from ludisect.decomposition.statistics.tally import change_bit, play, statistics


def transitions(game: Game, playouts: int) -> list[tuple[tuple[int, ...], frozenset[int], bool]]:
    """(joint move as columns, changes, from the initial state) of every transition, in plain Python."""
    out = []
    for states, joint, following in plays(game, playouts, seed=0):
        before, after = unpack(states, len(game.fluents)), unpack(following, len(game.fluents))
        for s, t, j in zip(before, after, (joint + game.batch.first_move[:-1]).tolist(), strict=True):
            changes = {2 * f + (0 if t[f] else 1) for f in np.flatnonzero(s != t).tolist()}
            out.append((tuple(j), frozenset(changes), bool((s == game.circuit.initial).all())))
    return out


@pytest.mark.parametrize("name", ["tictactoe", "nim:2,3", "runners", "lights-on", "rock-paper-scissors"])
def test_probabilities_and_companions(name: str) -> None:
    game = ludisect.load(name)
    rows = transitions(game, 60)
    seen = play(game, 60, np.zeros(len(game.fluents), np.bool_), seed=0)
    table = statistics(seen)
    assert seen.steps == len(rows)
    played = Counter(joint for joint, _, _ in rows)
    followed = Counter((joint, c) for joint, changes, _ in rows for c in changes)
    with_move: dict[int, set[tuple[int, ...]]] = defaultdict(set)
    for joint in played:
        for m in joint:
            with_move[m].add(joint)
    words = table.words
    for k in range(len(table.move)):
        move, change = int(table.move[k]), int(table.change[k])
        joints = with_move[move]
        assert table.strength[k] == pytest.approx(sum(followed[j, change] / played[j] for j in joints) / len(joints))
        company = [changes for joint, changes, _ in rows if move in joint and change in changes]
        assert table.times[k] == len(company)
        assert changes_of(table.together[k], words) == frozenset.intersection(*company)
    pairs = {(int(m), int(c)) for m, c in zip(table.move, table.change, strict=True)}
    assert pairs == {(m, c) for joint, changes, _ in rows for m in joint for c in changes}
    assert {m: len(j) for m, j in with_move.items()} == {m: n for m, n in enumerate(table.n_joint.tolist()) if n}
    for change in {c for _, changes, _ in rows for c in changes}:
        company = [changes for _, changes, _ in rows if change in changes]
        assert table.global_times[change] == len(company)
        assert changes_of(table.global_together[change], words) == frozenset.intersection(*company)


def changes_of(row: np.ndarray[tuple[int, ...], np.dtype[np.uint64]], words: int) -> frozenset[int]:
    """A row of change bits as literals."""
    bits = unpack(row[None, :], 128 * words)[0]
    literals = np.arange(128 * words)
    place = change_bit(literals, words)
    return frozenset(literals[bits[place]].tolist())


def test_changes_of_the_first_move_only() -> None:
    game = ludisect.load("knights-tour")
    seen = play(game, 50, np.zeros(len(game.fluents), np.bool_), seed=0)
    names = {("-" if c % 2 else "+") + str(game.fluents[c // 2]) for c in np.flatnonzero(seen.at_start).tolist()}
    assert names == {"-(knight 1 1)"}
    rows = transitions(game, 50)
    late = {c for _, changes, first in rows if not first for c in changes}
    assert set(np.flatnonzero(seen.late).tolist()) == late


def test_ignored_fluents_are_seen_but_not_counted() -> None:
    game = ludisect.load("tictactoe")
    turn = np.array([f.name == "control" for f in game.fluents])
    seen = play(game, 20, turn, seed=0)
    assert seen.seen[0::2][turn].all()
    assert not np.isin(statistics(seen).change // 2, np.flatnonzero(turn)).any()
