"""What is proved of a score is what holds of every exchange: scores of three switches, and all partitions of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ludisect.circuit.game import Game
from ludisect.decomposition.evidence.exchange import Exchange, Question, Swaps
from ludisect.decomposition.evidence.invariants import Invariants
from ludisect.decomposition.evidence.scoreproof import prove_score
from ludisect.effort import Effort
from ludisect.loader import load

NAMES = "abc"
PARTITIONS = [["a", "b", "c"], ["ab", "c"], ["a", "bc"], ["b", "ac"]]


def game_of(scores: Sequence[int]) -> Game:
    """Switches that can be put on; their state gives a score, or none (-1)."""
    rules = [
        "(role player) (init open) (legal player rest)",
        *(f"(legal player (put {x})) (<= (next (on {x})) (true (on {x})))" for x in NAMES),
        *(f"(<= (next (on {x})) (does player (put {x})))" for x in NAMES),
        "(<= (next open) (true open) (not (does player rest))) (<= terminal (not (true open)))",
    ]
    for state, score in zip(product([False, True], repeat=len(NAMES)), scores, strict=True):
        if score >= 0:
            body = [f"(true (on {x}))" if up else f"(not (true (on {x})))" for x, up in zip(NAMES, state, strict=True)]
            rules.append(f"(<= (goal player {score}) {' '.join(body)})")
    return load("\n".join(rules))


def broken(u: dict[tuple[bool, ...], int], s: tuple[bool, ...], t: tuple[bool, ...], taken: Sequence[bool]) -> bool:
    """Whether the exchange of what is taken breaks a level that both reach."""
    one = tuple(y if z else x for x, y, z in zip(s, t, taken, strict=True))
    other = tuple(x if z else y for x, y, z in zip(s, t, taken, strict=True))
    values = [u[x] for x in (s, t, one, other)]
    return min(values) >= 0 and min(values[:2]) > max(values[2:])


def is_sum(u: dict[tuple[bool, ...], int], blocks: Sequence[str]) -> bool:
    """Whether points are added over classes of blocks, within which no exchange breaks a level."""
    states = list(product([False, True], repeat=len(NAMES)))
    classes = [set(b) for b in blocks]
    joined = True
    while joined:
        joined = False
        for s, t in product(states, repeat=2):
            for swaps in product([False, True], repeat=len(classes)):
                taken = [any(yes and x in c for yes, c in zip(swaps, classes, strict=True)) for x in NAMES]
                one = tuple(y if z else x for x, y, z in zip(s, t, taken, strict=True))
                other = tuple(x if z else y for x, y, z in zip(s, t, taken, strict=True))
                values = [u[x] for x in (s, t, one, other)]
                differing = [c for c in classes if any(s[NAMES.index(x)] != t[NAMES.index(x)] for x in c)]
                if min(values) >= 0 and values[0] + values[1] != values[2] + values[3] and len(differing) == 2:
                    classes = [c for c in classes if c not in differing] + [set().union(*differing)]
                    joined = True
                    break
            if joined:
                break
    for area in classes:
        inside = [b for b in blocks if set(b) <= area]
        for s, t in product(states, repeat=2):
            if any(s[i] != t[i] for i, x in enumerate(NAMES) if x not in area):
                continue
            for swaps in product([False, True], repeat=len(inside)):
                if broken(u, s, t, [any(yes and x in b for yes, b in zip(swaps, inside, strict=True)) for x in NAMES]):
                    return False
    return True


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from([0, 40, 60, 100]), min_size=8, max_size=8), st.sampled_from(PARTITIONS))
def test_a_score_is_proved_to_be_a_sum_if_it_is_one(scores: list[int], blocks: list[str]) -> None:
    game = game_of(scores)
    u = dict(zip(product([False, True], repeat=3), scores, strict=True))
    on = {str(f.args[0]): k for k, f in enumerate(game.fluents) if f.name == "on"}
    parts = [[on[x] for x in b] for b in blocks]
    answers = prove_score(game, Invariants(), parts, Effort(1e10))
    assert not [a for a in answers if a is False]
    assert all(a is True for a in answers) == is_sum(u, blocks)
    for answer in answers:
        if isinstance(answer, Exchange):
            rows = answer.states
            swaps = Swaps(game, parts, np.random.default_rng(0))
            assert swaps.broken(answer.question, rows[:1], rows[1:], answer.mask[None], False).all()


def test_a_higher_score_counts_where_there_are_two() -> None:
    game = load("""
        (role player) (legal player rest) (init a) (init b) (<= (next a) (true a)) (<= terminal (not (true a)))
        (<= (goal player 100) (true a)) (<= (goal player 0) (true b))""")
    assert Question(0, "score").of(game, game.batch.initial).tolist() == [100]
    assert game.goals(game.initial_state())["player"] is None
