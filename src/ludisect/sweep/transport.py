"""Where jobs are done: in worker processes of this machine or on a Dask cluster, with the same guard."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Protocol

from ludisect.errors import InputError
from ludisect.sweep.job import Ending, Job
from ludisect.sweep.worker import Worker

Done = Callable[[Ending | None], None]
"""Told what came of a job; None if its worker fell."""


class Transport(Protocol):
    """Takes jobs, and tells from another thread when they are done."""

    @property
    def slots(self) -> int:
        """How many jobs are done at the same time."""

    def submit(self, job: Job, done: Done) -> None:
        """Have a job done."""

    def close(self) -> None:
        """End whatever is under way; nobody is told."""


class Local:
    """Worker processes of this machine."""

    def __init__(self, warm: Sequence[str], slots: int) -> None:
        self.slots = slots
        self._idle = [Worker(warm) for _ in range(slots)]
        self._all = tuple(self._idle)
        self._threads = ThreadPoolExecutor(slots, thread_name_prefix="worker")
        self._closing = threading.Event()

    def submit(self, job: Job, done: Done) -> None:
        self._threads.submit(self._run, job, done)

    def _run(self, job: Job, done: Done) -> None:
        if self._closing.is_set():
            return
        worker = self._idle.pop()  # as many threads as workers: there is one
        try:
            ending = worker.run(job)
        finally:
            self._idle.append(worker)
        if not self._closing.is_set():
            done(ending)

    def close(self) -> None:
        self._closing.set()
        for worker in self._all:
            worker.close()
        self._threads.shutdown(cancel_futures=True)


class Cluster:
    """An existing Dask cluster, as a transport and nothing else.

    Dask has no limits on a task's time, and its retries punish innocent tasks when a worker falls: so every task calls
    the guard, nothing is retried by Dask, and few tasks are on their way at a time. Files must be at the same place on
    every machine, and ludisect installed there.
    """

    def __init__(self, warm: Sequence[str], address: str) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise InputError("--dask needs dask.distributed: pip install 'ludisect[sweep]'") from None
        try:
            self._client = Client(address, timeout=10)
        except (OSError, ValueError) as error:
            raise InputError(f"no Dask scheduler answers at {address}: {error}") from None
        self._warm = tuple(warm)
        self._under_way: set[Any] = set()

    @property
    def slots(self) -> int:
        return max(1, sum(map(int, self._client.nthreads().values())))

    def submit(self, job: Job, done: Done) -> None:
        future = self._client.submit(_on_a_worker, job.to_json(), self._warm, pure=False, retries=0)
        self._under_way.add(future)
        future.add_done_callback(lambda ended: self._tell(ended, done))

    def _tell(self, future: Any, done: Done) -> None:
        self._under_way.discard(future)
        if future.status == "cancelled":
            return
        answer = future.result() if future.status == "finished" else None  # else its worker fell
        done(None if answer is None else Ending.from_json(answer))

    def close(self) -> None:
        with suppress(Exception):  # a scheduler that is gone has nothing under way
            self._client.cancel(list(self._under_way), force=True)
        self._client.close()


_workers = threading.local()


def _on_a_worker(job: dict[str, Any], warm: Sequence[str]) -> dict[str, Any] | None:
    """On a machine of the cluster: a job done by the warm process that belongs to this thread."""
    worker: Worker | None = getattr(_workers, "worker", None)
    if worker is None:
        worker = _workers.worker = Worker(warm)
    ending = worker.run(Job.from_json(job))
    return None if ending is None else ending.to_json()
