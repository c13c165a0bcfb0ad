"""Limits that are watched from outside do not count the time in which machine code is made."""

from __future__ import annotations

import asyncio
import sys

import pytest

from ludisect.web.problems import Refusal
from ludisect.web.warm import Warm
from tests.loops import run_apart

SLEEPER = """
import time
from contextlib import nullcontext
from ludisect import clock
from ludisect.web.forker import serve

def live(end):
    with end.makefile("rwb") as stream:
        for line in stream:
            with clock.stopped() if b"compile" in line else nullcontext():
                time.sleep(0.5)
            stream.write(b'{"answer": 7}\\n')
            stream.flush()
    return 0

serve(live, lambda: None)
"""


STILLBORN = """
from ludisect.web.forker import serve

def warm():
    raise ValueError("nothing works")

serve(lambda end: 0, warm)
"""


@pytest.mark.parametrize(
    ("program", "fault"), [(STILLBORN, "ValueError: nothing works"), ("", "it ended before it was ready")]
)
def test_nobody_waits_for_a_process_that_cannot_start(program: str, fault: str) -> None:
    async def ask() -> tuple[str, object]:
        warm = Warm((sys.executable, "-c", program))
        try:
            with pytest.raises(Refusal) as refused:
                await warm.fork("none")
            return await warm.fault(), refused.value.problem["said"]
        finally:
            await warm.close()

    assert run_apart(asyncio.wait_for(ask(), 60)) == (fault, fault)


def test_a_limit_stands_still_while_the_clock_of_the_process_does() -> None:
    async def both() -> list[object]:
        warm = Warm((sys.executable, "-c", SLEEPER))
        found: list[object] = []
        forked = await warm.fork("sleeper")
        try:
            for _ in range(2):  # what was not counted once is not given again
                found.append(await forked.ask({"do": "compile"}, seconds=0.15, memory=1.0))
            with pytest.raises(Refusal, match="longer than it was given"):
                await forked.ask({"do": "sleep"}, seconds=0.15, memory=1.0)
        finally:
            await forked.end()
            await warm.close()
        return found

    assert run_apart(asyncio.wait_for(both(), 60)) == [7, 7]
