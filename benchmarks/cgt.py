"""Speed of the combinatorial-game kernel, beside the peers that can be installed, with answers cross-checked.

    python benchmarks/cgt.py --data ../shared/cgt --peer-python PEERS/bin/python --json cgt.json

Every engine does every job in a process of its own, from cold; CPU seconds. Start-up (imports, loading compiled code)
is measured apart. ``PEERS`` is a virtual environment with ``pip install cgt-py pycgt anywidget``; the product never
imports them. Answers of all engines to one job must agree in stops and temperature (boards) or outcome (sums).
"""

from __future__ import annotations

import argparse
import importlib
import json
import random
import re
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import results

RECTANGLES = ["4x4", "4x5", "4x6", "5x5", "5x6"]
BOARDS = ["boards200", "boards5x6"]
SUMS = ["sums5", "sums10", "sums20", "sums40", "sums80", "hard 320 2 3", "hard 40 4 5"]
ENGINES = ["compiled", "plain", "cgt-py", "pycgt"]
WANTED = {"4x5": 5, "4x6": 10, "5x5": 10, "boards200": 2, "boards5x6": 10}
"""How many times as fast as cgt-py the compiled kernel is meant to be."""

LARGE = ["4x6", "5x5", "5x6", "boards5x6"]
"""Jobs that plain Python does not finish in reasonable time: only compiled engines are asked."""

Evaluate = Callable[[str], Any]
"""Board to canonical form, as the engine keeps it: this is what is timed."""

Describe = Callable[[Any], list[str]]
"""Left stop, right stop and temperature of a canonical form, for the cross-check."""


# ---- one engine, one job, in a process of its own ------------------------------------------------------------------


def boards_of(job: str, data: Path) -> list[str]:
    """The boards of a job, as text."""
    if job in RECTANGLES:
        rows, cols = map(int, job.split("x"))
        return ["|".join(["." * cols] * rows)]
    return (data / f"{job}.txt").read_text().split()


def ours(kernel: str) -> tuple[Evaluate, Describe]:
    """Our own search."""
    from ludisect.rulesets import Domineering
    from ludisect.sums.local import LocalSearch

    search = LocalSearch(kernel=kernel)
    if kernel == "compiled":
        search.value(Domineering.parse("..|.."))

    def describe(g: Any) -> list[str]:
        return [str(g.left_stop), str(g.right_stop), str(g.temperature)]

    return lambda board: search.value(Domineering.parse(board)), describe


def rust() -> tuple[Evaluate, Describe]:
    """The same by cgt-py."""
    from cgt_py import Domineering  # type: ignore[import-not-found,unused-ignore]

    def describe(g: Any) -> list[str]:
        numbers = [re.search(r"-?[\d/]+", str(x)) for x in (g.left_stop, g.right_stop, g.temperature)]
        return [str(Fraction(x.group())) for x in numbers if x]

    return lambda board: Domineering(board).canonical_form, describe


def python_peer() -> tuple[Evaluate, Describe]:
    """The same by pycgt."""
    import pycgt  # type: ignore[import-not-found,unused-ignore]
    from pycgt.rulesets import domineering  # type: ignore[import-not-found,unused-ignore]

    def describe(g: Any) -> list[str]:
        return [str(Fraction(x)) for x in (pycgt.left_stop(g), pycgt.right_stop(g), pycgt.temperature(g))]

    return lambda board: domineering.parse(board.replace("|", "\n")), describe


def loaded(engine: str) -> tuple[Evaluate, Describe]:
    """The engine, ready to work."""
    if engine in ("compiled", "plain"):
        return ours(engine)
    return rust() if engine == "cgt-py" else python_peer()


def lines_of(job: str, data: Path) -> list[str]:
    """The sums of a job, one per line: from a file, or drawn at random as "hard COUNT SMALLEST LARGEST"."""
    if not job.startswith("hard"):
        return (data / f"{job}.txt").read_text().splitlines()
    count, low, high = map(int, job.split()[1:])
    source = random.Random(job)

    def board() -> str:
        rows, cols = source.randint(low, high), source.randint(low, high)
        return "|".join("".join(source.choices(".#", (4, 1), k=cols)) for _ in range(rows))

    return [" ".join(board() for _ in range(count)) for _ in range(6)]


def solve_sums(job: str, data: Path, limit: float) -> dict[str, Any]:
    """Outcome of each sum as it stands, and of both sums next to the number at which Left's stop is 0.

    That number is found by bisection among the multiples of 1/4: it is the least that makes Left lose moving first,
    and the one before it the largest that does not. One of the two is where infinitesimals decide.
    """
    from ludisect.cgt import Value, number
    from ludisect.errors import BudgetExceeded
    from ludisect.rulesets import Domineering
    from ludisect.sums.local import LocalSearch
    from ludisect.sums.outcome import SumSolver

    ours("compiled")  # loaded before the clock starts, and so is the search of sums
    importlib.import_module("ludisect.sums.stoptables")
    time.monotonic = time.process_time  # limits count CPU time, as the figures do

    def wins(values: list[Value], quarters: int) -> bool:
        return SumSolver(seconds=limit).wins([*values, number(Fraction(-quarters, 4))], left_starts=True)

    def critical(values: list[Value]) -> int:
        low, high = (int(4 * x // 1) for x in SumSolver().stop_bounds(values)["left"])
        high += 2
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if wins(values, middle) else (low, middle)
        return low

    out: dict[str, Any] = {"outcomes": "", "proofs": [], "seconds_each": [], "critical": 0, "critical_seconds": []}
    for line in lines_of(job, data):
        begin = time.process_time()
        search = LocalSearch(kernel="compiled")
        values = [g for board in line.split() for g in search.all_values([Domineering.parse(board)])]
        try:
            found = SumSolver(seconds=limit).outcome(values)
            out["outcomes"] += found.letter
            out["proofs"].append(found.proof)
        except BudgetExceeded:
            out["outcomes"] += "?"
        out["seconds_each"].append(round(time.process_time() - begin, 4))
        try:
            turn = critical(values)
            for quarters in (turn - 1, turn):
                begin = time.process_time()
                wins(values, quarters)
                out["critical_seconds"].append(round(time.process_time() - begin, 4))
            out["critical"] += 1
        except BudgetExceeded:
            out["critical_seconds"].append(limit)
    return out


def kayles() -> dict[str, Any]:
    """All nim values to heap 100 000, and the proof of the period on the way."""
    from ludisect.cgt.impartial import Octal

    begin = time.process_time()
    game = Octal("kayles")
    values = game.nim_values(100_000)
    return {"seconds": time.process_time() - begin, "last": values[-1], "period": str(game.period)}


def work(engine: str, job: str, data: Path, limit: float) -> dict[str, Any]:
    """Do one job in this process."""
    if job == "kayles":
        return kayles()
    if job in SUMS:
        return solve_sums(job, data, limit)
    begin = time.process_time()
    evaluate, describe = loaded(engine)
    ready = time.process_time()
    found = [evaluate(board) for board in boards_of(job, data)]
    done = time.process_time()
    return {"startup": ready - begin, "seconds": done - ready, "answers": [describe(g) for g in found]}


# ---- all of them ----------------------------------------------------------------------------------------------------


def best(engine: str, job: str, options: argparse.Namespace) -> dict[str, Any] | None:
    """The quickest of some runs: other work on the machine only ever makes them slower."""
    done: dict[str, Any] | None = None
    for _ in range(options.repeat):
        result = run(engine, job, options)
        if result is None:
            break
        if done is None or result["seconds"] < done["seconds"]:
            done = result
    return done


def run(engine: str, job: str, options: argparse.Namespace) -> dict[str, Any] | None:
    """Have a fresh process do the job; ``None`` if it took too long or failed."""
    python = options.peer_python if engine in ("cgt-py", "pycgt") else sys.executable
    command = [python, __file__, "--worker", engine, job, "--data", str(options.data), "--limit", str(options.limit)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=options.seconds, check=True)
    except subprocess.TimeoutExpired:
        return None
    except subprocess.CalledProcessError as error:
        print(f"  {engine} on {job} failed: {error.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        return None
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def compare_boards(options: argparse.Namespace) -> tuple[dict[str, Any], bool]:
    """The table of canonical forms."""
    engines = ENGINES if options.peer_python else ENGINES[:2]
    print("canonical forms, CPU s " + "".join(f"{e:>12}" for e in engines) + "   cgt-py / compiled (wanted)")
    table: dict[str, Any] = {}
    agree = True
    for job in RECTANGLES + BOARDS:
        found = {e: best(e, job, options) for e in engines if job not in LARGE or e in ("compiled", "cgt-py")}
        done = {e: r for e, r in found.items() if r is not None}
        same = len({json.dumps(r["answers"]) for r in done.values()}) <= 1
        agree = agree and same
        row = "".join(f"{done[e]['seconds']:12.3f}" if e in done else f"{'-':>12}" for e in engines)
        ratio = ""
        if "cgt-py" in done and "compiled" in done:
            ratio = f"{done['cgt-py']['seconds'] / done['compiled']['seconds']:8.1f} ({WANTED.get(job, '-')})"
        print(f"{job:22} {row}   {ratio}{'' if same else '   ANSWERS DIFFER'}", flush=True)
        table[job] = {e: {k: r[k] for k in ("startup", "seconds")} for e, r in done.items()} | {"agree": same}
    startups = {e: max((row[e]["startup"] for row in table.values() if e in row), default=0.0) for e in engines}
    print("start-up, at most      " + "".join(f"{startups[e]:12.3f}" for e in engines))
    return table, agree


def main() -> int:
    """Run everything and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/cgt"), help="boards and sums, one per line")
    parser.add_argument("--peer-python", help="interpreter of an environment with cgt-py and pycgt")
    parser.add_argument("--seconds", type=float, default=60.0, help="at most this long per process")
    parser.add_argument("--limit", type=float, default=4.0, help="at most this long per sum")
    parser.add_argument("--repeat", type=int, default=1, help="run so often and count the quickest (all engines)")
    parser.add_argument("--sums-only", action="store_true", help="leave out the canonical forms")
    parser.add_argument("--json", type=Path, help="write all figures here")
    parser.add_argument("--worker", nargs=2, metavar=("ENGINE", "JOB"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        engine, job = options.worker
        print(json.dumps(work(engine, job, options.data, options.limit)))
        return 0
    table, agree = ({}, True) if options.sums_only else compare_boards(options)
    figures: dict[str, Any] = {"boards": table, "sums": {}}
    for job in SUMS:
        result = run("compiled", job, options)
        if result is None:
            print(f"{job:12} not done in {options.seconds:.0f} s")
            continue
        figures["sums"][job] = result
        slow, hard = max(result["seconds_each"]), max(result["critical_seconds"])
        shifted = f"at the critical number {result['critical']} of {len(result['outcomes'])}, slowest {hard:.3f} s"
        print(f"{job:12} {result['outcomes']:10}  slowest {slow:.3f} s   {shifted}", flush=True)
    figures["kayles"] = run("plain", "kayles", options)
    print("Kayles to heap 100 000:", figures["kayles"])
    if options.json:
        results.write(options.json, figures)
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())
