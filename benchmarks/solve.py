"""Every rule sheet of a folder by its parts and whole: the way, the value, exact or not, seconds, equal or not.

    python benchmarks/solve.py GAMES --seconds 25 --only blocksWorldParallel lightsOnParallel --json solve.json

Each game has a process of its own, with limits on processor time and memory; compiled code is loaded before the clock
starts. "Cut" is the decomposition with all its checks and proofs, "parts" the search by parts after it, "whole" the
search of all positions; each search has ``--seconds``. Games that are one part are left out unless ``--all`` is given,
since nothing compares there. "Equal" says whether both values are known and the same; bounds count as the interval
that they are, and two answers are called different only if their intervals do not meet. Ctrl-C prints what is known.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import results
from ludisect.answer import Answer
from ludisect.circuit.game import Game
from ludisect.decomposition import decompose
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.errors import BudgetExceeded, LudisectError
from ludisect.kernels.workers import compile_all
from ludisect.loader import load
from ludisect.search.solve import solve
from workers import Limits, Row, run

CUTTING = 2.0
"""So many times the limit of a search may building and cutting take together."""


class Task(NamedTuple):
    """One rule sheet."""

    path: str
    seconds: float
    memory: float
    whole: bool
    all: bool


def work(task: Task) -> Row:
    """Build, cut, and solve both ways in this process."""
    compile_all(["solve"])
    begin = time.process_time()
    try:
        game = load(Path(task.path), seconds=task.seconds, memory=task.memory)
    except LudisectError as error:
        return {"ended": f"not built: {str(error).splitlines()[0]}"}
    parts = decompose(game, seconds=task.seconds)
    row: Row = {
        "cut": time.process_time() - begin,
        "dependent": len(parts.dependent),
        "structure": parts.structure,
        "roles": len(game.roles),
        "evidence": parts.evidence.status if parts.evidence else "none",
    }
    if len(parts.dependent) < 2 and not task.all:
        return row
    row["parts"] = attempt(parts, "parts", task)
    row["whole"] = attempt(game, "whole", task) if task.whole else None
    row["equal"] = compare(row["parts"], row["whole"]) if row["whole"] else "not asked"
    return row


def attempt(game: Game | Decomposition, by: str, task: Task) -> Row:
    """One search: the answer, what is known at the limit, and its seconds of processor time."""
    begin = time.process_time()
    limit = None
    try:
        answer = solve(game, by, seconds=task.seconds, memory=task.memory)
    except BudgetExceeded as error:
        if not isinstance(error.partial, Answer):
            raise
        answer, limit = error.partial, str(error)
    cpu = time.process_time() - begin
    return {**answer.to_json(), "cpu": cpu, "limit": limit}


def compare(one: Mapping[str, Row], other: Mapping[str, Row]) -> str:
    """``yes`` if both know all values and they are the same, ``open`` if a bound allows it, ``NO`` otherwise."""
    told = "yes"
    for role in one["value"]:
        (a, b), (c, d) = interval(one, role), interval(other, role)
        if b < c - 1e-6 or d < a - 1e-6:
            return "NO"
        if a != b or c != d:
            told = "open"
    return told


def interval(answer: Mapping[str, Row], role: str) -> tuple[float, float]:
    """What is known of a role's value."""
    value = answer["value"][role]
    if value is not None:
        return float(value), float(value)
    low, high = answer.get("bounds", {}).get(role, (0.0, 100.0))
    return float(low), float(high)


def spell(answer: Row | None) -> str:
    """Values or bounds, role by role."""
    if answer is None:
        return "-"
    told = []
    for role in answer["value"]:
        low, high = interval(answer, role)
        told.append(f"{low:g}" if low == high else f"{low:g}..{high:g}")
    return "/".join(told)


def tell(name: str, row: Row) -> None:
    """One line of the table."""
    if "parts" not in row:
        print(f"{name:34}{row.get('ended', 'one part')}", flush=True)
        return
    parts, whole = row["parts"], row["whole"]
    print(
        f"{name:34}{row['roles']:2}{row['dependent']:5} {row['structure']:16}{row['cut']:8.2f} "
        f"{parts['algorithm'].split(':')[0]:11}{spell(parts):>14} {'exact' if parts['exact'] else '-':6}"
        f"{parts['cpu']:8.2f}{whole['cpu'] if whole else 0:8.2f} {spell(whole):>14} {row['equal']}"
        + (f"  ({parts['limit']})" if parts["limit"] else ""),
        flush=True,
    )


def main() -> int:
    """Run all and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="rule sheets (*.kif)")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="only these games of the folder")
    parser.add_argument("--seconds", type=float, default=25.0, help="for each of the two searches")
    parser.add_argument("--memory", type=float, default=4.0, help="GB per game")
    parser.add_argument("--jobs", type=int, default=1, help="games at a time")
    parser.add_argument("--no-whole", action="store_true", help="leave out the search of the whole")
    parser.add_argument("--all", action="store_true", help="solve games of one part too")
    parser.add_argument("--json", type=Path, help="write the rows here")
    options = parser.parse_args()
    paths = sorted(p for p in options.folder.glob("*.kif") if not options.only or p.stem in options.only)
    if not paths:
        parser.error(f"no such rule sheets (*.kif) in {options.folder}")
    memory = options.memory * 2**30
    tasks = [[Task(str(p), options.seconds, memory, not options.no_whole, options.all)] for p in paths]
    limits = Limits((2 + CUTTING) * options.seconds, 1.5 * memory)
    print(f"{'game':34}{'r':>2}{'parts':>6}{'structure':16}{'cut s':>8} {'way':11}{'value':>14} {'':6}"
          f"{'parts s':>8}{'whole s':>8} {'whole value':>14} equal")  # fmt: skip
    rows: dict[str, Row] = {}
    complete = True
    try:
        for task, row in run(tasks, work, limits, jobs=options.jobs, fresh=True):
            rows[Path(task.path).stem] = row
            tell(Path(task.path).stem, row)
    except KeyboardInterrupt:
        complete = False
        print("\ninterrupted; what is known so far:")
    solved = [row for row in rows.values() if "parts" in row]
    equal = Counter(row["equal"] for row in solved)
    exact = sum(row["parts"]["exact"] for row in solved)
    print(f"\n{len(rows)} games, {len(solved)} of several parts, {exact} of them solved exactly by parts; "
          + ", ".join(f"{n} {what}" for what, n in sorted(equal.items())))  # fmt: skip
    if options.json:
        results.write(options.json, {"complete": complete, "rows": rows})
    return 130 if not complete else 1 if equal["NO"] else 0


if __name__ == "__main__":
    sys.exit(main())
