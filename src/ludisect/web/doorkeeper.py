"""Who may come in: every request is held against Host, Origin, where it comes from and what it brings.

Plain ASGI around everything, files and streams of events too. A page of another site cannot reach the server: names
that are not ours are refused (no rebinding), so is what other sites send, and no header lets them read an answer.
"""

from __future__ import annotations

import asyncio
import hmac
import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final
from urllib.parse import urlsplit

from ludisect.web.limits import WebLimits
from ludisect.web.problems import problem

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")

HEADERS: Final = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "trusted-types ludisect; require-trusted-types-for 'script'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
"""On every answer; ``cache-control`` comes with the answer, ``no-store`` where it has none."""

SAFE: Final = ("GET", "HEAD")

TOKEN_PATH: Final = "/api/v1/token"


class Doorkeeper:
    """The outermost layer of the application."""

    def __init__(self, app: App, *, hosts: tuple[str, ...] = LOOPBACK, token: str | None = None, port: int = 0) -> None:
        self._app, self._hosts, self._token = app, frozenset(host.lower() for host in hosts), token
        self.cookie = cookie_name(port)
        self._inside = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        guarded = _with_headers(send)
        limits = WebLimits.current()
        refusal = self._refusal(scope)
        if refusal is None and self._inside >= limits.requests_at_once:
            refusal = problem("busy", f"{limits.requests_at_once} requests are being answered.", status=429)
        if refusal is not None:
            await _answer(guarded, refusal)
            return
        self._inside += 1
        try:
            if scope["method"] not in SAFE:
                body = await _body(receive, limits)
                if isinstance(body, dict):
                    await _answer(guarded, body)
                    return
                receive = _replay(body, receive)
            await self._app(scope, receive, guarded)
        finally:
            self._inside -= 1

    def _refusal(self, scope: Scope) -> dict[str, Any] | None:
        """What is wrong with a request, before it is read."""
        headers: dict[str, str] = {}
        for name, value in scope["headers"]:
            key = name.decode("latin-1").lower()
            if key in headers and key in ("host", "origin", "sec-fetch-site", "content-type"):
                return problem("request", f"The header {key} is given twice.", status=400)
            headers[key] = value.decode("latin-1")
        host = headers.get("host", "")
        if _host_name(host) not in self._hosts:
            told = "This server answers to its own names alone; ludisect web --allow-host NAME adds one."
            return problem("request", told, status=421)
        site = headers.get("sec-fetch-site")
        if site not in (None, "none", "same-origin"):
            return problem("request", "A page of another site may not ask this server.", status=403)
        if scope["method"] not in SAFE:
            origin = headers.get("origin")
            if origin is None and site is not None:
                return problem("request", "The header Origin is missing.", status=403)
            if origin is not None and origin.lower() != f"http://{host.lower()}":
                return problem("request", "A page of another origin may not ask this server.", status=403)
            if _brings(scope["method"], headers) and not _is_json(headers.get("content-type", "")):
                return problem("request", "Content-Type must be application/json.", status=415)
        return self._without_token(scope, headers)

    def _without_token(self, scope: Scope, headers: dict[str, str]) -> dict[str, Any] | None:
        """Where a token is needed, only the page's own files and the exchange of the token are open to all."""
        path = scope["path"]
        if self._token is None or not path.startswith("/api/") or path == TOKEN_PATH:
            return None
        given = ""
        for one in headers.get("cookie", "").split(";"):
            name, _, value = one.strip().partition("=")
            if name == self.cookie:
                given = value
        if hmac.compare_digest(given.encode(), self._token.encode()):
            return None
        return problem("request", "Open the address that ludisect web printed: it holds the token.", status=401)


def cookie_name(port: int) -> str:
    """Cookies do not tell ports apart, so their names do."""
    return f"ludisect-{port}"


def _host_name(host: str) -> str | None:
    """The name in a Host header, without its port; None if it is malformed."""
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port  # raises if it is no number
    except ValueError:
        return None
    if parts.username is not None or parts.path or parts.query or parts.fragment or any(c in host for c in "@\\ \t"):
        return None
    return parts.hostname


def _brings(method: str, headers: dict[str, str]) -> bool:
    """Whether a request brings something, or should."""
    length = headers.get("content-length", "0")
    return method in ("POST", "PUT", "PATCH") or length != "0" or "transfer-encoding" in headers


def _is_json(kind: str) -> bool:
    name, _, parameters = kind.partition(";")
    return name.strip().lower() == "application/json" and parameters.strip().lower() in ("", "charset=utf-8")


def _with_headers(send: Send) -> Send:
    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            names = {name.lower() for name, _ in message["headers"]}
            added = dict(HEADERS)
            if b"cache-control" not in names:
                added["cache-control"] = "no-store"
            kept = [(n, v) for n, v in message["headers"] if n.lower().decode("latin-1") not in HEADERS]
            message["headers"] = [*kept, *((n.encode(), v.encode()) for n, v in added.items())]
        await send(message)

    return guarded


async def _body(receive: Receive, limits: WebLimits) -> bytes | dict[str, Any]:
    """The whole body, or the problem with it."""
    chunks: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(limits.body_seconds):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    return problem("request", "The request broke off.", status=400)
                chunk = message.get("body", b"")
                size += len(chunk)
                if size > limits.body_bytes:
                    return problem("limit", too_large(size, limits), status=413)
                chunks.append(chunk)
                if not message.get("more_body"):
                    return b"".join(chunks)
    except TimeoutError:
        return problem("request", "The request did not come in time.", status=408)


def too_large(size: int, limits: WebLimits) -> str:
    """What is said of a request or a sheet that is too large."""
    return f"The sheet has {_megabytes(size)} MB; the limit is {_megabytes(limits.sheet_bytes)} MB."


def _megabytes(size: int) -> str:
    tenths = -(-size // 100_000)  # rounded up: what is over the limit does not look like it
    return f"{tenths / 10:g}"


def _replay(body: bytes, receive: Receive) -> Receive:
    given = False

    async def again() -> Message:
        nonlocal given
        if not given:
            given = True
            return {"type": "http.request", "body": body, "more_body": False}
        return await receive()

    return again


async def _answer(send: Send, found: dict[str, Any]) -> None:
    body = json.dumps(found).encode()
    headers = [(b"content-type", b"application/problem+json"), (b"content-length", str(len(body)).encode())]
    if found["status"] == 429:
        headers.append((b"retry-after", b"1"))
    await send({"type": "http.response.start", "status": found["status"], "headers": headers})
    await send({"type": "http.response.body", "body": body})
