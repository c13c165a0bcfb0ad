"""Serial and parallel games, and simultaneous moves."""

from __future__ import annotations

import random

import numpy as np
import pytest

from ludisect import load
from ludisect.decomposition.methods import decompose
from ludisect.search.budget import Budget
from ludisect.search.oneplayer.lockstep import solve_lockstep
from ludisect.search.serial.serial import solve_serial, stages_of
from ludisect.search.solve import solve
from ludisect.search.study import Study
from ludisect.search.turns.joint import ELSEWHERE, JointCompound, JointSearch
from ludisect.search.turns.parallel import solve_parallel
from ludisect.search.way import Inapplicable
from ludisect.search.whole.matrix import solve_matrix
from ludisect.search.whole.whole import solve_whole
from tests.search.agreement import Tally, Whole
from tests.search.byhand import by_hand
from tests.search.compounds import random_joint
from tests.search.fronts import fronts
from tests.search.known import double_tictactoe, lifts, parallel_tictactoe, relay, runners, serial_tictactoe


def test_serial_stages_are_worth_what_the_whole_is() -> None:
    parts = relay()
    assert stages_of(parts) == [[0], [1], [2]]
    answer = solve_serial(Study(parts), Budget())
    whole = solve_whole(parts.game)
    assert answer.exact
    assert answer.value == whole.value == {"runner": 100}
    state = parts.game.next_state(parts.game.initial_state(), answer.move)
    assert solve_whole(parts.game, start=parts.game.batch.row(state)).value == whole.value


def test_serial_boards() -> None:
    answer = solve(serial_tictactoe(), "serial")
    assert answer.exact
    assert answer.value == {"xplayer": 50, "oplayer": 50}


HEAPS_THEN_RACE = """
(role a) (role b) (init (control a)) (init (heap1 2)) (init (heap2 1)) (init (place 0))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
(<= (less ?m ?n) (succ ?m ?n)) (<= (less ?m ?n) (succ ?k ?n) (less ?m ?k))
(<= stage1 (true (heap1 ?n)) (distinct ?n 0)) (<= stage1 (true (heap2 ?n)) (distinct ?n 0))
(<= (legal ?p (take1 ?m)) (true (control ?p)) (true (heap1 ?n)) (less ?m ?n))
(<= (legal ?p (take2 ?m)) (true (control ?p)) (true (heap2 ?n)) (less ?m ?n))
(<= (legal ?p (step 1)) (true (control ?p)) (not stage1) (true (place ?n)) (less ?n 4))
(<= (legal ?p (step 2)) (true (control ?p)) (not stage1) (true (place ?n)) (less ?n 3))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (control a)) (true (control b))) (<= (next (control b)) (true (control a)))
(<= taken1 (does ?p (take1 ?m))) (<= taken2 (does ?p (take2 ?m)))
(<= (next (heap1 ?m)) (does ?p (take1 ?m))) (<= (next (heap1 ?n)) (true (heap1 ?n)) (not taken1))
(<= (next (heap2 ?m)) (does ?p (take2 ?m))) (<= (next (heap2 ?n)) (true (heap2 ?n)) (not taken2))
(<= moved (does ?p (step ?k)))
(<= (next (place ?n)) (does ?p (step 1)) (true (place ?m)) (succ ?m ?n))
(<= (next (place ?n)) (does ?p (step 2)) (true (place ?m)) (succ ?m ?k) (succ ?k ?n))
(<= (next (place ?n)) (true (place ?n)) (not moved))
(<= terminal (not stage1) (true (place 4)))
(<= (goal ?p 0) (true (control ?p))) (<= (goal ?p 100) (role ?p) (not (true (control ?p))))
"""
"""Two heaps, then a race to 4 by steps of 1 or 2; the last to step wins. Who begins the race depends on the heaps."""


def test_a_stage_may_have_parts_of_its_own() -> None:
    game = load(HEAPS_THEN_RACE)
    parts = by_hand(
        game,
        [(r"\(heap1 ", r"\(take1 "), (r"\(heap2 ", r"\(take2 "), (r"\(place ", r"\(step ")],
        [r"\(control "],
        structure="mixed",
        after=[(), (), (1, 2)],
    )
    assert stages_of(parts) == [[0, 1], [2]]
    answer = solve_serial(Study(parts), Budget())
    assert answer.exact
    assert answer.value == solve_whole(game).value
    state = game.initial_state()
    moves = {role: of_role[0] for role, of_role in game.legal_moves(state).items()} | dict(answer.move)
    assert solve_whole(game, start=game.batch.row(game.next_state(state, moves))).value == answer.value


def test_parallel_runners() -> None:
    answer = solve_parallel(Study(runners()), Budget())
    assert answer.value == solve_whole(runners().game).value
    assert set(answer.move) == {"red", "blue"}


def test_parallel_boards() -> None:
    answer = solve(parallel_tictactoe(), "parallel")
    assert answer.value == {"xplayer": 50, "oplayer": 50}
    assert str(answer.move["xplayer"]).startswith("(mark ")


def test_plans_of_equal_length() -> None:
    parts = lifts()
    game = parts.game
    answer = solve_lockstep(Study(parts), Budget())
    whole = solve_whole(game)
    assert whole.value == {"r": 100}
    assert (answer.value if answer.exact else {r: low for r, (low, _) in answer.bounds.items()}) == whole.value
    state = game.next_state(game.initial_state(), answer.move)
    assert solve_whole(game, start=game.batch.row(state)).value == whole.value
    with pytest.raises(Inapplicable, match="nor at a fixed time"):
        solve_parallel(Study(parts), Budget())


def test_other_glue_is_refused() -> None:
    with pytest.raises(Inapplicable):
        solve_serial(Study(double_tictactoe()), Budget())
    with pytest.raises(Inapplicable):
        solve_parallel(Study(double_tictactoe()), Budget())


def joint_value(compound: JointCompound, states: tuple[int, ...]) -> float:
    """Backward induction over states of the whole."""
    key = (0, *(p.concept[s] for p, s in zip(compound.parts, states, strict=True)))
    if compound.over[key]:
        return float(compound.goal[(*key, 0)])
    actions = []
    for r in range(2):
        own = [
            (i, m)
            for i, (p, s) in enumerate(zip(compound.parts, states, strict=True))
            for m in sorted({j[r] for j in p.step[s]} - {ELSEWHERE})
        ]
        actions.append(own or [(-1, 0)])
    payoff = np.empty((len(actions[0]), len(actions[1])))
    for a, one in enumerate(actions[0]):
        for b, two in enumerate(actions[1]):
            after = []
            for i, (p, s) in enumerate(zip(compound.parts, states, strict=True)):
                joint = tuple(m if k == i else ELSEWHERE for k, m in (one, two))
                after.append(p.step[s].get(joint, s))
            payoff[a, b] = joint_value(compound, tuple(after))
    return solve_matrix(payoff)[0]


def test_joint_trees_are_worth_what_the_whole_is() -> None:
    mixed = 0
    for seed in range(100):
        compound = random_joint(random.Random(seed))
        found = JointSearch(compound).solve()
        assert found.value == pytest.approx(joint_value(compound, (0, 0))), seed
        mixed += any(len(odds) > 1 for odds in found.odds)
        for odds in found.odds:
            assert not odds or sum(odds.values()) == pytest.approx(1)
    assert mixed > 5


@pytest.mark.parametrize(("seed", "names"), [(5, "ab"), (9, "ab"), (11, "ab"), (0, "ab"), (2, "abc")])
def test_choices_at_the_same_time_from_rules(seed: int, names: str) -> None:
    parts = decompose(load(fronts(seed, names)))
    assert len(parts.dependent) == len(names)
    answer = solve(parts)
    assert answer.algorithm == "joint"
    assert answer.exact
    assert list(Whole(parts.game).faults(answer)) == []
    assert len(answer.why) == len(names) + len(answer.move)


def test_odds_are_needed_somewhere() -> None:
    answer = solve(decompose(load(fronts(5))), "joint")
    assert set(answer.mixed) == {"one", "two"}
    assert answer.value["one"] == pytest.approx(35.7083716651334)


@pytest.mark.slow
def test_many_choices_at_the_same_time() -> None:
    tally = Tally()
    for seed in range(300):
        parts = decompose(load(fronts(seed, random.Random(seed).choice(["ab", "abc"]))))
        if len(parts.dependent) > 1:
            tally.check(f"fronts {seed}", parts, Whole(parts.game))
    assert tally.faults == []
    assert tally.answers["joint, exact"] > 200
