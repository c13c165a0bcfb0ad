"""What a newcomer meets: help, the list of games, misspelt words, and modules that load only when they are needed."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ludisect import decompose, load
from ludisect.cli.commands import COMMANDS, EXAMPLES
from ludisect.games import bundled
from ludisect.gdl import record, write_trace
from tests.cli.terminal import PROGRAM, on_terminal, piped
from tests.cli.test_cli import answer, run


def test_no_arguments_give_the_help() -> None:
    done = run()
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == run("--help").stdout == run("-h").stdout
    assert len(EXAMPLES) == 3
    assert all(f"  {example}\n" in done.stdout for example in EXAMPLES)


def test_every_command_is_summed_up_in_a_line() -> None:
    lines = run("--help").stdout.splitlines()
    assert max(map(len, lines)) <= 60
    for name, command in COMMANDS.items():
        assert f"  {name:9}  {command.summary}" in lines
        assert not command.summary.endswith(("...", "…"))


@pytest.mark.parametrize("columns", [60, 80, 120])
@pytest.mark.parametrize("command", COMMANDS)
def test_help_fits_the_terminal(command: str, columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    page = run(command, "--help").stdout
    assert max(map(len, page.splitlines())) <= columns
    assert "range" not in page
    for option in re.findall(r"--(?:seconds|memory|playouts|seed|depth|plays|steps) (\S+)", page):
        assert option in ("SECONDS", "GB", "INTEGER")


@pytest.mark.parametrize("command", COMMANDS)
def test_the_examples_of_a_command_run(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    examples = COMMANDS[command].examples
    assert examples
    assert run(command, "--help").stdout.endswith("examples:\n" + "".join(f"  ludisect {line}\n" for line in examples))
    assert all(shlex.split(line)[0] == command for line in examples)
    if command in ("demo", "play", "serve", "web"):  # these have tests of their own, and no end or take long
        return
    monkeypatch.chdir(tmp_path)
    Path("my-game.kif").write_text(bundled.source("nim:1,2"))
    Path("my-games").mkdir()
    shutil.copy("my-game.kif", "my-games")
    game = load("my-game.kif")
    Path("parts.json").write_text(json.dumps(decompose(game).to_json()))
    write_trace("matches.jsonl", [record(game, seed=1, game="my-game")])
    for line in examples:
        done = run(*shlex.split(line))
        assert done.returncode == 0, line
        assert done.stderr in ("", "1 game; 1 new row, 0 done before, 1 to do\n"), line
        assert done.stdout, line


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_games_are_named_in_full_on_any_terminal(columns: int) -> None:
    text = on_terminal("games", columns=columns)
    assert max(map(len, text.splitlines())) <= columns
    words = set(text.split())
    running = " ".join(text.split()) if columns < 110 else ""
    for name in bundled.names():
        described = bundled.describe(name)
        assert (described.parameters or name) in words
        assert described.summary in running or columns >= 110


@pytest.mark.parametrize("command", [["decompose", "double-tictactoe"], ["solve", "nim:3,5,7"]])
def test_results_are_broken_between_words(command: list[str]) -> None:
    text = on_terminal(*command, columns=60)
    assert max(map(len, text.splitlines())) <= 60
    words = {word for word in piped(*command).stdout.split() if not re.search(r"\d\.\d", word)}  # times differ
    assert words <= set(text.split())


def test_games_are_whole_lines_in_a_pipe() -> None:
    lines = piped("games").stdout.splitlines()
    for name in bundled.names():
        described = bundled.describe(name)
        found = [line for line in lines if line.split()[:1] == [described.parameters or name]]
        assert len(found) == 1
        assert found[0].endswith(described.summary)


def test_a_reader_that_stops_early_is_no_error() -> None:
    with subprocess.Popen([*PROGRAM, "games"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()  # before a line is written
        assert running.stderr.read() == ""
    assert running.returncode == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_told() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run([*PROGRAM, "games"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("ludisect: ")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["decompos", "tictactoe"], "did you mean decompose?"),
        (["info", "tictactoe", "--second", "3"], "no such option: --second; did you mean --seconds?"),
        (["info", "tictactoe", "nim"], "one argument too many: nim"),
        (["info"], "GAME"),
        (["--seed", "3"], "no such option before a command: --seed"),
        (["simulate", "nim", "--threads", "0"], "'0' is not a whole number from 1 to 256"),
        (["decompose", "nim", "--seconds", "nan"], "'nan' is not a number of at least 0.1"),
    ],
)
def test_usage_is_explained(arguments: list[str], message: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert re.search(r"^try: ludisect( \w+)? --help$", done.stderr, re.MULTILINE)
    assert message in answer(*arguments, code=2)["error"]


def test_a_value_may_begin_with_a_minus_sign() -> None:
    assert answer("value", "-{1|*}")["canonical"] == "{*|-1}"
    assert answer("value", "-2")["canonical"] == "-2"


def test_options_may_stand_among_arguments() -> None:
    assert (
        answer("compose", "choice", "nim:1", "--by-order", "nim:2")["decomposition"]["structure"] == "parallel-choice"
    )


@pytest.mark.parametrize(
    ("arguments", "unwanted"),
    [
        (["--help"], ["argparse", "rich", "numpy", "ludisect.gdl"]),
        (["decompose", "--help"], ["rich", "numpy", "ludisect.gdl"]),
        (["games"], ["rich", "numpy", "numba", "ludisect.gdl"]),
        (["value", "{1|*}"], ["rich", "clingo"]),
    ],
)
def test_only_what_is_needed_is_loaded(arguments: list[str], unwanted: list[str]) -> None:
    unwanted = [*unwanted, *(f"ludisect.cli.{name}" for name in COMMANDS if name != arguments[0])]
    code = (
        "import contextlib, io, sys\n"
        "from ludisect.cli import main\n"
        f"sys.argv = ['ludisect', *{arguments}]\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit): main()\n"
        f"print([m for m in {unwanted} if m in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
