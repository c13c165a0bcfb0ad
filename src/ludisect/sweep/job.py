"""`Job` and `Ending`: one command on one game, its limits, and what came of it; both travel as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

TASKS: Final = ("decompose", "solve", "simulate", "check", "build")
"""What a sweep can do with every game."""

COMMANDS: Final[Mapping[str, str]] = {task: task for task in TASKS} | {"build": "info"}
"""The command behind a task."""

DONE: Final = "done"
ENDED: Final[Mapping[str, str]] = {
    DONE: "the command gave its answer (exit code 0)",
    "no": "the command's answer is no: a fault found, a decomposition that failed (exit code 1)",
    "bad input": "the command cannot use the game (exit code 2)",
    "limit": "the command reached its own limit and said what it knew (exit code 3)",
    "time": "ended by the guard: it took too long by the clock",
    "cpu": "ended by the guard: it took too much processor time",
    "memory": "ended by the guard: it took too much memory",
    "crash": "it fell: a signal, or an exit code that no command leaves",
    "lost": "its worker fell several times while it was at work",
}
"""How a job can end."""

_BY_EXIT: Final = {0: DONE, 1: "no", 2: "bad input", 3: "limit"}


@dataclass(frozen=True, slots=True)
class JobLimits:
    """What one job may take: seconds by the clock and of processor time, bytes of memory that is in use."""

    wall: float
    cpu: float
    memory: int


@dataclass(frozen=True, slots=True)
class Job:
    """A command line for ``ludisect`` (without the program's name), and what it may take."""

    words: Sequence[str]
    limits: JobLimits

    def to_json(self) -> dict[str, Any]:
        """The job as JSON-ready data."""
        return asdict(self)

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Job:
        """The job that ``to_json`` wrote."""
        return Job(tuple(data["words"]), JobLimits(**data["limits"]))


@dataclass(frozen=True, slots=True)
class Ending:
    """What came of a job: how it ended, what it took, what it said."""

    status: str
    exit: int | None
    """The exit code; minus the signal that ended it; None if nobody saw its end."""
    wall: float
    cpu: float
    peak: int
    """Most bytes of memory in use at one time, as far as was seen."""
    output: str
    errors: str
    """The end of standard error."""

    def to_json(self) -> dict[str, Any]:
        """The ending as JSON-ready data."""
        return asdict(self)

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Ending:
        """The ending that ``to_json`` wrote."""
        return Ending(**data)


def status_of(exit: int) -> str:
    """How a job ended by itself, from its exit code."""
    return _BY_EXIT.get(exit, "crash")
