"""A sweep while it goes on: how far it is, which games are claimed, what came of the latest; from its store.

Whoever can read the store can watch, also while others write to it: the terminal and the page show the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from ludisect.sweep.read import record
from ludisect.sweep.rowstore import CLAIMED, WAITING, SweepStore
from ludisect.sweep.sweepplan import settings_shown

_NOTHING: Final[Mapping[str, Any]] = {
    "sweep": None, "task": None, "games": 0, "done": 0, "waiting": 0, "status": {}, "claimed": [], "latest": [],
}  # fmt: skip
"""A store in which no sweep was begun."""

LATEST: Final = 8
"""Finished games that are told, and claimed games that are named."""


def live(path: str | Path, sweep: tuple[str, str, str] | None = None, *, latest: int = LATEST) -> Mapping[str, Any]:
    """One sweep of a store as JSON-ready data; ``sweep`` is its (task, settings, version), by default the latest.

    ``{"sweep": title or null, "task": …, "games": all, "done": …, "waiting": …, "status": {how they ended: games},
    "claimed": [names], "latest": [one record per game, the newest first]}``.

    Raises:
        InputError: there is no store, or it cannot be read.
    """
    with SweepStore(path, new=False) as store:
        which = sweep or next((found[:3] for found in reversed(store.sweeps())), None)
        if which is None:
            return _NOTHING
        counts = store.counts(*which)
        waiting, claimed = counts.pop(WAITING, 0), counts.pop(CLAIMED, 0)
        done = sum(counts.values())
        return {
            "sweep": f"{which[0]} {settings_shown(which[1])} ({which[2]})",
            "task": which[0],
            "games": waiting + claimed + done,
            "done": done,
            "waiting": waiting,
            "status": dict(sorted(counts.items(), key=lambda item: (-item[1], item[0]))),
            "claimed": store.claimed(*which, many=latest),
            "latest": [record(row) for row in store.latest(*which, many=latest)],
        }
