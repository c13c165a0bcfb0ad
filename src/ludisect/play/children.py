"""The processes of a server: started ahead, given a match, listened to, ended."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

LONGEST_LINE = 1 << 26
"""Bytes of a line from a process: a state can have very many legal moves."""


class Child:
    """One process behind the server. What it says goes to ``hear``; once it has ended, None does."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.hear: Callable[[dict[str, Any] | None], None] = lambda told: None
        self.alive = True
        self.up = asyncio.Event()
        """Set once it has loaded what it needs, or has ended."""
        self._process: asyncio.subprocess.Process | None = None
        self._listening: asyncio.Task[None] | None = None

    async def start(self) -> Child:
        """Start the process; it loads what it needs while nobody waits for it."""
        paths = [str(Path(__file__).parents[2]), *filter(None, [os.environ.get("PYTHONPATH")])]
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            "-m",
            "ludisect.play.desk",
            self.kind,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=None if os.environ.get("LUDISECT_DEBUG") else asyncio.subprocess.DEVNULL,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
            limit=LONGEST_LINE,
            start_new_session=True,  # Ctrl-C is for the server, which ends its processes
        )
        self._listening = asyncio.create_task(self._listen())
        return self

    @property
    def pid(self) -> int:
        """The number of the process."""
        assert self._process is not None
        return self._process.pid

    async def _listen(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        with suppress(ValueError, OSError):
            while line := await self._process.stdout.readline():
                told = json.loads(line)
                if told["say"] == "up":
                    self.up.set()
                self.hear(told)
        self.alive = False
        self.up.set()
        self.hear(None)

    def say(self, payload: bytes | None = None, **order: Any) -> None:
        """Give an order; the process reads it when it can."""
        if payload is not None:
            order["bytes"] = len(payload)
        process = self._process
        if process is not None and process.stdin is not None and self.alive:
            with suppress(OSError, RuntimeError):
                process.stdin.write(json.dumps(order).encode() + b"\n" + (payload or b""))

    async def end(self) -> None:
        """End the process now."""
        process = self._process
        if process is None:
            return
        self.hear = lambda told: None
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        if self._listening is not None:
            self._listening.cancel()


class Nursery:
    """Processes that wait for a match: one of each kind, so that START finds them loaded."""

    def __init__(self, *kinds: str) -> None:
        self._kinds = kinds
        self._spare: dict[str, Child] = {}
        self._filling = asyncio.Lock()

    async def fill(self, *kinds: str) -> None:
        """Start what is missing, of these kinds or of all."""
        async with self._filling:  # a process that two start at once would be forgotten by one of them
            for kind in kinds or self._kinds:
                if kind not in self._spare or not self._spare[kind].alive:
                    self._spare[kind] = await Child(kind).start()

    async def up(self, kind: str, seconds: float) -> None:
        """Wait until the spare process of some kind has loaded what it needs, but not longer than that."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._spare[kind].up.wait(), seconds)

    async def take(self, kind: str) -> Child:
        """A process of some kind, a spare one if there is one."""
        child = self._spare.pop(kind, None)
        return child if child is not None and child.alive else await Child(kind).start()

    async def end(self) -> None:
        """End all that wait."""
        for child in [*self._spare.values()]:
            await child.end()
        self._spare.clear()
