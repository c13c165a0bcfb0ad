"""From file to decomposition by ``exact`` for every rule sheet of a folder: seconds, evidence, and right or wrong.

    python benchmarks/corpus.py GAMES --labels labels.json --seconds 60 --json corpus.json --plot corpus.svg

Each game has a process of its own, with limits on processor time and memory; compiled code is loaded before the clock
starts. Beside ours are the figures of A. Hufschmitt, J.-N. Vittaut and N. Jouandeau, "Statistical GGP Game
Decomposition", CGW 2018, Figure 4 (597 games; circuit, 5000 playouts, decomposition; one core of an i7 at 2.7 GHz).
Theirs counts every decomposition that was reached; ours only those that pass verification.

Labels are a JSON object from the name of a game to its expected decomposition: the fields of ``ludisect decompose
--json`` with patterns for fluents (``*`` stands for one argument), ``accept`` (other values that are not wrong),
``confidence`` and ``confidence_ai``. Ctrl-C prints what is known so far.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import resource
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import results
from ludisect.decomposition import decompose
from ludisect.errors import LudisectError
from ludisect.loader import load
from ludisect.sweep.answerkey import score
from workers import FINDING, Limits, Row, run

PAPER = {1: 72, 10: 307, 30: 391, 60: 434, 180: 491, 600: 527, 1800: 540, 3600: 557}
"""Seconds -> games decomposed within them, of ``PAPER_GAMES`` (2018, Figure 4)."""

PAPER_GAMES = 597
WITHIN = (1, 10, 30, 60)
STATUSES = ("proved", "tested", "failed", "timeout", "build failed", "error")


class Task(NamedTuple):
    """One rule sheet."""

    path: str
    seconds: float
    memory: float


def work(task: Task) -> Row:
    """Build and decompose in this process."""
    cpu, wall = time.process_time(), time.perf_counter()

    def spent() -> tuple[float, float]:
        return time.process_time() - cpu, time.perf_counter() - wall

    try:
        game = load(Path(task.path), seconds=task.seconds, memory=task.memory)
    except LudisectError as error:
        return {"status": "build failed", "cpu": spent()[0], "wall": spent()[1], "error": str(error).splitlines()[0]}
    build = spent()[0]
    parts = decompose(game, seconds=max(1.0, FINDING * (task.seconds - spent()[1])))
    total = spent()
    assert parts.evidence is not None
    found = parts.to_json()
    for part in found["subgames"]:
        del part["moves"]  # long, and not compared
    return {
        "status": parts.evidence.status,
        "cpu": total[0],
        "wall": total[1],
        "build": build,
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20,
        "fluents": len(game.fluents),
        "gates": game.circuit.gates,
        "found": found,
    }


# ---- all games ------------------------------------------------------------------------------------------------------


def collect(paths: Sequence[Path], options: argparse.Namespace) -> tuple[dict[str, Row], bool]:
    """All rows by name, told as they come, and whether none is missing."""
    memory = options.memory * 2**30
    batches = [[Task(str(path), options.seconds, memory)] for path in paths]
    rows: dict[str, Row] = {}
    print(f"{'game':36}{'fluents':>9}{'gates':>9}{'build s':>9}{'CPU s':>8}{'wall s':>8}{'GB':>6}"
          f"  {'evidence':9} dependent/useless/independent, structure")  # fmt: skip
    # the grounder has the memory limit too and says more when it hits it: the process may have a little more
    limits = Limits(options.seconds, 1.25 * memory)
    try:
        for task, row in run(batches, work, limits, jobs=options.jobs, fresh=True):
            if "ended" in row:
                row = {"status": "timeout" if row["ended"] == "timeout" else "error", "error": row["ended"]}
            rows[Path(task.path).stem] = row
            tell(Path(task.path).stem, row)
    except KeyboardInterrupt:
        print("\ninterrupted; what is known so far:")
        return rows, False
    return rows, True


def tell(name: str, row: Row) -> None:
    """One line of the table."""
    if "found" not in row:
        print(f"{name:36}{row['status']}: {row['error']}", flush=True)
        return
    found = row["found"]
    print(
        f"{name:36}{row['fluents']:9}{row['gates']:9}{row['build']:9.2f}{row['cpu']:8.2f}{row['wall']:8.2f}"
        f"{row['memory']:6.2f}  {row['status']:9} {found['action_dependent']}/{found['useless']}/"
        f"{found['action_independent']}, {found['structure']}",
        flush=True,
    )


def times(rows: Mapping[str, Row], clock: str) -> list[float]:
    """Seconds of every game in order; infinite where there is no decomposition that passes verification."""
    return sorted(row[clock] if row["status"] in ("proved", "tested") else math.inf for row in rows.values())


def print_times(rows: Mapping[str, Row]) -> Row:
    """The shares within limits beside the paper's, the median, and how the games ended."""
    tally = Counter(row["status"] for row in rows.values())
    print(f"\n{len(rows)} games: " + ", ".join(f"{tally[s]} {s}" for s in STATUSES if tally[s]))
    print(f"{'decomposed within':24}" + "".join(f"{s:>8} s" for s in WITHIN) + f"{'median':>12}")
    out: Row = {"status": dict(tally)}
    for clock, label in (("cpu", "ours, processor time"), ("wall", "ours, by the clock")):
        seconds = times(rows, clock)
        shares = [100 * sum(s <= limit for s in seconds) / len(seconds) for limit in WITHIN]
        median = (seconds[(len(seconds) - 1) // 2] + seconds[len(seconds) // 2]) / 2
        told = f"{median:10.2f} s" if math.isfinite(median) else f"{'none':>12}"
        print(f"{label:24}" + "".join(f"{share:8.1f} %" for share in shares) + told)
        out[clock] = {"within": dict(zip(map(str, WITHIN), shares, strict=True))}
        out[clock]["median"] = median if math.isfinite(median) else None
    print(f"{'paper of 2018':24}" + "".join(f"{100 * PAPER[s] / PAPER_GAMES:8.1f} %" for s in WITHIN))
    return out


# ---- labels ---------------------------------------------------------------------------------------------------------


def print_scores(rows: Mapping[str, Row], labels: Mapping[str, Any]) -> Row:
    """Right and wrong for the labels of high confidence and for the others, and every disagreement."""
    out: Row = {}
    for high in (True, False):
        title = "high" if high else "lower"
        names = [n for n in labels if n in rows and (labels[n].get("confidence") == "high") == high]
        if not names:
            continue
        scores = {n: score(labels[n], rows[n]["found"]) for n in names if "found" in rows[n]}
        right = [n for n, s in scores.items() if not s.wrong]
        tally = Counter(rows[n]["status"] for n in names)
        print(
            f"\nlabels of {title} confidence: {len(right)} of {len(names)} right"
            f" ({100 * len(right) / len(names):.1f} %); " + ", ".join(f"{tally[s]} {s}" for s in STATUSES if tally[s])
        )
        for name in names:
            if name not in scores:
                print(f"  {name}: {rows[name]['status']}: {rows[name]['error']}")
            elif scores[name].wrong:
                print(f"  {name}: {'; '.join(scores[name].wrong)}")
        aside = {n: s.aside for n, s in scores.items() if s.aside}
        if aside:
            print(f"  not counted (structure, turns, numbers that the label is unsure of): {len(aside)}")
            for name, differences in aside.items():
                print(f"    {name}: {'; '.join(differences)}")
        out[title] = {
            "labels": len(names),
            "right": len(right),
            "status": dict(tally),
            "wrong": {n: list(s.wrong) for n, s in scores.items() if s.wrong},
            "aside": {n: list(differences) for n, differences in aside.items()},
        }
    return out


# ---- the picture ----------------------------------------------------------------------------------------------------


def plot(rows: Mapping[str, Row], limit: float, path: Path) -> None:
    """The share of games decomposed over seconds, up to the limit, with the paper's points."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    seconds = times(rows, "cpu")
    done = [max(s, 0.01) for s in seconds if math.isfinite(s)]
    shares = [100 * (i + 1) / len(seconds) for i in range(len(done))]
    end = max([limit, *done])
    figure, axes = plt.subplots(figsize=(7, 4.2))
    axes.step(
        [0.01, *done, end], [0.0, *shares, *(shares[-1:] or [0.0])], where="post", label=f"exact, {len(rows)} games"
    )
    axes.plot(
        list(PAPER), [100 * n / PAPER_GAMES for n in PAPER.values()], "s--", label=f"paper of 2018, {PAPER_GAMES} games"
    )
    axes.set(xscale="log", xlim=(0.01, 3600), ylim=(0, 102))
    axes.set(xlabel="seconds from file to decomposition (processor time)", ylabel="share of games, %")
    axes.grid(visible=True, which="major", alpha=0.3)
    axes.legend(loc="lower right")
    figure.tight_layout()
    figure.savefig(path)


def main() -> int:
    """Run all, print the tables, draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="rule sheets (*.kif)")
    parser.add_argument("--labels", type=Path, help="expected decompositions (JSON)")
    parser.add_argument("--seconds", type=float, default=60.0, help="processor time per game")
    parser.add_argument("--memory", type=float, default=4.0, help="GB per game")
    parser.add_argument("--jobs", type=int, default=1, help="games at a time")
    parser.add_argument("--json", type=Path, help="write rows and scores here")
    parser.add_argument("--plot", type=Path, help="draw the figure here (PNG or SVG)")
    options = parser.parse_args()
    paths = sorted(options.folder.glob("*.kif"))
    if not paths:
        parser.error(f"no rule sheets (*.kif) in {options.folder}")
    if options.plot and importlib.util.find_spec("matplotlib") is None:
        parser.error("--plot needs matplotlib (pip install -e '.[plots]')")
    labels: dict[str, Any] = {}
    if options.labels:
        try:
            labels = json.loads(options.labels.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            parser.error(f"cannot read labels from {options.labels}: {error}")
    rows, complete = collect(paths, options)
    if rows:
        told: Row = {"complete": complete, "times": print_times(rows), "labels": print_scores(rows, labels)}
        if options.json:
            results.write(options.json, {**told, "rows": rows})
        if options.plot:
            plot(rows, options.seconds, options.plot)
    return 0 if complete else 130


if __name__ == "__main__":
    sys.exit(main())
