"""How far the work is: stages report (step, done, of), and a caller may listen while it waits.

    with listening(lambda step, done, of: print(step, done, of)):
        ludisect.decompose("double-tictactoe")

Whoever does work that can take long says what it is at and how much of it is done; ``of`` is how much there will be, as
far as that is known by now, else None:

    report("proving", 3, 5)

The counts of a step never fall, and are at most ``of``; a step that begins anew says so by a count of 0. Steps are
reported as often as it is convenient there: who shows them should not show each. A listener may raise an exception,
which ends the work as Ctrl-C at that place would. The listener belongs to the context (``contextvars``), so that
threads do not hear each other; inside a block that listens, an outer listener hears nothing.

What can be told of the result before it is there, a table that grows, is shown to a viewer in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

Listener = Callable[[str, int, int | None], None]
"""Called with the step, what is done of it, and how much there is, or None."""


class _Ear:
    """A listener, and the counts that it has heard."""

    __slots__ = ("_last", "_listener")

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._last: dict[str, int] = {}

    def __call__(self, step: str, done: int, of: int | None = None) -> None:
        if 0 < done < self._last.get(step, 0):
            self._listener(step, 0, of)
        self._last[step] = done
        self._listener(step, done, of)


_ear: ContextVar[_Ear | None] = ContextVar("_ear", default=None)


@contextmanager
def listening(listener: Listener | None) -> Iterator[None]:
    """Within this block, the listener hears how far the work is; with None nobody does."""
    before = _ear.set(None if listener is None else _Ear(listener))
    try:
        yield
    finally:
        _ear.reset(before)


def report(step: str, done: int, of: int | None = None) -> None:
    """Say how much of a step is done. Costs next to nothing while nobody listens."""
    ear = _ear.get()
    if ear is not None:
        ear(step, done, of)


def reporter() -> Callable[[str, int, int | None], None] | None:
    """What reports to whoever listens here, for other threads to call; None if nobody does."""
    return _ear.get()


Viewer = Callable[[Callable[[], Any]], None]
"""Called with what makes the result so far, as JSON-ready data; it need not make it every time."""

_viewer: ContextVar[Viewer | None] = ContextVar("_viewer", default=None)


@contextmanager
def viewing(viewer: Viewer) -> Iterator[None]:
    """Within this block, the viewer is shown results as they grow."""
    before = _viewer.set(viewer)
    try:
        yield
    finally:
        _viewer.reset(before)


def viewer() -> Viewer | None:
    """Who looks at results that grow, here and in threads that are given it; None if nobody does."""
    return _viewer.get()
