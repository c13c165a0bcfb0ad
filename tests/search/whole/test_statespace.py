"""Exploring whole games: the same states as by hand, limits that hold, values as by recursion."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludisect.answer import Answer
from ludisect.circuit.rowtable import RowTable
from ludisect.errors import BudgetExceeded
from ludisect.loader import load
from ludisect.progress import listening
from ludisect.search.budget import Budget
from ludisect.search.whole import statespace
from ludisect.search.whole.backward import ranks, solve_graph
from ludisect.search.whole.statespace import StateSpace, explore
from ludisect.search.whole.whole import solve_whole
from tests.search.slow_twins import max_n, reachable, steps_of

SMALL = ["nim:2,3", "two-track", "four-lamps", "relay", "rock-paper-scissors:2", "toads-and-frogs", "chomp:2x3"]


@given(st.lists(st.integers(0, 40), max_size=300), st.integers(1, 50))
def test_row_table_numbers_like_a_dict(words: list[int], cut: int) -> None:
    table = RowTable(2)
    rows = np.array([[w, w % 3] for w in words], np.uint64).reshape(-1, 2)
    numbers = np.concatenate([table.add(rows[:cut]), table.add(rows[cut:])]).tolist()
    known: dict[int, int] = {}
    assert numbers == [known.setdefault(w, len(known)) for w in words]
    assert table.find(rows).tolist() == numbers
    assert table.find(np.array([[41, 0]], np.uint64)).tolist() == [-1]
    assert len(table) == len(known)


@pytest.mark.parametrize("name", SMALL)
def test_same_states_and_moves_as_by_hand(name: str) -> None:
    game = load(name)
    space = explore(game)
    steps = steps_of(game)
    assert {game.batch.state(row) for row in space.states} == reachable(game, steps)
    assert space.graph.complete
    for s in range(0, space.graph.positions, 7):
        state = game.batch.state(space.states[s])
        edges = space.graph.edges_of(s)
        found = {
            (tuple(str(game.moves[r][m]) for r, m in enumerate(space.graph.joint[e])), int(space.graph.successor[e]))
            for e in range(edges.start, edges.stop)
        }
        expected = set()
        for moves, after in steps(state):
            number = int(space.table.find(game.batch.row(after))[0])
            expected.add((tuple(str(moves[role]) for role in game.roles), number))
        assert found == expected


@pytest.mark.parametrize("name", ["nim:2,3", "nim-misere:2,3", "toads-and-frogs", "chomp:2x3", "four-lamps", "relay"])
def test_values_are_those_of_the_recursion(name: str) -> None:
    game = load(name)
    answer = solve_whole(game)
    assert answer.exact
    assert answer.value == max_n(game)


def test_known_values() -> None:
    tictactoe = solve_whole(load("tictactoe"))
    assert (tictactoe.nodes, tictactoe.value) == (5478, {"xplayer": 50, "oplayer": 50})
    throws = solve_whole(load("rock-paper-scissors:3"))
    assert throws.value == {"left": 50, "right": 50}
    assert all(abs(odds - 1 / 3) < 1e-6 for odds in throws.mixed["left"].values())


CIRCLES = """
(role a) (role b) (init (at 0)) (init (turn a))
(succ 0 1) (succ 1 2) (succ 2 0)
(<= (legal ?r (step ?y)) (true (turn ?r)) (true (at ?x)) (succ ?x ?y))
(<= (legal ?r stop) (true (turn ?r)) (true (at 1)))
(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
(<= (next (at ?y)) (does ?r (step ?y)))
(<= (next (at end)) (does ?r stop))
(<= (next (turn a)) (true (turn b))) (<= (next (turn b)) (true (turn a)))
(<= (next (stopper ?r)) (does ?r stop))
(<= terminal (true (at end)))
(<= (goal ?r 100) (true (stopper ?r)))
(<= (goal ?r 0) (role ?r) (not (true (stopper ?r))))
"""


def test_cycles() -> None:
    # b comes to 1 first and stops at once
    answer = solve_whole(load(CIRCLES))
    assert answer.value == {"a": 0, "b": 100}
    # now who stops loses, so both go round for ever and nothing is decided
    turned = CIRCLES.replace("?r 100)", "?r lost)").replace("(goal ?r 0)", "(goal ?r 100)").replace("lost", "0")
    answer = solve_whole(load(turned))
    assert not answer.exact
    assert answer.bounds == {"a": (0, 100), "b": (0, 100)}


def test_moves_on_cycles_make_progress() -> None:
    maze = """
    (role r) (init (at 1)) (succ 1 2) (succ 2 3) (succ 3 4)
    (<= (legal r (go ?y)) (true (at ?x)) (succ ?x ?y))
    (<= (legal r (go ?y)) (true (at ?x)) (succ ?y ?x))
    (<= (legal r (go 1)) (true (at 1)))
    (<= (next (at ?y)) (does r (go ?y)))
    (<= terminal (true (at 4))) (<= (goal r 100) (true (at 4))) (<= (goal r 0) (not (true (at 4))))
    """
    game = load(maze)
    space = explore(game)
    values = solve_graph(space.graph)
    assert values.low[:, 0].tolist() == [100.0] * 4
    assert sorted(ranks(space.graph, values, 0).tolist()) == [0, 1, 2, 3]
    assert str(solve_whole(game).move["r"]) == "(go 2)"


def test_limits_give_what_is_known() -> None:
    game = load("connect-four")
    with pytest.raises(BudgetExceeded) as stop:
        solve_whole(game, budget=Budget(memory=1e6))
    assert stop.value.budget == "memory"
    assert isinstance(stop.value.partial, Answer)
    assert not stop.value.partial.exact
    with pytest.raises(BudgetExceeded) as late:
        explore(game, budget=Budget(seconds=0.0))
    assert isinstance(late.value.partial, StateSpace)
    assert late.value.partial.graph.expanded == 1


def test_an_interrupt_gives_what_is_known() -> None:
    def interrupt(step: str, done: int, of: int | None) -> None:
        if done > 1000:
            raise KeyboardInterrupt

    game = load("tictactoe")
    with pytest.raises(BudgetExceeded) as stop, listening(interrupt):
        solve_whole(game)
    assert stop.value.budget == "interrupt"
    assert isinstance(stop.value.partial, Answer)


def test_an_interrupted_search_keeps_the_positions_nearest_to_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are numbered and joined as in the whole, so what follows from them holds."""
    game = load("tictactoe")
    whole = explore(game)
    monkeypatch.setattr(statespace, "EDGES_IN_A_MOMENT", 300)

    def interrupt(step: str, done: int, of: int | None) -> None:
        if done > 1000:
            raise KeyboardInterrupt

    with pytest.raises(BudgetExceeded) as stop, listening(interrupt):
        explore(game)
    some = stop.value.partial
    assert isinstance(some, StateSpace)
    n, edges = some.graph.positions, some.graph.successor.size
    assert 0 < edges < 300
    assert some.graph.expanded < n == int(some.graph.successor.max()) + 1 < 1000
    assert (some.states == whole.states[:n]).all()
    assert (some.graph.successor == whole.graph.successor[:edges]).all()
    assert (some.graph.terminal == whole.graph.terminal[:n]).all()
    assert some.levels[-1] == n
    with pytest.raises(BudgetExceeded) as stop, listening(interrupt):
        solve_whole(game)
    answer = stop.value.partial
    assert isinstance(answer, Answer)
    assert answer.nodes > 1000
    assert f"{n} positions nearest to the start" in answer.notes[0]


def test_depth() -> None:
    game = load("tictactoe")
    shallow = solve_whole(game, depth=3)
    assert not shallow.exact
    assert shallow.bounds["xplayer"] == (0, 100)
    assert solve_whole(game, depth=9).value == {"xplayer": 50, "oplayer": 50}


@pytest.mark.parametrize("name", ["nim:3,5,7", "toads-and-frogs", "runners", "blocks-maze"])
def test_the_nearest_states_are_those_of_a_shorter_search(name: str) -> None:
    game = load(name)
    whole = explore(game, most=700)
    for most in (1, 3, 16, 40, 256, 700, 10**6):
        near, anew = whole.nearest(most), explore(game, most=min(most, 700))
        assert (near.levels, near.graph.expanded) == (anew.levels, anew.graph.expanded)
        assert (near.states == anew.states).all()
        for part in ("edge_start", "successor", "joint", "mover", "terminal", "goals"):
            assert np.array_equal(getattr(near.graph, part), getattr(anew.graph, part)), part
