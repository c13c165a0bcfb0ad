"""Compounds on demand: of bundled games, of machines, nested; and the command that makes them."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import ludisect
from ludisect.composition.ondemand import compose
from ludisect.errors import InputError
from ludisect.games.source import find_rules
from ludisect.gdl import check, check_by_playouts, write
from ludisect.gdl.terms import Term
from ludisect.loader import load
from tests.cli.test_cli import run
from tests.composition.brute import Brute


def counts(answer: dict[str, Any]) -> tuple[int, int, int]:
    return answer["action_dependent"], answer["useless"], answer["action_independent"]


def test_two_boards_are_double_tictactoe() -> None:
    """The bundled sheet was written by hand; the compound plays the same game under other names of moves."""
    made, hand = load(compose("choice", ["tictactoe", "tictactoe"]).rules), load("double-tictactoe")
    rng = random.Random(1)
    for _ in range(5):
        state = hand.initial_state()
        assert made.initial_state() == state
        while not hand.is_terminal(state):
            assert not made.is_terminal(state)
            legal, other = hand.legal_moves(state), made.legal_moves(state)
            assert {r: {_glued(m) for m in moves} for r, moves in legal.items()} == {
                r: set(m) for r, m in other.items()
            }
            joint = {role: rng.choice(moves) for role, moves in legal.items()}
            following = hand.next_state(state, joint)
            assert made.next_state(state, {r: _glued(m) for r, m in joint.items()}) == following
            state = following
        assert made.is_terminal(state)
        assert made.goals(state) == hand.goals(state)


def _glued(move: Term) -> Term:
    if not move.args:
        return move
    return Term(f"go{move.name[-1]}", (Term(move.name[:-1], move.args),))


COMPOUNDS: list[tuple[str, list[str], dict[str, Any], str, tuple[int, int, int]]] = [
    ("sync", ["tictactoe", "tictactoe"], {}, "parallel-sync", (2, 0, 1)),
    ("serial", ["tictactoe", "hex:2"], {"by_order": True}, "serial", (2, 0, 1)),
    ("choice", ["domineering:2x3", "domineering:3x3"], {}, "parallel-choice", (2, 0, 1)),
    ("choice", ["lights-on", "queens:4"], {"by_order": True}, "parallel-choice", (2, 0, 2)),
    ("sync", ["rock-paper-scissors", "tron:3x3"], {"by_order": True}, "parallel-sync", (2, 0, 1)),
    ("sync", ["lights-on", "peg-solitaire"], {"by_order": True}, "parallel-sync", (2, 0, 1)),
    ("multiple", ["nim:4", "nim:3", "nim:2"], {}, "multiple", (3, 2, 1)),
    ("choice", ["(serial hex:2 tictactoe)", "walk"], {"by_order": True, "steps": 20}, "mixed", (3, 0, 2)),
    ("choice", ["tictactoe", "ring"], {"disguises": ["all"], "goal": "any"}, "parallel-choice", (2, 0, 1)),
    ("serial", ["walk", "board", "ring"], {"players": 2, "goal": "all"}, "serial", (3, 0, 1)),
    ("sync", ["walk", "ring"], {"players": 2, "turns": "simultaneous"}, "parallel-sync", (2, 0, 0)),
]


@pytest.mark.parametrize(("operation", "games", "options", "structure", "counted"), COMPOUNDS)
def test_compounds(
    operation: str, games: list[str], options: dict[str, Any], structure: str, counted: tuple[int, int, int]
) -> None:
    made = compose(operation, games, **options)
    assert (made.answer["structure"], counts(made.answer)) == (structure, counted)
    assert [p for p in check(made.rules) if p.level == "error"] == []
    game = load(made.rules)
    assert not [p for p in check_by_playouts(game, plays=5).problems if p.level == "error"]
    assert list(Brute(game, made.answer).faults()) == []


def test_names_of_a_game_do_not_clash_with_those_of_the_glue(tmp_path: Path) -> None:
    """A sheet that uses for itself the very words that the glue would choose."""
    sheet = tmp_path / "clash.kif"
    sheet.write_text(
        "(role r) (init (may 1)) (over 1 2) (over 2 3) (total 3) (played x) (control r)"
        "(<= (legal r none) (true (may ?x)) (over ?x ?y)) (<= (legal r go) (true (may 1)))"
        "(<= (next (may ?y)) (does r none) (true (may ?x)) (over ?x ?y))"
        "(<= (next (may 3)) (does r go) (played x) (control r))"
        "(<= terminal (true (may ?x)) (total ?x))"
        "(<= (goal r 100) acts) (<= acts (true (may 2))) (<= (goal r 0) (not acts))"
    )
    for operation in ("choice", "sync", "serial"):
        for disguises in ([], ["argument"], ["flat"]):
            made = compose(operation, [str(sheet), str(sheet)], disguises=disguises)
            game = load(made.rules)
            assert list(Brute(game, made.answer).faults()) == [], operation
            lengths = {len(_play(game, seed)) for seed in range(12)}
            assert lengths == ({1, 2} if operation == "sync" else {2, 3, 4})


def _play(game: Any, seed: int) -> list[Any]:
    rng, state, out = random.Random(seed), game.initial_state(), []
    while not game.is_terminal(state):
        joint = {role: rng.choice(moves) for role, moves in game.legal_moves(state).items()}
        out.append(joint)
        state = game.next_state(state, joint)
    return out


@pytest.mark.parametrize(
    ("operation", "games", "options", "message"),
    [
        ("dance", ["walk", "walk"], {}, "no operation is called 'dance'; there are: choice, sync, serial, multiple"),
        ("choice", ["walk"], {}, "needs two games"),
        ("choice", ["nim:3,5", "walk"], {}, "nim:3,5 has 2 parts by itself"),
        ("choice", ["tictactoe", "lights-on"], {}, "the same number of roles"),
        ("choice", ["tictactoe", "nim:3"], {}, "--by-order"),
        ("choice", ["tron:3x3", "tictactoe"], {"by_order": True}, "games of the same kind"),
        ("choice", ["tron:3x3", "tron:3x3"], {}, "use sync or serial"),
        ("choice", ["walk", "walk"], {"rest": True}, "--steps"),
        ("sync", ["walk", "walk"], {"rest": True, "steps": 9}, "tie"),
        ("choice", ["walk", "(sync walk walk)"], {}, "as stages of a serial"),
        ("sync", ["walk", "(choice walk walk)"], {}, "as stages of a serial"),
        ("choice", ["walk", "walk"], {"players": 2, "turns": "simultaneous"}, "--rest"),
        ("choice", ["walk", "(multiple walk walk)"], {}, "outermost"),
        ("choice", ["walk", "(serial walk"], {}, "bracket"),
        ("choice", ["walk", "(role x)"], {}, "cannot read"),
        ("serial", ["domineering:2x2", "domineering:2x2"], {}, "the last stage"),
        ("serial", ["peg-solitaire", "lights-on"], {"by_order": True}, "the first stage"),
        ("choice", ["walk", "walk"], {"goal": "most"}, "additive, all, any"),
        ("choice", ["walk", "walk"], {"disguises": ["beard"]}, "no disguise is called 'beard'; there are: renamed"),
        ("choice", ["walk", "walk"], {"players": 9}, "1 to 3 players"),
        ("choice", ["walk", "walk"], {"players": 2, "turns": "random"}, "'alternating' or 'simultaneous'"),
        ("choice", ["walk", "walk"], {"steps": 1}, "two or more"),
        ("choice", ["walk", "no-such.kif"], {}, "no such file"),
    ],
)
def test_what_does_not_fit_is_refused(operation: str, games: list[str], options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as refused:
        compose(operation, games, **options)
    assert message in str(refused.value)


def test_command_prints_rules(tmp_path: Path) -> None:
    done = run("compose", "choice", "walk", "board", "--players", "2", "--disguise", "renamed,shuffled")
    assert done.returncode == 0, done.stderr
    sheet = tmp_path / "made.kif"
    sheet.write_text(done.stdout)
    assert run("check", str(sheet), "--plays", "5").returncode == 0


def test_command_writes_files(tmp_path: Path) -> None:
    rules, known = tmp_path / "made.kif", tmp_path / "made.json"
    done = run("compose", "serial", "tictactoe", "tictactoe", "-o", str(rules), "--json-out", str(known))
    assert done.returncode == 0, done.stderr
    assert "serial, 2 dependent parts (0 useless), 1 independent" in done.stdout
    answer = json.loads(known.read_text())
    assert answer["subgames"][1]["after"] == [1]
    assert {str(f) for f in load(rules).fluents} == {f for s in answer["subgames"] for f in s["fluents"]}
    data = json.loads(run("compose", "choice", "walk", "walk", "--json").stdout)
    assert data["decomposition"]["method"] == "composed"


def test_command_writes_a_set(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "set"
    done = run("compose", "--set", "3", "--seed", "7", str(folder))
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in (folder / "index.jsonl").read_text().splitlines()]
    assert [line["glue"] for line in lines] == ["choice", "sync", "serial"]
    for line in lines:
        assert load(folder / f"{line['game']}.kif").roles
        assert json.loads((folder / f"{line['game']}.json").read_text())["game"] == line["game"]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["dance", "walk", "walk"], "no operation is called 'dance'"),
        (["choice", "tiktaktoe", "walk"], "did you mean"),
        (["choice", "tictactoe", "nim:3"], "--by-order"),
        (["choice", "walk", "walk", "--goal", "most"], "--goal"),
        (["--set", "3"], "arguments are required"),
        (["--set", "3", "one", "two"], "one folder"),
        (["choice", "walk", "walk", "-o", "/no/such/folder/x.kif"], "cannot write"),
    ],
)
def test_command_refuses(args: list[str], message: str) -> None:
    done = run("compose", *args)
    assert done.returncode == 2
    assert message.lower() in done.stderr.lower()
    assert "Traceback" not in done.stderr


def test_compose_is_a_function_of_the_package(tmp_path: Path) -> None:
    sheet = tmp_path / "mine.kif"
    sheet.write_text(write(find_rules("tictactoe")))
    made = ludisect.compose("choice", ["tictactoe", sheet])
    game = ludisect.load(made.rules)
    known = ludisect.Decomposition.from_json(game, made.answer)
    assert (len(known.dependent), ludisect.verify(known, playouts=100).status) == (2, "tested")


@pytest.mark.parametrize(
    ("operation", "games", "message"),
    [
        (3, ["walk", "walk"], r"an operation first \(choice, sync, serial, multiple\), not int \(3\)"),
        ("choice", "tictactoe", r"a list of games, such as .*, not str \(tictactoe\)"),
        ("choice", None, "a list of games, such as .*, not None"),
        ("choice", ["walk", 7], r"the name or path of each game, .*, not int \(7\)"),
    ],
)
def test_compose_says_what_it_takes(operation: Any, games: Any, message: str) -> None:
    with pytest.raises(TypeError, match=f"compose takes {message}"):
        compose(operation, games)


def test_games_that_are_no_list() -> None:
    with pytest.raises(TypeError, match=r"^compose takes an operation and a list of games, .*; 'nim' has none$"):
        compose("choice", "tictactoe", "nim")  # type: ignore[call-arg, arg-type]
