"""States as boards: pieces stand where the fluents say, and nothing that holds is left out."""

from __future__ import annotations

from functools import cache
from xml.etree import ElementTree

import pytest

import ludisect
from ludisect.circuit.game import Game
from ludisect.draw.boards import boards_of
from ludisect.games.bundled import names
from ludisect.games.source import find_rules
from ludisect.gdl import Interpreter
from tests.draw.boxes import labels


@cache
def game_of(name: str) -> Game:
    return ludisect.load(name)


def drawn(name: str, line: str) -> str:
    return str(game_of(name).start.play_line(line))


def test_one_board() -> None:
    assert drawn("tictactoe", "(mark 2 3) (mark 1 1)") == (
        "(cell ↓ → *) ·=b\n"
        "  1 2 3\n"
        "1 o · ·\n"
        "2 · · x\n"
        "3 · · ·\n"
        "(control xplayer)"
    )  # fmt: skip


def test_two_boards_side_by_side() -> None:
    assert drawn("double-tictactoe", "(mark1 1 1) (mark2 2 2)") == (
        "(cell1 ↓ → *) ·=b   (cell2 ↓ → *) ·=b\n"
        "  1 2 3               1 2 3\n"
        "1 x · ·             1 · · ·\n"
        "2 · · ·             2 · o ·\n"
        "3 · · ·             3 · · ·\n"
        "(control xplayer)"
    )


def test_rows_count_upwards_where_columns_come_first() -> None:
    lines = drawn("connect-four", "(drop 4) (drop 4) (drop 3)").splitlines()
    assert lines[0] == "(cell → ↑ *) ·=empty r=red y=yellow"
    assert lines[-3:] == ["2 · · · y · · ·", "1 · · r r · · ·", "(control yellow)"]


def test_heaps_and_the_result() -> None:
    assert drawn("nim:1,2", "(reduce b 0) (reduce a 0)") == (
        "(heap ↓ →)\n"
        "  0 1 2\n"
        "a ● ·\n"
        "b ● · ·\n"
        "(control player1)\n"
        "over: player1 0, player2 100"
    )  # fmt: skip


def test_without_a_board() -> None:
    assert drawn("rock-paper-scissors", "(show rock) (show paper)") == "(score left 0) (score right 1) (thrown 1)"
    assert drawn("four-lamps", "") == "no fluent holds"


def test_boards_of_the_interpreter_have_the_fluents_that_it_knows_of() -> None:
    start = Interpreter(find_rules("tictactoe")).start
    assert str(start.play("(mark 1 2)")) == str(game_of("tictactoe").start.play("(mark 1 2)"))


@pytest.mark.parametrize("name", names())
def test_what_is_on_no_board_is_listed(name: str) -> None:
    game = game_of(name)
    state = game.start
    boards = boards_of(game.fluents, state.fluents, game.rules)
    placed = {game.fluents[f] for board in boards for cell in board.cells.values() for f in cell.fluents}
    text, svg = str(state), state._repr_svg_()
    picture = " ".join(label.text for label in labels(svg))
    for fluent in state.fluents:
        assert (str(fluent) in text) == (str(fluent) in picture) == (fluent not in placed), fluent
    for board in boards:
        assert board.title in text
        assert board.symbol in picture
    assert {e.get("id") for e in ElementTree.fromstring(svg).iter()} == {None}


def test_squares_of_the_picture_carry_what_the_text_shows() -> None:
    state = game_of("connect-four").start.play_line("(drop 4) (drop 4) (drop 3)")
    root = ElementTree.fromstring(state._repr_svg_())
    titles = [e.text for e in root.iter("{http://www.w3.org/2000/svg}title")]
    assert titles[0] == "State of connect-four: 3 moves made, yellow chooses from 7"
    assert {t for t in titles if t and t.startswith("row") and not t.endswith("empty")} == {
        "row 1, column 3, red", "row 1, column 4, red", "row 2, column 4, yellow",
    }  # fmt: skip
    assert len(titles) == 1 + 42
    last = [e for e in root.iter() if e.get("data-last")]
    assert [e.get("data-role") for e in last] == ["red"]
