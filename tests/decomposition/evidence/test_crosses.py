"""Crosses against their definition, and parts of two players who pick at the same time where to move."""

from __future__ import annotations

import numpy as np
import pytest

from ludisect.decomposition import decompose
from ludisect.decomposition.evidence.crosses import crosses
from ludisect.decomposition.evidence.localmoves import mask_of
from ludisect.decomposition.evidence.sample import take_sample
from ludisect.loader import load
from tests.decomposition.found import game_of, named

PICK = """
(role one) (role two) (board a) (board b) (turn 0 1) (turn 1 2) (turn 2 0)
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (init (step 0))
(<= (init (wheel ?b 0)) (board ?b))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (legal ?r (spin ?b)) (role ?r) (board ?b))
(<= (legal ?r (hold ?b)) (role ?r) (board ?b))
(<= (held ?b) (does ?r (hold ?b)))
(<= (spun ?b) (does ?r (spin ?b)) (not (held ?b)))
(<= (next (wheel ?b ?y)) (spun ?b) (true (wheel ?b ?x)) (turn ?x ?y))
(<= (next (wheel ?b ?x)) (true (wheel ?b ?x)) (not (spun ?b)))
(<= terminal (true (step 4)))
(<= (goal ?r 100) (role ?r) (true (wheel a 1)) (true (wheel b 2)))
(<= (goal ?r 0) (role ?r) (not (true (wheel a 1))))
(<= (goal ?r 0) (role ?r) (not (true (wheel b 2))))
"""
"""Two wheels; each player picks one, to spin it or to hold it while the other may spin it in the same turn."""


def test_two_players_who_pick_where_to_move_at_the_same_time() -> None:
    parts = decompose(load(PICK), playouts=200)
    assert named(parts) == ["(wheel a *)", "(wheel b *)"]
    assert parts.evidence is not None
    assert parts.evidence.status == "proved"
    for part, other in (("a", "b"), ("b", "a")):
        (mine,) = [s for s in parts.dependent if list(s.patterns) == [f"(wheel {part} *)"]]
        for classes in mine.moves.values():
            assert {str(m) for members in classes for m in members} == {f"(spin {part})", f"(hold {part})"}
            assert f"(spin {other})" not in {str(m) for members in classes for m in members}


@pytest.mark.parametrize("name", ["pick", "tron", "rock-paper-scissors:2", "nim:2,3"])
def test_crosses_are_those_of_each_state_by_itself(name: str) -> None:
    game = load(PICK) if name == "pick" else game_of(name)
    sample = take_sample(game, playouts=50, states=30)
    rng = np.random.default_rng(0)
    for size in (1, 2, 3, len(game.fluents) // 2):
        mask = mask_of(game, rng.choice(len(game.fluents), size, replace=False).tolist())
        found = crosses(sample, mask)
        for s in range(len(sample.states)):
            counts = [int(((sample.pair_state == s) & (sample.pair_role == r)).sum()) for r in range(sample.n_roles)]
            for r in range(sample.n_roles):
                at = np.flatnonzero((sample.pair_state == s) & (sample.pair_role == r))
                asked = any(n > 1 for k, n in enumerate(counts) if k != r)
                part = [row.tobytes() for row in sample.pair_next[at] & mask]
                rest = [row.tobytes() for row in sample.pair_next[at] & ~mask]
                table = {p: {y for x, y in zip(part, rest, strict=True) if x == p} for p in part}
                wide = [p for p, rests in table.items() if len(rests) > 1]
                arms = set().union(*(rests for rests in table.values() if len(rests) == 1))
                crossed = asked and len(wide) == 1 and len(arms) == 1
                product = all(rests == set(rest) for rests in table.values())
                assert found.crossed[at].tolist() == [crossed] * len(at)
                assert found.centre[at].tolist() == [crossed and p in wide for p in part]
                away = [crossed and p in wide and y not in arms for p, y in zip(part, rest, strict=True)]
                assert found.elsewhere[at].tolist() == away
                assert found.open[at].tolist() == [asked and len(wide) > 1 and not product] * len(at)
