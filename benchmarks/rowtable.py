"""What it brings to write the lookup of the row table into the kernels that use it, instead of calling it.

    python benchmarks/rowtable.py --repeat 5

Rows are numbered (``RowTable.add`` and ``find``) and told apart (``unique_rows``), both ways in turns, each way in a
process of its own; processor time, the least of the runs.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time

import numpy as np

SIZES = ((200_000, 3, 5_000), (1_000_000, 2, 800_000), (100_000, 12, 100_000), (300_000, 1, 200))
"""Rows, words in each, and kinds of rows."""


def measure(inline: bool) -> list[tuple[float, float]]:
    """Seconds for each size: numbered, told apart."""
    from ludisect.circuit import rowtable
    from ludisect.circuit.record import unique_rows
    from ludisect.kernels import kernel

    kernel.mode = "compiled"
    rowtable.slot_of.inline = rowtable._hash.inline = inline
    rng = np.random.default_rng(0)
    out = []
    for n, words, kinds in SIZES:
        rows = rng.integers(0, 1 << 63, (kinds, words), np.uint64)[rng.integers(0, kinds, n)]
        unique_rows(rows[:100])
        rowtable.RowTable(words).find(rows[:100])
        table, begin = rowtable.RowTable(words), time.process_time()
        for low in range(0, n, 20_000):
            table.add(rows[low : low + 20_000])
        table.find(rows)
        middle = time.process_time()
        unique_rows(rows)
        out.append((middle - begin, time.process_time() - middle))
    return out


def main() -> None:
    """Measure both ways in turns and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--one", choices=("inline", "call"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(measure(arguments.one == "inline")))
        return
    best: dict[str, np.ndarray] = {}
    for _ in range(arguments.repeat):
        for way in ("inline", "call"):
            done = subprocess.run([sys.executable, __file__, "--one", way], capture_output=True, text=True, check=True)
            found = np.array(json.loads(done.stdout))
            best[way] = np.minimum(best.get(way, found), found)
    print("rows x words (kinds)           numbered: inline, call, ratio      told apart: inline, call, ratio   (ms)")
    for (n, words, kinds), one, other in zip(SIZES, best["inline"], best["call"], strict=True):
        columns = "".join(f"{1e3 * a:12.1f}{1e3 * b:9.1f}{b / a:8.1f}x    " for a, b in zip(one, other, strict=True))
        print(f"{n:,} x {words} ({kinds:,})".ljust(30) + columns.rstrip())


if __name__ == "__main__":
    main()
