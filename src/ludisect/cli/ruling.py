"""Commands about rules: check, info, games."""

from __future__ import annotations

import sys
import textwrap
from typing import TYPE_CHECKING, Any

from ludisect.cli.app import INTERRUPTED, print_json
from ludisect.cli.console import BOLD, columns, note, progress, say, styled, width
from ludisect.cli.engine import Engine, add_engine, build, machine
from ludisect.cli.options import (
    Parser,
    add_game,
    add_json,
    add_json_and_quiet,
    add_memory,
    add_seconds,
    add_seed,
    integer,
)

if TYPE_CHECKING:
    from ludisect.errors import Problem

CHECK_SECONDS = 20.0
"""For building the game, and again for playing it."""


def check_options(parser: Parser) -> None:
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
    add_seconds(parser, f"limit on time: for building, and again for playing (default: {CHECK_SECONDS:g})")
    add_memory(parser)
    add_json_and_quiet(parser)


def check(
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
    from ludisect.gdl import check as check_rules
    from ludisect.gdl import check_by_playouts
    from ludisect.gdl.source import find_rules

    rules = find_rules(game)
    problems: list[Problem] = list(check_rules(rules))
    played, interrupted = 0, False
    if plays and not any(p.level == "error" for p in problems):
        player = machine(rules, engine, seconds=seconds or CHECK_SECONDS, memory=memory, quiet=quiet or json)
        with progress("playing", plays, quiet=quiet or json) as advance:
            limit = seconds or CHECK_SECONDS
            found = check_by_playouts(
                player, plays=plays, seed=seed, max_length=max_length, seconds=limit, progress=advance
            )
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


def info_options(parser: Parser) -> None:
    add_game(parser)
    add_seconds(parser)
    add_memory(parser)
    add_json_and_quiet(parser)


def info(game: str, *, seconds: float | None, memory: float, json: bool, quiet: bool) -> None:
    """Roles, turns, fluents, moves, gates, and how long it took to build them."""
    from ludisect.circuit.turns import turns
    from ludisect.gdl.source import find_rules

    rules = find_rules(game)
    built = build(rules, seconds=seconds, memory=memory, quiet=quiet or json)
    circuit = built.circuit
    data: dict[str, Any] = {
        "game": built.name,
        "roles": list(built.roles),
        "turns": turns(built),
        "rules": len(rules),
        "fluents": len(built.fluents),
        "initial": int(circuit.initial.sum()),
        "moves": {role: len(m) for role, m in zip(built.roles, built.moves, strict=True)},
        "gates": circuit.gates,
        "edges": circuit.edges,
        "levels": int(circuit.levels().max(initial=0)),
        "phases": len(built.playouts.phases.circuits),
        "seconds": {stage: round(s, 4) for stage, s in built.seconds.items()},
        "build_seconds": round(sum(built.seconds.values()), 4),
    }
    if json:
        print_json(data)
        return
    rows = {
        "roles": ", ".join(built.roles),
        "turns": data["turns"] + (f" (a circuit for each of {data['phases']} turns)" if data["phases"] > 1 else ""),
        "rules": str(len(rules)),
        "fluents": f"{data['fluents']:,}, {data['initial']:,} of them initial",
        "moves": ", ".join(f"{role} {n:,}" for role, n in data["moves"].items()),
        "circuit": f"{circuit.gates:,} gates, {circuit.edges:,} edges, {data['levels']} levels",
        "built in": f"{data['build_seconds']:.2f} s ("
        + ", ".join(f"{stage} {s:.2f}" for stage, s in built.seconds.items())
        + ")",
    }
    say(built.name, BOLD)
    for name, value in rows.items():
        say(f"  {name:9} {value}")


TABLE_COLUMNS = 110
"""Terminals narrower than this get a list of games instead of a table."""


def games_options(parser: Parser) -> None:
    add_json(parser)


def games(*, json: bool) -> None:
    """The games that come with ludisect."""
    from ludisect.gdl import bundled

    described = [bundled.describe(name) for name in bundled.names()]
    if json:
        print_json({"games": [_described(d) for d in described]})
        return
    rows = [("game", "players", "turns", "parts", "what it is")]
    rows += [(d.parameters or d.name, str(d.roles), d.turns, d.parts.glue, d.summary) for d in described]
    if not sys.stdout.isatty():  # whoever reads it takes lines, of any length
        say("\n".join(columns(rows)))
    elif width() >= TABLE_COLUMNS:
        say("\n".join(columns(rows, wrap=(4,))))
    else:
        for d in described:
            how = "" if d.parts.glue == "single" else f"  {d.parts.glue}"
            say(styled(d.parameters or d.name, BOLD) + how)
            say(textwrap.indent(textwrap.fill(d.summary, width() - 2), "  "))
    say("\nParameters stand after a colon: ludisect info nim:3,5,7")


def _described(d: Any) -> dict[str, Any]:
    return {
        "name": d.name,
        "parameters": d.parameters or None,
        "roles": d.roles,
        "turns": d.turns,
        "structure": d.parts.glue,
        "action_dependent": d.parts.dependent,
        "useless": d.parts.useless,
        "action_independent": d.parts.independent,
        "summary": d.summary,
    }
