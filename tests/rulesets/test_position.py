"""Positions as objects: read by their class, shown, turned round, added up, and worth what the search says."""

from __future__ import annotations

import pickle
import random
from dataclasses import FrozenInstanceError
from fractions import Fraction
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludisect
from ludisect import rulesets
from ludisect.cgt import Value, number
from ludisect.errors import BudgetExceeded, InputError
from ludisect.rulesets import (
    Domineering,
    GridPosition,
    Impartial,
    Negative,
    Nim,
    Player,
    Position,
    read_component,
)
from ludisect.rulesets.notation import position
from ludisect.sums import LocalSearch, Sum, WholeSearch
from ludisect.sums.limits import SumsLimits

from .subtract import Subtract

TEXTS = {
    "Amazons": ["X..|..O", "2x2"],
    "CannibalClobber": ["XO.|OX.", "2x3"],
    "Clobber": ["XO.|OX.", "2x3", "XXO"],
    "Col": ["2x3", ".X.|...", "x.o|..#"],
    "Cram": ["2x3", "..#|..."],
    "Domineering": ["2x3", "..#|..."],
    "Hackenbush": ["BRG GB", "0-1B 1-2R 2-0G"],
    "Nim": ["3 5 7", "0"],
    "NoGo": [".X|..", "1x4"],
    "OctalHeaps": ["0.137 6 5", "kayles 4"],
    "Pawns": ["a2 / a7", "c3 h2 / c7 h6"],
    "Regio": ["2x3", "X..|..O"],
    "RegioGraph": ["1-2 2-3 7 4X", "3"],
    "Snort": ["1x4", ".X.|..."],
    "Toads": ["TT..FF", "T.F|F.T"],
    "Toppling": ["XXO#", "X"],
}
EACH = [(name, text) for name, texts in TEXTS.items() for text in texts]
LAST_MOVE_WINS = [each for each in EACH if "Regio" not in each[0] and each[0] != "Pawns"]


def kind(name: str) -> Any:
    return getattr(rulesets, name)


def later(start: Position, seed: int) -> Position:
    """A position that a random play passes through; a player who cannot move is passed over."""
    source = random.Random(seed)
    for _ in range(source.randrange(4)):
        player = source.choice(list(Player))
        moves = start.moves(player)
        if moves:
            start = start.play(player, source.choice(list(moves)))
    return start


def forms(found: Position) -> list[Position]:
    """A position, its negative, and its impartial form if it has one: a game with outright wins has none."""
    return [found, Negative(found), *([] if found.outright else [Impartial(found)])]


def test_every_class_of_the_room_is_looked_at() -> None:
    kinds = {name for name in rulesets.__all__ if isinstance(kind(name), type) and issubclass(kind(name), Position)}
    assert kinds - {"GridPosition", "Impartial", "Negative", "FinalScore", "Position"} == set(TEXTS)


# ---- text --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "text"), EACH)
def test_a_class_reads_its_text(name: str, text: str) -> None:
    found = kind(name)(text)
    assert type(found) is kind(name)
    assert found == kind(name).parse(text) == position(f"{found.name} {text}")
    with pytest.raises(FrozenInstanceError):
        found.cells = ""


@pytest.mark.parametrize(("name", "text"), EACH)
def test_what_is_shown_can_be_pasted(name: str, text: str) -> None:
    for seed in range(20):
        found = later(kind(name)(text), seed)
        assert eval(repr(found), vars(rulesets)) == found
        for wrapped in forms(found)[1:]:
            assert eval(repr(wrapped), vars(rulesets)) == wrapped
        assert pickle.loads(pickle.dumps(found)) == found
        if getattr(found, "heaps", True) and str(found):  # no text says that nothing is there
            assert read_component(f"{found.name} {found}") == found


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("Domineering", "..|...", "row 2 has 3 cells, row 1 has 2"),
        ("Domineering", "", "the board is empty"),
        ("Nim", "3 x", "'x' is no heap size"),
        ("OctalHeaps", "0.9 3", "octal code"),
        ("OctalHeaps", "0.137", "'' is no heap size"),
        ("Hackenbush", "BX", "neither a stalk"),
        ("Toppling", "X.O", "made of X, O and #, as in XXO#X, not 'X.O'"),
    ],
)
def test_bad_texts(name: str, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        kind(name)(text)


def test_the_position_of_a_text() -> None:
    d = position("domineering 4x4")
    assert d == Domineering("4x4") == Domineering(4, 4, "." * 16) == position(d)
    assert ludisect.position("impartial toads T.F") == Impartial(kind("Toads")("T.F"))
    for text, message in [
        ("domineering 2x2 + nim 3", r"is a sum; add its positions up by \+, or write ludisect.sums.Sum\('domineering"),
        ("{1|*}", r"is a value, not the position of a game; write ludisect.Value\('{1\|\*}'\)"),
        ("domineerin 4x4", "did you mean domineering"),
        ("", "the expression is empty"),
    ]:
        with pytest.raises(InputError, match=message):
            position(text)
    with pytest.raises(TypeError, match="position takes the text of a position, such as 'domineering 4x4', not int"):
        position(3)  # type: ignore[arg-type]


# ---- pictures ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "text"), EACH)
def test_notebooks_show_positions(name: str, text: str) -> None:
    found = kind(name)(text)
    for shown in forms(found):
        root = ElementTree.fromstring(shown._repr_html_())
        assert root.findtext("code") == f"{shown.name} {shown}"
        svg = root.find("{http://www.w3.org/2000/svg}svg")
        assert (svg is not None) == (found.diagram() is not None)
        if svg is not None and isinstance(found, GridPosition):
            cells = [e for e in svg.iter() if e.get("data-row") is not None]
            assert [e.get("data-holds") for e in cells] == ["" if x == "." else x for x in found.cells]
            signs = [str(e.get("data-piece")) for e in svg.iter() if e.get("data-piece")]
            assert len(signs) == sum(x != "." for x in found.cells)
            assert signs.count("blocked") == found.cells.count("#")


# ---- the negative --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "text"), EACH)
def test_the_negative_exchanges_the_players(name: str, text: str) -> None:
    search = LocalSearch(kernel="plain")
    for seed in range(12):
        found = later(kind(name)(text), seed)
        for other in {-found, Negative(found)}:
            assert search.value(other) is -search.value(found)
            for player in Player:
                here = sorted(str(-search.value(found.play(player, m))) for m in found.moves(player))
                there = player.opponent
                assert here == sorted(str(search.value(other.play(there, m))) for m in other.moves(there))
        back = -found
        assert search.value(-back) is search.value(found)


def test_negatives_of_ones_own() -> None:
    game = Subtract(4)
    other = -game
    assert isinstance(other, Negative)
    assert -other is game
    assert other.value is -game.value
    assert (game + other).outcome == "P"
    assert {other, Negative(Subtract(4))} == {other}
    assert str(Sum([other])) == "negative subtract 4"
    assert -Impartial(game) == Impartial(game)
    assert position("negative clobber XXO") == position("clobber OOX")
    assert position("negative nim 3") == Nim("3")
    with pytest.raises(
        InputError, match="'negative' is followed by a game and a position, as in: negative domineering"
    ):
        position("negative {1|0}")


def test_a_negative_knows_what_its_game_knows() -> None:
    board = Domineering("..#|...|.#.")
    low, high = board.bounds()
    other = Negative(board)
    assert other.bounds() == (-high, -low)
    assert other.estimate() == -board.estimate()
    assert other.terminal_value() is None
    assert Negative(rulesets.Amazons("X..")).terminal_value() == -2
    move = board.moves(Player.LEFT)[0]
    assert other.move_text(move) == board.move_text(move)
    assert other.play(Player.RIGHT, move) == -board.play(Player.LEFT, move)


# ---- values and sums -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "text"), EACH)
def test_a_position_is_worth_what_the_search_says(name: str, text: str) -> None:
    found = kind(name)(text)
    g = LocalSearch(kernel="plain").value(found)
    assert found.value is ludisect.value(found) is ludisect.value(f"{found.name} {found}") is g
    assert (found.outcome, found.mean, found.temperature) == (g.outcome, g.mean, g.temperature)
    assert found.thermograph == g.thermograph


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(LAST_MOVE_WINS), st.integers(0, 10**6)), min_size=1, max_size=2))
def test_sums_of_positions_against_plain_search(chosen: list[tuple[tuple[str, str], int]]) -> None:
    parts = [later(kind(name)(text), seed) for (name, text), seed in chosen]
    total = Sum([])
    for x in parts:
        total = total + x
    assert total.components == tuple(parts)
    assert total.outcome == total.value.outcome == WholeSearch(local_nodes=0).outcome(parts)
    assert total.value is sum((x.value for x in parts), number(0))
    assert total.mean == total.value.mean
    assert (-total).value is -total.value


def test_what_can_be_added() -> None:
    d = Domineering("2x2")
    half = Value("1/2")
    for total, shown in [
        (d + d, "domineering ..|.. + domineering ..|.."),
        (d + "nim 3 + ^", "domineering ..|.. + nim 3 + ↑"),
        (d + 0.5, "domineering ..|.. + 1/2"),
        (d + half, "domineering ..|.. + 1/2"),
        (half + d, "1/2 + domineering ..|.."),
        (Fraction(1, 2) + d, "1/2 + domineering ..|.."),
        ("nim 3" + d, "nim 3 + domineering ..|.."),
        (d - Nim("3"), "domineering ..|.. + nim 3"),
        (d - "toads T..", "domineering ..|.. + toads ..O"),
        (d - half, "domineering ..|.. + -1/2"),
        (2 - d, "2 + domineering ..|.."),
        (half - d, "1/2 + domineering ..|.."),
        ("nim 3" - d, "nim 3 + domineering ..|.."),
        (sum([d, d]), "domineering ..|.. + domineering ..|.."),
        (d + (d + 1), "domineering ..|.. + domineering ..|.. + 1"),
        ((d + 1) - (d + "toads T.."), "domineering ..|.. + 1 + domineering ..|.. + toads ..O"),
        (half + (d + 1), "1/2 + domineering ..|.. + 1"),
        ("nim 3" - (d + 1), "nim 3 + domineering ..|.. + -1"),
        (half - (d + 1), "1/2 + domineering ..|.. + -1"),
    ]:
        assert isinstance(total, Sum)
        assert str(total) == shown
        assert total.value is ludisect.value(shown) is ludisect.value(total)
    for wrong in ([d], None, {"a": 1}, Player.LEFT):
        with pytest.raises(
            TypeError, match=f"numbers, sums, and texts such as 'nim 3 .*', not of {type(wrong).__name__}"
        ):
            d + wrong  # type: ignore[operator]
    with pytest.raises(InputError, match="unknown game 'nimm'; did you mean nim"):
        d + "nimm 3"


def test_what_has_a_value() -> None:
    d = Domineering("2x3")
    assert ludisect.value(3) == 3
    assert ludisect.value(0.5) == 0.5
    assert ludisect.value(Value("*")) is Value("*")
    assert ludisect.value(d + "nim 3", seconds=60.0) is d.value + Value("*3")
    for wrong in ([d], None, Player.LEFT):
        with pytest.raises(TypeError, match=f"a number, a Value, a Position or a Sum, not {type(wrong).__name__}"):
            ludisect.value(wrong)  # type: ignore[arg-type]


def test_a_board_without_values_near_by_is_played_out() -> None:
    """The value of this board is further away than is looked for; its outcome is found by compiled plays."""
    board = position("clobber .OOX|XOOX|OXOX")
    with pytest.raises(BudgetExceeded):
        LocalSearch(nodes=SumsLimits().decide_few).value(board)
    assert board.outcome == LocalSearch(kernel="plain").value(board).outcome == "R"
    assert (-board).outcome == Negative(board).outcome == "L"
