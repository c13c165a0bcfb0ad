"""Compiling ahead: processes that fill the store with the kernels of a command while the command is at work.

Commands say what they will need (``want``). The first kernel that is missing starts the workers, one per core; each
walks the same lists and takes what nobody else has claimed. They go on when the command ends before them, at a low
priority, so that the next one finds everything compiled. A kernel is waited for only while a worker that has it on its
list is alive.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from ludisect.kernels import store
from ludisect.kernels.lists import LISTS

if TYPE_CHECKING:
    from ludisect.kernels.code import Code

PAUSE = 0.05
"""Seconds between two looks at the store while waiting."""


Report = Callable[[int, int], None]
"""Told while somebody waits: kernels compiled, and kernels in all; twice nothing when the wait is over."""

_lock = threading.Lock()
_codes: dict[str, list[Code]] = {}
_wanted: list[str] = []
_given: list[str] = []
_running: list[subprocess.Popen[bytes]] = []
_report: list[Report] = []
_asked = 0.0


def register(code: Code) -> None:
    """Somebody has machine code to be compiled ahead."""
    _codes.setdefault(home_of(code.name), []).append(code)


def homeless() -> bool:
    """Whether kernels were missing and what is compiled cannot be kept."""
    return _asked > 0 and store.folder() is None


def want(command: str) -> None:
    """The kernels of this command will be needed soon. Costs nothing until one of them is missing."""
    if command not in _wanted:
        _wanted.append(command)


@contextmanager
def reporting(report: Report) -> Iterator[None]:
    """Have waiting for kernels reported."""
    _report.append(report)
    try:
        yield
    finally:
        _report.remove(report)


def ask(code: Code) -> None:
    """A kernel is missing: have it compiled, and everything else that is wanted. Looks at most five times a second."""
    global _asked
    home = home_of(code.name)
    if time.monotonic() - _asked < 4 * PAUSE and home in _modules(_given):
        return
    with _lock:
        _asked = time.monotonic()
        ours = f"ludisect.{home}" in sys.modules  # kernels of others are made where they are needed
        if ours and home not in _modules(_wanted):
            _wanted.append(home)
        if store.folder() is not None:
            _start(home)


def _start(first: str) -> None:
    """Start workers for what is wanted and was not given to any, lists with the module ``first`` before others."""
    _running[:] = [worker for worker in _running if worker.poll() is None]
    fresh = sorted((n for n in _wanted if n not in _given), key=lambda n: first not in _modules([n]))
    if _running or not fresh:
        return
    _given.extend(fresh)
    _running.extend(_workers(fresh))


def at_work() -> bool:
    """Whether machine code is being made for this process."""
    return any(worker.poll() is None for worker in _running)


def _modules(names: Sequence[str]) -> dict[str, None]:
    """The modules of commands, in order; what is no command is a module."""
    return dict.fromkeys(home for name in names for home in LISTS.get(name, (name,)))


def _workers(commands: Sequence[str]) -> list[subprocess.Popen[bytes]]:
    """Processes that compile, one per core."""
    # the same ludisect as here, wherever it was found
    paths = [str(Path(__file__).parents[2]), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    out: list[subprocess.Popen[bytes]] = []
    for _ in range(cores()):
        with suppress(OSError):  # where none can be started, who needs a kernel compiles it
            out.append(
                subprocess.Popen(
                    [sys.executable, "-P", "-m", "ludisect.kernels", "--alone", *commands],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    env=environment,
                    start_new_session=True,  # Ctrl-C is for the command
                )
            )
    return out


def wait_for(code: Code) -> bool:
    """Wait until a worker has put the machine code into the store; False if nobody is going to."""
    ask(code)
    if home_of(code.name) not in _modules(_given):
        return code.stored()
    with _waiting(needed(_wanted)) as pause:
        while not code.stored():
            if not at_work():
                return code.stored()
            pause()
    return True


@contextmanager
def _waiting(codes: Sequence[Code]) -> Iterator[Callable[[], None]]:
    """Gives the pause between two looks, in which it is reported how many are stored."""

    def pause() -> None:
        for report in _report:
            report(sum(code.stored() for code in codes), len(codes))
        time.sleep(PAUSE)

    try:
        yield pause
    finally:
        for report in _report:
            report(0, 0)


def home_of(name: str) -> str:
    """The module of a kernel, as the lists name it."""
    return name.rpartition(".")[0]


def needed(names: Sequence[str]) -> list[Code]:
    """The machine code of some commands, or modules, in the order in which it is needed."""
    homes = _modules(names)
    for home in homes:
        import_module(f"ludisect.{home}")
    return [code for home in homes for code in _codes.get(home, ())]


def compile_all(commands: Sequence[str]) -> tuple[int, int]:
    """Compile what the commands need, on all cores, and wait for it; how many were missing, and how many there are."""
    codes = needed(commands)
    before = sum(code.stored() for code in codes)
    if before < len(codes) and store.folder() is not None:
        workers = _workers(commands)
        with _waiting(codes) as pause:
            while any(worker.poll() is None for worker in workers):
                pause()
    after = sum(code.stored() for code in codes)
    return after - before, after


def compile_alone(commands: list[str]) -> None:
    """Compile everything the commands need that the store lacks and nobody else is compiling."""
    for code in needed(commands):
        if not code.stored():
            with _claim(f"{code.name}-{code.identify()}") as mine:
                if mine and not code.stored():
                    code.compile(keep=False)


@contextmanager
def _claim(name: str) -> Iterator[bool]:
    """Whether this process is the one to compile a kernel; the claim of a process that has died does not count."""
    home = store.folder()
    if home is None:
        yield True
        return
    path = home / f"{name}.claim"
    mine = _take(path) or (_dead(path) and _take(path))
    try:
        yield mine
    finally:
        if mine:
            with suppress(OSError):
                path.unlink()


def _take(path: Path) -> bool:
    try:
        handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except OSError:
        return False
    os.write(handle, str(os.getpid()).encode())
    os.close(handle)
    return True


def _dead(path: Path) -> bool:
    """Whether the claimant is gone; its claim goes too."""
    try:
        claimant = int(path.read_text(encoding="ascii") or "0")
        if claimant:
            os.kill(claimant, 0)
            return False
        if time.time() - path.stat().st_mtime < 1.0:  # it has not yet written its number
            return False
    except ProcessLookupError:
        pass
    except (OSError, ValueError):
        return False
    with suppress(OSError):
        path.unlink()
    return True


def cores() -> int:
    """Processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
