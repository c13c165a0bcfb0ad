"""Work as it is counted: steps that the engines report, and budgets of steps that hold on any machine.

A clock says how long something took here and now; on a busy machine that is longer. What decides a result is therefore
counted in *steps*, which depend on nothing but the question. A step is what takes about a nanosecond on one core that
has nothing else to do: a gate's input read for 512 states at once. Whoever does work that matters says so:

    spend(edges * blocks)

and whoever must come to an end takes an ``Effort`` and looks at it between two pieces of work:

    effort = Effort(5e9)             # about five seconds, on any machine the same steps
    while not effort.over():
        ...

Seconds count only where the caller gives some, ``Effort(5e9, seconds=2.0)``: then what ends first ends it. Where a
piece of work may be long, ``ending(effort)`` ends it as soon as steps are reported after that time. Steps are counted
per thread, so that threads do not spend each other's efforts; an effort belongs to the thread that made it. Who runs
work in a thread can end it wherever it reports steps: see ``watched``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from threading import local

from ludisect import clock

STEPS_PER_SECOND = 1e9
"""What a step is meant to take; the weights of what is counted were measured to fit."""


class _Meter(local):
    steps = 0.0
    gate: Callable[[], None] | None = None


_meter = _Meter()


def spent() -> float:
    """Steps of this thread so far."""
    return _meter.steps


def spend(steps: float) -> None:
    """Report work that was done or is about to be; none, to offer a place where it may be ended."""
    _meter.steps += steps
    if _meter.gate is not None:
        _meter.gate()


@contextmanager
def watched(gate: Callable[[], None]) -> Iterator[None]:
    """Within this block, whoever reports work in this thread passes a gate, where it may be ended by an exception.

    Gates that were there before stay.
    """
    before = _meter.gate

    def both() -> None:
        if before is not None:
            before()
        gate()

    _meter.gate = both
    try:
        yield
    finally:
        _meter.gate = before


class OutOfTime(Exception):
    """Work that was ended because its seconds are used up: never seen outside the function that was given them."""


class Effort:
    """What may be spent from now on: steps, and seconds if there is a limit on them."""

    __slots__ = ("_deadline", "_end", "seconds", "work")

    def __init__(self, work: float = inf, seconds: float | None = None) -> None:
        self.work, self.seconds = work, seconds
        self._end = spent() + work
        self._deadline = None if seconds is None else clock.now() + seconds

    def __repr__(self) -> str:
        return f"Effort({self.work:g}, seconds={self.seconds}) with {self.left:g} steps left"

    @property
    def left(self) -> float:
        """Steps that remain, none once the time is over."""
        return 0.0 if self._late() else max(0.0, self._end - spent())

    @property
    def seconds_left(self) -> float | None:
        """Seconds that remain, at least 0; None without a limit."""
        return None if self._deadline is None else max(0.0, self._deadline - clock.now())

    def over(self) -> bool:
        """Whether the steps or the seconds are used up."""
        return spent() >= self._end or self._late()

    def _late(self) -> bool:
        return self._deadline is not None and clock.now() >= self._deadline

    def part(self, share: float, *, least: float = 0.0) -> Effort:
        """A share of what was given, but so many steps (and their time) at least; it may take more steps than are left
        of the whole, but no more seconds."""
        seconds = self.seconds_left
        if seconds is not None and self.seconds is not None:
            seconds = min(seconds, max(share * self.seconds, least / STEPS_PER_SECOND))
        return Effort(max(share * self.work, least), seconds)

    def steps(self, share: float, *, least: float = 0.0) -> Effort:
        """A share of the steps, but so many at least, and all the time that is left: for what must not come out
        otherwise where time is short, unless there is none."""
        return Effort(max(share * self.work, least), self.seconds_left)

    def rest(self, *, least: float = 0.0) -> Effort:
        """What is left, but so many steps at least."""
        return Effort(max(self._end - spent(), least), self.seconds_left)

    def within(self, steps: float) -> Effort:
        """What is left, but no more than so many steps (and their time)."""
        seconds = self.seconds_left
        if seconds is not None:
            seconds = min(seconds, steps / STEPS_PER_SECOND)
        return Effort(min(self._end - spent(), steps), seconds)


@contextmanager
def ending(effort: Effort) -> Iterator[None]:
    """Within this block, OutOfTime ends whoever reports work when the effort's seconds are used up. Without a limit on
    seconds nothing is ended, so that no answer hangs on the clock."""
    if effort.seconds is None:
        yield
        return

    def gate() -> None:
        if effort.seconds_left == 0:
            raise OutOfTime

    with watched(gate):
        yield
