"""Free choice and availability: which parts are one, and values of one variable."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import ludisect
from ludisect.circuit.game import Game
from ludisect.circuit.rows import unpack
from ludisect.decomposition.evidence.freechoice import tie_by_choice
from ludisect.decomposition.evidence.sample import Sample, take_sample
from ludisect.decomposition.statistics.availability import join_by_availability
from ludisect.decomposition.statistics.valuesets import values_of_variables


def by_argument(game: Game, place: int | None, name: str | None = None) -> list[list[int]]:
    """Fluents grouped by one argument, or one by one; only those of a name, if one is given."""
    groups: dict[object, list[int]] = {}
    for i, f in enumerate(game.fluents):
        if name is None or f.name == name:
            groups.setdefault(f.args[place] if place is not None else i, []).append(i)
    return list(groups.values())


def naive(sample: Sample, parts: list[list[int]]) -> bool:
    """Whether every outcome is free, by dictionaries; for games in which some move always leaves each part alone."""
    strict = sample.n_roles > 1
    keys = list(zip(sample.pair_state.tolist(), sample.pair_role.tolist(), strict=True))
    after = unpack(sample.pair_next, sample.bits.shape[1])
    for key in dict.fromkeys(keys):
        rows = []
        for i in [i for i, k in enumerate(keys) if k == key]:
            changed = after[i] != sample.bits[key[0]]
            rows.append(tuple(frozenset(f for f in part if changed[f]) for part in parts))
        known = set(rows)
        for row in rows:
            active = [p for p, outcome in enumerate(row) if outcome]
            if len(active) < 2:
                continue
            for p in active:
                alone = tuple(outcome if q == p else frozenset() for q, outcome in enumerate(row))
                mixed = {tuple(row[q] if q == p else other[q] for q in range(len(parts))) for other in rows}
                if not mixed <= known and (strict or alone not in known):
                    return False
    return True


def test_heaps_are_free_and_pins_of_a_row_are_not() -> None:
    nim = ludisect.load("nim:3,2")
    heaps = by_argument(nim, 0, "heap")
    assert tie_by_choice(take_sample(nim), heaps, strict=True) == [[0], [1]]
    kayles = ludisect.load("kayles")
    pins = by_argument(kayles, None, "standing")
    rows = by_argument(kayles, 0, "standing")
    sample = take_sample(kayles)
    blocks = tie_by_choice(sample, pins, strict=True)
    assert sorted(sorted(f for i in b for f in pins[i]) for b in blocks) == sorted(rows)
    assert tie_by_choice(sample, rows, strict=True) == [[0], [1]]


def test_holes_that_pegs_jump_between_are_one_part() -> None:
    game = ludisect.load("peg-solitaire")
    holes = by_argument(game, None)
    assert len(tie_by_choice(take_sample(game), holes)) == 1


def test_compound_moves_on_two_boards_are_free() -> None:
    game = ludisect.load("parallel-tictactoe")
    boards = [by_argument(game, None, name) for name in ("first", "second")]
    parts = [[f for group in board for f in group] for board in boards]
    assert tie_by_choice(take_sample(game), parts) == [[0], [1]]


@pytest.mark.parametrize(("name", "symbol"), [("kayles:2,2", "standing"), ("four-lamps", "on"), ("tictactoe", "cell")])
def test_joined_parts_are_free_and_no_less_joined_ones_are(name: str, symbol: str) -> None:
    game = ludisect.load(name)
    sample = take_sample(game, states=80)
    parts = by_argument(game, None, symbol)
    blocks = tie_by_choice(sample, parts, strict=sample.n_roles > 1)
    joined = [sorted(f for i in b for f in parts[i]) for b in blocks]
    assert naive(sample, joined)
    for block in (b for b in blocks if len(b) == 2):
        rest = [[f for i in b for f in parts[i]] for b in blocks if b is not block]
        assert not naive(sample, [*rest, *(parts[i] for i in block)])


def test_walls_that_stop_a_pawn_belong_to_it() -> None:
    """One condition of a move, in another part, ties the two; with a substitute for the move it does not."""
    game = ludisect.load("four-lamps")
    causes = np.zeros((4, 8), np.bool_)
    causes[0, 0] = causes[1, 2] = causes[2, 2] = causes[3, 4] = True
    made = np.ones(4, np.bool_)
    premises = np.zeros((8, 4), np.bool_)
    premises[0, 3] = True  # fluent 0 conditions move 3, the only one that acts on fluent 2
    premises[4, 1] = True  # fluent 2 conditions move 1, but move 2 does the same
    blocks = join_by_availability(game, [[0], [1], [2]], causes, premises, made, lambda fluent, moves: True)
    assert blocks == [[0, 2], [1]]
    blocks = join_by_availability(game, [[0], [1], [2]], causes, premises, made, lambda fluent, moves: False)
    assert blocks == [[0], [1], [2]]


@pytest.mark.parametrize(("without", "with_one", "tied"), [(1, 1, True), (1, 2, False), (2, 1, True), (0, 2, False)])
def test_half_of_the_moves_must_be_without_a_substitute(without: int, with_one: int, tied: bool) -> None:
    """Plays miss effects of rare moves: a few moves without a substitute do not tie the part that conditions them."""
    game = ludisect.load("lights-out")
    causes = np.zeros((len(game.moves[0]), 2 * len(game.fluents)), np.bool_)
    premises = np.zeros_like(causes.T)
    needing = without + with_one
    for m in range(needing):
        causes[m, 2 * (1 + m)] = True
        premises[0, m] = True
    for m in range(with_one):
        causes[needing + m, 2 * (1 + m)] = True
    made = np.asarray(causes.any(axis=1))
    parts = [[0], list(range(1, 1 + needing))]
    blocks = join_by_availability(game, parts, causes, premises, made, lambda fluent, moves: True)
    assert blocks == ([[0, 1]] if tied else [[0], [1]])


def test_contents_of_a_cell_are_values_of_one_variable() -> None:
    game = ludisect.load("tictactoe")
    nowhere = np.zeros(len(game.fluents), np.bool_)
    groups = values_of_variables(game, take_sample(game), range(len(game.fluents)), nowhere)
    named = {frozenset(str(game.fluents[f]) for f in g) for g in groups}
    assert frozenset({"(cell 1 1 x)", "(cell 1 1 o)", "(cell 1 1 b)"}) in named
    assert frozenset({"(control xplayer)", "(control oplayer)"}) in named
    assert len(named) == 10
    assert all(not set(a) & set(b) for a, b in combinations(groups, 2))


def test_a_start_that_plays_leave_for_good_is_a_value() -> None:
    """Riders vanish when they crash, so at most one of their places is true; only what is adrift is taken in."""
    game = ludisect.load("tron")
    sample = take_sample(game)
    free = range(len(game.fluents))
    nowhere = np.zeros(len(game.fluents), np.bool_)
    start = np.array([str(f) == "(rider blue 1 1)" for f in game.fluents])
    assert not any(start[list(g)].any() for g in values_of_variables(game, sample, free, nowhere))
    group = next(g for g in values_of_variables(game, sample, free, start) if start[list(g)].any())
    assert {game.fluents[f].args[0] for f in group} == {game.fluents[group[0]].args[0]}
