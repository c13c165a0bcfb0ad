"""The application: what the page can ask under ``/api/v1``, and the files of the page."""

from __future__ import annotations

import asyncio
import json
import platform
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, FastAPI, Header, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.sse import EventSourceResponse, ServerSentEvent
from starlette.exceptions import HTTPException

from ludisect import __version__
from ludisect.web.asked import CheckRequest, GameRequest, JobRequest, PageName, PositionRequest
from ludisect.web.doorkeeper import LOOPBACK, Doorkeeper
from ludisect.web.eventring import EventRing
from ludisect.web.gameshelf import GameShelf
from ludisect.web.jobs import OPEN, JobDesk
from ludisect.web.limits import WebLimits
from ludisect.web.pagefiles import PageFile, read_files, with_first
from ludisect.web.problems import Refused, problem
from ludisect.web.warm import Warm

FIRST: Final = "double-tictactoe"
"""The game with which the page opens."""

PROBLEM: Final = {"application/problem+json": {"schema": {"type": "object"}}}


def declared(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Statuses of an endpoint that are problems, for the schema; those of the doorkeeper are everybody's."""
    every = {400, 401, 403, 408, 413, 415, 421, 422, 429, 500, 503, *statuses}
    return {status: {"description": "a problem (RFC 9457)", "content": PROBLEM} for status in sorted(every)}


@dataclass
class Shared:
    """What all endpoints share."""

    warm: Warm
    shelf: GameShelf
    events: EventRing
    desk: JobDesk
    first: dict[str, Any] | None = None
    files: dict[str, PageFile] = field(default_factory=read_files)


api = APIRouter(prefix="/api/v1", responses=declared())


def _bench(request: Request) -> Shared:
    found: Shared = request.app.state.bench
    return found


@api.get("/version")
async def version() -> dict[str, Any]:
    """Versions and limits."""
    limits = WebLimits.current()
    return {
        "ludisect": __version__,
        "python": platform.python_version(),
        "limits": {one.name: getattr(limits, one.name) for one in limits.described()},
    }


@api.get("/games")
async def games(request: Request) -> dict[str, Any]:
    """The bundled games, the rulesets, your own games, the players."""
    return await _bench(request).shelf.catalogue()


@api.post("/check")
async def check(request: Request, asked: CheckRequest) -> dict[str, Any]:
    """The faults of a rule sheet."""
    return await _bench(request).shelf.check(asked.text)


@api.post("/games", status_code=201)
async def open_game(request: Request, asked: GameRequest) -> dict[str, Any]:
    """Open a game; the same game has the same id."""
    game = await _bench(request).shelf.open(asked.model_dump(exclude_none=True))
    return {"id": game.id, **game.info}


@api.post("/games/{id}/position", responses=declared(404))
async def position(request: Request, id: str, asked: PositionRequest) -> dict[str, Any]:
    """The position after a line of moves, or a state."""
    found: dict[str, Any] = await _bench(request).shelf.ask(id, "position", asked.model_dump(exclude={"parts"}))
    return found


@api.post("/jobs", status_code=202, responses=declared(404))
async def begin_job(request: Request, response: Response, asked: JobRequest) -> dict[str, Any]:
    """Begin a job; it is queued while another of the same page runs."""
    desk = _bench(request).desk
    job = await desk.submit(asked.model_dump())
    response.headers["location"] = f"/api/v1/jobs/{job.id}"
    return desk.shown(job)


@api.get("/jobs")
async def jobs(request: Request, page: PageName | None = None) -> dict[str, Any]:
    """The jobs of a page, or all, the latest first."""
    return {"jobs": _bench(request).desk.listed(page)}


@api.get("/jobs/{id}", responses=declared(404))
async def job(request: Request, id: str) -> dict[str, Any]:
    """A job."""
    desk = _bench(request).desk
    return desk.shown(desk.find(id))


@api.delete("/jobs/{id}", responses=declared(404))
async def end_job(request: Request, id: str) -> dict[str, Any]:
    """Cancel a job; its process is gone when this is answered. A job that has ended stays as it is."""
    desk = _bench(request).desk
    found = desk.find(id)
    await desk.cancel(found)
    return desk.shown(found)


def _asks_for_events(request: Request, page: PageName) -> str:
    """Refuse a stream for a page that has nothing to wait for: browsers take 204 as the end of it."""
    bench = _bench(request)
    if not bench.desk.busy(page):
        raise HTTPException(204)
    return page


@api.get("/events", response_class=EventSourceResponse, responses={204: {"description": "no unfinished jobs"}})
async def events(
    request: Request,
    page: Annotated[str, Depends(_asks_for_events)],
    last_event_id: Annotated[str | None, Header()] = None,
) -> AsyncIterator[ServerSentEvent]:
    """The events of a page's jobs, from its last one on, while it has unfinished ones."""
    bench = _bench(request)
    after = int(last_event_id) if last_event_id and last_event_id.isdecimal() else None
    yield ServerSentEvent(event="hello", data={"page": page}, retry=1000)
    for job in bench.desk.listed(page) if after is None else ():
        if job["state"] in OPEN:
            yield ServerSentEvent(event="job", data=job)
    async for event in bench.events.follow(page, after):
        yield ServerSentEvent(event=event.kind, data=event.data, id=str(event.number))
        if event.kind == "idle" and not bench.desk.busy(page):
            return


# ---- the application ------------------------------------------------------------------------------------------------


def make_app(
    *, hosts: Sequence[str] = (), token: str | None = None, port: int = 0, games: Sequence[str] = ()
) -> Doorkeeper:
    """The whole application behind its doorkeeper."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        warm = Warm()
        shelf, events = GameShelf(warm, tuple(games)), EventRing()
        bench = app.state.bench = Shared(warm, shelf, events, JobDesk(warm, shelf, events))
        await warm.start()
        opening = asyncio.create_task(open_first(bench.shelf, bench.desk, bench))
        try:
            yield
        finally:
            opening.cancel()
            events.close()
            await warm.close()

    app = FastAPI(
        title="ludisect", version=__version__, docs_url=None, redoc_url=None, lifespan=lifespan,
        openapi_url="/api/v1/openapi.json",
    )  # fmt: skip
    app.include_router(api)
    _add_files(app)
    app.add_exception_handler(Refused, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    return Doorkeeper(app, hosts=(*LOOPBACK, *hosts), token=token, port=port)


def _add_files(app: FastAPI) -> None:
    @app.get("/", include_in_schema=False)
    async def index(request: Request) -> Response:
        bench = _bench(request)
        return _file(request, with_first(bench.files["index.html"], bench.first))

    @app.get("/page/{name}", include_in_schema=False)
    async def page(request: Request, name: str) -> Response:
        found = _bench(request).files.get(name)
        if found is None:
            raise Refused("gone", "There is no such file.")
        return _file(request, found)


def _file(request: Request, found: PageFile) -> Response:
    headers = {"cache-control": "no-cache", "etag": found.tag}
    if request.headers.get("if-none-match") == found.tag:
        return Response(status_code=304, headers=headers)
    return Response(found.body, media_type=found.kind, headers=headers)


def _problem(found: dict[str, Any], headers: dict[str, str] | None = None) -> Response:
    if found["status"] == 429:
        headers = {**(headers or {}), "retry-after": "1"}
    body = json.dumps(found, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return Response(body, found["status"], headers, "application/problem+json")


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return _problem(error.problem)


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    found = [{"where": ".".join(map(str, one["loc"])), "what": one["msg"]} for one in error.errors()[:20]]
    title = f"{found[0]['where']}: {found[0]['what']}" if found else "The request is not as described."
    return _problem(problem("request", title, problems=found))


async def open_first(shelf: GameShelf, desk: JobDesk, shared: Shared) -> None:
    """Have the first game taken apart before anybody asks, so that it can come with the page."""
    game = await shelf.open({"source": FIRST})
    found: dict[str, Any] = {"decompose": None, "values": None}
    for command in found:
        asked = JobRequest(command=command, game=game.id)  # type: ignore[arg-type]
        job = await desk.submit(asked.model_dump())
        if job.task is not None:
            await job.task
        found[command] = job.result
    position = await shelf.ask(game.id, "position", PositionRequest().model_dump(exclude={"parts"}))
    shared.first = {
        "game": {"id": game.id, **game.info},
        "position": position,
        "decomposition": found["decompose"],
        "values": found["values"],
        "version": await version(),
    }


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 204:
        return Response(status_code=204)
    kind = "gone" if error.status_code == 404 else "request"
    return _problem(problem(kind, str(error.detail), status=error.status_code), dict(error.headers or {}))


def new_token() -> str:
    """A token that nobody guesses."""
    return secrets.token_urlsafe(32)
