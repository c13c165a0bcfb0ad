"""Work in a thread: waited for, paused, given up; what it raises on purpose is kept."""

from __future__ import annotations

import threading
import time

from ludisect.effort import spend
from ludisect.errors import BudgetExceeded, InputError
from ludisect.play.limits import PlayLimits
from ludisect.play.task import Task, found_by
from ludisect.progress import report
from ludisect.settings import using


def test_a_result_in_time_and_none_too_early() -> None:
    ready = threading.Event()
    task = Task(lambda: ready.wait() and 7, "seven")
    assert task.result(time.monotonic()) is None
    assert not task.done
    ready.set()
    assert task.result(time.monotonic() + 60) == 7
    assert task.done


def test_it_rests_while_paused_and_ends_when_given_up() -> None:
    steps: list[int] = []
    go_on = threading.Semaphore(0)

    def work() -> None:
        while True:
            report("steps", len(steps))
            steps.append(1)
            go_on.acquire()

    task = Task(work, "steps")
    while not steps:
        time.sleep(0.001)
    task.pause()
    go_on.release()  # to the gate, and no further
    worked = task.worked
    time.sleep(0.05)
    assert len(steps) == 1
    assert task.worked == worked > 0  # resting is not working
    task.resume()
    while len(steps) == 1:
        time.sleep(0.001)
    assert task.worked > worked
    assert not task.cancelled
    task.cancel()
    go_on.release()
    assert task.result(time.monotonic() + 60) is None
    assert task.cancelled
    assert task.done
    assert isinstance(task.failure, BudgetExceeded)


def test_what_is_raised_on_purpose_is_kept() -> None:
    def work() -> None:
        raise InputError("no")

    task = Task(work, "no")
    assert task.result(time.monotonic() + 60) is None
    assert str(task.failure) == "no"


def test_the_numbers_in_force_hold_in_the_thread() -> None:
    with using(PlayLimits(flat_plays=3)):
        task = Task(lambda: PlayLimits.current().flat_plays, "numbers")
    assert task.result(time.monotonic() + 60) == 3


def test_work_that_counts_its_steps_ends_there_when_given_up() -> None:
    """Who reports steps needs no gate of its own; it is never made to wait there, as it may hold what others need."""
    steps: list[int] = []

    def work() -> None:
        while True:
            spend(1)
            steps.append(1)

    task = Task(work, "steps")
    task.pause()
    seen = len(steps)
    while len(steps) == seen:
        time.sleep(0.001)
    task.cancel(60)
    assert task.done
    assert isinstance(task.failure, BudgetExceeded)
    spend(1)  # this thread has no gate


def test_what_is_not_found_by_the_deadline_is_given_up() -> None:
    ended = threading.Event()

    def work() -> int:
        try:
            while True:
                report("steps", 0)
        finally:
            ended.set()

    assert found_by(time.monotonic() + 60, lambda: 7, "seven") == 7
    assert found_by(time.monotonic(), work, "for ever") is None
    assert ended.wait(60)
