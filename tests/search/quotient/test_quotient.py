"""Local graphs and their quotients: the figures known by hand, and naive twins."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludisect.decomposition import decompose
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.loader import load
from ludisect.search.foresight import Foresight
from ludisect.search.part.verdicts import evaluate
from ludisect.search.part.views import PASS, Views
from ludisect.search.quotient.bisimulation import coarsest
from ludisect.search.quotient.classes import quotient
from ludisect.search.quotient.product import Explorer
from ludisect.search.solve import solve
from ludisect.search.whole.backward import solve_graph
from ludisect.search.whole.statespace import explore
from tests.search.byhand import by_hand
from tests.search.known import compound

Board = tuple[str, ...]
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def double_tictactoe() -> Decomposition:
    boards = [(rf"\(cell{i} ", rf"\(mark{i} ") for i in (1, 2)]
    return by_hand(load("double-tictactoe"), boards, [r"\(control "])


def won(board: Board) -> str:
    return next((board[a] for a, b, c in LINES if board[a] != "b" and board[a] == board[b] == board[c]), "")


def options(board: Board, mark: str) -> Iterator[Board]:
    if not won(board):
        for i, here in enumerate(board):
            if here == "b":
                yield (*board[:i], mark, *board[i + 1 :])


def free_boards() -> set[Board]:
    """Tic-tac-toe positions with either side free to move at any time."""
    seen: set[Board] = {("b",) * 9}
    waiting = list(seen)
    while waiting:
        board = waiting.pop()
        for after in (*options(board, "x"), *options(board, "o")):
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return seen


def naive_classes(colour: dict[Board, object]) -> int:
    """Partition refinement with dictionaries."""
    number: dict[Board, object] = dict(colour)
    count = 0
    while True:
        signature = {b: (number[b], *(frozenset(number[a] for a in options(b, mark)) for mark in "xo")) for b in number}
        names: dict[object, int] = {}
        number = {b: names.setdefault(s, len(names)) for b, s in signature.items()}
        if len(names) == count:
            return count
        count = len(names)


def test_one_board_by_itself() -> None:
    boards = free_boards()
    assert len(boards) == 18753
    # told apart by winner and by whether a cell is free; then only by what the goal can see
    assert naive_classes({b: (won(b), "b" in b) for b in boards}) == 612
    assert naive_classes({b: won(b) or ("" if "b" in b else "draw") for b in boards}) == 606
    views = Views(double_tictactoe())
    assert [views.graph(i).positions for i in range(2)] == [18753, 18753]
    q = quotient(views)
    assert [q.size(i) for i in range(2)] == [606, 606]
    assert q.groups == ((0, 1),)
    assert q.actor == (0, 1)


def test_classes_told_apart_by_more() -> None:
    # with "some cell is free" told apart as well, the figures are those of a search by hand: 612 and 75 176
    parts = double_tictactoe()
    views = Views(parts)
    q = quotient(views)
    blank = [[f for f in s.fluent_numbers if str(parts.game.fluents[f]).endswith(" b)")] for s in parts.dependent]
    graph = views.graph(0)
    bits = np.zeros(graph.states.shape[1], np.uint64)
    for f in blank[0]:
        bits[f >> 6] |= np.uint64(1) << np.uint64(f & 63)
    full = ((graph.states & bits) == 0).all(axis=1)
    start = graph.edge_start[:: len(graph.settings)]
    setting = np.repeat(np.arange(graph.edge_start.size - 1) % len(graph.settings), np.diff(graph.edge_start))
    acts = (graph.move != PASS).any(axis=1)
    classes, first = coarsest(start, 2 * setting + acts, graph.successor, 2 * evaluate(views).value[0] + full)
    assert first.size == 612
    finer = type(q)(
        views=views,
        evaluation=q.evaluation,
        class_of=(classes, classes),
        member=(first, first),
        groups=q.groups,
        actor=q.actor,
        classes=612,
        states=q.states,
    )
    product = Explorer(finer, reduced=False).explore()
    assert product.graph.positions == 75176
    assert solve_graph(product.graph).low[0].tolist() == [50, 50]


def test_double_tictactoe_by_tables_and_by_members() -> None:
    q = quotient(Views(double_tictactoe()))
    one, two = Explorer(q, reduced=False).explore(), Explorer(q, by_tables=False).explore()
    assert one.assembly is not None
    assert two.assembly is None
    assert one.graph.positions == two.graph.positions == 74069
    assert one.graph.edges == two.graph.edges
    assert solve_graph(one.graph).low[0].tolist() == solve_graph(two.graph).low[0].tolist() == [50, 50]
    three = Explorer(q).explore()
    assert three.graph.positions < 25_000  # dominated and reversible moves are gone
    assert solve_graph(three.graph).low[0].tolist() == [50, 50]


@pytest.mark.parametrize("number", [0, 10, 13, 18, 35, 40, 45])
def test_tables_and_members_agree_on_random_compounds(number: int) -> None:
    q = quotient(Views(compound(number)))
    one, two = Explorer(q, reduced=False).explore(), Explorer(q, by_tables=False).explore()
    assert one.assembly is not None
    assert one.graph.positions <= two.graph.positions  # tables also exchange parts that begin differently
    assert np.array_equal(solve_graph(one.graph).low[0], solve_graph(two.graph).low[0])
    assert np.array_equal(solve_graph(Explorer(q).explore().graph).low[0], solve_graph(two.graph).low[0])


graphs = st.integers(1, 12).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(0, 2), min_size=n, max_size=n),
        st.lists(st.lists(st.tuples(st.integers(0, 2), st.integers(0, n - 1)), max_size=4), min_size=n, max_size=n),
    )
)


@given(graphs)
def test_refinement_is_the_coarsest_stable_partition(graph: tuple[list[int], list[list[tuple[int, int]]]]) -> None:
    colour, edges = graph
    start = np.cumsum([0, *map(len, edges)])
    label = np.array([x for some in edges for x, _ in some], np.int64)
    to = np.array([t for some in edges for _, t in some], np.int32)
    found, first = coarsest(start, label, to, np.array(colour, np.int64))
    # naive: pairs that are told apart, until nothing changes
    n = len(colour)
    apart = {(s, t) for s in range(n) for t in range(n) if colour[s] != colour[t]}
    while True:
        new = {
            (s, t)
            for s in range(n)
            for t in range(n)
            if (s, t) not in apart
            and not all(
                any(x == y and (a, b) not in apart for y, b in edges[v])
                for u, v in ((s, t), (t, s))
                for x, a in edges[u]
            )
        }
        if not new:
            break
        apart |= new
    assert {(s, t) for s in range(n) for t in range(n) if found[s] != found[t]} == apart
    assert first.size == found.max() + 1


WAITING = """
(role red) (role blue)
(init (at a)) (init (pin 1)) (init (pin 2)) (init (turn red)) (init (step 0))
(<= (next (turn red)) (true (turn blue))) (<= (next (turn blue)) (true (turn red)))
(then 0 1) (then 1 2) (then 2 3) (then 3 4) (then 4 5) (then 5 6)
(<= (next (step ?n)) (true (step ?m)) (then ?m ?n))
(<= (legal ?r go) (true (turn ?r)) (true (at a)))
(<= (legal ?r stay) (true (turn ?r)) (true (at a)))
(<= (legal ?r (take ?k)) (true (turn ?r)) (true (pin ?k)))
(<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
(<= gone (does ?r go))
(<= (next (at b)) gone) (<= (next (at b)) (true (at b)))
(<= (next (at a)) (true (at a)) (not gone))
(<= (taken ?k) (does ?r (take ?k)))
(<= (next (pin ?k)) (true (pin ?k)) (not (taken ?k)))
(<= able (true (at a))) (<= able (true (pin ?k)))
(<= terminal (not able)) (<= terminal (true (step 6)))
(<= (goal ?r 0) (true (turn ?r))) (<= (goal ?r 100) (role ?r) (not (true (turn ?r))))
"""
"""Three parts that look alike move by move, but only while the first is open may a player wait."""


def test_parts_on_which_a_rest_hangs_are_not_exchanged() -> None:
    game = load(WAITING)
    answer = solve(game, "quotient")
    assert answer.exact, answer.checked
    space = explore(game)
    whole, kept = (solve(game, by).solution for by in ("whole", "quotient"))
    assert isinstance(whole, Foresight)
    assert isinstance(kept, Foresight)
    assert np.array_equal(whole.worth(space.states), kept.worth(space.states))


def stay_or_go(first: str, second: str) -> str:
    """Two walks at once. In the first one may stay where one is in s1 only; in s2, which looks the same otherwise, not:
    what leaves that part alone is a choice there, and no move elsewhere."""
    return f"""
(role r) (init (at s0)) (init (on x)) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (side x) (side y)
(arc s0 a {first}) (arc s0 b {second}) (arc s1 c s3) (arc s1 stay s1) (arc s2 c s3) (arc s3 stay s3)
(<= (legal r (go ?i ?j)) (true (at ?s)) (arc ?s ?i ?t) (side ?j))
(<= (next (at ?t)) (goes ?t)) (<= (goes ?t) (does r (go ?i ?j)) (true (at ?s)) (arc ?s ?i ?t)) (<= gone (goes ?t))
(<= (next (at ?s)) (true (at ?s)) (not gone)) (<= (next (on ?j)) (does r (go ?i ?j)))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (<= terminal (true (step 3)))
(<= good (not (true (at s3))))
(<= (goal r 100) good (true (on x))) (<= (goal r 60) good (not (true (on x))))
(<= (goal r 40) (not good) (true (on x))) (<= (goal r 0) (not good) (not (true (on x))))
"""


@pytest.mark.parametrize("order", [("s1", "s2"), ("s2", "s1")])
def test_staying_in_a_part_may_be_a_choice_that_only_some_of_its_states_offer(order: tuple[str, str]) -> None:
    parts = decompose(load(stay_or_go(*order)), playouts=200)
    assert [len(parts.dependent), parts.evidence and parts.evidence.status] == [2, "proved"]
    answer = solve(parts, "quotient")
    assert [answer.exact, answer.value] == [True, {"r": 100}]
