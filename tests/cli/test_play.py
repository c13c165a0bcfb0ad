"""Playing in the terminal: moves, hints, undo, why, save and resume; piped, and at a real terminal with completion."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
from pathlib import Path

import pytest

from ludisect.errors import InputError
from ludisect.play.session import find_move
from tests.cli.terminal import PROGRAM
from tests.cli.test_cli import Done, run


@pytest.fixture(autouse=True)
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")


def play(*words: str, lines: list[str], seconds: float = 0.2) -> Done:
    """With ample seconds where something is to be solved: the engine answers as soon as it is sure."""
    return run("play", *words, "--seconds", str(seconds), text="\n".join([*lines, ""]))


def test_a_game_against_the_engine() -> None:
    lines = ["hint", "why", "1", "why", "undo", "2", "moves", "quit"]
    done = play("tictactoe", "--role", "oplayer", lines=lines, seconds=60)
    assert done.returncode == 0
    out = done.stdout
    assert "tictactoe: you are oplayer against parts (xplayer)" in out
    assert "xplayer plays (mark " in out
    assert "goal of oplayer after each move (exact, by solving):" in out
    assert "worth 50, exact" in out
    assert out.count("1 2 3") >= 4  # boards
    assert max(map(len, out.splitlines())) <= 80
    assert "\x1b" not in out


def test_hints_are_the_values_of_the_moves() -> None:
    done = play("nim:1,2", lines=["hint", "quit"], seconds=60)
    told = {move: worth for worth, move in re.findall(r"^ +(\S+)  (\(.+\))$", done.stdout, re.MULTILINE)}
    assert told["(reduce b 1)"] == "100"
    assert {value for move, value in told.items() if move != "(reduce b 1)"} == {"0"}


def test_where_all_move_at_once_and_where_nobody_else_does() -> None:
    done = play("rock-paper-scissors", lines=["hint", "rock", "show paper", "3"])
    assert "estimated by tree search" in done.stdout
    assert done.stdout.count("left plays (show ") == 3
    assert "over: left " in done.stdout
    done = play("two-track", lines=["hint", "move1 b", "y", "c", "z"])
    assert "you are walker\n" in done.stdout
    assert done.stdout.rstrip().endswith("over: walker 100")


def test_a_sum(tmp_path: Path) -> None:
    saved = tmp_path / "sum.json"
    done = play(
        "domineering 2x2 + {1|*}", "--first", "right", lines=["hint", "why", "1", "undo", f"save {saved}", "quit"]
    )
    assert "you are left against optimal (right)" in done.stdout
    assert "right plays" in done.stdout
    assert "what comes of each move of left against best play:" in done.stdout
    assert "(proved)" in done.stdout
    data = json.loads(saved.read_text())
    assert len(data["moves"]) == 1
    done = play(str(saved), "--json", lines=["1", "1", "1", "1"])
    result = json.loads(done.stdout)
    assert result["over"]
    assert result["result"] in ("left cannot move: right wins", "right cannot move: left wins")
    assert result["moves"][0] == data["moves"][0]


def test_save_and_resume(tmp_path: Path) -> None:
    saved, other = tmp_path / "match.json", tmp_path / "later.json"
    done = play(
        "connect-four", "--player", "legal", "--save", str(saved), lines=["drop 4", "7", f"save {other}", "quit"]
    )
    assert f"'ludisect play {other}' goes on with it" in done.stdout
    assert saved.read_text() == other.read_text()
    again = play(str(saved), "--json", lines=["board", "undo", "undo", "undo", "drop 2", "quit"])
    assert "you are red against legal (yellow)" in again.stderr
    assert "there is no move of yours to take back" in again.stderr
    assert json.loads(again.stdout)["moves"][0]["red"] == "(drop 2)"
    saved.write_text("{}")
    assert "is no match that was saved" in play(str(saved), lines=[]).stderr
    assert "cannot read" in play(str(tmp_path / "none.json"), lines=[]).stderr


@pytest.mark.parametrize(
    ("game", "move"),
    [
        ("breakthrough", "1"),
        ("connect-four", "1"),
        ("queens:12", "1"),
        ("knights-tour:4x5", "1"),
        ("domineering 3x3 + clobber XO|OX + nim 9", "1"),
    ],
)
def test_eighty_columns_and_no_colour(game: str, move: str) -> None:
    lines = ["help", "moves", "hint", move, "why", "undo", "board", "nothing of the kind", "quit"]
    done = play(game, lines=lines, seconds=0.05)
    assert done.returncode == 0
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert "\x1b" not in done.stdout
    assert len(done.stdout.splitlines()) > 20


def test_what_is_no_move_is_said_and_asked_again() -> None:
    done = play("tictactoe", lines=["mark 9 9", "mark", "", "99", "save", "save /nowhere/x", "help", "EXIT"])
    assert done.returncode == 0
    for told in (
        "'mark 9 9' is no move here",
        "'mark' can mean (mark 1 1), (mark 1 2)",
        "'99' is no move here",
        "write: save FILE",
        "cannot write /nowhere/x.json",
        "take back your last move",
    ):
        assert told in done.stdout, told
    for words, told in [
        (("tictactoe", "--role", "nobody"), "no role is called 'nobody'"),
        (("tictactoe", "--first", "left"), "--first is for sums"),
        (("tictactoe", "--player", "nobody"), "no player is called 'nobody'"),
        (("nim 3", "--role", "up"), "'up' is no side of a sum"),
        (("-",), "standard input is where you type"),
        (("tictacto",), "did you mean"),
    ]:
        bad = play(*words, lines=[])
        assert bad.returncode == 2
        assert told in bad.stderr, told


def test_moves_are_found_by_what_people_type() -> None:
    moves = ["(mark 1 1)", "(mark 1 2)", "(mark 2 1)", "noop", "(put 3)", "7"]
    for text, move in [
        ("(mark 1 2)", "(mark 1 2)"),
        ("( mark 1  2 )", "(mark 1 2)"),
        ("MARK 1 2", "(mark 1 2)"),
        ("mark(1, 2)", "(mark 1 2)"),
        ("2 1", "(mark 2 1)"),
        ("mark 2", "(mark 2 1)"),
        ("n", "noop"),
        ("put", "(put 3)"),
        ("2", "(mark 1 2)"),
        ("7", "7"),  # a text wins over a number
        ("6", "7"),
    ]:
        assert find_move(text, moves) == move, text
    for text in ("mark 1", "0", "8", "xyz", "mark 3"):
        with pytest.raises(InputError):
            find_move(text, moves)


def test_at_a_terminal_the_tab_key_completes() -> None:
    keeper, terminal = pty.openpty()
    environment = {**os.environ, "COLUMNS": "80", "TERM": "xterm", "NO_COLOR": "1"}
    words = [*PROGRAM, "play", "nim:3,5,7", "--seconds", "60"]
    with subprocess.Popen(words, stdin=terminal, stdout=terminal, stderr=terminal, env=environment) as running:
        os.close(terminal)
        seen = _until(keeper, b"your move> ")
        os.write(keeper, b"hin\t\n")
        seen += _until(keeper, b"your move> ")
        os.write(keeper, b"(reduce b 0\t\n")
        seen += _until(keeper, b"your move> ")
        os.write(keeper, b"qu\t\n")
        assert running.wait(120) == 0
    os.close(keeper)
    text = seen.decode()
    assert "exact, by solving" in text
    assert "player1 plays (reduce b 0)" in text


def _until(keeper: int, mark: bytes) -> bytes:
    seen = b""
    while mark not in seen:
        seen += os.read(keeper, 1 << 12)
    return seen
