"""Is the answer a function of the game? The same parts and local moves with three seeds, and nothing proved that fails.

    python benchmarks/steady.py --folder GAMES --labels labels.json --composed 200 --seed 0 --playouts 10000

Every game is decomposed with each of ``--seeds``; partition, usefulness, stages and classes of moves must be the same.
The first result is then verified with a seed that it has not seen and many more plays: what is called proved must not
fail. The games: the bundled ones; with ``--folder`` the rule sheets of a folder (with ``--labels`` only those that have
a label); with ``--composed`` so many compounds of ``ludisect compose --set``. A line is printed for each game; with
``--store`` what is done is kept in a file of lines, and a run that is called again goes on after it. Ctrl-C prints what
is known so far.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import results
from ludisect.composition import compose_set
from ludisect.decomposition import Decomposition, decompose, verify
from ludisect.errors import LudisectError
from ludisect.games import bundled
from ludisect.gdl.reader import read
from ludisect.loader import load
from workers import Limits, Row, run

OTHER_SEED = 1 << 20
"""Of the plays that the result is held against."""


class Task(NamedTuple):
    """One game: a name that ``load`` knows, a file, or rules."""

    name: str
    source: str
    rules: str
    seeds: tuple[int, ...]
    playouts: int

    @property
    def key(self) -> str:
        """By which it is found again."""
        return f"{self.name} {self.seeds} {self.playouts}"


def answer_of(parts: Decomposition) -> dict[str, Any]:
    """What must not hang on the seed."""
    return {
        "parts": [(s.kind, s.useful, s.fluent_numbers, s.after) for s in parts.parts],
        "moves": [sorted(sorted(c) for c in classes) for s in parts.parts for classes in s.move_numbers],
        "constant": parts.constant_numbers,
        "structure": parts.structure,
    }


def work(task: Task) -> Row:
    """All seeds, then the verification of the first result."""
    try:
        game = load(read(task.rules, name=task.name)) if task.rules else load(task.source)
        found = [decompose(game, seed=seed) for seed in task.seeds]
        evidence = verify(found[0], playouts=task.playouts, seed=OTHER_SEED)
    except LudisectError as error:
        return {"ended": str(error).splitlines()[0]}
    answers = [answer_of(parts) for parts in found]
    status = [parts.evidence.status if parts.evidence else "-" for parts in found]
    differs = [what for what in answers[0] if any(a[what] != answers[0][what] for a in answers[1:])]
    failed = evidence.counterexample.what if evidence.counterexample else ""
    return {"status": status, "differs": differs, "failed": failed, "parts": len(found[0].dependent)}


def tasks(options: argparse.Namespace) -> Iterator[list[Task]]:
    """One batch per game."""
    seeds = tuple(options.seeds)
    labels = json.loads(options.labels.read_text(encoding="utf-8")) if options.labels else None
    if options.bundled:
        for name in bundled.names():
            yield [Task(name, name, "", seeds, options.playouts)]
    for path in sorted(options.folder.glob("*.kif")) if options.folder else ():
        if labels is None or path.stem in labels:
            yield [Task(path.stem, str(path), "", seeds, options.playouts)]
    for game in compose_set(options.composed, options.seed) if options.composed else ():
        yield [Task(game.name, "", game.text, seeds, options.playouts)]


def tell(task: Task, row: Row) -> None:
    """One line of progress."""
    if "ended" in row:
        print(f"{task.name}: {row['ended']}", flush=True)
        return
    wrong = f"; differs: {row['differs']}; fails: {row['failed']}" if row["differs"] or row["failed"] else ""
    print(f"{task.name}: {' '.join(row['status'])}{wrong}", flush=True)


def print_table(rows: Sequence[Row]) -> None:
    """How many hold."""
    done = [row for row in rows if "ended" not in row]
    proved = [row for row in done if set(row["status"]) == {"proved"}]
    print(f"\ngames {len(rows)}, decomposed {len(done)}, proved with every seed {len(proved)}")
    for what in ("parts", "moves", "constant", "structure"):
        print(f"another answer ({what}) with another seed: {sum(what in row['differs'] for row in done)}")
    fails = [row for row in done if row["failed"]]
    print(f"fail with plays not seen: {len(fails)}, of them proved: {sum(r['status'][0] == 'proved' for r in fails)}")


def main() -> int:
    """Run all, print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bundled", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--folder", type=Path, help="rule sheets (*.kif)")
    parser.add_argument("--labels", type=Path, help="only sheets that are named here (JSON)")
    parser.add_argument("--composed", type=int, default=0, help="number of composed games")
    parser.add_argument("--seed", type=int, default=0, help="of the composed games")
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2], help="of the decompositions")
    parser.add_argument("--playouts", type=int, default=10_000, help="of the verification")
    parser.add_argument("--seconds-per-game", type=float, default=120.0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--json", type=Path, help="write the rows here")
    parser.add_argument("--store", type=Path, help="keep what is done in this file, and go on after it")
    options = parser.parse_args()
    known = results.kept_rows(options.store)
    rows: list[Row] = []

    def todo() -> Iterator[list[Task]]:
        for (task,) in tasks(options):
            if task.key in known:
                rows.append({"game": task.name, **known[task.key]})
            else:
                yield [task]

    complete = True
    try:
        for task, row in run(todo(), work, Limits(options.seconds_per_game), jobs=options.jobs):
            rows.append({"game": task.name, **row})
            tell(task, row)
            results.keep_row(options.store, task.key, row)
    except KeyboardInterrupt:
        complete = False
    print_table(rows)
    if options.json:
        results.write(options.json, rows)
    return 0 if complete else 130


if __name__ == "__main__":
    sys.exit(main())
