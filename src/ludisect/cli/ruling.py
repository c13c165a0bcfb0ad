"""Commands about rules: check, info, games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludisect.cli.app import (
    DEFAULT_MEMORY_GB,
    GameArgument,
    JsonOption,
    MemoryOption,
    QuietOption,
    SecondsOption,
    SeedOption,
    app,
    print_json,
)
from ludisect.cli.console import out, progress
from ludisect.cli.engine import Engine, EngineOption, build, machine
from ludisect.gdl.source import find_rules

if TYPE_CHECKING:
    from ludisect.errors import Problem

CHECK_SECONDS = 20.0
"""For building the game, and again for playing it."""


@app.command()
def check(
    game: GameArgument,
    plays: Annotated[int, typer.Option("--plays", min=0, help="Random plays to look for ill-defined states.")] = 50,
    max_length: Annotated[
        int, typer.Option("--max-length", min=1, help="Joint moves after which a play is endless.")
    ] = 500,
    engine: EngineOption = Engine.auto,
    seed: SeedOption = 0,
    seconds: SecondsOption = None,
    memory: MemoryOption = DEFAULT_MEMORY_GB,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> int:
    """Find every fault of a rule sheet: by reading it, and by playing it at random."""
    from ludisect.gdl import check as check_rules
    from ludisect.gdl import check_by_playouts

    rules = find_rules(game)
    problems: list[Problem] = list(check_rules(rules))
    played = 0
    if plays and not any(p.level == "error" for p in problems):
        player = machine(rules, engine, seconds=seconds or CHECK_SECONDS, memory=memory, quiet=quiet or json)
        with progress("playing", plays, quiet=quiet or json) as advance:
            limit = seconds or CHECK_SECONDS
            found = check_by_playouts(
                player, plays=plays, seed=seed, max_length=max_length, seconds=limit, progress=advance
            )
        played = found.plays
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
            out.print(str(problem), markup=False)
        how = f"{len(rules)} rules read, {played} random plays"
        verdict = "no fault found" if not faults else f"{faults} fault{'s' * (faults != 1)}"
        out.print(f"{rules.name}: {verdict}, {warnings} warning{'s' * (warnings != 1)} ({how})", markup=False)
    return 1 if faults else 0


@app.command()
def info(
    game: GameArgument,
    seconds: SecondsOption = None,
    memory: MemoryOption = DEFAULT_MEMORY_GB,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Roles, turns, fluents, moves, gates, and how long it took to build them."""
    from ludisect.circuit.turns import turns

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
    out.print(built.name, style="bold", markup=False)
    for name, value in rows.items():
        out.print(f"  {name:9} {value}", markup=False)


@app.command()
def games(json: JsonOption = False) -> None:
    """The games that come with ludisect."""
    from ludisect.gdl import bundled

    described = [bundled.describe(name) for name in bundled.names()]
    if json:
        print_json({"games": [_described(d) for d in described]})
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for column in ("game", "roles", "turns", "parts", "what it is"):
        table.add_column(column, no_wrap=column != "what it is")
    for d in described:
        table.add_row(d.parameters or d.name, str(d.roles), d.turns, d.parts.glue, d.summary)
    out.print(table, soft_wrap=False)
    out.print("\nParameters stand after a colon: ludisect info nim:3,5,7", markup=False)


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
