"""Values and winners found from rules alone, beside the native rulesets and the search of the whole, in one run.

    python benchmarks/regions.py --positions 10000 --outcomes 5000 --boards --json regions.json

The first table takes random positions of ten boards: the value from the rules and the value of the native ruleset must
be equal, and who wins must be the sign of the value and what the search of the whole game says. The second takes empty
boards: seconds for the canonical value and for who wins if either side begins. Cells are processor time; "-" is a
search that hit the limit.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import ludisect
import results
from ludisect.cgt import Value, number
from ludisect.circuit.game import Game
from ludisect.errors import BudgetExceeded
from ludisect.kernels.kernel import jit, never
from ludisect.kernels.workers import compile_all
from ludisect.rulesets.amazons import Amazons
from ludisect.rulesets.clobber import Clobber
from ludisect.rulesets.colouring import Col, Snort
from ludisect.rulesets.domineering import Domineering
from ludisect.rulesets.grid import GridPosition
from ludisect.rulesets.nogo import NoGo
from ludisect.rulesets.position import Player
from ludisect.rulesets.toads import Toads
from ludisect.search.limits import SearchLimits
from ludisect.search.regions import Operators, Region, operators, outcome
from ludisect.search.regions.book import OPS, N, book_of
from ludisect.search.regions.pieces import fits, split_after
from ludisect.settings import using
from ludisect.sums.local import LocalSearch

STONES = {"X": "(stone black {r} {c})", "O": "(stone white {r} {c})"}
QUEENS = {"X": "(queen white {r} {c})", "O": "(queen black {r} {c})", ".": "(free {r} {c})"}
LANES = {"X": "(at a {c} t)", "O": "(at a {c} f)", ".": "(at a {c} empty)"}

GAMES: list[tuple[str, type[GridPosition], int, int, str, dict[str, str]]] = [
    ("domineering:4x4", Domineering, 4, 4, "...#", {".": "(free {r} {c})"}),
    ("clobber:3x4", Clobber, 3, 4, "XO.", STONES),
    ("col:3x4", Col, 3, 4, "XO....", STONES),
    ("snort:3x4", Snort, 3, 4, "XO....", STONES),
    ("amazons:3x3", Amazons, 3, 3, "XO..###", QUEENS),
    ("nogo:2x3", NoGo, 2, 3, "XO...", STONES),
    ("nogo:3x3", NoGo, 3, 3, "XO..", STONES),
    ("nogo:3x4", NoGo, 3, 4, "XO.", STONES),
    ("nogo:4x4", NoGo, 4, 4, "XXOO.", STONES),
    ("toads-and-frogs:T______F", Toads, 1, 8, "XO..", LANES),
]
"""Rules, native ruleset, size, cells of random boards, and what they are as facts."""

VALUES = [
    "nogo:3x3",
    "nogo:3x4",
    "domineering:4x5",
    "domineering:5x5",
    "domineering:4x6",
    "domineering:5x6",
    "clobber:3x4",
    "clobber:4x4",
]
WINNERS = [
    "domineering:5x5", "domineering:6x6", "domineering:4x9", "domineering:7x7", "domineering:6x8", "domineering:8x8",
    "clobber:4x4", "clobber:4x5", "clobber:5x5", "col:5x5", "snort:5x5", "amazons:3x4", "amazons:4x4",
    "domineering:4x4,4x4", "clobber:3x4,3x4", "kayles:20,25,30",
]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=700, help="random positions, of all games together")
    parser.add_argument("--outcomes", type=int, default=70, help="of these, positions whose winner is asked for, too")
    parser.add_argument("--boards", nargs="*", metavar="NAME", help="empty boards as well: all, or those named")
    parser.add_argument("--seconds", type=float, default=60, help="limit for each empty board, by the clock")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, help="write the figures here")
    options = parser.parse_args()
    compile_all(["regions"])
    warm_up()
    figures: dict[str, Any] = {"positions": [], "values": [], "winners": []}
    print(f"{'random positions':26} values  equal  rules s  native s   winners  by sign  by whole  rules s  whole s")
    share = -(-options.positions // len(GAMES)), -(-options.outcomes // len(GAMES))
    for row in GAMES if options.positions else ():
        figures["positions"].append(positions(*row, *share, options.seed))
    if options.boards is not None:
        split_often(np.zeros(16, np.int64), np.zeros(64, np.int64), 32, 1)
        figures["settling"] = [
            settling("domineering:5x5", 5, 5, {".": "(free {r} {c})"}, "......#", options.seed),
            settling("col:4x4", 4, 4, STONES, "XO.......", options.seed),
            settling("clobber:4x4", 4, 4, STONES, "XXXXOOOO.", options.seed),
        ]
        for name in (name for name in VALUES if not options.boards or name in options.boards):
            figures["values"].append(canonical(name, options.seconds))
        for name in options.boards or WINNERS:
            figures["winners"].append(winners(name, options.seconds))
    if options.json:
        results.write(options.json, figures)


def warm_up() -> None:
    """Everything is compiled before a clock runs."""
    found = operators(ludisect.load("domineering:4x4"))
    for player in Player:
        outcome(found.regions(found.game.start), player)
    ludisect.solve(found.game, by="whole")
    _ = Domineering("4x5").value


def boards(cells: str, size: int, seed: int) -> Iterator[str]:
    rng = random.Random(seed)
    while True:
        yield "".join(rng.choice(cells) for _ in range(size))


def positions(
    name: str, native: type[GridPosition], rows: int, cols: int, cells: str, facts: dict[str, str], *rest: int
) -> dict[str, Any]:
    """Random positions of one game."""
    count, asked, seed = rest
    game = ludisect.load(name)
    found = operators(game)
    search = LocalSearch()
    spent = dict.fromkeys(("rules", "native", "winners", "whole"), 0.0)
    equal = signs = wholes = 0
    drawn = boards(cells, rows * cols, seed)
    for k in range(count):
        text = next(drawn)
        held = [facts[x].format(r=i // cols + 1, c=i % cols + 1) for i, x in enumerate(text) if x in facts]
        begin = time.process_time()
        regions = found.regions(game.state([f"(control {game.roles[k % 2]})", *held]))
        with using(SearchLimits(regions_plain=0)):
            value = sum((region.value for region in regions), number(0))
        middle = time.process_time()
        expected = search.value(native("|".join(text[i : i + cols] for i in range(0, len(text), cols))))
        spent["native"] += time.process_time() - middle
        spent["rules"] += middle - begin
        equal += value == expected
        if k < asked:
            state = game.state([f"(control {game.roles[k % 2]})", *held])
            begin = time.process_time()
            player = found.mover(state)
            wins = outcome(regions, player).winner is player
            middle = time.process_time()
            goal = ludisect.solve(state, by="whole").value[game.roles[k % 2]]
            spent["whole"] += time.process_time() - middle
            spent["winners"] += middle - begin
            signs += wins == (not value <= 0 if player is Player.LEFT else not value >= 0)
            wholes += wins == (goal == 100)
    asked = min(asked, count)
    print(
        f"{name:26} {count:6} {equal:6} {spent['rules']:8.2f} {spent['native']:9.2f} {asked:9} {signs:8} {wholes:9} "
        f"{spent['winners']:8.2f} {spent['whole']:8.2f}",
        flush=True,
    )
    return {
        "game": name, "values": count, "equal": equal, "winners": asked, "by_sign": signs, "by_whole": wholes,
        "seconds": {k: round(v, 3) for k, v in spent.items()},
    }  # fmt: skip


@jit("int64(int64[::1], int64[::1], int64, int64)", small=never)
def split_often(o, s, to, times):  # type: ignore[no-untyped-def]
    """Make every move in the region at the bottom of the stack, settle and split, so many times; how often in all."""
    count = 0
    for _ in range(times):
        for i in range(s[N]):
            r = s[OPS + i]
            if fits(o, s, 0, r):
                split_after(o, s, 0, r, to)
                count += 1
    return count


def settling(name: str, rows: int, cols: int, facts: dict[str, str], cells: str, seed: int) -> dict[str, Any]:
    """Microseconds to make a move, settle and split, in one region of a hundred random positions each."""
    game, found = _fresh(name)
    drawn = boards(cells, rows * cols, seed)
    spent, count = 0.0, 0
    for _ in range(100):
        text = next(drawn)
        held = [facts[x].format(r=i // cols + 1, c=i % cols + 1) for i, x in enumerate(text) if x in facts]
        for region in found.regions(game.state([f"(control {game.roles[0]})", *held])):
            book = book_of(region)
            stack = np.concatenate([book.frame, np.zeros(20 * (OPS + book.most), np.int64)])
            begin = time.process_time()
            count += split_often(book.words, stack, book.frame.size, 200)
            spent += time.process_time() - begin
    each = 1e6 * spent / count
    print(f"settle and split {name:16} {each:.2f} µs after each of {count} moves", flush=True)
    return {"game": name, "microseconds": each, "moves": count}


def _timed(name: str, does: Any) -> tuple[float | None, Any]:
    begin = time.process_time()
    try:
        found = does()
    except BudgetExceeded:
        return None, None
    return time.process_time() - begin, found


def _shown(seconds: float | None) -> str:
    return "-" if seconds is None else f"{seconds:.2f}"


def _fresh(name: str) -> tuple[Game, Operators]:
    game = ludisect.load(name)
    return game, operators(game)


def canonical(name: str, seconds: float) -> dict[str, Any]:
    """The canonical value of an empty board, from the rules and by the native ruleset."""
    game, found = _fresh(name)
    whole = found.whole(game.start)
    rules, value = _timed(name, lambda: _value(found, whole, seconds))
    kind, size = name.split(":")
    native, expected = _timed(name, lambda: LocalSearch(seconds=seconds).value(ludisect.position(f"{kind} {size}")))
    same = "" if value is None or expected is None else "equal" if value == expected else "DIFFERENT"
    print(f"value of {name:18} rules {_shown(rules):>7} s   native {_shown(native):>7} s   {same}", flush=True)
    return {"game": name, "rules": rules, "native": native, "equal": same == "equal"}


def _value(found: Operators, whole: Region, seconds: float) -> Value:
    return found.values.value(whole, seconds=seconds) if whole.fits_compiled else whole.value


def winners(name: str, seconds: float) -> dict[str, Any]:
    """Who wins an empty board from the rules, either side beginning, and the search of the whole."""
    times, nodes, letters = [], [], []
    for player in Player:
        game, found = _fresh(name)  # with empty tables
        spent, contest = _timed(name, lambda g=game, f=found, p=player: outcome(f.regions(g.start), p, seconds=seconds))
        times.append(spent)
        nodes.append(None if contest is None else contest.nodes)
        letters.append("?" if contest is None else contest.winner.value)
    whole, _ = _timed(name, lambda: ludisect.solve(game, by="whole", seconds=seconds))
    shown = " / ".join(f"{_shown(t)} s, {n} nodes, {x} wins" for t, n, x in zip(times, nodes, letters, strict=True))
    print(f"winner of {name:22} {shown}   whole {_shown(whole)} s", flush=True)
    return {"game": name, "seconds": times, "nodes": nodes, "winners": letters, "whole": whole}


if __name__ == "__main__":
    main()
