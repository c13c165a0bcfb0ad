"""Method I: promises as a plain recursion finds them, moves that are legal, and no claim beyond a guess."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest

import ludisect
from ludisect.errors import InputError
from ludisect.search.part.compound import table
from ludisect.search.solve import solve
from ludisect.search.turns.joint import ELSEWHERE, JointCompound, JointPart, JointSearch
from ludisect.search.turns.urgent import joint_promises, urgent_action
from tests.search.compounds import random_joint
from tests.search.fronts import fronts


def promised(compound: JointCompound, i: int, state: int) -> tuple[int, ...]:
    """Alg. 5.1 with joint moves, word by word: each role that can move picks the joint move that it likes best."""
    part = compound.parts[i]

    @cache
    def value(s: int) -> tuple[int, ...]:
        wishes = []
        for r in range(compound.roles):
            mine = [value(t) for j, t in part.step[s].items() if j[r] != ELSEWHERE]
            if mine:
                wishes.append(max(mine, key=lambda v: v[r]))
        if wishes:
            return tuple(max(v[r] for v in wishes) for r in range(compound.roles))
        ends = [
            compound.goal[key]
            for key in np.ndindex(compound.over.shape)
            if compound.over[key] and key[1 + i] == part.concept[s]
        ]
        return tuple(max((int(g[r]) for g in ends), default=0) for r in range(compound.roles))

    return value(state)


def test_joint_promises() -> None:
    for seed in range(60):
        compound = random_joint(random.Random(seed))
        for i, part in enumerate(compound.parts):
            found = joint_promises(compound, i)
            assert found == [promised(compound, i, s) for s in range(len(part.step))], seed


def guaranteed(search: JointSearch, role: int, action: tuple[int, int]) -> float:
    """What an action is worth to a role whatever the other does at the same time."""
    mine, other = (search.actions(r, search.roots) for r in (role, 1 - role))
    assert action in mine
    values = []
    for reply in other:
        pair = (action, reply) if role == 0 else (reply, action)
        after = search.after(search.roots, pair)
        values.append(search.value(search.compound.follow[0], after))
    return min(values) if role == 0 else 100 - max(values)


def test_joint_guesses_are_often_good_and_not_always() -> None:
    good = poor = 0
    for seed in range(150):
        compound = random_joint(random.Random(seed))
        search = JointSearch(compound)
        value = search.solve().value
        for r in range(2):
            found = urgent_action(compound, r)
            if found is None:
                continue
            sure = guaranteed(search, r, (found.part, found.label))
            best = value if r == 0 else 100 - value
            assert sure <= best + 1e-6
            good += sure > best - 1e-6
            poor += sure < best - 1e-6
    assert good > poor > 0


def grabbing(worth: tuple[int, int]) -> JointCompound:
    """Two parts: whoever comes alone gets what the part is worth, two at once share it."""
    step: dict[tuple[int, ...], int] = {(ELSEWHERE, ELSEWHERE): 0, (0, ELSEWHERE): 1, (ELSEWHERE, 0): 2, (0, 0): 3}
    part = JointPart((step, {}, {}, {}), (0, 1, 2, 3))
    over, goal = table([1, 4, 4, 2])
    for c in np.ndindex(4, 4):
        over[(0, *c)] = min(c) >= 1
        mine = sum(w * {1: 2, 3: 1}.get(x, 0) // 2 for w, x in zip(worth, c, strict=True))
        goal[(0, *c)] = (mine, sum(worth) - mine)
    return JointCompound((part, part), (0,), over, goal)


@pytest.mark.parametrize(("worth", "part"), [((80, 20), 0), ((20, 80), 1)])
def test_where_most_is_at_stake(worth: tuple[int, int], part: int) -> None:
    compound = grabbing(worth)
    for role in range(2):
        found = urgent_action(compound, role)
        assert found is not None
        assert (found.part, found.promise, found.urgency) == (part, 100, 80)
        assert found.forced_by_self
        assert guaranteed(JointSearch(compound), role, (part, 0)) == 50


@pytest.mark.parametrize(("seed", "names"), [(5, "ab"), (2, "abc")])
def test_choices_at_once_from_rules(seed: int, names: str) -> None:
    game = ludisect.load(fronts(seed, names))
    answer = solve(game, "urgent")
    assert not answer.exact
    assert answer.value == {"one": None, "two": None}
    assert "guess" in answer.notes[0]
    legal = game.legal_moves(game.initial_state())
    assert set(answer.move) == {"one", "two"}
    assert all(move in legal[role] for role, move in answer.move.items())


THREE = """
(role a) (role b) (role c) (lamp north) (lamp south) (init (left north)) (init (left south)) (init (round 1))
(<= (legal ?p (take ?l)) (role ?p) (true (left ?l))) (<= (legal ?p rest) (role ?p))
(<= (taken ?l) (does ?p (take ?l)))
(<= (next (left ?l)) (true (left ?l)) (not (taken ?l)))
(<= (next (owner ?l ?p)) (does ?p (take ?l))) (<= (next (owner ?l ?p)) (true (owner ?l ?p)))
(<= (next (round 2)) (true (round 1))) (<= (next (round 3)) (true (round 2))) (<= terminal (true (round 3)))
(<= (goal ?p 75) (role ?p) (true (owner north ?p)))
(<= (goal ?p 25) (true (owner south ?p)) (not (true (owner north ?p))))
(<= (goal ?p 0) (role ?p) (not (true (owner north ?p))) (not (true (owner south ?p))))
"""


def test_three_players_whose_goals_are_not_opposite() -> None:
    """``joint`` needs two opponents, Method I does not: all three go where most is to be had."""
    parts = ludisect.decompose(ludisect.load(THREE))
    assert len(parts.dependent) == 2
    with pytest.raises(InputError):
        solve(parts, "joint")
    answer = solve(parts, "urgent")
    assert {role: str(move) for role, move in answer.move.items()} == dict.fromkeys("abc", "(take north)")
    assert not answer.exact


def test_a_depth_of_zero_takes_states_as_they_stand() -> None:
    compound = grabbing((80, 20))
    assert joint_promises(compound, 0, 0) == [(0, 0), (100, 20), (20, 100), (60, 60)]
