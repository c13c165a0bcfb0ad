"""Local search of many positions at once, one process per core; each value is of use as soon as found."""

from __future__ import annotations

import os
import signal
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from multiprocessing import Pool
from pathlib import Path

from ludisect.cgt import Value
from ludisect.errors import BudgetExceeded
from ludisect.rulesets.position import Position
from ludisect.sums.database import Database
from ludisect.sums.deepening import Deepening, Guess
from ludisect.sums.local import LocalSearch

_search: LocalSearch | None = None
"""The search of this worker process: what it knows serves all positions that come to it."""


def local_values(
    positions: Sequence[Position],
    *,
    jobs: int | None = None,
    database: str | Path | None = None,
    seconds: float | None = None,
) -> Iterator[tuple[int, Value]]:
    """The values of ``positions`` as pairs (place, value), in the order in which they are found.

    With a ``database`` the processes share what they find through the file. With ``jobs=1`` no process is started. What
    is not found within ``seconds`` is left out.
    """
    jobs = _jobs(jobs, positions)
    if jobs == 1:
        with _opened(database, seconds) as search:
            for i, position in enumerate(positions):
                try:
                    found = search.value(position)
                except BudgetExceeded:
                    if seconds is None:
                        raise
                    continue
                yield i, found
        return
    with Pool(jobs, _start, (database, seconds)) as pool:  # leaving it ends the processes
        for place, value in pool.imap_unordered(partial(_work, forgive=seconds is not None), enumerate(positions)):
            if value is not None:
                yield place, value


def local_guesses(
    positions: Sequence[Position], *, jobs: int | None = None, seconds: float | None = None, depth: int = 64
) -> Iterator[tuple[dict[Hashable, Guess], int]]:
    """What heuristic search finds out about each position and what it can become, each deepened by itself.

    With each comes how many positions were expanded for it.
    A process gets as much of the ``seconds`` for each position as is fair to the others that wait.
    """
    jobs = _jobs(jobs, positions)
    share = None if seconds is None else seconds * min(1.0, jobs / max(1, len(positions)))
    with Pool(jobs, _ignore_interrupts) as pool:
        yield from pool.imap_unordered(partial(_deepened, seconds=share, depth=depth), positions)


def _jobs(jobs: int | None, positions: Sequence[Position]) -> int:
    return min(jobs or os.cpu_count() or 1, max(1, len(positions)))


@contextmanager
def _opened(path: str | Path | None, seconds: float | None) -> Iterator[LocalSearch]:
    """A search with its database, which is closed at the end."""
    if path is None:
        yield LocalSearch(seconds=seconds)
    else:
        with Database(path) as store:
            yield LocalSearch(store=store, seconds=seconds)


def _ignore_interrupts() -> None:
    """An interrupt is for the process that waits, which then ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _start(database: str | Path | None, seconds: float | None) -> None:
    global _search
    _ignore_interrupts()
    _search = LocalSearch(store=None if database is None else Database(database), seconds=seconds)


def _work(placed: tuple[int, Position], *, forgive: bool) -> tuple[int, Value | None]:
    assert _search is not None
    try:
        return placed[0], _search.value(placed[1])
    except BudgetExceeded:
        if not forgive:
            raise
        return placed[0], None


def _deepened(position: Position, *, seconds: float | None, depth: int) -> tuple[dict[Hashable, Guess], int]:
    from ludisect.sums.limits import SumsLimits

    nodes = SumsLimits.current().guess_nodes if seconds is None else None
    search = Deepening(seconds=seconds, nodes=nodes)
    for _ in search.deepen(position.parts(), most=depth):
        pass
    return search.known(), search.nodes
