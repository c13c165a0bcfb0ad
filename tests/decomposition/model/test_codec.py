"""Decompositions from JSON: the round trip, and a clear error for every way to get one wrong."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.errors import InputError
from tests.decomposition.found import game_of, partition, parts_of

GAME = "nim:1,2"


def good() -> dict[str, Any]:
    return copy.deepcopy(json.loads(json.dumps(parts_of(GAME).to_json())))


@pytest.mark.parametrize("name", [GAME, "relay", "double-tictactoe", "chomp", "multiple-hanoi", "four-lamps"])
def test_round_trip(name: str) -> None:
    parts = parts_of(name)
    back = Decomposition.from_json(game_of(name), json.loads(json.dumps(parts.to_json())))
    assert back.parts == parts.parts
    assert (back.structure, back.turns, back.method) == (parts.structure, parts.turns, parts.method)
    assert (sorted(back.constant_numbers), back.unseen_numbers) == (
        sorted(parts.constant_numbers),
        parts.unseen_numbers,
    )
    assert back.evidence is None  # evidence is not believed, it is found again


def test_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "parts.json"
    path.write_text(json.dumps(good()))
    assert partition(Decomposition.from_json(game_of(GAME), path)) == partition(parts_of(GAME))


def test_wrong_types() -> None:
    with pytest.raises(TypeError, match="read from a dict, JSON text or a path, not from int"):
        Decomposition.from_json(game_of(GAME), 3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"read for a Game \(what load gives\), not for str"):
        Decomposition.from_json(GAME, good())  # type: ignore[arg-type]


def test_text_that_is_no_json() -> None:
    with pytest.raises(InputError, match="the text is not JSON: "):
        Decomposition.from_json(game_of(GAME), '{"subgames": [')


def test_unseen_moves_and_notes_come_back() -> None:
    data = good() | {"notes": ["a note"], "unseen": {"fluents": [], "moves": {"player1": ["(reduce b 1)"]}}}
    parts = Decomposition.from_json(game_of(GAME), data)
    assert parts.notes == ("a note",)
    assert [str(move) for move in parts.unseen_moves["player1"]] == ["(reduce b 1)"]
    assert parts.to_json()["unseen"] == {"fluents": [], "moves": {"player1": ["(reduce b 1)"], "player2": []}}
    wrong(good() | {"notes": "a note"}, '"notes" must be a list of texts')
    wrong(
        good() | {"unseen": {"moves": {"player1": "(reduce b 1)"}}}, "must be an object with a list of moves per role"
    )
    wrong(good() | {"unseen": {"moves": {"player1": ["(reduce z 1)"]}}}, "(reduce z 1) is no move of player1")
    wrong(good() | {"unseen": [1]}, '"unseen" must be an object')


def test_little_is_needed() -> None:
    data = {"subgames": [{"fluents": s["fluents"]} for s in good()["subgames"]]}
    parts = Decomposition.from_json(game_of(GAME), data)
    assert {s.kind for s in parts.parts} == {"dependent"}
    assert [s.id for s in parts.parts] == [1, 2, 3]
    assert parts.structure == "mixed"


def first(data: dict[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = data["subgames"][0]
    return out


def wrong(data: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        Decomposition.from_json(game_of(GAME), data)
    assert message in str(error.value)
    assert str(error.value).startswith("the decomposition: ")


def test_unknown_fluent() -> None:
    data = good()
    first(data)["fluents"].append("(heap a 9)")
    wrong(data, "subgames[0]: (heap a 9) is no fluent of nim:1,2; it has (heap a 0)")


def test_fluent_left_out() -> None:
    data = good()
    gone = first(data)["fluents"].pop()
    wrong(data, f"1 fluents are in no part: {gone}")


def test_fluent_in_two_parts() -> None:
    data = good()
    data["subgames"][1]["fluents"].append(first(data)["fluents"][0])
    wrong(data, "is in subgames[1] and in subgames[0]: a fluent belongs to one part")


def test_fluent_twice_in_one_part() -> None:
    data = good()
    first(data)["fluents"] *= 2
    wrong(data, "a fluent belongs to one part")


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("kind", "loose", 'kind \'loose\' is not "dependent" or "independent"'),
        ("kind", None, "kind None"),
        ("fluents", "(heap a 0)", 'must be an object with a list "fluents"'),
        ("fluents", ["(heap a"], "is not a KIF term"),
        ("fluents", [["heap", "a"]], "is not a KIF term"),
        ("fluents", [{}], "is not a KIF term"),
        ("fluents", [], "has no fluents"),
        ("after", 2, '"after" must be a list of ids'),
        ("after", ["1"], '"after" must be a list of ids'),
        ("after", [7], "comes after [7], which are no ids of parts"),
        ("after", [1], "comes after itself"),
        ("id", 2, "two parts have the same id"),
        ("id", "first", "id 'first' is not a whole number"),
        ("useful", "no", "useful 'no' is not true or false"),
        ("moves", [], ""),
        ("moves", ["x"], '"moves" must be an object'),
        ("moves", {"nobody": []}, "'nobody' is no role; roles are player1, player2"),
        ("moves", {"player1": 3}, "must be a list of lists of moves"),
        ("moves", {"player1": ["(reduce a 0)"]}, "must be a list of lists of moves"),
        ("moves", {"player1": [["(reduce z 0)"]]}, "(reduce z 0) is no move of player1"),
        ("moves", {"player1": [["(reduce a 0)"], ["(reduce a 0)"]]}, "is in two local moves of player1"),
        ("moves", {"player1": [["(("]]}, "is not a KIF term"),
    ],
)
def test_bad_parts(key: str, value: Any, message: str) -> None:
    data = good()
    first(data)[key] = value
    if not message:  # nothing said about moves
        assert Decomposition.from_json(game_of(GAME), data).parts[0].move_numbers == ((), ())
        return
    wrong(data, message)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("structure", "loose", "structure 'loose' is not one of single, parallel-choice"),
        ("structure", ["serial"], "structure ['serial'] is not one of"),
        ("subgames", {}, 'an object with a list "subgames" is expected'),
        ("subgames", [3], 'subgames[0] must be an object with a list "fluents"'),
        ("subgames", [], "fluents are in no part"),
        ("constant", "(heap a 0)", '"constant": a list of fluents is expected'),
        ("constant", ["(heap a 0)"], "a fluent belongs to one part"),
        ("unseen", {"fluents": ["(pile a)"]}, '"unseen": (pile a) is no fluent'),
        ("unseen", {"fluents": 5}, '"unseen": a list of fluents is expected'),
    ],
)
def test_bad_wholes(key: str, value: Any, message: str) -> None:
    data = good()
    data[key] = value
    wrong(data, message)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is not JSON"),
        (b"{", "is not JSON"),
        (b"\xff\xfe\x00", "is not JSON: it is no text"),
        (b"[]", 'an object with a list "subgames" is expected'),
        (b"3", 'an object with a list "subgames" is expected'),
        (b'{"subgames": null}', 'an object with a list "subgames" is expected'),
        (b"[" * 100_000, "is not JSON"),
    ],
    ids=["empty", "open", "binary", "list", "number", "null", "deep"],
)
def test_bad_files(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "parts.json"
    path.write_bytes(content)
    with pytest.raises(InputError) as error:
        Decomposition.from_json(game_of(GAME), path)
    assert message in str(error.value)
    assert str(path) in str(error.value)


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot read .*nowhere\.json: No such file"):
        Decomposition.from_json(game_of(GAME), tmp_path / "nowhere.json")
