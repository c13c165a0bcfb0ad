"""Heuristic local search: it ends with the exact value, and estimates are better than none."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from ludisect.cgt import Value, number, parse, reduced
from ludisect.cgt.value import canonical
from ludisect.errors import InputError
from ludisect.rulesets import (
    Amazons,
    CannibalClobber,
    Clobber,
    Col,
    Domineering,
    NoGo,
    Player,
    Position,
    Regio,
    Snort,
    Toads,
)
from ludisect.rulesets.grid import SWAP_STONES, GridPosition
from ludisect.rulesets.notation import position
from ludisect.sums.deepening import Deepening, Guess, deepen
from ludisect.sums.guessing import GuessedValues
from ludisect.sums.local import LocalSearch

GAMES: dict[type[GridPosition], tuple[str, int, int]] = {
    Amazons: (".....XO#", 2, 3),
    Col: ("....XO", 3, 3),
    Domineering: ("...#", 3, 4),
    Snort: ("....XO", 2, 4),
}
"""Games with an estimate: cells to draw from, and a size whose values are quickly found."""


def boards(game: type[GridPosition], number: int) -> list[GridPosition]:
    """Random boards without clashes of colours."""
    source, (letters, rows, cols) = random.Random(game.name), GAMES[game]
    out: list[GridPosition] = []
    while len(out) < number:
        board = game.parse("|".join("".join(source.choices(letters, k=cols)) for _ in range(rows)))
        if game not in (Col, Snort) or "." in board.cells:
            out.append(board)
    return out


@pytest.mark.parametrize("game", GAMES)
def test_it_ends_with_the_exact_value(game: type[GridPosition]) -> None:
    search = LocalSearch()
    for board in boards(game, 6):
        found = list(deepen(board))
        assert found[-1].exact
        assert [g.depth for g in found] == list(range(1, len(found) + 1))
        assert found[-1].value is search.value(board)
        assert all(g.value is reduced(g.value) for g in found[:-1])
        assert not any(g.exact for g in found[:-1])


@pytest.mark.parametrize("game", GAMES)
def test_an_estimate_changes_sign_with_the_players(game: type[GridPosition]) -> None:
    for board in boards(game, 20):
        if game is Domineering:
            columns = zip(*[iter(board.cells)] * board.cols, strict=True)
            mirror = Domineering.parse("|".join("".join(x) for x in zip(*columns, strict=True)))
        else:
            mirror = type(board)(board.rows, board.cols, board.cells.translate(SWAP_STONES))  # type: ignore[assignment]
        guess, other = board.estimate(), mirror.estimate()
        assert guess is not None
        assert other == -guess


def error(board: GridPosition, search: LocalSearch, depth: int) -> Fraction:
    """How far the mean found at a depth (0: the estimate alone) is from the true mean."""
    true = search.value(board).mean
    if depth == 0:
        guess = board.estimate()
        assert guess is not None
        return abs(true - guess)
    last: list[Guess] = list(deepen(board, most=depth))
    return abs(true - last[-1].value.mean)


@pytest.mark.parametrize("game", GAMES)
def test_estimates_are_better_than_none_and_depth_helps(game: type[GridPosition]) -> None:
    search, sample = LocalSearch(), boards(game, 25)
    nothing = sum((abs(search.value(b).mean) for b in sample), Fraction(0))
    by_depth = [sum((error(b, search, d) for b in sample), Fraction(0)) for d in (0, 2, 4)]
    assert by_depth[0] < nothing * Fraction(3, 4)
    assert by_depth[2] < by_depth[0]
    assert by_depth[2] <= by_depth[1]


class Riddle(Toads):
    """A game about which nobody dares to guess."""

    name = "riddle"

    def estimate(self) -> None:
        return None


def test_a_game_without_estimate_is_refused() -> None:
    with pytest.raises(InputError, match="'riddle' has no estimate"):
        list(deepen(Riddle("TT...FF")))


OTHERS: dict[type[GridPosition], tuple[str, int, int]] = {
    CannibalClobber: (".XOXO#", 2, 4),
    NoGo: ("....XO#", 3, 3),
    Toads: ("..XO#", 1, 8),
}
"""Games without an estimate of their own."""


@pytest.mark.parametrize("game", OTHERS)
def test_counting_moves_is_better_than_nothing(game: type[GridPosition]) -> None:
    source, (letters, rows, cols), search = random.Random(game.name), OTHERS[game], LocalSearch()
    ours, nothing = Fraction(0), Fraction(0)
    for _ in range(40):
        board = game.parse("|".join("".join(source.choices(letters, k=cols)) for _ in range(rows)))
        mean, guess = search.value(board).mean, board.estimate()
        assert guess is not None
        assert (-board).estimate() == -guess
        ours, nothing = ours + abs(mean - guess), nothing + abs(mean)
    assert ours < nothing * Fraction(19, 20)


# ---- Mäser 2001, 8.4.4 ----------------------------------------------------------------------------------------------


def test_figure_8_7_depth_by_depth() -> None:
    """The 4x2 rectangle of Regio: value, stops and temperature at each depth.

    The root is at depth 0. As the thesis prints its algorithm (8.3.2), the root is called with depth 1 and estimated at
    limit 1, where it would be 0; the values that it prints are those of one move more.
    """
    board = Regio("4x2")
    assert board.estimate() == 0
    found = list(deepen(board, published=True))
    last = "{8|6||2|0|||0|-2||-6|-8}"
    assert [g.value for g in found] == [parse(x) for x in ("{4|-4}", "{7|1||-1|-7}", last, last)]
    assert [int(g.value.left_stop) for g in found] == [4, 1, 2, 2]
    assert [int(g.value.right_stop) for g in found] == [-4, -1, -2, -2]
    assert {g.value.temperature for g in found} == {4}
    assert [g.exact for g in found] == [False, False, False, True]


# ---- several parts together -----------------------------------------------------------------------------------------


def test_all_parts_are_searched_at_each_depth() -> None:
    parts: list[Position] = [Domineering("3x4"), Domineering("2x2"), Domineering("2x3")]
    search = Deepening(published=True)
    depths = search.deepen(parts)
    seen = []
    for depth in depths:
        guesses = [search.part_guess(part) for part in parts]
        seen.append([g.exact for g in guesses])
        assert all(g.depth == depth or g.exact for g in guesses)
        for part, guess in zip(parts, guesses, strict=True):
            assert guess.value is list(deepen(part, most=depth, published=True))[-1].value
    assert seen[0] == [False, False, False]
    assert seen[1][1]
    assert not seen[1][0]
    assert seen[-1] == [True, True, True]
    assert [search.part_guess(x).value for x in parts] == [x.value for x in parts]


@pytest.mark.parametrize("published", [False, True])
def test_what_a_part_can_become_is_known_one_depth_less(published: bool) -> None:
    part = Domineering("4x4")
    search = Deepening(published=published)
    for depth in search.deepen([part], most=3):
        for player in Player:
            for move in part.moves(player):
                after = part.play(player, move)
                guess = search.guess(after)
                if depth > 1 and not guess.exact:
                    assert guess.depth == depth - 1
                    if published:
                        assert guess.value is list(deepen(after, most=depth - 1, published=True))[-1].value


def test_what_is_known_is_not_searched() -> None:
    local = LocalSearch()
    exact = local.value(Domineering("4x4"))
    search = Deepening(recall=local.recall)
    assert list(search.deepen([Domineering("4x4")])) == [1]
    assert search.guess(Domineering("4x4")) == Guess(exact, 1, True, 0)
    assert search.nodes == 0


def test_a_limit_in_the_middle_of_a_depth_keeps_what_was_finished() -> None:
    small, large = Domineering("4x4"), Domineering("8x8")
    search = Deepening(nodes=400)
    assert list(search.deepen([large, small])) == [1]
    assert search.part_guess(small).depth > search.part_guess(large).depth == 1


def test_splitting_again_looks_further() -> None:
    """Mäser's rectangle needs depth 4 as a whole, and 3 if every part is searched so deep."""
    board = Regio("4x2")
    *_, last = deepen(board)
    assert (last.depth, last.exact) == (3, True)
    assert last.value is board.value


@pytest.mark.parametrize("text", ["domineering 3x4", "regio 2x4", "col 2x3", "clobber 2x4"])
def test_each_depth_against_the_definition(text: str) -> None:
    """Positions searched without tables, parts or keys: the same up to infinitesimals."""

    def plain(board: Position, depth: int) -> Value:
        left, right = ([(p, m) for m in board.moves(p)] for p in Player)
        if not left and not right:
            return number(board.score() or 0)
        if depth == 0:
            return number(board.estimate() or 0)
        options = ([plain(board.play(p, m), depth - 1) for p, m in side] for side in (left, right))
        return canonical(*map(list, options))

    board = position(text)
    for guess in deepen(board, most=3, published=True):
        assert reduced(guess.value) is reduced(plain(board, guess.depth))


def test_what_was_searched_before_is_not_searched_again() -> None:
    board = Regio("3x5")
    guesses = GuessedValues([board], depth=2)
    seen = guesses.nodes
    guesses.look([board])
    assert guesses.nodes == seen
    after = board.play(Player.LEFT, 7)
    guesses.look([after])
    assert guesses.nodes > seen
    assert {g.depth for g in guesses.guesses(after) if not g.exact} <= {2}


def test_processes_guess_the_same() -> None:
    parts: list[Position] = [Domineering("4x4"), Domineering("3x4"), Clobber("3x3")]
    alone, together = GuessedValues(parts, depth=2), GuessedValues(parts, depth=2, jobs=2)
    assert alone.all_values(parts) == together.all_values(parts)
    assert alone.doubts(parts) == together.doubts(parts) == "guessed: searched to depth 2, estimates beyond"
    after = [part.play(p, m) for part in parts for p in Player for m in part.moves(p)]
    assert alone.all_values(after) == together.all_values(after)


def test_a_reduced_option_does_not_spoil_an_exact_value() -> None:
    """{*|1} is 0, but {0|1} is 1/2: only what depends on an estimate may be reduced."""
    board = Domineering.parse("#...|...#|....")
    assert list(deepen(board))[-1].value is LocalSearch().value(board) is parse("{1|-2*}")


def test_tables_may_be_small() -> None:
    board = Domineering.parse("3x4")
    # what is forgotten is guessed again, so that guesses may differ, but never the end
    tight = list(deepen(board, entries=10))[-1]
    assert tight.exact
    assert tight.value is LocalSearch().value(board)


def test_limits() -> None:
    assert [g.depth for g in deepen(Domineering.parse("3x4"), most=2)] == [1, 2]
    assert list(deepen(Domineering.parse("4x4"), seconds=0.0)) == []
