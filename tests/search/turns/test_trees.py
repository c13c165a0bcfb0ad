"""Sound dominance between local trees: the same value as the whole, and a move that attains it."""

from __future__ import annotations

import random
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from ludisect.search.part.compound import Compound, PartGraph, PartOrder
from ludisect.search.turns.forest import Forest
from ludisect.search.turns.trees import Trees
from ludisect.search.turns.treesearch import local_trees, solve_compound
from tests.search.compounds import best_moves, boards_compound, random_compound, tictactoe_part, whole_value

SEEDS = st.integers(0, 2**32 - 1)


def compound_of(seed: int, roles: int = 2) -> Compound:
    rng = random.Random(seed)
    return random_compound(
        rng,
        roles=roles,
        parts=rng.choice([2, 2, 3, 4]),
        states=rng.choice([3, 4, 6]),
        concepts=rng.choice([1, 2, 3]),
        moves=rng.choice([1, 2, 3]),
    )


@given(SEEDS, st.sampled_from([1, 2]))
@settings(max_examples=300, deadline=None)
def test_dropping_dominated_moves_keeps_value_and_move(seed: int, roles: int) -> None:
    compound = compound_of(seed, roles)
    found = solve_compound(compound)
    assert found.exact
    assert found.value == whole_value(compound)
    best = best_moves(compound)
    assert (found.part is None) == (not best)
    if found.part is not None:
        assert (found.part, found.state) in best


def test_a_thousand_random_compounds() -> None:
    dropped = 0
    for seed in range(1000):
        compound = compound_of(seed)
        trees = local_trees(compound, drop=True)
        roots = tuple(t.node(p.start, 99) for t, p in zip(trees, compound.parts, strict=True))
        dropped += sum(t.dropped for t in trees)
        assert Forest(compound, [t.nodes for t in trees]).solve(roots).value == whole_value(compound), seed
    assert dropped > 20  # the test would say little if nothing were ever dropped


def limited_value(compound: Compound, depth: int) -> int:
    """Minimax of the whole in which no part goes deeper than ``depth``; what cannot go on counts as it stands."""

    def value(states: tuple[int, ...], left: tuple[int, ...], context: int) -> int:
        key = compound.key(states, context)
        if compound.over[key]:
            return int(compound.goal[(*key, 0)])
        role, after = compound.mover[context], compound.follow[context]
        values, cut = [], False
        for i, part in enumerate(compound.parts):
            cut |= left[i] == 0 and any(m[states[i]] for m in part.moves)
            for _, t in part.moves[role][states[i]] if left[i] else ():
                fewer = (*left[:i], left[i] - 1, *left[i + 1 :])
                values.append(value((*states[:i], t, *states[i + 1 :]), fewer, after))
        if values:
            return max(values) if role == 0 else min(values)
        return int(compound.goal[(*key, 0)]) if cut else value(states, left, after)

    return value(compound.start, (depth,) * len(compound.parts), compound.context)


def test_depth_limit_means_the_same_for_parts_and_whole() -> None:
    boards = boards_compound(2)
    two = replace(boards, parts=(small_board(), small_board()))
    for depth in range(1, 5):
        assert solve_compound(two, depth=depth).value == limited_value(two, depth)


def small_board() -> PartGraph:
    """Three cells in a row; two neighbours of one mark win."""
    cells = ["..."]
    numbers = {"...": 0}
    moves: list[list[tuple[tuple[int, int], ...]]] = [[], []]
    concept = []
    for board in cells:
        won = next((k + 1 for k, m in enumerate("xo") if m + m in board), 0)
        concept.append(won or (3 if "." not in board else 0))
        for role, mark in enumerate("xo"):
            found = []
            for i in range(3):
                if board[i] == "." and not won:
                    after = board[:i] + mark + board[i + 1 :]
                    if after not in numbers:
                        numbers[after] = len(cells)
                        cells.append(after)
                    found.append((i, numbers[after]))
            moves[role].append(tuple(found))
    return PartGraph((tuple(moves[0]), tuple(moves[1])), tuple(concept))


def test_equal_trees_are_shared() -> None:
    compound = boards_compound(2)
    trees = Trees(tictactoe_part(), PartOrder(compound, 0), drop=False)
    trees.node(0, 9)
    assert len(trees.nodes) == 606  # of 18753 states


def test_dominated_moves_of_tictactoe() -> None:
    """On a board with two x in a row, completing the line dominates nothing that leaves the board open."""
    compound = boards_compound(2)
    order = PartOrder(compound, 0)
    assert order.at_least(0, worse=2, better=1)
    assert order.at_least(1, worse=1, better=2)
    assert not order.at_least(0, worse=0, better=1)
    assert order.canonical == [0, 1, 2, 3]
