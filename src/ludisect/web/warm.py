"""The server's handle on the warm process and on every process that it has forked."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ludisect.web.problems import Refusal

FORKER: Final = (sys.executable, "-P", "-m", "ludisect.cli.forking")
"""The command line of the warm process."""

LONGEST: Final = 1 << 28
"""Bytes of one line from a process: the JSON of a large decomposition."""

Heard = Callable[[dict[str, Any]], None]
"""Told what a process says while it is at work."""


@dataclass(slots=True)
class Gone:
    """How a process ended: its exit code (minus a signal), the limit that ended it, and what it said last."""

    code: int
    verdict: str
    said: str


class Forked:
    """One forked process: answers requests one after the other, and says how far it is meanwhile."""

    def __init__(self, warm: Warm, key: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._warm, self.key = warm, key
        self._reader, self._writer = reader, writer
        self.pid: int | None = None
        self.memory = 0.0
        """Gigabytes that it takes, with all it has started, as last seen."""
        self.gone: asyncio.Future[Gone] = asyncio.get_running_loop().create_future()
        self.turn = asyncio.Lock()

    @property
    def alive(self) -> bool:
        """Whether it has not ended yet, as far as is known."""
        return not self.gone.done()

    async def ask(
        self,
        request: dict[str, Any],
        *,
        seconds: float,
        memory: float,
        soft: float | None = None,
        heard: Heard | None = None,
    ) -> Any:
        """The answer to a request. Raises Refusal with the problem that it has, or that ended the process.

        After ``soft`` seconds it is interrupted, so that it can say what it knows, after ``seconds`` it is ended. Time
        in which it waits for machine code does not count.
        """
        async with self.turn:
            self._warm.order(do="limit", key=self.key, seconds=seconds, memory=memory, soft=soft)
            try:
                self._writer.write(json.dumps(request).encode() + b"\n")
                await self._writer.drain()
                while line := await self._reader.readline():
                    told = json.loads(line)
                    if "answer" in told:
                        return told["answer"]
                    if "problem" in told:
                        raise Refusal.of(told["problem"])
                    if heard is not None:
                        heard(told)
            except (OSError, ValueError):
                pass
            except asyncio.CancelledError:
                self._warm.order(do="end", key=self.key)  # nobody waits for its answer
                raise
            finally:
                self._warm.order(do="limit", key=self.key, seconds=None, memory=None)
            raise _fallen(await self.gone)

    async def end(self) -> Gone:
        """End it, and wait until it is gone."""
        if self.alive:
            self._warm.order(do="end", key=self.key)
        gone = await self.gone
        self._writer.close()
        return gone


def _fallen(gone: Gone) -> Refusal:
    """The problem of a process that ended without an answer."""
    if gone.verdict:
        return Refusal("limit", LIMITS[gone.verdict], limit="memory" if gone.verdict == "memory" else "seconds")
    if gone.code < 0:
        title = f"The worker was ended by signal {-gone.code}. Nothing else was lost."
        return Refusal("killed", title, signal=-gone.code)
    return Refusal("crash", "The worker broke off.", said=gone.said)


LIMITS: Final = {
    "memory": "It took more memory than it was given.",
    "time": "It took longer than it was given.",
    "cpu": "It took more processor time than it was given.",
}


class Warm:
    """The warm process: started once, and anew should it fall."""

    def __init__(self, command: Sequence[str] = FORKER) -> None:
        self._command = command
        self._process: asyncio.subprocess.Process | None = None
        self._control: socket.socket | None = None
        self._forked: dict[str, Forked] = {}
        self._number = 0
        self._ready = asyncio.Event()
        self._listening: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()
        self.closing = False
        self._fault = ""

    @property
    def pid(self) -> int | None:
        """The number of the process, if there is one."""
        return None if self._process is None else self._process.pid

    async def start(self) -> None:
        """Start the process; it loads what it needs meanwhile."""
        ours, theirs = socket.socketpair()
        paths = [str(Path(__file__).parents[2]), *filter(None, [os.environ.get("PYTHONPATH")])]
        self._ready.clear()
        self._fault = ""
        self._process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=theirs.fileno(),
            env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
            start_new_session=True,  # Ctrl-C is for the server, which ends its processes
        )
        theirs.close()
        self._control = ours
        reader, writer = await asyncio.open_connection(sock=ours.dup(), limit=LONGEST)
        self._listening = asyncio.create_task(self._listen(reader, writer))

    async def fault(self) -> str:
        """Once it is known: why the process could not be made ready; empty if it is."""
        await self._ready.wait()
        return self._fault

    async def fork(self, name: str) -> Forked:
        """A new process, which waits for requests. Raises Refusal if the warm process has fallen meanwhile."""
        async with self._starting:
            if self.closing:
                raise Refusal("busy", "The server is closing.", status=503)
            if self._process is None or self._process.returncode is not None or self._control is None:
                await self.start()
        await self._ready.wait()
        self._number += 1
        key = f"{name}-{self._number}"
        ours, theirs = socket.socketpair()
        reader, writer = await asyncio.open_connection(sock=ours, limit=LONGEST)
        if self._control is None:  # nobody would tell the new process, nor who waits for it
            theirs.close()
            writer.close()
            raise Refusal("crash", "The process behind the server has fallen.", said=self._fault)
        forked = self._forked[key] = Forked(self, key, reader, writer)
        self.order(do="fork", key=key, end=theirs)
        theirs.close()
        return forked

    def order(self, *, end: socket.socket | None = None, **order: Any) -> None:
        """Send an order, and with it the end of a socket."""
        line = json.dumps(order).encode() + b"\n"
        with suppress(OSError):  # it has fallen: whoever waits is told by the one who listens
            if self._control is not None:
                socket.send_fds(self._control, [line], [] if end is None else [end.fileno()])

    async def _listen(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with suppress(OSError, ValueError):
                while line := await reader.readline():
                    self._hear(json.loads(line))
        finally:
            writer.close()
        if self._control is not None:
            self._control.close()
            self._control = None
        for forked in self._forked.values():
            if forked.alive:
                forked.gone.set_result(Gone(70, "", "the process behind the server has fallen"))
        self._forked.clear()
        if not self._ready.is_set():
            self._fault = self._fault or "it ended before it was ready"
            self._ready.set()

    def _hear(self, told: dict[str, Any]) -> None:
        if "ready" in told:
            self._ready.set()
            return
        if "fault" in told:
            self._fault = told["fault"]
            return
        forked = self._forked.get(told["key"])
        if forked is None:
            return
        if "born" in told:
            forked.pid = told["born"]
        elif "gone" in told:
            del self._forked[told["key"]]
            if forked.alive:
                forked.gone.set_result(Gone(told["gone"], told["verdict"], told["said"]))
        else:
            forked.memory = told["memory"] / 2**30

    async def close(self) -> None:
        """End the process and everything that it has forked."""
        self.closing = True
        if self._control is not None:
            with suppress(OSError):
                self._control.shutdown(socket.SHUT_WR)  # it ends what it has forked, and itself
        if self._process is not None:
            try:
                await asyncio.wait_for(self._process.wait(), 2.0)
            except TimeoutError:
                with suppress(ProcessLookupError):
                    self._process.kill()
                await self._process.wait()
        if self._listening is not None:
            self._listening.cancel()
            with suppress(asyncio.CancelledError):
                await self._listening
        if self._control is not None:
            self._control.close()
            self._control = None
