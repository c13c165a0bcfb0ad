"""King-and-pawn endings: positions searched for the endgames of Mäser 2001 (7.3.5) beside his Figure 7.7.

    python benchmarks/pawnendings.py --json pawnendings.json

The positions are rebuilt from the text of the thesis, whose diagrams are lost; where a pawn was fitted to the printed
value, the row says so, and endgame 6 could not be rebuilt. Then the claim of 7.3.2: the wings of Popov - Dankov part by
part beside both in one search. Nodes are calls of the search that its table did not answer; seconds are of processor
time.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import results
from ludisect.cgt.marked import short_worth
from ludisect.rulesets import Pawns
from ludisect.sums.threatsearch import ThreatSearch

ENDGAMES: dict[int, tuple[tuple[str, ...], int, bool]] = {
    1: (("h2 / h7", "a5 b3 d4 d5 / b5 b7 c7 d6"), 715, True),
    2: (("g3 g4 h2 / g6 h6",), 342, True),
    3: (("a2 / a7", "g3 h3 / f5 h5"), 65, True),
    4: (("a3 b2 / a7 b7", "g4 h2 / g6 h6"), 1736, True),
    5: (("a2 b2 / a6 c4 c5", "g4 h2 / f6 h7"), 724, False),
    7: (("a3 / a7", "f2 g2 h2 / f6 f7 h6"), 10_845, True),
    8: (("a4 / a6", "f2 g2 h3 / f6 g7 h7"), 57_042, True),
    9: (("a4 b3 c4 / a6 b7 c7",), 4011, False),
    10: (("a3 / a6", "f4 g3 h2 / f7 g6 h7"), 17_511, False),
    11: (("a3 / a7", "f3 g2 h3 / f7 g6 h6"), 15_542, True),
    12: (("e4 f2 g3 h2 / e5 f7 g6 h7",), 231_195, False),
}
"""Parts, the thesis's number of nodes, and whether a pawn was fitted."""

WINGS = ("a4 b4 / a7 b7", "g2 g3 / g7 h6")


def searched(pawns: str) -> tuple[str, int, float]:
    """The value of some pawns, the nodes it took, and the seconds."""
    search, start = ThreatSearch(lambda: None), time.process_time()
    value = search.worth(Pawns(pawns))
    return short_worth(value), search.nodes, time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="write the figures into this file")
    arguments = parser.parse_args()
    rows: list[dict[str, object]] = []
    print(f"{'no.':>3} {'nodes':>7} {'theirs':>7} {'ratio':>6} {'s':>6}  values")
    for number, (parts, theirs, fitted) in ENDGAMES.items():
        found = [searched(part) for part in parts]
        nodes, seconds = sum(n for _, n, _ in found), sum(s for _, _, s in found)
        values = "; ".join(value for value, _, _ in found)
        print(f"{number:3} {nodes:7} {theirs:7} {nodes / theirs:6.2f} {seconds:6.2f}  {values}{' (fitted)' * fitted}")
        rows.append({"endgame": number, "nodes": nodes, "theirs": theirs, "seconds": seconds, "values": values})
    apart = [searched(part) for part in WINGS]
    together = searched("a4 b4 g2 g3 / a7 b7 g7 h6")
    nodes = sum(n for _, n, _ in apart)
    print(f"Popov - Dankov by parts {nodes}, both wings in one search {together[1]}: {together[1] / nodes:.0f} times")
    print("theirs: fewer than 1000, almost 200 000")
    if arguments.json is not None:
        rows.append({"endgame": "Popov - Dankov", "by parts": nodes, "in one search": together[1]})
        results.write(arguments.json, rows)


if __name__ == "__main__":
    main()
