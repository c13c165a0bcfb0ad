"""The command that makes compound games with a known decomposition: compose."""

from __future__ import annotations

import json as json_module
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludisect.cli.app import JsonOption, QuietOption, SeedOption, app, print_json
from ludisect.cli.console import compiling, out, progress
from ludisect.errors import InputError

if TYPE_CHECKING:
    from ludisect.compose import Composed


class GoalChoice(StrEnum):
    """How the results of the parts make the result of the whole."""

    additive = "additive"
    all = "all"
    any = "any"


@app.command()
def compose(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="OP GAME GAME… | DIR",
            help='OP is choice, sync, serial or multiple. A GAME is a bundled name, a path, "(OP GAME GAME…)", or a '
            "random machine: walk, ring, board. With --set, the folder to write to.",
        ),
    ],
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write the rules to this file.")] = None,
    json_out: Annotated[Path | None, typer.Option("--json-out", help="Write the known parts to this file.")] = None,
    goal: Annotated[GoalChoice, typer.Option("--goal", help="How results are put together.")] = GoalChoice.additive,
    disguise: Annotated[list[str] | None, typer.Option("--disguise", help="Ways to hide the parts, or all.")] = None,
    steps: Annotated[int | None, typer.Option("--steps", help="A step counter that ends the play.")] = None,
    rest: Annotated[bool, typer.Option("--rest", help="The mover may do nothing.")] = False,
    players: Annotated[int, typer.Option("--players", help="Of machines without a game beside them.")] = 1,
    simultaneous: Annotated[bool, typer.Option("--simultaneous", help="They move at once, not in turn.")] = False,
    by_order: Annotated[bool, typer.Option("--by-order", help="Roles with different names meet in order.")] = False,
    set_size: Annotated[int | None, typer.Option("--set", min=1, help="Write so many random compounds.")] = None,
    seed: SeedOption = 0,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Glue games together, and tell what the compound falls into."""
    if set_size is not None:
        _write_set(words, set_size, seed, json=json, quiet=quiet)
        return
    with compiling(quiet=quiet or json):
        from ludisect.compose.build import compose as build

        made = build(
            words[0],
            words[1:],
            goal=goal.value,
            disguises=[name for some in disguise or () for name in some.split(",")],
            steps=steps,
            rest=rest,
            seed=seed,
            players=players,
            turns="simultaneous" if simultaneous else None,
            by_order=by_order,
        )
    if output is not None:
        _write(output, made.text)
    if json_out is not None:
        _write(json_out, _pretty(made.answer))
    if json:
        print_json({"rules": made.text, "decomposition": made.answer, "made": made.description})
    elif output is None:
        print(made.text, end="")
    elif not quiet:
        out.print(_line(made), markup=False)


def _line(made: Composed) -> str:
    known = made.answer
    return (
        f"{made.name}: {known['structure']}, {known['action_dependent']} dependent parts ({known['useless']} useless), "
        f"{known['action_independent']} independent"
    )


def _write_set(words: list[str], size: int, seed: int, *, json: bool, quiet: bool) -> None:
    """A folder of rule sheets and their parts, and a file that says how each was made."""
    from ludisect.compose import compose_set

    if len(words) != 1:
        raise InputError(f"--set takes one folder to write to, and {len(words)} words are given: compose --set 100 DIR")
    folder = Path(words[0])
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot write to {words[0]!r}: {error.strerror}") from None
    made: list[dict[str, Any]] = []
    with progress("composing", size, quiet=quiet or json) as advance:
        for game in compose_set(size, seed):
            _write(folder / f"{game.name}.kif", game.text)
            _write(folder / f"{game.name}.json", _pretty(game.answer))
            made.append({"game": game.name, **game.description})
            if advance is not None:
                advance(1)
    _write(folder / "index.jsonl", "".join(f"{json_module.dumps(line)}\n" for line in made))
    if json:
        print_json({"folder": str(folder), "games": made})
    elif not quiet:
        out.print(f"{size} games and their parts in {folder}; index.jsonl says how each was made", markup=False)


def _pretty(data: object) -> str:
    return json_module.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {str(path)!r}: {error.strerror}") from None
