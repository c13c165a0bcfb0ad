"""What is proved by induction is the largest set of claims that brute force over all states finds inductive."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ludisect.decomposition.evidence.invariants import Invariants, prove
from tests.circuit.test_solver import GAMES, KNOWN, Everything
from tests.decomposition.found import game_of


def largest(all_: Everything, groups: list[tuple[int, ...]], fixed: list[int]) -> Invariants:
    """Start with every claim that holds initially, and drop what some legal move breaks, until no move breaks any."""
    initial = all_.game.circuit.initial
    exactly = {g for g in groups if initial[list(g)].sum() == 1}
    at_most = {g for g in groups if initial[list(g)].sum() <= 1}
    constant = set(fixed)
    while True:
        fine = all_.in_play.copy()
        for g in exactly:
            fine &= all_.state[:, list(g)].sum(axis=1) == 1
        for g in at_most:
            fine &= all_.state[:, list(g)].sum(axis=1) <= 1
        for f in constant:
            fine &= all_.state[:, f] == initial[f]
        after = all_.next[fine]
        kept = (
            {g for g in exactly if (after[:, list(g)].sum(axis=1) == 1).all()},
            {g for g in at_most if (after[:, list(g)].sum(axis=1) <= 1).all()},
            {f for f in constant if (after[:, f] == initial[f]).all()},
        )
        if kept == (exactly, at_most, constant):
            return Invariants(tuple(exactly), tuple(at_most - exactly), tuple(constant))
        exactly, at_most, constant = kept


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(GAMES), st.data())
def test_the_largest_inductive_set_is_found(name: str, data: st.DataObject) -> None:
    game = game_of(name)
    free = np.flatnonzero(~game.circuit.constant_fluents).tolist()
    order = data.draw(st.permutations(free))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(order)), max_size=4)))
    groups = [tuple(sorted(order[a:b])) for a, b in zip([0, *cuts], [*cuts, len(order)], strict=True) if b - a > 1]
    fixed = data.draw(st.lists(st.sampled_from(free), unique=True))
    found, wanted = prove(game, groups, fixed), largest(KNOWN[name], groups, fixed)
    assert set(found.exactly_one) == set(wanted.exactly_one)
    assert set(found.at_most_one) == set(wanted.at_most_one)
    assert set(found.constant) == set(wanted.constant)
