"""The guard: one job in a process of its own, watched from outside, ended with all it has started.

The job leads a session of its own. Whatever it starts belongs to that session, so the clock, the processor time and the
memory of all of it are seen in ``/proc``, and all of it can be ended. Limits on address space are no help: the grounder
reserves much more than it uses, and numerical libraries hang where they should fail.
"""

from __future__ import annotations

import ctypes
import os
import resource
import select
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import IO

from ludisect.sweep.job import Ending, Job, JobLimits, status_of
from ludisect.sweep.limits import SweepLimits
from ludisect.sweep.processes import CPU, MEMORY, SESSION, STATE, process_fields

Program = Callable[[Sequence[str]], int]
"""Runs a command line and gives its exit code."""

_PAGE = resource.getpagesize()
_TICKS = os.sysconf("SC_CLK_TCK")
_SHORTEST = 0.002
_PR_SET_PDEATHSIG = 1


@dataclass(slots=True)
class Taken:
    """What a session takes at the moment."""

    cpu: float = 0.0
    memory: int = 0


@dataclass(slots=True)
class Watched:
    """A process that was forked here and leads its session: its limits, and what was seen of it so far."""

    pid: int
    limits: JobLimits
    begin: float = field(default_factory=time.monotonic)
    now: Taken = field(default_factory=Taken)
    cpu: float = 0.0
    peak: int = 0
    code: int | None = None
    """Its exit code, or minus the signal that ended it, once it has ended."""

    def ended(self, *, wait: bool = False) -> bool:
        """Whether it has ended; if so, with all that it had started."""
        if self.code is None:
            done, status, usage = os.wait4(self.pid, 0 if wait else os.WNOHANG)
            if done:
                end_session(self.pid)  # what it has left behind
                self.code = os.waitstatus_to_exitcode(status)
                self.cpu = max(self.cpu, usage.ru_utime + usage.ru_stime)
                self.peak = max(self.peak, _largest(usage))
        return self.code is not None

    def overstepped(self, use: Taken) -> str:
        """The limit that is overstepped by what the session takes now, if one is: ``memory``, ``cpu`` or ``time``."""
        self.now, self.cpu, self.peak = use, max(self.cpu, use.cpu), max(self.peak, use.memory)
        if use.memory > self.limits.memory:
            return "memory"
        if use.cpu > self.limits.cpu:
            return "cpu"
        return "time" if time.monotonic() - self.begin > self.limits.wall else ""

    def end(self) -> None:
        """End it, and all that it has started."""
        if self.code is None:
            os.kill(self.pid, signal.SIGKILL)  # by its number: just forked, it may not lead its session yet
            end_session(self.pid)
            self.ended(wait=True)


def run_guarded(
    job: Job, program: Program, *, leaving: int | None = None, private: Sequence[int] = ()
) -> Ending | None:
    """Run a job in a fork of this process, which must have no other thread.

    ``leaving`` is a file descriptor: when something can be read there (its other end is closed), the job is ended, and
    there is no ending. The job does not get the descriptors in ``private``.
    """
    numbers = SweepLimits.current()
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        watched = fork_guarded(
            lambda: program(job.words), job.limits, (output.fileno(), errors.fileno()), private=private
        )
        verdict = _watch(watched, output, numbers, leaving)
        if verdict == "left" or watched.code is None:
            return None
        return Ending(
            status=verdict or status_of(watched.code),
            exit=watched.code,
            wall=time.monotonic() - watched.begin,
            cpu=watched.cpu,
            peak=watched.peak,
            output=_text(output, 0, numbers.output_bytes),
            errors=last_text(errors, numbers.error_bytes),
        )


def fork_guarded(
    act: Callable[[], int], limits: JobLimits, outputs: tuple[int, int], *, private: Sequence[int] = ()
) -> Watched:
    """Fork a process that does one thing and leaves its exit code; this one must have no other thread.

    ``outputs`` are descriptors for what it prints, and for what it says of errors. It leads a session of its own and
    ends with this process. It does not get the descriptors in ``private``.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        for number in private:
            os.close(number)
        _become(act, outputs, parent)
    return Watched(pid, limits)


def _become(act: Callable[[], int], outputs: tuple[int, int], parent: int) -> None:
    """The forked process: leads its own session, writes to files, does its work and never returns."""
    code = 70
    try:
        os.setsid()
        _die_with_parent(parent)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        nothing = os.open(os.devnull, os.O_RDONLY)
        for number, stream in enumerate((nothing, *outputs)):
            os.dup2(stream, number)
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        code = act()
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        with suppress(BaseException):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


def _die_with_parent(parent: int) -> None:
    """Have the system end this process when its parent is gone; only Linux can."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it fell before it was asked for
            os._exit(70)


def _watch(watched: Watched, output: IO[bytes], numbers: SweepLimits, leaving: int | None) -> str:
    """Wait for the end of a job, or bring it about: why it was ended, if it was."""
    pause = _SHORTEST
    with _its_end(watched.pid) as end:
        while not watched.ended():
            verdict = watched.overstepped(session_use(watched.pid))
            if not verdict and os.fstat(output.fileno()).st_size > numbers.output_bytes:
                verdict = "crash"
            if not verdict and leaving in _ready([leaving, end], pause):
                verdict = "left"
            if verdict:
                watched.end()
                return verdict
            pause = min(2 * pause, numbers.look_seconds)
    return ""


def _largest(usage: resource.struct_rusage) -> int:
    """Peak memory that the system tells of: kilobytes on Linux, bytes on macOS."""
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


@contextmanager
def _its_end(pid: int) -> Iterator[int | None]:
    """A descriptor that can be read when a process has ended; None where the system has no such thing."""
    opened = os.pidfd_open(pid) if hasattr(os, "pidfd_open") else None
    try:
        yield opened
    finally:
        if opened is not None:
            os.close(opened)


def _ready(descriptors: Sequence[int | None], pause: float) -> list[int]:
    """Wait until one of the descriptors that are there can be read, for a moment at most; those that can."""
    return select.select([number for number in descriptors if number is not None], [], [], pause)[0]


# ---- sessions -------------------------------------------------------------------------------------------------------


def session_use(session: int) -> Taken:
    """Processor time and memory of every process of a session; nothing where there is no /proc."""
    return sessions_use([session])[session]


def sessions_use(sessions: Collection[int]) -> dict[int, Taken]:
    """The same for several sessions, in one look at all processes."""
    total = {session: Taken() for session in sessions}
    for _, fields in _members(total):
        use = total[int(fields[SESSION])]
        use.cpu += sum(map(int, fields[CPU])) / _TICKS
        use.memory += int(fields[MEMORY]) * _PAGE
    return total


def end_session(session: int) -> None:
    """End every process of a session, also those that are born meanwhile."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(session, signal.SIGKILL)
    while alive := [pid for pid, fields in _members([session]) if fields[STATE] != "Z"]:
        for pid in alive:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(_SHORTEST)


def _members(sessions: Collection[int]) -> list[tuple[int, list[str]]]:
    """The processes of some sessions: number, and what /proc says after the name."""
    found = []
    for entry in os.listdir("/proc") if sys.platform == "linux" else ():
        with suppress(ValueError, OSError):  # no process, or one that has just ended
            if os.getsid(int(entry)) not in sessions:  # asked first: some two hundred files need not be read
                continue
            fields = process_fields(int(entry))
            if fields and int(fields[SESSION]) in sessions:
                found.append((int(entry), fields))
    return found


def last_text(file: IO[bytes], most: int) -> str:
    """The end of a file, as text."""
    return _text(file, max(0, os.fstat(file.fileno()).st_size - most), most)


def _text(file: IO[bytes], begin: int, most: int) -> str:
    file.seek(begin)
    return file.read(most).decode("utf-8", errors="replace")
