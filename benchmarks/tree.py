"""Tree search on lanes: simulations per second with the share of each step, and strength at equal clocks.

    python benchmarks/tree.py --corpus GAMES --json tree.json
    python benchmarks/tree.py --corpus GAMES --games connectFour breakthrough --against sequential leaves --matches 100

Simulations are counted from the start position on one core, by processor time, after a warm-up; the columns beside them
are what a feasibility study with a prototype reached (one core with 512-bit registers, November 2026).

A pairing is played in pairs of matches from the same random opening of two moves, sides swapped; both players have the
same processor time for each move. ``sequential`` is the same search with one play in flight, ``leaves`` with 512 plays
from one leaf at a time, ``policy`` with plays that prefer moves that did well in the tree, ``uniform`` with plays that
overlook moves that win at once. A match is stopped when a tree has proved its outcome, or after ``--length`` moves
(then it counts one half). The score has a 95 % interval.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from pathlib import Path
from typing import Any

import results
from ludisect.circuit.game import Game
from ludisect.gdl import State
from ludisect.loader import load
from ludisect.play.tree import TreeSearch
from ludisect.play.tree import fields as f
from ludisect.play.tree.limits import TreeLimits

PROTOTYPE = {
    "ticTacToe": 1387,
    "connectFour": 948,
    "breakthroughSmall": 1056,
    "breakthrough": 618,
    "hex:5": 550,
    "reversi": 331,
    "amazons_8x8": 129,
    "checkersSmall_v1": 262,
    "dualConnect4": 656,
    "blockerParallel": 424,
}
"""Thousand simulations a second, 512 leaves in flight."""

BUNDLED = ("tictactoe", "connect-four", "breakthrough", "hex:5", "reversi:8", "tron", "rock-paper-scissors")

RIVALS = {
    "sequential": TreeLimits(tree_leaves=1, tree_plays=1, tree_most_plays=1),
    "leaves": TreeLimits(tree_leaves=1, tree_plays=512, tree_most_plays=512),
    "policy": TreeLimits(tree_policy=1),
    "uniform": TreeLimits(tree_decisive=0),
    "tree": TreeLimits(),
}


def find(name: str, corpus: Path | None) -> Game:
    """A rule sheet of the corpus, else a bundled game."""
    sheet = corpus / f"{name}.kif" if corpus else None
    return load(sheet if sheet is not None and sheet.exists() else name)


def cpu(seconds: float) -> Any:
    """An end of a search: so much processor time from now."""
    end = time.process_time() + seconds
    return lambda: time.process_time() >= end


# ---- speed ----------------------------------------------------------------------------------------------------------


def measure(game: Game, seconds: float, windows: int) -> dict[str, Any]:
    """The best window: simulations a second, and the share of each step."""
    best: dict[str, Any] = {"simulations": 0.0}
    search = TreeSearch(game, seed=1)
    search.search(game.start, visits=2000)
    for window in range(windows):
        search = TreeSearch(game, seed=window)
        search.look_at(game.start)
        begin = time.process_time()
        while time.process_time() - begin < seconds:
            found = search.search(until=cpu(seconds - (time.process_time() - begin)))
            if found.proved:
                break
        spent = time.process_time() - begin
        (tree,) = search._trees
        if found.visits / spent > best["simulations"]:
            shares = tree.clocks / max(1, int(tree.clocks.sum()))
            best = {
                "simulations": found.visits / spent,
                "plays": int(tree.count[f.LANDED]) / spent,
                "nodes": found.nodes,
                "proved": found.proved,
                "shares": dict(zip(f.STEPS, shares.tolist(), strict=True)),
            }
    return best


def speed(options: argparse.Namespace) -> list[dict[str, Any]]:
    """The table of simulations a second."""
    names = options.games or list(PROTOTYPE if options.corpus else BUNDLED)
    rows = []
    print(f"{'game':22}{'k simulations/s':>16}{'prototype':>11}{'ratio':>7}{'k plays/s':>11}{'nodes':>9}  "
          + " / ".join(f.STEPS))  # fmt: skip
    for name in names:
        found = measure(find(name, options.corpus), options.seconds, options.windows)
        row = {"game": name, **found, "prototype": PROTOTYPE.get(name)}
        rows.append(row)
        known = PROTOTYPE.get(name)
        beside = f"{known:11}{found['simulations'] / 1e3 / known:7.2f}" if known else f"{'':18}"
        print(
            f"{name:22}{found['simulations'] / 1e3:16.0f}{beside}{found['plays'] / 1e3:11.0f}{found['nodes']:9}  "
            + " ".join(f"{share:.2f}" for share in found["shares"].values())
            + ("  (proved)" if found["proved"] else ""),
            flush=True,
        )
    return rows


# ---- strength -------------------------------------------------------------------------------------------------------


def opening(game: Game, draw: random.Random) -> State[Game]:
    """The state after two random moves, not over yet."""
    state = game.start
    for _ in range(2):
        state = state.play({role: draw.choice(moves) for role, moves in state.legal.items()})
    return opening(game, draw) if state.is_over else state


def match(
    game: Game, state: State[Game], sides: dict[str, TreeSearch], seconds: float, length: int
) -> dict[str, float]:
    """The goals of one match; each role's search goes along with it."""
    for search in set(sides.values()):
        search.look_at(state)
    for _ in range(length):
        moves = {}
        for role, search in sides.items():
            if role in state.choosing:
                found = search.search(state, until=cpu(seconds))
                moves[role] = found.moves[role]
                if found.proved:
                    return dict(found.goals)
            else:
                moves[role] = state.legal[role][0]
        state = state.play(moves)
        if state.is_over:
            return {role: float(goal or 0) for role, goal in state.goals.items()}
        for search in sides.values():
            search.advance(moves)
    return dict.fromkeys(game.roles, 50.0)


def pairing(game: Game, first: TreeLimits, second: TreeLimits, options: argparse.Namespace) -> tuple[list[float], Any]:
    """The scores of the first against the second, from 0 to 1, and seconds that each used per move."""
    draw = random.Random(options.seed)
    players = [TreeSearch(game, seed=1, limits=first), TreeSearch(game, seed=2, limits=second)]
    for search in players:
        search.search(game.start, visits=50)
    scores: list[float] = []
    while len(scores) < options.matches:
        state = opening(game, draw)
        for swapped in (False, True):
            order = players[::-1] if swapped else players
            sides = dict(zip(game.roles, order, strict=True))
            goals = match(game, state, sides, options.clock, options.length)
            ours = goals[game.roles[1 if swapped else 0]]
            scores.append(ours / 100)
    return scores, None


def interval(scores: list[float]) -> tuple[float, float]:
    """Mean and half the width of its 95 % interval."""
    n = len(scores)
    mean = sum(scores) / n
    variance = sum((score - mean) ** 2 for score in scores) / max(1, n - 1)
    return mean, 1.96 * math.sqrt(max(variance, 0.25 / n / n) / n)


def strength(options: argparse.Namespace) -> list[dict[str, Any]]:
    """The table of pairings."""
    rows = []
    print(f"{'game':22}{'against':12}{'s a move':>9}{'matches':>9}{'score':>8}{'±':>7}")
    for name in options.games or ("connectFour", "breakthrough", "hex:5", "reversi"):
        game = find(name, options.corpus)
        for rival in options.against:
            scores, _ = pairing(game, RIVALS["tree"], RIVALS[rival], options)
            mean, half = interval(scores)
            rows.append({"game": name, "against": rival, "clock": options.clock, "scores": scores, "mean": mean})
            print(f"{name:22}{rival:12}{options.clock:9}{len(scores):9}{mean:8.3f}{half:7.3f}", flush=True)
    return rows


def main() -> None:
    """Measure speed, or strength if rivals are named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, help="folder of rule sheets")
    parser.add_argument("--games", nargs="*", help="only these")
    parser.add_argument("--seconds", type=float, default=0.5, help="processor time of a window")
    parser.add_argument("--windows", type=int, default=3)
    parser.add_argument("--against", nargs="+", choices=sorted(RIVALS), help="play matches against these instead")
    parser.add_argument("--matches", type=int, default=100, help="of each pairing")
    parser.add_argument("--clock", type=float, default=0.2, help="processor time for a move")
    parser.add_argument("--length", type=int, default=300, help="moves after which a match is stopped")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    rows = strength(options) if options.against else speed(options)
    if options.json:
        results.write(options.json, rows)


if __name__ == "__main__":
    main()
