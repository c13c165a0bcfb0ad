"""Limits hold where they are set and nowhere else; values stay one object each, whatever thread makes them."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from ludisect.cgt import Value, budget, make, nimber, number
from ludisect.cgt.limit import active
from ludisect.errors import BudgetExceeded
from tests.loops import run_apart


def large_sum(first: int) -> Value:
    games = [make([make([5 * k], [3])], [make([-k], [-7, nimber(k)])]) for k in range(first, first + 4)]
    return sum(games, number(0))


def test_a_limit_is_for_its_thread() -> None:
    ready = Barrier(2, timeout=60)

    def limited() -> str:
        with budget(nodes=5):
            ready.wait()  # both threads are inside now
            try:
                large_sum(20)
            except BudgetExceeded:
                return "limited"
            return "free"

    def free() -> str:
        ready.wait()
        assert active() is None
        large_sum(40)
        return "free"

    with ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(limited), pool.submit(free)]
        assert [job.result() for job in jobs] == ["limited", "free"]
    assert active() is None


def test_a_limit_is_for_its_task() -> None:
    async def limited() -> None:
        with budget(nodes=5):
            await asyncio.sleep(0)
            with pytest.raises(BudgetExceeded):
                large_sum(60)

    async def free() -> None:
        await asyncio.sleep(0)
        large_sum(80)

    async def both() -> None:
        await asyncio.gather(limited(), free())

    run_apart(both())


def test_blocks_that_end_leave_the_outer_limit() -> None:
    with budget(nodes=10**6):
        outer = active()
        with pytest.raises(BudgetExceeded), budget(nodes=3):
            large_sum(100)
        assert active() is outer
    assert active() is None


@pytest.fixture
def hasty() -> Iterator[None]:
    """Threads change places as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("hasty")
def test_threads_make_every_value_once() -> None:
    start = Barrier(4, timeout=60)

    def job(_: int) -> list[Value]:
        start.wait()
        return [make([number(10**6 + k), nimber(k)], [number(-k), make([k], [-k])]) for k in range(2, 300)]

    with ThreadPoolExecutor(4) as pool:
        first, *others = pool.map(job, range(4))
    for found in others:
        assert all(x is y for x, y in zip(first, found, strict=True))
