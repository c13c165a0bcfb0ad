"""Records of the parts in the tree of the whole: held against sums over all nodes, and the formula written out."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from typing import Any

import pytest

from ludisect.circuit.game import Game
from ludisect.decomposition.methods import decompose
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.gdl import Fluents
from ludisect.loader import load
from ludisect.play.tree import TreeSearch, lanetree
from ludisect.play.tree import fields as f
from ludisect.play.tree.lanetree import LaneTree
from ludisect.play.tree.limits import TreeLimits

Place = tuple[int, Fluents, int]
"""A part, its fluents in a state, and the role that chooses."""


@cache
def parts_of(name: str) -> Decomposition:
    return decompose(load(name))


def searched(name: str, visits: int, **limits: Any) -> tuple[TreeSearch, LaneTree]:
    parts = parts_of(name)
    search = TreeSearch(parts.game, seed=5, limits=TreeLimits(tree_megabytes=16, tree_most_plays=1, **limits))
    search.take_apart(parts.dependent)
    search.search(parts.game.start, visits=visits)
    (tree,) = search._trees
    return search, tree


def own_part(parts: Decomposition, r: int, move: int) -> int:
    """The one part in which a move of the whole acts."""
    (part,) = (p for p, part in enumerate(parts.dependent) for some in part.move_numbers[r] if move in some)
    return part


class Sums:
    """What the nodes of a tree say of each place: plays and results, in all and by move. Slow and obvious."""

    def __init__(self, name: str, tree: LaneTree) -> None:
        parts = parts_of(name)
        game: Game = parts.game
        self.total: dict[Place, list[float]] = defaultdict(lambda: [0.0, 0.0])
        self.moves: dict[tuple[Place, int], list[float]] = defaultdict(lambda: [0.0, 0.0])
        self.numbers: dict[Place, set[int]] = defaultdict(set)
        n_parts, local = len(parts.dependent), tree._records[0]
        own = [frozenset(part.fluents) for part in parts.dependent]
        for n, line in enumerate(tree._node[: int(tree.count[f.NODES]) * f.NODE].reshape(-1, f.NODE).tolist()):
            r, state = line[f.CHOOSER], game.batch.state(tree.row_of(n))
            first = 1 + len(game.fluents) + int(tree.code.role_start[r])
            for e in range(line[f.FIRST], line[f.FIRST] + line[f.COUNT]):
                move, _, _, record = tree._edge[f.EDGE * e : f.EDGE * (e + 1)].tolist()
                result, plays = tree._worth[2 * e : 2 * e + 2].tolist()
                plays -= record % f.PRIOR if record >= 0 else 0
                here = own_part(parts, r, move - first) if record >= 0 else None  # None: nobody has a choice
                for p in range(n_parts):
                    place = (p, state & own[p], r)
                    one = int(local[n * n_parts + p])
                    if one < 0:  # nobody can move there any more
                        continue
                    self.numbers[place].add(one)
                    self.total[place][0] += result
                    self.total[place][1] += plays
                    if p == here:
                        self.moves[place, record // f.PRIOR][0] += result
                        self.moves[place, record // f.PRIOR][1] += plays


@pytest.mark.parametrize("name", ["double-tictactoe", "nim:3,4,5"])
@pytest.mark.parametrize("trust", [0.0, 0.1])
def test_records_are_sums_over_the_nodes_of_a_place(name: str, trust: float) -> None:
    """Equal states of a part with the same role to choose are one place; its sums are those of all its nodes."""
    _, tree = searched(name, 3000, tree_trust=trust, tree_trust_least=0, tree_solver=0)
    sums = Sums(name, tree)
    place_worth, record = tree._records[6], tree._records[7]
    assert all(len(numbers) == 1 for numbers in sums.numbers.values())
    assert len({min(numbers) for numbers in sums.numbers.values()}) == len(sums.numbers) > 20
    shared = 0
    for place, (result, plays) in sums.total.items():
        one = min(sums.numbers[place])
        shared += plays > 10
        assert place_worth[2 * one + 1] == pytest.approx(plays)
        if trust == 0.0:  # else the sums of the edges have plays in advance in them
            assert place_worth[2 * one] == pytest.approx(result)
    for (_, one), (result, plays) in sums.moves.items():
        assert record[2 * one + 1] == pytest.approx(plays)
        if trust == 0.0:
            assert record[2 * one] == pytest.approx(result)
    assert shared > 10


def test_a_new_node_begins_with_what_the_records_say() -> None:
    """The formula, written out, at a state that was no node before."""
    name, trust, least, most = "double-tictactoe", 0.1, 2, 30
    search, tree = searched(name, 20_000, tree_trust=trust, tree_trust_least=least, tree_trust_most=most)
    parts, game = parts_of(name), search.game
    place_worth, record = tree._records[6].copy(), tree._records[7].copy()
    place = tree._records[5].reshape(-1, 2)
    state = game.start
    for k in (0, 9):
        state = state.play({role: legal[min(k, len(legal) - 1)] for role, legal in state.legal.items()})
    search.look_at(state)
    line = tree._node[tree.root * f.NODE : (tree.root + 1) * f.NODE].tolist()
    r, enough = line[f.CHOOSER], 1 / trust
    role_mean = place_worth[2 * r] / place_worth[2 * r + 1]
    here = tree._records[0][tree.root * len(parts.dependent) :][: len(parts.dependent)].tolist()

    def passed(one: int) -> float:
        result, plays = place_worth[2 * one : 2 * one + 2]
        own = record.reshape(-1, 2)[place[one, 0] : place[one, 0] + place[one, 1]].sum(axis=0)
        away = plays - own[1]
        return float((result - own[0]) / away if away >= enough else result / plays)

    known = [one for one in here if one >= 0 and place_worth[2 * one + 1] > 0]
    first, begun = 1 + len(game.fluents) + int(tree.code.role_start[r]), 0
    for e in range(line[f.FIRST], line[f.FIRST] + line[f.COUNT]):
        move, child, started, number = tree._edge[f.EDGE * e : f.EDGE * (e + 1)].tolist()
        one, at = here[own_part(parts, r, move - first)], number // f.PRIOR
        if place_worth[2 * one + 1] < enough:
            assert started == 0
            continue
        plays = min(most, least + int(trust * record[2 * at + 1]))
        mean = place_worth[2 * one] / place_worth[2 * one + 1]
        own = (record[2 * at] + mean) / (record[2 * at + 1] + 1)
        expected = own + sum(passed(other) for other in known if other != one) - (len(known) - 1) * role_mean
        assert number % f.PRIOR == started == plays
        assert tree._worth[2 * e : 2 * e + 2] == pytest.approx([plays * min(1.0, max(0.0, expected)), plays])
        begun += child == f.LEAF
    assert begun > 4
    assert line[f.VISITS] == tree._edge[f.STARTED :: f.EDGE][line[f.FIRST] : line[f.FIRST] + line[f.COUNT]].sum()


def test_places_are_kept_between_moves() -> None:
    search, tree = searched("double-tictactoe", 5000)
    before = Sums("double-tictactoe", tree).numbers
    search.advance(search.search(visits=1).moves)
    after = Sums("double-tictactoe", tree).numbers
    assert len(after) > 10
    assert all(before[place] == numbers for place, numbers in after.items())


def test_what_is_proved_by_parts_is_right() -> None:
    """Plays in advance change where the search looks, never what is proved."""
    search, _ = searched("nim:2,3,4", 20_000)
    found = search.search(visits=100_000)
    assert found.proved
    assert found.goals["player1"] == 100.0
    assert str(found.moves["player1"]) == "(reduce c 1)"


def test_machine_code_does_what_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernels as plain Python give the same records and the same tree."""

    def grown() -> list[object]:
        search, tree = searched("nim:2,3", 60, tree_trust=0.5, tree_trust_least=1)
        search.advance(search.search(visits=80).moves)
        worth = search.search(visits=120).worth
        edges, places, records = (int(tree.count[at]) for at in (f.EDGES, f.PLACES, f.RECORDS))
        some = (tree._worth[: 2 * edges], tree._edge[: f.EDGE * edges], tree._records[6][: 2 * places])
        return [worth, tree.count.tolist(), *(one.tolist() for one in some), tree._records[7][: 2 * records].tolist()]

    compiled = grown()
    for kernel in ("search_rounds", "plant", "keep_from", "take_back_all", "enter_all"):
        monkeypatch.setattr(lanetree, kernel, getattr(lanetree, kernel).plain)
    assert grown() == compiled


def test_moves_in_step_have_no_records() -> None:
    """A move that acts in every part is no move of one of them."""
    parts = parts_of("parallel-tictactoe")
    search = TreeSearch(parts.game, limits=TreeLimits(tree_megabytes=16))
    search.take_apart(parts.dependent)
    (tree,) = search._trees
    role = parts.game.roles[0]
    for move in parts.game.start.legal[role]:
        assert tree._records[1][parts.game.move_index[0][move]] == -1
