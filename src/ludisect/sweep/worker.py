"""A worker: a warm process that forks a guarded job for every line it reads, and the handle on it.

Loading the library takes a third of a second, a fork of a process that has loaded it a few milliseconds. The worker has
one thread and no open play, so that a fork of it is a fresh start. It reads jobs as lines of JSON and writes endings.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from ludisect.sweep.guard import Program, run_guarded
from ludisect.sweep.job import Ending, Job

WORKER: Final = (sys.executable, "-m", "ludisect.cli.standby")
"""The command line of a worker."""

PATIENCE: Final = 5.0
"""Seconds for a worker to leave after it was told to."""


def serve(program: Program, warm: Sequence[str]) -> None:
    """The life of a worker: run the command ``warm`` once, so that all is loaded, then a job for every line."""
    # standard output belongs to the endings: what the warm-up says goes nowhere
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the client, who then closes our input
    program(warm)
    if threading.active_count() > 1:
        raise RuntimeError("a worker must have one thread when it forks")
    for line in sys.stdin:  # the client sends a line, and nothing until it has its answer: then it can only leave
        job = Job.from_json(json.loads(line))
        ending = run_guarded(job, program, leaving=sys.stdin.fileno(), private=[answers.fileno()])
        if ending is None:
            return
        answers.write(json.dumps(ending.to_json()) + "\n")
        answers.flush()


class Worker:
    """The handle on a worker process; not for several threads at once. Ended by ``close``, and with its client."""

    def __init__(self, warm: Sequence[str], command: Sequence[str] = WORKER) -> None:
        self._command = [*command, *warm]
        self._process: subprocess.Popen[str] | None = None

    def run(self, job: Job) -> Ending | None:
        """Have a job done; None if the process fell meanwhile (the next job gets a new one)."""
        process = self._process
        if process is None or process.poll() is not None:
            process = self._process = self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps(job.to_json()) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except (OSError, ValueError):  # a pipe without a reader, or closed by another thread
            line = ""
        if not line.endswith("\n"):
            self.close()
            return None
        return Ending.from_json(json.loads(line))

    def close(self) -> None:
        """End the process and its job. May be called from another thread while a job runs."""
        process = self._process
        if process is None:
            return
        with suppress(OSError):
            assert process.stdin is not None
            process.stdin.close()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        assert process.stdout is not None
        process.stdout.close()  # who reads there has met the end

    @property
    def pid(self) -> int | None:
        """The number of the process, if there is one."""
        return None if self._process is None else self._process.pid

    def _start(self) -> subprocess.Popen[str]:
        # the same ludisect as here, wherever it was found; a session of its own, which Ctrl-C does not reach
        paths = [str(Path(__file__).parents[2]), *filter(None, [os.environ.get("PYTHONPATH")])]
        return subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
            start_new_session=True,
        )
