"""Endpoints for jobs: begun, looked at, cancelled, and the events of a page as a stream."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Path, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent
from starlette.exceptions import HTTPException

from ludisect.web.asked import JobRequest, PageName
from ludisect.web.jobs import OPEN
from ludisect.web.shared import Sharing, declared

jobs_api = APIRouter(prefix="/api/v1", responses=declared(), tags=["jobs"])

JobId = Annotated[str, Path(max_length=64, description="the id that POST /jobs gave")]

_LINKS = {
    "look": {"operationId": "show_job", "parameters": {"id": "$response.body#/id"}},
    "cancel": {"operationId": "cancel_job", "parameters": {"id": "$response.body#/id"}},
}


@jobs_api.post("/jobs", status_code=202, responses={**declared(404), 202: {"links": _LINKS}})
async def begin_job(shared: Sharing, response: Response, asked: JobRequest) -> dict[str, Any]:
    """Begin a job; it is queued while another of the same page runs."""
    job = await shared.desk.submit(asked.model_dump())
    response.headers["location"] = f"/api/v1/jobs/{job.id}"
    return shared.desk.shown(job)


@jobs_api.get("/jobs")
async def list_jobs(shared: Sharing, page: PageName | None = None) -> dict[str, Any]:
    """The jobs of a page, or all, the latest first."""
    return {"jobs": shared.desk.listed(page)}


@jobs_api.get("/jobs/{id}", operation_id="show_job", responses=declared(404))
async def show_job(shared: Sharing, id: JobId) -> dict[str, Any]:
    """A job."""
    return shared.desk.shown(shared.desk.find(id))


@jobs_api.delete("/jobs/{id}", operation_id="cancel_job", responses=declared(404))
async def cancel_job(shared: Sharing, id: JobId) -> dict[str, Any]:
    """Cancel a job; its process is gone when this is answered. A job that has ended stays as it is."""
    job = shared.desk.find(id)
    await shared.desk.cancel(job)
    return shared.desk.shown(job)


def _waiting(shared: Sharing, page: PageName) -> str:
    """Refuse a stream to a page that has nothing to wait for: browsers take 204 as the end of it."""
    if not shared.desk.busy(page):
        raise HTTPException(204)
    return page


@jobs_api.get(
    "/events",
    response_class=EventSourceResponse,
    responses={204: {"description": "the page has no unfinished jobs"}},
)
async def stream_events(
    shared: Sharing,
    page: Annotated[str, Depends(_waiting)],
    last_event_id: Annotated[str | None, Header()] = None,
) -> AsyncIterator[ServerSentEvent]:
    """The events of a page's jobs, those after the last one that it has first, while it has unfinished jobs."""
    known = last_event_id is not None and last_event_id.isascii() and last_event_id.isdecimal()
    after = int(last_event_id[:18]) if last_event_id is not None and known else None
    yield ServerSentEvent(event="hello", data={"page": page}, retry=1000)
    for job in shared.desk.listed(page) if after is None else ():
        if job["state"] in OPEN:
            yield ServerSentEvent(event="job", data=job)
    async for event in shared.events.follow(page, after):
        yield ServerSentEvent(event=event.kind, data=event.data, id=str(event.number))
        if event.kind == "idle" and not shared.desk.busy(page):
            return
