"""What a sweep does: the games it is about, the command line for each, and the version that does it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from ludisect import __version__
from ludisect.errors import InputError
from ludisect.sweep.job import COMMANDS, TASKS, Job, JobLimits
from ludisect.sweep.limits import SweepLimits
from ludisect.sweep.rowstore import Entry

SUFFIXES: Final = (".kif", ".gdl", ".hrf", ".txt")
"""Files of a folder that are taken for rule sheets."""

WARM: Final = "nim:1,2"
"""A small bundled game: a worker does its command on it once, and has everything loaded."""


@dataclass(frozen=True)
class SweepPlan:
    """A task and its settings: everything but the game."""

    task: str
    seconds: float
    memory: float
    """Gigabytes for one command."""
    options: Sequence[tuple[str, str]] = ()
    """Further options of the command, in the order in which they are given."""

    def __post_init__(self) -> None:
        if self.task not in TASKS:
            raise InputError(f"no task is called {self.task!r}; there are {', '.join(TASKS)}")

    @property
    def settings(self) -> str:
        """What distinguishes this sweep from others with the same task."""
        return json.dumps({"seconds": self.seconds, "memory": self.memory, "options": sorted(map(list, self.options))})

    @property
    def limits(self) -> JobLimits:
        """What the guard allows: some more than the command is given, so that it can end by itself and say why."""
        numbers = SweepLimits.current()
        wall = numbers.guard_share * self.seconds + numbers.guard_grace
        return JobLimits(wall, wall, int(numbers.memory_share * self.memory * 2**30))

    def words(self, game: str) -> list[str]:
        """The command line for a game."""
        given = [word for option in self.options for word in option]
        own = ["--json", "--quiet", "--seconds", f"{self.seconds:g}", "--memory", f"{self.memory:g}"]
        return [COMMANDS[self.task], game, *own, *given]

    def job(self, entry: Entry) -> Job:
        """The job for a row of the store."""
        return Job(tuple(self.words(entry.path)), self.limits)

    def entries(self, games: Iterable[Sheet]) -> Iterator[Entry]:
        """A row for every game."""
        for game in games:
            yield Entry(game.name, str(game.path), game.digest, self.task, self.settings, version())


@dataclass(frozen=True, slots=True)
class Sheet:
    """A file that should be a rule sheet: its name in tables, where it is, and a digest of what it says."""

    name: str
    path: Path
    digest: str


def find_sheets(places: Sequence[Path]) -> list[Sheet]:
    """Every rule sheet in folders (and folders in them), and files that are named; by name.

    Raises:
        InputError: a place that is not there, or a folder without rule sheets.
    """
    found: dict[Path, str] = {}
    for place in places:
        if place.is_file():
            found.setdefault(place.resolve(), place.stem)
            continue
        if not place.is_dir():
            raise InputError(f"{place} is neither a folder nor a file")
        inside = sorted(path for path in place.rglob("*") if path.suffix in SUFFIXES and path.is_file())
        if not inside:
            raise InputError(f"{place} holds no rule sheets: no file ends in {', '.join(SUFFIXES)}")
        for path in inside:
            found.setdefault(path.resolve(), path.relative_to(place).with_suffix("").as_posix())
    return sorted((Sheet(name, path, _digest(path)) for path, name in found.items()), key=lambda s: (s.name, s.path))


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None


@cache
def version() -> str:
    """The version of ludisect, with a digest of its source: a row is done anew when any line of it has changed."""
    folder = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".py", ".kif"):
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return f"{__version__}+{digest.hexdigest()[:8]}"


def settings_shown(settings: str) -> str:
    """Settings as a person would type them."""
    data: Mapping[str, object] = json.loads(settings)
    options = data["options"]
    assert isinstance(options, list)
    return " ".join([f"--seconds {data['seconds']:g}", *(" ".join(option) for option in options)])
