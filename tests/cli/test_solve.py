"""``ludisect solve`` on rule sheets: output, JSON, limits, exit codes."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

import pytest

from ludisect.cli import main
from ludisect.games import bundled
from tests.cli.test_cli import run


def test_a_game_by_parts_as_json() -> None:
    done = run("solve", "nim:2,3", "--json")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert {"game", "algorithm", "exact", "value", "move", "nodes", "seconds", "parts"} <= data.keys()
    assert data["value"] == {"player1": 100, "player2": 0}
    assert data["move"] == {"player1": "(reduce b 2)"}
    assert data["exact"] is True


def test_a_file_and_standard_input(tmp_path: Path) -> None:
    rules = bundled.source("four-lamps")
    sheet = tmp_path / "lamps.kif"
    sheet.write_text(rules, encoding="utf-8")
    for done in (run("solve", str(sheet), "--by", "whole"), run("solve", "-", "--by", "whole", text=rules)):
        assert done.returncode == 0, done.stderr
        assert "r 100 (whole: optimum, exact)" in done.stdout
        assert "the search stopped at the best goal that the rules know" in done.stdout


def test_a_limit_gives_bounds_and_exit_3() -> None:
    done = run("solve", "reversi:6", "--by", "whole", "--seconds", "0.5", "--json")
    assert done.returncode == 3, done.stderr
    data = json.loads(done.stdout)
    assert data["exact"] is False
    assert data["bounds"]["black"] == [0, 100]
    assert data["move"]["black"].startswith("(place")
    assert "limit" in data


def test_a_limit_leaves_a_guess_that_says_so() -> None:
    given = ("solve", "double-crisscross", "--set", "search_work=5e7")
    done = run(*given, "--json")
    assert done.returncode == 3, done.stderr
    data = json.loads(done.stdout)
    assert data["exact"] is False
    assert data["value"] == {"red": None, "blue": None}
    assert set(data["guess"]) == {"red", "blue"}
    assert all(data["bounds"][role][0] <= value <= data["bounds"][role][1] for role, value in data["guess"].items())
    assert data["move"]["red"].startswith("(move")
    assert any("this guess is by tmseq" in note for note in data["notes"])
    assert data["limit"] == "not finished within 5e+07 steps of work"
    shown = run(*given)
    assert shown.returncode == 3
    assert "at a guess" in shown.stdout
    assert "not exact" in shown.stdout
    assert "the bounds hold all the same, a guess need not" in shown.stderr


def test_an_unknown_way_names_those_there_are() -> None:
    done = run("solve", "nim:2,3", "--by", "magic")
    assert done.returncode == 2
    assert "alpha-beta" in done.stderr
    assert "quotient" in done.stderr


def test_a_state_of_a_match(tmp_path: Path) -> None:
    done = run("solve", "nim:2,3", "--moves", "(reduce b 0)", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["move"] == {"player2": "(reduce a 0)"}
    state = tmp_path / "state.kif"
    state.write_text("(heap a 2) (heap b 0)\n(control player2)")
    done = run("solve", "nim:2,3", "--state", str(state))
    assert done.returncode == 0, done.stderr
    assert "player2 plays (reduce a 0)" in done.stdout
    done = run("solve", "nim 1 2", "--state", str(state))
    assert done.returncode == 2
    assert "--state is for games given by rules; nim 1 2 is a sum of combinatorial games" in done.stderr


def test_sums_are_still_sums() -> None:
    done = run("solve", "nim 3 5 7 + {2|-1}")
    assert done.returncode == 0
    assert "left  to move wins" in done.stdout


def test_an_interrupt_before_the_search_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    reading, writing = os.pipe()  # nobody writes: the command waits for its rules until the alarm rings
    before = signal.signal(signal.SIGALRM, interrupt)
    with os.fdopen(reading) as waiting:
        monkeypatch.setattr(sys, "stdin", waiting)
        monkeypatch.setattr(sys, "argv", ["ludisect", "solve", "-"])
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(SystemExit) as left:
            main()
    os.close(writing)
    signal.signal(signal.SIGALRM, before)
    assert left.value.code == 130
    assert capsys.readouterr().err == "interrupted\n"


def test_what_cannot_be_built_is_not_sent_to_another_engine(tmp_path: Path) -> None:
    # 60 ** 5 ground rules
    rules = "(role r) (init (on 1)) (legal r go) (next (on 1)) (<= terminal (p ?a ?b ?c ?d ?e)) (goal r 0)"
    rules += "(<= (p ?a ?b ?c ?d ?e) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (true (on ?a)) (not (true (on ?e))))"
    path = tmp_path / "large.kif"
    path.write_text(rules + " ".join(f"(n {k})" for k in range(60)))
    done = run("solve", str(path), "--seconds", "0.3")
    assert done.returncode == 3
    assert "more --seconds" in done.stderr
    assert "interpreter" not in done.stderr
