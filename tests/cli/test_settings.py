"""--set: numbers of the rooms, changed from the command line."""

from __future__ import annotations

import pytest

from tests.cli.test_cli import answer, run


def test_a_number_that_is_set_counts() -> None:
    assert answer("info", "tictactoe")["phases"] == 2
    assert answer("info", "tictactoe", "--set", "phase_steps=2")["phases"] == 1
    assert answer("info", "tictactoe", "--set", "phase_steps=2", "--set", "phase_steps=24")["phases"] == 2
    assert answer("info", "tictactoe", "--set", "phase_periods=3,5")["phases"] == 1
    assert answer("simulate", "tictactoe", "-n", "100", "--set", "lanes_max_length=1")["cut"] > 0
    assert answer("info", "tictactoe")["phases"] == 2  # it is forgotten after the command


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("phase_step=2", "ludisect: there is no number 'phase_step'; did you mean phase_steps?\n"),
        ("phase_steps", "ludisect: 'phase_steps' is not of the form name=value\n"),
        ("phase_steps=few", "ludisect: phase_steps is a whole number of at least 2, not 'few'\n"),
        ("phase_steps=1", "ludisect: phase_steps is a whole number of at least 2, not 1\n"),
    ],
)
def test_what_cannot_be_set(text: str, message: str) -> None:
    done = run("info", "tictactoe", "--set", text)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", message)
