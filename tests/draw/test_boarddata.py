"""Boards and moves as data: on every bundled game and every ruleset, JSON-ready, moves where they change things."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

import ludisect
from ludisect.draw.boarddata import Where
from ludisect.draw.ruleboards import RuleBoards
from ludisect.draw.sumboards import SumBoards
from ludisect.games.bundled import names
from ludisect.gdl.state import State
from ludisect.rulesets.notation import GAMES, read_component
from ludisect.rulesets.position import Player, Position
from ludisect.sums.table import Sum

POSITIONS = {
    "amazons": "X..|..O",
    "cannibal_clobber": "XX.|OXO",
    "clobber": "2x3",
    "col": "X..|...",
    "cram": "3x3",
    "domineering": "4x4",
    "hackenbush": "BRG 0-5B 5-6R 0-6G 0-0B",
    "nim": "3 0 5",
    "nogo": "2x3",
    "octal": "0.137 4 6",
    "pawns": "a2 b2 h2 / a6 b7",
    "regio": "1-2 2-3 5 6X",
    "snort": "X..|...",
    "toads": "TT..FF|T.F#TF",
    "toppling_dominoes": "XXO#X",
}


def test_every_ruleset_has_a_position_here() -> None:
    assert set(POSITIONS) == set(GAMES)


def _check(data: dict[str, Any]) -> None:
    """Cells lie on their boards, moves on cells; and all of it is JSON."""
    json.dumps(data)
    for board in data["boards"]:
        places = [tuple(cell["at"]) for cell in board["cells"]]
        assert len(set(places)) == len(places)
        for row, column in places:
            assert 0 <= row < len(board["rows"])
            assert 0 <= column < len(board["columns"])
    for move in data["moves"]:
        where = move["where"]
        for spot in (where, *where.get("also", ())):
            if spot["board"] is None:
                assert (spot["kind"], spot["cells"]) == ("list", [])
            else:
                board = data["boards"][spot["board"]]
                assert spot["cells"]
                known = {tuple(cell["at"]) for cell in board["cells"]}
                assert {tuple(at) for at in spot["cells"]} <= known or board["kind"] == "heaps"


# ---- rules ----


@pytest.mark.parametrize("name", names())
def test_bundled_games(name: str) -> None:
    game = ludisect.load(name)
    seen = RuleBoards(game)
    state: State[Any] = game.start
    rng = Random(1)
    for _ in range(5):
        _check(seen.to_json(state))
        if state.is_over:
            break
        state = state.play({role: rng.choice(moves) for role, moves in state.legal.items()})


def _where(game: str, move: str, line: str = "") -> Where:
    loaded = ludisect.load(game)
    state = loaded.start.play_line(line)
    return next(m.where for m in RuleBoards(loaded).moves(state) if m.move == move)


@pytest.mark.parametrize(
    ("game", "move", "kind", "board", "cells"),
    [
        ("tictactoe", "(mark 2 3)", "cell", 0, ((1, 2),)),
        ("double-tictactoe", "(mark2 1 3)", "cell", 1, ((0, 2),)),
        ("domineering", "(place 2 1)", "edge", 0, ((1, 0), (2, 0))),
        ("breakthrough", "(move 1 2 2 3)", "from-to", 0, ((6, 0), (5, 1))),
        ("connect-four", "(drop 3)", "column", 0, ((5, 2),)),
        ("nim", "(reduce c 2)", "heap", 0, ((2, 2),)),
        ("knights-tour", "(move 2 3)", "from-to", 0, ((0, 0), (1, 2))),
        ("kayles", "(bowl a 2 3)", "edge", 0, ((0, 1), (0, 2))),
        ("toads-and-frogs", "(move b 2)", "from-to", 0, ((1, 1), (1, 2))),
        ("triple-tictactoe", "(mark right 1 1)", "cell", 2, ((0, 0),)),
        ("lights-out", "(press 2 2)", "cell", 0, ((1, 1),)),
        ("reversi", "(place 2 3)", "cell", 0, ((1, 2),)),
        ("amazons", "(go 1 1 1 2 1 3)", "from-to", 0, ((0, 0), (0, 1), (0, 2))),
        ("four-lamps", "(push a)", "list", None, ()),
    ],
)
def test_where_moves_are_made(game: str, move: str, kind: str, board: int | None, cells: tuple[Any, ...]) -> None:
    where = _where(game, move)
    assert (where.kind, where.board, where.cells) == (kind, board, cells)


def test_one_move_on_two_boards() -> None:
    where = _where("parallel-tictactoe", "(mark a1 b3)")
    assert (where.board, where.cells) == (0, ((2, 0),))
    assert [(w.board, w.cells) for w in where.also] == [(1, ((0, 1),))]


def test_who_waits_makes_a_move_nowhere() -> None:
    game = ludisect.load("nim")
    waiting = [m for m in RuleBoards(game).moves(game.start) if m.move == "noop"]
    assert [m.where.kind for m in waiting] == ["list"]


def test_layers_of_one_board_and_boards_side_by_side() -> None:
    """Queens and free squares of amazons are one board; the two of double tic-tac-toe are not."""
    game = ludisect.load("amazons")
    (amazons,) = RuleBoards(game).boards(game.start)
    assert amazons.title == "free, queen"
    assert {(s.holds, s.glyph) for s in amazons.squares} == {
        ("", ""),
        ("white", "stone-white"),
        ("black", "stone-black"),
    }
    later = game.start.play("(go 1 1 1 2 1 1)")
    (amazons,) = RuleBoards(game).boards(later)
    assert {s.at: s.holds for s in amazons.squares}[0, 0] == "taken"
    for name in ("double-tictactoe", "parallel-tictactoe", "serial-tictactoe"):
        game = ludisect.load(name)
        assert len(RuleBoards(game).boards(game.start)) == 2


def test_parts_and_dominoes() -> None:
    game = ludisect.load("double-tictactoe")
    seen = RuleBoards(game, ludisect.decompose(game))
    state = game.start.play_line("(mark1 1 1); (mark2 2 2)")
    first, second = seen.boards(state)
    assert (first.part, second.part) == (1, 2)
    assert {s.part for s in first.squares} == {1}
    assert [(p.cells, p.role, p.last) for p in second.pieces] == [(((1, 1),), "oplayer", True)]
    assert {m.part for m in seen.moves(state) if m.role == "xplayer"} == {1, 2}
    game = ludisect.load("domineering")
    (board,) = RuleBoards(game).boards(game.start.play_line("(place 1 1); (place 1 2)"))
    assert [(p.cells, p.glyph, p.last) for p in board.pieces] == [
        (((0, 0), (1, 0)), "domino-first", False),
        (((0, 1), (0, 2)), "domino-second", True),
    ]


def test_heaps_are_heaps() -> None:
    game = ludisect.load("nim:3,1,5")
    (board,) = RuleBoards(game).boards(game.start.play("(reduce c 2)"))
    assert (board.kind, board.columns) == ("heaps", ("a", "b", "c"))
    assert sorted(s.at[1] for s in board.squares) == [0, 0, 0, 1, 2, 2]


# ---- rulesets ----


@pytest.mark.parametrize("name", sorted(POSITIONS))
@pytest.mark.parametrize("form", ["{}", "negative {}"])
def test_rulesets(name: str, form: str) -> None:
    table = Sum([read_component(form.format(f"{name} {POSITIONS[name]}"))])
    rng = Random(2)
    player = Player.LEFT
    for _ in range(6):
        seen = SumBoards(table)
        _check(seen.to_json())
        numbers = [part.number for part in seen.parts]
        assert len(set(numbers)) == len(numbers)
        for part in seen.parts:
            assert not part.cells or part.board is not None
        assert all(m.where.kind != "list" for m in seen.moves)
        moves = table.moves(player)
        if not moves:
            break
        table, player = table.play(rng.choice(moves)), player.opponent


@pytest.mark.parametrize("name", sorted(POSITIONS))
def test_cells_of_parts_are_those_of_the_parts(name: str) -> None:
    """Every move is made in one part, and is one of the moves of that part alone."""
    seen = SumBoards(Sum(f"{name} {POSITIONS[name]}"))
    for player in Player:
        mine = [m for m in seen.moves if m.role == player.name.lower()]
        for part in seen.parts:
            assert isinstance(part.position, Position)
            assert len([m for m in mine if m.part == part.number]) == len(part.position.moves(player))


def test_regions_keep_their_numbers() -> None:
    """Of what a move leaves of a region the largest keeps the number; the others get the next that is free."""
    table = Sum("domineering 1x9 + domineering 2x2")
    assert [(p.number, p.component) for p in SumBoards(table).parts] == [(1, 0), (2, 1)]
    table = table.play(table.find(Player.RIGHT, "1: c1-d1"))
    assert [(p.number, len(p.cells)) for p in SumBoards(table).parts] == [(1, 5), (2, 4), (3, 2)]
    table = table.play(table.find(Player.LEFT, "2: a1-a2"))
    table = table.play(table.find(Player.RIGHT, "1: e1-f1"))
    assert [(p.number, p.cells) for p in SumBoards(table).parts] == [
        (1, ((0, 6), (0, 7), (0, 8))),
        (2, ((0, 1), (1, 1))),
        (3, ((0, 0), (0, 1))),
    ]
    board = SumBoards(table).boards[0]
    assert [(p.cells, p.glyph, p.last) for p in board.pieces] == [
        (((0, 2), (0, 3)), "domino-second", False),
        (((0, 4), (0, 5)), "domino-second", True),
    ]


def test_values_have_no_board() -> None:
    seen = SumBoards(Sum("{1|*} + nim 2"))
    assert [(p.text, p.board) for p in seen.parts] == [("{1|*}", None), ("nim 2", 0)]
    assert {m.where.kind for m in seen.moves if m.move.startswith("1")} == {"list"}
