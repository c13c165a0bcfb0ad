"""How often each method recovers the decomposition of composed games, whose answer is known.

    python benchmarks/composed.py --games 1000 --seed 0 --jobs 2 --json composed.json

The games are those of ``ludisect compose --set N --seed S``: all glues, one to three players, in every disguise.
Columns: a result is right, or has another number of parts (dependent, useless or independent), or the numbers but not
the partition of the fluents. Besides: "unsound" are results that passed as tested or proved although they cut a part of
the answer in pieces; "failed" did not pass verification. Seconds are processor time of the decomposition with its
checks, without building the game. Ctrl-C prints what is known so far.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import results
from ludisect.circuit.game import Game
from ludisect.composition import compose_set
from ludisect.composition.disguise import DISGUISES
from ludisect.decomposition import decompose
from ludisect.decomposition.methods import METHODS
from ludisect.gdl.reader import read
from ludisect.loader import load
from ludisect.sweep.answerkey import compare
from workers import FINDING, Limits, Row, run

KINDS = ("right", "number", "partition", "error", "timeout")
"""Every result is one of these."""

COLUMNS = ("games", "right", "%", "number", "partition", "error", "timeout", "unsound", "failed", "proved")


class Task(NamedTuple):
    """One method on one game."""

    name: str
    text: str
    answer: dict[str, Any]
    description: dict[str, Any]
    method: str
    seconds: float


@lru_cache(maxsize=1)
def built(name: str, text: str) -> Game:
    """The game, built once for all methods."""
    return load(read(text, name=name))


def work(task: Task) -> Row:
    """Decompose and compare with the answer."""
    game = built(task.name, task.text)
    begin = time.process_time()
    # the other methods have nothing to show at a limit of their own: the worker's, in processor time, ends them
    parts = decompose(game, method=task.method, seconds=FINDING * task.seconds if task.method == "exact" else None)
    spent = time.process_time() - begin
    found = parts.to_json()
    verdict = compare(task.answer, found)
    status = found["evidence"]["status"]
    row = {
        "kind": verdict.kind,
        "status": status,
        "unsound": bool(verdict.cut) and status != "failed",
        "seconds": spent,
        "structure": found["structure"],
    }
    if verdict.kind != "right" or status == "failed":
        for part in found["subgames"]:
            del part["moves"]  # long, and not compared
        row |= {"why": list(verdict.why), "cut": list(verdict.cut), "found": found}
    return row


def tasks(options: argparse.Namespace) -> Iterator[list[Task]]:
    """One batch per game."""
    for game in compose_set(options.games, options.seed):
        known = (game.name, game.text, game.answer, game.description)
        yield [Task(*known, method, options.seconds_per_game) for method in options.methods]


def collect(options: argparse.Namespace) -> tuple[list[Row], bool]:
    """All rows, told as they come, and whether none is missing."""
    rows: list[Row] = []
    limits = Limits(options.seconds_per_game, options.memory * 2**30)
    try:
        for task, result in run(tasks(options), work, limits, methods=options.methods, jobs=options.jobs):
            if "ended" in result:
                kind = "timeout" if result["ended"] == "timeout" else "error"
                result = {"kind": kind, "status": None, "unsound": False, "seconds": None, "why": [result["ended"]]}
            row = {
                "game": task.name,
                "method": task.method,
                "description": task.description,
                "wanted_structure": task.answer["structure"],
                **result,
            }
            rows.append(row)
            tell(row, len(rows), options.games * len(options.methods))
    except KeyboardInterrupt:
        print("\ninterrupted; what is known so far:")
        return rows, False
    return rows, True


def tell(row: Row, done: int, total: int) -> None:
    """One line of progress."""
    status = row["status"] or "-"
    seconds = "" if row["seconds"] is None else f"{row['seconds']:7.2f} s"
    mark = "  UNSOUND" if row["unsound"] else ""
    line = f"{done:5}/{total} {row['game']:18} {row['method']:10}{row['kind']:10}{status:8}{seconds}{mark}"
    print(line, flush=True)


def groups(rows: Sequence[Row]) -> Iterator[tuple[str, list[Row]]]:
    """The rows of the tables: all, by glue, by players, by disguise."""
    yield "all", list(rows)
    for trait in ("glue", "players"):
        for value in sorted({row["description"][trait] for row in rows}):
            yield f"{trait}: {value}", [row for row in rows if row["description"][trait] == value]
    plain = [row for row in rows if not row["description"]["disguises"]]
    if plain:
        yield "disguise: none", plain
    for disguise in DISGUISES:
        worn = [row for row in rows if disguise in row["description"]["disguises"]]
        if worn:
            yield f"disguise: {disguise}", worn


def summary(rows: Sequence[Row]) -> Row:
    """One line of a table."""
    tally: Row = {kind: sum(row["kind"] == kind for row in rows) for kind in KINDS}
    seconds = [row["seconds"] for row in rows if row["seconds"] is not None]
    return {
        "games": len(rows),
        **tally,
        "%": 100 * tally["right"] / len(rows) if rows else None,
        "unsound": sum(row["unsound"] for row in rows),
        "failed": sum(row["status"] == "failed" for row in rows),
        "proved": sum(row["status"] == "proved" for row in rows),
        "median": statistics.median(seconds) if seconds else None,
        "total": sum(seconds),
    }


def print_table(table: Iterable[tuple[str, dict[str, Row]]]) -> None:
    """A block for each group, a line for each method."""
    print("\n" + " " * 32 + "".join(f"{c:>10}" for c in COLUMNS) + f"{'median s':>10}{'total s':>10}")
    for group, lines in table:
        for i, (method, line) in enumerate(lines.items()):
            cells = "".join(f"{line[c]:10.1f}" if c == "%" else f"{line[c]:10}" for c in COLUMNS)
            median = "-" if line["median"] is None else f"{line['median']:.2f}"
            print(f"{group if i == 0 else '':22}{method:10}{cells}{median:>10}{line['total']:10.1f}")


def print_misses(rows: Sequence[Row], method: str) -> None:
    """Every result of a method that is not right, or did not pass, with what is needed to explain it."""
    missed = [row for row in rows if row["method"] == method and (row["kind"] != "right" or row["status"] == "failed")]
    print(f"\nmisses of {method}: {len(missed)}")
    for row in missed:
        mark = ", unsound" if row["unsound"] else ""
        print(f"{row['game']}: {row['kind']}, {row['status'] or 'no result'}{mark}")
        made = {k: v for k, v in row["description"].items() if v}
        print("  made as " + ", ".join(f"{k}: {' '.join(v) if isinstance(v, list) else v}" for k, v in made.items()))
        for line in row["why"]:
            print(f"  {line}")
        counterexample = row.get("found", {}).get("evidence", {}).get("counterexample")
        if counterexample:
            print(f"  condition {counterexample['condition']}: {counterexample['what']}")
    other = [row for row in rows if row["method"] == method and row["kind"] == "right"]
    other = [row for row in other if row["structure"] != row["wanted_structure"]]
    if other:
        print(f"right parts, another structure: {len(other)} ({', '.join(row['game'] for row in other[:10])} …)")


def main() -> int:
    """Run all, print the tables and the misses of ``exact`` (or else of the first method)."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--methods", default="exact,playouts,instances,symbols", help="separated by commas")
    parser.add_argument("--jobs", type=int, default=2, help="worker processes")
    parser.add_argument("--seconds-per-game", type=float, default=20.0, help="processor time for one method on a game")
    parser.add_argument("--memory", type=float, default=4.0, help="GB per worker")
    parser.add_argument("--json", type=Path, help="write tables and rows here")
    options = parser.parse_args()
    options.methods = options.methods.split(",")
    for method in options.methods:
        if method not in METHODS:
            parser.error(f"there is no method {method!r}; choose from {', '.join(METHODS)}")
    rows, complete = collect(options)
    rows.sort(key=lambda row: (int(row["game"].rsplit("-", 1)[1]), options.methods.index(row["method"])))
    table = [
        (group, {m: summary([row for row in members if row["method"] == m]) for m in options.methods})
        for group, members in groups(rows)
    ]
    if rows:
        print_table(table)
        print_misses(rows, "exact" if "exact" in options.methods else options.methods[0])
    if options.json:
        kept = {"games": options.games, "seed": options.seed, "complete": complete}
        results.write(options.json, {**kept, "table": dict(table), "rows": rows})
    return 0 if complete else 130


if __name__ == "__main__":
    sys.exit(main())
