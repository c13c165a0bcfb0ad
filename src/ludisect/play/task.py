"""Work that goes on in a thread: waited for until a deadline, paused, given up."""

from __future__ import annotations

import atexit
import threading
import time
import weakref
from collections.abc import Callable
from contextvars import copy_context
from typing import Any, Generic, TypeVar

from ludisect.effort import watched
from ludisect.errors import BudgetExceeded, LudisectError
from ludisect.progress import listening

T = TypeVar("T")

LOOK = 0.05
"""Seconds between two looks at the clock while somebody is waited for."""

FAREWELL = 5.0
"""Seconds for which work that was given up is waited for when the program ends: a thread that comes back from machine
code into a Python that is gone would bring the process down."""

_at_work: weakref.WeakSet[Task[Any]] = weakref.WeakSet()


class Gate:
    """What hears how far the work is (see ``progress``): here the work waits while paused, and ends if given up."""

    def __init__(self) -> None:
        self.open = threading.Event()
        self.open.set()
        self.ended = False

    def __call__(self, step: str = "", done: int = 0, of: int | None = None) -> None:
        self.open.wait()
        self.pass_by()

    def pass_by(self) -> None:
        """End if given up, but never wait: where steps of work are reported, locks may be held that others need."""
        if self.ended:
            raise BudgetExceeded("given up", budget="interrupt")


class Task(Generic[T]):
    """A function at work in a thread of its own. What it may raise on purpose is kept as ``failure``."""

    def __init__(self, work: Callable[[], T], name: str) -> None:
        self.gate = Gate()
        self.failure: Exception | None = None
        self._worked, self._since = 0.0, time.monotonic()
        self._found: list[T] = []
        self._work = work
        context = copy_context()  # with the numbers in force
        self._thread = threading.Thread(target=context.run, args=(self._run,), name=name, daemon=True)
        _at_work.add(self)
        self._thread.start()

    def _run(self) -> None:
        try:
            with listening(self.gate), watched(self.gate.pass_by):
                self._found.append(self._work())
        except (LudisectError, MemoryError, RecursionError) as error:
            self.failure = error

    @property
    def done(self) -> bool:
        """Whether it has come to an end, good or bad."""
        return not self._thread.is_alive()

    def result(self, deadline: float) -> T | None:
        """What it found by the deadline; None if it is not done, or failed."""
        while not self.done and (left := deadline - time.monotonic()) > 0:
            self._thread.join(min(left, LOOK))  # by the clock of the match, whichever that is
        return self._found[0] if self._found else None

    @property
    def cancelled(self) -> bool:
        """Whether it was given up."""
        return self.gate.ended

    @property
    def worked(self) -> float:
        """Seconds in which it was not paused."""
        going = time.monotonic() - self._since if self.gate.open.is_set() else 0.0
        return self._worked + going

    def pause(self) -> None:
        """Stop at the next gate."""
        self._worked = self.worked
        self.gate.open.clear()

    def resume(self) -> None:
        """Go on."""
        if not self.gate.open.is_set():
            self._since = time.monotonic()
        self.gate.open.set()

    def cancel(self, patience: float = 0.0) -> None:
        """Give up at the next gate; wait so long for it."""
        self.gate.ended = True
        self.gate.open.set()
        self._thread.join(patience)


def found_by(deadline: float, work: Callable[[], T], name: str) -> T | None:
    """What a function finds in a thread by a deadline; it is given up then."""
    task = Task(work, name)
    try:
        return task.result(deadline)
    finally:
        task.cancel()


@atexit.register
def _all_home() -> None:
    """Give up all work that is still going on."""
    end = time.monotonic() + FAREWELL
    for task in [*_at_work]:
        task.cancel()
    for task in [*_at_work]:
        task.cancel(max(0.0, end - time.monotonic()))
