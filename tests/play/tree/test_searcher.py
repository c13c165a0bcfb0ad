"""Tree search on lanes: held against a plain twin, exact values, and its own accounts."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.limits import CircuitLimits
from ludisect.circuit.rows import Rows
from ludisect.errors import IllegalMove, InputError
from ludisect.gdl import Fluents, State
from ludisect.loader import load
from ludisect.play.tree import TreeSearch, lanetree
from ludisect.play.tree import fields as f
from ludisect.play.tree.limits import TreeLimits
from ludisect.play.tree.treecode import tree_code
from ludisect.settings import using
from tests.play.tree.twin import Twin

PENNIES = """
(role even) (role odd) (init (coins none none)) (side heads) (side tails)
(<= (legal ?r (show ?s)) (role ?r) (side ?s))
(<= (next (coins ?a ?b)) (does even (show ?a)) (does odd (show ?b)))
(<= terminal (not (true (coins none none))))
(<= same (true (coins ?s ?s)) (side ?s))
(<= (goal even 100) same) (<= (goal even 0) (not same)) (<= (goal odd 0) same) (<= (goal odd 100) (not same))
"""


def perfect(game: Game) -> Callable[[Fluents], tuple[int, ...]]:
    """What every role gets if each takes the best for itself, one chooser a state: by following everything."""

    @cache
    def value(state: Fluents) -> tuple[int, ...]:
        if game.is_terminal(state):
            return tuple(goal or 0 for goal in game.goals(state).values())
        legal = game.legal_moves(state)
        chooser = next((r for r, moves in enumerate(legal.values()) if len(moves) > 1), 0)
        forced = {role: moves[0] for role, moves in legal.items()}
        role = game.roles[chooser]
        return max(
            (value(game.next_state(state, {**forced, role: move})) for move in legal[role]),
            key=lambda goals: goals[chooser],
        )

    return value


def later(game: Game, moves: int) -> State[Game]:
    """A state after so many moves, the first legal ones from the middle of the list."""
    state = game.start
    for _ in range(moves):
        state = state.play({role: legal[len(legal) // 2] for role, legal in state.legal.items()})
    return state


@pytest.mark.parametrize(
    ("name", "made"),
    [("tictactoe", 2), ("nim:2,3,4", 0), ("nim-misere:2,3", 0), ("chomp:3x4", 0), ("kayles:7", 0), ("clobber:2x4", 0)],
)
def test_small_games_are_proved_and_the_move_is_right(name: str, made: int) -> None:
    game = load(name)
    value, state = perfect(game), later(game, made)
    found = TreeSearch(game, seed=1).search(state, visits=400_000)
    assert found.proved
    assert tuple(found.goals.values()) == value(state.fluents)
    assert value(state.play(dict(found.moves)).fluents) == tuple(found.goals.values())


@pytest.mark.parametrize(
    ("name", "made", "least"),
    [("tictactoe", 2, 20), ("chomp:3x3", 0, 10), ("clobber:2x3", 0, 3), ("four-lamps", 0, 1)],
)
def test_every_proof_in_the_tree_is_right(name: str, made: int, least: int) -> None:
    """All proved nodes of a tree under way, against the value of their states by following everything."""
    game = load(name)
    value = perfect(game)
    search = TreeSearch(game, seed=2)
    search.search(later(game, made), visits=1500)
    (tree,) = search._trees
    proofs = 0
    for n in range(int(tree.count[f.NODES])):
        chooser = int(tree._node[n * f.NODE + f.CHOOSER])
        status = int(tree._node[n * f.NODE + f.STATUS])
        if status >= 0:
            proofs += 1
            state = game.batch.state(tree._rows[n * tree._words : (n + 1) * tree._words])
            # with several best moves others may get different things: the chooser does not
            assert tree.code.goals_of(status)[chooser] == value(state)[chooser]
    assert proofs >= least


@pytest.mark.parametrize("name", ["connect-four", "tictactoe", "rock-paper-scissors", "tron"])
def test_the_accounts_of_the_tree_agree(name: str) -> None:
    """States of children are those of the rules; visits, plays started, landed and in flight add up."""
    game = load(name)
    search = TreeSearch(game, seed=3, limits=TreeLimits(tree_solver=0, tree_most_plays=1))
    search.search(game.start, visits=6000)
    (tree,) = search._trees
    node = tree._node[: int(tree.count[f.NODES]) * f.NODE].reshape(-1, f.NODE)
    edge = tree._edge[: int(tree.count[f.EDGES]) * f.EDGE].reshape(-1, f.EDGE)
    roles = len(game.roles)
    stride = f.CELL_EDGES + roles
    cells = tree._cells[: int(tree.count[f.CELLS]) * stride].reshape(-1, stride)
    for n, line in enumerate(node.tolist()):
        if line[f.COUNT] == 0:
            continue
        row = tree._rows[n * tree._words : (n + 1) * tree._words]
        state = game.batch.state(row)
        legal = game.legal_moves(state)
        block = edge[line[f.FIRST] : line[f.FIRST] + line[f.COUNT]]
        first = 1 + len(game.fluents)
        names = [m for moves in game.moves for m in moves]
        assert sorted(str(names[move - first]) for move in block[:, f.MOVE]) == sorted(
            str(move) for moves in legal.values() if len(moves) > 1 for move in moves
        )
        if line[f.CHOOSER] >= 0:
            assert block[:, f.STARTED].sum() == line[f.VISITS]
            role = game.roles[line[f.CHOOSER]]
            for move, child, _, _ in block.tolist():
                if child >= 0:
                    joint = {**{r: m[0] for r, m in legal.items()}, role: names[move - first]}
                    after = game.batch.row(game.next_state(state, joint))[0] & tree.code.mask
                    assert np.array_equal(after, tree._rows[child * tree._words : (child + 1) * tree._words])
        else:
            assert cells[cells[:, f.CELL_NODE] == n, f.CELL_STARTED].sum() == line[f.VISITS]
    root = node[int(tree.count[f.ROOT])]
    landed = tree._worth[1 : 2 * int(tree.count[f.EDGES]) : 2]
    total = landed[root[f.FIRST] : root[f.FIRST] + root[f.COUNT]].sum() / max(1, root[f.SIDES])
    assert total + (tree._depth > 0).sum() == root[f.VISITS]


def test_the_plain_twin_expects_the_same() -> None:
    """As many visits one by one on the rules, or hundreds in flight on lanes: the value of the start is the same."""
    game = load("tictactoe")
    values = []
    for seed in range(4):
        root = Twin(game, seed=seed, eager=True).search(game.start.fluents, 150)
        plays = sum(some[0] for some in root.tried.values())
        values.append(sum(some[1] for some in root.tried.values()) / plays)
    found = TreeSearch(game, seed=1).search(game.start, visits=150)
    visits = sum(one.visits for one in found.worth["xplayer"])
    mean = sum(one.visits * one.goal for one in found.worth["xplayer"]) / visits
    assert mean == pytest.approx(sum(values) / 4, abs=12)


@pytest.mark.parametrize("name", ["tictactoe", "nim:2,3", "four-lamps", "chomp:3x3"])
def test_the_plain_twin_proves_the_same(name: str) -> None:
    game = load(name)
    state = later(game, 3 if name == "tictactoe" else 0)
    root = Twin(game, seed=3).search(state.fluents, 5000)
    found = TreeSearch(game, seed=3).search(state, visits=100_000)
    assert root.outcome is not None
    assert found.proved
    assert root.outcome == tuple(found.goals.values())


@pytest.mark.parametrize("name", ["nim:3,4,5", "clobber:2x4", "chomp:3x4"])
def test_what_is_known_elsewhere_is_an_end_in_the_tree(name: str) -> None:
    """States with fewer moves than the start are known, others not: twin and lanes prove the same, every proof in the
    tree is right, and a root whose outcome was known still finds its move."""
    game = load(name)
    value, state = perfect(game), game.start
    most = sum(map(len, state.legal.values()))

    def known(fluents: Fluents) -> tuple[float, ...] | None:
        few = sum(map(len, game.legal_moves(fluents).values())) < most
        return tuple(map(float, value(fluents))) if few else None

    def told(rows: Rows) -> NDArray[np.float64]:
        nothing = (np.nan,) * len(game.roles)
        return np.array([known(game.batch.state(row)) or nothing for row in rows])

    limits = TreeLimits(tree_ask_at=1, tree_ask_share=1.0, tree_expand_at=1, tree_leaves=4)
    plain, search = (TreeSearch(game, seed=1, limits=limits) for _ in range(2))
    search.know(told)
    found, without = search.search(state, visits=400_000), plain.search(state, visits=400_000)
    twin = Twin(game, seed=1, known=known).search(state.fluents, 5000)
    assert search._knowledge is not None
    assert search._knowledge._found > 0
    assert found.proved
    assert found.goals == without.goals
    assert tuple(found.goals.values()) == twin.outcome == value(state.fluents)
    assert value(state.play(dict(found.moves)).fluents) == value(state.fluents)
    (tree,) = search._trees
    for n in range(int(tree.count[f.NODES])):
        status, chooser = (int(tree._node[n * f.NODE + at]) for at in (f.STATUS, f.CHOOSER))
        assert status < 0 or tree.code.goals_of(status)[chooser] == value(game.batch.state(tree.row_of(n)))[chooser]
    while not state.is_over:  # along best play, with one tree
        found = search.search(state, visits=400_000)
        assert value(state.play(dict(found.moves)).fluents) == value(state.fluents)
        state = state.play(dict(found.moves))
        search.advance(found.moves)


ONE_STEP = (
    "(role r) (m 0) (m 1) (m 2) (m 3) (m 4) (m 5) (m 6) (m 7) (init (at start))"
    "(<= (legal r (pick ?x)) (m ?x)) (<= (next (at ?x)) (does r (pick ?x)))"
    "(<= terminal (true (at ?x)) (distinct ?x start)) (<= (goal r 0) (true (at start)))"
    + "".join(f"(<= (goal r {10 * i}) (true (at {i})))" for i in range(8))
)
"""What follows is the very input of the move."""


@pytest.mark.parametrize("solver", [0, 1])
def test_the_end_after_one_move_is_what_the_move_says(solver: int) -> None:
    game = load(ONE_STEP)
    found = TreeSearch(game, seed=1, limits=TreeLimits(tree_solver=solver)).search(game.start, visits=500)
    assert str(found.moves["r"]) == "(pick 7)"
    assert found.proved == bool(solver)
    for one in found.worth["r"]:
        assert one.goal == pytest.approx(10 * int(str(one.move)[-2]))


def test_rock_paper_scissors_is_a_third_each() -> None:
    game = load("rock-paper-scissors:1")
    found = TreeSearch(game, seed=5).search(game.start, visits=200_000)
    root = Twin(game, seed=5).search(game.start.fluents, 2000)
    for r, role in enumerate(game.roles):
        assert [one.share for one in found.worth[role]] == pytest.approx([1 / 3] * 3, abs=0.03)
        assert found.goals[role] == pytest.approx(50, abs=2)
        total = sum(root.average[r].values())
        assert [share / total for share in root.average[r].values()] == pytest.approx([1 / 3] * 3, abs=0.2)
    seen = {str(TreeSearch(game, seed=i).search(game.start, visits=500).moves["left"]) for i in range(12)}
    assert len(seen) > 1  # the move is drawn


def test_matching_pennies_is_half_and_half() -> None:
    game = load(PENNIES)
    found = TreeSearch(game, seed=6).search(game.start, visits=200_000)
    for role in game.roles:
        assert [one.share for one in found.worth[role]] == pytest.approx([1 / 2] * 2, abs=0.03)
        assert found.goals[role] == pytest.approx(50, abs=2)


def test_the_tree_is_kept_between_moves() -> None:
    """After a move the root is the old child: the same states, visits and results as before."""
    game = load("connect-four")
    search = TreeSearch(game, seed=7)
    found = search.search(game.start, visits=40_000)
    (tree,) = search._trees
    before = accounts(game, search)
    search.advance(found.moves)
    after = accounts(game, search)
    assert search.state == game.start.play(dict(found.moves))
    assert tree.visits > 1000
    assert set(after) <= set(before)
    for state, edges in after.items():
        assert edges == before[state]
    again = search.search(visits=50_000)
    assert again.visits >= 50_000 > again.plays
    with pytest.raises(IllegalMove):
        search.advance({"red": game.moves[0][0], "yellow": game.moves[1][0]})


def accounts(game: Game, search: TreeSearch) -> dict[bytes, list[tuple[int, float, float]]]:
    """By state: move, plays landed and their sum, of every edge."""
    (tree,) = search._trees
    out = {}
    for n in range(int(tree.count[f.NODES])):
        at, words = n * f.NODE, tree._words
        edges = range(tree._node[at + f.FIRST], tree._node[at + f.FIRST] + tree._node[at + f.COUNT])
        out[tree._rows[n * words : (n + 1) * words].tobytes()] = [
            (int(tree._edge[e * f.EDGE + f.MOVE]), float(tree._worth[2 * e + 1]), float(tree._worth[2 * e]))
            for e in edges
        ]
    return out


@pytest.mark.parametrize("name", ["tron", "rock-paper-scissors", "three-player-tictactoe", "lights-on", "breakthrough"])
def test_whole_matches_with_one_tree(name: str) -> None:
    """Search, move, go on, to the end; simultaneous moves, three roles, one role."""
    game = load(name)
    search, state = TreeSearch(game, seed=8), game.start
    steps = 0
    while not state.is_over and steps < 12:
        found = search.search(state, visits=2000)
        assert all(found.moves[role] in state.legal[role] for role in game.roles)
        state = state.play(dict(found.moves))
        search.advance(found.moves)
        steps += 1
    if state.is_over:
        with pytest.raises(InputError, match="the game is over in that state"):
            search.search(state, visits=10)


@pytest.mark.parametrize("name", ["lights-on", "four-lamps", "two-track"])
def test_puzzles_of_one_player_are_solved(name: str) -> None:
    game = load(name)
    search, state = TreeSearch(game, seed=9), game.start
    while not state.is_over:
        found = search.search(state, visits=50_000)
        state = state.play(dict(found.moves))
        search.advance(found.moves)
    assert state.goals[game.roles[0]] == 100


def test_two_trees_are_added_up() -> None:
    game = load("connect-four")
    found = TreeSearch(game, threads=2, seed=1).search(game.start, visits=60_000)
    assert found.visits >= 60_000
    assert found.goals["red"] + found.goals["yellow"] == pytest.approx(100)
    assert sum(one.visits for one in found.worth["red"]) > 50_000
    assert str(found.moves["red"]) == "(drop 4)"


def test_memory_is_bounded() -> None:
    game = load("connect-four")
    search = TreeSearch(game, seed=1, limits=TreeLimits(tree_megabytes=16, tree_expand_at=1))
    found = search.search(game.start, visits=200_000)
    (tree,) = search._trees
    assert tree.count[f.FULL] == 1
    assert tree.count[f.NODES] <= tree.plan[f.NODE_ROOM]
    assert tree.count[f.EDGES] <= tree.plan[f.EDGE_ROOM]
    assert found.visits >= 200_000  # it goes on without new nodes


def test_a_search_is_stopped_from_another_thread() -> None:
    game = load("connect-four")
    search = TreeSearch(game, seed=1)
    search.search(game.start, visits=10)
    timer = threading.Timer(0.05, search.stop)
    timer.start()
    begin = time.monotonic()
    found = search.search(seconds=600.0)
    assert time.monotonic() - begin < 300
    assert found.moves["red"] in game.start.legal["red"]


def test_the_same_seed_gives_the_same_tree() -> None:
    game = load("connect-four")
    one, other, third = (
        TreeSearch(game, seed=seed).search(game.start, visits=5000).worth["red"] for seed in (1, 1, 2)
    )  # fmt: skip
    assert one == other != third


def test_what_cannot_be_searched() -> None:
    game = load("tictactoe")
    with pytest.raises(InputError, match=r"^a search needs an end"):
        TreeSearch(game).search(game.start)
    with pytest.raises(InputError, match=r"^there is no state to search: give one$"):
        TreeSearch(game).search(visits=1)
    with pytest.raises(InputError, match=r"^there is no state to go on from"):
        TreeSearch(game).advance({})
    with pytest.raises(InputError, match=r"^a search needs at least 1 thread, not 0$"):
        TreeSearch(game, threads=0)


@pytest.mark.parametrize("name", ["tictactoe", "rock-paper-scissors"])
def test_machine_code_does_what_is_written(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernels as plain Python grow the same tree, edge by edge, also after a move."""
    game = load(name)

    def grown() -> list[object]:
        search = TreeSearch(game, seed=3, limits=TreeLimits(tree_megabytes=16))
        moves = search.search(game.start, visits=60).moves
        search.advance(moves)
        worth = search.search(visits=100).worth
        (tree,) = search._trees
        edges = int(tree.count[f.EDGES])
        # the last number of an edge only fills its place: nobody writes it
        moved = tree._edge[: f.EDGE * edges].reshape(-1, f.EDGE)[:, : f.STARTED + 1]
        return [moves, worth, tree.count.tolist(), tree._worth[: 2 * edges].tolist(), moved.tolist()]

    compiled = grown()
    for kernel in ("search_rounds", "plant", "keep_from", "take_back_all", "enter_all"):
        monkeypatch.setattr(lanetree, kernel, getattr(lanetree, kernel).plain)
    assert grown() == compiled


def test_what_is_the_same_for_all_trees_of_a_game_is_made_once() -> None:
    game = load("connect-four:4x4")
    lanes = tree_code(game).lanes
    assert tree_code(load("connect-four:4x4")).lanes is lanes
    with using(CircuitLimits(decisive_edges=0)):
        assert tree_code(game).lanes is not lanes
