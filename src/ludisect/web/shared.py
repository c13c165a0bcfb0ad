"""What all endpoints share: games, jobs, events, files; and what the schema says of problems."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Annotated, Any, Final

from fastapi import Depends, Request

from ludisect.web.eventring import EventRing
from ludisect.web.gameshelf import GameShelf
from ludisect.web.jobs import JobDesk
from ludisect.web.pagefiles import PageFile, read_files
from ludisect.web.warm import Warm

_SCHEMA: Final = {
    "type": "object",
    "required": ["type", "title", "status"],
    "properties": {
        "type": {"type": "string", "pattern": "^/problems/"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "problems": {"type": "array", "items": {"type": "object"}},
    },
}

MEANINGS: Final = {
    400: "a header given twice, or a request that broke off",
    401: "the token is missing",
    403: "a page of another site or origin",
    404: "there is no such thing (any more)",
    408: "the request did not come in time",
    413: "the request is too large",
    415: "the body is not application/json",
    421: "the server has another name",
    422: "the request, the rules or the moves are not right, or a limit was reached",
    429: "too much is going on; Retry-After says when to come again",
    500: "a process behind the server fell",
    503: "the server is closing",
}


def declared(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Statuses of an endpoint that are problems, for the schema; most are the same everywhere."""
    content = {"application/problem+json": {"schema": _SCHEMA}}
    some = sorted({*MEANINGS} - {404} | {*statuses})
    return {status: {"description": MEANINGS[status], "content": content} for status in some}


@dataclass
class Shared:
    """What all endpoints share."""

    warm: Warm
    shelf: GameShelf
    events: EventRing
    desk: JobDesk
    first: dict[str, Any] | None = None
    """The first game, taken apart, which comes with the page."""
    _files: dict[str, PageFile] = field(default_factory=read_files)

    @property
    def files(self) -> dict[str, PageFile]:
        """The files of the page; read anew every time for who works on them."""
        return read_files() if os.environ.get("LUDISECT_WEB_RELOAD") else self._files


def shared(request: Request) -> Shared:
    """What the application of a request shares."""
    found: Shared = request.app.state.shared
    return found


Sharing = Annotated[Shared, Depends(shared)]
