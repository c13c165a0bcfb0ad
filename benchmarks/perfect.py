"""Perfect where theory is: Nim and Kayles from won starts, and Domineering from the moment its sum is solved.

    python benchmarks/perfect.py --games 20 --clock 1 --processor
    python benchmarks/perfect.py --domineering 8x8 --clock 1 --games 2

Heaps of Nim and rows of Kayles are drawn at random until the first player wins by the theory of the ruleset itself
(nimbers that this module computes by their definition). The player ``parts`` begins; its opponents are ``random`` and
``parts`` in turn, at the same clock: by the wall, or with ``--processor`` by the processor time of this process, so
that other work on the machine changes nothing. Every lost match is printed; there should be none.

Domineering: ``parts`` against ``tree`` on the whole board. From the first move that ``parts`` calls exact and won, each
of its moves is replayed by the native ruleset (``ludisect.solve`` of the position as a sum): it must leave a position
that the opponent, to move, loses.
"""

from __future__ import annotations

import argparse
import random
import time
from functools import cache, reduce
from operator import xor
from pathlib import Path
from typing import Any

import ludisect
import results
from ludisect.circuit.game import Game
from ludisect.games.source import find_rules
from ludisect.gdl.state import State
from ludisect.loader import load
from ludisect.play.player import Assignment, GamePlayer
from ludisect.play.players import make_player
from strength import by_processor_time


@cache
def kayles(pins: int) -> int:
    """The nimber of a row: a throw takes one pin or two neighbours."""
    after = {kayles(a) ^ kayles(pins - k - a) for k in (1, 2) if k <= pins for a in range(pins - k + 1)}
    return next(n for n in range(len(after) + 1) if n not in after)


def won_start(kind: str, draw: random.Random) -> str:
    """A game whose first player wins."""
    while True:
        sizes = [draw.randint(3, 30 if kind == "nim" else 16) for _ in range(draw.randint(2, 4))]
        nimbers = sizes if kind == "nim" else map(kayles, sizes)
        if reduce(xor, nimbers):
            return f"{kind}:{','.join(map(str, sizes))}"


def seated(name: str, game: Game, text: str, role: str, seed: int, start: float, clock: float) -> GamePlayer:
    player = make_player(name)
    seat = Assignment(find_rules(text), role, start, clock, seed=seed, game=game)
    player.start(seat, time.monotonic() + start)
    return player


def last_mover_wins(options: argparse.Namespace) -> list[dict[str, Any]]:
    draw = random.Random(options.seed)
    rows: list[dict[str, Any]] = []
    for number in range(options.games):
        for kind in ("nim", "kayles"):
            text, rival = won_start(kind, draw), ("random", "parts")[number % 2]
            if time.perf_counter() > options.end:
                continue
            game = load(text)
            names = dict(zip(game.roles, ("parts", rival), strict=True))
            seats = {r: seated(n, game, text, r, number, options.clock, options.clock) for r, n in names.items()}
            state = game.start
            while not state.is_over:
                joint = {role: seat.choose(time.monotonic() + options.clock).move for role, seat in seats.items()}
                state = state.play(joint)
                for seat in seats.values():
                    seat.told(joint)
            for seat in seats.values():
                seat.stop()
            won = state.goals[game.roles[0]] == 100
            rows.append({"game": text, "against": rival, "won": won, "moves": len(state.moves_made)})
            print(
                f"{text:24} against {rival:7} {'won' if won else 'LOST'} in {len(state.moves_made)} moves", flush=True
            )
    print(f"{sum(bool(row['won']) for row in rows)} of {len(rows)} won")
    return rows


# ---- Domineering ----------------------------------------------------------------------------------------------------


def as_position(state: State[Game], rows: int, columns: int) -> str:
    """The empty squares of a state, as the native ruleset reads them: a dot for each, # for covered ones."""
    empty = {tuple(int(str(x)) for x in f.args) for f in state.fluents if f.name == "free"}
    text = "|".join("".join("." if (r, c) in empty else "#" for c in range(1, columns + 1)) for r in range(1, rows + 1))
    return f"domineering {text}"


def domineering(options: argparse.Namespace) -> list[dict[str, Any]]:
    rows, columns = map(int, options.domineering.split("x"))
    text, out = f"domineering:{options.domineering}", []
    game = load(text)
    for number in range(options.games):
        if time.perf_counter() > options.end:
            break
        names = ("parts", "tree") if number % 2 == 0 else ("tree", "parts")
        seats = {
            r: seated(n, game, text, r, number, options.clock, options.clock)
            for r, n in zip(game.roles, names, strict=True)
        }
        state, solved, wrong = game.start, None, 0
        ours = game.roles[names.index("parts")]
        while not state.is_over:
            choices = {role: seat.choose(time.monotonic() + options.clock) for role, seat in seats.items()}
            joint = {role: choice.move for role, choice in choices.items()}
            mine = ours in state.choosing
            state = state.play(joint)
            for seat in seats.values():
                seat.told(joint)
            if mine and solved is None and choices[ours].certain and "worth 100" in choices[ours].why:
                solved = len(state.moves_made)
            if mine and solved is not None and not state.is_over:
                answer = ludisect.solve(as_position(state, rows, columns))
                other = "right" if ours == "vertical" else "left"
                wrong += answer.value[other] != 0
        for seat in seats.values():
            seat.stop()
        row = {"solved_at": solved, "moves": len(state.moves_made), "goal": state.goals[ours], "wrong": wrong}
        out.append({"game": text, "role": ours, **row})
        print(f"{text} as {ours}: {row}", flush=True)
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--clock", type=float, default=1.0, help="seconds for the start, and for each move")
    parser.add_argument("--domineering", metavar="ROWSxCOLUMNS", help="play this board instead")
    parser.add_argument("--processor", action="store_true", help="clocks count processor time")
    parser.add_argument("--minutes", type=float, default=1e6, help="after which no match is begun")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    options.end = time.perf_counter() + 60 * options.minutes
    if options.processor:
        by_processor_time()
    rows = domineering(options) if options.domineering else last_mover_wins(options)
    if options.json:
        results.write(options.json, rows)


if __name__ == "__main__":
    main()
