"""What a forked process does: it answers the requests of the server about one game, or runs one command.

A request is a line of JSON that says what to do; its answer is a line, with lines before it that tell how far it is.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from typing import IO, Any, Final

from ludisect.errors import LudisectError
from ludisect.kernels.workers import reporting
from ludisect.progress import listening, viewing
from ludisect.sweep.guard import Program
from ludisect.web import sheetcheck
from ludisect.web.bench import Bench
from ludisect.web.limits import WebLimits
from ludisect.web.owngames import OwnGameError, blamed, own_games, own_rules
from ludisect.web.problems import SHOWN, problem, problem_of
from ludisect.web.rulebench import open_rules
from ludisect.web.sumbench import open_sum
from ludisect.web.sweeping import run_page_sweep

COMPILING: Final = "compiling kernels for this machine, once"

VIEWED: Final = 0.25
"""Shortest pause between two looks at a table that grows."""

Tell = Callable[[dict[str, Any]], None]
"""Says something to the server before the answer is there."""


def live(program: Program, end: socket.socket) -> int:
    """The life of a forked process: requests in, answers out, until the server closes the socket."""
    with end, end.makefile("rwb") as stream:
        talking = threading.Lock()  # random plays are reported from their threads
        own = os.getpid()

        def tell(told: dict[str, Any]) -> None:
            if os.getpid() != own:  # a game of a sweep, forked from here
                return
            with talking:
                stream.write(json.dumps(told, allow_nan=False).encode() + b"\n")
                stream.flush()

        worker = _Worker(program, tell)
        for line in stream:
            request = json.loads(line)
            steps = _Steps(tell)
            with listening(steps), viewing(steps.view), reporting(steps.compiling):
                answer = _answered(partial(worker.answer, request))
            tell(answer)
    return 0


class _Steps:
    """Tells how far the work is, not more often than somebody could see."""

    def __init__(self, tell: Tell) -> None:
        self._tell, self._name, self._time, self._seen = tell, "", 0.0, 0.0

    def __call__(self, step: str, done: int, of: int | None) -> None:
        if self._due(step):
            self._tell({"step": {"name": step, "done": done, "of": of}})

    def compiling(self, done: int, of: int) -> None:
        """Told while machine code is waited for."""
        if of and self._due(COMPILING):
            self._tell({"step": {"name": COMPILING, "done": done, "of": of}})

    def view(self, known: Callable[[], Any]) -> None:
        """Told what is known before the answer is there, a table that grows."""
        now = time.monotonic()
        if now - self._seen >= VIEWED:
            self._seen = now
            self._tell({"partial": known()})

    def _due(self, step: str) -> bool:
        now = time.monotonic()
        if step == self._name and now - self._time < WebLimits.current().events_pause:
            return False
        self._name, self._time = step, now
        return True


def _answered(work: Callable[[], Any]) -> dict[str, Any]:
    """The answer, or the problem."""
    try:
        return {"answer": work()}
    except LudisectError as error:
        return {"problem": problem_of(error)}
    except OwnGameError as error:
        return {"problem": error.problem}
    except RecursionError:
        return {"problem": problem("input", "It is nested too deeply.")}
    except MemoryError:
        return {"problem": problem("limit", "It took more memory than it was given.", limit="memory")}
    except Exception as error:
        found = blamed(error)
        if found is not None:
            return {"problem": found}
        return {"problem": problem("crash", "The worker broke off.", said=traceback.format_exc()[-SHOWN:])}


class _Worker:
    """What one process knows: its game, once it was told which."""

    def __init__(self, program: Program, tell: Tell) -> None:
        self._program, self._tell = program, tell
        self._bench: Bench | None = None

    def answer(self, request: Mapping[str, Any]) -> Any:
        """The answer to one request."""
        what = request["do"]
        if what == "check":
            return sheetcheck.check_text(request["text"])
        if what == "catalogue":
            return sheetcheck.catalogue(request["files"])
        if what == "own_rules":
            return own_rules(request["files"], request["name"])
        if what == "command":
            if request["own"] is not None:
                own_games(request["own"])
            with ExitStack() as files:
                held = {f"<{name}>": _path(files.enter_context(_held(text))) for name, text in request["held"].items()}
                return self._command([held.get(word, word) for word in request["words"]], request["input"])
        if what == "sweep":
            return run_page_sweep(self._program, **request["with"], tell=self._tell_known)
        if self._bench is None:
            opener: Callable[..., Bench] = open_rules if request["source"]["kind"] == "rules" else open_sum
            self._bench = opener(request["source"], request["seconds"], request["memory"])
        given = dict(request.get("with", {}))
        if what in ("values", "match"):
            given["tell"] = self._tell_known
        return getattr(self._bench, what)(**given)

    def _tell_known(self, known: dict[str, Any]) -> None:
        self._tell({"partial": known})

    def _command(self, words: list[str], given: str) -> dict[str, Any]:
        """Run a command line; its exit code, and what it printed as JSON."""
        signal.signal(signal.SIGINT, signal.default_int_handler)  # it may be told to say what it knows
        with _held(given) as stdin, _held("") as output:
            os.dup2(stdin.fileno(), 0)
            os.dup2(output.fileno(), 1)
            code = self._program(words)
            sys.stdout.flush()
            output.seek(0)
            printed = output.read().decode()
        return {"exit": code, "printed": json.loads(printed) if printed else None}


def _path(file: IO[bytes]) -> str:
    return f"/dev/fd/{file.fileno()}"


def _held(text: str) -> IO[bytes]:
    """A file without a name, in memory where that can be had, from which a text can be read."""
    memory = hasattr(os, "memfd_create")
    made: IO[bytes] = os.fdopen(os.memfd_create("held"), "w+b") if memory else tempfile.TemporaryFile()  # noqa: SIM115
    made.write(text.encode("utf-8", "surrogatepass"))
    made.seek(0)
    return made
