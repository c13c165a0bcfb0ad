"""What the recorder of the demo makes of a terminal's output."""

from __future__ import annotations

import importlib.util
import io
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from rich.console import Console
from rich.progress import Progress

pytest.importorskip("pty")


@pytest.fixture(scope="module")
def terminal() -> ModuleType:
    """A module of the benchmarks, which are no package."""
    path = Path(__file__).parents[1] / "benchmarks" / "terminal.py"
    spec = importlib.util.spec_from_file_location("terminal", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["terminal"] = module
    spec.loader.exec_module(module)
    return module


def shown(terminal: ModuleType, *pieces: str) -> list[str]:
    screen = terminal.Screen()
    for seconds, piece in enumerate(pieces):
        screen.write(piece, float(seconds))
    return [line.rstrip() for line in screen.lines]


def test_what_is_written_over_is_gone(terminal: ModuleType) -> None:
    assert shown(terminal, "one\r\ntwo\rX") == ["one", "Xwo"]
    assert shown(terminal, "half done\r\x1b[2K\x1b[1mdone\x1b[0m\r\n") == ["done", ""]
    assert shown(terminal, "a\r\nb\r\nc\x1b[2A\x1b[0K!") == ["a!", "b", "c"]
    assert shown(terminal, "a\r\nb\x1b[1A\r\x1b[0J") == ["", ""]
    assert shown(terminal, "x" * 81) == ["x" * 80, "x"]
    assert shown(terminal, "x" * 80 + "\r\ny") == ["x" * 80, "y"]


def test_escapes_may_come_in_pieces(terminal: ModuleType) -> None:
    text = "bar\r\x1b[2K\x1b[32mgreen\x1b[0m\r\n"
    for cut in range(len(text)):
        assert shown(terminal, text[:cut], text[cut:]) == ["green", ""]


def test_unknown_escapes_are_an_error(terminal: ModuleType) -> None:
    with pytest.raises(ValueError, match="5S"):
        shown(terminal, "\x1b[5S")


def test_seconds_are_those_of_the_last_change(terminal: ModuleType) -> None:
    screen = terminal.Screen()
    screen.write("one\r\n", 1.0)
    screen.write("tw", 2.0)
    screen.write("o\r\nthree", 3.0)
    assert list(zip(screen.lines, screen.seconds, strict=True)) == [("one", 1.0), ("two", 3.0), ("three", 3.0)]


def test_bars_of_rich_go_away(terminal: ModuleType) -> None:
    file = io.StringIO()
    console = Console(file=file, force_terminal=True, width=80, height=24, legacy_windows=False)
    console.print("before")
    with Progress(console=console, transient=True, auto_refresh=False) as bar:
        for _ in bar.track(range(3)):
            bar.refresh()
    console.print("after")
    assert [line for line in shown(terminal, file.getvalue().replace("\n", "\r\n")) if line] == ["before", "after"]


def test_runs_in_a_terminal(terminal: ModuleType) -> None:
    code = (
        "import os, sys; print('\\x1b[1mHeading\\x1b[0m'); print(); print(sys.stdout.isatty(), sys.stderr.isatty(),"
        " os.get_terminal_size().columns); print('note', file=sys.stderr)"
    )
    done = terminal.run([sys.executable, "-c", code], dict(os.environ))
    assert done.code == 0
    assert "".join(text for _, text in done.results).split() == ["\x1b[1mHeading\x1b[0m", "True", "True", "80"]
    assert "".join(text for _, text in done.notes).split() == ["note"]
    assert 0 < done.first_result() <= done.wall
    assert done.cpu > 0


def test_headings_are_no_results(terminal: ModuleType) -> None:
    pieces = [
        (1.0, "\x1b[1mThe parts\x1b[0m\r\n"),
        (2.0, "\r\n  \r\n"),
        (3.0, "two bo"),
        (4.0, "ards\r\n"),
        (5.0, "x\r\n"),
    ]
    assert terminal.Run(pieces, [], 0, 6.0, 6.0).first_result() == 4.0
    assert terminal.Run(pieces[:3], [], 0, 6.0, 6.0).first_result() is None


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux hands over the children of a process that has ended")
def test_processes_that_go_on_are_waited_for(terminal: ModuleType, tmp_path: Path) -> None:
    late = f"import time; time.sleep(0.3); open({str(tmp_path / 'late')!r}, 'w').close()"
    code = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {late!r}], start_new_session=True)"
    assert terminal.run([sys.executable, "-c", code], dict(os.environ)).code == 0
    assert (tmp_path / "late").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells which children a process has")
def test_children_that_were_there_before_are_not_waited_for(terminal: ModuleType) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        assert terminal.run([sys.executable, "-c", "pass"], dict(os.environ)).code == 0
        assert other.poll() is None
        other.communicate(b"\n")
