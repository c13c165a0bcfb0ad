"""Time by parts and time for the whole as the number of parts grows: tic-tac-toe boards, Nim heaps, groups of lamps.

    python benchmarks/growth.py --most 8 --seconds 20 --plot growth.svg --json growth.json

Cells are processor time. "Cut" is the decomposition of the loaded game with all its checks, "parts" the search by parts
after it, "whole" the search of all positions; "-" is a search that hit the limit (larger ones of its kind are then not
tried). The lines below each table say how much the searches grow with each part.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import results
from ludisect.circuit.game import Game
from ludisect.decomposition.methods import decompose
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.errors import BudgetExceeded
from ludisect.gdl.reader import read
from ludisect.kernels.workers import compile_all
from ludisect.loader import load
from ludisect.search.solve import solve

BOARDS = """
(role xplayer) (role oplayer) (plays xplayer x) (plays oplayer o) (follows xplayer oplayer) (follows oplayer xplayer)
(index 1) (index 2) (index 3) (content b) (content x) (content o)
(line 1 1 1 2 1 3) (line 2 1 2 2 2 3) (line 3 1 3 2 3 3) (line 1 1 2 1 3 1) (line 1 2 2 2 3 2) (line 1 3 2 3 3 3)
(line 1 1 2 2 3 3) (line 1 3 2 2 3 1)
(<= (base (cell ?b ?r ?c ?m)) (board ?b) (index ?r) (index ?c) (content ?m))
(<= (base (control ?p)) (role ?p))
(<= (input ?p (mark ?b ?r ?c)) (role ?p) (board ?b) (index ?r) (index ?c))
(<= (input ?p noop) (role ?p))
(<= (init (cell ?b ?r ?c b)) (board ?b) (index ?r) (index ?c))
(init (control xplayer))
(<= (legal ?p (mark ?b ?r ?c)) (true (control ?p)) (true (cell ?b ?r ?c b)) (not (closed ?b)))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (marked ?b ?r ?c) (does ?p (mark ?b ?r ?c)))
(<= (next (cell ?b ?r ?c ?m)) (does ?p (mark ?b ?r ?c)) (plays ?p ?m))
(<= (next (cell ?b ?r ?c ?m)) (true (cell ?b ?r ?c ?m)) (not (marked ?b ?r ?c)))
(<= (next (control ?q)) (true (control ?p)) (follows ?p ?q))
(<= (won ?b ?p) (plays ?p ?m) (line ?r1 ?c1 ?r2 ?c2 ?r3 ?c3)
    (true (cell ?b ?r1 ?c1 ?m)) (true (cell ?b ?r2 ?c2 ?m)) (true (cell ?b ?r3 ?c3 ?m)))
(<= (open ?b) (true (cell ?b ?r ?c b)))
(<= (closed ?b) (won ?b ?p))
(<= (closed ?b) (board ?b) (not (open ?b)))
(<= going (board ?b) (not (closed ?b)))
(<= terminal (not going))
(<= (points ?b ?p 2) (won ?b ?p))
(<= (points ?b ?q 0) (won ?b ?p) (follows ?p ?q))
(<= (points ?b ?p 1) (board ?b) (role ?p) (not (won ?b xplayer)) (not (won ?b oplayer)))
(<= (total 0 ?p 0) (role ?p))
(<= (total ?b ?p ?t) (previous ?a ?b) (total ?a ?p ?s) (points ?b ?p ?n) (plus ?s ?n ?t))
"""

LAMPS = """
(role presser) (lamp a) (lamp b) (lamp c) (lamp d)
(fades 4 3) (fades 3 2) (fades 2 1) (fades 1 0) (fades 0 0)
(<= (base (shines ?g ?x ?n)) (group ?g) (lamp ?x) (fades ?n ?m))
(<= (input presser (press ?g ?x)) (group ?g) (lamp ?x))
(<= (init (shines ?g ?x 0)) (group ?g) (lamp ?x))
(<= (legal presser (press ?g ?x)) (group ?g) (lamp ?x))
(<= (next (shines ?g ?x 4)) (does presser (press ?g ?x)))
(<= (next (shines ?g ?x ?m)) (true (shines ?g ?x ?n)) (fades ?n ?m) (not (does presser (press ?g ?x))))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9) (succ 9 10)
(succ 10 11) (succ 11 12) (succ 12 13) (succ 13 14) (succ 14 15) (succ 15 16)
(base (turn 0)) (<= (base (turn ?n)) (succ ?m ?n)) (init (turn 0))
(<= (next (turn ?n)) (true (turn ?m)) (succ ?m ?n))
(<= (dark ?g) (true (shines ?g ?x 0)))
(<= won (group ?g) (not (dark ?g)))
(<= terminal won) (<= terminal (true (turn 16)))
(<= (goal presser 100) won) (<= (goal presser 0) (not won))
"""


def boards(n: int) -> Game:
    """n boards of tic-tac-toe, the mover picks one; whoever gets more points (two a win, one a draw) wins."""
    facts = [f"(board {b})\n(previous {b - 1} {b})" for b in range(1, n + 1)]
    facts += [f"(plus {s} {p} {s + p})" for s in range(2 * n + 1) for p in range(3) if s + p <= 2 * n]
    facts += [f"(worth {t} {0 if t < n else 50 if t == n else 100})" for t in range(2 * n + 1)]
    facts += [f"(<= (goal ?p ?v) (total {n} ?p ?t) (worth ?t ?v))"]
    return load(read(BOARDS + "\n".join(facts), name=f"tictactoe x {n}"))


def heaps(n: int) -> Game:
    """n Nim heaps of 5, 6, 7, 5, 6, 7, ..."""
    return load("nim:" + ",".join(str(5 + i % 3) for i in range(n)))


def lamps(n: int) -> Game:
    """n groups of four fading lamps; light up any one group within sixteen turns."""
    return load(read(LAMPS + "\n".join(f"(group {g})" for g in range(1, n + 1)), name=f"lamps x {n}"))


GAMES: dict[str, Callable[[int], Game]] = {"tic-tac-toe": boards, "nim": heaps, "lights-on": lamps}


LABELS = {"parts": "by parts", "whole": "whole"}


def measure(game: Game | Decomposition, by: str, seconds: float, memory: float) -> dict[str, Any]:
    """Solve once; None for seconds if a limit was hit."""
    begin = time.process_time()
    try:
        answer = solve(game, by, seconds=seconds, memory=memory)
    except BudgetExceeded as error:
        return {"seconds": None, "limit": str(error)}
    return {
        "seconds": time.process_time() - begin,
        "positions": answer.nodes,
        "value": dict(answer.value),
        "exact": answer.exact,
        "algorithm": answer.algorithm,
    }


def run(name: str, most: int, seconds: float, memory: float) -> dict[str, list[dict[str, Any]]]:
    """All cells of one game; prints them as they come."""
    rows: dict[str, list[dict[str, Any]]] = {"parts": [], "whole": []}
    given_up: set[str] = set()
    print(f"\n{name}\n{'n':>3}{'cut':>10}{'parts':>11}{'positions':>12}{'whole':>11}{'positions':>12}  value")
    for n in range(1, most + 1):
        game = GAMES[name](n)
        begin = time.process_time()
        parts = decompose(game) if "parts" not in given_up else None
        cut = time.process_time() - begin
        line = f"{n:3}" + (f"{cut:9.2f}s" if parts else f"{'-':>10}")
        values: list[dict[str, float | None]] = []
        for by in rows:
            cell: dict[str, Any] = {"seconds": None, "limit": "a smaller one hit it"}
            if by not in given_up:
                cell = measure(parts if by == "parts" and parts else game, by, seconds, memory)
            if by == "parts":
                cell["cut"] = cut
            if cell["seconds"] is None:
                given_up.add(by)
                line += f"{'-':>11}{'':12}"
            else:
                line += f"{cell['seconds']:10.3f}s{cell['positions']:12,}"
                values.append(cell["value"])
            rows[by].append(cell)
        if len(values) == 2 and values[0] != values[1]:
            raise SystemExit(f"{name} with {n} parts: {values[0]} by parts, {values[1]} whole")
        print(f"{line}  {next(iter(values[0].values())) if values else '-'}", flush=True)
        if len(given_up) == len(rows):
            break
    for by, cells in rows.items():
        print(f"  {by}: {_growth(cells)}")
    return rows


def _growth(cells: list[dict[str, Any]]) -> str:
    """How the positions looked at grow from two parts on: as a power of the parts, and by a factor per part."""
    sizes = [cell["positions"] for cell in cells[1:] if cell["seconds"] is not None]
    if len(sizes) < 2:
        return "too few cells to tell"
    most = len(sizes) + 1
    growth = math.log(sizes[-1] / sizes[0])
    power, factor = growth / math.log(most / 2), math.exp(growth / (most - 2))
    return f"from 2 to {most} parts positions grow as parts^{power:.2f}, or {factor:.2f} times per part"


def plot(cells: dict[str, dict[str, list[dict[str, Any]]]], path: Path, limit: float) -> None:
    """Seconds against parts, one panel per game, logarithmic; a curve ends where the limit was hit, marked hollow."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, panels = plt.subplots(1, len(cells), figsize=(4.2 * len(cells), 3.6), squeeze=False)
    for panel, (name, rows) in zip(panels[0], cells.items(), strict=True):
        for by, marker in (("parts", "o"), ("whole", "s")):
            points = [(n, c["seconds"]) for n, c in enumerate(rows[by], 1) if c["seconds"] is not None]
            (line,) = panel.plot([n for n, _ in points], [s for _, s in points], marker=marker, label=LABELS[by])
            if 0 < len(points) < len(rows[by]):
                last = points[-1]
                panel.plot(
                    [last[0], last[0] + 1], [last[1], limit],
                    color=line.get_color(), linestyle="--", marker="^", markevery=[1], fillstyle="none",
                )  # fmt: skip
            if by == "parts":
                cut = [c["cut"] + c["seconds"] for c in rows[by] if c["seconds"] is not None]
                panel.plot(range(1, len(cut) + 1), cut, linestyle=":", label="parts and decomposition")
        panel.set(title=name, xlabel="parts", yscale="log")
        panel.grid(visible=True, alpha=0.3)
    panels[0][0].set_ylabel("processor seconds")
    panels[0][0].legend()
    figure.tight_layout()
    figure.savefig(path)


def main() -> None:
    """Measure, print, draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", choices=[*GAMES, []], help="which games (all)")
    parser.add_argument("--most", type=int, default=8, help="parts")
    parser.add_argument("--seconds", type=float, default=20.0, help="limit per cell")
    parser.add_argument("--memory", type=float, default=4.0, help="GB per cell")
    parser.add_argument("--plot", type=Path, help="draw the figure here (SVG, PNG or PDF)")
    parser.add_argument("--json", type=Path, help="write the cells here")
    options = parser.parse_args()
    compile_all(["solve", "simulate"])
    for small in GAMES.values():  # what is left to load is loaded before anything is measured
        for by in ("parts", "whole"):
            measure(small(2), by, 5.0, options.memory * 2**30)
    cells = {name: run(name, options.most, options.seconds, options.memory * 2**30) for name in options.games or GAMES}
    if options.json:
        results.write(options.json, cells)
    if options.plot:
        plot(cells, options.plot, options.seconds)


if __name__ == "__main__":
    main()
