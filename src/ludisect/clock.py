"""The clock of every time limit and every printed time: it stands still while machine code is being made."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from time import perf_counter

_lock = Lock()
_waited = 0.0
_waiting: list[float] = []
_shown: list[memoryview[float]] = []


def now() -> float:
    """Seconds since some beginning, without those in which kernels were waited for or ran without machine code."""
    if not _waiting:
        return perf_counter() - _waited
    with _lock:
        return min(_waiting, default=perf_counter()) - _waited


def show(place: memoryview[float]) -> None:
    """Keep two numbers for who watches this process: seconds that did not count, and since when it stands (else 0)."""
    _shown.append(place)
    _show()


def uncounted(place: memoryview[float]) -> float:
    """Seconds that did not count, by now, from the numbers that a process shows."""
    waited, since = place
    return float(waited + (perf_counter() - since if since else 0.0))


def _show() -> None:
    for place in _shown:
        place[0], place[1] = _waited, min(_waiting, default=0.0)


@contextmanager
def stopped() -> Iterator[None]:
    """Stop the clock for a while; several may stop it at once, and it goes on when the last of them has done."""
    global _waited
    with _lock:
        begin = perf_counter()
        _waiting.append(begin)
        _show()
    try:
        yield
    finally:
        with _lock:
            _waiting.remove(begin)
            if begin <= min(_waiting, default=begin):  # those who came later still wait
                _waited += min(_waiting, default=perf_counter()) - begin
            _show()
