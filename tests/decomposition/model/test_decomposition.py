"""Decompositions and parts as objects that a person holds: a collection of parts with terms, text, equality."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from pathlib import Path

import pytest

import ludisect
from ludisect.decomposition import Decomposition, Part
from ludisect.errors import InputError, UnknownPart, UnknownRole
from ludisect.gdl.terms import Term
from tests.decomposition.found import game_of, parts_of

BOARDS = "double-tictactoe"


def terms(*texts: str) -> tuple[Term, ...]:
    return tuple(Term.parse(text) for text in texts)


def test_a_collection_of_parts() -> None:
    parts = parts_of(BOARDS)
    assert [part.id for part in parts] == [1, 2, 3] == [s.id for s in parts.parts]
    assert len(parts) == 3
    assert parts[1] in parts
    assert parts[2] is parts.parts[1]
    assert parts[1].whole is parts


@pytest.mark.parametrize("number", [0, 4, -1, 10**30])
def test_other_numbers_are_refused(number: int) -> None:
    with pytest.raises(UnknownPart) as error:
        parts_of(BOARDS)[number]
    assert isinstance(error.value, InputError)
    assert isinstance(error.value, IndexError)
    assert str(error.value) == f"double-tictactoe has no part {number}; its parts are 1 to 3"


def test_numbers_with_gaps_are_told() -> None:
    data = parts_of("nim:1,2").to_json()
    for part, number in zip(data["subgames"], (2, 5, 9), strict=True):
        part["id"] = number
    parts = Decomposition.from_json(game_of("nim:1,2"), data)
    assert parts[5].name == "(heap b *)"
    with pytest.raises(InputError, match=r"has no part 1; it has 2, 5, 9$"):
        parts[1]


@pytest.mark.parametrize("number", ["1", 1.0, True, slice(1, 2), None])
def test_what_is_no_number_is_refused(number: object) -> None:
    with pytest.raises(TypeError, match="a part is asked for by its number"):
        parts_of(BOARDS)[number]  # type: ignore[index]


def test_a_decomposition_without_parts_is_still_one() -> None:
    nothing = replace(parts_of(BOARDS), parts=())
    assert nothing
    assert len(nothing) == 0
    with pytest.raises(InputError, match="it has none"):
        nothing[1]


def test_fluents_and_moves_are_terms() -> None:
    parts = parts_of("nim:1,2")
    assert parts[1].fluents == terms("(heap a 0)", "(heap a 1)")
    assert parts[2].moves == {
        "player1": ((Term.parse("(reduce b 0)"),), (Term.parse("(reduce b 1)"),)),
        "player2": ((Term.parse("(reduce b 0)"),), (Term.parse("(reduce b 1)"),)),
    }
    assert parts[3].moves == {"player1": (), "player2": ()}
    with pytest.raises(UnknownRole, match="no role is called 'player3'; did you mean player"):
        parts[2].moves["player3"]
    assert (parts[2].name, parts[2].patterns) == ("(heap b *)", ["(heap b *)"])


def test_a_class_holds_all_moves_that_do_the_same() -> None:
    parts = parts_of("parallel-tictactoe")
    classes = parts[1].moves["xplayer"]
    assert len(classes) == 9
    assert all(len(members) > 1 for members in classes)
    assert {move for members in classes for move in members} <= {*parts.game.moves[0]}


def test_terms_follow_the_numbers_in_every_game() -> None:
    for name in (BOARDS, "relay", "four-lamps", "multiple-hanoi"):
        parts = parts_of(name)
        for part in parts:
            assert [parts.game.fluent_index[t] for t in part.fluents] == list(part.fluent_numbers)
            for r, role in enumerate(parts.game.roles):
                numbers = [[parts.game.move_index[r][t] for t in members] for members in part.moves[role]]
                assert numbers == [list(members) for members in part.move_numbers[r]]
        assert [parts.game.fluent_index[t] for t in parts.constant] == list(parts.constant_numbers)


def test_text_in_one_line() -> None:
    parts = parts_of(BOARDS)
    assert repr(parts) == (
        "<Decomposition of double-tictactoe: 2 dependent parts, 1 independent, parallel-choice, proved (method exact)>"
    )
    assert repr(parts[1]) == "<Part 1 of double-tictactoe: dependent, 27 fluents: (cell1 * * *)>"
    assert str(parts[1]) == "1. dependent: (cell1 * * *)"
    assert str(parts_of("relay")[2]) == "2. dependent, after 1: (peg *)"
    assert str(parts).splitlines()[1:] == [f"  {part}" for part in parts]
    for part in [part for name in ("four-lamps", "chomp", "multiple-hanoi") for part in parts_of(name)]:
        assert len(repr(part)) <= 122
        assert "\n" not in repr(part)


def test_a_part_by_itself_has_numbers_only() -> None:
    part = Part(1, "dependent", True, (0, 1))
    assert repr(part) == "<Part 1 of no decomposition yet: dependent, 2 fluents>"
    for asked in ("fluents", "moves", "name", "patterns", "game"):
        with pytest.raises(InputError, match="part 1 belongs to no decomposition yet"):
            getattr(part, asked)


def test_a_part_of_several_decompositions_knows_each() -> None:
    part = Part(1, "dependent", True, (0, 1))
    one, other = (replace(parts_of(name), parts=(part,)) for name in ("nim:1,2", BOARDS))
    assert (one[1].whole, other[1].whole, part.whole) == (one, other, None)
    assert (one[1].fluents, other[1].fluents) == (game_of("nim:1,2").fluents[:2], game_of(BOARDS).fluents[:2])
    assert one[1] != other[1]
    changed = replace(one, notes=("changed",))
    assert changed[1].whole is changed
    assert one[1].whole is one


def test_equality_is_by_what_is_said() -> None:
    game, parts = game_of(BOARDS), parts_of(BOARDS)
    again = Decomposition.from_json(game, parts.to_json())
    assert again == parts
    assert hash(again) == hash(parts)
    assert again[1] == parts[1]
    assert len({*again, *parts}) == 3
    assert again != replace(again, structure="mixed")
    assert again != replace(again, constant_numbers=(0,))
    assert parts[1] != parts[2]
    assert replace(parts[1], useful=False) != parts[1]
    assert parts != "parts"
    assert parts[1] != 1


def test_the_same_game_loaded_twice_has_equal_parts() -> None:
    one, other = (ludisect.decompose(ludisect.load("nim:1,2")) for _ in range(2))
    assert one == other
    assert one[1] == other[1]
    assert one[1] != ludisect.decompose(ludisect.load("nim:2,1"))[2]


@pytest.mark.parametrize("form", ["data", "text", "path", "name of a file"])
def test_json_in_every_form(form: str, tmp_path: Path) -> None:
    parts = parts_of(BOARDS)
    text = json.dumps(parts.to_json())
    path = tmp_path / "parts.json"
    path.write_text(text)
    data = {"data": json.loads(text), "text": "\n" + text, "path": path, "name of a file": str(path)}[form]
    assert Decomposition.from_json(parts.game, data) == parts


def test_pickled() -> None:
    parts = parts_of("nim:1,2")
    assert parts[1].game.name == "nim:1,2, part 1"
    again = pickle.loads(pickle.dumps(parts))
    assert again == parts
    assert again[1].whole is again
    assert again[2].fluents == parts[2].fluents
    alone = pickle.loads(pickle.dumps(parts[2]))
    assert alone == parts[2]
    assert alone.whole == parts


def test_the_context_is_no_game() -> None:
    with pytest.raises(InputError, match="part 3 of nim:1,2 runs by itself: there is nothing to play"):
        _ = parts_of("nim:1,2")[3].game


def test_the_game_of_a_part_is_made_once() -> None:
    parts = parts_of("nim:1,2")
    assert parts[1].game is parts[1].game


def test_parts_of_a_state_in_the_middle() -> None:
    game = game_of("nim:1,2")
    state = frozenset(terms("(heap a 0)", "(heap b 2)", "(control player2)"))
    parts = ludisect.decompose(game, state=state)
    assert [part.name for part in parts.dependent] == ["(heap b *)"]
    assert set(parts.constant) >= {Term.parse("(heap a 0)")}
    assert parts[1].game.initial_state() >= frozenset(terms("(heap b 2)", "(control player2)"))
