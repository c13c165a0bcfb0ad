"""Legality kept as a net: the same moves as the rules, the same regions and values as the native ruleset."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludisect
from ludisect.cgt import number
from ludisect.circuit.game import Game
from ludisect.errors import BudgetExceeded
from ludisect.gdl.state import State
from ludisect.rulesets.nogo import NoGo
from ludisect.rulesets.position import Player
from ludisect.search.limits import SearchLimits
from ludisect.search.regions import Operators, operators, outcome
from ludisect.search.regions.guarded import OperatorSet
from ludisect.search.regions.netregion import NetRegion
from ludisect.search.regions.nets import NetBuilder
from ludisect.search.regions.premises import premises
from ludisect.search.regions.settling import Operator
from ludisect.settings import using
from ludisect.sums.local import LocalSearch
from tests.search.regions.random_games import operator_games

STONES = {"X": "(stone black {r} {c})", "O": "(stone white {r} {c})"}


def nogo(board: str, cubes: int = 2) -> Operators:
    with using(SearchLimits(regions_cubes=cubes)):
        found = operators(ludisect.load(f"nogo:{board}"))
    assert found.nets is not None
    return found


def placed(found: Operators, cells: str, cols: int, mover: str = "black") -> State[Game]:
    held = [STONES[x].format(r=i // cols + 1, c=i % cols + 1) for i, x in enumerate(cells) if x in STONES]
    return found.game.state([f"(control {mover})", *held])


def native(cells: str, cols: int) -> NoGo:
    return NoGo("|".join(cells[i : i + cols] for i in range(0, len(cells), cols)))


def test_moves_are_the_rules() -> None:
    """In random states, reachable or not, and the state after each move."""
    found, rng = nogo("2x3"), random.Random(3)
    for mover in ["black", "white"] * 15:
        state = placed(found, "".join(rng.choice("XO..") for _ in range(6)), 3, mover)
        player = found.mover(state)
        whole = found.whole(state)
        moves = whole.moves(player)
        assert {whole.move_text(m) for m in moves} == {str(m) for m in state.legal[mover]}
        for m in moves:
            assert found.word(state.play({mover: whole.move_text(m)})) == whole.play(player, m).facts


def test_values_with_and_without_nets() -> None:
    """By compiled search, by the search of any position, and as the native ruleset has it."""
    found, plain = nogo("2x3"), operators(ludisect.load("nogo:2x3"))
    assert plain.nets is None
    rng, local = random.Random(4), LocalSearch()
    for _ in range(20):
        cells = "".join(rng.choice("XO..") for _ in range(6))
        regions = found.regions(placed(found, cells, 3))
        values = [region.value for region in regions]
        expected = native(cells, 3).value
        assert sum(values, number(0)) == expected == plain.whole(placed(plain, cells, 3)).value
        with using(SearchLimits(regions_net_live=0)):
            assert [local.value(region) for region in regions] == values
        for player in Player:
            wins = not expected <= 0 if player is Player.LEFT else not expected >= 0
            assert (outcome(regions, player).winner is player) == wins


def netted(plain: OperatorSet, others: list[int]) -> tuple[OperatorSet, OperatorSet]:
    """The same game twice: operators that have two guards each, as nets, and as two operators."""
    made = NetBuilder({f: f for f in range(len(plain.facts))})
    guards, listed = list[int](), list[Operator]()
    for op, other in zip(plain.listed, others, strict=False):
        more = plain.listed[other % len(plain.listed)]
        needs = op.needs & op.clears | more.needs
        second = replace(op, needs=needs, bars=more.bars & ~needs)
        listed += [op, second]
        either = [made.gate(made.cube(one.needs, one.bars)) ^ 1 for one in (op, second)]
        guards.append(made.gate(either) ^ 1)
    names = ("random", ("left", "right"), plain.facts)
    return OperatorSet(*names, plain.listed, nets=made.nets(plain.listed, guards)), OperatorSet(*names, tuple(listed))


@settings(max_examples=80, deadline=None)
@given(operator_games(), st.lists(st.integers(0, 7), min_size=8, max_size=8))
def test_random_guards_as_nets(drawn: tuple[OperatorSet, int], others: list[int]) -> None:
    plain, facts = drawn
    nets, twice = netted(plain, others)
    expected = LocalSearch(normal_forms=False).value(twice.where(facts))
    whole = nets.where(facts)
    assert whole.value == expected
    assert LocalSearch().value(whole) == expected
    assert sum((part.value for part in whole.parts()), number(0)) == expected


def test_names_are_those_of_equal_games() -> None:
    """Equal keys, equal values up to sign, over all that random plays meet."""
    found = nogo("2x3")
    rng, seen = random.Random(5), dict[object, set[str]]()
    for _ in range(40):
        position = found.whole(found.game.start)
        while any(position.moves(player) for player in Player):
            for part in position.parts():
                key, negative = part.key()
                seen.setdefault(key, set()).add(str(-part.value if negative else part.value))
            player = rng.choice([p for p in Player if position.moves(p)])
            position = position.play(player, rng.choice(position.moves(player)))
    assert all(len(values) == 1 for values in seen.values())
    assert len(seen) < sum(map(len, seen.values())) + 1


def test_nogo_as_the_native_ruleset() -> None:
    """3x3 from the start; random positions of 3x4 with few open squares."""
    whole = operators(ludisect.load("nogo:3x3"))
    assert whole.nets is not None
    assert whole.whole(whole.game.start).value == ludisect.value("nogo 3x3")
    found, rng = nogo("3x4", 20), random.Random(2)
    for _ in range(12):
        cells = "".join(rng.choice("XO.") for _ in range(12))
        regions = found.regions(placed(found, cells, 4))
        assert sum((region.value for region in regions), number(0)) == native(cells, 4).value, cells


def test_a_game_with_nets_is_proved_and_solved() -> None:
    known = premises(operators(ludisect.load("nogo:3x3")))
    assert known.rule == "normal play"
    answer = ludisect.solve("nogo:3x3", "regions")
    assert answer.exact
    assert answer.value == {"black": 100, "white": 0}
    assert [str(part.value) for part in answer.parts] == ["*"]


def test_limits_and_identity() -> None:
    found = nogo("2x3")
    (start,) = found.regions(found.game.start)
    assert isinstance(start, NetRegion)
    move = start.moves(Player.LEFT)[0]
    assert start.play(Player.LEFT, move) == start.play(Player.LEFT, move) != start
    assert len({start, start.play(Player.LEFT, move)}) == 2
    with pytest.raises(ludisect.LudisectError, match="legal"):
        start.play(Player.RIGHT, move)
    with using(SearchLimits(regions_net_states=1)):
        assert start.terminal_value() is None
    with pytest.raises(BudgetExceeded):
        start._found(nodes=1)
    assert np.array_equal(start.nets.marks(start.nets.word(start.nets.marks(5))), start.nets.marks(5))
