"""``ludisect solve`` on sums: winning moves, limits with what is known, exit codes."""

from __future__ import annotations

import json

from tests.cli.test_solve import run


def test_a_winning_move_and_no_move_that_helps() -> None:
    done = run("solve", "domineering 2x2 + {3|0} + -2")
    assert done.returncode == 0, done.stderr
    assert "left  to move loses: every move loses against best play" in done.stdout
    assert "right to move wins by 2: to 0:" in done.stdout
    assert "optimal: normal play, exact" in done.stdout


def test_a_limit_gives_bounds_and_exit_3() -> None:
    done = run("solve", "domineering 8x9 + {1|0}", "--seconds", "0.3")
    assert done.returncode == 3, done.stderr
    assert "left  to move is undecided and plays" in done.stdout
    assert "the value lies between -33 and 38" in done.stdout
    assert "time limit" in done.stderr
    data = json.loads(run("solve", "domineering 8x9 + {1|0}", "--seconds", "0.3", "--json").stdout)
    assert data["exact"] is False
    assert data["value"] == {"left": None, "right": None}
    assert data["bounds"] == ["-33", "38"]
    assert "time limit" in data["limit"]


def test_a_heuristic_is_no_failure() -> None:
    done = run("solve", "{3|1} + {2|*}", "--by", "hotstrat")
    assert done.returncode == 0, done.stderr
    assert "hotstrat: normal play, not exact" in done.stdout
