"""Playouts per second on one core, beside the plain interpreter in the same run and figures of other engines.

    python benchmarks/playouts.py                                   # bundled games
    python benchmarks/playouts.py --corpus ../shared/corpus/games --reference ../shared/LANES.md
    python benchmarks/playouts.py --threads                         # what a second thread gives

A reference is a Markdown table with the columns game, million playouts/s, million states/s (a target) and million
states/s of the fastest public engine; its games are looked for in the corpus folder. Every game is measured in several
short windows and the best counts: other work on the machine can only slow a window down. Seconds are those that the
process itself spent computing, except with two threads, where the clock's are compared.
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path
from typing import Any

import results
from ludisect.circuit.game import Game
from ludisect.games.source import find_rules
from ludisect.gdl import Interpreter, record
from ludisect.loader import load

BUNDLED = ("tictactoe", "double-tictactoe", "nim", "chomp", "connect-four", "breakthrough", "reversi", "hex", "tron")


def read_reference(path: Path) -> dict[str, tuple[float, float | None]]:
    """Per game: the target and the public engine's figure, in million states per second."""
    out: dict[str, tuple[float, float | None]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        cells = [c.strip() for c in line.strip().strip("|").split("|")]
        if len(cells) == 4 and cells[0] != "game":
            try:
                public = float(cells[3])
            except ValueError:
                public = None
            try:
                out[cells[0]] = (float(cells[2]), public)
            except ValueError:
                continue
    return out


def states_per_second(game: Game, *, windows: int, seconds: float) -> float:
    """The best of several windows, per second of this process's own time."""
    best = 0.0
    for window in range(windows):
        begin = time.process_time()
        tally = game.playouts.run(1 << 50, seed=window, seconds=seconds)
        best = max(best, tally.states / (time.process_time() - begin))
    return best


def _by_the_clock(game: Game, threads: int, seconds: float) -> float:
    tally = game.playouts.run(1 << 50, seed=threads, seconds=seconds, threads=threads)
    return tally.states / tally.seconds


def interpreter_states_per_second(game: Game, seconds: float) -> float:
    """The plain interpreter on the same rules."""
    assert game.rules is not None
    interpreter = Interpreter(game.rules)
    begin, states, plays = time.process_time(), 0, 0
    while time.process_time() - begin < seconds:
        states += 1 + len(record(interpreter, seed=plays, max_length=60).steps)
        plays += 1
    return states / (time.process_time() - begin)


def geometric_mean(values: list[float]) -> float:
    """The mean of ratios."""
    return math.exp(sum(map(math.log, values)) / len(values))


def main() -> None:
    """Measure, print the table and the ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, help="folder of rule sheets")
    parser.add_argument("--reference", type=Path, help="Markdown table of other engines' figures")
    parser.add_argument("--games", nargs="*", help="only these")
    parser.add_argument("--windows", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5, help="length of a window")
    parser.add_argument("--interpreter", type=float, default=1.0, help="seconds for the interpreter; 0 leaves it out")
    parser.add_argument("--threads", action="store_true", help="measure two threads as well")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    reference = read_reference(options.reference) if options.reference else {}
    names = options.games or list(reference) or list(BUNDLED)
    rows: list[dict[str, Any]] = []
    print(f"{'game':26}{'M playouts/s':>13}{'M states/s':>11}{'target':>8}{'ratio':>7}{'public':>8}{'ratio':>8}"
          f"{'interpreter':>13}{'ratio':>10}{'2 threads':>10}")  # fmt: skip
    for name in names:
        sheet = options.corpus / f"{name}.kif" if options.corpus else None
        game = load(find_rules(sheet if sheet is not None and sheet.exists() else name))
        first = game.playouts.run(512)
        speed = states_per_second(game, windows=options.windows, seconds=options.seconds) / 1e6
        target, public = reference.get(name, (None, None))
        slow = interpreter_states_per_second(game, options.interpreter) if options.interpreter else None
        double = None
        if options.threads:
            # one against two, both by the clock
            single = max(_by_the_clock(game, 1, options.seconds) for _ in range(options.windows))
            double = max(_by_the_clock(game, 2, options.seconds) for _ in range(options.windows)) / single
        row = {
            "game": name,
            "playouts": speed / (first.mean_length + 1),
            "states": speed,
            "target": target,
            "public": public,
            "interpreter": slow,
            "threads": double,
            "edges": game.circuit.edges,
        }
        rows.append(row)
        print(
            f"{name:26}{row['playouts']:13.3f}{speed:11.1f}"
            + (f"{target:8.4g}{speed / target:7.2f}" if target else f"{'':15}")
            + (f"{public:8.3g}{speed / public:8.0f}" if public else f"{'':16}")
            + (f"{slow:13.0f}{speed * 1e6 / slow:10.0f}" if slow else f"{'':23}")
            + (f"{double:10.2f}" if double else ""),
            flush=True,
        )
    for column, label in (("target", "target"), ("public", "fastest public engine")):
        ratios = [row["states"] / row[column] for row in rows if row[column]]
        if ratios:
            print(f"against the {label}: geometric mean {geometric_mean(ratios):.2f}, "
                  f"reached on {sum(r >= 1 for r in ratios)} of {len(ratios)}")  # fmt: skip
    ratios = [row["states"] * 1e6 / row["interpreter"] for row in rows if row["interpreter"]]
    if ratios:
        print(f"against the interpreter: geometric mean {geometric_mean(ratios):,.0f}")
    ratios = [row["threads"] for row in rows if row["threads"]]
    if ratios:
        print(f"two threads against one: geometric mean {geometric_mean(ratios):.2f}")
    if options.json:
        results.write(options.json, rows)


if __name__ == "__main__":
    main()
