"""What every move is worth: from one solution, beside solving each successor anew; and what progress costs unheard.

    python benchmarks/movevalues.py --json movevalues.json

First table: processor milliseconds for the values of all moves at the start and in a later state, after the solution,
and for solving every successor by parts; the ratio is what one solution spares. Second: random plays and a
decomposition while nobody listens to progress, beside the same with the reports taken out, and with a listener.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import ludisect
from ludisect import progress
from ludisect.answer import Answer
from ludisect.kernels.workers import compile_all
from ludisect.progress import listening
from results import write

GAMES = ("double-tictactoe", "nim:11,12,15,25", "kayles:6,5", "toads-and-frogs", "serial-tictactoe")

SUMS = ("domineering 4x4 + domineering 3x5", "clobber 2x3 + nim 5 + {3|-1}")


def milliseconds(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return 1000 * (time.process_time() - begin)


def of_rules(name: str) -> dict[str, Any]:
    """Seconds of one solution and of all successors solved anew."""
    game = ludisect.load(name)
    answers: list[Answer] = []
    solving = milliseconds(lambda: answers.append(ludisect.solve(game)))
    answer = answers[0]
    first = milliseconds(answer.values)
    state = game.start.play({value.role: value.move for value in answer.values()[:1]})
    later = milliseconds(lambda: answer.values(state))
    successors = [game.start.play({value.role: value.move}) for value in answer.values()]
    anew = milliseconds(lambda: [ludisect.solve(s) for s in successors if not s.is_over])
    return _row(name, solving, first, later, anew, len(successors))


def of_sum(text: str) -> dict[str, Any]:
    """The same for a sum: what each move leaves is solved from its text."""
    answers: list[Answer] = []
    solving = milliseconds(lambda: answers.append(ludisect.solve(text)))
    answer = answers[0]
    first = milliseconds(answer.values)
    values = answer.values()
    later = milliseconds(lambda: answer.values({values[0].role: values[0].move}))
    table = ludisect.sums.Sum(text)
    left = [str(table.play_line(f"{value.role} {value.move}")) for value in values]
    anew = milliseconds(lambda: [ludisect.solve(rest) for rest in left])
    return _row(text, solving, first, later, anew, len(values))


def _row(name: str, solving: float, first: float, later: float, anew: float, moves: int) -> dict[str, Any]:
    print(f"{name:36} {moves:5} {solving:9.1f} {first:9.2f} {later:9.2f} {anew:10.1f} {anew / max(first, 1e-3):9.0f}")
    return {"game": name, "moves": moves, "solve": solving, "values": first, "later": later, "anew": anew}


@contextmanager
def silent() -> Iterator[None]:
    """Without the reports themselves, in the modules that play and prove."""
    from ludisect.circuit import record
    from ludisect.decomposition.evidence import prove, verify
    from ludisect.decomposition.exact import exact

    homes: list[Any] = [record, prove, verify, exact]
    for home in homes:
        home.report = lambda *told: None
    try:
        yield
    finally:
        for home in homes:
            home.report = progress.report


def unheard(repeats: int) -> dict[str, float]:
    """Milliseconds of a decomposition: without reports, unheard, and heard; the median of runs in turn."""
    game = ludisect.load("double-tictactoe")
    told: dict[str, list[float]] = {"without": [], "unheard": [], "heard": []}
    for _ in range(repeats):
        with silent():
            told["without"].append(milliseconds(lambda: ludisect.decompose(game)))
        told["unheard"].append(milliseconds(lambda: ludisect.decompose(game)))
        with listening(lambda step, done, of: None):
            told["heard"].append(milliseconds(lambda: ludisect.decompose(game)))
    out = {name: median(times) for name, times in told.items()}
    begin = time.process_time()
    for k in range(1_000_000):
        progress.report("step", k)
    out["nanoseconds a report"] = 1000 * (time.process_time() - begin)
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=9, help="runs for the cost of progress")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here")
    options = parser.parse_args()
    compile_all(["solve", "value"])
    for name in ("tictactoe", "nim:1,2"):  # what is loaded once is not to be measured
        ludisect.solve(name).values()
    print(f"{'game':36} {'moves':>5} {'solve ms':>9} {'values ms':>9} {'later ms':>9} {'each ms':>10} {'ratio':>9}")
    rows = [*map(of_rules, GAMES), *map(of_sum, SUMS)]
    cost = unheard(options.repeats)
    print()
    print(f"decompose double-tictactoe: {cost['without']:.1f} ms without reports, {cost['unheard']:.1f} unheard")
    print(f"  ratio {cost['unheard'] / cost['without']:.3f}; heard {cost['heard'] / cost['without']:.3f}")
    print(f"  a report that nobody hears: {cost['nanoseconds a report']:.0f} ns")
    if options.json:
        write(options.json, {"values": rows, "progress": cost})


if __name__ == "__main__":
    main()
