"""Limits on exact arithmetic: a sum of hot games can be larger than memory, so work can be metered."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from ludisect.errors import BudgetExceeded


class Meter:
    """Counts the canonical forms made within a ``budget``."""

    def __init__(self, nodes: int | None, seconds: float | None) -> None:
        self.left = nodes if nodes is not None else -1
        self.end = None if seconds is None else time.monotonic() + seconds

    def tick(self) -> None:
        self.left -= 1
        if self.left == -1:
            raise BudgetExceeded("the limit on the number of canonical forms was reached", budget="nodes")
        if self.end is not None and self.left & 63 == 0 and time.monotonic() > self.end:
            raise BudgetExceeded("the time limit was reached while values were added or simplified", budget="seconds")


active: Meter | None = None
"""The meter of the innermost ``budget`` block; read by the kernel at every canonical form."""


@contextmanager
def budget(*, nodes: int | None = None, seconds: float | None = None) -> Iterator[None]:
    """Within this block, arithmetic raises :class:`BudgetExceeded` after ``nodes`` canonical forms or ``seconds``.

    A sum of hot games can be larger than memory; operators take no arguments, so the limit is a context, as in
    :mod:`decimal`. Limits do not nest: the inner one counts.
    """
    global active
    outer, active = active, Meter(nodes, seconds)
    try:
        yield
    finally:
        active = outer
