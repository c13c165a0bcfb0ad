"""The clock that stands still while machine code is waited for."""

from __future__ import annotations

import threading
import time

from ludisect import clock


def test_it_goes_on_and_stands_still() -> None:
    before = clock.now()
    with clock.stopped():
        first = clock.now()
        time.sleep(0.02)
        assert clock.now() == first
    after = clock.now()
    assert before <= first <= after


def test_several_may_stop_it() -> None:
    """It goes on when the last of them has done; time is never taken off twice, and never runs back."""
    seen = [clock.now()]
    begun, done = threading.Event(), threading.Event()

    def wait() -> None:
        with clock.stopped():
            begun.set()
            done.wait()

    other = threading.Thread(target=wait)
    with clock.stopped():
        other.start()
        begun.wait()
        seen.append(clock.now())
    seen.append(clock.now())
    time.sleep(0.02)
    assert clock.now() == seen[-1]  # the other still waits
    done.set()
    other.join()
    seen.append(clock.now())
    assert seen == sorted(seen)
