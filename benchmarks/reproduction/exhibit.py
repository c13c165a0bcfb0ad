"""One table or figure of a document: how ours is measured, and how it is shown beside theirs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Figures = Any
"""What an exhibit measured, as JSON."""


@dataclass(frozen=True)
class Bench:
    """What measuring may use."""

    seconds: float
    """Limit of each whole search."""
    games: Path | None = None
    """A folder of public rule sheets, for what is about them."""
    labels: Path | None = None
    """Known decompositions of some of them."""
    folder: Path = Path()
    """Where stores of sweeps are kept between runs."""
    game_seconds: float = 60.0
    """Limit of each game in a sweep."""
    jobs: int | None = None
    """Games at a time in a sweep; by default the cores."""


class NeedsGames(Exception):
    """An exhibit is about public rule sheets, and no folder was given."""


@dataclass(frozen=True)
class Exhibit:
    """A table or figure that can be had again."""

    name: str
    title: str
    source: str
    """Where it stands in the document."""
    measure: Callable[[Bench], Figures]
    show: Callable[[Figures], Iterable[str]]
    """Lines of Markdown: the table, then what differs and why."""
    plot: Callable[[Figures, Path], None] | None = None
    needs_games: bool = False
    """Whether it is about public rule sheets."""


def table(head: Sequence[object], rows: Iterable[Sequence[object]]) -> list[str]:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return ["| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines]


def _cell(cell: object) -> str:
    if cell is None:
        return ""
    text = f"{cell:.2f}" if isinstance(cell, float) else str(cell)
    return text.replace("|", "\\|")


def seconds_of(number: float | None, *, finished: bool = True) -> str:
    """Seconds as people write them; with a sign where a limit ended them."""
    if number is None:
        return ""
    digits = 0 if number >= 100 else 1 if number >= 10 else 2 if number >= 0.1 else 3
    return ("" if finished else "> ") + f"{number:.{digits}f}"


def agreement(ours: object, theirs: object) -> str:
    """A mark for a value beside the printed one."""
    return "✓" if ours == theirs else "✕"
