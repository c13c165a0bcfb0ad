"""What a sweep of thousands to a million games costs on one machine or many, and where more machines stop helping.

    python benchmarks/scale.py --rows 100000 --slots 2 8 32 128 --json scale.json --plot scale.svg

Three things are measured on this machine:

* the *guard*: games per second that one and two workers do when a game takes no time, so what a fork and a guard cost;
* the *store*: rows per second that one client claims and keeps, in a store of ``--rows`` rows, and their size;
* the *scheduler*: a real Dask scheduler with two worker processes and more and more slots, whose games only sleep, so
  that the machine simulates many; the client keeps their rows as in a real sweep. Short games are sent one by one, and
  in batches as a sweep sends them.

From these a table says how long so many games take on n machines of two cores. What is measured bounds it: one client
and one scheduler carry so many games a second and no more.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import results
from ludisect import decompose, load
from ludisect.sweep import SweepPlan, SweepStore, find_sheets, run_sweep
from ludisect.sweep.job import Ending
from ludisect.sweep.processes import CPU, process_fields
from ludisect.sweep.rowstore import Entry
from ludisect.sweep.sweepplan import WARM, version
from ludisect.sweep.transport import Local, Task

Json = dict[str, Any]

SHEET = "(role r) (init a) (legal r m) (<= (next b) (does r m)) (<= terminal (true b)) (goal r 100)"
"""A game that takes no time."""


class AtOnce:
    """A transport that does nothing: what is left is the work of the client."""

    batches = False

    def __init__(self, slots: int, output: str) -> None:
        self.slots, self.ending = slots, Ending("done", 0, 0.1, 0.1, 1 << 27, output, "")

    def submit(self, task: Task) -> None:
        for _, done in task:
            done(self.ending)

    def close(self) -> None:
        pass


class Sleepers:
    """Slots of a Dask cluster on this machine whose games sleep: a scheduler cannot tell them from games at work."""

    def __init__(self, slots: int, seconds: float, output: str, *, batches: bool) -> None:
        from distributed import LocalCluster

        self.slots, self.seconds, self.output, self.batches = slots, seconds, output, batches
        self._cluster = LocalCluster(
            n_workers=2, threads_per_worker=slots // 2, memory_limit=None, dashboard_address=None, silence_logs=50
        )
        self._client = self._cluster.get_client()

    def submit(self, task: Task) -> None:
        jobs = [job.to_json() for job, _ in task]
        future = self._client.submit(_sleep, jobs, self.seconds, self.output, pure=False, retries=0)
        future.add_done_callback(lambda ended: self._tell(ended.result(), task))

    def _tell(self, answers: Sequence[Json], task: Task) -> None:
        for (_, done), answer in zip(task, answers, strict=True):
            done(Ending.from_json(answer))

    def close(self) -> None:
        self._client.close()
        self._cluster.close()


def _sleep(jobs: Sequence[Json], seconds: float, output: str) -> list[Json]:
    answers = []
    for _ in jobs:
        time.sleep(seconds)
        answers.append(Ending("done", 0, seconds, seconds, 1 << 27, output, "").to_json())
    return answers


def plan() -> SweepPlan:
    return SweepPlan("check", seconds=10, memory=1)


def entries(rows: int) -> list[Entry]:
    """Rows of games that do not exist: the transports above do not look."""
    of = plan()
    return [Entry(f"game-{k}", f"/game-{k}.kif", f"{k:064x}", of.task, of.settings, version()) for k in range(rows)]


def guard_rate(workers: int, games: int) -> Json:
    """Games per second that these workers do when a game takes no time, and what a worker itself takes for each."""
    with tempfile.TemporaryDirectory() as folder, SweepStore(Path(folder, "store.db")) as store:
        for k in range(games):
            Path(folder, f"game-{k}.kif").write_text(f"{SHEET} ; {k}\n", encoding="utf-8")
        store.add(plan().entries(find_sheets([Path(folder)])))
        local = Local(plan().words(WARM), workers)
        marks: list[tuple[float, float]] = []

        def told(claim: object, ending: object) -> None:
            own = (process_fields(worker.pid)[CPU][:2] for worker in local._all if worker.pid is not None)
            ticks = sum(int(word) for words in own for word in words)  # without what its games took
            marks.append((time.monotonic(), ticks / os.sysconf("SC_CLK_TCK")))

        run_sweep(store, plan(), local, told)
        (begun, before), (ended, after) = marks[workers - 1], marks[-1]  # without loading the workers
        done = len(marks) - workers
        return {"workers": workers, "per_second": done / (ended - begun), "cpu_per_game": (after - before) / done}


def store_rate(rows: int, output: str, kept: int = 2000) -> Json:
    """Rows per second of one client in a store of so many, and bytes per row that is kept."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "store.db")
        begin = time.monotonic()
        with SweepStore(path) as store:
            store.add(entries(rows))
        adding = time.monotonic() - begin
        empty = path.stat().st_size
        marks: list[float] = []

        def told(claim: object, ending: object) -> None:
            marks.append(time.monotonic())
            if len(marks) >= kept:
                raise KeyboardInterrupt

        with suppress(KeyboardInterrupt), SweepStore(path) as store:
            run_sweep(store, plan(), AtOnce(16, output), told)
        size = path.stat().st_size - empty  # closed, it has no journal beside it
        return {
            "rows": rows,
            "added_per_second": rows / adding,
            "kept_per_second": (len(marks) - 1) / (marks[-1] - marks[0]),
            "bytes_per_row": size / len(marks),
        }


def cluster_rate(slots: int, seconds: float, output: str, rounds: int, *, batches: bool = False) -> Json:
    """Games per second through a real scheduler, beside what the slots could do; one by one, or short ones together."""
    games = rounds * slots
    with tempfile.TemporaryDirectory() as folder, SweepStore(Path(folder, "store.db")) as store:
        store.add(entries(games))
        marks: list[float] = []
        begin = time.monotonic()
        sleepers = Sleepers(slots, seconds, output, batches=batches)
        began, busy = time.monotonic(), time.process_time()
        run_sweep(store, plan(), sleepers, lambda claim, ending: marks.append(time.monotonic()))
        busy = time.process_time() - busy  # of the client and of the scheduler, which is in its process
        rate = games / (marks[-1] - began)
        return {
            "slots": slots,
            "games": games,
            "seconds": seconds,
            "batches": batches,
            "per_second": rate,
            "share": rate * seconds / slots,
            "cpu_per_game": busy / games,
            "start_seconds": began - begin,
        }


def forecast(seconds: float, carried: float) -> list[Json]:
    """Hours for so many games of so many seconds, on n machines of two cores that no more than ``carried`` feed."""
    out = []
    for games in (10_000, 100_000, 1_000_000):
        for machines in (1, 2, 10, 50, 200):
            rate = min(2 * machines / seconds, carried)
            bound = "scheduler" if 2 * machines / seconds > carried else "cores"
            out.append({"games": games, "machines": machines, "hours": games / rate / 3600, "bound": bound})
    return out


def plot(rows: Sequence[Json], seconds: float, path: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 3.6), layout="constrained")
    axes = figure.subplots()
    slots = [row["slots"] for row in rows]
    axes.plot(slots, [s / seconds for s in slots], "--", color="#999999", label="all slots busy")
    axes.plot(slots, [row["per_second"] for row in rows], "o-", label="measured")
    axes.set(xscale="log", yscale="log", xlabel="slots (cores of the cluster)", ylabel="games per second",
             title=f"One Dask scheduler, games of {seconds:g} s")  # fmt: skip
    axes.legend()
    figure.savefig(path)


def main() -> None:
    """Measure, then reckon."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="*", default=[10_000, 100_000, 1_000_000], help="sizes of the store")
    parser.add_argument("--slots", type=int, nargs="*", default=[2, 8, 32, 128, 512], help="slots of the cluster, even")
    parser.add_argument("--seconds", type=float, default=1.0, help="what a game takes")
    parser.add_argument("--rounds", type=int, default=8, help="games per slot")
    parser.add_argument("--short", type=float, default=0.1, help="what a short game takes, one by one and in batches")
    parser.add_argument("--short-slots", type=int, default=32, help="slots for short games, even")
    parser.add_argument("--short-rounds", type=int, default=100, help="short games for each slot")
    parser.add_argument("--guarded", type=int, default=100, help="games for each worker that measures the guard")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--plot", type=Path)
    options = parser.parse_args()
    output = json.dumps(decompose(load("double-tictactoe")).to_json())
    found: Json = {"guard": [guard_rate(n, options.guarded * n) for n in (1, 2) if options.guarded]}
    for row in found["guard"]:
        print(
            f"guard: {row['workers']} workers do {row['per_second']:.0f} games a second that take no time, and take "
            f"{1000 * row['cpu_per_game']:.1f} ms of processor time for each",
            flush=True,
        )
    found["store"] = [store_rate(rows, output) for rows in options.rows]
    for row in found["store"]:
        print(
            f"store of {row['rows']:,} rows: {row['added_per_second']:,.0f} added, {row['kept_per_second']:,.0f} kept "
            f"a second, {row['bytes_per_row'] / 1000:.1f} kB each",
            flush=True,
        )
    found["cluster"] = []
    for slots in options.slots:
        row = cluster_rate(slots, options.seconds, output, options.rounds)
        found["cluster"].append(row)
        print(
            f"{slots:5} slots: {row['per_second']:.1f} games a second, {row['share']:.0%} of the slots busy", flush=True
        )
    found["short"] = [
        cluster_rate(options.short_slots, options.short, output, options.short_rounds, batches=batches)
        for batches in (False, True)
    ]
    for row in found["short"]:
        how = "in batches" if row["batches"] else "one by one"
        print(
            f"games of {row['seconds']:g} s on {row['slots']} slots, {how}: {row['per_second']:.1f} a second, "
            f"{row['share']:.0%} of the slots busy; client and scheduler take {1000 * row['cpu_per_game']:.1f} ms of "
            "processor time a game",
            flush=True,
        )
    carried = max((row["per_second"] for row in found["cluster"]), default=0.0)
    found["forecast"] = forecast(options.seconds, carried) if carried else []
    print(f"{'games':>10}{'machines':>10}{'hours':>10}  bound by")
    for row in found["forecast"]:
        print(f"{row['games']:10,}{row['machines']:10}{row['hours']:10.2f}  {row['bound']}")
    if options.json:
        results.write(options.json, found)
    if options.plot and found["cluster"]:
        plot(found["cluster"], options.seconds, options.plot)


if __name__ == "__main__":
    main()
