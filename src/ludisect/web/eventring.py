"""Events for pages: each page has its own, the last ones are kept for a page that comes back."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from ludisect.web.limits import WebLimits


@dataclass(frozen=True, slots=True)
class PageEvent:
    """Something that happened: a number, a kind, and data."""

    number: int
    kind: str
    data: dict[str, Any]


@dataclass(slots=True)
class _Page:
    events: deque[PageEvent]
    news: asyncio.Event = field(default_factory=asyncio.Event)
    seen: float = field(default_factory=time.monotonic)
    streams: int = 0


class EventRing:
    """The events of all pages."""

    def __init__(self) -> None:
        self._pages: dict[str, _Page] = {}
        self._numbers = itertools.count(1)
        self.closing = False

    def _page(self, name: str) -> _Page:
        found = self._pages.get(name)
        if found is None:
            limits = WebLimits.current()
            self._forget(limits)
            found = self._pages[name] = _Page(deque(maxlen=limits.events_kept))
        found.seen = time.monotonic()
        return found

    def _forget(self, limits: WebLimits) -> None:
        """Forget pages that were not heard of for long, and the oldest if there are too many."""
        now = time.monotonic()
        quiet = sorted((p.seen, name) for name, p in self._pages.items() if p.streams == 0)
        for place, (seen, name) in enumerate(quiet):
            if now - seen > limits.page_seconds or len(self._pages) - place >= limits.pages:
                del self._pages[name]

    def put(self, page: str, kind: str, data: dict[str, Any]) -> None:
        """Tell a page."""
        found = self._page(page)
        found.events.append(PageEvent(next(self._numbers), kind, data))
        found.news.set()

    def close(self) -> None:
        """Let all streams end."""
        self.closing = True
        for page in self._pages.values():
            page.news.set()

    async def follow(self, page: str, after: int | None) -> AsyncIterator[PageEvent]:
        """The events of a page, those after a number first, then as they come, until the server closes."""
        found = self._page(page)
        last = after if after is not None else (found.events[-1].number if found.events else 0)
        found.streams += 1
        try:
            while not self.closing:
                found.news.clear()
                for event in [one for one in found.events if one.number > last]:
                    last = event.number
                    yield event
                found.seen = time.monotonic()
                await found.news.wait()
        finally:
            found.streams -= 1
