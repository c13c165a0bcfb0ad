"""What the score needs together: every shape of goal on switches that nothing else ties, and bundled games."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import pytest

from ludisect.circuit.rows import pack
from ludisect.decomposition import decompose
from ludisect.decomposition.evidence.exchange import Question
from ludisect.decomposition.evidence.goals import asked_of, judge_evaluation, tie_by_exchange, tie_by_goals
from ludisect.decomposition.evidence.localmoves import mask_of
from ludisect.decomposition.evidence.sample import take_sample
from ludisect.loader import load
from tests.decomposition.found import PLAYOUTS, game_of, named, parts_of
from tests.decomposition.sheets import RINGS_IN_STEP, lines, switches


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
        ("(on a) " + lines(["bc", "bd", "cd"]), "a b c d"),
        (lines(["abc", "ad"]), "a b c d"),
        (lines(["a", "bc"]), "a b c d"),
        (lines(["ab", "bc", "cd"]), "abcd"),
        ("(on a) (not (on b)) (on c) (not (on d))", "a b c d"),
    ],
    ids=[
        "all",
        "any",
        "two of four",
        "either pair",
        "one of each pair",
        "one and two of three",
        "this and either way",
        "this or both of those",
        "a path",
        "nonogram",
    ],
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


def test_what_is_lost_whatever_is_done_does_not_fade() -> None:
    parts = decompose(load(RINGS_IN_STEP), playouts=PLAYOUTS)
    assert named(parts) == ["(at one *)", "(at three *)", "(at two *)"]
    assert parts.evidence is not None
    assert parts.evidence.status == "proved"


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


def test_questions_are_asked_of_parts_that_their_nets_read() -> None:
    parts = parts_of("nim:2,3")
    heaps = [s.fluent_numbers for s in parts.dependent]
    assert [(q.kind, inside) for q, inside in asked_of(parts.game, heaps)] == [("over", [0, 1])]


NUMBERS = " ".join(f"(number {n})" for n in range(12)) + " " + " ".join(f"(succ {n} {n + 1})" for n in range(11))
BIDS = f"""
(role one) (role two) (init open) (init (bid one none)) (init (bid two none)) {NUMBERS}
(<= (below ?m ?n) (succ ?m ?n))
(<= (below ?m ?n) (succ ?m ?k) (below ?k ?n))
(<= (legal ?r (bid ?n)) (role ?r) (number ?n) (true open))
(<= (next (bid ?r ?n)) (does ?r (bid ?n)))
(<= terminal (not (true open)))
"""


def bids(goals: str) -> list[str]:
    return named(decompose(load(BIDS + goals), playouts=200))


def test_the_lower_of_two_numbers_wins() -> None:
    """Whatever the other bids, each player's own bids are in one order, as if one number were taken from the other."""
    assert bids("""
        (<= (goal one 100) (true (bid one ?n)) (true (bid two ?m)) (below ?n ?m))
        (<= (goal one 50) (number ?n) (true (bid one ?n)) (true (bid two ?n)))
        (<= (goal one 0) (true (bid one ?n)) (true (bid two ?m)) (below ?m ?n))
        (<= (goal two 100) (true (bid one ?n)) (true (bid two ?m)) (below ?m ?n))
        (<= (goal two 50) (number ?n) (true (bid one ?n)) (true (bid two ?n)))
        (<= (goal two 0) (true (bid one ?n)) (true (bid two ?m)) (below ?n ?m))
        """) == ["(bid one *)", "(bid two *)"]


def test_numbers_that_have_to_match_are_one_game() -> None:
    assert bids("""
        (<= same (true (bid one ?n)) (true (bid two ?n)))
        (<= (goal ?r 100) (role ?r) same)
        (<= (goal ?r 0) (role ?r) (not same))
        """) == ["(bid * *)"]


BOARDS = """
(role player) (board one) (board two) (cell a) (cell b) (cell c) (cell d) (line a b) (line c d) (line a c) (line b d)
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (init (step 0))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (legal player (mark ?b ?c)) (board ?b) (cell ?c) (not (true (up ?b ?c))))
(<= (next (up ?b ?c)) (does player (mark ?b ?c)))
(<= (next (up ?b ?c)) (true (up ?b ?c)))
(<= (won ?b) (line ?c ?d) (true (up ?b ?c)) (true (up ?b ?d)) (true (up ?b b)))
(<= terminal (true (step 5)))
"""


def boards(goals: str) -> list[str]:
    return named(decompose(load(BOARDS + goals), playouts=200))


def test_a_score_only_where_a_board_is_won_is_no_score_yet_elsewhere() -> None:
    """Each board gives a score of its own, the play may end without any, and both boards may give one."""
    early = "(<= terminal (won ?b)) (<= (goal player 100) (won one)) (<= (goal player 50) (won two))"
    assert boards(early) == boards(early + " (<= (goal player 0) (not (won one)) (not (won two)))")


def test_a_gap_in_the_rules_says_nothing() -> None:
    """Nobody wrote down what one board won and the other lost is worth, though the play is over then."""
    two = """(<= terminal (won ?b)) (<= (goal player 100) (won one) (won two))
        (<= (goal player 0) (not (won one)) (not (won two)))"""
    whole = two + "(<= (goal player 50) (won one) (not (won two))) (<= (goal player 50) (won two) (not (won one)))"
    assert boards(two) == boards(whole)


@pytest.mark.parametrize("goal", ["(on a) (not (on b))", lines(["ab", "cd"]), lines(["abc", "cde"])])
def test_an_exchange_that_breaks_the_score_joins_what_it_tears_apart(goal: str) -> None:
    """Held against all exchanges of single switches between all states: none that breaks a score can be made after."""
    game = load(switches("abcde", goal, steps=3))
    fluents = [f for f, term in enumerate(game.fluents) if term.name == "up"]
    every = np.zeros((2 ** len(fluents), len(game.fluents)), np.bool_)
    every[:, fluents] = (np.arange(len(every))[:, None] >> np.arange(len(fluents))) & 1
    score = game.batch.goals(pack(every))[:, 0].tolist()
    broken = 0
    for s, t, swapped in product(range(len(every)), repeat=3):
        both = (s & ~swapped) | (t & swapped), (t & ~swapped) | (s & swapped)
        if broken < 60 and min(score[s], score[t]) > max(score[both[0]], score[both[1]]):
            broken += 1
            mask = mask_of(game, [f for k, f in enumerate(fluents) if swapped >> k & 1])
            ties = tie_by_exchange(game, [[f] for f in fluents], Question(0, "score"), pack(every[[s, t]]), mask)
            assert any(len({swapped >> k & 1 for k in tie}) == 2 for tie in ties)
            assert all((s ^ t) >> k & 1 for tie in ties for k in tie)
    assert bool(broken) == ("not" not in goal)


def test_cells_that_hardly_any_play_needs_belong_to_their_board() -> None:
    """Five in a row of twenty-four: no random play of six moves does it."""
    letters = "abcdefghijklmnopqrstuvwx"
    assert blocks(lines([letters[k : k + 5] for k in range(20)]), letters, 6) == [letters]
