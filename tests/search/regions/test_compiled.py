"""Compiled regions against the plain ones: splitting, names, values, bounds, and who wins."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludisect
from ludisect.cgt import number
from ludisect.cgt.arena import BUDGET, ERROR
from ludisect.errors import BudgetExceeded
from ludisect.rulesets.position import Player
from ludisect.search.limits import SearchLimits
from ludisect.search.regions import operators, outcome
from ludisect.search.regions.book import FIRST, OPEN, OPS, RECORD, STATE, N, book_of, words_of
from ludisect.search.regions.bounding import bounds
from ludisect.search.regions.changes import bits
from ludisect.search.regions.guarded import OperatorSet
from ludisect.search.regions.naming import WORK, name_of
from ludisect.search.regions.pieces import split_after
from ludisect.search.regions.region import Region
from ludisect.search.regions.regionvalues import RegionValues
from ludisect.search.regions.relaxing import best_relaxed, mark
from ludisect.search.regions.settling import Operator
from ludisect.search.regions.winsearch import RegionWins
from ludisect.settings import using
from ludisect.sums.local import LocalSearch
from tests.search.regions.random_games import operator_games
from tests.search.regions.sheets import BOARDS, sheet

FEW = SearchLimits(regions_plain=0, regions_small=1.0, regions_most_small=2)
"""Nearly every region counts as large."""


def compiled_regions(region: Region) -> set[tuple[frozenset[int], int]]:
    book = book_of(region)
    room = 40 * (OPS + book.most)
    stack = np.concatenate([book.frame, np.zeros(room, np.int64)])
    count = split_after(book.words, stack, 0, 0, book.frame.size)
    at, found = book.frame.size + OPS + 2 * book.most, set()
    for _ in range(count):
        n = int(stack[at + N])
        ops = frozenset(book.operators[(int(r) - FIRST) // RECORD] for r in stack[at + OPS : at + OPS + n])
        low, high = (int(x) & (1 << 64) - 1 for x in stack[at + OPEN : at + OPEN + 2])
        facts = sum(1 << f for k, f in enumerate(book.facts) if (low | high << 64) >> k & 1)
        found.add((ops, facts))
        at += OPS + n
    return found


@settings(max_examples=60, deadline=None)
@given(operator_games(most=12))
def test_split_as_in_plain_python(drawn: tuple[OperatorSet, int]) -> None:
    found, facts = drawn
    whole = found.where(facts)
    if whole.live:
        book = set(book_of(whole).operators)  # without operators that differ in settled facts alone
        expected = {(frozenset(part.live) & book, part.open) for part in whole.parts()}
        assert compiled_regions(whole) == expected


@settings(max_examples=60, deadline=None)
@given(operator_games(), st.randoms(use_true_random=False))
def test_values_and_winners_of_random_games(drawn: tuple[OperatorSet, int], rng: random.Random) -> None:
    found, facts = drawn
    whole = found.where(facts)
    expected = LocalSearch(normal_forms=False).value(whole)
    if whole.live:
        assert RegionValues().value(whole) == expected
    with using(FEW):
        for player in Player:
            contest = outcome(whole.parts(), player)
            wins = not expected <= 0 if player is Player.LEFT else not expected >= 0
            assert (contest.winner is player) == wins


def renamed(found: OperatorSet, facts: int, order: list[int], *, turned: bool) -> tuple[OperatorSet, int]:
    """The same game with its facts in another order, and with its players exchanged."""

    def moved(word: int) -> int:
        return sum(1 << order[f] for f in range(len(order)) if word >> f & 1)

    listed = tuple(
        Operator(
            op.player.opponent if turned else op.player,
            op.move,
            moved(op.needs),
            moved(op.bars),
            moved(op.sets),
            moved(op.clears),
        )
        for op in found.listed
    )
    return OperatorSet(found.name, found.roles, found.facts, listed[::-1]), moved(facts)


@settings(max_examples=60, deadline=None)
@given(operator_games(), st.permutations(range(6)), st.booleans())
def test_names_do_not_depend_on_labels(drawn: tuple[OperatorSet, int], order: list[int], turned: bool) -> None:
    found, facts = drawn
    here = found.where(facts).parts()
    other, moved = renamed(found, facts, list(order), turned=turned)
    there = other.where(moved).parts()
    values = LocalSearch(normal_forms=False)

    def named(parts: list[Region] | tuple[Region, ...], sign: int) -> dict[tuple[int, int], set[str]]:
        out: dict[tuple[int, int], set[str]] = {}
        for part in parts:
            one, two, negative = name_of(part)
            value = values.value(part)
            out.setdefault((one, two), set()).add(str(-value if negative else value))
        return out

    # equal names, equal games: also between the two labellings, and with the players exchanged
    first, second = named(list(here), 1), named(list(there), 1)
    for key, worth in first.items():
        assert len(worth | second.get(key, set())) == 1
    assert sorted(len(part.live) for part in here) == sorted(len(part.live) for part in there)


def test_names_see_symmetry() -> None:
    """All first moves in a corner of a Domineering square lead to one region, up to sign."""
    game = sheet("domineering", 4, 4)
    found = operators(game)
    (start,) = found.regions(game.start)
    names: dict[Player, set[tuple[tuple[int, int], bool]]] = {}
    for player in Player:
        for move in start.moves(player):
            after = start.play(player, move)
            one, two, negative = name_of(after)
            names.setdefault(player, set()).add(((one, two), negative))
    left = {key for key, _ in names[Player.LEFT]}
    assert left == {key for key, _ in names[Player.RIGHT]}
    assert len(left) == 4  # of 12 moves: two columns, two heights


@pytest.mark.parametrize(
    ("name", "rows", "cols"),
    [("domineering", 4, 5), ("clobber", 3, 4), ("toads", 2, 6), ("col", 4, 4), ("snort", 3, 4), ("amazons", 3, 3)],
)
def test_boards_as_the_native_rulesets(name: str, rows: int, cols: int) -> None:
    rng, board = random.Random(name), BOARDS[name]
    game = sheet(name, rows, cols)
    found = operators(game)
    with using(SearchLimits(regions_plain=0)):
        for _ in range(25):
            cells = "".join(rng.choice(board.cells) for _ in range(rows * cols))
            whole = found.whole(board.state(game, cols, cells))
            expected = board.board(cols, cells).value
            assert whole.value == expected, cells
            parts = whole.parts()
            for player in Player:
                for limits in (None, FEW):
                    contest = outcome(parts, player, limits=limits)
                    wins = not expected <= 0 if player is Player.LEFT else not expected >= 0
                    assert (contest.winner is player) == wins, cells
                    assert (contest.move is not None) == wins
                    if contest.move is not None and contest.region is not None:
                        after = list(parts)
                        after[contest.region] = parts[contest.region].play(player, contest.move)
                        left = sum((part.value for part in after), number(0))
                        assert left >= 0 if player is Player.LEFT else left <= 0


@settings(max_examples=100, deadline=None)
@given(operator_games(), st.integers(1, 4))
def test_bounds_hold(drawn: tuple[OperatorSet, int], small: int) -> None:
    found, facts = drawn
    with using(SearchLimits(regions_bound=small)):
        _bounds_hold(found, facts)


def _bounds_hold(found: OperatorSet, facts: int) -> None:
    for part in found.where(facts).parts():
        for known in (part.bounds(), bounds(part)):
            if known is not None:
                assert known[0] <= part.value <= known[1]


@settings(max_examples=30, deadline=None)
@given(operator_games(most=12), st.integers(1, 8), st.integers(1, 4), st.randoms(use_true_random=False))
def test_compiled_bounds_hold(drawn: tuple[OperatorSet, int], most: int, tie: int, rng: random.Random) -> None:
    """Where operators are crossed out as marked for the region itself, and for one that play has made of it."""
    found, facts = drawn
    whole = found.where(facts)
    moves = [(player, move) for player in Player for move in whole.moves(player)]
    later = whole.play(*rng.choice(moves)) if moves else whole
    if not later.live:
        return
    values, exact = RegionValues(), LocalSearch(normal_forms=False)
    values.arena.words[BUDGET] = 1 << 20
    book = book_of(whole)
    at = book.frame.size
    stack = np.concatenate([book.frame, np.zeros(40 * (OPS + book.most) + WORK, np.int64)])
    stack[OPEN : OPEN + 2] = words_of((1 << len(book.facts)) - 1)
    mark.plain(book.words, stack, 0, at, most)
    place = {f: k for k, f in enumerate(book.facts)}
    for region in (whole, later):
        stack[STATE : STATE + 2] = words_of(sum(1 << place[f] for f in bits(region.facts) if f in place))
        tables = (values.arena.words, book.words, values.lies, values.names, stack)
        bound = [int(best_relaxed.plain(*tables, 0, at, side, most, min(tie, most), 0)) for side in range(2)]
        assert not values.arena.words[ERROR]
        if bound[0] >= 0:
            assert values.arena.value(bound[0]) <= exact.value(region)
        if bound[1] >= 0:
            assert exact.value(region) <= values.arena.value(bound[1])


def beside(found: OperatorSet, facts: int, *, turned: bool) -> tuple[OperatorSet, int]:
    """A game and a copy of it, or its negative if ``turned``."""
    size = len(found.facts)
    other, moved = renamed(found, facts, [*range(size)], turned=turned)
    shifted = tuple(
        Operator(op.player, op.move, op.needs << size, op.bars << size, op.sets << size, op.clears << size)
        for op in other.listed
    )
    both = OperatorSet("beside", found.roles, found.facts + found.facts, found.listed + shifted)
    return both, facts | moved << size


@settings(max_examples=60, deadline=None)
@given(operator_games(most=6), st.booleans())
def test_copies_and_negatives_in_the_search(drawn: tuple[OperatorSet, int], turned: bool) -> None:
    """A region and its negative are taken out of a sum; two equal ones only if they are their own negatives."""
    value = LocalSearch(normal_forms=False).value(drawn[0].where(drawn[1]))
    value = value - value if turned else value + value
    both, facts = beside(*drawn, turned=turned)
    whole = both.where(facts)
    with using(FEW):
        for player in Player:
            wins = not value <= 0 if player is Player.LEFT else not value >= 0
            assert RegionWins(RegionValues()).first_wins(whole, player)[0] == wins


@settings(max_examples=40, deadline=None)
@given(operator_games(most=6))
def test_what_is_remembered_changes_no_answer(drawn: tuple[OperatorSet, int]) -> None:
    """One search is asked about a position and all that follow it, in turn with other numbers."""
    whole = drawn[0].where(drawn[1])
    after = [whole.play(player, move) for player in Player for move in whole.moves(player)]
    kept = RegionWins(RegionValues())
    for k, region in enumerate([*after, whole, *after]):
        value = LocalSearch(normal_forms=False).value(region)
        with using(FEW if k % 3 else SearchLimits()):
            for player in Player:
                wins = not value <= 0 if player is Player.LEFT else not value >= 0
                assert kept.first_wins(region, player)[0] == wins


def test_a_question_that_was_answered_takes_no_search() -> None:
    found = operators(ludisect.load("domineering:5x5"))
    parts = found.regions(found.game.start)
    first, again = outcome(parts, Player.LEFT), outcome(parts, Player.LEFT)
    assert first.winner is again.winner is Player.RIGHT
    assert again.nodes < first.nodes


def test_bounds_of_dominoes() -> None:
    game = sheet("domineering", 3, 4)
    (region,) = operators(game).regions(game.start)
    assert region.bounds() == (-6, 4)


@pytest.mark.parametrize(
    ("boards", "outcome_class"), [("5x5", "P"), ("4x4,4x4", "P"), ("6x6", "N"), ("4x5", "L"), ("2x5,3x3", "N")]
)
def test_known_outcomes_of_domineering(boards: str, outcome_class: str) -> None:
    """Outcomes of empty boards as in Breuker, Uiterwijk and van den Herik, *Solving 8x8 Domineering* (2000)."""
    found = operators(ludisect.load(f"domineering:{boards}"))
    parts = found.regions(found.game.start)
    first = [outcome(parts, player).winner for player in Player]
    letters = {(Player.LEFT, Player.RIGHT): "N", (Player.LEFT, Player.LEFT): "L"}
    letters |= {(Player.RIGHT, Player.RIGHT): "R", (Player.RIGHT, Player.LEFT): "P"}
    assert letters[first[0], first[1]] == outcome_class  # type: ignore[index]


def test_a_limit_ends_with_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RegionWins, "SLICE", 20)  # the clock is looked at early
    monkeypatch.setattr(RegionValues, "SLICE", 20)
    game = ludisect.load("domineering:8x8")
    found = operators(game)
    parts = found.regions(game.start)
    with pytest.raises(BudgetExceeded, match="time limit") as caught:
        outcome(parts, Player.LEFT, seconds=0.0)
    partial = caught.value.partial
    assert partial.winner is None  # type: ignore[attr-defined]
    low, high = partial.bounds  # type: ignore[attr-defined]
    assert -32 < low < 0 < high < 32  # better than a count of moves
    assert low == -high  # the board is a square
    with pytest.raises(BudgetExceeded, match="time limit"):
        found.values.value(parts[0], seconds=0.0)


def test_a_play_without_end_is_noticed() -> None:
    """Both players turn a switch on and off again: there is no value."""
    on = Operator(Player.LEFT, "on", 0, 1, 1, 0)
    off = Operator(Player.RIGHT, "off", 1, 0, 0, 1)
    found = OperatorSet("switch", ("left", "right"), (ludisect.Term("f"),), (on, off))
    (region,) = found.where(0).parts()
    with pytest.raises(BudgetExceeded, match="does not end"):
        found.values.value(region)
    with pytest.raises(BudgetExceeded, match="does not end"):
        RegionWins(found.values).first_wins(region, Player.LEFT)


def test_rows_of_kayles_are_decided_by_their_values() -> None:
    """Nim values 1, 1 and 7 (Winning Ways, ch. 4): too many plays to search, few values."""
    found = operators(ludisect.load("kayles:20,25,30"))
    parts = found.regions(found.game.start)
    contest = outcome(parts, Player.LEFT)
    assert contest.winner is Player.LEFT
    assert contest.region is not None
    assert contest.move is not None
    parts[contest.region] = parts[contest.region].play(Player.LEFT, contest.move)
    assert sum((part.value for part in parts), number(0)) == 0
