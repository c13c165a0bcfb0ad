"""Who may come in: names of the server, origins, sites, kinds of content, sizes; headers on every answer."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from ludisect.settings import using
from ludisect.web.doorkeeper import HEADERS, Doorkeeper, Message, Receive, Scope, Send
from ludisect.web.limits import WebLimits
from tests.loops import run_apart


async def hello(scope: Scope, receive: Receive, send: Send) -> None:
    """An application that says how long the body is."""
    size = 0
    while True:
        message = await receive()
        size += len(message.get("body", b""))
        if not message.get("more_body"):
            break
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(size).encode()})


def ask(
    method: str = "GET",
    path: str = "/api/v1/games",
    *chunks: bytes,
    door: Doorkeeper | None = None,
    **headers: str | None,
) -> tuple[int, dict[str, str], bytes]:
    """Ask with the headers of the page, other ones, or (None) without one."""
    sent: dict[str, str | None] = {"host": "127.0.0.1:8137", "content-type": "application/json"}
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    scope: Scope = {
        "type": "http",
        "method": method,
        "path": path,
        "headers": [(n.encode(), v.encode()) for n, v in sent.items() if v is not None],
    }
    messages = [{"type": "http.request", "body": chunk, "more_body": True} for chunk in chunks]
    messages.append({"type": "http.request", "body": b"", "more_body": False})
    got: list[Message] = []

    async def receive() -> Message:
        return messages.pop(0) if messages else {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        got.append(message)

    run_apart((door or Doorkeeper(hello, port=8137))(scope, receive, send))
    found = {name.decode().lower(): value.decode() for name, value in got[0]["headers"]}
    return got[0]["status"], found, b"".join(message.get("body", b"") for message in got[1:])


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:8137", 200),
        ("localhost", 200),
        ("LOCALHOST:1", 200),
        ("[::1]:9999", 200),
        ("evil.example", 421),
        ("127.0.0.1.evil.example", 421),
        ("127.0.0.1:8137@evil.example", 421),
        ("evil.example#127.0.0.1", 421),
        ("localhost/", 421),
        ("localhost:port", 421),
        ("[::1", 421),
        ("0.0.0.0:8137", 421),
        ("", 421),
        (None, 421),
    ],
)
def test_hosts(host: str | None, status: int) -> None:
    assert ask(host=host)[0] == status


def test_a_host_that_was_allowed() -> None:
    door = Doorkeeper(hello, hosts=("Bench.local",))
    assert ask(host="bench.local:80", door=door)[0] == 200
    assert ask(host="localhost", door=door)[0] == 421


@pytest.mark.parametrize(
    ("method", "headers", "status"),
    [
        ("POST", {}, 200),
        ("POST", {"origin": "http://127.0.0.1:8137"}, 200),
        ("POST", {"origin": "http://127.0.0.1:8137", "sec_fetch_site": "same-origin"}, 200),
        ("POST", {"sec_fetch_site": "same-origin"}, 403),
        ("POST", {"origin": "null"}, 403),
        ("POST", {"origin": ""}, 403),
        ("POST", {"origin": "https://127.0.0.1:8137"}, 403),
        ("POST", {"origin": "http://127.0.0.1"}, 403),
        ("POST", {"origin": "http://localhost:8137"}, 403),
        ("POST", {"origin": "http://evil.example"}, 403),
        ("POST", {"content_type": None}, 415),
        ("POST", {"content_type": "text/plain"}, 415),
        ("POST", {"content_type": "application/json; charset=utf-16"}, 415),
        ("POST", {"content_type": "application/x-www-form-urlencoded"}, 415),
        ("POST", {"content_type": "Application/JSON; charset=UTF-8"}, 200),
        ("DELETE", {"content_type": None}, 200),
        ("DELETE", {"content_type": None, "origin": "http://evil.example"}, 403),
        ("OPTIONS", {"origin": "http://evil.example"}, 403),
        ("GET", {"content_type": None}, 200),
        ("GET", {"sec_fetch_site": "none"}, 200),
        ("GET", {"sec_fetch_site": "cross-site"}, 403),
        ("GET", {"sec_fetch_site": "same-site"}, 403),
    ],
)
def test_origins_sites_and_kinds(method: str, headers: dict[str, str | None], status: int) -> None:
    found, answered, body = ask(method, **headers)  # type: ignore[arg-type]
    assert found == status
    if status != 200:
        told = json.loads(body)
        assert (told["status"], answered["content-type"]) == (status, "application/problem+json")


def test_headers_stand_on_every_answer() -> None:
    for answer in (ask(), ask(host="evil.example"), ask("POST", content_type="text/plain")):
        headers = answer[1]
        assert {name: headers[name] for name in HEADERS} == HEADERS
        assert headers["cache-control"] == "no-store"
        assert not [name for name in headers if name.startswith("access-control")]
    assert "'unsafe" not in HEADERS["content-security-policy"]


def test_what_is_too_large_is_not_read_to_the_end() -> None:
    with using(WebLimits(body_bytes=1000)):
        assert ask("POST", "/", b"x" * 1000)[2] == b"1000"
        status, _, body = ask("POST", "/", b"x" * 600, b"x" * 600)
        assert (status, json.loads(body)["type"]) == (413, "/problems/limit")
    status, _, body = ask("POST", "/", b"x" * 8_150_000)
    assert json.loads(body)["title"] == "The sheet has 8.2 MB; the limit is 5 MB."


def test_a_request_that_breaks_off_or_does_not_come() -> None:
    async def never() -> Any:
        await asyncio.Event().wait()

    async def gone() -> Any:
        return {"type": "http.disconnect"}

    async def status(receive: Receive) -> int:
        got: list[Message] = []

        async def send(message: Message) -> None:
            got.append(message)

        headers = [(b"host", b"localhost"), (b"content-type", b"application/json")]
        await Doorkeeper(hello)({"type": "http", "method": "POST", "path": "/", "headers": headers}, receive, send)
        return int(got[0]["status"])

    with using(WebLimits(body_seconds=0.1)):
        assert run_apart(status(never)) == 408
    assert run_apart(status(gone)) == 400


def test_headers_given_twice_are_refused() -> None:
    async def both() -> int:
        got: list[Message] = []

        async def send(message: Message) -> None:
            got.append(message)

        headers = [(b"host", b"localhost"), (b"Host", b"evil.example")]
        await Doorkeeper(hello)({"type": "http", "method": "GET", "path": "/", "headers": headers}, _nothing, send)
        return int(got[0]["status"])

    assert run_apart(both()) == 400


async def _nothing() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


def test_too_many_at_once() -> None:
    async def many() -> list[int]:
        leave = asyncio.Event()

        async def slow(scope: Scope, receive: Receive, send: Send) -> None:
            await leave.wait()
            await send({"type": "http.response.start", "status": 200, "headers": []})

        door, statuses = Doorkeeper(slow), []

        async def one() -> None:
            async def send(message: Message) -> None:
                if "status" in message:
                    statuses.append(message["status"])

            scope: Scope = {"type": "http", "method": "GET", "path": "/", "headers": [(b"host", b"localhost")]}
            await door(scope, _nothing, send)

        tasks = [asyncio.create_task(one()) for _ in range(12)]
        while len(statuses) < 2:
            await asyncio.sleep(0)
        leave.set()
        await asyncio.gather(*tasks)
        return sorted(statuses)

    with using(WebLimits(requests_at_once=10)):
        assert run_apart(many()) == [200] * 10 + [429] * 2
