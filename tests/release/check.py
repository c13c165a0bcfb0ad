"""Before a release: the wheel, installed apart from the repository, gives right answers where little can be written.

    python tests/release/check.py
    python tests/release/check.py --only "no HOME" --keep installed

The commands run as somebody who may not write where the program is installed: as a user without rights (uid 65534) if
root runs the check, else behind permissions taken away. Each must give the right answer and end with 0, with at most
one line on standard error, which may say what is slower. Needs pip's packages and some hundred MB; Linux only.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
NOBODY = 65534
LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "build", "dist")


@dataclass(frozen=True)
class Command:
    """What is asked in a shell, what must stand in its answer, and how it may end."""

    line: str
    right: tuple[str, ...]
    ends: tuple[int, ...] = (0,)


COMMANDS = (
    Command("ludisect decompose tictactoe", ("1 dependent part", "proved")),
    Command("ludisect solve nim", ("player1 100, player2 0", "exact", "is worth *5")),
    # a limit that compiling would use up alone
    Command("ludisect solve double-tictactoe --seconds 8", ("xplayer 50, oplayer 50", "scores: minimax, exact")),
    Command("ludisect value 'domineering 4x4'", ("{2|0}", "outcome     N", "temperature 0")),
    Command("ludisect games | head -n 4", ("blocks-maze",), (0, 141)),
)


@dataclass(frozen=True)
class Place:
    """``open`` is a folder that all may write to, ``shut`` one that only we may, ``file`` none at all: nothing can be
    made under it, whoever tries."""

    open: Path
    shut: Path
    file: Path


@dataclass(frozen=True)
class Surroundings:
    """Variables of the environment, set or (None) not; and commands before the program's own."""

    name: str
    variables: Callable[[Place], dict[str, Path | str | None]]
    before: list[str] = field(default_factory=list)


def _fresh(place: Place) -> Path:
    """A new folder that all may write to."""
    made = Path(tempfile.mkdtemp(dir=place.open))
    made.chmod(0o777)
    return made


def _at_home(place: Place) -> dict[str, Path | str | None]:
    """Nothing but a home that can be written to."""
    return {"HOME": _fresh(place)}


SURROUNDINGS = (
    Surroundings("read-only site-packages", _at_home),
    Surroundings("read-only cache folder", lambda p: {"HOME": p.shut, "LUDISECT_CACHE": p.shut}),
    Surroundings(
        "cache folder cannot be made", lambda p: {"HOME": p.file / "home", "LUDISECT_CACHE": p.file / "cache"}
    ),
    Surroundings("cache folder is missing", lambda p: {"HOME": p.shut, "LUDISECT_CACHE": _fresh(p) / "a" / "b"}),
    Surroundings("no HOME", lambda p: {"HOME": None}),
    Surroundings("no bytecode", lambda p: {**_at_home(p), "PYTHONDONTWRITEBYTECODE": "1"}),
    Surroundings("one core", _at_home, ["taskset", "-c", "0"]),
    Surroundings("no terminal known", lambda p: {**_at_home(p), "TERM": None}),
)

DROPPED = (
    "LUDISECT_CACHE",
    "NUMBA_CACHE_DIR",
    "XDG_CACHE_HOME",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONPATH",
    "VIRTUAL_ENV",
)


def without_rights() -> list[str]:
    """What makes of root a user like any other; nothing for others."""
    if os.geteuid() != 0:
        return []
    return ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]


def interpreter(wanted: str | None) -> str:
    """A Python that the user without rights can run."""
    tried = [wanted] if wanted else [os.path.realpath(sys.executable), "/usr/bin/python3", "/usr/local/bin/python3"]
    fit = "import sys, venv; sys.exit(sys.version_info < (3, 11))"
    for python in tried:
        # by way of a shell: what setpriv starts itself may still go where root may
        call = [*without_rights(), "sh", "-c", '"$0" -c "$1"', python, fit]
        if os.path.exists(python) and not subprocess.run(call, capture_output=True, cwd="/", check=False).returncode:
            return python
    sys.exit(f"none of {', '.join(tried)} is a Python 3.11 or newer that user {NOBODY} can run; name one with --python")


def install(python: str, folder: Path) -> None:
    """Build the wheel from a copy of the repository and put it into an environment of its own."""
    shutil.copytree(ROOT, folder / "source", ignore=LEFT_OUT)
    wheels = folder / "wheels"
    quiet = ["--quiet", "--disable-pip-version-check"]
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", *quiet, "--no-deps", "--wheel-dir", wheels, folder / "source"],
        check=True,
    )
    shutil.rmtree(folder / "source")
    subprocess.run([python, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    target = folder / "venv" / "bin" / "python"
    (wheel,) = wheels.glob("*.whl")
    subprocess.run([sys.executable, "-m", "pip", "--python", target, "install", *quiet, wheel], check=True)


@contextmanager
def nobody_writes(folder: Path) -> Iterator[None]:
    """Take away the right to write, and give it back; root's files are safe from others anyway."""
    if os.geteuid() == 0:
        yield
        return
    paths = [p for p in (folder, *folder.rglob("*")) if not p.is_symlink()]
    modes = {p: stat.S_IMODE(p.stat().st_mode) for p in paths}
    for path, mode in modes.items():
        path.chmod(mode & ~0o222)
    try:
        yield
    finally:
        for path, mode in modes.items():
            path.chmod(mode)


def environment(around: Surroundings, place: Place, programs: Path) -> dict[str, str]:
    """Ours, without what would lead elsewhere, with what the surroundings say."""
    variables = {k: v for k, v in os.environ.items() if k not in DROPPED}
    variables["PATH"] = f"{programs}:{variables['PATH']}"
    for name, value in around.variables(place).items():
        variables.pop(name, None)
        if value is not None:
            variables[name] = str(value)
    return variables


def faults(command: Command, before: list[str], variables: dict[str, str], seconds: float) -> tuple[list[str], str]:
    """What is wrong with a command in some surroundings, and what it said on standard error."""
    call = [*before, *without_rights(), "bash", "-o", "pipefail", "-c", command.line]
    pipes: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen(call, env=variables, cwd="/", text=True, start_new_session=True, **pipes)
    try:
        answer, said = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return [f"no end within {seconds:g} s"], process.communicate()[1].strip()
    found = []
    if process.returncode not in command.ends:
        found.append(f"ended with {process.returncode}")
    missing = [text for text in command.right if text not in answer]
    if missing:
        found.append(f"the answer lacks {missing}: {answer[:300]!r}")
    if len(said.strip().splitlines()) > 1:
        found.append(f"{len(said.strip().splitlines())} lines on standard error")
    return found, said.strip()


def check(folder: Path, wanted: list[str], seconds: float) -> int:
    """Run everything; the number of commands that failed."""
    place = Place(folder / "open", folder / "shut", folder / "file")
    place.open.mkdir(exist_ok=True)
    place.shut.mkdir(exist_ok=True)
    place.file.touch()
    for path, mode in ((folder, 0o755), (place.open, 0o777), (place.shut, 0o555)):
        path.chmod(mode)
    failed = 0
    with nobody_writes(folder / "venv"):
        for around in (a for a in SURROUNDINGS if a.name in wanted):
            variables = environment(around, place, folder / "venv" / "bin")
            for command in COMMANDS:
                begin = time.monotonic()
                found, said = faults(command, around.before, variables, seconds)
                taken = time.monotonic() - begin
                failed += bool(found)
                print(f"{around.name:30}{command.line:46}{taken:7.1f} s  {'; '.join(found) or 'right'}", flush=True)
                for line in said.splitlines()[-3:]:
                    print(f"{'':30}| {line}", flush=True)
    return failed


def main() -> None:
    """Install and check; exits with 1 if something failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", help="the interpreter to install for")
    parser.add_argument("--only", action="append", choices=[a.name for a in SURROUNDINGS], help="(may be repeated)")
    parser.add_argument("--seconds", type=float, default=300.0, help="limit for one command")
    parser.add_argument("--keep", type=Path, help="install into this folder, or use what is installed there")
    options = parser.parse_args()
    python = interpreter(options.python)
    # processes that compile may still write there: what they leave behind is no fault of the wheel
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as temporary:
        folder = (options.keep or Path(temporary)).resolve()
        if not (folder / "venv").exists():
            folder.mkdir(exist_ok=True)
            install(python, folder)
        failed = check(folder, options.only or [a.name for a in SURROUNDINGS], options.seconds)
    print(f"{failed} failed" if failed else "all right")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
