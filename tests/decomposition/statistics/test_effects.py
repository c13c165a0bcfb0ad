"""Which move causes what: turns, noops, filters, and the comparison of choices against a plain loop."""

from __future__ import annotations

import numpy as np
import pytest

import ludisect
from ludisect.circuit.game import Game
from ludisect.circuit.rows import unpack
from ludisect.circuit.signals import move_decides, own_conjunctions, reach
from ludisect.decomposition.evidence.sample import take_sample
from ludisect.decomposition.limits import DecompositionLimits
from ludisect.decomposition.statistics.effects import (
    MoveEffects,
    alternate_moves,
    compare_choices,
    find_effects,
)
from ludisect.decomposition.statistics.tally import change_bit, play, statistics


def effects_of(game: Game, playouts: int = 500) -> MoveEffects:
    """All filters on a few plays."""
    circuit = game.circuit
    seen = play(game, playouts, np.zeros(len(game.fluents), np.bool_), seed=0)
    return find_effects(
        game, seen, statistics(seen), reach(circuit, circuit.next), *own_conjunctions(circuit, move_decides(circuit)),
        take_sample(game), DecompositionLimits(),
    )  # fmt: skip


def causes(game: Game, effects: MoveEffects) -> dict[str, set[str]]:
    """Move -> its changes, as text."""
    moves = [f"{role} {m}" for role, of_role in zip(game.roles, game.moves, strict=True) for m in of_role]
    out: dict[str, set[str]] = {}
    for m, c in np.argwhere(effects.causes).tolist():
        out.setdefault(moves[m], set()).add(("-" if c % 2 else "+") + str(game.fluents[c // 2]))
    return out


def test_noops_and_turns_of_an_alternating_game() -> None:
    game = ludisect.load("tictactoe")
    alternating, noop = alternate_moves(take_sample(game))
    names = [str(m) for of_role in game.moves for m in of_role]
    assert alternating
    assert {names[i] for i in np.flatnonzero(noop)} == {"noop"}
    assert noop.sum() == 2
    assert not alternate_moves(take_sample(ludisect.load("tron")))[0]
    assert not alternate_moves(take_sample(ludisect.load("four-lamps")))[0]


def test_marks_cause_their_cell_and_nothing_else() -> None:
    game = ludisect.load("tictactoe")
    found = effects_of(game)
    assert causes(game, found)["xplayer (mark 2 3)"] == {"+(cell 2 3 x)", "-(cell 2 3 b)"}
    assert not any("noop" in move for move in causes(game, found))
    assert {game.fluents[f].name for f in np.flatnonzero(found.independent)} == {"control"}


def test_roles_that_move_at_once_are_told_apart() -> None:
    """Each rider's moves take the rider along; in every play the other rider moves in the same step."""
    game = ludisect.load("runners")
    found = causes(game, effects_of(game))
    for move, changes in found.items():
        role = move.split()[0]
        others = [r for r in game.roles if r != role]
        assert not any(f" {other} " in change for change in changes for other in others), (move, changes)


def test_one_move_dims_all_other_lamps() -> None:
    """An implicit effect: what a press lets happen by not being another press."""
    game = ludisect.load("lights-on")
    found = effects_of(game)
    for move, changes in causes(game, found).items():
        assert len({change.split()[1] for change in changes}) == 4, move


@pytest.mark.parametrize("name", ["chomp", "runners", "lights-on"])
def test_choices_compared_one_by_one(name: str) -> None:
    game = ludisect.load(name)
    sample = take_sample(game, states=60)
    found = compare_choices(sample)
    n, words = len(game.fluents), game.batch.initial.shape[1]
    shown = np.zeros((game.circuit.legal.size, 2 * n), np.bool_)
    matters, chances = np.zeros(n, np.bool_), np.zeros(n, np.int64)
    keys = list(zip(sample.pair_state.tolist(), sample.pair_role.tolist(), strict=True))
    for key in dict.fromkeys(keys):
        rows = [i for i, k in enumerate(keys) if k == key]
        after, before = unpack(sample.pair_next[rows], len(game.fluents)), sample.bits[key[0]]
        if len(rows) < 2:
            continue
        for f in range(n):
            outcomes = set(after[:, f].tolist())
            matters[f] |= len(outcomes) > 1
            chances[f] += outcomes != {bool(before[f])}
            for i, value in zip(rows, after[:, f].tolist(), strict=True):
                if len(outcomes) > 1 and value != before[f]:
                    move = game.batch.first_move[key[1]] + sample.pair_move[i]
                    shown[move, 2 * f + (0 if value else 1)] = True
    assert (found.matters == matters).all()
    assert (found.chances == chances).all()
    bits = unpack(found.shown, 128 * words)
    assert (bits[:, change_bit(np.arange(2 * n), words)] == shown).all()
