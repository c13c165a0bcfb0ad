"""Many matches: seats change, the same seed is the same match, and a log is taken up again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ludisect.errors import InputError
from ludisect.games.source import find_rules
from ludisect.gdl import Interpreter, read_trace, replay
from ludisect.play.tournament import Agreement, fixtures, run


def test_every_pair_meets_in_all_seats() -> None:
    todo = fixtures(["a", "b", "c"], 2, 2)
    assert [one.players for one in todo] == [("a", "b"), ("b", "a"), ("a", "c"), ("c", "a"), ("b", "c"), ("c", "b")]
    assert [one.seed for one in fixtures(["a", "b"], 2, 5, seed=3)] == [3, 3, 4, 4, 5]
    assert [one.players for one in fixtures(["a", "b", "c"], 3, 3)] == [
        ("a", "b", "c"),
        ("b", "c", "a"),
        ("c", "a", "b"),
    ]
    assert len(fixtures(["a"], 1, 4)) == 4
    with pytest.raises(InputError, match="needs 2 players, 1 given"):
        fixtures(["a"], 2, 1)


def test_a_log_is_taken_up_and_replays(tmp_path: Path) -> None:
    rules, agreement = find_rules("tictactoe"), Agreement(1.0, 1.0, opening=2)
    log = tmp_path / "log.jsonl"
    todo = fixtures(["random", "legal"], 2, 6)
    held: list[int] = []
    run(rules, todo[:2], agreement, log=log, done=lambda line, standing: held.append(line["number"]))
    with log.open("a") as out:
        out.write('{"game": "tictac')  # the power went out
    standing = run(rules, todo, agreement, log=log, done=lambda line, standing: held.append(line["number"]))
    assert held == [1, 2, 1, 2, 3, 4, 5, 6]
    lines = [line for line in log.read_text().splitlines() if line.endswith("}")]
    assert len(lines) == 6
    log.write_text("\n".join(lines) + "\n")
    assert all(not replay(Interpreter(rules), match) for match in read_trace(log))
    assert standing.to_json() == run(rules, todo, agreement).to_json()  # the same seeds, the same matches
    first, second = (json.loads(line) for line in lines[:2])
    assert [step["moves"] for step in first["steps"][:2]] == [step["moves"] for step in second["steps"][:2]]
    with pytest.raises(InputError, match="has matches of tictactoe, not of nim"):
        run(find_rules("nim"), todo, agreement, log=log)
    log.write_text("[1]\n")
    with pytest.raises(InputError, match="no log of matches"):
        run(rules, todo, agreement, log=log)


def test_side_by_side_gives_the_same() -> None:
    rules, agreement = find_rules("tictactoe"), Agreement(1.0, 1.0)
    todo = fixtures(["random", "legal"], 2, 4)
    assert run(rules, todo, agreement, jobs=2).to_json() == run(rules, todo, agreement).to_json()
