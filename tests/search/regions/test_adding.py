"""Sums of regions added up in the arena, against values that are added up plainly."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import reduce

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludisect.cgt import number
from ludisect.cgt.compiled import Arena
from ludisect.cgt.value import Value
from ludisect.errors import BudgetExceeded
from ludisect.loader import load
from ludisect.rulesets.position import Player
from ludisect.search.limits import SearchLimits
from ludisect.search.regions.adding import RegionSums
from ludisect.search.regions.extraction import operators
from ludisect.search.regions.guarded import OperatorSet
from ludisect.search.regions.region import Region
from ludisect.search.regions.replies import replied
from ludisect.settings import using
from ludisect.sums.local import LocalSearch
from tests.search.regions.random_games import operator_games


def total(regions: list[Region]) -> Value:
    local = LocalSearch(normal_forms=False)
    return sum((local.value(region) for region in regions), number(0))


def loses(worth: Value, player: Player) -> bool:
    """Whether a player, to move, loses a sum that is worth so much."""
    return worth <= 0 if player is Player.LEFT else worth >= 0


def effect(region: Region, operator: int) -> tuple[int, int]:
    op = region.operators.listed[operator]
    return op.sets & region.open, op.clears & region.open


@settings(max_examples=40, deadline=None)
@given(operator_games(most=9))
def test_every_move_is_judged_as_by_plain_sums(drawn: tuple[OperatorSet, int]) -> None:
    found, facts = drawn
    regions = list(found.where(facts).parts())
    sums = RegionSums(found)
    for player in Player:
        assert sums.first_wins(regions, player) == (not loses(total(regions), player))
        expected = {
            (k, effect(region, move))
            for k, region in enumerate(regions)
            for move in region.moves(player)
            if loses(total([*regions[:k], region.play(player, move), *regions[k + 1 :]]), player.opponent)
        }
        assert {(k, effect(regions[k], move)) for k, move in sums.winning(regions, player)} == expected
        contest = sums.decided(regions, player)
        assert contest is not None
        assert (contest.winner is player) == bool(expected) == (contest.move is not None)


@settings(max_examples=25, deadline=None)
@given(operator_games(most=7))
def test_replies_are_judged_as_by_plain_sums(drawn: tuple[OperatorSet, int]) -> None:
    found, facts = drawn
    regions = list(found.where(facts).parts())
    for player in Player:
        for one in RegionSums(found).tried(regions, player):
            after = [*regions]
            after[one.region] = regions[one.region].play(player, one.move)
            worth = total(after)
            assert one.stop == (worth.right_stop if player is Player.LEFT else -worth.left_stop)
            expected = {}
            for j, region in enumerate(after):
                for reply in region.moves(player.opponent):
                    left = [*after[:j], region.play(player.opponent, reply), *after[j + 1 :]]
                    expected[j, effect(region, reply)] = loses(total(left), player)
            told = {}
            for reply, wins in one.replies.items():
                j = next(j for j, region in enumerate(after) if reply in region.live)
                told[j, effect(after[j], reply)] = wins
            assert told == expected


@settings(max_examples=25, deadline=None)
@given(operator_games(most=9), st.booleans())
def test_what_moves_and_replies_leave(drawn: tuple[OperatorSet, int], deep: bool) -> None:
    found, facts = drawn
    whole = found.where(facts)
    local, arena = LocalSearch(normal_forms=False), found.values.arena
    for player in Player:
        for move, worth, replies in replied(found.values, whole, player, deep=deep, end=None, nodes=None):
            after = whole.play(player, move)
            assert arena.value(worth) == local.value(after)
            assert bool(replies) <= deep
            if deep:
                assert {effect(after, r) for r, _ in replies} == {
                    effect(after, r) for r in after.moves(player.opponent)
                }
            for reply, left in replies:
                assert arena.value(left) == local.value(after.play(player.opponent, reply))


def test_a_sum_that_is_too_large_is_left_to_others() -> None:
    game = load("domineering:3x3,4x3,3x4")
    found = operators(game)
    regions = list(found.where(found.word(game.batch.initial)).parts())
    with using(SearchLimits(regions_added=1)):
        assert RegionSums(found).decided(regions, Player.LEFT) is None
        assert RegionSums(found).replies(regions, Player.LEFT) == []
    with pytest.raises(BudgetExceeded):
        RegionSums(found).decided(regions, Player.LEFT, seconds=-1.0)
    assert RegionSums(found).decided(regions, Player.LEFT) is not None


def test_the_arena_makes_no_more_games_than_allowed() -> None:
    arena, draw = Arena(), random.Random(5)
    one, total = arena.number(1), arena.number(0)
    switches = [
        arena.build([arena.number(draw.randint(1, 99))], [arena.number(-draw.randint(1, 99))]) for _ in range(5)
    ]
    before = len(arena)
    with pytest.raises(BudgetExceeded) as raised, arena.at_most(3):
        reduce(arena.add, switches, total)
    assert raised.value.budget == "nodes"
    assert len(arena) <= before + 3
    total = reduce(arena.add, switches, total)
    plain = sum(map(arena.value, switches), number(0))
    assert arena.value(total) == plain
    assert arena.stops(total) == (plain.left_stop, plain.right_stop)
    assert arena.stops(one) == (Fraction(1), Fraction(1))
