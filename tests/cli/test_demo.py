"""The demo: two screens of at most 80 columns, with the figures it promises, on a terminal, in a pipe and as JSON."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

import pytest

from ludisect.cli import demo
from tests.cli.terminal import on_terminal
from tests.cli.test_cli import answer, run


def check_story(text: str) -> None:
    lines = text.splitlines()
    assert len(lines) <= 48
    assert max(map(len, lines)) <= 80
    assert "…" not in text
    assert "..." not in text
    cells = [line.split() for line in lines]
    assert "proved independent of each other" in text
    assert ["1", "1", "1", "1", "1", "2", "2", "2"] in cells  # a row of each board, with its number
    assert any(row[:6] == ["double-tictactoe", "by", "parts", "50", ":", "50"] for row in cells)
    assert any(row[:6] == [demo.HEAPS, "by", "parts", "100", ":", "0"] for row in cells)
    assert sum(row[:3] == ["whole", "given", "up"] for row in cells) == 2
    assert "(reduce d 13) makes it *13" in " ".join(text.split())
    assert ["all", "three", "{{2|0}|{-1/2|-5/2}}", "-1/4", "5/4", "Right"] in cells
    for game in demo.PLAYED:
        assert any(row[:1] == [game] and len(row) == 5 for row in cells)
    for command, _ in demo.NEXT:
        assert any(line.startswith(f"{command}  ") for line in lines)


@pytest.fixture(autouse=True)
def _path(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shell finds the program."""
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)


WHOLE_SECONDS, PLAY_SECONDS = dict.fromkeys(demo.WHOLE_SECONDS, 0.2), 0.01
"""What need not take as long here as it does for people who look on."""


def test_on_a_terminal_of_80_columns() -> None:
    quick = f"demo.WHOLE_SECONDS, demo.PLAY_SECONDS = {WHOLE_SECONDS}, {PLAY_SECONDS}"
    text = on_terminal("demo", columns=80, before=f"from ludisect.cli import demo\n{quick}")
    check_story(text)
    assert "export PATH" not in text  # the shell finds the program


def test_boards_have_colours() -> None:
    assert "\x1b[" not in on_terminal("decompose", "double-tictactoe", columns=80)
    assert "\x1b[" in on_terminal("decompose", "double-tictactoe", columns=80, colour=True)


@pytest.fixture
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "WHOLE_SECONDS", WHOLE_SECONDS)
    monkeypatch.setattr(demo, "PLAY_SECONDS", PLAY_SECONDS)


@pytest.mark.usefixtures("_quick")
def test_in_a_pipe_of_a_shell_that_does_not_find_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(sys.executable).parent
    monkeypatch.chdir(folder.parent)
    monkeypatch.setenv("PATH", "")
    done = run("demo")
    assert (done.returncode, done.stderr) == (0, "")
    check_story(done.stdout)
    assert not any(line.endswith(" ") for line in done.stdout.splitlines())
    told = f'\nexport PATH="$PWD/{folder.name}:$PATH"  '
    assert (told in done.stdout) == (folder / "ludisect").exists()  # is it installed beside Python?


@pytest.mark.usefixtures("_quick")
def test_as_json() -> None:
    data = answer("demo")
    assert data["decomposition"]["evidence"]["status"] == "proved"
    parts, whole = (search for search in data["searches"] if search["game"] == "double-tictactoe")
    assert (parts["by"], parts["exact"], parts["value"]) == ("parts", True, {"xplayer": 50, "oplayer": 50})
    assert (whole["by"], whole["exact"]) == ("whole", False)
    assert [v["outcome"] for v in data["values"]] == ["N", "N", "R", "R"]
    assert all(0 < p["interpreter_states_per_second"] < p["states_per_second"] for p in data["playouts"])


@pytest.mark.parametrize("command", [c for c, _ in demo.NEXT])
def test_what_to_try_next_works(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(*shlex.split(command)[1:])
    assert (done.returncode, done.stderr) == (0, "")
