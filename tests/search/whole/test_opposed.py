"""Whether two players share the same total at every end: what is proved, and what searches do where it is not."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

import pytest

from ludisect import load
from ludisect.answer import Answer
from ludisect.circuit.game import Game
from ludisect.errors import BudgetExceeded, InputError
from ludisect.search.budget import Budget
from ludisect.search.solve import solve
from ludisect.search.way import Inapplicable
from ludisect.search.whole.alphabeta import solve_depth_first
from ludisect.search.whole.opposed import Opposition
from ludisect.search.whole.whole import solve_whole

STAIRS = " ".join(f"(above {n} {n + 1})" for n in range(16))

TREASURE = """
(role kim) (role lou) (init (stair 0)) (init (turn kim)) {stairs}
(<= (next (turn kim)) (true (turn lou))) (<= (next (turn lou)) (true (turn kim)))
(<= (legal ?r climb) (true (turn ?r))) (<= (legal ?r leave) (true (turn ?r)))
(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
(<= (next (stair ?n)) (does ?r climb) (true (stair ?m)) (above ?m ?n))
(<= (next (left ?r)) (does ?r leave))
(<= terminal (true (left ?r))) (<= terminal (true (stair 16)))
(<= (goal ?r 50) (role ?r) (not (true (stair 16))))
(<= (goal kim {kim}) (true (stair 16))) (<= (goal lou {lou}) (true (stair 16)))
"""
"""Random plays hardly ever climb sixteen stairs, so all ends they see are worth 100 together."""


TOO_LITTLE = 5000.0
"""Bytes: not enough to keep all positions, enough for alpha-beta."""


def treasure(kim: int, lou: int) -> Game:
    """What is up there for each."""
    return load(TREASURE.format(stairs=STAIRS, kim=kim, lou=lou))


@pytest.mark.parametrize(
    "name",
    ["tictactoe", "connect-four", "double-tictactoe", "nim:3,4", "nim-misere:2,3", "breakthrough", "toads-and-frogs"],
)
def test_opposite_goals_are_proved(name: str) -> None:
    found = Opposition(load(name)).total(Budget())
    assert found.seen == {100}
    assert found.proved


def test_an_end_that_no_random_play_meets_counts() -> None:
    for kim, lou in ((0, 100), (100, 0), (40, 60)):
        assert Opposition(treasure(kim, lou)).total(Budget()).proved
    for kim, lou in ((100, 100), (0, 0), (40, 61)):
        found = Opposition(treasure(kim, lou)).total(Budget())
        assert found.seen == {100}
        assert not found.proved


def test_no_exact_answer_without_a_proof() -> None:
    game = treasure(100, 100)
    assert solve_whole(game).value == {"kim": 100, "lou": 100}
    found = solve_depth_first(game)
    assert not found.exact
    assert found.bounds == {"kim": (50, 100), "lou": (0, 100)}
    assert "is not proved" in found.notes[-1]
    opposite = solve_depth_first(treasure(100, 0))
    assert opposite.exact
    assert opposite.value == solve_whole(treasure(100, 0)).value


def test_out_of_memory_the_answer_is_not_exact() -> None:
    for game in (treasure(100, 100), load(random_tree(random.Random(3), opposite=False))):
        for by in ("whole", "parts"):
            with pytest.raises(BudgetExceeded) as stop:
                solve(game, by, memory=TOO_LITTLE)
            assert isinstance(stop.value.partial, Answer)
            assert not stop.value.partial.exact
            assert_within(solve_whole(game).value, stop.value.partial)
    answer = solve(treasure(100, 0), "whole", memory=TOO_LITTLE)
    assert answer.algorithm.startswith("alpha-beta")
    assert answer.exact
    assert answer.value == solve_whole(treasure(100, 0)).value


def test_totals_that_differ_are_refused() -> None:
    game = load(random_tree(random.Random(3), opposite=False))
    with pytest.raises(Inapplicable, match="constant sum"):
        solve_depth_first(game)
    with pytest.raises(InputError, match="constant sum"):
        solve(game, "alpha-beta")


def random_tree(rng: random.Random, *, opposite: bool, depth: int = 4) -> str:
    """Two players in turn on a random tree; goals are opposite but for a few ends, if at all."""
    lines = ["(role one) (role two) (init (at n)) (init (turn one))"]
    lines += ["(<= (next (turn one)) (true (turn two))) (<= (next (turn two)) (true (turn one)))"]
    lines += ["(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))", "(<= (next (at ?y)) (does ?r (to ?y)))"]
    waiting = ["n"]
    while waiting:
        node = waiting.pop()
        if len(node) > depth or (len(node) > 2 and rng.random() < 0.2):
            first = rng.choice([0, 25, 50, 75, 100])
            second = 100 - first if opposite or rng.random() < 0.7 else rng.choice([0, 50, 100])
            lines += [f"(<= terminal (true (at {node})))", f"(<= (goal one {first}) (true (at {node})))"]
            lines += [f"(<= (goal two {second}) (true (at {node})))"]
            continue
        for child in "abc"[: rng.randint(2, 3)]:
            lines.append(f"(<= (legal ?r (to {node}{child})) (true (turn ?r)) (true (at {node})))")
            waiting.append(node + child)
    return "\n".join(lines)


def shallow(game: Game) -> Iterator[Answer]:
    """What whole-game search and, where it can be used, alpha-beta say when they look ahead a few moves only."""
    opposition = Opposition(game)  # worked out once, as in `solve`
    for depth in range(5):
        yield solve_whole(game, depth=depth, opposition=opposition)
        try:
            found = solve_depth_first(game, depth=depth, opposition=opposition)
        except Inapplicable:
            continue
        yield found


def assert_within(value: Mapping[str, float | None], answer: Answer) -> None:
    """True values are within the bounds of an answer."""
    for role, true in value.items():
        low, high = answer.bounds.get(role, (answer.value[role], answer.value[role]))
        assert low is not None
        assert high is not None
        assert true is not None
        assert low <= true <= high, answer


def assert_bounds_hold(game: Game) -> None:
    """The values of whole-game search are within the bounds of every shallow one."""
    value = solve_whole(game).value
    for answer in shallow(game):
        assert_within(value, answer)


@pytest.mark.parametrize("opposite", [True, False])
def test_what_a_shallow_search_says_holds(opposite: bool) -> None:
    for seed in range(25):
        assert_bounds_hold(load(random_tree(random.Random(seed), opposite=opposite)))
    for kim, lou in ((0, 100), (100, 0)) if opposite else ((100, 100), (60, 60), (0, 0), (100, 55)):
        assert_bounds_hold(treasure(kim, lou))


CLIFF = """
(role up) (role down) (init (rope)) (pull strong) (pull weak)
(<= (legal ?r ?p) (role ?r) (pull ?p) (true (rope)))
(<= (next (end ?r)) (does ?r strong) (other ?r ?q) (does ?q weak)) (other up down) (other down up)
(<= (next (fallen)) (does up weak) (does down weak))
(<= (next (torn)) (does up strong) (does down strong))
(<= terminal (true (end ?r))) (<= terminal (true (torn)))
(<= (goal ?r 80) (true (end ?r))) (<= (goal ?q 20) (true (end ?r)) (other ?r ?q))
(<= (goal ?r 50) (role ?r) (true (torn)))
"""
"""If both pull weakly, nobody can move any more and the play does not end: nobody gets anything."""


def test_a_play_that_gets_stuck_has_another_sum() -> None:
    answer = solve_whole(load(CLIFF))
    assert answer.rule.startswith("pessimistic")
    assert answer.value == {"up": 50, "down": 50}


STUCK = """
(role up) (role down) (init (at start)) (init (turn up))
(<= (next (turn up)) (true (turn down))) (<= (next (turn down)) (true (turn up)))
(<= (legal up (go left)) (true (at start))) (<= (legal up (go right)) (true (at start)))
(<= (legal down (go a)) (true (at left))) (<= (legal down (go b)) (true (at left)))
(<= (legal down wait) (true (at start))) (<= (legal up wait) (true (at left)))
(<= (next (at ?x)) (does ?r (go ?x)))
(<= terminal (true (at right))) (<= terminal (true (at b)))
(<= (goal up 30) (true (at right))) (<= (goal down 70) (true (at right)))
(<= (goal up 60) (true (at b))) (<= (goal down 40) (true (at b)))
"""
"""Down does not go to a, where neither gets anything, although up would get least there."""


def test_no_player_is_said_to_prefer_getting_stuck() -> None:
    game = load(STUCK)
    assert solve_whole(game).value == {"up": 60, "down": 40}
    with pytest.raises(Inapplicable, match="constant sum"):
        solve_depth_first(game)
