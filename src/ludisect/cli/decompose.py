"""The command decompose: the independent games inside a game, in words, as JSON and as pictures."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludisect.cli.app import INTERRUPTED, print_json
from ludisect.cli.console import BOLD, TIE, columns, note, say, say_coloured, width, working
from ludisect.cli.engine import build, from_state, recording
from ludisect.cli.evidence import show_evidence
from ludisect.cli.files import check_writable
from ludisect.cli.options import (
    Parser,
    add_game,
    add_json_and_quiet,
    add_memory,
    add_path,
    add_playouts,
    add_seconds,
    add_seed,
    add_settings,
    add_state,
)
from ludisect.effort import Effort
from ludisect.errors import BudgetExceeded, InputError

if TYPE_CHECKING:
    from ludisect.circuit.game import Game
    from ludisect.decomposition.model.decomposition import Decomposition, Method

SHOWN = 12
"""Fluents or moves of a part that are shown on the terminal before the rest is counted."""

METHODS = ("exact", "playouts", "instances", "symbols")


def options(parser: Parser) -> None:
    add_game(parser)
    parser.add_argument(
        "--method", choices=METHODS, default="exact", help="way of finding the parts (default: %(default)s)"
    )
    parser.add_argument(
        "--variant",
        metavar="NAME",
        help="formulation of a method: of instances, paper (the default) or thesis; of playouts, nested (the default) "
        "or letter",
    )
    add_playouts(parser)
    parser.add_argument(
        "--verify", action=argparse.BooleanOptionalAction, default=True, help="test the result on recorded plays"
    )
    parser.add_argument(
        "--prove", action="store_true", help="prove the result of a published method too (exact always tries)"
    )
    add_state(parser)
    parser.add_argument(
        "--values",
        action="store_true",
        help="make a part even of what nobody has a choice in, as combinatorial values need it (exact only)",
    )
    add_path(parser, "--svg", help="draw the parts into this file")
    add_path(parser, "--html", help="write a page with picture and details")
    parser.add_argument(
        "--explain",
        nargs="*",
        metavar="FLUENT",
        help="say what ties the variables of each part; with two fluents (after GAME), why they are in one part or not",
    )
    add_seed(parser)
    add_seconds(parser, "limit on time (default: none, but one on work)", least=0.1)
    add_memory(parser, "the building of the game, and of recorded plays")
    add_settings(parser, "gdl", "games", "ground", "circuit", "decomposition", "draw")
    add_json_and_quiet(parser)


def run(
    game: str,
    *,
    method: Method,
    variant: str | None,
    playouts: int,
    verify: bool,
    prove: bool,
    state: Path | None,
    moves: str | None,
    values: bool,
    svg: Path | None,
    html: Path | None,
    explain: list[str] | None,
    seed: int,
    seconds: float | None,
    memory: float,
    json: bool,
    quiet: bool,
) -> int:
    """Find the independent games inside a game, and say how sure that is."""
    for given in (svg, html):
        if given is not None:
            check_writable(given)
    from ludisect.games.source import find_rules

    time = Effort(seconds=seconds)
    built = build(find_rules(game), seconds=seconds, memory=memory, quiet=quiet or json)
    from ludisect.decomposition import Decomposition as Kind
    from ludisect.decomposition import decompose as find

    built = from_state(built, state, moves)
    _check_fluents(built, explain or [])
    limit: BudgetExceeded | None = None
    with working("decomposing", quiet=quiet or json):
        try:
            with recording(memory):
                parts = find(
                    built,
                    method=method,
                    variant=variant,
                    values=values,
                    playouts=playouts,
                    seed=seed,
                    check=verify,
                    prove=prove,
                    seconds=time.seconds_left,
                )
        except BudgetExceeded as error:
            if not isinstance(error.partial, Kind):
                raise
            parts, limit = error.partial, error
    drawn = [str(path) for path in (svg, html) if path is not None]
    _report(parts, explain, drawn, json=json, quiet=quiet)
    if limit is not None:
        note(f"ludisect: {limit}")
        return INTERRUPTED
    if parts.evidence is not None and parts.evidence.status == "failed":
        return 1
    return 3 if parts.stopped else 0


def _report(parts: Decomposition, explain: list[str] | None, pictures: list[str], *, json: bool, quiet: bool) -> None:
    """Draw the pictures, and print what was found."""
    for path in pictures:
        from ludisect.draw.drawing import write_picture

        write_picture(parts, path)
    if json:
        print_json(parts.to_json() | ({} if explain is None else _explained(parts, explain)))
        return
    _show(parts)
    if explain is not None:
        say("")
        say(_in_words(parts, explain))
    for path in pictures if not quiet else []:
        say(f"drawn: {path}")


def _check_fluents(game: Game, explain: list[str]) -> None:
    """Complain about what --explain was given before anything takes long."""
    from ludisect.decomposition.model.explanation import fluent_number

    if len(explain) not in (0, 2):
        raise InputError(f"--explain takes two fluents or none, not {len(explain)}; put fluents in quotes")
    for fluent in explain:
        fluent_number(game, fluent)


def _explained(parts: Decomposition, explain: list[str]) -> dict[str, Any]:
    from ludisect.decomposition import explain as reasons

    found = reasons(parts)
    return {"explanation": found.to_json()} | ({"why": found.why(*explain).to_json()} if explain else {})


def _in_words(parts: Decomposition, explain: list[str]) -> str:
    from ludisect.decomposition import explain as reasons

    return str(reasons(parts).why(*explain)) if explain else str(reasons(parts))


def _show(parts: Decomposition) -> None:
    dependent, useless, independent = parts.counts
    head = f"{dependent} dependent part{'s' * (dependent != 1)}"
    head += f" ({useless} useless)" if useless else ""
    say(f"{parts.game.name}: {head}, {independent} independent, {parts.structure}", BOLD)
    rows = [("part", "kind", "after", "fluents", "local moves")]
    for s in parts.parts:
        names = [name.replace(" ", TIE) for name in s.patterns]
        shown = " ".join(names[:SHOWN]) + (f" … {len(names) - SHOWN} more" if len(names) > SHOWN else "")
        moves = ", ".join(
            f"{role}{TIE}{len(classes)}"
            for role, classes in zip(parts.game.roles, s.move_numbers, strict=False)
            if classes
        )
        kind = s.kind if s.useful else f"{s.kind}, useless"
        rows.append((str(s.id), kind, ", ".join(map(str, s.after)), shown, moves))
    say("\n".join(columns(rows, wrap=(3, 4))))
    if len(parts.dependent) > 1:
        from ludisect.draw.terminal import board_rich

        say_coloured(board_rich(parts, width=width()))
    if parts.unseen or parts.unseen_move_numbers:
        say(f"never seen in play: {len(parts.unseen)} fluents, {len(parts.unseen_move_numbers)} moves")
    for remark in parts.notes:
        say(f"note: {remark}")
    if parts.evidence is None:
        say("not verified")
    else:
        show_evidence(parts.evidence, stopped=parts.stopped)
    say(f"{parts.seconds.get('total', 0.0):.2f} s")
