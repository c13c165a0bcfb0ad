"""Builds every rule sheet of a folder and writes a table: seconds, fluents, moves, gates; and the first playout.

    python benchmarks/build.py ../shared/corpus/games --seconds 60 --memory 4 --json build.json

Each game has a process of its own, so that one game's memory is not another's. "First playout" is the time from the
file to the end of the first batch of playouts, with the kernels loaded.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import results


def measure(path: str, seconds: float, memory: float) -> dict[str, Any]:
    """Build one game in this process."""
    from ludisect.errors import LudisectError
    from ludisect.kernels.workers import compile_all
    from ludisect.loader import load

    compile_all(["simulate"])
    begin = time.perf_counter()
    try:
        game = load(Path(path), seconds=seconds, memory=memory * 2**30)
        built = time.perf_counter()
        game.playouts.run(1)
        played = time.perf_counter()
    except LudisectError as error:
        return {"error": f"{type(error).__name__}: {str(error).splitlines()[0]}", "build": time.perf_counter() - begin}
    return {
        "fluents": len(game.fluents),
        "moves": sum(map(len, game.moves)),
        "gates": game.circuit.gates,
        "edges": game.circuit.edges,
        "turns": len(game.playouts.phases.circuits),
        "build": built - begin,
        "first_playout": played - begin,
    }


def main() -> None:
    """Build all, print the table and the summary."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="rule sheets (*.kif), or one sheet")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--memory", type=float, default=4.0, help="GB")
    parser.add_argument("--json", type=Path, help="write the rows here")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(str(options.folder), options.seconds, options.memory)))
        return
    paths = sorted(options.folder.glob("*.kif")) if options.folder.is_dir() else [options.folder]
    rows: dict[str, dict[str, Any]] = {}
    print(f"{'game':32}{'fluents':>9}{'moves':>9}{'gates':>9}{'edges':>10}{'turns':>6}{'build s':>9}{'first s':>9}")
    for path in paths:
        command = [sys.executable, __file__, str(path), "--one"]
        command += ["--seconds", str(options.seconds), "--memory", str(options.memory)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=10 * options.seconds + 60, check=False)
        last = done.stdout.strip().splitlines()[-1:] or ['{"error": "crashed"}']
        row = rows[path.stem] = json.loads(last[0])
        if "error" in row:
            print(f"{path.stem:32} {row['error']}", flush=True)
        else:
            print(
                f"{path.stem:32}{row['fluents']:9}{row['moves']:9}{row['gates']:9}{row['edges']:10}{row['turns']:6}"
                f"{row['build']:9.2f}{row['first_playout']:9.2f}",
                flush=True,
            )
    good = [row for row in rows.values() if "error" not in row]
    first = sorted(row["first_playout"] for row in good)
    in_time = sum(row["build"] <= options.seconds for row in good)
    print(f"\nbuilt within {options.seconds:g} s: {in_time} of {len(rows)} ({100 * in_time / len(rows):.1f} %)")
    if first:
        at_95 = first[min(len(first) - 1, int(0.95 * len(rows)))]
        print(f"file to first playout: median {statistics.median(first):.3f} s, 95 % within {at_95:.2f} s")
    if options.json:
        results.write(options.json, rows)


if __name__ == "__main__":
    main()
