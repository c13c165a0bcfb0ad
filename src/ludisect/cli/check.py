"""The command check: every fault of a rule sheet, by reading it and by playing it at random."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludisect.cli.app import INTERRUPTED, print_json
from ludisect.cli.console import note, say, working
from ludisect.cli.engine import Engine, add_engine, machine
from ludisect.cli.options import (
    Parser,
    add_game,
    add_json_and_quiet,
    add_memory,
    add_seconds,
    add_seed,
    add_settings,
    integer,
)
from ludisect.effort import Effort

if TYPE_CHECKING:
    from ludisect.errors import Problem

SECONDS = 20.0
"""For building the game and playing it."""

BUILDING = 0.5
"""The share of these that building may take."""


def options(parser: Parser) -> None:
    add_game(parser)
    parser.add_argument(
        "--plays",
        type=integer(0),
        default=50,
        metavar="INTEGER",
        help="random plays to look for ill-defined states (default: %(default)s)",
    )
    parser.add_argument(
        "--max-length",
        type=integer(1),
        default=500,
        metavar="INTEGER",
        help="joint moves after which a play is endless (default: %(default)s)",
    )
    add_engine(parser)
    add_seed(parser)
    add_seconds(parser, f"limit on time (default: {SECONDS:g})")
    add_memory(parser)
    add_settings(parser, "gdl", "games", "ground", "circuit")
    add_json_and_quiet(parser)


def run(
    game: str,
    *,
    plays: int,
    max_length: int,
    engine: Engine,
    seed: int,
    seconds: float | None,
    memory: float,
    json: bool,
    quiet: bool,
) -> int:
    """Find every fault of a rule sheet: by reading it, and by playing it at random."""
    from ludisect.games.source import find_rules
    from ludisect.gdl import check as check_rules
    from ludisect.gdl import check_by_playouts

    limit = seconds or SECONDS
    time = Effort(seconds=limit)
    rules = find_rules(game)
    problems: list[Problem] = list(check_rules(rules))
    played, interrupted = 0, False
    if plays and not any(p.level == "error" for p in problems):
        player = machine(rules, engine, seconds=BUILDING * limit, memory=memory, quiet=quiet or json)
        with working(f"checking {rules.name}", quiet=quiet or json):
            left = time.seconds_left or 0.0
            found = check_by_playouts(player, plays=plays, seed=seed, max_length=max_length, seconds=left)
        played, interrupted = found.plays, found.interrupted
        problems += found.problems
    faults = sum(p.level == "error" for p in problems)
    warnings = len(problems) - faults
    if json:
        print_json(
            {
                "game": rules.name,
                "ok": faults == 0,
                "errors": faults,
                "warnings": warnings,
                "plays": played,
                "problems": [p.to_dict() for p in problems],
            }
        )
    else:
        for problem in problems:
            say(str(problem))
        how = f"{len(rules)} rules read, {played} random plays"
        verdict = "no fault found" if not faults else f"{faults} fault{'s' * (faults != 1)}"
        say(f"{rules.name}: {verdict}, {warnings} warning{'s' * (warnings != 1)} ({how})")
    if interrupted:
        note("ludisect: interrupted; no more plays were begun")
        return INTERRUPTED
    return 1 if faults else 0
