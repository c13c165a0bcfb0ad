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
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
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
class _Use:
    """What a session takes at the moment."""

    cpu: float = 0.0
    memory: int = 0


def run_guarded(
    job: Job, program: Program, *, leaving: int | None = None, private: Sequence[int] = ()
) -> Ending | None:
    """Run a job in a fork of this process, which must have no other thread.

    ``leaving`` is a file descriptor: when something can be read there (its other end is closed), the job is ended, and
    there is no ending. The job does not get the descriptors in ``private``.
    """
    numbers = SweepLimits.current()
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        begin = time.monotonic()
        sys.stdout.flush()
        sys.stderr.flush()
        parent = os.getpid()
        pid = os.fork()
        if pid == 0:
            for number in private:
                os.close(number)
            _become(job, program, output, errors, parent)
        verdict, code, taken, peak = _watch(pid, job.limits, begin, output, numbers, leaving)
        if verdict == "left":
            return None
        return Ending(
            status=verdict or status_of(code),
            exit=code,
            wall=time.monotonic() - begin,
            cpu=taken,
            peak=peak,
            output=_text(output, 0, numbers.output_bytes),
            errors=_text(errors, max(0, os.fstat(errors.fileno()).st_size - numbers.error_bytes), numbers.error_bytes),
        )


def _become(job: Job, program: Program, output: IO[bytes], errors: IO[bytes], parent: int) -> None:
    """The forked process: leads its own session, writes to files, runs the command and never returns."""
    code = 70
    try:
        os.setsid()
        _die_with_parent(parent)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        nothing = os.open(os.devnull, os.O_RDONLY)
        for number, stream in ((0, nothing), (1, output.fileno()), (2, errors.fileno())):
            os.dup2(stream, number)
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        code = program(job.words)
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


def _watch(
    pid: int, limits: JobLimits, begin: float, output: IO[bytes], numbers: SweepLimits, leaving: int | None
) -> tuple[str, int, float, int]:
    """Wait for the end of a job, or bring it about: why it was ended (if it was), exit code, CPU seconds, peak."""
    verdict, peak, pause, cpu = "", 0, _SHORTEST, 0.0
    while True:
        done, status, usage = os.wait4(pid, os.WNOHANG)
        if done:
            break
        use = session_use(pid)
        cpu, peak = max(cpu, use.cpu), max(peak, use.memory)
        verdict = _overstepped(limits, time.monotonic() - begin, use)
        if not verdict and os.fstat(output.fileno()).st_size > numbers.output_bytes:
            verdict = "crash"
        if not verdict and _left(leaving, pause):
            verdict = "left"
        if verdict:
            end_session(pid)
            done, status, usage = os.wait4(pid, 0)
            break
        pause = min(2 * pause, numbers.look_seconds)
    end_session(pid)  # what it has left behind
    cpu = max(cpu, usage.ru_utime + usage.ru_stime)
    return verdict, os.waitstatus_to_exitcode(status), cpu, max(peak, _largest(usage))


def _largest(usage: resource.struct_rusage) -> int:
    """Peak memory that the system tells of: kilobytes on Linux, bytes on macOS."""
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _overstepped(limits: JobLimits, seconds: float, use: _Use) -> str:
    if use.memory > limits.memory:
        return "memory"
    if use.cpu > limits.cpu:
        return "cpu"
    return "time" if seconds > limits.wall else ""


def _left(leaving: int | None, pause: float) -> bool:
    """Wait a moment; whether the one who asked for the job is gone."""
    if leaving is None:
        time.sleep(pause)
        return False
    return bool(select.select([leaving], [], [], pause)[0])


# ---- sessions -------------------------------------------------------------------------------------------------------


def session_use(session: int) -> _Use:
    """Processor time and memory of every process of a session; nothing where there is no /proc."""
    total = _Use()
    for _, fields in _members(session):
        total.cpu += sum(map(int, fields[CPU])) / _TICKS
        total.memory += int(fields[MEMORY]) * _PAGE
    return total


def end_session(session: int) -> None:
    """End every process of a session, also those that are born meanwhile."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(session, signal.SIGKILL)
    while alive := [pid for pid, fields in _members(session) if fields[STATE] != "Z"]:
        for pid in alive:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(_SHORTEST)


def _members(session: int) -> list[tuple[int, list[str]]]:
    """The processes of a session: number, and what /proc says after the name."""
    found = []
    for entry in os.listdir("/proc") if sys.platform == "linux" else ():
        if not entry.isdigit():
            continue
        fields = process_fields(int(entry))  # nothing if it has just ended
        if fields and int(fields[SESSION]) == session:
            found.append((int(entry), fields))
    return found


def _text(file: IO[bytes], begin: int, most: int) -> str:
    file.seek(begin)
    return file.read(most).decode("utf-8", errors="replace")
