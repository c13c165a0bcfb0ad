"""``ludisect solve`` on sums: winning moves, limits with what is known, exit codes."""

from __future__ import annotations

import json

from tests.cli.test_cli import run


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


def test_a_strategy_without_values_plays_by_guesses() -> None:
    """Nothing is known of 6x7 within a second, but a move is; the second board is small enough to be known."""
    done = run("solve", "domineering 6x7 + domineering 2x2", "--by", "hotstrat", "--seconds", "1")
    assert done.returncode == 3, done.stderr
    assert "left  to move is undecided and plays" in done.stdout
    assert "the value lies between -20 and 23" in done.stdout
    assert "guessed: searched to depth" in done.stdout
    assert "the moves rest on estimates" in done.stderr
    data = json.loads(run("solve", "domineering 6x7", "--by", "thermostrat", "--seconds", "0.5", "--json").stdout)
    assert data["exact"] is False
    assert data["value"] == {"left": None, "right": None}
    assert set(data["move"]) == {"left", "right"}
    assert data["bounds"] == ["-18", "21"]
    assert data["evidence"].startswith("guessed: searched to depth")
    assert data["parts"][0]["guess"] == data["evidence"]


def test_what_else_the_theory_says_of_a_value() -> None:
    told = run("value", "^^*", "--more").stdout.splitlines()
    assert [line.strip() for line in told[-5:]] == [
        "reduced     0",
        "frozen      ↑↑*",
        "atomic weight 2",
        "left incentives ↓↓*",
        "right incentives ↑*",
    ]
    data = json.loads(run("value", "domineering 2x3 + {2*|1*}", "--more", "--json").stdout)
    assert data["reduced"] == "{{4|3}|{3/2|1/2}}"
    assert data["frozen"] == "9/4*"
    assert data["atomic_weight"] is None
    assert data["left_incentives"] == data["right_incentives"] == ["{5/2|0}"]
    one = run("value", "1", "--more").stdout
    assert "atomic weight none: not all-small" in one
    assert "right incentives none: there is no move" in one
    assert "too large" in run("value", "domineering 4x4", "--more", "--set", "incentive_nodes=1").stdout
    assert "reduced" not in run("value", "pawns a5 b5 c5 / a7 b7 c7", "--more").stdout


def test_a_value_out_of_reach_is_guessed() -> None:
    done = run("value", "domineering 8x8 + domineering 2x2", "--seconds", "0.5", "--json")
    assert done.returncode == 3, done.stderr
    data = json.loads(done.stdout)["partial"]
    assert data["bounds"] == ["-34", "34"]
    assert data["exact"] is False
    assert data["guess"]["depth"] == data["parts"][0]["depth"]
    assert [part["position"] for part in data["parts"]][1] == "domineering ..|.."
    assert not data["parts"][0]["exact"]
    told = run("value", "domineering 8x8", "--seconds", "0.3")
    assert told.returncode == 3
    assert "    depth: " in told.stdout
    assert "time limit" in told.stderr


def test_parts_in_processes() -> None:
    done = run("value", "domineering 3x4 + clobber 2x4", "--jobs", "2")
    assert done.returncode == 0, done.stderr
    assert done.stdout == run("value", "domineering 3x4 + clobber 2x4").stdout
    assert run("value", "nim 3", "--jobs", "0").returncode == 2
    assert "'jobs' are for sums" in run("solve", "nim:1,2", "--jobs", "2").stderr


def test_moves_that_were_made() -> None:
    """Right made a threat instead of answering: sentestrat answers it, hotstrat plays on where it is hotter."""
    game = "{40|0||-1} + {5||4|-20} + {9|-9}"
    line = "left 1: to {40|0}; right 2: to {4|-20}"
    for by, move in (("sentestrat", "2: to 4"), ("hotstrat", "1: to 40")):
        data = json.loads(run("solve", game, "--by", by, "--moves", line, "--json").stdout)
        assert data["game"] == "{40|0} + {4|-20} + ±9"
        assert data["move"] == {"left": move}
    data = json.loads(run("solve", game, "--moves", line, "--json").stdout)
    assert data["value"] == {"left": 100}
    assert data["move"] == {"left": "1: to 40"}
    done = run("solve", game, "--by", "sentestrat", "--moves", line)
    assert done.returncode == 0, done.stderr
    assert (
        "left  to move wins by 2: to 4: the threat in component 2 is hotter than the ambient temperature 9"
        in done.stdout
    )
    assert "right to move" not in done.stdout
    for wrong, told in [
        ("3: to 9", "'3: to 9' does not say whose move it is; write for example: left 1: a1-a2; right 2: to 3"),
        ("left 2: to 5; left 3: to 9", "'left 3: to 9': it is right's turn"),
        ("left 1: to 41", "illegal move '1: to 41' of role 'left'; legal here: 1: to {40|0}, 2: to 5, 3: to 9"),
    ]:
        done = run("solve", game, "--moves", wrong)
        assert done.returncode == 2
        assert told in done.stderr


def test_a_limit_holds_after_moves() -> None:
    done = run("solve", "domineering 8x9 + {1|0}", "--moves", "left 2: to 1", "--seconds", "0.3")
    assert done.returncode == 3, done.stderr
    assert "right to move is undecided and plays" in done.stdout


def test_a_heuristic_is_no_failure() -> None:
    done = run("solve", "{3|1} + {2|*}", "--by", "hotstrat")
    assert done.returncode == 0, done.stderr
    assert "hotstrat: normal play, not exact" in done.stdout
