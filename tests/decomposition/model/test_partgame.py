"""A part as a game of its own: it plays like the game it was glued from."""

from __future__ import annotations

import pytest

import ludisect
from tests.search.slow_twins import reachable


@pytest.mark.parametrize("number", [1, 2])
def test_one_heap_of_nim_is_nim_with_one_heap(number: int) -> None:
    parts = ludisect.decompose(ludisect.load("nim:3,5"))
    size = (3, 5)[number - 1]
    alone = parts[number].game
    # every size on either player's turn, but the full heap only on the first player's
    assert len(reachable(alone)) == len(reachable(ludisect.load(f"nim:{size}")))


def test_a_board_of_the_pair_is_tic_tac_toe() -> None:
    parts = ludisect.decompose(ludisect.load("double-tictactoe"))
    one = parts[1].game.playouts.run(20_000, seed=3)
    game = ludisect.load("tictactoe").playouts.run(20_000, seed=3)
    assert abs(one.states / one.playouts - game.states / game.playouts) < 0.1


def test_compound_moves_become_single_ones() -> None:
    parts = ludisect.decompose(ludisect.load("parallel-tictactoe"))
    board = parts[2].game
    assert len(board.legal_moves(board.initial_state())["xplayer"]) == 9


def test_a_part_is_taken_apart_again_into_itself() -> None:
    parts = ludisect.decompose(ludisect.load("double-tictactoe"))
    again = ludisect.decompose(parts[1].game)
    assert len(again.dependent) == 1
    assert again.dependent[0].fluent_numbers == parts.dependent[0].fluent_numbers
