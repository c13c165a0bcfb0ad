"""What counts as a choice, and the rule of play that follows from it: the same for the whole and for the parts."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import pytest

from ludisect import load
from ludisect.circuit.game import Game
from ludisect.decomposition.methods import decompose
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.games import bundled
from ludisect.search.budget import Budget
from ludisect.search.quotient.quotient import solve_product
from ludisect.search.solve import solve
from ludisect.search.study import Study
from ludisect.search.whole.backward import name_of
from ludisect.search.whole.positions import SEVERAL, choosers
from ludisect.search.whole.statespace import explore
from tests.search.agreement import Tally, Whole
from tests.search.byhand import by_hand
from tests.search.slow_twins import max_n, rule_and_values

MARKET = """
(role ada) (role bob) (init (turn ada)) (fruit fig) (fruit kiwi) (bread rye) (bread oat)
(<= (next (turn ada)) (true (turn bob))) (<= (next (turn bob)) (true (turn ada)))
(<= chosen1 (true (first ?x))) (<= chosen2 (true (second ?x)))
(<= (legal ?r (eat ?x)) (true (turn ?r)) (fruit ?x) (not chosen1))
(<= (legal ?r (bake ?x)) (true (turn ?r)) (bread ?x) (not chosen2))
(<= (legal ?r ?w) (role ?r) (waiting ?w) (not (true (turn ?r))))
(<= (next (first ?x)) (does ?r (eat ?x))) (<= (next (first ?x)) (true (first ?x)))
(<= (next (second ?x)) (does ?r (bake ?x))) (<= (next (second ?x)) (true (second ?x)))
(<= terminal chosen1 chosen2)
(<= (goal ?r 90) (role ?r) (true (first fig)) (true (second rye)))
(<= (goal ?r 5) (role ?r) (true (first fig)) (true (second oat)))
(<= (goal ada 60) (true (first kiwi))) (<= (goal bob 15) (true (first kiwi)))
"""
"""Both can have 90, but who trusts nobody takes the kiwi. ``waiting`` are names for doing nothing."""


@pytest.mark.parametrize("waiting", ["(waiting rest)", "(waiting rest) (waiting sleep)", "(waiting a) (waiting b)"])
def test_names_for_doing_nothing_are_no_choice(waiting: str) -> None:
    game = load(waiting + MARKET)
    assert not (explore(game).graph.mover == SEVERAL).any()
    assert max_n(game) == {"ada": 90, "bob": 90}
    for by in ("whole", "parts", "quotient"):
        answer = solve(game, by)
        assert answer.exact
        assert answer.value == {"ada": 90, "bob": 90}
        assert set(answer.move) == {"ada"}


@pytest.mark.parametrize("name", ["nim:3,4,2", "nim-misere:2,3", "kayles:4,2", "toads-and-frogs"])
def test_doing_nothing_by_two_names_keeps_the_way(name: str) -> None:
    plain, twice = load(name), load(bundled.source(name) + "\n(<= (legal ?r dawdle) (legal ?r noop))\n")
    assert twice.batch.legal(twice.batch.initial).sum() == plain.batch.legal(plain.batch.initial).sum() + 1
    expected, found = solve(plain), solve(twice)
    assert (found.algorithm, found.value, found.move) == (expected.algorithm, expected.value, expected.move)
    assert found.exact
    for by in ("whole", "alpha-beta", "quotient", "tmseq"):
        assert solve(twice, by).value == expected.value


def test_a_choice_needs_two_different_states() -> None:
    joint = np.array(list(product([0, 1], [0, 1, 2])), np.int32)
    assert choosers(joint, np.array([7, 7, 7, 8, 8, 8])) == [True, False]
    assert choosers(joint, np.array([7, 7, 7, 7, 7, 7])) == [False, False]
    assert choosers(joint, np.array([7, 7, 8, 7, 7, 8])) == [False, True]
    # what one role's moves lead to may differ only for some moves of the other
    assert choosers(joint, np.array([7, 7, 7, 7, 7, 9])) == [True, True]


def random_pair(rng: random.Random) -> str:
    """Two machines and two or three roles who may move in either; who has a say, and where, is random.

    States have twins, which differ in name only, so that two moves may lead to states that nothing tells apart.
    """
    roles = ["red", "blue", "green"][: rng.choice([2, 2, 2, 3])]
    in_turn = rng.random() < 0.5
    steps = rng.randint(2, 3)
    lines = [f"(role {r})" for r in roles]
    lines += ["(init (p s0))", "(init (q s0))", "(init (step 0))", "(init (turn red))"]
    lines += [f"(<= (next (step {k + 1})) (true (step {k})))" for k in range(steps)]
    lines += [f"(<= (next (turn {b})) (true (turn {a})))" for a, b in zip(roles, roles[1:] + roles[:1], strict=True)]
    lines += [f"(<= terminal (true (step {steps})))"]
    for part in "pq":
        lines += [f"(<= (acts {part} ?r) (does ?r ({part} ?x)))"]
        lines += [f"(<= (legal ?r ({part} {x})) (role ?r))" for x in "ab"]
        size = rng.randint(3, 4)
        for s in range(size):
            lines += [f"(<= ({part}shows {s % 2}) (true ({part} {name}{s})))" for name in "st"]
            heard = [[r] for r in roles] if in_turn else [[r for r in roles if rng.random() < 0.6]]
            for some in heard:
                turn = f"(true (turn {some[0]}))" if in_turn else ""
                # the last who is heard may decide no more than which twin comes next, and that only from one of them
                mute = len(some) > 1 and rng.random() < 0.6
                targets: dict[tuple[str, ...], int] = {}
                for made in product("ab-", repeat=len(some)):
                    to = targets.setdefault(made[:-1] if mute else made, rng.randrange(size))
                    says = " ".join(_says(part, r, x) for r, x in zip(some, made, strict=True))
                    for name in "st":
                        twin = "s" if mute and name == "s" else rng.choice("st")
                        lines.append(f"(<= (next ({part} {twin}{to})) (true ({part} {name}{s})) {turn} {says})")
    for r, i, j in product(roles, (0, 1), (0, 1)):
        lines.append(f"(<= (goal {r} {rng.choice([0, 20, 50, 70, 100])}) (pshows {i}) (qshows {j}))")
    return "\n".join(lines)


def _says(part: str, role: str, move: str) -> str:
    return f"(not (acts {part} {role}))" if move == "-" else f"(does {role} ({part} {move}))"


def known(game: Game) -> Decomposition:
    """The parts of such a pair."""
    return by_hand(game, [(r"\(p ", r"\(p "), (r"\(q ", r"\(q ")], [r"\(step ", r"\(turn "])


def test_the_whole_and_its_parts_follow_one_rule() -> None:
    tally = Tally()
    rules = set()
    for seed in range(24):
        game = load(random_pair(random.Random(seed)))
        whole = Whole(game)
        if whole.values.rule != "equilibrium":
            several, slow = rule_and_values(game)
            assert whole.values.rule == ("pessimistic" if several else "max-n")
            assert whole.values.low[0].tolist() == list(slow.values())
        rules.add(whole.values.rule)
        assert solve_product(Study(known(game)), Budget()).rule == name_of(whole.graph, whole.values.rule)
        tally.check(f"seed {seed}", known(game), whole)
        if seed % 8 == 0:
            tally.check(f"seed {seed}, cut", decompose(game), whole)
    assert tally.faults == []
    assert {"max-n", "pessimistic"} <= rules
