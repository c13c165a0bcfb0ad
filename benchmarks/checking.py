"""What the check of answers costs: processor time of ``solve`` by parts, and how much of it the check takes.

    python benchmarks/checking.py --json checking.json

Bundled games of more than one part. Compiled code is loaded by a first solution of each, which does not count; parts
are found before the clock starts.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import ludisect.search.solve as solving
import results
from ludisect.answer import Answer
from ludisect.circuit.game import Game
from ludisect.decomposition import decompose
from ludisect.loader import load
from ludisect.search.budget import Budget
from ludisect.search.checking.checker import checked

GAMES = (
    "blocks-maze", "double-crisscross", "double-tictactoe", "four-lamps", "kayles:5,7", "lights-on-parallel",
    "multiple-hanoi", "nim:3,5,7", "nim:11,12,15,25", "nim-misere:3,4,5", "parallel-tictactoe", "relay", "runners",
    "serial-tictactoe", "toads-and-frogs", "triple-tictactoe", "two-track", "domineering:2x2,2x3",
)  # fmt: skip


def measured(name: str) -> dict[str, Any]:
    """Seconds of a solution, those of its check among them, and how it was checked."""
    parts = decompose(load(name))
    solving.solve(parts)
    taken = 0.0

    def timed(answer: Answer, game: Game, budget: Budget) -> Answer:
        nonlocal taken
        begin = time.process_time()
        try:
            return checked(answer, game, budget)
        finally:
            taken += time.process_time() - begin

    solving.checked = timed  # type: ignore[attr-defined]
    begin = time.process_time()
    answer = solving.solve(parts)
    seconds = time.process_time() - begin
    solving.checked = checked  # type: ignore[attr-defined]
    return {"solve": seconds, "check": taken, "by": answer.algorithm, "exact": answer.exact, "checked": answer.checked}


def main() -> None:
    """Run all and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=GAMES, help="names or rule sheets (default: some bundled ones)")
    parser.add_argument("--json", type=Path, help="write the table here")
    options = parser.parse_args()
    table = {}
    print(f"{'game':24}{'by':12}{'solve':>9}{'check':>9}")
    for name in options.games:
        row = table[name] = measured(name)
        print(f"{name:24}{row['by']:12}{row['solve']:9.3f}{row['check']:9.3f}", flush=True)
    solve, check = (sum(row[key] for row in table.values()) for key in ("solve", "check"))
    print(f"{'together':36}{solve:9.3f}{check:9.3f}  {100 * check / solve:.0f} %")
    if options.json:
        results.write(options.json, table)


if __name__ == "__main__":
    main()
