"""Which rule sheets of a folder are sums of regions: proved or refused and why, and what splitting brings on each.

    python benchmarks/regions_corpus.py GAMES --seconds 20 --rows rows.jsonl --json regions_corpus.json

For every sheet for two players: whether its moves are guarded operators, how play ends (the last mover wins or loses,
either is stuck, points for facts, threats), each proved; else the claim that failed. Then random plays: the share of
the states with two regions or more, threats counted, and from which share of a play on half of the plays are split.

With ``--rows`` every row is written as soon as it is known, and a second run goes on where the first one ended
(``--minutes`` ends it early). Each sheet has a process of its own with limits on processor time and memory.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import NamedTuple

import results
from ludisect.effort import Effort
from ludisect.loader import load
from ludisect.search.budget import Budget
from ludisect.search.regions import operators
from ludisect.search.regions.premises import Premises, premises
from ludisect.search.regions.settling import settle, split
from ludisect.search.regions.sumsearch import SumSearch
from ludisect.search.way import Inapplicable
from workers import Limits, Row, run

TENTHS = 10


class Task(NamedTuple):
    """One sheet."""

    path: str
    plays: int
    work: float


def work(task: Task) -> Row:
    """What is proved of a sheet, and how its random plays fall apart."""
    begin = time.process_time()
    game = load(Path(task.path))
    row: Row = {"roles": len(game.roles), "load": time.process_time() - begin}
    if len(game.roles) != 2:
        return {**row, "verdict": "not for two players"}
    begin = time.process_time()
    try:
        found = operators(game)
        row |= {"operators": len(found), "extraction": time.process_time() - begin}
        begin = time.process_time()
        known = premises(found, Effort(task.work))
    except Inapplicable as refusal:
        stage = "end" if "operators" in row else "moves"
        return {**row, "verdict": f"{stage} refused", "why": str(refusal), "proof": time.process_time() - begin}
    row |= {"proof": time.process_time() - begin, "threats": len(known.threats)}
    rule = known.rule if not known.threats or known.rule == "threats alone" else f"{known.rule}, threats"
    return {**row, "verdict": f"proved: {rule}", **splitting(known, task.plays)}


def splitting(known: Premises, plays: int) -> Row:
    """Random plays: in which states there are two regions or more, with and without what ties them together."""
    listed, game = known.operators.listed, known.operators.game
    search, refusal = None, ""
    try:
        search = SumSearch(known, Budget())
        search.pieces(known.operators.word(game.start))
    except Inapplicable as error:
        search, refusal = None, str(error)
        if known.threats or known.points is not None:  # they tie regions together in ways that moves do not
            return {"search": refusal}
    rng = Random(1)
    apart, moves_apart, states, lengths, most = 0, 0, 0, list[int](), 0
    early: list[list[bool]] = [[] for _ in range(TENTHS)]
    for _ in range(plays):
        state, counts = game.start, list[int]()
        while not state.is_over and all(state.legal.values()):
            facts = known.operators.word(state)
            live, open_facts = settle(listed, range(len(listed)), facts)
            by_moves = len(split(listed, live, open_facts))
            counts.append(by_moves if search is None else len(search.pieces(facts)))
            moves_apart += by_moves > 1
            state = state.play({role: rng.choice(moves) for role, moves in state.legal.items()})
        lengths.append(len(counts))
        states += len(counts)
        apart += sum(count > 1 for count in counts)
        most = max([most, *counts])
        for k, count in enumerate(counts):
            early[TENTHS * k // len(counts)].append(count > 1)
    split_at = next((k for k, some in enumerate(early) if some and 2 * sum(some) >= len(some)), None)
    return {
        "search": refusal,
        "length": sum(lengths) / max(1, len(lengths)),
        "split": apart / max(1, states),
        "split_by_moves": moves_apart / max(1, states),
        "most_regions": most,
        "from": None if split_at is None else split_at / TENTHS,
    }


def tell(name: str, row: Row) -> None:
    """One line of the table."""
    if "split" in row:
        begins = "never" if row["from"] is None else f"from {row['from']:.0%}"
        print(
            f"{name:34}{row['verdict']:34}{row['operators']:7}{row['proof']:7.2f} s"
            f"{row['split']:7.0%}{row['split_by_moves']:7.0%}{row['most_regions']:5}  {begins}",
            flush=True,
        )
    else:
        why = str(row.get("why", row.get("search", row.get("ended", ""))))
        print(f"{name:34}{row.get('verdict', 'ended'):34}{why[:110]}", flush=True)


def main() -> int:
    """Run all and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="rule sheets (*.kif)")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="only these games of the folder")
    parser.add_argument("--seconds", type=float, default=20.0, help="of processor time for a sheet")
    parser.add_argument("--plays", type=int, default=4, help="random plays of each sheet")
    parser.add_argument("--work", type=float, default=2e10, help="steps of work for the proofs of a sheet")
    parser.add_argument("--jobs", type=int, default=1, help="games at a time")
    parser.add_argument("--rows", type=Path, help="keep rows in this file, and leave out the sheets that it has")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no sheet after so many minutes")
    parser.add_argument("--json", type=Path, help="write all rows here at the end")
    options = parser.parse_args()
    paths = sorted(p for p in options.folder.glob("*.kif") if not options.only or p.stem in options.only)
    if not paths:
        parser.error(f"no such rule sheets (*.kif) in {options.folder}")
    print(f"{'sheet':34}{'verdict':34}{'ops':>7}{'proof':>9}{'split':>7}{'moves':>7}{'most':>5}  half of the plays")
    rows = {} if options.rows is None else earlier(options.rows)
    end = time.monotonic() + 60 * options.minutes
    tasks = [[Task(str(p), options.plays, options.work)] for p in paths if p.stem not in rows]
    for task, row in run(tasks, work, Limits(options.seconds), jobs=options.jobs, fresh=True):
        name = Path(task.path).stem
        rows[name] = row
        if options.rows is not None:
            with options.rows.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"sheet": name, **row}) + "\n")
        if row.get("verdict") != "not for two players":
            tell(name, row)
        if time.monotonic() > end:
            break
    summary(rows.values())
    if len(rows) < len(paths):
        print(f"{len(paths) - len(rows)} sheets are left: run again with --rows to go on")
    if options.json:
        results.write(options.json, rows)
    return 0


def earlier(path: Path) -> dict[str, Row]:
    """The rows that an earlier run has written; a line that it did not finish counts for nothing."""
    rows: dict[str, Row] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        rows[row.pop("sheet")] = row
    return rows


REASONS = {
    "clock does not come round": "a clock ends the game",
    "both": "both may choose at a turn",
    "nobody has a choice at turn": "the turn is not known ahead",
    "only ": "one player alone has choices",
    "never end": "moves can be taken back",
    "for ever": "a pass",
    "changes from turn to turn": "moves change with the turn",
    "operators to say": "too many operators",
    "no facts that name a winner": "ends that name no winner by facts",
    "not be proved in the time": "not proved in the work allowed",
    "though": "goes on or pays otherwise than by the last move",
}
"""Why sheets are refused, in a few words, by what the refusal says."""


def summary(rows: Iterable[Row]) -> None:
    """How many sheets have which verdict, and why they were refused."""
    counts: Counter[str] = Counter()
    for row in rows:
        verdict = row.get("verdict", f"ended: {row.get('ended')}")
        if "refused" in verdict:
            why = str(row["why"])
            verdict += ": " + next((short for text, short in REASONS.items() if text in why), "other reasons")
        counts[verdict] += 1
    print(*(f"{count:4}  {verdict}" for verdict, count in counts.most_common()), sep="\n")


if __name__ == "__main__":
    raise SystemExit(main())
