"""The command line as a person uses it: output, JSON, exit codes, and what bad input gets."""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import random
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ludisect.circuit.midgame import at_state
from ludisect.cli import main
from ludisect.games import bundled
from ludisect.gdl import record, write_trace
from ludisect.loader import load
from tests.circuit.odds import mean_goal


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("NO_COLOR", "1")


@dataclass
class Done:
    """What a command left behind."""

    returncode: int
    stdout: str
    stderr: str


def run(*args: str, text: str = "") -> Done:
    """Run a command in this process: a fresh one would spend most of its time loading numba."""
    out, err = io.StringIO(), io.StringIO()
    before = sys.argv, sys.stdin
    sys.argv, sys.stdin = ["ludisect", *args], io.TextIOWrapper(io.BytesIO(text.encode()))
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), pytest.raises(SystemExit) as left:
            main()
    finally:
        sys.argv, sys.stdin = before
    assert isinstance(left.value.code, int)
    return Done(left.value.code, out.getvalue(), err.getvalue())


def answer(*args: str, code: int = 0) -> Any:
    done = run(*args, "--json")
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout)


def test_info_of_tictactoe() -> None:
    done = run("info", "tictactoe")
    assert done.returncode == 0
    assert "xplayer, oplayer" in done.stdout
    assert "alternating" in done.stdout
    data = answer("info", "tictactoe")
    assert (data["roles"], data["turns"], data["fluents"]) == (["xplayer", "oplayer"], "alternating", 29)
    assert data["impartial"]["answer"] is False
    assert data["impartial"]["why"].endswith("depends on whether xplayer or oplayer is in control")


def test_formulations_of_a_method() -> None:
    boards = ["decompose", "domineering:2x3,4x4", "--method", "instances", "--variant"]
    assert answer(*boards, "thesis")["action_dependent"] == 2
    assert answer(*boards, "paper")["action_dependent"] == 1
    refused = run(*boards, "letter")
    assert refused.returncode == 2
    assert "the method 'instances' has no variant 'letter'; choose from paper, thesis" in refused.stderr


def test_info_tells_impartial_games() -> None:
    twins = "every rule for one player has a twin for every other"
    assert f"impartial yes: {twins}" in run("info", "nim").stdout
    assert answer("info", "nim")["impartial"] == {"answer": True, "why": twins}


def test_simulate_keeps_its_json_contract() -> None:
    data = answer("simulate", "tictactoe", "--playouts", "5000", "--threads", "2")
    assert set(data) >= {
        "game", "playouts", "states", "seconds", "build_seconds", "playouts_per_second", "mean_length", "mean_goal",
    }  # fmt: skip
    assert data["playouts"] == 5000
    assert data["mean_goal"]["xplayer"] == pytest.approx(64.8, abs=5)
    text = run("simulate", "tictactoe", "-n", "5000").stdout
    assert "5,000 playouts in" in text
    assert "mean goal" in text


def test_simulate_stops_in_time_with_what_it_has() -> None:
    done = run("simulate", "tictactoe", "-n", "1000000000000", "--seconds", "0.2", "--json")
    assert done.returncode == 3
    assert 0 < json.loads(done.stdout)["playouts"] < 10**12


def test_games_lists_every_game() -> None:
    listed = {g["name"] for g in answer("games")["games"]}
    assert listed == set(bundled.names())
    text = run("games").stdout
    assert all(name in text for name in ("tictactoe", "nim:", "hex:"))


def test_check_of_a_sound_game() -> None:
    done = run("check", "tictactoe", "--plays", "5")
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1].startswith("tictactoe: no fault found, ")
    assert answer("check", "tictactoe", "--plays", "3", "--engine", "interpreter")["plays"] == 3


FAULTY = """(role a)
(init (x 1))
(<= (legal a (go ?n)) (true (x ?m)))
(<= (next (x ?n)) (does a (go ?n)) (not (seen ?k)))
(<= terminal (true (x 9)) (not terminal))
(<= (goal a 120) (true (x 1)))
"""


def test_check_prints_all_faults(tmp_path: Path) -> None:
    sheet = tmp_path / "faulty.kif"
    sheet.write_text(FAULTY)
    done = run("check", str(sheet))
    assert done.returncode == 1
    for place in ("faulty.kif:3:", "faulty.kif:4:", "faulty.kif:5:", "faulty.kif:6:"):
        assert place in done.stdout
    assert "^" in done.stdout
    data = answer("check", str(sheet), code=1)
    assert data["ok"] is False
    assert data["errors"] >= 3
    other = run("info", str(sheet))
    assert other.returncode == 2
    assert "faulty.kif:3:" in other.stderr


def test_check_by_playing() -> None:
    moves = "(role a) (init (x 1)) (<= (legal a go) (true (x 1))) (<= (next (x 2)) (does a go))"
    done = run("check", "-", text=moves + "(<= terminal (true (x 3))) (<= (goal a 0) (true (x 1)))")
    assert done.returncode == 1
    assert "role a has no legal move and the play is not over" in done.stdout


def test_replay_agrees_and_sees_a_wrong_trace(tmp_path: Path) -> None:
    game = load("tictactoe")
    path = tmp_path / "matches.jsonl"
    write_trace(path, [record(game, seed=s, game="tictactoe") for s in range(3)])
    assert answer("replay", "tictactoe", str(path))["agrees"] is True
    assert "all agree" in run("replay", "tictactoe", str(path), "--engine", "interpreter").stdout
    wrong = path.read_text().replace("(control xplayer)", "(control oplayer)", 1)
    other = tmp_path / "wrong.jsonl.gz"
    other.write_bytes(gzip.compress(wrong.encode()))
    done = run("replay", "tictactoe", str(other))
    assert done.returncode == 1
    assert "match 1, step 1" in done.stdout
    alien = tmp_path / "alien.jsonl"
    alien.write_text(path.read_text().replace("(control xplayer)", "(control nobody)", 1))
    done = run("replay", "tictactoe", str(alien))
    assert (done.returncode, done.stderr) == (1, "")
    assert "(control nobody)" in done.stdout
    path.write_text("")
    done = run("replay", "tictactoe", str(path))
    assert (done.returncode, done.stdout) == (2, "")
    assert "no match in this file; 'ludisect match --log FILE' writes one on each line" in done.stderr


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "no rules"),
        (b"(role a", "1:1"),
        (b"(role a))", "1:9"),
        (b"(role a) (<= (legal a", "1:10"),
        (random.Random(7).randbytes(5000), "sheet.kif:"),
        (b"(" * 10_000_000, "sheet.kif:1:"),
        (b"(role a) (init b) (<= (legal a ?x)) (<= terminal (true b)) (goal a 0)", "?x"),
        (b"(init b) (<= terminal (true b))", "role"),
    ],
    ids=["empty", "open", "closed", "truncated", "garbage", "ten megabytes", "unsafe", "no role"],
)
def test_bad_sheets_get_a_clear_error(content: bytes, message: str, tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.kif"
    sheet.write_bytes(content)
    done = run("info", str(sheet))
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr) < 8000


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["info", "no-such-file.kif"], "no such file"),
        (["info", "."], "folder"),
        (["info", "tiktaktoe"], "did you mean"),
        (["info", "nim:3,x"], "nim:"),
        (["simulate", "tictactoe", "--playouts", "0"], "playouts"),
        (["simulate", "tictactoe", "--playouts", "many"], "--playouts"),
        (["replay", "tictactoe", "no-such-trace.jsonl"], "no-such-trace.jsonl"),
        (["dance"], "dance"),
    ],
)
def test_bad_arguments_get_a_clear_error(args: list[str], message: str) -> None:
    done = run(*args)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_errors_as_json() -> None:
    data = answer("info", "tiktaktoe", code=2)
    assert "did you mean" in data["error"]


def test_limits_exit_with_3(tmp_path: Path) -> None:
    sheet = tmp_path / "endless.kif"
    sheet.write_text(
        "(role r) (init (n zero)) (legal r go) (<= (next (n (s ?x))) (true (n ?x)) (does r go))"
        "(<= terminal (true (n done))) (goal r 0)"
    )
    done = run("info", str(sheet), "--seconds", "0.5", "--set", "ground_growing_rules=1e9")
    assert done.returncode == 3
    assert "ground rules so far" in done.stderr
    assert "--engine interpreter" in done.stderr


def test_rules_that_grow_without_end_are_refused_soon(tmp_path: Path) -> None:
    sheet = tmp_path / "endless.kif"
    sheet.write_text(
        "(role r) (init (n zero)) (legal r go) (<= (next (n (s ?x))) (true (n ?x)) (does r go))"
        "(<= terminal (true (n (s (s zero))))) (goal r 0)"
    )
    done = run("info", str(sheet), "--set", "ground_growing_rules=2000")
    assert done.returncode == 3
    assert "more than 2,000 rules; the terms of (n ?x) may grow without end" in done.stderr
    assert "--engine interpreter" in done.stderr
    assert run("check", str(sheet), "--engine", "interpreter").returncode == 0


def test_the_program_runs_as_a_module() -> None:
    command = [sys.executable, "-m", "ludisect", "simulate", "nim:1,2", "-n", "100", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["playouts"] == 100


def test_every_command_has_help() -> None:
    top = run("--help").stdout
    for command in ("check", "info", "simulate", "replay", "games", "demo"):
        assert command in top
        page = run(command, "--help")
        assert page.returncode == 0
        assert len(page.stdout) > 100
    assert run("--version").stdout.startswith("ludisect ")


LINE = "(mark 1 1) (mark 2 1) (mark 1 2) (mark 2 2)"


def test_info_from_a_state(tmp_path: Path) -> None:
    data = answer("info", "tictactoe", "--moves", LINE)
    game = load("tictactoe")
    state = game.start.play_line(LINE)
    assert data["state"]["fluents"] == sorted(map(str, state.fluents))
    assert data["state"]["legal"]["xplayer"] == ["(mark 1 3)", "(mark 2 3)", "(mark 3 1)", "(mark 3 2)", "(mark 3 3)"]
    assert data["state"]["over"] is False
    assert data["settled"] > 0 == answer("info", "tictactoe")["settled"]
    path = tmp_path / "state.kif"
    path.write_text(" ".join(data["state"]["fluents"]))
    again = answer("info", "tictactoe", "--state", str(path))
    assert again["state"] == data["state"]
    further = answer("info", "tictactoe", "--state", str(path), "--moves", "(mark 1 3)")
    assert further["state"]["over"] is True
    assert further["state"]["goals"] == {"xplayer": 100, "oplayer": 0}
    shown = run("info", "tictactoe", "--moves", LINE).stdout
    assert "State of tictactoe: 4 moves made, xplayer chooses from 5" in shown
    assert "1 x x ·\n2 o o ·\n3 · · ·\n" in shown


def test_simulate_from_a_state() -> None:
    over = answer("simulate", "tictactoe", "-n", "100", "--moves", f"{LINE} (mark 1 3)")
    assert (over["mean_length"], over["mean_goal"]) == (0.0, {"xplayer": 100.0, "oplayer": 0.0})
    data = answer("simulate", "tictactoe", "-n", "20000", "--moves", LINE)
    game = load("tictactoe")
    right = mean_goal(at_state(game, game.start.play_line(LINE).fluents), 0)
    assert data["mean_goal"]["xplayer"] == pytest.approx(right, abs=1)


@pytest.mark.parametrize("command", ["info", "simulate", "decompose"])
@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ("(mark 1 1) (mark 1 1)", "move 2: illegal move '(mark 1 1)' of role 'oplayer'; legal here: (mark 1 2), "),
        ("(mark 1 1", "a line of moves with an open bracket: '(mark 1 1'"),
        (f"{LINE} (mark 1 3) (mark 3 3)", "move 6: the game is over (xplayer 100, oplayer 0)"),
        ("(mark 1 1);;(mark 1 2)", "move 2: no move given where oplayer can choose"),
    ],
)
def test_bad_moves_get_a_clear_error(command: str, moves: str, message: str) -> None:
    done = run(command, "tictactoe", "--moves", moves)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"ludisect: {message}")
