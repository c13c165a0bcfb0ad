"""Strength: players at equal clocks, sides swapped, with 95 % intervals; many matches side by side, resumable.

    python benchmarks/strength.py --matches 100 --log strength.jsonl --jobs 2 --json strength.json
    python benchmarks/strength.py --only parts:nim tree:hex --clock 0.1 --log strength.jsonl
    python benchmarks/strength.py --list

A pairing is two players on one game. Matches come in pairs: the same random opening of two moves, sides swapped. Both
players have the same *processor time* for the start and for each move, so other work on the machine changes nothing;
only one of them computes at a time (no player thinks in another's time). Every match is a line of ``--log``, and a
command with the same file takes up where the last was stopped; ``--minutes`` ends it in time. A match of more than
``--length`` moves counts one half.

A match ends early when both players know the result by proof (``Choice.sure``): the one to move says that it wins, and
the last word of the other was that it loses. The one who wins would have to forget the proof to lose all the same;
``--to-the-end`` plays on. The log keeps the first such word of each player, and when it was: so the table says how many
starts ``parts`` knew to be won or lost in theory, and how many of them it won.

``tree:…`` pairs the tree search on lanes with the same search that has one play in flight (``sequential``) or 512 plays
from one leaf (``leaves``); ``parts:…`` pairs the player ``parts`` with ``tree``, on compounds that ``compose`` makes,
on sums of small boards, on rule sheets of ``--sheets``, and on games that do not fall apart; there it must not be
weaker.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import results
from ludisect import clock
from ludisect.circuit.game import Game
from ludisect.composition.ondemand import compose
from ludisect.games.source import find_rules
from ludisect.gdl.terms import Rules
from ludisect.loader import load
from ludisect.play.player import Assignment, GamePlayer
from ludisect.play.players import make_player
from ludisect.play.score import interval
from ludisect.play.tree.limits import TreeLimits
from ludisect.settings import using

KINDS = {
    "tree": ("tree", TreeLimits()),
    "parts": ("parts", TreeLimits()),
    "sequential": ("tree", TreeLimits(tree_leaves=1, tree_plays=1, tree_most_plays=1)),
    "leaves": ("tree", TreeLimits(tree_leaves=1, tree_plays=512, tree_most_plays=512)),
}

WHOLE = {"connect-four": "connect-four", "breakthrough": "breakthrough", "hex": "hex:9", "reversi": "reversi:8"}

COMPOUNDS: dict[str, str | tuple[str, ...]] = {
    "connect-four+breakthrough": ("choice", "connect-four", "breakthrough:6x6"),
    "hex+hex": ("choice", "hex:5", "hex:5"),
    "hex*5": ("choice", "hex:4", "hex:4", "hex:4", "hex:4", "hex:4"),
    "connect-four+breakthrough+hex": ("choice", "connect-four", "breakthrough:6x6", "hex:5"),
    "serial": ("serial", "hex:5", "connect-four"),
    "serial-lines": ("serial", "tictactoe", "connect-four"),
    "sync": ("sync", "connect-four:5x5", "connect-four:5x5"),
    "at-once": ("sync", "tron:5x5", "tron:5x5"),
    "domineering": "domineering:4x4,4x4,4x5,5x4,3x5,5x3",
    "clobber": "clobber:3x4,3x4,3x3,3x3,2x4",
    "domineering*9": "domineering:4x4,4x3,3x4,4x4,3x3,3x4,4x3,4x4,2x4",
    "clobber*8": "clobber:3x4,4x3,3x3,3x3,2x4,4x2,3x3,2x5",
    "large-domineering": "domineering:4x5,5x5,5x4",
    "large-clobber": "clobber:4x4,3x5",
    "nim": "nim:21,26,31,33",
    "kayles": "kayles:9,14,17,20",
}
"""Bundled names, or what ``compose`` makes of several. Judging the large boards by regions takes longer than a short
move."""

FIRST_MOVES = 3
"""Moves that were made at most when both players have moved for the first time: two of the opening, and one."""


@dataclass(frozen=True)
class Pairing:
    """Two kinds of players on a game."""

    name: str
    game: str | tuple[str, ...]
    first: str
    second: str


def pairings(sheets: list[Path]) -> list[Pairing]:
    out = [Pairing(f"parts:{sheet.stem}", str(sheet), "parts", "tree") for sheet in sheets]
    out += [
        Pairing(f"tree:{name}:{rival}", game, "tree", rival)
        for name, game in WHOLE.items()
        for rival in ("sequential", "leaves")
    ]
    out += [Pairing(f"parts:{name}", game, "parts", "tree") for name, game in COMPOUNDS.items()]
    return out + [Pairing(f"parts:{name}", game, "parts", "tree") for name, game in WHOLE.items()]


@cache
def built(game: str | tuple[str, ...]) -> tuple[Rules, Game]:
    """Rules and circuit, once a process."""
    rules = find_rules(game) if isinstance(game, str) else compose(game[0], game[1:], by_order=True).rules
    return rules, load(rules)


def opening(game: Game, seed: int) -> list[dict[str, Any]]:
    """Two random joint moves, after which the play goes on."""
    draw = random.Random(seed)
    while True:
        state, made = game.start, []
        for _ in range(2):
            made.append({role: draw.choice(moves) for role, moves in state.legal.items()})
            state = state.play(made[-1])
            if state.is_over:
                break
        else:
            return made


def agreed_winner(game: Game, sure: dict[str, float | None]) -> str | None:
    """The role that gets the best goal, if the last words of both players are sure of it: it wins, the other loses."""
    for role, other in (game.roles, game.roles[::-1]):
        best = {r: max(value for k, value in game.goal_table if game.roles[k] == r) for r in game.roles}
        least = {r: min(value for k, value in game.goal_table if game.roles[k] == r) for r in game.roles}
        if sure.get(role) == best[role] and sure.get(other) == least[other]:
            return role
    return None


def by_processor_time() -> None:
    """From now on a second, to the players of this process, is a second of its processor time."""
    time.monotonic = time.process_time
    clock.now = time.process_time


def seat(kind: str, rules: Rules, game: Game, role: str, seed: int, start: float, move: float) -> GamePlayer:
    name, limits = KINDS[kind]
    player = make_player(name)
    with using(limits):
        player.start(Assignment(rules, role, start, move, seed=seed, game=game), time.monotonic() + start)
    return player


def held(pairing: Pairing, number: int, start: float, move: float, length: int, to_the_end: bool) -> dict[str, Any]:
    """One match: number 2k and 2k + 1 have the same opening."""
    by_processor_time()
    rules, game = built(pairing.game)
    swapped = bool(number % 2)
    kinds = (pairing.second, pairing.first) if swapped else (pairing.first, pairing.second)
    begun = opening(game, number // 2)
    spent: dict[str, list[float]] = {kind: [] for kind in kinds}
    said: dict[str, tuple[int, float]] = {}
    sure: dict[str, float | None] = {}
    won: str | None = None
    seats = {}
    for role, kind in zip(game.roles, kinds, strict=True):
        seats[role] = seat(kind, rules, game, role, number, start, move)
        for joint in begun:
            seats[role].told(joint)
    state = game.start.play_line(begun)
    for _ in range(length):
        if state.is_over:
            break
        joint = {}
        for (role, player), kind in zip(seats.items(), kinds, strict=True):
            before = time.process_time()
            choice = player.choose(before + move)
            joint[role] = choice.move
            if role in state.choosing:
                spent[kind].append(time.process_time() - before)
                sure[role] = choice.sure
            if choice.sure is not None:
                said.setdefault(kind, (len(state.moves_made), choice.sure))
        won = None if to_the_end else agreed_winner(game, sure)
        if won is not None:
            break
        state = state.play(joint)
        for player in seats.values():
            player.told(joint)
    for player in seats.values():
        player.stop()
    goals = [float(goal or 0) if state.is_over else 50.0 for goal in state.goals.values()]
    if not state.is_over and won is not None:
        goals = [100.0 * (role == won) for role in game.roles]
    ours, theirs = goals[::-1] if swapped else goals
    score = 0.5 if ours == theirs else float(ours > theirs)
    return {
        "pairing": pairing.name, "clock": move, "start": start, "number": number, "goals": goals, "score": score,
        "moves": len(state.moves_made), "over": state.is_over, "said": said,
        "seconds": {kind: round(sum(times) / max(1, len(times)), 4) for kind, times in spent.items()},
    }  # fmt: skip


def known(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


def missing(options: argparse.Namespace) -> Iterator[tuple[Pairing, int]]:
    """Matches that are not in the log, all pairings in turn."""
    done = {(row["pairing"], row["clock"], row["number"]) for row in known(options.log)}
    for number in range(0, options.matches, 2):
        for pairing in chosen(options):
            for k in (number, number + 1):
                if (pairing.name, options.clock, k) not in done:
                    yield pairing, k


def chosen(options: argparse.Namespace) -> list[Pairing]:
    return [
        p for p in pairings(options.sheets) if not options.only or any(p.name.startswith(text) for text in options.only)
    ]


def decided_starts(rows: list[dict[str, Any]], kind: str) -> dict[str, tuple[int, int]]:
    """Matches whose start a player knew by proof at its first move, won and lost in theory: (matches, its wins)."""
    known = [(row["said"][kind], row["score"]) for row in rows if kind in row["said"]]
    out = {}
    for name, value in (("won", 100), ("lost", 0)):
        scores = [score for (moves, sure), score in known if moves <= FIRST_MOVES and sure == value]
        out[name] = len(scores), sum(score == 1.0 for score in scores)
    return out


def table(options: argparse.Namespace) -> list[dict[str, Any]]:
    """What the log holds, a line for each pairing and clock."""
    rows: dict[tuple[str, float], list[dict[str, Any]]] = {}
    for row in known(options.log):
        rows.setdefault((row["pairing"], row["clock"]), []).append(row)
    out = []
    print(f"{'pairing':34}{'s a move':>9}{'matches':>9}{'score':>8}   95 % interval  drawn  seconds a move")
    for (name, seconds), some in sorted(rows.items()):
        score = sum(row["score"] for row in some) / len(some)
        low, high = interval(score, len(some))
        spent: dict[str, list[float]] = {}
        for row in some:
            for kind, mean in row["seconds"].items():
                spent.setdefault(kind, []).append(mean)
        used = {kind: sum(means) / len(means) for kind, means in spent.items()}
        told = ", ".join(f"{kind} {mean:.3f}" for kind, mean in sorted(used.items()))
        starts = decided_starts(some, "parts")
        if any(matches for matches, _ in starts.values()):
            told += "; " + ", ".join(f"of {n} {which} starts {wins} won" for which, (n, wins) in starts.items())
        draws = sum(row["score"] == 0.5 for row in some)
        print(f"{name:34}{seconds:9}{len(some):9}{score:8.3f}   {low:.2f} to {high:.2f} {draws:6}   {told}")
        out.append(
            {
                "pairing": name,
                "clock": seconds,
                "matches": len(some),
                "score": score,
                "interval": [low, high],
                "drawn": draws,
                "seconds": used,
                "starts": starts,
            }
        )
    return out


def play(options: argparse.Namespace) -> None:
    end = time.monotonic() + 60 * options.minutes
    waiting = missing(options)
    with ProcessPoolExecutor(options.jobs, max_tasks_per_child=8) as pool, options.log.open("a") as log:
        running: set[Future[dict[str, Any]]] = set()
        while True:
            while len(running) < options.jobs and time.monotonic() < end and (one := next(waiting, None)) is not None:
                running.add(pool.submit(held, *one, options.start, options.clock, options.length, options.to_the_end))
            if not running:
                return
            done = next(as_completed(running))
            running.remove(done)
            log.write(json.dumps(done.result()) + "\n")
            log.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", help="only pairings whose names begin so")
    parser.add_argument("--sheets", nargs="*", type=Path, default=[], help="rule sheets on which parts meets tree, too")
    parser.add_argument("--list", action="store_true", help="name the pairings")
    parser.add_argument("--matches", type=int, default=100, help="of each pairing")
    parser.add_argument("--clock", type=float, default=0.2, help="processor seconds for a move")
    parser.add_argument("--start", type=float, default=3.0, help="processor seconds before the first move")
    parser.add_argument("--length", type=int, default=300, help="moves after which a match is stopped")
    parser.add_argument("--to-the-end", action="store_true", help="play on where a proof says who wins")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=1e6)
    parser.add_argument("--log", type=Path, default=Path("strength.jsonl"))
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    if options.list:
        print("\n".join(pairing.name for pairing in chosen(options)))
        return
    play(options)
    rows = table(options)
    if options.json:
        results.write(options.json, rows)


if __name__ == "__main__":
    main()
