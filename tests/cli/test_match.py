"""The command match: its table, its JSON, its log, and what bad input gets."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.test_cli import run


def test_a_table_of_who_beats_whom(tmp_path: Path) -> None:
    log = tmp_path / "matches.jsonl"
    done = run("match", "tictactoe", "random", "legal", "--games", "4", "--seconds", "1", "--log", str(log))
    assert done.returncode == 0
    head, pairs, first, *_ = done.stdout.splitlines()
    assert head == "tictactoe: 4 matches"
    assert pairs.split() == ["player", "against", "games", "won", "drawn", "lost", "score", "95", "%", "interval"]
    assert first.split()[:3] == ["random", "legal", "4"]
    again = run("replay", "tictactoe", str(log))
    assert again.returncode == 0
    assert "4 matches" in again.stdout


def test_json_and_one_player() -> None:
    done = run("match", "two-track", "parts", "--games", "2", "--seconds", "1", "--json")
    data = json.loads(done.stdout)
    assert (data["matches"], data["pairings"], data["broken_off"]) == (2, [], 0)
    assert data["players"] == [{"player": "parts", "games": 2, "mean_goal": 100.0, "faults": 0}]


def test_bad_input() -> None:
    for words, told in [
        (("tictactoe", "random", "lega"), "no player is called 'lega'; did you mean legal?"),
        (("tictactoe", "random"), "the game needs 2 players, 1 given"),
        (("tictactoe", "random", "legal", "--manner", "x"), "no manager is called 'x'"),
        (("tictactoe", "random", "http://"), "is no address of a player"),
        (("tictactoe", "random", "legal", "--log", "/nowhere/x"), "cannot write /nowhere/x"),
    ]:
        done = run("match", *words)
        assert done.returncode == 2
        assert told in done.stderr
