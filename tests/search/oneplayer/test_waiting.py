"""One player who may do nothing: waiting is a part of its own, and plans and greedy moves know it."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludisect
from ludisect.gdl.terms import Term
from ludisect.search.oneplayer.greedy import greedy_play
from ludisect.search.oneplayer.plansearch import Move, PlanSearch
from ludisect.search.part.compound import WAIT, Compound, waiting_part
from ludisect.search.solve import solve
from ludisect.search.whole.whole import solve_whole
from tests.search.compounds import random_compound, whole_value


def waiting_puzzle(seed: int) -> Compound:
    """A random compound with a clock that ends it, and goals that read the clock; waiting is allowed here and there."""
    rng = random.Random(seed)
    plain = random_compound(rng, roles=1, parts=2, states=rng.choice([2, 3, 4]), concepts=rng.choice([1, 2]), moves=2)
    steps = rng.choice([2, 3, 4, 5])
    over = np.repeat(plain.over, steps, axis=0)
    goal = np.repeat(plain.goal, steps, axis=0)
    for t in range(steps):
        goal[t] = (goal[t] * rng.choice([0, 1, 2])) // 2
    over[-1] = True
    share = rng.choice([1.0, 0.7, 0.3])
    rest = np.array([rng.random() < share for _ in range(over.size)]).reshape(over.shape)
    # who can neither move nor wait is at an end for nothing
    stuck = plain.idle[:1] & ~rest & ~over
    over[stuck], goal[stuck] = True, 0
    return Compound(
        (*plain.parts, waiting_part()), (0,) * steps, (*range(1, steps), steps - 1), over[..., None],
        goal[..., None, :], 1, rest=rest[..., None],
    )  # fmt: skip


def replay(compound: Compound, moves: tuple[Move, ...]) -> int | None:
    """What a plan yields; it must be legal and not be over before its last move."""
    assert compound.rest is not None
    states, context = list(compound.start), compound.context
    for i, label in moves:
        key = compound.key(tuple(states), context)
        assert not compound.over[key]
        if label == WAIT:
            assert compound.rest[key]
        states[i] = dict(compound.parts[i].moves[0][states[i]])[label]
        context = compound.follow[context]
    goals = compound.goals_at_end(compound.key(tuple(states), context))
    return None if goals is None else goals[0]


@given(st.integers(0, 2**32 - 1), st.booleans())
@settings(max_examples=300, deadline=None)
def test_plans_that_wait_find_the_optimum(seed: int, cheap: bool) -> None:
    compound = waiting_puzzle(seed)
    solution = PlanSearch(compound, cheap=cheap).run()
    assert solution.exact
    assert solution.value == whole_value(compound)
    assert replay(compound, solution.moves) == solution.value


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=300, deadline=None)
def test_greedy_moves_that_wait_are_legal_and_no_better(seed: int) -> None:
    compound = waiting_puzzle(seed)
    play = greedy_play(compound)
    best = whole_value(compound)
    if play.value is None:
        return
    assert play.value <= best
    assert replay(compound, play.moves) == play.value
    if play.optimal:
        assert play.value == best


def test_waiting_matters() -> None:
    """In many of these compounds the best play waits, and some forbid it in places: the tests above mean something."""
    puzzles = [waiting_puzzle(seed) for seed in range(300)]
    waits = [any(label == WAIT for _, label in PlanSearch(c).run().moves) for c in puzzles]
    barred = [not PlanSearch(c).free for c in puzzles]
    better = [c for c in puzzles if whole_value(replace(c, rest=np.zeros_like(c.over))) < whole_value(c)]
    assert sum(waits) > 30
    assert 30 < sum(barred) < 270
    assert len(better) > 10


SHEET = """
(role fisher) (init (step 0)) (init (line in)) (init (tea cold))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (legal fisher cast) (true (line in))) (<= (legal fisher pull) (true (line out)))
(<= (legal fisher boil) (true (tea cold)))
(<= (legal fisher (sit ?where)) (place ?where) {when})
(place bank) (place boat)
(<= (next (line out)) (does fisher cast)) (<= (next (line up)) (does fisher pull))
(<= (next (line ?x)) (true (line ?x)) (not (does fisher cast)) (not (does fisher pull)))
(<= (next (tea hot)) (does fisher boil)) (<= (next (tea ?x)) (true (tea ?x)) (not (does fisher boil)))
(<= terminal (true (step 5))) (<= terminal (true (line up)))
(<= fish (true (line up)) (true (step 4)))
(<= (goal fisher 100) fish (true (tea hot))) (<= (goal fisher 60) fish (true (tea cold)))
(<= (goal fisher 40) (not fish) (true (tea hot))) (<= (goal fisher 0) (not fish) (true (tea cold)))
"""
"""A fish bites at step 4, and there are three things to do by then: somebody who may sit still once gets it."""

NEVER = "(true (line gone))"


@pytest.mark.parametrize(
    ("when", "best"),
    [
        ("", 100), ("(true (tea hot))", 100), ("(true (tea cold)) (true (line out))", 100), ("(true (line in))", 100),
        ("(true (step 2))", 100), ("(true (tea hot)) (true (step 0))", 0), (NEVER, 0),
    ],
)  # fmt: skip
def test_a_fish_that_bites_at_its_time(when: str, best: int) -> None:
    """Waiting is allowed always, in some states of one part or of both, at a time, or never."""
    game = ludisect.load(SHEET.format(when=when))
    parts = ludisect.decompose(game)
    assert len(parts.dependent) == 2
    answer = solve(parts, "plans")
    assert answer.exact
    assert answer.value == solve_whole(game).value == {"fisher": max(best, 40)}
    moves = answer.why[-1].removeprefix("in this order: ")
    assert ("(sit " in moves) == (best == 100)
    state = game.initial_state()
    for move in re.findall(r"\(.*?\)|\w+", moves):
        assert not game.is_terminal(state)
        assert Term.parse(move) in game.legal_moves(state)["fisher"]
        state = game.next_state(state, {"fisher": Term.parse(move)})
    assert game.is_terminal(state)
    assert game.goals(state) == answer.value
    greedy = solve(parts, "greedy")
    assert greedy.value == answer.value if greedy.exact else greedy.bounds["fisher"][0] <= max(best, 40)


@pytest.mark.corpus
def test_incredible(corpus: Path) -> None:
    """Günther 2007, Table 4.1: 100 points by plans; his greedy search ends at 75 (docs/search.md says why)."""
    game = ludisect.load(str(corpus / "games" / "incredible.kif"))
    parts = ludisect.decompose(game)
    answer = solve(parts, "plans")
    assert answer.exact
    assert answer.value == {"robot": 100}
    assert solve(parts, "greedy").bounds == {"robot": (75, 100)}
    assert solve(parts, "quotient").value == answer.value
