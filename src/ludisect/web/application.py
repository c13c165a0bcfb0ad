"""The application: endpoints, files of the page, problems as answers, and everything ended when it ends."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from hmac import compare_digest
from html import escape
from typing import Any, Final

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from ludisect import __version__
from ludisect.web.asked import JobRequest, TokenRequest
from ludisect.web.doorkeeper import LOOPBACK, TOKEN_PATH, Doorkeeper, cookie_name
from ludisect.web.eventring import EventRing
from ludisect.web.gameroutes import games_api, version
from ludisect.web.gameshelf import GameShelf
from ludisect.web.jobroutes import jobs_api
from ludisect.web.jobs import JobDesk
from ludisect.web.pagefiles import PageFile, with_first
from ludisect.web.problems import Refusal, problem
from ludisect.web.shared import Shared, Sharing, declared
from ludisect.web.warm import Warm

FIRST: Final = "double-tictactoe"
"""The game with which the page opens."""

SCHEMA: Final = "/api/v1/openapi.json"


class Application(Doorkeeper):
    """The whole application behind its doorkeeper."""

    def __init__(self, inner: FastAPI, *, hosts: tuple[str, ...], token: str | None, port: int) -> None:
        super().__init__(inner, hosts=hosts, token=token, port=port)
        self.inner = inner

    def end_streams(self) -> None:
        """Let the streams of events end: a server that closes would wait for them."""
        shared: Shared | None = getattr(self.inner.state, "shared", None)
        if shared is not None:
            shared.events.close()


def make_app(
    *,
    hosts: Sequence[str] = (),
    token: str | None = None,
    port: int = 0,
    games: Sequence[str] = (),
    first: bool = True,
    broken: Callable[[str], None] | None = None,
) -> Application:
    """The application that answers to some names; ``games`` are files with games of one's own.

    ``broken`` is told why the process behind the server cannot be made ready, if that is so.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        warm, events = Warm(), EventRing()
        shelf = GameShelf(warm, tuple(games))
        shared = app.state.shared = Shared(warm, shelf, events, JobDesk(warm, shelf, events))
        await warm.start()
        opening = asyncio.create_task(_open(shared, warm, first, broken))
        try:
            yield
        finally:
            opening.cancel()
            events.close()
            await shared.desk.close()
            await warm.close()

    app = FastAPI(title="ludisect", version=__version__, docs_url=None, redoc_url=None, openapi_url=SCHEMA,
                  lifespan=lifespan)  # fmt: skip
    app.include_router(games_api)
    app.include_router(jobs_api)
    app.include_router(_token_api(token, port))
    app.include_router(files_api)
    app.add_exception_handler(Refusal, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    return Application(app, hosts=(*LOOPBACK, *hosts), token=token, port=port)


async def _open(shared: Shared, warm: Warm, first: bool, broken: Callable[[str], None] | None) -> None:
    """What is done before anybody asks."""
    fault = await warm.fault()
    if fault and broken is not None:
        broken(fault)
    elif first and not fault:
        await _open_first(shared)


async def _open_first(shared: Shared) -> None:
    """Have the first game taken apart before anybody asks, so that it can come with the page."""
    game = await shared.shelf.open({"source": FIRST})
    found: dict[str, Any] = {}
    for command in ("decompose", "values"):
        asked = {**JobRequest(command="solve", game=game.id, page="first").model_dump(), "command": command}
        job = await shared.desk.submit(asked)
        if job.task is not None:
            await job.task
        found[command] = job.result
    place: dict[str, Any] = {"line": [], "to": None, "state": None}
    shared.first = {
        "game": {"id": game.id, **game.info},
        "position": await shared.shelf.ask(game.id, "position", place),
        "decomposition": found["decompose"],
        "values": found["values"],
        "version": await version(),
    }


def _token_api(token: str | None, port: int) -> APIRouter:
    """The exchange of the token in the address for a cookie."""
    api = APIRouter(responses=declared())

    @api.post(TOKEN_PATH, status_code=204)
    async def exchange_token(asked: TokenRequest) -> Response:
        """Exchange the token of the address for a cookie."""
        answer = Response(status_code=204)
        if token is not None:
            if not compare_digest(asked.token.encode("utf-8", "replace"), token.encode()):
                raise Refusal("request", "This is not the token that ludisect web printed.", status=401)
            answer.set_cookie(cookie_name(port), token, path="/", httponly=True, samesite="strict")
        return answer

    return api


# ---- files ----------------------------------------------------------------------------------------------------------

files_api = APIRouter(include_in_schema=False)


@files_api.api_route("/", methods=["GET", "HEAD"])
async def index(request: Request, shared: Sharing) -> Response:
    """The page, with the first game in it."""
    return _file(request, with_first(shared.files["index.html"], shared.first))


@files_api.api_route("/page/{name}", methods=["GET", "HEAD"])
async def page_file(request: Request, shared: Sharing, name: str) -> Response:
    """A file of the page."""
    found = shared.files.get(name)
    if found is None:
        raise Refusal("gone", "There is no such file.")
    return _file(request, found)


@files_api.get("/favicon.ico")
async def favicon() -> Response:
    """Nothing: the page names its own."""
    return Response(status_code=204)


@files_api.get("/api")
async def describe_api(request: Request) -> Response:
    """What the server can be asked, as a plain list."""
    rows = []
    for path, operations in request.app.openapi()["paths"].items():
        for method, operation in operations.items():
            statuses = ", ".join(sorted(operation["responses"]))
            rows.append(f"<dt><code>{method.upper()} {escape(path)}</code></dt>"
                        f"<dd>{escape(operation.get('description', ''))}<br>{statuses}</dd>")  # fmt: skip
    text = (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>ludisect: what can be asked</title>'
        f'<h1>What this server can be asked</h1><p>In full: <a href="{SCHEMA}">{SCHEMA}</a></p>'
        f"<dl>{''.join(rows)}</dl></html>"
    )
    return _file(request, PageFile("text/html; charset=utf-8", text.encode()))


def _file(request: Request, found: PageFile) -> Response:
    packed = "gzip" in request.headers.get("accept-encoding", "")
    tag = found.tag(packed=packed)
    headers = {"cache-control": "no-cache", "etag": tag, "vary": "accept-encoding"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    if packed:
        headers["content-encoding"] = "gzip"
    return Response(found.packed if packed else found.body, media_type=found.kind, headers=headers)


# ---- problems -------------------------------------------------------------------------------------------------------


def _problem(found: dict[str, Any], headers: dict[str, str] | None = None) -> Response:
    if found["status"] == 429:
        headers = {**(headers or {}), "retry-after": "1"}
    return Response(json.dumps(found).encode(), found["status"], headers, "application/problem+json")


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    return _problem(error.problem)


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    found = [{"where": ".".join(map(str, one["loc"])), "what": one["msg"]} for one in error.errors()[:20]]
    title = f"{found[0]['where']}: {found[0]['what']}" if found else "The request is not as described."
    return _problem(problem("request", title, problems=found))


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    headers = dict(error.headers or {})  # Allow, where the method is wrong
    if error.status_code == 204:
        return Response(status_code=204, headers=headers)
    kind = "gone" if error.status_code == 404 else "request"
    return _problem(problem(kind, str(error.detail), status=error.status_code), headers)
