"""Answers for thorny compounds, held against plain search: from the start and the middle, by default and by name."""

from __future__ import annotations

from random import Random

import pytest

from ludisect.circuit.midgame import at_state
from ludisect.composition.thorny.judge import Judge
from ludisect.composition.thorny.plainvalue import plain_value
from ludisect.composition.thorny.thorny import compose_thorny, middle
from ludisect.decomposition import decompose
from ludisect.errors import InputError
from ludisect.gdl.reader import read_term
from ludisect.loader import load
from ludisect.search.solve import names, solve


def unlike(number: int, seed: int, *, ways: list[str], from_middle: bool = False, tempo: bool = False) -> list[str]:
    """What is wrong with the answers, exact or not; a fault that the checker caught counts too."""
    made = compose_thorny(number, seed, tempo=tempo)
    position, worth, game = made.plan.start, made.worth, load(made.rules)
    if from_middle:
        position = middle(made, Random(number))
        worth = plain_value(made.plan, position, made.worth.positions)
        game = at_state(game, frozenset(map(read_term, made.plan.fluents(position))))
    parts, judge = decompose(game), Judge(made.plan, position, worth)
    out = []
    for way in ways:
        try:
            answer = solve(parts, way)
        except InputError:
            continue
        caught = [note for note in answer.notes if "the check failed" in note]
        out += [f"{way}: {fault}" for fault in (*judge.faults(answer), *caught)]
    return out


@pytest.mark.parametrize("number", range(24))
def test_from_the_start(number: int) -> None:
    assert unlike(number, 31, ways=["parts"]) == []


@pytest.mark.parametrize("number", range(12))
def test_from_the_middle(number: int) -> None:
    assert unlike(number, 32, ways=["parts"], from_middle=True) == []


@pytest.mark.parametrize("number", range(6))
def test_a_part_that_pays_nothing_is_good_for_a_move_more(number: int) -> None:
    assert unlike(number, 34, ways=["parts"], tempo=True) == []


@pytest.mark.parametrize("number", range(8))
def test_by_name(number: int) -> None:
    exact = [name for name in names() if not name.startswith("tmseq-published")]
    assert unlike(number, 33, ways=exact) == []


@pytest.mark.parametrize("number", [1252, 4719, 4762])
def test_where_nobody_can_move_nobody_gets_anything(number: int) -> None:
    """What is worse for the one is not better for the other there, so no move may be dropped for that."""
    assert unlike(number, 20261119, ways=["quotient"]) == []
