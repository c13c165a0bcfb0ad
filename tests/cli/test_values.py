"""The command values: a table for people, JSON for programs; and lines of progress on a terminal alone."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys

import pytest

from tests.cli.test_cli import run


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("NO_COLOR", "1")


TABLE = """\
nim:1,2: 3 moves (nimbers: normal play)
     role     move          part  player1  player2
     player1  (reduce a 0)  1     0        100
     player1  (reduce b 0)  2     0        100
  →  player1  (reduce b 1)  2     100      0
  → best
  part 1, (heap a *), is worth *1
  part 2, (heap b *), is worth *2
"""


def test_a_table() -> None:
    done = run("values", "nim:1,2")
    assert (done.stdout, done.returncode) == (TABLE, 0)
    assert done.stderr == ""


def test_json() -> None:
    done = run("values", "double-tictactoe", "--moves", "(mark1 2 2)", "--json")
    found = json.loads(done.stdout)
    assert set(found) == {"game", "algorithm", "rule", "exact", "values", "parts", "seconds"}
    assert found["exact"]
    assert len(found["values"]) == 17
    assert found["values"][1] == {
        "role": "oplayer", "move": "(mark1 1 2)", "value": {"xplayer": 75, "oplayer": 25}, "best": False,
        "exact": True, "wins": None, "incentive": None, "part": 1,
    }  # fmt: skip
    assert [(p["part"], p["kind"], p["value"]) for p in found["parts"]] == [(1, "points", [2, 1]), (2, "points", 1)]


def test_sums() -> None:
    done = run("values", "domineering 2x3 + {3|-1}", "--json")
    found = json.loads(done.stdout)
    assert [v["move"] for v in found["values"] if v["wins"] and v["role"] == "left"][-1] == "2: to 3"
    assert found["values"][3]["incentive"] == "{4|0}"
    done = run("values", "domineering 2x3 + {3|-1}", "--moves", "left 2: to 3")
    assert "  right  1: a1-b1  1     no    {5/2|0}" in done.stdout
    assert "left" not in done.stdout.splitlines()[2]


def test_a_limit_lists_the_moves_and_says_so() -> None:
    done = run("values", "reversi:6", "--seconds", "0.01")
    assert done.returncode == 3
    assert "of 4 moves have a value" in done.stderr
    assert done.stdout.splitlines()[-1] == "  → best; 4 not known for certain"
    done = run("values", "reversi:6", "--seconds", "0.01", "--json")
    found = json.loads(done.stdout)
    assert not found["exact"]
    assert [v["value"] for v in found["values"]] == [{"black": None, "white": None}] * 4
    assert found["limit"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("nosuchgame",), "nosuchgame"),
        (("nim:1,2", "--moves", "(reduce c 0)"), "(reduce c 0)"),
        (("nim 3", "--state", "here"), "--state is for games given by rules"),
    ],
)
def test_bad_input(arguments: tuple[str, ...], told: str) -> None:
    done = run("values", *arguments)
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr


COMMANDS = [
    ("info", "double-tictactoe"),
    ("decompose", "double-tictactoe"),
    ("solve", "double-tictactoe"),
    ("values", "double-tictactoe"),
    ("simulate", "tictactoe", "-n", "1000"),
    ("check", "tictactoe", "--plays", "3"),
    ("match", "tictactoe", "random", "legal", "--games", "1", "--seconds", "1"),
    ("value", "domineering 3x3"),
]


@pytest.mark.parametrize("command", COMMANDS, ids=[c[0] for c in COMMANDS])
def test_no_progress_is_printed_where_nobody_watches(command: tuple[str, ...]) -> None:
    done = run(*command)
    assert done.returncode == 0
    assert "compiling" in done.stderr or done.stderr == ""
    assert "\r" not in done.stdout + done.stderr


SHOWN = """
import sys, time
from ludisect.cli import console
from ludisect.progress import report
console.MOMENT = 0.01
with console.working("cooking", quiet={quiet}) as tell:
    for done in range(5):
        report("peeling", done, 4)
        time.sleep(0.05)
    if tell is not None:
        tell("smells good")
    report("boiling", 7)
    time.sleep(0.2)
"""


@pytest.mark.parametrize("quiet", [False, True])
def test_a_terminal_shows_the_step_with_a_bar(quiet: bool) -> None:
    keeper, terminal = pty.openpty()
    program = [sys.executable, "-c", SHOWN.format(quiet=quiet)]
    environment = {**os.environ, "COLUMNS": "100"}
    with subprocess.Popen(program, stderr=terminal, env=environment) as running:
        os.close(terminal)
        seen = b""
        try:
            while chunk := os.read(keeper, 1 << 16):
                seen += chunk
        except OSError:  # Linux says so when the other end has gone
            pass
    os.close(keeper)
    assert running.returncode == 0
    text = seen.decode()
    if quiet:
        assert text == ""
        return
    assert "cooking: peeling [####################] 4 of 4" in text
    assert "cooking: boiling, 7; smells good" in text
    assert text.endswith("\r\x1b[K")
