"""A sweep as a job of the page: one command on many bundled games, with a table that grows meanwhile."""

from __future__ import annotations

import signal
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from ludisect.games import bundled
from ludisect.progress import listening, report
from ludisect.sweep.guard import Program, run_guarded
from ludisect.sweep.job import Ending
from ludisect.sweep.report import all_sweeps, to_json
from ludisect.sweep.rowstore import WAITING, SweepStore
from ludisect.sweep.run import run_sweep
from ludisect.sweep.sweepplan import Sheet, SweepPlan, version
from ludisect.sweep.transport import Task
from ludisect.web.worth import Partial

EACH: Final = 5.0
"""Seconds for a game unless another number is given."""

PASSED_ON: Final = ("method", "playouts", "seed")
"""Options of the sweep that are options of the command behind it."""


class _Here:
    """Games one after the other, each in a fork of this process, which has all loaded: they end with it."""

    slots, batches = 1, False

    def __init__(self, program: Program, told: Callable[[str, Ending], None]) -> None:
        self._program, self._told = program, told

    def submit(self, task: Task) -> None:
        for job, done in task:
            with listening(None):
                ending = run_guarded(job, self._program)
            if ending is not None:
                self._told(job.words[1], ending)
            done(ending)

    def close(self) -> None:
        """Nothing is under way when somebody can call this."""


def run_page_sweep(program: Program, options: Mapping[str, Any], memory: float, tell: Partial) -> dict[str, Any]:
    """Do a task on games by their names, all bundled ones without any; interrupted, it gives what is done."""
    names = options.get("games") or bundled.names()
    sheets = [Sheet(name, Path(name), sha256(bundled.source(name).encode()).hexdigest()[:16]) for name in names]
    given = [(f"--{name}", str(options[name])) for name in PASSED_ON if name in options]
    plan = SweepPlan(options.get("task", "decompose"), float(options.get("clock", EACH)), memory, given)
    rows: list[dict[str, Any]] = []

    def told(game: str, ending: Ending) -> None:
        seconds = round(ending.wall, 3)
        rows.append({"game": game, "status": ending.status, "seconds": seconds, "peak": ending.peak})
        statuses = dict(Counter(row["status"] for row in rows).most_common())
        tell({"games": rows, "summary": {"games": len(rows), "status": statuses}})
        report("sweeping games", len(rows), len(sheets))

    signal.signal(signal.SIGINT, signal.default_int_handler)  # it may be told to say what it knows
    with tempfile.TemporaryDirectory() as folder, SweepStore(Path(folder) / "sweep.store") as store:
        store.add(plan.entries(sheets))
        report("sweeping games", 0, len(sheets))
        interrupted = False
        try:
            run_sweep(store, plan, _Here(program, told))
        except KeyboardInterrupt:
            interrupted = True
        left = store.counts(plan.task, plan.settings, version()).get(WAITING, 0)
        known = [to_json(swept) for swept in all_sweeps(store)]
    result = {**(known[0] if known else {"games": []}), "left": left, "interrupted": interrupted}
    return {"result": result, "limit": "seconds" if interrupted else None}
