"""One ``solve`` for rules and sums, as objects and as text: what is taken for what, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import ludisect
from ludisect.answer import Answer, PartAnswer
from ludisect.cgt import parse
from ludisect.errors import InputError
from ludisect.games import bundled
from ludisect.games.source import find_rules, names_rules
from ludisect.rulesets import read
from ludisect.solving import solve
from ludisect.sums import Database, Sum


def test_rules_in_every_form_are_solved_alike(tmp_path: Path) -> None:
    text = bundled.source("nim:1,2")
    path = tmp_path / "heaps.kif"
    path.write_text(text, encoding="utf-8")
    game = ludisect.load("nim:1,2")
    forms = ["nim:1,2", text, path, str(path), find_rules("nim:1,2"), game, ludisect.decompose(game)]
    answers = [solve(form) for form in forms]  # type: ignore[arg-type]
    assert {str(a.value) for a in answers} == {"{'player1': 100, 'player2': 0}"}
    assert {str(a.move["player1"]) for a in answers} == {"(reduce b 1)"}


def test_sums_in_every_form_are_solved_alike() -> None:
    forms = ["nim 1 2", read("nim 1 2")[0], Sum(read("nim 1 2")), parse("*3"), "*3"]
    assert {str(solve(form).value) for form in forms} == {"{'left': 100, 'right': 100}"}


def test_a_state_is_solved_as_what_is_left_of_the_game() -> None:
    start = ludisect.load("nim:2,3").start
    assert solve(start).value == {"player1": 100, "player2": 0}
    after = start.play("(reduce b 2)")
    assert solve(after).value == {"player1": 100, "player2": 0}  # one heap of each, and it is the other's turn
    wrong = start.play("(reduce b 0)")
    assert solve(wrong).value == {"player1": 0, "player2": 100}
    assert str(solve(wrong).move["player2"]) == "(reduce a 0)"
    over = wrong.play("(reduce a 0)")
    assert solve(over).value == {"player1": 0, "player2": 100}
    with pytest.raises(TypeError, match="solve takes a State of a Game"):
        solve(ludisect.Interpreter(find_rules("nim:1,2")).start)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    ["-", "nim", "nim:3,5,7", "my game.kif", "(role x)", "(ROLE x)\n(init (a))", "role(x).", "; no\n(<= (p) q)"],
)
def test_text_that_means_rules(text: str) -> None:
    assert names_rules(text)


@pytest.mark.parametrize(
    "text",
    ["nim 3 5 7", "{1|*}", "0", "domineering 2x3 + {3|-1}", "tiny(1)", "clobber " + "XO" * 3000, "roles", "a\0b", ""],
)
def test_text_that_means_a_sum(text: str) -> None:
    assert not names_rules(text)


def test_a_file_is_a_rule_sheet_whatever_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert not names_rules("heaps")
    Path("heaps").write_text(bundled.source("nim:1,2"), encoding="utf-8")
    assert names_rules("heaps")
    assert solve("heaps").value["player1"] == 100


@pytest.mark.parametrize("what", [3, None, ["nim 3"], {"heap": 3}, 0.5])
def test_other_things_are_refused_by_name(what: object) -> None:
    with pytest.raises(TypeError) as caught:
        solve(what)  # type: ignore[arg-type]
    takes = "a Game, a State, a Decomposition, Rules, a Position, a Sum, a Value, or the text of a game or a sum"
    assert str(caught.value) == f"solve takes {takes}, not {type(what).__name__}"


def test_a_depth_is_a_number_of_moves() -> None:
    with pytest.raises(TypeError, match=r"^depth is a whole number of moves, not str$"):
        solve("nim:1,2", depth="3")  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"^depth is a number of moves, and -1 is below 0$"):
        solve("nim:1,2", depth=-1)


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: solve("nim:1,2", seconds="3"), "seconds"),  # type: ignore[arg-type]
        (lambda: solve("nim 3", jobs="3"), "jobs"),  # type: ignore[arg-type]
        (lambda: ludisect.load("nim:1,2", memory="3"), "memory"),  # type: ignore[arg-type]
        (lambda: ludisect.decompose("nim:1,2", playouts="3"), "playouts"),  # type: ignore[arg-type]
        (lambda: ludisect.verify(ludisect.decompose("nim:1,2"), seed="3"), "seed"),  # type: ignore[arg-type]
        (lambda: ludisect.value("nim 3", seconds="3"), "seconds"),  # type: ignore[arg-type]
    ],
)
def test_a_number_that_is_none_is_refused_by_its_name(call: Callable[[], object], name: str) -> None:
    with pytest.raises(TypeError, match=rf"^{name} is a number, not str$"):
        call()


def test_options_that_do_not_fit(tmp_path: Path) -> None:
    for options, told in [
        ({"depth": 2}, "'depth' is for games given by rules; nim 3 is a sum of combinatorial games"),
        ({"memory": 1e9}, "'memory' is for games given by rules; nim 3 is a sum of combinatorial games"),
        ({"by": "quotient"}, "there is no way 'quotient' to play a sum; choose from alpha-beta, greedy-hotstrat"),
    ]:
        with pytest.raises(InputError) as caught:
            solve("nim 3", **options)  # type: ignore[arg-type]
        assert told in str(caught.value)
    with pytest.raises(InputError, match="'hotstrat' plays sums of combinatorial games; for nim:1,2, choose from part"):
        solve("nim:1,2", "hotstrat")
    with pytest.raises(InputError, match="there is no way 'magic' to solve a game; choose from parts, whole"):
        solve("nim:1,2", "magic")
    with pytest.raises(InputError, match="a store of values is for sums of combinatorial games; nim:1,2 is given by"):
        solve("nim:1,2", store=Database(tmp_path / "values.db"))


def test_a_name_that_is_neither() -> None:
    with pytest.raises(InputError) as caught:
        solve("double-tictacto")
    assert str(caught.value).startswith("'double-tictacto' is neither a game given by rules nor a sum; did you mean ")
    assert "double-tictactoe" in str(caught.value)
    for text, told in [
        ("zzz", "'zzz' is neither a game given by rules nor a sum; 'ludisect games' lists the games, and a sum is"),
        ("/", "'/' is a folder; give the rule sheet (.kif) in it"),
        ("./no-such-sheet", "no such file: './no-such-sheet'"),
        ("3+", "expected a value, found 'the end'"),
    ]:
        with pytest.raises(InputError) as caught:
            solve(text)
        assert str(caught.value).startswith(told)
    with pytest.raises(InputError, match="unknown game 'nimm'; did you mean nim"):
        solve("nimm 3")


def test_an_answer_as_text_and_data() -> None:
    answer = solve("nim:1,2")
    assert repr(answer) == "<Answer nim:1,2: player1 100, player2 0 (nimbers: normal play, exact)>"
    assert str(answer).splitlines()[:3] == [
        "nim:1,2: player1 100, player2 0 (nimbers: normal play, exact)",
        "  player1 plays (reduce b 1)",
        "  part 1, (heap a *), is worth *1",
    ]
    assert [(p.part, p.value) for p in answer.parts] == [(1, parse("*")), (2, parse("*2"))]
    assert answer.why == (*(p.why for p in answer.parts), *answer.conclusion)
    data = answer.to_json()
    assert json.loads(json.dumps(data)) == data
    assert data["parts"][1] == {"part": 2, "kind": "nimber", "value": "*2", "why": "part 2, (heap b *), is worth *2"}
    assert data["evidence"] == "the decomposition is proved"
    assert "<td>(reduce b 1)</td>" in answer._repr_html_()


def test_bounds_and_odds_are_told() -> None:
    answer = Answer(
        "a < b",
        "whole",
        False,
        {"x": None, "y": 50.0, "z": None},
        bounds={"x": (0.0, 50.0)},
        mixed={"y": {"left": 0.25, "right": 0.75}},
        parts=(PartAnswer(1, "part 1", (1, 2.5)),),
    )
    assert str(answer).splitlines() == [
        "a < b: x between 0 and 50, y 50, z unknown (whole, not exact)",
        "  y mixes left 0.250, right 0.750",
        "  part 1",
    ]
    data = answer.to_json()
    assert data["bounds"] == {"x": [0, 50]}
    assert data["value"] == {"x": None, "y": 50, "z": None}
    assert data["parts"] == [{"part": 1, "value": [1, 2.5], "why": "part 1"}]
    assert "a &lt; b" in answer._repr_html_()
    with pytest.raises(InputError, match="nothing was kept"):
        answer.after({})
    assert answer.line == ()
