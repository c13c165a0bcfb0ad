"""The server started: a free port, the address told, the browser opened where there is one."""

from __future__ import annotations

import asyncio
import errno
import os
import secrets
import socket
import sys
import webbrowser
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

import uvicorn

from ludisect.errors import InputError
from ludisect.web.application import Application, make_app
from ludisect.web.doorkeeper import LOOPBACK

TRIES: Final = 20
"""Ports that are tried, from the one that was asked for."""

EVERYWHERE: Final = ("0.0.0.0", "::")
"""Addresses that stand for all of this machine."""

Listening = Callable[[str, str, int], None]
"""Told the address, the host and the port once the server listens."""


def run_server(
    *, host: str, port: int, allowed: Sequence[str], games: Sequence[str], browser: bool, listening: Listening
) -> None:
    """Serve until Ctrl-C. Raises InputError if a port cannot be had, or the process behind the page cannot start."""
    sockets = open_sockets(host, port)
    at = sockets[0].getsockname()[1]
    token = None if host in LOOPBACK else secrets.token_urlsafe(32)
    own = socket.gethostname() if host in EVERYWHERE else host
    names = [*allowed, own]
    faults: list[str] = []

    def broken(fault: str) -> None:
        faults.append(fault)
        server.should_exit = True

    app = make_app(hosts=names, token=token, port=at, games=games, broken=broken)
    shown = f"[{own}]" if ":" in own else own
    url = f"http://{shown}:{at}/" + ("" if token is None else f"#t={token}")
    level = "error" if os.environ.get("LUDISECT_DEBUG") else "critical"
    config = uvicorn.Config(
        app, log_level=level, access_log=False, timeout_graceful_shutdown=1, lifespan="on", server_header=False,
        ws="none", h11_max_incomplete_event_size=1 << 16,
    )  # fmt: skip

    def started() -> None:
        listening(url, host, at)
        if browser:
            _open(url)

    server = _Server(config, app, started)
    asyncio.run(server.serve(sockets))  # after Ctrl-C, KeyboardInterrupt comes once all is closed
    if faults:
        raise InputError(f"the process behind the page cannot start: {faults[0]}")


class _Server(uvicorn.Server):
    """Says when it listens, and ends streams before it waits for them."""

    def __init__(self, config: uvicorn.Config, app: Application, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._app, self._tell = app, started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._tell()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._app.end_streams()
        await super().shutdown(sockets)


def open_sockets(host: str, port: int) -> list[socket.socket]:
    """Sockets that listen at a port, or the next one that is free; on loopback, for both kinds of addresses."""
    hosts = ["127.0.0.1", "::1"] if host in LOOPBACK else [host]
    for at in range(port, min(port + TRIES, 65536)) if port else [0]:
        try:
            return _listen(hosts, at)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise InputError(f"cannot listen at {host}, port {at}: {error.strerror}") from None
    raise InputError(f"ports {port} to {port + TRIES - 1} are all in use; give another --port")


def _listen(hosts: Sequence[str], port: int) -> list[socket.socket]:
    opened: list[socket.socket] = []
    try:
        for host in hosts:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            one = socket.socket(family)
            opened.append(one)
            one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            try:
                one.bind((host, port))
            except OSError as error:
                if family == socket.AF_INET6 and len(hosts) > 1 and error.errno != errno.EADDRINUSE:
                    opened.pop().close()  # a machine without it
                    continue
                raise
            port = one.getsockname()[1]
            one.listen(128)
    except OSError:
        for one in opened:
            one.close()
        raise
    return opened


def _open(url: str) -> None:
    """Open the browser, where somebody would see it."""
    seen = sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if seen:
        with suppress(webbrowser.Error):
            webbrowser.open(url)
