"""A server as a process of its own, and a client that says anything and reads until the other side closes."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

PATIENCE = 120.0
"""Seconds after which an answer will never come: a busy machine may take long, so nothing hangs on less."""


@dataclass
class Server:
    """Where it listens, and its process."""

    port: int
    process: subprocess.Popen[str]

    def send(self, data: bytes, *, shut: bool = False, hang_up: bool = False) -> bytes:
        """Everything that comes back until the server closes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as line:
            line.sendall(data)
            if hang_up:
                return b""
            if shut:
                line.shutdown(socket.SHUT_WR)
            got = b""
            while chunk := line.recv(1 << 16):
                got += chunk
            return got

    def raw(self, data: bytes, **more: bool) -> str:
        """The body of the answer, which must be a good one."""
        got = self.send(data, **more)
        head, gap, body = got.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.0 200 OK\r\n"), got
        assert gap
        assert b"Connection: close" in head
        assert f"Content-Length: {len(body)}".encode() in head
        assert b"\n" not in body
        return body.decode()

    def post(self, text: str) -> str:
        """The answer to a message in good form."""
        body = text.encode()
        return self.raw(b"POST / HTTP/1.0\r\nContent-Length: %d\r\n\r\n" % len(body) + body)

    @property
    def children(self) -> list[int]:
        """The numbers of its processes."""
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children") as file:
            return [int(word) for word in file.read().split()]

    @property
    def connections(self) -> int:
        """How many are open at its end."""
        with open(f"/proc/{self.process.pid}/net/tcp") as file:
            lines = [line.split() for line in file]
        return sum(line[1].endswith(f":{self.port:04X}") and line[3] == "01" for line in lines)

    @property
    def megabytes(self) -> float:
        """What it holds in memory, without its children."""
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


@contextmanager
def serving(*words: str) -> Iterator[Server]:
    """A server for a while."""
    command = [sys.executable, "-m", "ludisect", "serve", "--port", "0", "--json", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield Server(json.loads(process.stdout.readline())["port"], process)
        finally:
            process.terminate()
            process.wait(PATIENCE)
