"""A rule sheet, from file to answer.

It prints:

    two-lamps.kif: 1 roles, 12 fluents, 3 moves
    two-lamps.kif: 2 dependent parts, 1 independent, parallel-choice, proved (method exact)
      1. dependent: (dial left *)
      2. dependent: (dial right *)
      3. independent: (step *)
    worth 100 exact
"""

from __future__ import annotations

from pathlib import Path

import ludisect

SHEET = Path(__file__).with_name("two-lamps.kif")


def main() -> None:
    for problem in ludisect.check(ludisect.gdl.read_file(SHEET)):
        print(problem)
    game = ludisect.load(SHEET)
    print(game)
    parts = ludisect.decompose(game)
    print(parts)
    answer = ludisect.solve(parts)
    print("worth", answer.value["keeper"], "exact" if answer.exact else "at least")


if __name__ == "__main__":
    main()
