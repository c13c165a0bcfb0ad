"""Regions: settled and split as the plain twin does it, positions like any other, values as the native rulesets."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludisect
from ludisect.cgt import number
from ludisect.errors import IllegalMove
from ludisect.gdl.terms import Term
from ludisect.rulesets.position import Player
from ludisect.search.regions import NoOperators, operators, outcome
from ludisect.search.regions.changes import bits
from ludisect.search.regions.guarded import OperatorSet
from ludisect.search.regions.region import Region
from ludisect.search.regions.resplitting import Resplitting
from ludisect.search.regions.settling import Operator
from ludisect.sums.local import LocalSearch
from tests.search.regions import plain
from tests.search.regions.random_games import operator_games, words
from tests.search.regions.sheets import BOARDS, sheet


def facts_of(word: int) -> frozenset[int]:
    return frozenset(bits(word))


@settings(max_examples=300, deadline=None)
@given(operator_games())
def test_settled_and_split_as_defined(drawn: tuple[OperatorSet, int]) -> None:
    found, facts = drawn
    expected = plain.regions(plain.plain(found.listed), facts_of(facts))
    with suppress(NoOperators):
        parts = found.where(facts).parts()
        got = {(plain.plain(tuple(found.listed[i] for i in r.live)), facts_of(r.open)) for r in parts}
        assert got == set(expected)
        return
    assert any(not free for _, free in expected)


def apart(regions: Callable[[], Sequence[Region]]) -> list[tuple[tuple[int, ...], int, int]] | None:
    """The regions, each as its operators and facts; None where a pass is refused."""
    with suppress(NoOperators):
        return [(region.live, region.open, region.holding) for region in regions()]
    return None


@settings(max_examples=200, deadline=None)
@given(operator_games(most=12, facts=9), st.lists(words(9), max_size=3), st.randoms(use_true_random=False))
def test_split_from_a_state_near_by_as_anew(
    drawn: tuple[OperatorSet, int], jumps: list[int], rng: random.Random
) -> None:
    found, facts = drawn
    near = Resplitting(found)
    for jump in [facts, *jumps]:
        state = jump
        while True:
            after = [op.after(state) for op in found.listed if op.fits(state)]
            near.approach([state] if rng.random() < 0.5 else after)
            for some in (state, *after):
                again = apart(lambda word=some: found.where(word).parts())  # type: ignore[misc]
                assert apart(lambda word=some: near.regions(word)) == again  # type: ignore[misc]
            if not after:
                break
            state = rng.choice(after)


@settings(max_examples=150, deadline=None)
@given(operator_games(most=6))
def test_values_are_those_of_plain_play(drawn: tuple[OperatorSet, int]) -> None:
    found, facts = drawn
    expected = plain.worth(plain.plain(found.listed), facts_of(facts), split=False)
    whole = found.where(facts)
    assert sum((part.value for part in whole.parts()), number(0)) == expected
    assert whole.value == expected
    assert LocalSearch(normal_forms=False).value(whole) == expected


SIZES = [
    ("domineering", 3, 4), ("clobber", 3, 3), ("toads", 1, 7), ("col", 3, 3), ("snort", 3, 3), ("amazons", 3, 3),
    ("nogo", 2, 2),
]  # fmt: skip


@pytest.mark.parametrize(("name", "rows", "cols"), SIZES)
def test_values_are_those_of_the_native_rulesets(name: str, rows: int, cols: int) -> None:
    rng, board = random.Random(name), BOARDS[name]
    game = sheet(name, rows, cols)
    found = operators(game)
    for _ in range(40):
        cells = "".join(rng.choice(board.cells) for _ in range(rows * cols))
        regions = found.regions(board.state(game, cols, cells))
        assert sum((r.value for r in regions), number(0)) == board.board(cols, cells).value, cells


def test_a_region_is_a_position() -> None:
    game = sheet("domineering", 3, 3)
    found = operators(game)
    (region,) = found.regions(game.start)
    assert isinstance(region, Region)
    assert str(region.value) == "±1"
    assert region.outcome == "N"
    assert region.temperature == 1
    assert str((region + "nim 2").value) == "±(1*2)"
    assert (region - region).outcome == "P"
    assert {region.move_text(m) for m in region.moves(Player.LEFT)} == {
        f"(place {r} {c})" for r in (1, 2) for c in (1, 2, 3)
    }
    after = region.play(Player.LEFT, region.moves(Player.LEFT)[1])
    assert after != region
    assert after == found.where(after.facts)
    with pytest.raises(IllegalMove, match="illegal move"):
        after.play(Player.LEFT, region.moves(Player.LEFT)[1])
    with pytest.raises(IllegalMove, match="of role 'horizontal'"):
        region.play(Player.RIGHT, region.moves(Player.LEFT)[0])
    assert "(free 1 1)" in str(region)


def test_a_written_fact_that_nobody_reads_joins_nothing() -> None:
    """In tic-tac-toe moves alone make nine regions: what ties them together is the goal."""
    import ludisect

    found = operators(ludisect.load("tictactoe"))
    regions = found.regions(found.game.start)
    assert [len(region.live) for region in regions] == [2] * 9
    assert {str(region.value) for region in regions} == {"*"}


@pytest.mark.parametrize(("name", "rows", "cols"), SIZES)
def test_who_wins_is_the_sign_of_the_value(name: str, rows: int, cols: int) -> None:
    rng, board = random.Random(name), BOARDS[name]
    game = sheet(name, rows, cols)
    found = operators(game)
    for _ in range(12):
        cells = "".join(rng.choice(board.cells) for _ in range(rows * cols))
        regions = found.regions(board.state(game, cols, cells))
        value = sum((r.value for r in regions), number(0))
        for player in Player:
            contest = outcome(regions, player)
            wins = not value <= 0 if player is Player.LEFT else not value >= 0
            assert contest.winner is (player if wins else player.opponent), cells
            assert (contest.move is not None) == (contest.region is not None) == wins
            if contest.move is not None and contest.region is not None:
                after = list(regions)
                after[contest.region] = regions[contest.region].play(player, contest.move)
                left = sum((r.value for r in after), number(0))
                assert left >= 0 if player is Player.LEFT else left <= 0


def test_rules_of_one_name_have_values_of_their_own() -> None:
    """Values are kept by what a position is; two sheets of one name must not share them."""
    one, two = (
        OperatorSet("same", ("left", "right"), (Term.parse("(fact 0)"),), (Operator(player, "m", 1, 0, 0, 1),))
        for player in (Player.LEFT, Player.RIGHT)
    )
    assert one.where(1) != two.where(1)
    assert one.where(1).value == 1
    assert two.where(1).value == -1


def test_a_region_draws_its_squares() -> None:
    """Four of the ten squares of 2x5 are those of the region on the left, and all four are free."""
    found = operators(ludisect.load("domineering:2x5"))
    left, _ = found.regions(found.game.start.play("(place 1 3)"))
    seen = left.diagram()
    assert len(seen.cells) == 10
    assert [seen.cells[i] for i in seen.parts[0]] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert {i for i, holds in enumerate(seen.holds) if holds} == {*seen.parts[0]}
    assert "(free 2 2)" in seen.holds
    assert left._repr_svg_().startswith("<svg")
    row = operators(ludisect.load("kayles:3"))
    assert len(row.whole(row.game.start).diagram().parts[0]) == 3
