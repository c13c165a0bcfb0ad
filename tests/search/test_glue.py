"""Serial and parallel games, and simultaneous moves."""

from __future__ import annotations

import random

import numpy as np
import pytest

from ludisect.search.budget import Budget
from ludisect.search.compound import table
from ludisect.search.parallel import solve_parallel
from ludisect.search.serial import order_of, solve_serial
from ludisect.search.simultaneous import ELSEWHERE, JointCompound, JointPart, JointSearch, urgent
from ludisect.search.solve import solve
from ludisect.search.stage import solve_matrix
from ludisect.search.ways import Inapplicable
from ludisect.search.whole import solve_whole
from tests.search.known import double_tictactoe, parallel_tictactoe, relay, runners, serial_tictactoe


def test_serial_stages_are_worth_what_the_whole_is() -> None:
    parts = relay()
    assert order_of(parts) == [0, 1, 2]
    answer = solve_serial(parts, Budget())
    whole = solve_whole(parts.game)
    assert answer.exact
    assert answer.value == whole.value == {"runner": 100}
    state = parts.game.next_state(parts.game.initial_state(), answer.move)
    assert solve_whole(parts.game, start=parts.game.row(state)).value == whole.value


def test_serial_boards() -> None:
    answer = solve(serial_tictactoe(), "serial")
    assert answer.exact
    assert answer.value == {"xplayer": 50, "oplayer": 50}


def test_parallel_runners() -> None:
    answer = solve_parallel(runners(), Budget())
    assert answer.value == solve_whole(runners().game).value
    assert set(answer.move) == {"red", "blue"}


def test_parallel_boards() -> None:
    answer = solve(parallel_tictactoe(), "parallel")
    assert answer.value == {"xplayer": 50, "oplayer": 50}
    assert str(answer.move["xplayer"]).startswith("(mark ")


def test_other_glue_is_refused() -> None:
    with pytest.raises(Inapplicable):
        solve_serial(double_tictactoe(), Budget())
    with pytest.raises(Inapplicable):
        solve_parallel(double_tictactoe(), Budget())


def random_joint(rng: random.Random) -> JointCompound:
    """Parts with joint moves that lead to later states; a joint move of nobody changes nothing."""
    parts = []
    for _ in range(2):
        n = rng.randint(3, 6)
        steps, kinds = [], []
        for s in range(n):
            step: dict[tuple[int, ...], int] = {}
            counts = [rng.choice([1, 2]) for _ in range(2)]
            if s == 0 or (s + 2 < n and rng.random() < 0.4):
                for a in range(ELSEWHERE, counts[0]):
                    for b in range(ELSEWHERE, counts[1]):
                        idle = a == b == ELSEWHERE
                        step[a, b] = s if idle else rng.randrange(s + 1, n)
            steps.append(step)
            kinds.append(0 if step else rng.randint(1, 3))
        parts.append(JointPart(tuple(steps), tuple(kinds)))
    over, goal = table([1, 4, 4, 2])
    for c in np.ndindex(4, 4):
        over[(0, *c)] = min(c) >= 1
        value = rng.choice([0, 25, 50, 100])
        goal[(0, *c)] = (value, 100 - value)
    return JointCompound(tuple(parts), (0,), over, goal)


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
        for r, odds in enumerate(found.odds):
            assert not odds or sum(odds.values()) == pytest.approx(1)
            action = urgent(compound, r)
            if action is not None:
                i, m = action
                assert m in compound.parts[i].options[0][r]
    assert mixed > 5
