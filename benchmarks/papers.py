"""The tables of the papers on decomposition search, ours beside theirs, and whole-game search in the same run.

    python benchmarks/papers.py --seconds 60 --json papers.json

Theirs: D. Zhao, diploma thesis, TU Dresden, 2009, Tables 4.1 and 5.1-5.4 (Fluxplayer, 2009); M. Günther, TU Dresden,
2007, Listing 5.1 and Table 4.1. "Cut" is the decomposition of the loaded game with all its checks and proofs, "parts"
the search by parts after it, "whole" our own search of all positions, stopped after ``--seconds``; all in seconds of
processor time. Their machine and ours differ by fifteen years: what compares is the ratio of parts to whole on the same
side.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import results
from ludisect import load
from ludisect.answer import Answer
from ludisect.circuit.game import Game
from ludisect.decomposition.methods import decompose
from ludisect.errors import BudgetExceeded
from ludisect.kernels.workers import compile_all
from ludisect.search.part.compound import PartGraph, PartOrder
from ludisect.search.part.reading import read_choice
from ludisect.search.solve import solve
from ludisect.search.turns.treesearch import solve_compound

Row = dict[str, Any]

NIM = [
    ("nim:1,5,4,2", "0.4", "0.01"),
    ("nim:2,2,10,10", "3.5", "0.01"),
    ("nim:11,12,15,25", "6607", "0.07"),
    ("nim-misere:12,12,20,20", "10797", "0.06"),
    ("nim:23,31,42,57,64,75", "", ""),
]
"""(game, their whole search, their search by parts), in seconds: thesis, Table 4.1; the last is ours alone."""

ALL_SEQUENCES = [18, 288, 4032, 47328, 483840, 3870720, 23224320, 92897280, 185794560]
SIMPLIFIED = [2, 4, 10, 26, 64, 148, 324, 674, 912]
LOCAL_SECONDS = [0.17, 2, 10, 28, 55, 127, 469, 678, 790]
"""Thesis, Tables 5.1 and 5.2: one board of double tic-tac-toe, to depth 1..9."""

GLOBAL_SECONDS = [0.36, 4.36, 24, 80, 179, 301, 1022, 1530, 1793]
"""Thesis, Tables 5.3 and 5.4: finding the first move of double tic-tac-toe by parts."""


def count_sequences(part: PartGraph, order: PartOrder, depth: int) -> int:
    """How many turn-move sequences a part has to a depth, nothing dropped (Tables 5.1 and 5.2, "All Sequences")."""
    known: dict[tuple[int, int], int] = {}

    def count(state: int, d: int) -> int:
        concept = part.concept[state]
        below = [] if d == 0 or order.must_end[concept] else [t for of_role in part.moves for _, t in of_role[state]]
        if not below:
            return 1
        if (state, d) not in known:
            known[state, d] = int(order.may_end[concept]) + sum(count(t, d - 1) for t in below)
        return known[state, d]

    return count(part.start, depth)


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """What the work gives (an Answer so far if a limit is hit), and its seconds."""
    begin = time.process_time()
    try:
        found = work()
    except BudgetExceeded as error:
        found = error.partial
    return found, time.process_time() - begin


def spell(answer: Answer | None) -> str:
    """The first role's value, or its bounds."""
    if answer is None:
        return "?"
    role = next(iter(answer.value))
    value = answer.value[role]
    if value is not None:
        return f"{value:g}"
    low, high = answer.bounds.get(role, (0, 100))
    return f"{low:g}..{high:g}"


def both_ways(game: Game, by: str, seconds: float, *, baseline: bool = True) -> Row:
    """Solve by parts ("parts": as ``solve`` chooses) and whole, unless the baseline is known."""
    cut, by_cut = timed(lambda: decompose(game))
    parts, by_parts = timed(lambda: solve(cut, by, seconds=seconds))
    row = {
        "game": game.name,
        "by": parts.algorithm.split(":")[0] if parts is not None else by,
        "value": spell(parts),
        "cut_seconds": by_cut,
        "parts_seconds": by_parts,
    }
    if baseline:
        whole, by_whole = timed(lambda: solve(game, "whole", seconds=seconds))
        row |= {
            "whole_value": spell(whole),
            "whole_seconds": by_whole,
            "whole_finished": whole is not None and whole.exact,
        }
    return row


def nim_table(seconds: float) -> list[Row]:
    """Table 4.1."""
    print("Nim: seconds to the first best move")
    print(f"{'game':26}{'value':>7}{'cut':>8}{'parts':>9}{'(theirs)':>9}{'whole':>10}{'(theirs)':>9}")
    rows = []
    for name, their_whole, their_parts in NIM:
        row = both_ways(load(name), "nimbers", seconds) | {"theirs": their_parts, "theirs_whole": their_whole}
        rows.append(row)
        whole = f"{row['whole_seconds']:.2f}" if row["whole_finished"] else f"> {row['whole_seconds']:.0f}"
        print(
            f"{name:26}{row['value']:>7}{row['cut_seconds']:8.2f}{row['parts_seconds']:9.3f}{their_parts:>9}{whole:>10}"
            f"{their_whole:>9}",
            flush=True,
        )
    return rows


def board_table(seconds: float) -> list[Row]:
    """Tables 5.1 to 5.4."""
    compound = read_choice(decompose(load("double-tictactoe"))).compound
    order = PartOrder(compound, 0)
    print("\nDouble tic-tac-toe by turn-move sequences, each board to a depth (theirs in brackets)")
    print(
        f"{'depth':>5}{'all sequences':>16}{'(printed)':>13}{'simplified':>12}{'(':>2}{'theirs)':>8}"
        f"{'published s':>13}{'(theirs)':>9}{'value':>7}{'sound s':>9}{'value':>7}"
    )
    rows = []
    for depth in range(1, 10):
        count = count_sequences(compound.parts[0], order, depth)
        published, seconds_published = timed(
            lambda depth=depth: solve_compound(compound, form="sequences", depth=depth)  # type: ignore[misc]
        )
        sound, seconds_sound = timed(lambda depth=depth: solve_compound(compound, depth=depth))  # type: ignore[misc]
        row = {
            "depth": depth, "all": count, "theirs_all": ALL_SEQUENCES[depth - 1],
            "simplified": published.sequences[0], "theirs_simplified": SIMPLIFIED[depth - 1],
            "published_seconds": seconds_published, "theirs_seconds": GLOBAL_SECONDS[depth - 1],
            "published_value": published.value, "sound_seconds": seconds_sound, "sound_value": sound.value,
            "exact": sound.exact,
        }  # fmt: skip
        rows.append(row)
        print(
            f"{depth:5}{count:16}{ALL_SEQUENCES[depth - 1]:13}{row['simplified']:12}{SIMPLIFIED[depth - 1]:10}"
            f"{seconds_published:13.2f}{GLOBAL_SECONDS[depth - 1]:9}{published.value:7}{seconds_sound:9.2f}"
            f"{sound.value:7}",
            flush=True,
        )
    print("from depth 5 on the thesis prints products; the paper of 2009 has our count for depth 9 (58242432)")
    for name, by in (("double-tictactoe", "parts"), ("double-tictactoe", "quotient"), ("triple-tictactoe", "parts")):
        exact = both_ways(load(name), by, seconds, baseline=by == "parts")
        rows.append(exact)
        print(both(exact), flush=True)
    return rows


def crossing_table(seconds: float) -> list[Row]:
    """A game of our own in the place of Double-Crisscross2 (paper, Figure 4: 10448 of 15864465 sequences left)."""
    compound = read_choice(decompose(load("double-crisscross"))).compound
    order = PartOrder(compound, 0)
    print("\nDouble criss-cross (rules of our own), each crossing to a depth")
    print(f"{'depth':>5}{'all sequences':>16}{'simplified':>12}{'published s':>13}{'sound s':>9}{'value':>7}")
    rows = []
    for depth in range(1, 7):
        count = count_sequences(compound.parts[0], order, depth)
        published, seconds_published = timed(
            lambda depth=depth: solve_compound(compound, form="sequences", depth=depth)  # type: ignore[misc]
        )
        sound, seconds_sound = timed(lambda depth=depth: solve_compound(compound, depth=depth))  # type: ignore[misc]
        rows.append(
            {"depth": depth, "all": count, "simplified": published.sequences[0], "sound_value": sound.value,
             "published_seconds": seconds_published, "sound_seconds": seconds_sound}
        )  # fmt: skip
        print(
            f"{depth:5}{count:16}{published.sequences[0]:12}{seconds_published:13.2f}{seconds_sound:9.2f}"
            f"{sound.value:7}",
            flush=True,
        )
    exact = both_ways(load("double-crisscross"), "quotient", seconds)
    rows.append(exact)
    print(both(exact))
    return rows


def puzzle_table(seconds: float) -> list[Row]:
    """Günther's single-player games: greedy against plans by concepts."""
    print("\nSingle-player compounds: plans by concepts, greedy moves, whole search")
    rows = []
    for name in ("two-track", "blocks-maze", "multiple-hanoi", "four-lamps"):
        game = load(name)
        row = both_ways(game, "plans", seconds)
        greedy, seconds_greedy = timed(lambda game=game: solve(decompose(game), "greedy"))  # type: ignore[misc]
        row |= {"greedy_value": spell(greedy), "greedy_seconds": seconds_greedy}
        rows.append(row)
        print(f"{both(row)}; greedy {row['greedy_value']} in {seconds_greedy:.2f} s", flush=True)
    return rows


def both(row: Row) -> str:
    """One line: by parts and whole."""
    line = f"{row['game']}: {row['value']} by {row['by']} in {row['parts_seconds']:.2f} s"
    line += f" (cut in {row['cut_seconds']:.2f} s)"
    if "whole_value" in row:
        limit = "" if row["whole_finished"] else ", not finished"
        line += f"; whole {row['whole_value']} in {row['whole_seconds']:.2f} s{limit}"
    return line


TABLES: dict[str, Callable[[float], list[Row]]] = {
    "nim": nim_table,
    "boards": board_table,
    "crossings": crossing_table,
    "puzzles": puzzle_table,
}


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="*", help=f"which of {', '.join(TABLES)} (all)")
    parser.add_argument("--seconds", type=float, default=60.0, help="limit of each whole search")
    parser.add_argument("--json", type=Path, help="write the rows here")
    options = parser.parse_args()
    compile_all(["solve", "simulate"])
    for by in ("parts", "whole"):  # what is left to load is loaded before anything is measured
        solve(load("nim:2,3"), by)
    rows = {name: TABLES[name](options.seconds) for name in options.tables or TABLES}
    if options.json:
        results.write(options.json, rows)


if __name__ == "__main__":
    main()
