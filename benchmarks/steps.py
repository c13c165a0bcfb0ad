"""What a step of work takes: steps that searches count, beside their processor time; a step is meant to be 1e-9 s.

    python benchmarks/steps.py --seconds 6

Searches are limited by steps where a limit must not hang on the machine (docs/decisions/0009). The last column is the
ratio of the steps, in thousand millions, to the seconds; 1 would be right.
"""

from __future__ import annotations

import argparse
import time

from ludisect import decompose, load
from ludisect.effort import spent
from ludisect.errors import BudgetExceeded
from ludisect.kernels.workers import compile_all
from ludisect.search.solve import solve

SEARCHES = (
    ("double-tictactoe", "scores"), ("double-tictactoe", "quotient"), ("double-tictactoe", "tmseq"),
    ("nim:30,31,32,33", "nimbers"), ("nim-misere:9,10,11", "nimbers"), ("kayles:9,8", "nimbers"),
    ("nim:12,13,14", "tmseq"), ("nim:30,31,32", "whole"), ("domineering:3x4,2x4", "values"),
    ("double-crisscross", "quotient"), ("tictactoe", "alpha-beta"), ("connect-four", "alpha-beta"),
    ("connect-four", "whole"), ("parallel-tictactoe", "parallel"), ("serial-tictactoe", "serial"),
    ("blocks-maze", "plans"),
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=6.0, help="limit on each search")
    limit = parser.parse_args().seconds
    compile_all(["solve"])
    for name, by in SEARCHES:
        parts = decompose(load(name))
        steps, begin = spent(), time.process_time()
        ended = ""
        try:
            solve(parts, by, seconds=limit)
        except BudgetExceeded:
            ended = "  (limit)"
        seconds = time.process_time() - begin
        billions = (spent() - steps) / 1e9
        print(f"{name:22} {by:12} {seconds:8.3f} s {billions:8.3f} {billions / seconds:6.2f}{ended}")


if __name__ == "__main__":
    main()
