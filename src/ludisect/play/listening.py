"""A small HTTP server that answers everything: one message per connection, read as managers send it.

Managers count characters where bytes are meant, leave out headers, end lines with a line feed alone, send HTTP/1.1
without a Host, keep connections open for nothing. A web framework refuses half of that, or waits for ever (see
docs/decisions/0017-own-http-server.md); here every connection gets a short answer and is closed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from urllib.parse import unquote

from ludisect.play.limits import PlayLimits

Headers = dict[str, str]

CORS = (
    "Access-Control-Allow-Origin: *",
    "Access-Control-Allow-Methods: POST, GET, OPTIONS",
    "Access-Control-Allow-Headers: *",
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A request: its method, the message that it carries, and its headers by names in lower case."""

    method: str
    body: bytes
    headers: Headers = field(default_factory=dict)


Answering = Callable[[Asked], Awaitable[str]]
"""Gives the body of the answer."""


class _BadRequest(Exception):
    """What came is not worth waiting for any longer."""


class Listener:
    """Reads requests and has them answered. ``lost`` tells whether an answer could not be delivered."""

    def __init__(self, answer: Answering, lost: Callable[[Asked], None], refused: str = "busy") -> None:
        self._answer, self._lost, self._refused = answer, lost, refused
        self._open = 0
        self._held = 0
        self._limits = PlayLimits.current()

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection."""
        self._open += 1
        asked, text = None, self._refused
        try:
            if self._open <= self._limits.listening_connections:
                asked = await self._read(reader, writer)
                text = "" if asked.method == "OPTIONS" else await self._answer(asked)
        except _BadRequest as error:
            text = str(error)
        except (OSError, asyncio.IncompleteReadError):
            asked = None
        finally:
            self._held -= len(asked.body) if asked is not None else 0
            delivered = await _reply(writer, text, head_only=asked is not None and asked.method == "HEAD")
            if asked is not None and not delivered:
                self._lost(asked)
            self._open -= 1
            await _close(reader, writer, self._limits.listening_linger)

    async def _read(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Asked:
        limits = self._limits
        try:
            async with asyncio.timeout(limits.listening_seconds):
                first, headers = await self._head(reader)
        except (TimeoutError, ValueError):
            raise _BadRequest("error") from None
        if not first:
            raise _BadRequest("error")
        method, _, rest = first.partition(" ")
        target = rest.rpartition(" ")[0] if rest.rpartition(" ")[2].startswith("HTTP/") else rest
        method = method.upper()
        if first.startswith("("):  # somebody speaks without HTTP
            return self._hold(Asked("POST", first.encode("latin-1")))
        if method in ("GET", "HEAD", "OPTIONS", "DELETE"):
            return self._hold(Asked(method, unquote(target.strip().lstrip("/"), "latin-1").encode("latin-1"), headers))
        if "100-continue" in headers.get("expect", "").lower():
            writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        body = await _Body(reader, headers, limits).read()
        if self._held + len(body) > limits.listening_held:
            raise _BadRequest(self._refused)
        return self._hold(Asked(method, body, headers))

    def _hold(self, asked: Asked) -> Asked:
        self._held += len(asked.body)
        return asked

    async def _head(self, reader: asyncio.StreamReader) -> tuple[str, Headers]:
        """The first line and the headers, whatever ends the lines."""
        first, headers, size = "", Headers(), 0
        while True:
            line = await reader.readline()  # ValueError if it is too long
            size += len(line)
            text = line.decode("latin-1").strip("\r\n")
            if size > self._limits.listening_head:
                raise _BadRequest("error")
            if not line or (not text and first):
                return first, headers
            if not first:
                first = text
                if first.startswith("("):  # no HTTP: nothing else will come
                    return first, headers
            else:
                name, _, value = text.partition(":")
                headers[name.strip().lower()] = value.strip()


class _Body:
    """Reads what follows the headers: as much as was announced, more if brackets are open, less if nothing comes."""

    def __init__(self, reader: asyncio.StreamReader, headers: Headers, limits: PlayLimits) -> None:
        self.reader, self.limits = reader, limits
        self.chunked = "chunked" in headers.get("transfer-encoding", "").lower()
        told = headers.get("content-length", "").strip()
        self.length = int(told) if told.isascii() and told.isdigit() and len(told) < 12 else None
        self.got = bytearray()
        self.open = 0
        """Brackets that are open; counted as they come, for a message can be long and come in small pieces."""

    async def read(self) -> bytes:
        limits = self.limits
        if self.length is not None and self.length > limits.listening_bytes:
            raise _BadRequest("error")
        with suppress(TimeoutError, ValueError, asyncio.IncompleteReadError):
            async with asyncio.timeout(limits.listening_seconds):
                await (self._chunks() if self.chunked else self._plain())
        return bytes(self.got)

    async def _plain(self) -> None:
        limits = self.limits
        while True:
            enough = self.length is not None and len(self.got) >= self.length
            if enough and (self._balanced() or not self.got):
                return
            whole = enough or (bool(self.got) and self._balanced())
            # where a message seems complete, or should be, only a moment is waited for more
            patience = limits.listening_moment if whole or self.length is None else limits.listening_seconds
            if whole and not enough and self.length is not None:
                patience = 10 * limits.listening_moment
            try:
                async with asyncio.timeout(patience):
                    chunk = await self.reader.read(1 << 16)
            except TimeoutError:
                return
            if not chunk:
                return
            self._take(chunk)

    async def _chunks(self) -> None:
        while size := int((await self.reader.readline()).split(b";")[0], 16):
            if size > self.limits.listening_bytes:
                raise _BadRequest("error")
            self._take(await self.reader.readexactly(size))
            await self.reader.readline()

    def _take(self, chunk: bytes) -> None:
        self.got += chunk
        self.open += chunk.count(b"(") - chunk.count(b")")
        if len(self.got) > self.limits.listening_bytes:
            raise _BadRequest("error")

    def _balanced(self) -> bool:
        return self.open == 0


async def _reply(writer: asyncio.StreamWriter, text: str, *, head_only: bool) -> bool:
    """Send an answer; whether it could be sent."""
    body = text.encode()
    head = ["HTTP/1.0 200 OK", "Content-Type: text/acl", f"Content-Length: {len(body)}", "Connection: close", *CORS]
    try:
        writer.write("\r\n".join([*head, "", ""]).encode() + (b"" if head_only else body))
        async with asyncio.timeout(5):
            await writer.drain()
        if writer.can_write_eof():
            writer.write_eof()
    except (OSError, TimeoutError, RuntimeError):
        return False
    return not writer.transport.is_closing()


async def _close(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, linger: float) -> None:
    """Close; what the other side is still sending is read for a while, so that the answer is not lost with it."""
    with suppress(OSError, TimeoutError, RuntimeError):
        async with asyncio.timeout(linger):
            while await reader.read(1 << 16):
                pass
    writer.close()
    with suppress(OSError, TimeoutError, RuntimeError):
        async with asyncio.timeout(1):
            await writer.wait_closed()
