"""Heuristic local search: it ends with the exact value, and estimates are better than none."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from ludisect.cgt import parse, reduced
from ludisect.errors import InputError
from ludisect.rulesets import Amazons, Col, Domineering, Snort, Toads
from ludisect.rulesets.grid import SWAP_STONES, GridPosition
from ludisect.sums.deepening import Guess, deepen
from ludisect.sums.local import LocalSearch

GAMES: dict[type[GridPosition], tuple[str, int, int]] = {
    Amazons: (".....XO#", 2, 3),
    Col: ("....XO", 3, 3),
    Domineering: ("...#", 3, 4),
    Snort: ("....XO", 2, 4),
}
"""Games with an estimate: cells to draw from, and a size whose values are quickly found."""


def boards(game: type[GridPosition], number: int) -> list[GridPosition]:
    """Random boards without clashes of colors."""
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


def test_a_game_without_estimate_is_refused() -> None:
    with pytest.raises(InputError, match="has no estimate"):
        list(deepen(Toads.parse("TT...FF")))


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
