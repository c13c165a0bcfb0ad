"""Jobs: commands that take long, each in a process of its own, queued, watched, cancelled, kept for a while."""

from __future__ import annotations

import asyncio
import os
import secrets
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from ludisect.kernels.workers import cores
from ludisect.web.eventring import EventRing
from ludisect.web.gameshelf import GameShelf
from ludisect.web.limits import WebLimits
from ludisect.web.orders import HEAVY, check_options, command_words
from ludisect.web.problems import Refusal, problem
from ludisect.web.solutions import Solutions
from ludisect.web.warm import Forked, Warm

JobState = Literal["queued", "running", "done", "failed", "cancelled"]

OPEN: Final = ("queued", "running")

EXIT_LIMIT: Final = 3
EXIT_INTERRUPTED: Final = 130


@dataclass(slots=True)
class PageJob:
    """One job of a page."""

    request: dict[str, Any]
    kind: str
    source: dict[str, Any]
    position: dict[str, Any] | None
    id: str = field(default_factory=lambda: secrets.token_urlsafe(9))
    state: JobState = "queued"
    begin: float | None = None
    end: float | None = None
    forked: Forked | None = None
    memory: float = 0.0
    step: dict[str, Any] | None = None
    limit: str | None = None
    exit: int | None = None
    result: Any = None
    partial: Any = None
    problem: dict[str, Any] | None = None
    task: asyncio.Task[None] | None = None
    told: float = 0.0
    """When its page was last told of it."""

    @property
    def command(self) -> str:
        """What it does."""
        return str(self.request["command"])

    @property
    def lane(self) -> tuple[str, bool]:
        """Jobs of the same lane run one after the other."""
        return self.request["page"], self.command in HEAVY

    @property
    def open(self) -> bool:
        """Whether it has not ended."""
        return self.state in OPEN

    def to_json(self, before: int = 0) -> dict[str, Any]:
        """As the page gets it."""
        spent = 0.0 if self.begin is None else (self.end or time.monotonic()) - self.begin
        asked = {name: self.request[name] for name in ("command", "game", "line", "to", "options", "page")}
        asked["options"] = {name: value for name, value in asked["options"].items() if name != "decomposition"}
        return {
            "id": self.id,
            **asked,
            "state": self.state,
            "before": before,
            "seconds": round(spent, 3),
            "memory": round(self.memory, 3),
            "pid": None if self.forked is None or not self.open else self.forked.pid,
            "step": self.step,
            "limit": self.limit,
            "exit": self.exit,
            "result": self.result,
            "partial": self.partial,
            "problem": self.problem,
        }


class JobDesk:
    """All jobs."""

    def __init__(self, warm: Warm, shelf: GameShelf, events: EventRing) -> None:
        self._warm, self._shelf, self._events = warm, shelf, events
        self._jobs: dict[str, PageJob] = {}
        self._solutions = Solutions(warm, "values")
        self._slots = max(2, cores())

    # ---- asked by the page ----

    async def submit(self, request: dict[str, Any]) -> PageJob:
        """Take a job; it begins when its lane is free."""
        limits = WebLimits.current()
        source = {"kind": "games"}
        if request["command"] != "sweep":
            game = self._shelf.find(request["game"])
            source = dict(game.source)
            if "sum" not in source and source["kind"] == "sum":
                source["sum"] = game.info["sum"]
        kind = source["kind"]
        check_options(request["command"], kind, source, request["options"])
        if request["memory"] > _most_memory(limits):
            raise Refusal("limit", f"A job may take {_most_memory(limits):.3g} GB here, half of the machine at most.")
        self._check_room(request["page"], limits)
        job = PageJob(request, kind, source, None)
        self._jobs[job.id] = job  # holds its place while the line is looked at
        try:
            if request["line"] and kind != "games":
                place = {"line": request["line"], "to": request["to"], "state": None}
                job.position = await self._shelf.ask(request["game"], "position", place)
        except BaseException:
            del self._jobs[job.id]
            raise
        if job.command == "values":
            for other in list(self._jobs.values()):
                if other is not job and other.open and other.command == "values" and other.lane == job.lane:
                    await self.cancel(other)
        self._tidy(limits)
        self._tell(job)
        self._begin_some()
        return job

    def _check_room(self, page: str, limits: WebLimits) -> None:
        open_jobs = [job for job in self._jobs.values() if job.open]
        if sum(job.state == "queued" for job in open_jobs) >= limits.jobs_waiting:
            raise Refusal("busy", f"{limits.jobs_waiting} jobs are waiting already; try again in a moment.")
        pages = {job.request["page"] for job in open_jobs}
        if page not in pages and len(pages) >= limits.pages:
            raise Refusal("busy", f"{limits.pages} pages have jobs already; try again in a moment.")

    def find(self, id: str) -> PageJob:
        """A job by its id."""
        job = self._jobs.get(id)
        if job is None:
            raise Refusal("gone", "There is no job of that id (any more).")
        return job

    def listed(self, page: str | None) -> list[dict[str, Any]]:
        """The jobs of a page, or all, the latest first."""
        some = [job for job in self._jobs.values() if page is None or job.request["page"] == page]
        return [self.shown(job) for job in reversed(some)]

    def shown(self, job: PageJob) -> dict[str, Any]:
        """A job as the page gets it."""
        return job.to_json(self._before(job))

    def busy(self, page: str) -> bool:
        """Whether a page has jobs that have not ended."""
        return any(job.open and job.request["page"] == page for job in self._jobs.values())

    async def cancel(self, job: PageJob) -> None:
        """End a job; its process is gone afterwards."""
        if not job.open:
            return
        job.state = "cancelled"
        if job.task is not None:
            job.task.cancel()
            with suppress(asyncio.CancelledError):
                await job.task
        self._ended(job)

    async def close(self) -> None:
        """End all."""
        for job in list(self._jobs.values()):
            await self.cancel(job)

    # ---- running ----

    def _before(self, job: PageJob) -> int:
        if job.state != "queued":
            return 0
        ahead = 0
        for other in self._jobs.values():
            if other is job:
                break
            ahead += other.open and other.lane == job.lane
        return ahead

    def _begin_some(self) -> None:
        running = [job for job in self._jobs.values() if job.state == "running"]
        taken = {job.lane for job in running}
        free = self._slots - len(running)
        for job in self._jobs.values():
            if free > 0 and job.state == "queued" and job.task is None and job.lane not in taken:
                taken.add(job.lane)
                free -= 1
                job.state, job.begin = "running", time.monotonic()
                job.task = asyncio.create_task(self._run(job))

    async def _run(self, job: PageJob) -> None:
        self._tell(job)
        try:
            await self._work(job)
        except Refusal as refused:
            self._refused(job, refused)
        except asyncio.CancelledError:
            if job.forked is not None:
                await asyncio.shield(job.forked.end())
            raise
        except Exception as error:
            job.state, job.problem = "failed", problem("crash", "The server broke off.", said=repr(error)[:400])
        finally:
            if job.forked is not None and not self._solutions.keeps(job.forked):
                await asyncio.shield(job.forked.end())
        if job.state == "running":
            job.state = "done"
        self._ended(job)

    async def _work(self, job: PageJob) -> None:
        request, limits = job.request, WebLimits.current()
        if job.command == "values":
            job.forked = await self._solutions.process(request["game"])
        else:
            job.forked = await self._warm.fork(job.command)
        seconds = request["seconds"] * 1.5 + limits.job_grace
        told = await job.forked.ask(
            self._order(job),
            seconds=seconds,
            soft=request["seconds"] if job.command in ("match", "sweep") else None,
            memory=request["memory"],
            heard=lambda told: self._heard(job, told),
        )
        if "exit" in told:
            _read_exit(job, told["exit"], told["printed"])
        else:
            job.result, job.limit = told.get("result"), told.get("limit")
        if job.command == "decompose" and job.state == "running" and job.result is not None and not request["line"]:
            with suppress(Refusal):
                self._shelf.find(request["game"]).parts = (job.id, job.result)

    def _order(self, job: PageJob) -> dict[str, Any]:
        """What the process is asked."""
        if job.command == "sweep":
            return {"do": "sweep", "with": {name: job.request[name] for name in ("options", "memory")}}
        if job.command not in ("values", "play") and (job.command, job.kind) != ("match", "sum"):
            return command_words(job.request, job.source, job.position)
        names = ("seconds", "memory")
        given = {name: job.request[name] for name in ("line", "to", "options", "seconds", "memory")}
        return {"do": job.command, "source": job.source, "with": given, **{name: job.request[name] for name in names}}

    def _heard(self, job: PageJob, told: dict[str, Any]) -> None:
        """What a process says while it works: a step of progress, a partial result."""
        if "step" in told:
            job.step = told["step"]
        if "partial" in told:
            job.partial = told["partial"]
        if time.monotonic() - job.told >= WebLimits.current().events_pause:
            self._tell(job)

    def _refused(self, job: PageJob, refused: Refusal) -> None:
        limit = refused.problem.get("limit")
        if limit is not None:
            job.limit = limit
            job.problem = refused.problem
        else:
            job.state, job.problem = "failed", refused.problem

    def _ended(self, job: PageJob) -> None:
        if job.forked is not None:
            job.memory = max(job.memory, job.forked.memory)
        if job.end is None:
            job.end = time.monotonic()
            self._tell(job)
            if not self.busy(job.request["page"]):
                self._events.put(job.request["page"], "idle", {})
            self._begin_some()

    def _tell(self, job: PageJob) -> None:
        job.told = time.monotonic()
        if job.forked is not None:
            job.memory = max(job.memory, job.forked.memory)
        self._events.put(job.request["page"], "job", self.shown(job))

    def _tidy(self, limits: WebLimits) -> None:
        """Forget jobs that ended long ago, and the oldest if there are too many."""
        ended = [job for job in self._jobs.values() if not job.open]
        now = time.monotonic()
        for place, job in enumerate(ended):
            old = job.end is not None and now - job.end > limits.jobs_kept_seconds
            if old or len(ended) - place > limits.jobs_kept:
                del self._jobs[job.id]


def _read_exit(job: PageJob, code: int, printed: Any) -> None:
    """What came of a command, from its exit code and what it printed."""
    job.exit = code
    told = printed if isinstance(printed, dict) else {}
    if "error" in told and "exit" in told:
        if code in (EXIT_LIMIT, EXIT_INTERRUPTED):  # the limit of a match interrupts it, maybe while its game is built
            job.limit, job.partial = _limit_of(told["error"]), told.get("partial")
            job.problem = problem("limit", told["error"])
            return
        kind = "rules" if "problems" in told else "input"
        more = {"problems": told["problems"]} if "problems" in told else {}
        job.state, job.problem = "failed", problem(kind, told["error"], **more)
        return
    if code in (EXIT_LIMIT, EXIT_INTERRUPTED):
        job.limit = _limit_of(str(told.get("limit", "")))
    elif code not in (0, 1):
        job.state, job.problem = "failed", problem("crash", f"The command left with code {code}.")
        return
    if job.command == "verify":
        told.pop("decomposition", None)  # the name of a file that nobody has
    job.result = told


def _limit_of(message: str) -> str:
    return "memory" if "GB" in message and " s" not in message.partition("GB")[0] else "seconds"


def _most_memory(limits: WebLimits) -> float:
    """Gigabytes that a job may be given here."""
    try:
        machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    except (OSError, ValueError):
        return limits.job_memory
    return min(limits.job_memory, machine / 2)
