"""Commands about parts: decompose, verify."""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludisect.cli.app import (
    DEFAULT_MEMORY_GB,
    GameArgument,
    JsonOption,
    MemoryOption,
    QuietOption,
    SeedOption,
    app,
    print_json,
)
from ludisect.cli.console import err, out, working
from ludisect.cli.engine import build
from ludisect.errors import BudgetExceeded, InputError
from ludisect.gdl.source import find_rules

if TYPE_CHECKING:
    from ludisect.circuit.game import Game
    from ludisect.decompose.model import Decomposition, Evidence

SHOWN = 12
"""Fluents or moves of a part that are shown on the terminal before the rest is counted."""


class Method(StrEnum):
    """How to look for the parts."""

    exact = "exact"
    playouts = "playouts"
    instances = "instances"
    symbols = "symbols"


PlayoutsOption = Annotated[int, typer.Option("--playouts", min=1, help="Random plays to learn and to test on.")]
SecondsOption = Annotated[float, typer.Option("--seconds", min=0.1, help="Limit on time for finding and proving.")]


@app.command()
def decompose(
    game: GameArgument,
    method: Annotated[Method, typer.Option("--method", help="Way of finding the parts.")] = Method.exact,
    playouts: PlayoutsOption = 1000,
    verify: Annotated[bool, typer.Option("--verify/--no-verify", help="Test the result on recorded plays.")] = True,
    prove: Annotated[
        bool, typer.Option("--prove", help="Prove the result of a published method too (exact always tries).")
    ] = False,
    state: Annotated[
        Path | None, typer.Option("--state", help="A file with the state to start from, KIF terms; default initial.")
    ] = None,
    svg: Annotated[Path | None, typer.Option("--svg", help="Draw the parts into this file.")] = None,
    html: Annotated[Path | None, typer.Option("--html", help="Write a page with picture and details.")] = None,
    seed: SeedOption = 0,
    seconds: SecondsOption = 60.0,
    memory: MemoryOption = DEFAULT_MEMORY_GB,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> int:
    """Find the independent games inside a game, and say how sure that is."""
    for path in (svg, html):
        if path is not None:
            _writable(path)
    built = _build(game, seconds, memory, quiet or json)
    from ludisect.decompose import Decomposition as Kind
    from ludisect.decompose import decompose as find
    from ludisect.decompose.now import at_state, read_state

    if state is not None:
        built = at_state(built, read_state(built, state))
    limit: BudgetExceeded | None = None
    with working("decomposing", quiet=quiet or json):
        try:
            parts = find(
                built, method=method.value, playouts=playouts, seed=seed, check=verify, prove=prove, seconds=seconds
            )
        except BudgetExceeded as error:
            if not isinstance(error.partial, Kind):
                raise
            parts, limit = error.partial, error
    for path in (svg, html):
        if path is not None:
            from ludisect.draw.parts import write_picture

            write_picture(parts, str(path))
    if json:
        print_json(parts.to_json())
    else:
        _show(parts)
        for path in (svg, html):
            if path is not None and not quiet:
                out.print(f"drawn: {path}", markup=False)
    if limit is not None:
        err.print(f"ludisect: {limit}; a coarse decomposition is what holds so far", markup=False)
        return 130
    return 1 if parts.evidence is not None and parts.evidence.status == "failed" else 0


@app.command()
def verify(
    game: GameArgument,
    decomposition: Annotated[Path, typer.Argument(metavar="DECOMPOSITION.json", help="As 'decompose --json' prints.")],
    playouts: PlayoutsOption = 1000,
    prove: Annotated[bool, typer.Option("--prove", help="Try to prove it for all states.")] = False,
    seed: SeedOption = 1,
    seconds: SecondsOption = 60.0,
    memory: MemoryOption = DEFAULT_MEMORY_GB,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> int:
    """Judge a decomposition, ours or another's: on recorded plays, or for all states."""
    built = _build(game, seconds, memory, quiet or json)
    from ludisect.decompose import judge
    from ludisect.decompose.codec import read_decomposition

    parts = read_decomposition(built, decomposition)
    with working("verifying", quiet=quiet or json):
        evidence = judge(parts, playouts=playouts, seed=seed, prove=prove, seconds=seconds)
    if json:
        print_json({"game": built.name, "decomposition": str(decomposition), "evidence": evidence.to_json()})
    else:
        dependent, useless, independent = parts.counts
        out.print(f"{built.name}: {dependent} dependent ({useless} useless), {independent} independent", markup=False)
        _show_evidence(evidence)
    return 1 if evidence.status == "failed" else 0


def _build(game: str, seconds: float, memory: float, quiet: bool) -> Game:
    return build(find_rules(game), seconds=seconds, memory=memory, quiet=quiet)


def _writable(path: Path) -> None:
    folder = path.parent if str(path.parent) else Path(".")
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise InputError(f"cannot write {path}: {folder} is not a folder that can be written to")


def _show(parts: Decomposition) -> None:
    from rich.table import Table

    from ludisect.decompose.patterns import patterns
    from ludisect.draw.terminal import board_rich

    dependent, useless, independent = parts.counts
    head = f"{dependent} dependent part{'s' * (dependent != 1)}"
    head += f" ({useless} useless)" if useless else ""
    out.print(f"{parts.game.name}: {head}, {independent} independent, {parts.structure}", style="bold", markup=False)
    table = Table(box=None, pad_edge=False)
    for column in ("part", "kind", "after", "fluents", "local moves"):
        table.add_column(column, overflow="fold")
    for s in parts.subgames:
        names = patterns(parts.game, s.fluents)
        shown = " ".join(names[:SHOWN]) + (f" … {len(names) - SHOWN} more" if len(names) > SHOWN else "")
        moves = ", ".join(
            f"{role} {len(classes)}" for role, classes in zip(parts.game.roles, s.moves, strict=False) if classes
        )
        kind = s.kind if s.useful else f"{s.kind}, useless"
        table.add_row(str(s.id), kind, ", ".join(map(str, s.after)), shown, moves)
    out.print(table, soft_wrap=False)
    if len(parts.dependent) > 1:
        out.print(board_rich(parts), soft_wrap=False)
    if parts.unseen or parts.unseen_moves:
        out.print(f"never seen in play: {len(parts.unseen)} fluents, {len(parts.unseen_moves)} moves", markup=False)
    for note in parts.notes:
        out.print(f"note: {note}", markup=False)
    if parts.evidence is None:
        out.print("not verified", markup=False)
    else:
        _show_evidence(parts.evidence)
    out.print(f"{parts.seconds.get('total', 0.0):.2f} s", markup=False)


def _show_evidence(evidence: Evidence) -> None:
    count = f"{evidence.transitions:,} transitions"
    words = {
        "proved": f"proved for every reachable state; also tested on {count}",
        "tested": f"tested on {count}, no violation; not proved",
        "failed": f"FAILED on {count}",
    }
    out.print(words[evidence.status], style="bold red" if evidence.status == "failed" else None, markup=False)
    for claim, how in evidence.claims.items():
        out.print(f"  {claim}: {how}", markup=False)
    if evidence.counterexample is None:
        return
    found = evidence.counterexample
    out.print(f"condition {found.condition}, subgame {found.subgame}: {found.what}", markup=False)
    for number, situation in enumerate(found.situations, 1):
        out.print(f"  {number}. state: {' '.join(situation['state'])}", markup=False)
        if "moves" in situation:
            made = ", ".join(f"{role}: {move}" for role, move in situation["moves"].items())
            out.print(f"     moves: {made}", markup=False)
        if "part_next" in situation:
            out.print(f"     the part then: {' '.join(situation['part_next']) or 'nothing true'}", markup=False)
