"""Limits on exact arithmetic: a sum of hot games can be larger than memory, so work can be metered."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ludisect import clock
from ludisect.errors import BudgetExceeded


class Meter:
    """Counts canonical forms and comparisons within a ``budget``, and looks at the clock now and then."""

    def __init__(self, nodes: int | None, steps: int | None, end: float | None) -> None:
        self.left = nodes if nodes is not None else -1
        self.steps_left = steps if steps is not None else -1
        self.end = end
        self.looks = 0

    def tick(self) -> None:
        """A canonical form is made."""
        self.left -= 1
        if self.left == -1:
            raise BudgetExceeded("the limit on the number of canonical forms was reached", budget="nodes")
        self.look()

    def look(self) -> None:
        """Some work is done that takes time but makes nothing, such as a comparison."""
        self.looks += 1
        if self.looks == self.steps_left:
            raise BudgetExceeded("the limit on steps of arithmetic was reached", budget="nodes")
        if self.end is not None and self.looks & 63 == 0 and clock.now() > self.end:
            raise BudgetExceeded("the time limit was reached while values were added or compared", budget="seconds")


_meter: ContextVar[Meter | None] = ContextVar("meter", default=None)

active = _meter.get
"""The meter of the innermost ``budget`` block of this thread or task; asked by the kernel at every canonical form."""


@contextmanager
def budget(*, nodes: int | None = None, steps: int | None = None, seconds: float | None = None) -> Iterator[None]:
    """Within this block, arithmetic raises :class:`BudgetExceeded` after ``nodes`` canonical forms, ``steps`` (forms,
    and comparisons that had to be worked out) or ``seconds``.

    A sum of hot games can be larger than memory; operators take no arguments, so the limit is a context, as in
    :mod:`decimal`. In nested blocks the inner numbers count, and the earlier end of the time. A block limits
    the thread or task that it stands in, no other.
    """
    outer = active()
    ends = [] if seconds is None else [clock.now() + seconds]
    if outer is not None and outer.end is not None:
        ends.append(outer.end)
    _meter.set(Meter(nodes, steps, min(ends, default=None)))
    try:
        yield
    finally:
        _meter.set(outer)
