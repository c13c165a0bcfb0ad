"""Playouts from given states: million plays per second on one core, beside plays from the start in the same run.

    python benchmarks/fromstates.py                                 # bundled games
    python benchmarks/fromstates.py --corpus GAMES --games connectFour reversi

The states are from the first two thirds of random plays, at all turns mixed: 512 of them, 2048, and 512 with eight
plays each. A call is measured by the processor time it takes, the best of several. What is lost against plays from the
start is that a call waits for its longest play; plays from the middle are shorter, so a ratio can be above 1.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

import results
from ludisect.circuit.game import Game
from ludisect.circuit.record import plays
from ludisect.circuit.rows import Rows
from ludisect.loader import load
from playouts import BUNDLED

SHAPES = ((512, 1), (2048, 1), (512, 8))


def middle(game: Game, seed: int) -> Rows:
    """States from the first two thirds of random plays."""
    length = game.playouts.run(2000, seed=seed).mean_length
    steps = [states for states, _, _ in plays(game, 512, seed=seed)]
    return np.concatenate(steps[: max(1, round(length * 2 / 3))])


def from_states(game: Game, states: Rows, n: int, each: int, calls: int) -> float:
    """Plays per second of the best call."""
    draw = np.random.default_rng(0)
    best = 0.0
    for seed in range(calls):
        under_way = game.playouts.plays_from(states[draw.integers(0, len(states), n)], each, seed=seed)
        begin = time.process_time()
        under_way.run()
        best = max(best, n * each / (time.process_time() - begin))
    return best


def from_start(game: Game, calls: int) -> float:
    """Plays per second of ``run``, in windows of about a tenth of a second."""
    plays_ = int(2e7 / (1 + game.playouts.run(2000).mean_length))
    best = 0.0
    for seed in range(calls):
        begin = time.process_time()
        game.playouts.run(plays_, seed=seed)
        best = max(best, plays_ / (time.process_time() - begin))
    return best


def main() -> None:
    """Measure, print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, help="folder of rule sheets")
    parser.add_argument("--games", nargs="*", help="only these")
    parser.add_argument("--calls", type=int, default=10, help="of each kind; the best counts")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    rows = []
    print(f"{'game':26}{'from the start':>15}" + "".join(f"{f'{n} x {k}':>12}{'ratio':>7}" for n, k in SHAPES))
    for name in options.games or BUNDLED:
        sheet = options.corpus / f"{name}.kif" if options.corpus else None
        game = load(sheet if sheet is not None and sheet.exists() else name)
        states = middle(game, 1)
        game.playouts.plays_from(states, 40).run()  # machine code is there from here on
        start = from_start(game, max(2, options.calls // 3))
        found = {f"{n} x {k}": from_states(game, states, n, k, options.calls) for n, k in SHAPES}
        rows.append({"game": name, "start": start, **found})
        print(f"{name:26}{start / 1e6:15.2f}" + "".join(f"{x / 1e6:12.2f}{x / start:7.2f}" for x in found.values()),
              flush=True)  # fmt: skip
    if options.json:
        results.write(options.json, rows)


if __name__ == "__main__":
    main()
