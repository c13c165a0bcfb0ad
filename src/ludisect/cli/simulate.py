"""The command simulate: random plays of a game, how fast they are and how they end."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludisect.cli.app import INTERRUPTED, print_json
from ludisect.cli.console import say, width, working
from ludisect.cli.engine import build, from_state
from ludisect.cli.options import (
    Parser,
    add_game,
    add_json_and_quiet,
    add_memory,
    add_seconds,
    add_seed,
    add_settings,
    add_state,
    integer,
)
from ludisect.effort import Effort
from ludisect.progress import viewer

if TYPE_CHECKING:
    from ludisect.circuit.game import Game
    from ludisect.circuit.lanes import Tally


LEAST = 0.1
"""Seconds for playing, however long building took."""


def options(parser: Parser) -> None:
    add_game(parser)
    parser.add_argument(
        "-n",
        "--playouts",
        type=integer(1),
        default=100_000,
        metavar="INTEGER",
        help="random plays to the end (default: %(default)s)",
    )
    parser.add_argument(
        "--threads", type=integer(1, 256), default=1, metavar="INTEGER", help="cores to use (default: %(default)s)"
    )
    parser.add_argument("--max-length", type=integer(1), metavar="INTEGER", help="cut plays longer than this")
    add_state(parser)
    add_seed(parser)
    add_seconds(parser)
    add_memory(parser)
    add_settings(parser, "gdl", "games", "ground", "circuit")
    add_json_and_quiet(parser)


def run(
    game: str,
    *,
    playouts: int,
    threads: int,
    max_length: int | None,
    state: Path | None,
    moves: str | None,
    seed: int,
    seconds: float | None,
    memory: float,
    json: bool,
    quiet: bool,
) -> int:
    """Play at random, as fast as this machine can: playouts and states per second, mean length, mean goals.

    With --seconds, no play is begun after that time and the exit code is 3 if fewer than asked were played.
    """
    from ludisect.games.source import find_rules

    time = Effort(seconds=seconds)
    built = from_state(build(find_rules(game), seconds=seconds, memory=memory, quiet=quiet or json), state, moves)
    with working(built.name, quiet=quiet or json):
        view = viewer()
        tally = built.playouts.run(
            playouts,
            seed=seed,
            threads=threads,
            seconds=None if time.seconds_left is None else max(LEAST, time.seconds_left),
            max_length=max_length,
            told=None if view is None else lambda known: view(lambda: _tally_data(built, known())),
        )
    if json:
        print_json(_tally_data(built, tally))
    else:
        _print_tally(built, tally)
    if tally.interrupted:
        return INTERRUPTED
    return 3 if tally.playouts < playouts else 0


def _tally_data(game: Game, tally: Tally) -> dict[str, Any]:
    means = [tally.mean_goal(role) for role in game.roles]
    return {
        "game": game.name,
        "playouts": tally.playouts,
        "states": tally.states,
        "seconds": tally.seconds,
        "build_seconds": sum(game.seconds.values()),
        "playouts_per_second": tally.playouts / tally.seconds if tally.seconds else 0.0,
        "states_per_second": tally.states / tally.seconds if tally.seconds else 0.0,
        "mean_length": tally.mean_length,
        "mean_goal": {role: None if math.isnan(mean) else mean for role, mean in zip(game.roles, means, strict=True)},
        "goals": {
            role: {str(v): n for v, n in sorted(counts.items())}
            for role, counts in zip(game.roles, tally.goal_counts, strict=True)
        },
        "stuck": tally.stuck,
        "cut": tally.cut,
        "interrupted": tally.interrupted,
    }


def _print_tally(game: Game, tally: Tally) -> None:
    say(f"{game.name}: {tally.playouts:,} playouts in {tally.seconds:.3g} s")
    say(f"  {tally.playouts / tally.seconds:,.0f} playouts/s, {tally.states / tally.seconds:,.0f} states/s")
    say(f"  mean length {tally.mean_length:.2f} moves")
    indent = max(len(role) for role in game.roles)
    bar = max(10, min(40, width() - indent - 18))
    for r, role in enumerate(game.roles):
        total = sum(tally.goal_counts[r].values())
        mean = f"mean goal {tally.mean_goal(role):6.2f}" if total else "no goal seen"
        say(f"  {role:{indent}}  {mean}")
        for value, n in sorted(tally.goal_counts[r].items()):
            share = n / total
            say(f"  {'':{indent}}  {value:>4} {'█' * round(bar * share):{bar}} {100 * share:5.1f} %")
    if tally.interrupted:
        say("  interrupted: plays under way were finished, no more were begun")
    if tally.stuck:
        say(f"  {tally.stuck:,} plays ended because a role had no legal move")
    if tally.cut:
        say(f"  {tally.cut:,} plays were cut because they were too long (--max-length)")
    for role, n in zip(game.roles, tally.undefined, strict=True):
        if n:
            kind = "no goal value" if n > 0 else "several goal values"
            say(f"  {role} had {kind} at the end of {abs(n):,} plays")
