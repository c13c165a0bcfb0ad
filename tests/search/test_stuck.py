"""Plays that stop because a role has no legal move: nobody gets anything, by every way of solving."""

from __future__ import annotations

import random

import pytest

from ludisect import decompose, load
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.errors import InputError
from ludisect.search.solve import solve
from ludisect.search.whole.whole import solve_whole
from tests.search.agreement import Tally, Whole
from tests.search.byhand import by_hand

HEAPS = """
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (init (step 0))
(<= (less ?m ?n) (succ ?m ?n)) (<= (less ?m ?n) (succ ?k ?n) (less ?m ?k))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (legal ?r (one ?k)) (true (turn ?r)) (true (p ?n)) (less ?k ?n))
(<= (legal ?r (two ?k)) (true (turn ?r)) (true (q ?n)) (less ?k ?n) {opens})
(<= (next (p ?k)) (does ?r (one ?k))) (<= lessp (does ?r (one ?k))) (<= (next (p ?n)) (true (p ?n)) (not lessp))
(<= (next (q ?k)) (does ?r (two ?k))) (<= lessq (does ?r (two ?k))) (<= (next (q ?n)) (true (q ?n)) (not lessq))
(<= empty (true (p 0)) (true (q 0)))
"""


def random_heaps(rng: random.Random, *, serial: bool) -> Decomposition:
    """Two heaps and a clock; whoever cannot take may be free to pass, or not."""
    roles = ["a", "b"][: rng.choice([1, 2, 2])]
    lines = [HEAPS.format(opens="(true (p 0))" if serial else ""), f"(init (p {rng.randint(1, 3)}))"]
    lines += [f"(init (q {rng.randint(1, 3)}))", "(init (turn a))", *(f"(role {r})" for r in roles)]
    lines += [f"(<= (next (turn {y})) (true (turn {x})))" for x, y in zip(roles, roles[1:] + roles[:1], strict=True)]
    lines.append("(<= (legal ?r noop) (role ?r) (not (true (turn ?r))))")
    lines += rng.choice([[], [], ["(<= (legal ?r pass) (true (turn ?r)) empty)"]])
    lines += rng.choice([["(<= terminal (true (step 5)))"], ["(<= terminal (true (step 5)))", "(<= terminal empty)"]])
    for i in range(4):
        for j in range(4):
            worth = rng.choice([0, 100]) if rng.random() < 0.5 else 100 * (i == 0)
            lines += [f"(<= (goal {r} {abs(100 * (r == 'b') - worth)}) (true (p {i})) (true (q {j})))" for r in roles]
    return by_hand(
        load("\n".join(lines)),
        [(r"\(p ", r"\(one "), (r"\(q ", r"\(two ")],
        [r"\(turn ", r"\(step "],
        structure="serial" if serial else "parallel-choice",
        after=[(), (1,)] if serial else (),
    )


@pytest.mark.parametrize("serial", [False, True])
def test_no_way_passes_where_the_rules_have_no_pass(serial: bool) -> None:
    tally = Tally()
    stuck = 0
    for seed in range(30):
        parts = random_heaps(random.Random(seed), serial=serial)
        whole = Whole(parts.game)
        stuck += bool(whole.graph.stuck.any())
        tally.check(f"seed {seed}", parts, whole)
    assert tally.faults == []
    assert 5 < stuck < 30
    assert {"quotient", *(["serial"] if serial else ["tmseq", "plans"])} <= set(tally.answers)


def test_a_player_who_waits_in_time_does_not_get_stuck() -> None:
    rules = (
        HEAPS.format(opens="")
        + """
    (role a) (init (turn a)) (init (p 1)) (init (q 1)) (<= (next (turn a)) (true (turn a)))
    (<= (legal a rest) (true (turn a)) (not empty))
    (<= terminal (true (step 4))) (<= (goal a 100) empty) (<= (goal a 30) (not empty))
    """
    )
    game = load(rules)
    assert solve_whole(game).value == {"a": 100}
    assert solve(game).value == {"a": 100}


LATE = """
(role r) (init (t 0)) (then 0 1) (then 1 2)
(<= (next (t ?n)) (true (t ?m)) (then ?m ?n)) (<= terminal (true (t 2)))
(counter p) (counter q) (<= (init (at ?x 0)) (counter ?x))
(<= (legal r rest) (true (t 0)))
(<= (legal r (add ?x)) (counter ?x) (true (at ?x 0)) (true (t 1)))
(<= (next (at ?x 1)) (does r (add ?x)))
(<= (next (at ?x ?n)) (true (at ?x ?n)) (not (does r (add ?x))))
(<= (goal r 100) (true (at p 1)) (true (at q 1)))
(<= (goal r 50) (true (at p 1)) (true (at q 0)))
(<= (goal r 0) (true (at p 0)))
"""
"""Nobody can move in a part before the second of two turns."""


def test_a_time_at_which_nobody_can_move() -> None:
    parts = decompose(load(LATE))
    assert len(parts.dependent) == 2
    answer = solve(parts)
    assert (answer.value, answer.exact) == ({"r": 50}, True)
    assert not any("the check failed" in note for note in answer.notes)
    for way in ("plans", "greedy", "tmseq"):
        with pytest.raises(InputError, match="nobody can move in any part"):
            solve(parts, way)


LEAVING = """
(role r) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (<= terminal (true (step 3)))
(init (at a home)) (init (at b home)) (way home away) (way home road) (way road road)
(<= (on ?p ?y) (true (at ?p ?x)) (way ?x ?y)) (<= (gone ?p) (true (at ?p away)))
(<= (legal r (go ?x ?y)) (on a ?x) (on b ?y))
(<= (legal r (go none ?y)) (gone a) (on b ?y))
(<= (legal r (go ?x none)) (on a ?x) (gone b))
(<= (next (at a ?x)) (does r (go ?x ?y)) (distinct ?x none))
(<= (next (at b ?y)) (does r (go ?x ?y)) (distinct ?y none))
(<= (next (at ?p away)) (gone ?p))
(<= (goal r 100) (gone a) (gone b)) (<= (goal r 50) (gone a) (not (gone b)))
(<= (goal r 50) (gone b) (not (gone a))) (<= (goal r 0) (not (gone a)) (not (gone b)))
"""


def test_nobody_leaves_all_parts_that_move_at_once() -> None:
    """Away in both, there is no move left before the time is over; a pass there makes it right."""
    parts = decompose(load(LEAVING))
    assert parts.in_step
    with pytest.raises(InputError, match="without a move in any part"):
        solve(parts, "parallel")
    answer = solve(parts)
    assert answer.value == {"r": 50}
    assert not any("the check failed" in note for note in answer.notes)
    passing = decompose(load(LEAVING + "(<= (legal r (go none none)) (gone a) (gone b))"))
    assert solve(passing, "parallel").value == solve_whole(passing.game).value == {"r": 100}
