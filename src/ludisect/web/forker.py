"""The warm process behind the server: forks one for every game and job, watches them, and ends them.

Loading the library takes two seconds of processor time, a fork of a process that has loaded it some milliseconds. This
one has a single thread. The server sends it orders as lines of JSON through a socket, and with an order to fork the end
of another socket, through which it speaks to the new process itself. What happens to the processes is told by lines.
"""

from __future__ import annotations

import json
import math
import mmap
import os
import select
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Any, Final

from ludisect import clock
from ludisect.play.leash import die_with_parent
from ludisect.sweep.guard import Watched, fork_guarded, last_text, sessions_use
from ludisect.sweep.job import JobLimits
from ludisect.web.limits import WebLimits
from ludisect.web.problems import SHOWN

MOST: Final = 1 << 16
"""Bytes of orders that are read at once."""

IDLE: Final = 1.0
"""Seconds between two looks at processes that have nothing to do."""

UNBOUND: Final = JobLimits(wall=math.inf, cpu=math.inf, memory=1 << 62)


class _Process:
    """A forked process, and what it says of errors."""

    def __init__(self, watched: Watched, errors: IO[bytes], clock_shown: memoryview[float]) -> None:
        self.watched, self.errors = watched, errors
        self._clock, self._uncounted = clock_shown, 0.0
        self.verdict = ""
        self.soft = math.inf
        """Seconds after which it is interrupted."""
        self.told = 0.0
        """When the server was last told what it takes."""

    def count(self) -> None:
        """Take no account of the time in which its clock stood still: it waited for machine code."""
        now = clock.uncounted(self._clock)
        self.watched.begin += now - self._uncounted
        self._uncounted = now


class Forker:
    """The life of the warm process: orders in, processes watched."""

    def __init__(self, control: socket.socket, live: Callable[[socket.socket], int]) -> None:
        self._control = control
        self._live = live
        self._processes: dict[str, _Process] = {}
        self._ends: list[int] = []
        """Ends of sockets that came with orders that are not yet read."""
        self._unread = b""

    def run(self) -> None:
        """Obey until the server is gone."""
        self._tell(ready=os.getpid())
        while True:
            ready, _, _ = select.select([self._control], [], [], self._pause())
            if ready and not self._read():
                break
            self._look()
        for process in self._processes.values():
            process.watched.end()

    def _pause(self) -> float | None:
        """Seconds until the next look; who has nothing to do is looked at less often."""
        if any(process.watched.limits is not UNBOUND for process in self._processes.values()):
            return WebLimits.current().processes_look
        return IDLE if self._processes else None

    def _tell(self, **what: Any) -> None:
        with suppress(OSError):  # the server is gone, which is seen when it is read from
            self._control.sendall(json.dumps(what).encode() + b"\n")

    def _read(self) -> bool:
        """Read and obey orders; False once there will be none."""
        try:
            data, ends, _, _ = socket.recv_fds(self._control, MOST, 64)
        except OSError:
            return False
        if not data:
            return False
        self._ends.extend(ends)
        *lines, self._unread = (self._unread + data).split(b"\n")
        for line in lines:
            order = json.loads(line)
            getattr(self, f"_{order.pop('do')}")(**order)
        return True

    # ---- orders ----

    def _fork(self, key: str) -> None:
        end = socket.socket(fileno=self._ends.pop(0))
        shown = memoryview(mmap.mmap(-1, mmap.PAGESIZE))[:16].cast("d")

        def act() -> int:
            clock.show(shown)
            return self._live(end)

        with tempfile.TemporaryFile() as output:
            errors = tempfile.TemporaryFile()  # noqa: SIM115
            watched = fork_guarded(
                act,
                UNBOUND,
                (output.fileno(), errors.fileno()),
                private=[self._control.fileno(), *self._ends],
            )
        end.close()
        self._processes[key] = _Process(watched, errors, shown)
        self._tell(key=key, born=watched.pid)

    def _limit(self, key: str, seconds: float | None, memory: float | None, soft: float | None = None) -> None:
        """What a process may take for one request that begins now; nothing is looked at while it has none."""
        process = self._processes.get(key)
        if process is not None:
            process.watched.limits = UNBOUND
            if seconds is not None and memory is not None:
                process.watched.limits = JobLimits(wall=seconds, cpu=math.inf, memory=int(memory * 2**30))
            process.count()
            process.watched.begin = time.monotonic()
            process.soft = math.inf if soft is None else soft

    def _end(self, key: str) -> None:
        process = self._processes.get(key)
        if process is not None:
            process.watched.end()
            self._bury(key, process)

    # ---- watching ----

    def _look(self) -> None:
        for key, process in list(self._processes.items()):
            if process.watched.ended():
                self._bury(key, process)
        busy = {p.watched.pid: (key, p) for key, p in self._processes.items() if p.watched.limits is not UNBOUND}
        if not busy:
            return
        now = time.monotonic()
        for pid, taken in sessions_use(busy).items():
            key, process = busy[pid]
            process.count()
            process.verdict = process.watched.overstepped(taken)
            if process.verdict:
                process.watched.end()
                self._bury(key, process)
                continue
            if now - process.watched.begin > process.soft:
                process.soft = math.inf
                os.kill(pid, signal.SIGINT)
            if now - process.told > 4 * WebLimits.current().processes_look:
                process.told = now
                self._tell(key=key, memory=taken.memory, cpu=taken.cpu)

    def _bury(self, key: str, process: _Process) -> None:
        del self._processes[key]
        with process.errors as errors:
            said = last_text(errors, SHOWN)
        self._tell(key=key, gone=process.watched.code, verdict=process.verdict, said=said, peak=process.watched.peak)


def serve(live: Callable[[socket.socket], int], warm: Callable[[], None]) -> None:
    """The main function of the process; its standard input is the socket to the server.

    What ``warm`` raises is told to the server, which cannot do without this process.
    """
    die_with_parent()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    control = socket.socket(fileno=os.dup(0))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.chdir("/")  # no name that somebody types is a file here
    try:
        warm()
    except Exception as error:
        if os.environ.get("LUDISECT_DEBUG"):
            raise
        control.sendall(json.dumps({"fault": f"{type(error).__name__}: {error}"}).encode() + b"\n")
        sys.exit(1)
    if threading.active_count() > 1:
        raise RuntimeError("the process that forks must have one thread")
    Forker(control, live).run()
