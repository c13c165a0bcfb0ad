"""Parts that are played for points: values of sums against plain recursion, and against the product of quotients."""

from __future__ import annotations

from functools import cache
from itertools import pairwise, product
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludisect import load
from ludisect.errors import Zugzwang
from ludisect.search.additive.pointorder import closed_values
from ludisect.search.additive.points import points
from ludisect.search.additive.pointvalues import ZERO, Forms, Value
from ludisect.search.additive.scores import solve_scores, values_of
from ludisect.search.part.verdicts import Evaluation
from ludisect.search.part.views import Views
from ludisect.search.quotient.classes import quotient
from ludisect.search.quotient.product import Explorer
from ludisect.search.solve import solve
from ludisect.search.study import Study
from ludisect.search.way import Inapplicable
from ludisect.search.whole.backward import solve_graph
from tests.search.known import compound, double_tictactoe

Games = list[tuple[tuple[int, ...], tuple[int, ...], int]]
"""Per position: moves of the first player and of the second to earlier positions, points where there are none."""


def random_games(rng: Random) -> tuple[Games, Forms, list[Value]]:
    """Positions in which a move never hurts, with their values."""
    games: Games = []
    forms = Forms()
    values: list[Value] = []
    for n in range(rng.randint(4, 14)):
        moves: list[tuple[int, ...]] = [(), ()]
        value = (0, rng.randint(-5, 5))
        if n > 2:
            for _ in range(5):  # until neither would rather not move
                tried = [tuple(rng.sample(range(n), rng.randint(1, 3))) for _ in range(2)]
                try:
                    value = forms.make([values[x] for x in tried[0]], [values[x] for x in tried[1]])
                except Zugzwang:
                    continue
                moves = tried
                break
        games.append((moves[0], moves[1], value[1] if not moves[0] else 0))
        values.append(value)
    return games, forms, values


def stop(games: Games, position: tuple[int, ...], turn: int, sign: tuple[int, ...]) -> int:
    """What the first player gets out of a sum by plain recursion; games with sign -1 have the players exchanged."""

    @cache
    def search(position: tuple[int, ...], turn: int) -> int:
        results = [
            search((*position[:i], x, *position[i + 1 :]), 1 - turn)
            for i, g in enumerate(position)
            for x in (games[g][0], games[g][1])[turn if sign[i] > 0 else 1 - turn]
        ]
        if not results:
            return sum(s * games[g][2] for g, s in zip(position, sign, strict=True))
        return max(results) if turn == 0 else min(results)

    return search(position, turn)


@given(st.integers(0, 10**9))
@settings(deadline=None)
def test_stops_of_sums(seed: int) -> None:
    rng = Random(seed)
    games, forms, values = random_games(rng)
    for _ in range(4):
        some = tuple(rng.randrange(len(games)) for _ in range(3))
        sign = tuple(rng.choice([1, -1]) for _ in some)
        total = forms.total(values[g] if s > 0 else forms.negative(values[g]) for g, s in zip(some, sign, strict=True))
        assert forms.left_stop(total) == stop(games, some, 0, sign)
        assert forms.right_stop(total) == stop(games, some, 1, sign)


@given(st.integers(0, 10**9))
@settings(deadline=None)
def test_order_and_group(seed: int) -> None:
    games, forms, values = random_games(Random(seed))
    for a, b in product(range(len(games)), repeat=2):
        at_least = [stop(games, pair, 1, (1, -1)) >= 0 for pair in ((a, b), (b, a))]
        assert forms.at_least(values[a], values[b]) == at_least[0]
        assert (values[a] == values[b]) == all(at_least)  # equal games have one form
    for v in values:
        assert forms.plus(v, forms.negative(v)) == ZERO
        assert forms.negative(forms.negative(v)) == v
    for x, y in pairwise(values):
        assert forms.plus(forms.plus(x, y), forms.negative(y)) == x


def test_numbers_and_hot_games() -> None:
    forms = Forms()
    switch = forms.make([(0, 3)], [(0, -3)])
    assert forms.plus(switch, switch) == ZERO  # its own negative
    small = forms.make([(0, 1)], [(0, -1)])
    assert (forms.left_stop(forms.plus(switch, small)), forms.right_stop(forms.plus(switch, small))) == (2, -2)
    assert forms.make([(0, 2)], [(0, 2)]) == (0, 2)  # the same for whoever begins
    with pytest.raises(Zugzwang):
        forms.make([(0, -1)], [(0, 1)])
    few = Forms(most=2)
    few.make([(0, 1)], [(0, 0)])
    with pytest.raises(Inapplicable, match="more than 2"):
        few.make([(0, 2)], [(0, 0)])


def evaluation_of(parts: int, values: int, goal: dict[tuple[int, ...], int]) -> Evaluation:
    """Value 0 is open; goals by the values of closed parts."""
    table = np.zeros((values + 1,) * parts + (1,), np.int32)
    kinds = sorted(set(goal.values()))
    for key, g in goal.items():
        table[(*key, 0)] = 1 + kinds.index(g)
    goals = np.array([[g, 100 - g] for g in kinds], np.int32)
    some = np.arange(values + 1)
    return Evaluation((some,) * parts, np.zeros(1, np.int64), table, goals, (tuple(range(parts)),))


ENDS = list(product((1, 2, 3), repeat=3))
GOALS = {
    "rounded": {c: round(100 * (sum(c) - 3) / 6) for c in ENDS},
    "all": {c: 100 * (min(c) == 3) for c in ENDS},
    "any": {c: 100 * (max(c) == 3) for c in ENDS},
    "two of three": {c: 100 * (c.count(3) >= 2) for c in ENDS},
    "more than the other": {c: 50 + 50 * int(np.sign(c.count(3) - c.count(1))) for c in ENDS},
    "enough": {c: 100 * (sum({1: 0, 2: 2, 3: 3}[x] for x in c) >= 5) for c in ENDS},
    "more": {c: 50 + 50 * int(np.sign(sum({1: -2, 2: 1, 3: 3}[x] for x in c))) for c in ENDS},
    "weights": {c: sum({1: 0, 2: 7, 3: 30}[x] for x in c) for c in ENDS},
}


@pytest.mark.parametrize("kind", GOALS)
def test_points_explain_goals(kind: str) -> None:
    evaluation = evaluation_of(3, 3, GOALS[kind])
    found = points(evaluation, [np.array([False, True, True, True])] * 3)
    assert found is not None
    for key, g in GOALS[kind].items():
        assert found.goal[sum(int(found.worth[0][v]) for v in key)] == g


def test_goals_without_points() -> None:
    parity = {c: 100 * (c.count(3) % 2) for c in ENDS}
    assert points(evaluation_of(3, 3, parity), [np.array([False, True, True, True])] * 3) is None


def test_every_position_of_two_boards() -> None:
    q = quotient(Views(double_tictactoe()))
    explorer = Explorer(q, reduced=False)
    graph = explorer.graph
    closed = closed_values(graph, q.evaluation)
    assert closed is not None
    found = points(q.evaluation, closed)
    assert found is not None
    forms = Forms()
    values = values_of(graph, found, forms)
    assert len(set(values)) == 8  # so little is left of 606 classes
    assert values[int(q.class_of[0][0])][0] == 0  # an empty board is a draw, whoever begins there
    searched = explorer.explore()
    right = solve_graph(searched.graph).low[:, 0]
    fields = explorer.layout.unpack(searched.table.rows)
    turn = [graph.actor[c] for c in explorer.colour.tolist()]
    for (one, two, time), goal in zip(fields.tolist(), right.tolist(), strict=True):
        total = forms.plus(values[one], values[two])
        assert found.goal[(forms.left_stop if turn[time] == 0 else forms.right_stop)(total)] == goal


def test_two_boards_by_points() -> None:
    answer = solve(double_tictactoe(), "scores")
    assert answer.exact
    assert answer.value == {"xplayer": 50, "oplayer": 50}
    assert answer.why[-2] == "all together bring xplayer 2 points, whoever begins"


def test_other_games_are_refused() -> None:
    with pytest.raises(Inapplicable, match="not open to both"):
        solve_scores(Study(compound(0)), Views(compound(0)).budget)
    assert "scores" not in solve(load("nim:2,3"), "parts").algorithm
