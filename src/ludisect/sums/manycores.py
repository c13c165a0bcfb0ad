"""Local search of many positions at once, one process per core; each value is of use as soon as found."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from pathlib import Path

from ludisect.cgt import Value
from ludisect.rulesets.position import Position
from ludisect.sums.database import Database
from ludisect.sums.local import LocalSearch

_search: LocalSearch | None = None
"""The search of this worker process: what it knows serves all positions that come to it."""


def local_values(
    positions: Sequence[Position], *, jobs: int | None = None, database: str | Path | None = None
) -> Iterator[tuple[int, Value]]:
    """The values of ``positions`` as pairs (place, value), in the order in which they are found.

    With a ``database`` the processes share what they find through the file. With ``jobs=1`` no process is started.
    """
    jobs = min(jobs or os.cpu_count() or 1, max(1, len(positions)))
    if jobs == 1:
        with _opened(database) as search:
            for i, position in enumerate(positions):
                yield i, search.value(position)
        return
    with ProcessPoolExecutor(jobs, initializer=_start, initargs=(database,)) as pool:
        places = {pool.submit(_work, position): i for i, position in enumerate(positions)}
        try:
            for done in as_completed(places):
                yield places[done], done.result()
        finally:
            pool.shutdown(cancel_futures=True)


@contextmanager
def _opened(path: str | Path | None) -> Iterator[LocalSearch]:
    """A search with its database, which is closed at the end."""
    if path is None:
        yield LocalSearch()
    else:
        with Database(path) as store:
            yield LocalSearch(store=store)


def _start(database: str | Path | None) -> None:
    global _search
    _search = LocalSearch(store=None if database is None else Database(database))


def _work(position: Position) -> Value:
    assert _search is not None
    return _search.value(position)
