"""The guard: every kind of misbehaviour ends as what it is, takes everything with it, and harms nobody else."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ludisect.sweep import transport
from ludisect.sweep.guard import fork_guarded
from ludisect.sweep.job import Ending, Job, JobLimits
from ludisect.sweep.worker import Worker

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="sessions are watched through /proc")

ROOMY = JobLimits(wall=300.0, cpu=300.0, memory=2**33)
TIGHT = 0.5


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    made = Worker(["say", "warm"], [sys.executable, "-m", "tests.sweep.programs"])
    yield made
    made.close()


def ask(worker: Worker, words: str, limits: JobLimits = ROOMY) -> Ending:
    ending = worker.run(Job(words.split(), limits))
    assert ending is not None
    return ending


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_what_a_job_says_is_kept(worker: Worker) -> None:
    ending = ask(worker, "say hello there")
    assert (ending.status, ending.exit, ending.output, ending.errors) == ("done", 0, "hello there\n", "and more\n")
    assert ending.wall > 0
    assert ending.peak > 2**20


@pytest.mark.parametrize(
    ("code", "status"), [(0, "done"), (1, "no"), (2, "bad input"), (3, "limit"), (70, "crash"), (130, "crash")]
)
def test_exit_codes(worker: Worker, code: int, status: str) -> None:
    ending = ask(worker, f"exit {code}")
    assert (ending.status, ending.exit) == (status, code)


@pytest.mark.parametrize(
    ("words", "limits", "status"),
    [
        ("sleep", JobLimits(TIGHT, 300.0, 2**33), "time"),
        ("deaf", JobLimits(TIGHT, 300.0, 2**33), "time"),
        ("spin", JobLimits(300.0, TIGHT, 2**33), "cpu"),
        ("eat", JobLimits(300.0, 300.0, 2**28), "memory"),
        ("nurse", JobLimits(300.0, 300.0, 2**28), "memory"),
        (f"fall {signal.SIGSEGV.value}", ROOMY, "crash"),
        (f"fall {signal.SIGABRT.value}", ROOMY, "crash"),
        ("raise", ROOMY, "crash"),
        ("flood", ROOMY, "crash"),
    ],
)
def test_misbehaviour_is_called_by_its_name(worker: Worker, words: str, limits: JobLimits, status: str) -> None:
    assert ask(worker, words, limits).status == status
    assert ask(worker, "say fine").output == "fine\n"  # the next one is not harmed


def test_the_signal_and_the_reason_are_told(worker: Worker) -> None:
    assert ask(worker, f"fall {signal.SIGSEGV.value}").exit == -signal.SIGSEGV
    assert "RuntimeError: on purpose" in ask(worker, "raise").errors
    assert ask(worker, "flood").output.startswith("xxx")


def test_nothing_is_left_behind(worker: Worker) -> None:
    ending = ask(worker, "leave")
    assert ending.status == "done"
    assert not alive(int(ending.output))


def test_only_the_end_of_standard_error_is_kept(worker: Worker) -> None:
    assert ask(worker, "say " + "x" * 100_000).output == "x" * 100_000 + "\n"


def children(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def wait_for_a_child(pid: int) -> int:
    for _ in range(3000):
        if found := children(pid):
            return found[0]
        time.sleep(0.01)
    raise AssertionError("no job was begun")


@pytest.mark.parametrize("ending", ["kill", "close"])
def test_a_worker_that_ends_takes_its_job_along(ending: str) -> None:
    worker = Worker(["say", "warm"], [sys.executable, "-m", "tests.sweep.programs"])
    ask(worker, "say ready")
    assert worker.pid is not None
    got: list[Ending | None] = []
    thread = threading.Thread(target=lambda: got.append(worker.run(Job(["deaf"], ROOMY))))
    thread.start()
    job = wait_for_a_child(worker.pid)
    if ending == "kill":
        os.kill(worker.pid, signal.SIGKILL)
    else:
        worker.close()
    thread.join()
    assert got == [None]
    for _ in range(3000):
        if not alive(job):
            break
        time.sleep(0.01)
    assert not alive(job)
    assert ask(worker, "say again").output == "again\n"  # a new process takes its place
    worker.close()


def test_a_batch_that_takes_too_long_is_cut(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport._workers, "worker", worker, raising=False)
    jobs = [Job(["say", name], ROOMY).to_json() for name in "abc"]
    for patience, done in ((300.0, 3), (0.0, 1)):
        answers = transport._on_a_worker(jobs, (), patience)
        assert [a and a["output"] for a in answers] == ["a\n", "b\n", "c\n"][:done]


def test_who_is_just_forked_can_be_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before it leads its session it is found by its number alone."""
    monkeypatch.setattr(os, "setsid", lambda: time.sleep(3600))
    with open(os.devnull, "wb") as nothing:
        watched = fork_guarded(lambda: 0, JobLimits(60, 60, 2**30), (nothing.fileno(), nothing.fileno()))
    watched.end()
    assert watched.code == -signal.SIGKILL
