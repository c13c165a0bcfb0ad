"""Answers held against plain search: how many are exact and right, not exact and why, exact and wrong.

    python benchmarks/truth.py --games 300 --seed 1 --jobs 2
    python benchmarks/truth.py --games 1000 --seed 2 --ways all --store ways.jsonl
    python benchmarks/truth.py --games 1000 --seed 3 --middle --wrong wrong-sheets

The games are the thorny compounds of ``ludisect compose --thorny``: small, and full of what a search by parts can trip
over. Their values come from a plain recursion over the plan of each game, which shares no code with the searches, nor
with the reader, the grounder and the circuit. Each answer is held against it: the value of every role, the recommended
moves, and the line of play, which is played on the plan. With ``--ways all`` every way that fits is asked by its name;
with ``--middle`` the question is a random position in the middle of each game instead of the start; with ``--tempo``
the last part neither ends the play nor pays, and is good for a move more where nobody wants to move.

Games are done in worker processes with limits on processor time and memory. With ``--store`` what is done is kept in a
file of lines, and a run that is called again goes on after it. Ctrl-C prints what is known. "Caught" are answers that
a way called exact until the checker of answers refuted them. The exit code is 1 if an answer was wrong and called
exact, or was caught, or a search fell over.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import results
from ludisect.answer import Answer
from ludisect.circuit.midgame import at_state
from ludisect.composition.thorny.judge import Judge
from ludisect.composition.thorny.plainvalue import plain_value
from ludisect.composition.thorny.thorny import Thorny, compose_thorny, middle
from ludisect.decomposition import decompose
from ludisect.errors import BudgetExceeded, InputError
from ludisect.gdl.reader import read_term
from ludisect.loader import load
from ludisect.search.solve import names, solve
from workers import Limits, Row, run

CAUGHT = "the check failed"
"""In a note of an answer: a way called its answer exact, and it was not."""

BATCH = 10


class Task(NamedTuple):
    """One game of the set, and what is asked of it."""

    number: int
    seed: int
    ways: tuple[str, ...]
    middle: bool
    tempo: bool = False

    @property
    def key(self) -> str:
        """By which it is found again."""
        kind = f"{':tempo' if self.tempo else ''}{':middle' if self.middle else ''}"
        return f"{self.seed}:{self.number}{kind} {' '.join(self.ways)}"

    def made(self) -> Thorny:
        """The compound."""
        return compose_thorny(self.number, self.seed, tempo=self.tempo)


def work(task: Task) -> Row:
    """Make the game, ask, and judge every answer."""
    made = task.made()
    position, worth, game = made.plan.start, made.worth, load(made.rules)
    if task.middle:
        position = middle(made, Random(f"middle {task.seed}:{task.number}"))
        worth = plain_value(made.plan, position, made.worth.positions)
        game = at_state(game, frozenset(map(read_term, made.plan.fluents(position))))
    parts = decompose(game)
    judge = Judge(made.plan, position, worth)
    row: Row = {"rule": worth.rule, "structure": parts.structure, "parts": len(parts.dependent), "answers": {}}
    for way in task.ways:
        try:
            answer = solve(game if way in ("whole", "alpha-beta") else parts, way)
        except InputError:
            continue  # it does not fit
        except BudgetExceeded as error:
            row["answers"][way] = {"verdict": "not exact", "why": str(error)}
            continue
        row["answers"][way] = judged(judge, answer)
    return row


def judged(judge: Judge, answer: Answer) -> Row:
    """What came of one answer, and what the checker of answers caught on the way to it."""
    faults = list(judge.faults(answer))
    caught = [note for note in answer.notes if CAUGHT in note]
    row: Row = {"by": answer.algorithm, "faults": faults, **({"caught": caught} if caught else {})}
    if not answer.exact:
        return {"verdict": "not exact", "why": reason(answer), **row}
    return {"verdict": "wrong" if faults else "right", **row}


def reason(answer: Answer) -> str:
    """Why an answer is not exact, without the numbers of this one game."""
    told = answer.evidence or (answer.notes[-1] if answer.notes else "it does not say why")
    return " ".join("N" if word.strip(".,;:()").isdigit() else word for word in told.split())


def report(rows: Sequence[Row]) -> dict[str, Row]:
    """A block per way: right, not exact by reason, wrong; and what fell over."""
    table: dict[str, Row] = {}
    for row in rows:
        for way, found in row.get("answers", {}).items():
            line = table.setdefault(way, dict.fromkeys(("right", "not exact", "off", "caught", "wrong"), 0))
            line.setdefault("why", Counter())
            line["caught"] += "caught" in found
            line[found["verdict"]] += 1
            if found["verdict"] == "not exact":
                line["why"][found["why"]] += 1
                line["off"] += bool(found.get("faults"))
    for way, line in table.items():
        print(f"{way:22}{line['right']:7} right and exact{line['not exact']:7} not exact ({line['off']} of them off)"
              f"{line['caught']:7} caught by the check{line['wrong']:7} WRONG and exact")  # fmt: skip
        for why, n in line["why"].most_common(12):
            print(f"{'':22}{n:7} not exact: {why}")
        line["why"] = dict(line["why"])
    by = Counter(row["answers"]["parts"].get("by", "nothing") for row in rows if "parts" in row.get("answers", ()))
    print(f"{len(rows)} games; by default solved by " + ", ".join(f"{way} {n}" for way, n in by.most_common()))
    ended = Counter(row["ended"] for row in rows if "ended" in row)
    for why, n in ended.most_common():
        print(f"{n} games ended: {why}")
    return table


def tell_wrong(task: Task, row: Row, folder: Path | None) -> None:
    """Print what is wrong, and write its sheet."""
    wrong = {way: found["faults"] for way, found in row.get("answers", {}).items() if found["verdict"] == "wrong"}
    if "ended" in row:
        print(f"{task.key}: {row['ended']}", flush=True)
    for way, faults in wrong.items():
        print(f"{task.key}: WRONG and exact by {way}: {'; '.join(faults)}", flush=True)
    caught = {way: found["caught"] for way, found in row.get("answers", {}).items() if "caught" in found}
    for way, notes in caught.items():
        print(f"{task.key}: caught by the check of {way}: {'; '.join(notes)}", flush=True)
    wrong |= caught
    if folder is not None and (wrong or "ended" in row):
        folder.mkdir(parents=True, exist_ok=True)
        made = task.made()
        told = "".join(f"; {way}: {fault}\n" for way, faults in wrong.items() for fault in faults)
        place = " ".join(made.plan.fluents(middle(made, Random(f"middle {task.seed}:{task.number}"))))
        told += f"; in the state {place}\n" if task.middle else ""
        name = f"{made.name}{'-middle' if task.middle else ''}"
        (folder / f"{name}.kif").write_text(f"; known: {made.answer}\n{told}{made.text}", encoding="utf-8")


def asked(options: argparse.Namespace) -> tuple[str, ...]:
    """The ways that are asked."""
    if options.ways == ["all"]:
        return tuple(names())
    return tuple(options.ways)


def main() -> int:
    """Run all and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=300, help="how many (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="number of the first game (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the set (default: %(default)s)")
    parser.add_argument("--ways", nargs="+", default=["parts"], help="names as in 'solve --by', or all")
    parser.add_argument("--middle", action="store_true", help="ask in the middle of each game")
    parser.add_argument("--tempo", action="store_true", help="with a part that pays nothing, good for a move more")
    parser.add_argument("--seconds", type=float, default=60.0, help="of processor time for one game")
    parser.add_argument("--memory", type=float, default=2.0, help="GB for one worker")
    parser.add_argument("--jobs", type=int, default=1, help="workers at a time")
    parser.add_argument("--store", type=Path, help="keep what is done in this file, and go on after it")
    parser.add_argument("--wrong", type=Path, help="write the sheets of wrong answers to this folder")
    parser.add_argument("--json", type=Path, help="write the table here")
    options = parser.parse_args()
    ways = asked(options)
    if unknown := set(ways) - set(names()):
        parser.error(f"there is no way {' or '.join(sorted(unknown))}; choose from {', '.join(names())}")
    tasks = [Task(options.first + k, options.seed, ways, options.middle, options.tempo) for k in range(options.games)]
    rows = {key: row for key, row in results.kept_rows(options.store).items() if key in {task.key for task in tasks}}
    todo = [task for task in tasks if task.key not in rows]
    batches = [todo[k : k + BATCH] for k in range(0, len(todo), BATCH)]
    complete = True
    try:
        limits = Limits(options.seconds, options.memory * 2**30)
        for task, row in run(batches, work, limits, jobs=options.jobs):
            rows[task.key] = row
            tell_wrong(task, row, options.wrong)
            results.keep_row(options.store, task.key, row)
    except KeyboardInterrupt:
        complete = False
        print("\ninterrupted; what is known so far:")
    table = report(list(rows.values()))
    if options.json:
        results.write(options.json, {"complete": complete, "games": len(rows), "table": table})
    bad = any(line["wrong"] + line["caught"] for line in table.values()) or any("ended" in row for row in rows.values())
    return 130 if not complete else 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
