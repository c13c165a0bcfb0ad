"""--set: numbers of the rooms, changed from the command line."""

from __future__ import annotations

import re
from importlib import import_module

import pytest

from ludisect.cli.commands import COMMANDS
from ludisect.cli.options import Parser, limits_of
from ludisect.settings import read_settings
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
        ("zzz=2", "ludisect: there is no number 'zzz'; --set help lists them all\n"),
        ("phase_steps", "ludisect: 'phase_steps' is not of the form name=value\n"),
        ("phase_steps=few", "ludisect: phase_steps is a whole number of at least 2, not 'few'\n"),
        ("phase_steps=1", "ludisect: phase_steps is a whole number of at least 2, not 1\n"),
    ],
)
def test_what_cannot_be_set(text: str, message: str) -> None:
    done = run("info", "tictactoe", "--set", text)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", message)


@pytest.mark.parametrize("command", ["solve", "info", "compose", "web"])
def test_help_lists_what_a_command_lets_one_set(command: str) -> None:
    """Every number of its rooms, with a default that can be given as it stands; nothing else is needed beside it."""
    done = run(command, "--set", "help")
    assert (done.returncode, done.stderr) == (0, "")
    listed = [line.strip() for line in done.stdout.splitlines() if re.match(r"  \w+=", line)]
    parser = Parser(command, COMMANDS[command].takes, "")
    import_module(f"ludisect.cli.{command}").options(parser)
    rooms = [limits_of(room) for room in parser.rooms]
    assert [text.partition("=")[0] for text in listed] == [one.name for room in rooms for one in room.described()]
    assert read_settings(listed, rooms) == tuple(room() for room in rooms)


def test_a_number_of_another_room() -> None:
    done = run("info", "tictactoe", "--set", "boards_most=20")
    message = "ludisect: boards_most is a number of draw, which this command does not use\ntry: ludisect info --help\n"
    assert (done.returncode, done.stderr) == (2, message)


def test_compose_tells_a_size_from_a_number() -> None:
    words = ("compose", "choice", "nim:2", "nim:3", "-q")
    assert run(*words, "--set", "ondemand_tries=5").returncode == 0
    done = run(*words, "--set", "ondemand_plays=10", "--set", "ondemand_max_length=1")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no end within 1 joint moves" in done.stderr
    done = run(*words, "--set", "many")
    assert done.stderr.startswith("ludisect: argument --set: 'many' is not a whole number of at least 1\n")


def test_faults_that_are_shown() -> None:
    done = run("check", "-", "--set", "kif_faults=2", text=") ) ) ) )")
    assert done.returncode == 2
    assert "more than 2 faults; the rest is not shown" in done.stderr
    assert "more than" not in run("check", "-", text=") ) ) ) )").stderr
