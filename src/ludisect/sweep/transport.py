"""Where jobs are done: in worker processes of this machine or on a Dask cluster, with the same guard."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Final, Protocol

from ludisect.errors import InputError
from ludisect.sweep.job import Ending, Job
from ludisect.sweep.limits import SweepLimits
from ludisect.sweep.worker import Worker

PATIENCE: Final = 5
"""A batch that takes so many times what it should is ended after the job at work."""

Done = Callable[[Ending | None], None]
"""Told what came of a job; None if its worker fell."""

Task = Sequence[tuple[Job, Done]]
"""Jobs that travel together, are done one after the other and told of one by one."""


class Transport(Protocol):
    """Takes jobs, and tells from another thread when they are done."""

    @property
    def slots(self) -> int:
        """How many tasks are done at the same time."""

    @property
    def batches(self) -> bool:
        """Whether sending a task costs so much that short jobs should travel together."""

    def submit(self, task: Task) -> None:
        """Have the jobs of a task done."""

    def close(self) -> None:
        """End whatever is under way; nobody is told."""


class Local:
    """Worker processes of this machine."""

    batches = False

    def __init__(self, warm: Sequence[str], slots: int) -> None:
        self.slots = slots
        self._idle = [Worker(warm) for _ in range(slots)]
        self._all = tuple(self._idle)
        self._threads = ThreadPoolExecutor(slots, thread_name_prefix="worker")
        self._closing = threading.Event()

    def submit(self, task: Task) -> None:
        for job, done in task:
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

    batches = True

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

    def submit(self, task: Task) -> None:
        patience = SweepLimits.current().batch_seconds * PATIENCE
        jobs = [job.to_json() for job, _ in task]
        future = self._client.submit(_on_a_worker, jobs, self._warm, patience, pure=False, retries=0)
        self._under_way.add(future)
        future.add_done_callback(lambda ended: self._tell(ended, task))

    def _tell(self, future: Any, task: Task) -> None:
        self._under_way.discard(future)
        if future.status == "cancelled":
            return
        answers = future.result() if future.status == "finished" else [None] * len(task)  # else its worker fell
        for (_, done), answer in zip(task, answers, strict=False):
            done(None if answer is None else Ending.from_json(answer))
        for one in task[len(answers) :]:  # the batch took longer than thought: the rest goes one by one
            self.submit([one])

    def close(self) -> None:
        with suppress(Exception):  # a scheduler that is gone has nothing under way
            self._client.cancel(list(self._under_way), force=True)
        self._client.close()


_workers = threading.local()


def _on_a_worker(jobs: Sequence[dict[str, Any]], warm: Sequence[str], patience: float) -> list[dict[str, Any] | None]:
    """On a machine of the cluster: jobs done by the warm process of this thread; not all, if they take too long."""
    worker: Worker | None = getattr(_workers, "worker", None)
    if worker is None:
        worker = _workers.worker = Worker(warm)
    begin = time.monotonic()
    answers: list[dict[str, Any] | None] = []
    for job in jobs:
        if answers and time.monotonic() - begin > patience:
            break
        ending = worker.run(Job.from_json(job))
        answers.append(None if ending is None else ending.to_json())
    return answers
