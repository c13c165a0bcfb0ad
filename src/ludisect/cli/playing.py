"""Commands that play: simulate, replay."""

from __future__ import annotations

import math
from pathlib import Path
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
    from ludisect.circuit.game import Game
    from ludisect.circuit.lanes import Tally


@app.command()
def simulate(
    game: GameArgument,
    playouts: Annotated[int, typer.Option("--playouts", "-n", min=1, help="Random plays to the end.")] = 100_000,
    threads: Annotated[int, typer.Option("--threads", min=1, max=256, help="Cores to use.")] = 1,
    max_length: Annotated[int | None, typer.Option("--max-length", min=1, help="Cut plays longer than this.")] = None,
    seed: SeedOption = 0,
    seconds: SecondsOption = None,
    memory: MemoryOption = DEFAULT_MEMORY_GB,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> int:
    """Play at random, as fast as this machine can: playouts and states per second, mean length, mean goals.

    With --seconds, no play is begun after that time and the exit code is 3 if fewer than asked were played.
    """
    built = build(find_rules(game), seconds=None, memory=memory, quiet=quiet or json)
    with progress("playouts", playouts, quiet=quiet or json) as advance:
        tally = built.playouts.run(
            playouts, seed=seed, threads=threads, seconds=seconds, max_length=max_length, progress=advance
        )
    if json:
        print_json(_tally_data(built, tally))
    else:
        _print_tally(built, tally)
    if tally.interrupted:
        return 130
    return 3 if tally.playouts < playouts else 0


def _tally_data(game: Game, tally: Tally) -> dict[str, Any]:
    means = [tally.mean_goal(r) for r in range(len(game.roles))]
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
    speed = f"{tally.playouts / tally.seconds:,.0f} playouts/s, {tally.states / tally.seconds:,.0f} states/s"
    out.print(f"{game.name}: {tally.playouts:,} playouts in {tally.seconds:.3g} s ({speed})", markup=False)
    out.print(f"  mean length {tally.mean_length:.2f} moves", markup=False)
    width = max(len(role) for role in game.roles)
    for r, role in enumerate(game.roles):
        total = sum(tally.goal_counts[r].values())
        mean = f"mean goal {tally.mean_goal(r):6.2f}" if total else "no goal seen"
        out.print(f"  {role:{width}}  {mean}", markup=False)
        for value, n in sorted(tally.goal_counts[r].items()):
            share = n / total
            out.print(f"  {'':{width}}  {value:>4} {'█' * round(40 * share):40} {100 * share:5.1f} %", markup=False)
    if tally.interrupted:
        out.print("  interrupted: plays under way were finished, no more were begun", markup=False)
    if tally.stuck:
        out.print(f"  {tally.stuck:,} plays ended because a role had no legal move", markup=False)
    if tally.cut:
        out.print(f"  {tally.cut:,} plays were cut because they were too long (--max-length)", markup=False)
    for role, n in zip(game.roles, tally.undefined, strict=True):
        if n:
            kind = "no goal value" if n > 0 else "several goal values"
            out.print(f"  {role} had {kind} at the end of {abs(n):,} plays", markup=False)


@app.command()
def replay(
    game: GameArgument,
    trace: Annotated[Path, typer.Argument(help="Matches in JSON Lines, plain or gzipped.")],
    engine: EngineOption = Engine.auto,
    memory: MemoryOption = DEFAULT_MEMORY_GB,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> int:
    """Replay matches that any engine recorded: states, legal moves and goals must agree."""
    from ludisect.gdl import read_trace
    from ludisect.gdl import replay as replay_match

    rules = find_rules(game)
    matches = list(read_trace(trace))
    player = machine(rules, engine, seconds=None, memory=memory, quiet=quiet or json)
    steps = sum(len(match.steps) for match in matches)
    found = []
    with progress("replaying", steps, quiet=quiet or json) as advance:
        for match in matches:
            found += replay_match(player, match)
            if advance is not None:
                advance(len(match.steps))
    if json:
        data = {
            "game": rules.name,
            "trace": str(trace),
            "matches": len(matches),
            "steps": steps,
            "agrees": not found,
            "mismatches": [m.to_dict() for m in found],
        }
        print_json(data)
    else:
        for mismatch in found[:50]:
            out.print(str(mismatch), markup=False)
        if len(found) > 50:
            out.print(f"… and {len(found) - 50:,} more", markup=False)
        verdict = f"{len(found):,} differences" if found else "all agree"
        out.print(f"{rules.name}: {len(matches)} matches, {steps:,} steps: {verdict}", markup=False)
    return 1 if found else 0
