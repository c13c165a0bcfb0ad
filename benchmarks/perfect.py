"""Perfect where theory is: Nim and Kayles from won starts, and Domineering from the moment its sum is solved.

    python benchmarks/perfect.py --games 20 --clock 1 --processor
    python benchmarks/perfect.py --domineering 8x8 --clock 1 --games 4 --processor

Heaps of Nim and rows of Kayles are drawn at random until the first player wins by the theory of the ruleset itself
(nimbers that this module computes by their definition). The player ``parts`` begins; its opponents are ``random`` and
``parts`` in turn, at the same clock: by the wall, or with ``--processor`` by the processor time of this process, so
that other work on the machine changes nothing. Every lost match is printed; there should be none.

Domineering: ``parts`` against ``random`` and ``tree`` in turn, both sides. From the first move that ``parts`` calls
exact and won, each of its moves is replayed by the native ruleset, which plays the board out by a search of its own:
the move must leave a position that the opponent, to move, loses. What that search does not decide in ``--check``
seconds counts as unchecked.
"""

from __future__ import annotations

import argparse
import random
import time
from functools import cache, reduce
from operator import xor
from pathlib import Path
from typing import Any

import results
from ludisect.circuit.game import Game
from ludisect.errors import BudgetExceeded
from ludisect.games.source import find_rules
from ludisect.gdl.state import State
from ludisect.loader import load
from ludisect.play.player import Assignment, GamePlayer
from ludisect.play.players import make_player
from ludisect.rulesets.position import Player
from ludisect.sums.decide import decide
from ludisect.sums.table import Sum
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


def loses(state: State[Game], rows: int, columns: int, player: Player, seconds: float) -> bool | None:
    """Whether a player, to move, loses, by the native ruleset; None if that is not decided in time."""
    try:
        return not decide(Sum(as_position(state, rows, columns)).components, player, seconds=seconds).wins
    except BudgetExceeded:
        return None


def one_board(options: argparse.Namespace, text: str, game: Game, number: int) -> dict[str, Any]:
    """One match: what ``parts`` knew of it, and what the ruleset says of the moves that it made since."""
    rows, columns = map(int, options.domineering.split("x"))
    rival = ("random", "tree")[number // 2 % 2]
    names = ("parts", rival) if number % 2 == 0 else (rival, "parts")
    seats = {
        role: seated(name, game, text, role, number, options.clock, options.clock)
        for role, name in zip(game.roles, names, strict=True)
    }
    ours = game.roles[names.index("parts")]
    rest = Player.RIGHT if ours == "vertical" else Player.LEFT
    state, known_at, won_at = game.start, None, None
    verdicts: list[bool | None] = []
    while not state.is_over:
        choices = {role: seat.choose(time.monotonic() + options.clock) for role, seat in seats.items()}
        mine, sure = ours in state.choosing, choices[ours].sure
        state = state.play({role: choice.move for role, choice in choices.items()})
        for seat in seats.values():
            seat.told(state.moves_made[-1])
        if not mine:
            continue
        if known_at is None and sure is not None:
            known_at = len(state.moves_made)
        if won_at is None and sure == 100:
            won_at = len(state.moves_made)
        if won_at is not None:
            verdicts.append(loses(state, rows, columns, rest, options.check))
    for seat in seats.values():
        seat.stop()
    return {
        "game": text, "role": ours, "against": rival, "known_at": known_at, "won_at": won_at,
        "moves": len(state.moves_made), "goal": state.goals[ours], "right": verdicts.count(True),
        "wrong": verdicts.count(False), "unchecked": verdicts.count(None),
    }  # fmt: skip


def domineering(options: argparse.Namespace) -> list[dict[str, Any]]:
    text, out = f"domineering:{options.domineering}", []
    game = load(text)
    for number in range(options.games):
        if time.perf_counter() > options.end:
            break
        out.append(one_board(options, text, game, number))
        told = "; ".join(
            f"{name} {value}" for name, value in out[-1].items() if name not in ("game", "role", "against")
        )
        print(f"{text} as {out[-1]['role']} against {out[-1]['against']}: {told}", flush=True)
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--clock", type=float, default=1.0, help="seconds for the start, and for each move")
    parser.add_argument("--domineering", metavar="ROWSxCOLUMNS", help="play this board instead")
    parser.add_argument("--check", type=float, default=60.0, help="seconds for the ruleset to replay one move there")
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
