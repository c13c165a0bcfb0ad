"""What the score needs together: every shape of goal on switches that nothing else ties, and bundled games."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from ludisect.circuit.rows import pack, unpack
from ludisect.decomposition import decompose
from ludisect.decomposition.evidence.causes import Causes, events
from ludisect.decomposition.evidence.goals import judge_evaluation, tie_by_goals
from ludisect.decomposition.evidence.invariants import Invariants
from ludisect.decomposition.evidence.sample import take_sample
from ludisect.decomposition.exact.rarestates import pivotal_states
from ludisect.effort import Effort
from ludisect.loader import load
from tests.decomposition.found import game_of, named, parts_of
from tests.decomposition.sheets import lines, switches


@cache
def blocks(goal: str, names: str = "abcd", steps: int = 4) -> list[str]:
    """Which switches end up together, as words."""
    parts = decompose(load(switches(names, goal, steps=steps)), playouts=100)
    assert parts.evidence is not None
    assert parts.evidence.status == "proved"
    game = parts.game
    return sorted("".join(sorted(str(game.fluents[f].args[0]) for f in s.fluent_numbers)) for s in parts.dependent)


@pytest.mark.parametrize(
    ("goal", "wanted"),
    [
        ("(on a) (on b) (on c) (on d)", "a b c d"),
        ("(or (on a) (on b) (on c) (on d))", "a b c d"),
        (lines(["ab", "ac", "ad", "bc", "bd", "cd"]), "a b c d"),
        (lines(["ab", "cd"]), "ab cd"),
        ("(or (on a) (on b)) (or (on c) (on d))", "ab cd"),
        ("(on a) " + lines(["bc", "bd", "cd"]), "a bcd"),
        (lines(["abc", "ad"]), "a bcd"),
        ("(on a) (not (on b)) (on c) (not (on d))", "a b c d"),
    ],
    ids=["all", "any", "two of four", "either pair", "one of each pair", "one and two of three", "shared", "nonogram"],
)
def test_shapes_of_goals(goal: str, wanted: str) -> None:
    assert blocks(goal) == wanted.split()


def test_rows_or_columns_of_two_by_two_are_two_conditions() -> None:
    """A row or a column of ab|cd: the same as one of a, d and one of b, c."""
    assert blocks(lines(["ab", "cd", "ac", "bd"])) == ["ad", "bc"]


def test_any_two_of_three_groups_are_three_groups() -> None:
    assert blocks(lines(["abcd", "abef", "cdef"]), "abcdef", 6) == ["ab", "cd", "ef"]


def test_the_eight_lines_of_a_board_are_one_game() -> None:
    board = ["abc", "def", "ghi", "adg", "beh", "cfi", "aei", "ceg"]
    assert blocks(lines(board), "abcdefghi", 6) == ["abcdefghi"]


def test_two_boards_both_to_be_won_are_two() -> None:
    two = lines(["ab", "bc", "ca"]) + " " + lines(["de", "ef", "fd"])
    assert blocks(two, "abcdef", 6) == ["abc", "def"]


def test_points_that_are_added_stay_apart() -> None:
    assert named(parts_of("four-lamps")) == ["(on a)", "(on b)", "(on c)", "(on d)"]


def test_lamps_that_fade_cannot_wait_for_each_other() -> None:
    assert named(parts_of("lights-on")) == ["(shines * *)"]
    assert len(parts_of("lights-on-parallel").dependent) == 4


def test_heaps_stay_apart_though_the_end_needs_them_all() -> None:
    assert len(parts_of("nim").dependent) == 4
    assert len(parts_of("nim-misere").dependent) == 4


# ---- the verdict itself ----


def test_the_tie_shows_a_state_that_scores() -> None:
    game = game_of("tictactoe")
    cells: dict[str, list[int]] = {}
    for f, t in enumerate(game.fluents):
        if t.name == "cell":
            cells.setdefault(f"{t.args[0]}{t.args[1]}", []).append(f)
    verdict = tie_by_goals(game, take_sample(game), list(cells.values()))
    assert [len(g) for g in verdict.groups] == [9]
    for tie in verdict.ties:
        assert "needs them together" in tie.what
        assert tie.states.shape == (1, game.batch.initial.shape[1])
    assert judge_evaluation(game, take_sample(game), list(cells.values())) is not None


def test_right_parts_have_no_tie() -> None:
    for name in ("double-tictactoe", "nim:2,3", "four-lamps", "two-track"):
        parts = parts_of(name)
        useful = [s.fluent_numbers for s in parts.dependent if s.useful]
        assert judge_evaluation(parts.game, take_sample(parts.game), useful) is None


def test_one_part_is_never_tied() -> None:
    game = game_of("tictactoe")
    assert tie_by_goals(game, take_sample(game), [range(len(game.fluents))]).ties == []


@pytest.mark.parametrize("name", ["double-tictactoe", "nim:2,3", "tron"])
def test_causes_know_which_groups_have_changed(name: str) -> None:
    game = game_of(name)
    sample = take_sample(game, playouts=100, states=60)
    n = len(game.fluents)
    groups = [[k] for k in range(3)]
    parts = [list(range(0, n, 3)), list(range(1, n, 7)), [n - 1]]
    found = Causes(game, sample, parts, groups, events(game)[0], sample.last, np.random.default_rng(0))
    bits, initial = sample.bits, game.circuit.initial
    for k, part in enumerate(parts):
        assert (found._members(sample.states)[:, k] == (bits[:, part] != initial[part]).any(axis=1)).all()


NUMBERS = " ".join(f"(number {n})" for n in range(12)) + " " + " ".join(f"(succ {n} {n + 1})" for n in range(11))
BIDS = f"""
(role one) (role two) (init open) {NUMBERS}
(<= (below ?m ?n) (succ ?m ?n))
(<= (below ?m ?n) (succ ?m ?k) (below ?k ?n))
(<= (legal ?r (bid ?n)) (role ?r) (number ?n) (true open))
(<= (next (bid ?r ?n)) (does ?r (bid ?n)))
(<= terminal (not (true open)))
"""


def bids(goals: str) -> list[str]:
    return named(decompose(load(BIDS + goals), playouts=200))


def test_a_contest_of_two_players_is_one_game() -> None:
    """Each has a hand in one number only; the score compares the numbers, like a sum of one and minus the other."""
    assert bids("""
        (<= (goal one 100) (true (bid one ?n)) (true (bid two ?m)) (below ?n ?m))
        (<= (goal one 50) (true (bid one ?n)) (true (bid two ?n)))
        (<= (goal one 0) (true (bid one ?n)) (true (bid two ?m)) (below ?m ?n))
        (<= (goal two 100) (true (bid one ?n)) (true (bid two ?m)) (below ?m ?n))
        (<= (goal two 50) (true (bid one ?n)) (true (bid two ?n)))
        (<= (goal two 0) (true (bid one ?n)) (true (bid two ?m)) (below ?n ?m))
        """) == ["(bid * *)"]


@pytest.mark.parametrize("goal", ["(on a) (on b)", lines(["abc", "cd"]), "(on a) (not (on b)) " + lines(["cd", "e"])])
def test_states_on_which_a_part_decides_are_found_if_there_are_any(goal: str) -> None:
    game = load(switches("abcde", goal, steps=3))
    fluents = [f for f, term in enumerate(game.fluents) if term.name == "up"]
    every = np.zeros((2 ** len(fluents), len(game.fluents)), np.bool_)
    every[:, fluents] = (np.arange(len(every))[:, None] >> np.arange(len(fluents))) & 1
    for f in fluents:
        back = every.copy()
        back[:, f] = False
        decides = (game.batch.goals(pack(every)) != game.batch.goals(pack(back))).any()
        states = pivotal_states(game, Invariants(), [[f]], Effort(1e10))
        assert len(states) == decides
        if decides:
            back = unpack(states, len(game.fluents))
            back[:, f] = False
            assert (game.batch.goals(states) != game.batch.goals(pack(back))).any()


def test_cells_that_hardly_any_play_needs_belong_to_their_board() -> None:
    """Five in a row of twenty-four: no random play of six moves does it."""
    letters = "abcdefghijklmnopqrstuvwx"
    assert blocks(lines([letters[k : k + 5] for k in range(20)]), letters, 6) == [letters]
