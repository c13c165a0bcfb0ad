"""Every method on every labelled game: correct, under- and over-decomposed, failed verification, and seconds.

    python benchmarks/decompose.py labels.json GAMES --reference authors.json --json decompose.json

The tables have the form of Figures 5 and 8 of A. Hufschmitt, J.-N. Vittaut and N. Jouandeau, "Statistical GGP Game
Decomposition", 2018, with their figures beside ours. A method is a name, for ``playouts`` with a number of plays
(``playouts:5000``). Seconds are processor time from the built game to the parts, verification apart. ``--reference``
is a JSON object from the name of a game to ``playouts``, ``seconds`` and the three counts of another program: at its
number of plays, ``playouts`` is run once more, and times are compared where the other needs more than half a second.

Labels and their fields: see ``corpus.py``. Only those of confidence "high" count unless ``--all`` is given. Each game
has a process of its own.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import results
from ludisect.circuit.game import Game
from ludisect.decomposition import decompose
from ludisect.decomposition.methods import verify
from ludisect.errors import LudisectError
from ludisect.loader import load
from ludisect.sweep.answerkey import score
from workers import Limits, Row, run

METHODS = ("symbols", "instances", "playouts:1000", "playouts:5000", "exact")
VERDICTS = ("correct", "under", "over", "other", "failed", "timeout", "error")

FIGURE_5 = {"1000": (521, 9, 26), "5000": (529, 2, 25), "10000": (533, 1, 22)}
"""Playouts -> games correct, under- and over-decomposed (2018, Figure 5); the rest of the 597 timed out."""

FIGURE_5_GAMES = 597

FIGURE_8 = {
    "blockerParallel": 48 * 60, "asteroids": 2, "eightPuzzle": 3, "checkers": 28 * 60, "breakthrough": 14,
    "sheepAndWolf": 6, "ticTacToe": 1, "nineBoardTicTacToe": 17, "tictactoex9": 11, "chomp": 2, "blockerSerial": 3,
    "asteroidsParallel": 2, "asteroidsSerial": 4, "lightsOnParallel": 1, "lightsOnSimultaneous": 3, "nim3": 2,
    "double_tictactoe_dengji": 1, "snakeParallel": 7, "ticTacToeParallel": 2, "doubletictactoe": 1, "ticTacHeaven": 17,
    "ticTacToeSerial": 1, "dualConnect4": 2,
}  # fmt: skip
"""Seconds of 2018, Figure 8, bounds and rounded values taken as they stand: circuit, 5000 playouts, decomposition."""

WORTH_COMPARING = 0.5
"""Seconds of the other program above which times are compared."""


class Task(NamedTuple):
    """One game and what is to be run on it."""

    path: str
    methods: tuple[str, ...]
    seconds: float


def work(task: Task) -> Row:
    """All methods on one game, in this process."""
    begin = time.process_time()
    try:
        game = load(Path(task.path), seconds=task.seconds)
    except LudisectError as error:
        return {"error": str(error).splitlines()[0]}
    build = time.process_time() - begin
    return {"build": build, "methods": {name: _one(game, name, task.seconds) for name in task.methods}}


def _one(game: Game, name: str, seconds: float) -> Row:
    method, _, number = name.partition(":")
    playouts = int(number or 1000)
    begin = time.process_time()
    try:
        limit = seconds if method == "exact" else None  # the others end with their worker, in processor time
        parts = decompose(game, method=method, playouts=playouts, check=False, seconds=limit)
        spent = time.process_time() - begin
        evidence = verify(parts)
    except LudisectError as error:
        return {"error": str(error).splitlines()[0]}
    found = parts.to_json()
    for part in found["subgames"]:
        del part["moves"]  # long, and not compared
    return {"seconds": spent, "status": evidence.status, "found": found}


def verdict(label: Mapping[str, Any], row: Row) -> str:
    """How a decomposition compares with its label."""
    if "found" not in row:
        return "timeout" if row.get("error") == "timeout" else "error"
    wrong = score(label, row["found"]).wrong
    if not wrong:
        return "correct" if row["status"] != "failed" else "failed"
    difference = row["found"]["action_dependent"] - label["action_dependent"]
    return "over" if difference > 0 else "under" if difference < 0 else "other"


def collect(tasks: Sequence[Task], options: argparse.Namespace) -> dict[str, Row]:
    """Rows by name of the game, told as they come."""
    rows: dict[str, Row] = {}
    limits = Limits(options.seconds * (1 + max(len(t.methods) for t in tasks)))
    methods = sorted({m.partition(":")[0] for t in tasks for m in t.methods})
    for task, row in run([[t] for t in tasks], work, limits, methods=methods, jobs=options.jobs, fresh=True):
        name = Path(task.path).stem
        reason = row.get("ended") or row.get("error")
        rows[name] = {"methods": {m: {"error": reason} for m in task.methods}} if reason else row
        shown = "  ".join(f"{m} {_shown(r)}" for m, r in rows[name]["methods"].items())
        print(f"{name:36}{shown}", flush=True)
    return rows


def _shown(row: Row) -> str:
    if "found" not in row:
        return str(row["error"])
    found = row["found"]
    counts = f"{found['action_dependent']}/{found['useless']}/{found['action_independent']}"
    return f"{counts} {row['seconds']:.2f} s{' FAILED' * (row['status'] == 'failed')}"


def print_shares(labels: Mapping[str, Any], rows: Mapping[str, Row], methods: Sequence[str]) -> None:
    """The form of Figure 5."""
    print(f"\n{'method':20}{'games':>7}" + "".join(f"{v:>9}" for v in VERDICTS) + f"{'share':>8}{'CPU s':>9}")
    for method in methods:
        mine = {n: row["methods"][method] for n, row in rows.items() if method in row["methods"]}
        tally = Counter(verdict(labels[n], row) for n, row in mine.items())
        spent = sum(row.get("seconds", 0.0) for row in mine.values())
        line = "".join(f"{tally[v]:9}" for v in VERDICTS)
        print(f"{method:20}{len(mine):7}{line}{100 * tally['correct'] / max(1, len(mine)):7.1f}%{spent:9.2f}")
    for playouts, (correct, under, over) in FIGURE_5.items():
        shown = {"correct": correct, "under": under, "over": over, "timeout": FIGURE_5_GAMES - correct - under - over}
        line = "".join(f"{shown.get(v, '-'):>9}" for v in VERDICTS)
        print(f"{'2018, ' + playouts:20}{FIGURE_5_GAMES:7}{line}{100 * correct / FIGURE_5_GAMES:7.1f}%")


def print_games(labels: Mapping[str, Any], rows: Mapping[str, Row], methods: Sequence[str]) -> None:
    """The form of Figure 8: seconds per game, what is wrong in words."""
    games = [n for n in FIGURE_8 if n in rows]
    if games:
        print(f"\n{'game of Figure 8':28}{'build s':>9}" + "".join(f"{m:>24}" for m in methods) + f"{'2018 s':>8}")
    for name in games:
        cells = []
        for method in methods:
            row = rows[name]["methods"].get(method, {"error": "-"})
            right = verdict(labels[name], row)
            cells.append(f"{right} {row['seconds']:.2f}" if "found" in row else right)
        line = "".join(f"{c:>24}" for c in cells)
        print(f"{name:28}{rows[name].get('build', 0.0):9.2f}{line}{FIGURE_8[name]:8}")


def print_reference(reference: Mapping[str, Any], rows: Mapping[str, Row]) -> None:
    """Times beside those of another program, at its numbers of plays."""
    ours = theirs = 0.0
    slower = []
    for name, other in reference.items():
        row = rows.get(name, {}).get("methods", {}).get(f"playouts:{other['playouts']}", {})
        if "seconds" in row and other["seconds"] > WORTH_COMPARING:
            ours, theirs = ours + row["seconds"], theirs + other["seconds"]
            if row["seconds"] > other["seconds"]:
                slower.append(name)
    if ours:
        print(
            f"\nother program above {WORTH_COMPARING} s: {theirs:.1f} s, ours {ours:.1f} s, {theirs / ours:.1f} times"
        )
        print(f"slower than it on: {', '.join(slower) or 'none'}")


def main() -> None:
    """Run, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("labels", type=Path, help="JSON file of labels")
    parser.add_argument("folder", type=Path, help="rule sheets (*.kif)")
    parser.add_argument("--methods", nargs="+", default=list(METHODS))
    parser.add_argument("--games", nargs="+", help="only these")
    parser.add_argument("--all", action="store_true", help="labels of every confidence")
    parser.add_argument("--reference", type=Path, help="figures of another program (JSON)")
    parser.add_argument("--seconds", type=float, default=60.0, help="for building, and for each method")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--json", type=Path, help="write the rows here")
    options = parser.parse_args()
    labels = json.loads(options.labels.read_text(encoding="utf-8"))
    reference = json.loads(options.reference.read_text(encoding="utf-8")) if options.reference else {}
    names = [n for n in labels if options.all or labels[n]["confidence"] == "high" or n in (options.games or ())]
    tasks = []
    for name in names:
        path = options.folder / f"{name}.kif"
        if path.exists() and (not options.games or name in options.games):
            extra = [f"playouts:{reference[name]['playouts']}"] if name in reference else []
            tasks.append(Task(str(path), tuple(dict.fromkeys([*options.methods, *extra])), options.seconds))
    if not tasks:
        raise SystemExit(f"no labelled game in {options.folder}")
    rows = collect(tasks, options)
    print_shares(labels, rows, options.methods)
    print_games(labels, rows, options.methods)
    print_reference(reference, rows)
    if options.json:
        results.write(options.json, rows)


if __name__ == "__main__":
    main()
