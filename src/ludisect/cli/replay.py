"""The command replay: matches that any engine recorded, held against ours."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ludisect.cli.app import INTERRUPTED, print_json
from ludisect.cli.console import note, say, working
from ludisect.cli.engine import Engine, add_engine, machine
from ludisect.cli.options import Parser, add_game, add_json_and_quiet, add_memory, add_settings
from ludisect.errors import InputError
from ludisect.progress import report

WORTH_BUILDING = 10.0
"""Seconds that the interpreter would still take, as it went so far, from which on the circuit is built. No result hangs
on it."""

if TYPE_CHECKING:
    from collections.abc import Callable

    from ludisect.gdl import Machine, Match, Mismatch


def options(parser: Parser) -> None:
    add_game(parser)
    parser.add_argument("trace", type=Path, metavar="TRACE", help="matches in JSON Lines, plain or gzipped")
    add_engine(parser)
    add_memory(parser)
    add_settings(parser, "gdl", "games", "ground", "circuit")
    add_json_and_quiet(parser)


def run(game: str, *, trace: Path, engine: Engine, memory: float, json: bool, quiet: bool) -> int:
    """Replay matches that any engine recorded: states, legal moves and goals must agree."""
    from ludisect.games.source import find_rules
    from ludisect.gdl import read_trace

    rules = find_rules(game)
    matches = list(read_trace(trace))
    if not matches:
        raise InputError(f"{trace}: no match in this file; 'ludisect match --log FILE' writes one on each line")

    def player(kind: Engine) -> Machine:
        return machine(rules, kind, seconds=None, memory=memory, quiet=quiet or json)

    found, done = _replayed(player, engine, matches, quiet=quiet or json)
    steps = sum(len(match.steps) for match in matches[:done])
    if json:
        data = {
            "game": rules.name,
            "trace": str(trace),
            "matches": done,
            "steps": steps,
            "agrees": not found,
            "mismatches": [m.to_dict() for m in found],
        }
        print_json(data)
    else:
        for mismatch in found[:50]:
            say(str(mismatch))
        if len(found) > 50:
            say(f"… and {len(found) - 50:,} more")
        verdict = f"{len(found):,} differences" if found else "all agree"
        say(f"{rules.name}: {done} matches, {steps:,} steps: {verdict}")
    if done < len(matches):
        note(f"ludisect: interrupted after {done} of {len(matches)} matches")
        return INTERRUPTED
    return 1 if found else 0


def _replayed(
    player: Callable[[Engine], Machine], engine: Engine, matches: list[Match], *, quiet: bool
) -> tuple[list[Mismatch], int]:
    """Where matches differ, and how many were replayed: not all after an interrupt.

    With ``auto`` the interpreter begins. It knows the rules at once, and the circuit is worth building only for what
    takes the interpreter long.
    """
    from ludisect import clock
    from ludisect.gdl import replay as replay_match

    found: list[Mismatch] = []
    done = 0
    try:
        machine, begin = player("interpreter" if engine == "auto" else engine), clock.now()
        steps = [len(match.steps) for match in matches]
        with working(f"replaying {len(matches)} matches", quiet=quiet):
            for match in matches:
                report("replaying", done, len(matches))
                found += replay_match(machine, match)
                done += 1
                spent = clock.now() - begin
                if engine == "auto" and spent * sum(steps[done:]) > WORTH_BUILDING * max(1, sum(steps[:done])):
                    machine, engine = player("auto"), "circuit"
    except KeyboardInterrupt:
        pass
    return found, done
