"""Sums in normal play by canonical values: who wins, and a move that does."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludisect import load
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.search.additive.values import prizes, values_of, winning_move
from ludisect.search.part.compound import Compound, PartGraph, table
from ludisect.search.part.reading import read_choice
from ludisect.search.solve import solve
from ludisect.search.way import Inapplicable
from ludisect.search.whole.whole import solve_whole
from tests.search.byhand import by_hand
from tests.search.compounds import best_moves, random_part, whole_value
from tests.search.known import double_tictactoe_read, nim


def last_mover_wins(rng: random.Random) -> Compound:
    """Random parts; the concept of a state says who can move there, and the mover who cannot has lost."""
    parts = []
    for _ in range(rng.choice([2, 2, 3])):
        part = random_part(rng, roles=2, states=rng.randint(2, 6), concepts=1, moves=2)
        concept = tuple(bool(a) + 2 * bool(b) for a, b in zip(*part.moves, strict=True))
        parts.append(PartGraph(part.moves, concept))
    over, goal = table([2, *[4] * len(parts), 2])
    for context in range(2):
        for c in range(4 ** len(parts)):
            key = tuple(c // 4**k % 4 for k in range(len(parts)))
            over[(context, *key)] = not any(x >> context & 1 for x in key)
            goal[(context, *key, context)] = 0
            goal[(context, *key, 1 - context)] = 100
    return Compound(tuple(parts), (0, 1), (1, 0), over, goal, 2, context=rng.randrange(2))


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=200, deadline=None)
def test_values_decide_normal_play(seed: int) -> None:
    compound = last_mover_wins(random.Random(seed))
    assert prizes(compound) == (100, 0)
    found = winning_move(compound, [values_of(p) for p in compound.parts])
    mover = compound.context
    assert (found is not None) == (whole_value(compound) == (100 if mover == 0 else 0))
    if found is not None:
        part, _, state = found
        assert (part, state) in best_moves(compound)


def domineering() -> Decomposition:
    """Two boards side by side."""
    return by_hand(
        load("domineering:2x2,3x3"),
        [(r"\(free \d+ [12]\)", r"\(place \d+ [12]\)"), (r"\(free \d+ [456]\)", r"\(place \d+ [456]\)")],
        [r"\(control "],
    )


def test_domineering_boards() -> None:
    parts = domineering()
    answer = solve(parts, "values")
    assert answer.value == solve_whole(parts.game).value
    assert "is worth ±1" in answer.why[0]
    game = parts.game
    state = game.initial_state()
    moves = {role: of_role[0] for role, of_role in game.legal_moves(state).items()} | dict(answer.move)
    assert solve_whole(game, start=game.batch.row(game.next_state(state, moves))).value == answer.value


def test_nim_is_normal_play_too() -> None:
    compound = read_choice(nim(3, 5)).compound
    assert prizes(compound) == (100, 0)
    assert [str(values_of(p)[0]) for p in compound.parts] == ["*3", "*5"]


def test_other_games_are_refused() -> None:
    with pytest.raises(Inapplicable, match="depend on more"):
        prizes(double_tictactoe_read().compound)
    with pytest.raises(Inapplicable, match="does not lose"):
        prizes(read_choice(nim(2, 1, misere=True)).compound)
