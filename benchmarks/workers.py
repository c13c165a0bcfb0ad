"""Tasks done in worker processes with limits on time and memory: a worker that oversteps one is ended and replaced.

Shared by the benchmarks that take many games. The limit of a task is processor time, so that other work on the machine
does not decide which games are done; a guard by the clock is only there for a worker that sleeps.
"""

from __future__ import annotations

import math
import resource
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import connection, get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Generic, TypeVar

Task = TypeVar("Task")
Row = dict[str, Any]
"""What a task gives; ``{"ended": reason}`` if it gave nothing ("timeout", or what was raised)."""

PATIENCE = 4
"""By the clock, a worker may take this many times the limit: so much can other work slow it down."""

START = 120
"""Seconds by the clock for a worker to start; kernels may have to be compiled."""

LOOK = 0.25
"""Seconds between two looks at the workers."""

WARMING = ("four-lamps", "nim:1,2")
"""Small games that need the code that others need: one player and two, with and without turns."""

FINDING = 0.75
"""Share of a limit that ``decompose`` is given for finding and proving; verifying takes the rest."""


@dataclass(frozen=True)
class Limits:
    """``seconds`` of processor time for one task; bytes of ``memory`` for one worker, where /proc tells its size.

    Address space is no measure of memory: the grounder reserves much more than it uses.
    """

    seconds: float
    memory: float = 4 * 2.0**30


def run(
    batches: Iterable[Sequence[Task]],
    work: Callable[[Task], Row],
    limits: Limits,
    *,
    methods: Sequence[str] = ("exact",),
    jobs: int = 1,
    fresh: bool = False,
) -> Iterator[tuple[Task, Row]]:
    """Every task with what came of it, as they are done.

    The tasks of a batch go to one worker, one after the other (it can keep what they share); if one of them ends the
    worker, the others go to a new one. With ``fresh`` every task has a process of its own. ``work`` must be importable.
    The compiled code of ``methods`` is loaded before a worker's first task, so that no game is charged with it.
    """
    waiting = iter(batches)
    workers = [_Worker[Task](work, limits, methods) for _ in range(jobs)]
    try:
        while True:
            for worker in workers:
                if not worker.batch:
                    worker.batch = list(next(waiting, ()))
                worker.begin()
            busy = [worker for worker in workers if worker.batch]
            if not busy:
                return
            answered = connection.wait([worker.pipe for worker in busy], timeout=LOOK)
            for worker in busy:
                row = worker.answer() if worker.pipe in answered else worker.overstepped()
                if row is None:
                    continue
                task = worker.batch.pop(0)
                worker.asked = None
                if fresh:
                    worker.close()
                yield task, row
    finally:
        for worker in workers:
            worker.close()


class _Worker(Generic[Task]):
    """A process that is started when there is work, and the batch that it has before it."""

    def __init__(self, work: Callable[[Task], Row], limits: Limits, methods: Sequence[str]) -> None:
        self.work, self.limits, self.methods = work, limits, methods
        self.batch: list[Task] = []
        self.asked: float | None = None
        self.ready = False
        self.pipe: Any = None
        self.process: BaseProcess | None = None

    def begin(self) -> None:
        """Ask for the first task of the batch, if there is one and it has not been asked for."""
        if not self.batch or self.asked is not None:
            return
        if self.process is None:
            self._start()
        self.asked = time.monotonic()
        with suppress(BrokenPipeError):  # it died at its start: the answer will be that it did
            self.pipe.send(self.batch[0])

    def answer(self) -> Row | None:
        """The row that has come, or why none ever will; None if the worker only says that it is ready."""
        assert self.process is not None
        try:
            row: Row | None = self.pipe.recv()
        except (EOFError, ConnectionResetError):
            self.process.join()
            code = self.process.exitcode
            if not self.ready:
                raise SystemExit(f"a worker process ended with code {code} before its first task") from None
            self.close()
            return {"ended": "timeout" if code == -signal.SIGXCPU else f"the process ended with code {code}"}
        self.ready = True
        return row

    def overstepped(self) -> Row | None:
        """End the process if it takes too much memory, or has had the clock's limit too."""
        assert self.process is not None
        assert self.asked is not None
        if _resident(self.process.pid) > self.limits.memory:
            self.close()
            return {"ended": f"more than {self.limits.memory / 2**30:g} GB of memory"}
        if time.monotonic() - self.asked > PATIENCE * self.limits.seconds + START:
            self.close()
            return {"ended": "timeout"}
        return None

    def close(self) -> None:
        """End the process, whatever it does."""
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.pipe.close()
        self.process = self.pipe = None
        self.ready = False

    def _start(self) -> None:
        context = get_context("spawn")  # threads of numerical libraries do not survive a fork
        self.pipe, other = context.Pipe()
        process = context.Process(target=_serve, args=(self.work, self.limits, self.methods, other), daemon=True)
        # Ctrl-C is for this process alone, which then says what is known; the worker inherits that it is ignored.
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            process.start()
        finally:
            signal.signal(signal.SIGINT, before)
        other.close()
        self.process = process


def _serve(work: Callable[[Any], Row], limits: Limits, methods: Sequence[str], pipe: Any) -> None:
    """The life of a worker: load what is loaded once, then one task after the other."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _warm(methods)
    pipe.send(None)
    while True:
        try:
            task = pipe.recv()
        except EOFError:
            return
        _allow(limits.seconds)
        try:
            row = work(task)
        except Exception as error:  # a fault in one game is a row of the table, not the end of it
            row = {"ended": f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"}
        pipe.send(row)


def _allow(seconds: float) -> None:
    """From now on, so much more processor time: a soft limit, so that it can be raised for the next task."""
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    soft = math.ceil(time.process_time() + seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


def _resident(pid: int | None) -> int:
    """Bytes of memory that a process has now; 0 where nobody tells."""
    try:
        pages = Path(f"/proc/{pid}/statm").read_text().split()[1]
    except (OSError, IndexError):
        return 0
    return int(pages) * resource.getpagesize()


def _warm(methods: Sequence[str]) -> None:
    """Load compiled code, or compile it once for this machine, before any clock starts."""
    from ludisect.decomposition import decompose
    from ludisect.kernels.workers import compile_all
    from ludisect.loader import load

    compile_all(["solve", "statistics", "simulate"])
    for game in WARMING:
        for method in methods:
            decompose(load(game), method=method)
