"""Puzzles: seconds to the best score by parts and without, and which puzzles of a folder are solved in 10 and in 60 s.

    python benchmarks/puzzles.py GAMES --json puzzles.json
    python benchmarks/puzzles.py GAMES --table --seconds 60 --json table.json
    python benchmarks/puzzles.py nonogram:1 nonogram:2 --json nonograms.json

The first compares ways on the same loaded game, by processor time, each with ``--limit`` seconds: *parts* (decompose
and solve: what the player tries first), *pipeline* (breadth first, best first and nested plays in turns, on the whole
game), *broad* (breadth first alone) and *tree* (the tree search on lanes, until it has proved a perfect play). A dash
means not within the limit. ``nonogram:SEED`` is a random nonogram of 5x5 that this module writes as a rule sheet.

``--table`` starts the player ``parts`` on every one-player game of the folder with a start clock of ``--seconds`` and
asks when it had a play with the best goal that the rules know, by the clock and by processor time; with ``--processor``
the clock itself counts processor time, so that what else the machine does is left out.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import results
from ludisect import clock
from ludisect.circuit.game import Game
from ludisect.decomposition.methods import decompose
from ludisect.errors import LudisectError
from ludisect.gdl import Interpreter, read_file
from ludisect.gdl.reader import read
from ludisect.gdl.terms import Rules
from ludisect.loader import load
from ludisect.play.byparts import PartsPlayer
from ludisect.play.player import Assignment
from ludisect.play.puzzle.broad import BroadSearch
from ludisect.play.puzzle.puzzle import Puzzle
from ludisect.play.tree import TreeSearch
from ludisect.search.solve import solve
from ludisect.search.whole.whole import goal_bounds
from strength import by_processor_time

COMPARED = (
    "incredible", "nonogram_5x5_1", "lightsOnParallel", "lightsOn", "asteroidsParallel", "asteroidsSerial",
    "blocksWorldParallel", "futoshiki4", "hidato19", "sudokuGrade1",
)  # fmt: skip
MEMORY = 2 * 2**30


# ---- nonograms -------------------------------------------------------------------------------------------------------


def nonogram(seed: int, size: int = 5) -> str:
    """A random nonogram as a rule sheet: cells are marked one by one, and the play ends when as many are marked as the
    clues tell; the score is 100 if all clues are right."""
    draw = random.Random(seed)
    cells = [[draw.random() < 0.55 for _ in range(size)] for _ in range(size)]
    lines = ["(role robot)", "(init (step 0))"]
    total = sum(map(sum, cells))
    lines += [f"(next-step {k} {k + 1})" for k in range(total)]
    lines += [f"(cell-at {r} {c})" for r in range(size) for c in range(size)]
    lines += [
        "(<= (legal robot (mark ?r ?c)) (cell-at ?r ?c) (not (true (on ?r ?c))))",
        "(<= (next (on ?r ?c)) (does robot (mark ?r ?c)))",
        "(<= (next (on ?r ?c)) (true (on ?r ?c)))",
        "(<= (next (step ?t)) (true (step ?s)) (next-step ?s ?t))",
        f"(<= terminal (true (step {total})))",
        "(<= (base (on ?r ?c)) (cell-at ?r ?c))",
    ]
    goal = []
    for name, some in (("row", cells), ("column", [list(x) for x in zip(*cells, strict=True)])):
        for k, line in enumerate(some):
            fits = [
                way for way in range(2**size) if clue(way, size) == clue(sum(b << i for i, b in enumerate(line)), size)
            ]
            for way in fits:
                body = " ".join(
                    literal if way >> i & 1 else f"(not {literal})"
                    for i in range(size)
                    for literal in [f"(true (on {k} {i}))" if name == "row" else f"(true (on {i} {k}))"]
                )
                lines.append(f"(<= ({name}-right {k}) {body})")
            goal.append(f"({name}-right {k})")
    lines.append(f"(<= perfect {' '.join(goal)})")
    lines += ["(<= (goal robot 100) perfect)", "(<= (goal robot 0) (not perfect))"]
    return "\n".join(lines)


def clue(way: int, size: int) -> tuple[int, ...]:
    """The lengths of the runs of a line."""
    text = "".join("x" if way >> i & 1 else " " for i in range(size))
    return tuple(map(len, text.split()))


# ---- ways ------------------------------------------------------------------------------------------------------------


def by_parts(game: Game, limit: float) -> tuple[int | None, str]:
    try:
        parts = decompose(game, seconds=limit)
        answer = solve(parts, seconds=limit, memory=MEMORY)
    except LudisectError:
        return None, "no answer"
    value = answer.value[game.roles[0]]
    return (None if value is None else int(value)), answer.algorithm


def by_pipeline(game: Game, limit: float) -> tuple[int | None, str]:
    puzzle = Puzzle(game)
    puzzle.run(seconds=limit)
    return (puzzle.best.goal, puzzle.best.how) if puzzle.best else (None, "no play")


def by_breadth(game: Game, limit: float) -> tuple[int | None, str]:
    search = BroadSearch(game, game.batch.initial, int(goal_bounds(game)[1][0]), MEMORY)
    end = time.process_time() + limit
    while not search.over and time.process_time() < end:
        search.run(clock.now() + 0.2)
    return (search.best.goal if search.best else None), f"{search.looked:,} states"


def by_tree(game: Game, limit: float) -> tuple[int | None, str]:
    search = TreeSearch(game, seed=1)
    end = time.process_time() + limit
    found = search.search(game.start, until=lambda: time.process_time() >= end)
    return (int(found.goals[game.roles[0]]) if found.proved else None), f"{found.visits:,} simulations"


WAYS: dict[str, Callable[[Game, float], tuple[int | None, str]]] = {
    "parts": by_parts,
    "pipeline": by_pipeline,
    "broad": by_breadth,
    "tree": by_tree,
}


def compared(options: argparse.Namespace) -> list[dict[str, Any]]:
    names = options.only or (COMPARED if isinstance(options.games[0], Path) else [])
    sheets = [text for text in options.sheets if text.startswith("nonogram:")] or names
    rows = []
    print(f"{'puzzle':22}" + "".join(f"{way:>11}" for way in options.ways) + "   pipeline / parts, tree / parts")
    for name in sheets:
        row: dict[str, Any] = {"game": name}
        for way in options.ways:
            game = load(read(nonogram(int(name[9:])))) if name.startswith("nonogram:") else load(sheet(options, name))
            perfect = int(goal_bounds(game)[1][0])
            if way == "tree":  # its kernels, and what is made once
                TreeSearch(game).search(game.start, visits=1)
            begin = time.process_time()
            goal, how = WAYS[way](game, options.limit)
            row[way] = {"seconds": time.process_time() - begin, "goal": goal, "how": how, "solved": goal == perfect}
        rows.append(row)
        told = "".join(f"{row[way]['seconds']:10.3f}s" if row[way]["solved"] else f"{'—':>11}" for way in options.ways)
        print(f"{name:22}{told}   {ratio(row, 'pipeline')}, {ratio(row, 'tree')}", flush=True)
    return rows


def ratio(row: dict[str, Any], way: str) -> str:
    """How many times as long as by parts; at least so many where the limit came first."""
    if way not in row or "parts" not in row or not row["parts"]["solved"]:
        return "—"
    times = row[way]["seconds"] / max(1e-3, row["parts"]["seconds"])
    return f"{'' if row[way]['solved'] else '> '}{times:.3g}"


def sheet(options: argparse.Namespace, name: str) -> Path:
    return Path(options.sheets[0]) / f"{name}.kif"


# ---- every puzzle ----------------------------------------------------------------------------------------------------


def puzzles(folder: Path) -> list[tuple[str, Rules]]:
    """The sheets of one role."""
    out = []
    for path in sorted(folder.glob("*.kif")):
        try:
            rules = read_file(path)
            if len(Interpreter(rules).roles) == 1:
                out.append((path.stem, rules))
        except LudisectError:
            continue
    return out


def tried(rules: Rules, seconds: float) -> dict[str, Any]:
    """Start a player on a puzzle: what it had found, and when."""
    begin, work = time.monotonic(), time.process_time()
    try:
        game = load(rules, memory=MEMORY)
    except LudisectError as error:
        return {"solved": False, "why": f"not built: {error}"}
    perfect, built = int(goal_bounds(game)[1][0]), time.monotonic() - begin
    player = PartsPlayer()
    player.start(Assignment(rules, game.roles[0], seconds, 1.0, game=game), begin + seconds)
    solo = player._solo
    best = None if solo is None else solo.puzzle.best
    player.stop()
    return {
        "solved": best is not None and best.goal >= perfect,
        "goal": None if best is None else best.goal,
        "certain": solo is not None and solo.certain,
        "perfect": perfect,
        "moves": None if best is None else len(best.moves),
        "how": "" if best is None else best.how,
        "built": built,
        "seconds": time.monotonic() - begin,
        "cpu": time.process_time() - work,
    }


def table(options: argparse.Namespace) -> list[dict[str, Any]]:
    rows = []
    for name, rules in puzzles(Path(options.sheets[0])):
        if options.only and name not in options.only:
            continue
        row = {"game": name, **tried(rules, options.seconds)}
        rows.append(row)
        if "why" in row:
            print(f"{name:36} {row['why']}", flush=True)
            continue
        told = (
            "solved"
            if row["solved"]
            else f"{row['goal']} of {row['perfect']}" + (", nothing is better" if row["certain"] else "")
        )
        print(f"{name:36} {told:12} {row['seconds']:6.1f} s, {row['cpu']:6.1f} s of CPU  {row['how']}", flush=True)
    for limit in (10, 60):
        done = sum(row["solved"] and row["seconds"] <= limit for row in rows)
        print(f"solved within {limit} s: {done} of {len(rows)}")
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sheets", nargs="+", help="a folder of rule sheets, or nonogram:SEED…")
    parser.add_argument("--only", nargs="*", help="only these games of the folder")
    parser.add_argument("--ways", nargs="+", choices=sorted(WAYS), default=[*WAYS])
    parser.add_argument("--limit", type=float, default=60.0, help="processor seconds of a way")
    parser.add_argument("--table", action="store_true", help="every puzzle of the folder, by the player")
    parser.add_argument("--seconds", type=float, default=60.0, help="start clock of the player")
    parser.add_argument("--processor", action="store_true", help="clocks count processor time")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    if options.processor:
        by_processor_time()
    options.games = [Path(text) for text in options.sheets]
    rows = table(options) if options.table else compared(options)
    if options.json:
        results.write(options.json, rows)


if __name__ == "__main__":
    main()
