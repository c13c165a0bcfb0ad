"""The command compose: games glued into one, written together with the parts that are known of it."""

from __future__ import annotations

import argparse
import json as json_module
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ludisect.cli.app import INTERRUPTED, print_json
from ludisect.cli.console import note, say, working
from ludisect.cli.files import write
from ludisect.cli.options import Parser, SetOption, add_json_and_quiet, add_path, add_seed, integer
from ludisect.errors import InputError
from ludisect.progress import report

if TYPE_CHECKING:
    from ludisect.composition import Composed, Thorny


def options(parser: Parser) -> None:
    parser.add_argument(
        "words",
        nargs="+",
        metavar="OP GAME…",
        help='OP is choice, sync, serial or multiple; a GAME is a bundled name, a path, "(OP GAME GAME…)", or a '
        "random machine: walk, ring, board; with --set, the folder to write to",
    )
    add_path(parser, "-o", "--output", help="write the rules to this file")
    add_path(parser, "--json-out", help="write the known parts to this file")
    parser.add_argument(
        "--goal",
        choices=("additive", "all", "any"),
        default="additive",
        help="how the results of the parts make that of the whole (default: %(default)s)",
    )
    parser.add_argument("--disguise", action="append", metavar="WAY,…", help="ways to hide the parts, or all")
    parser.add_argument("--steps", type=integer(1), metavar="INTEGER", help="a step counter that ends the play")
    parser.add_argument("--rest", action="store_true", help="the mover may do nothing")
    parser.add_argument(
        "--players",
        type=integer(1),
        default=1,
        metavar="INTEGER",
        help="of machines without a game beside them (default: %(default)s)",
    )
    parser.add_argument("--simultaneous", action="store_true", help="they move at once, not in turn")
    parser.add_argument("--by-order", action="store_true", help="roles with different names meet in order")
    parser.rooms = ("gdl", "games", "ground", "circuit", "composition")
    parser.set_defaults(settings=[], set_size=None)
    parser.add_argument(
        "--set",
        action=_Set,
        default=argparse.SUPPRESS,
        metavar="INTEGER",
        help="write so many random compounds; or NAME=VALUE: another value for a limit (--set help lists them)",
    )
    parser.add_argument(
        "--thorny",
        action="store_true",
        help="with --set: small compounds full of what a search can trip over, with their values in place of parts",
    )
    add_seed(parser)
    add_json_and_quiet(parser)


class _Set(SetOption):
    """A set of compounds of some size, or a number of a room that is set: told apart by the sign between them."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, value: Any, *_: Any) -> None:
        if "=" in value or value == "help":
            super().__call__(parser, namespace, value)
        else:
            try:
                namespace.set_size = integer(1)(value)
            except argparse.ArgumentTypeError as error:
                raise argparse.ArgumentError(self, str(error)) from None


def run(
    words: list[str],
    *,
    output: Path | None,
    json_out: Path | None,
    goal: Literal["additive", "all", "any"],
    disguise: list[str] | None,
    steps: int | None,
    rest: bool,
    players: int,
    simultaneous: bool,
    by_order: bool,
    set_size: int | None,
    thorny: bool,
    seed: int,
    json: bool,
    quiet: bool,
) -> int:
    """Glue games together, and tell what the compound falls into."""
    if set_size is not None:
        return _write_set(words, set_size, seed, thorny=thorny, json=json, quiet=quiet)
    if thorny:
        raise InputError("--thorny makes a set of compounds: compose --set 100 --thorny DIR")
    from ludisect.composition.ondemand import compose as build

    made = build(
        words[0],
        words[1:],
        goal=goal,
        disguises=[name for some in disguise or () for name in some.split(",")],
        steps=steps,
        rest=rest,
        seed=seed,
        players=players,
        turns="simultaneous" if simultaneous else None,
        by_order=by_order,
    )
    if output is not None:
        write(output, made.text)
    if json_out is not None:
        write(json_out, _pretty(made.answer))
    if json:
        print_json({"rules": made.text, "decomposition": made.answer, "made": made.description})
    elif output is None:
        print(made.text, end="")
    elif not quiet:
        say(_line(made))
    return 0


def _line(made: Composed) -> str:
    known = made.answer
    return (
        f"{made.name}: {known['structure']}, {known['action_dependent']} dependent parts ({known['useless']} useless), "
        f"{known['action_independent']} independent"
    )


def _write_set(words: list[str], size: int, seed: int, *, thorny: bool, json: bool, quiet: bool) -> int:
    """A folder of rule sheets with what is known of them, and how each was made; gives the exit code."""
    from ludisect.composition import compose_set, compose_thorny_set

    if len(words) != 1:
        raise InputError(f"--set takes one folder to write to, and {len(words)} words are given: compose --set 100 DIR")
    folder = Path(words[0])
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot write to {words[0]!r}: {error.strerror}") from None
    made: list[dict[str, Any]] = []
    code = 0
    try:
        with working(f"composing {size} games", quiet=quiet or json):
            games: Iterable[Composed | Thorny] = compose_thorny_set(size, seed) if thorny else compose_set(size, seed)
            for game in games:
                write(folder / f"{game.name}.kif", game.text)
                write(folder / f"{game.name}.json", _pretty(game.answer))
                made.append({"game": game.name, **game.description})
                report("composing", len(made), size)
    except KeyboardInterrupt:
        code = INTERRUPTED
        note(f"ludisect: interrupted after {len(made)} of {size} games")
    write(folder / "index.jsonl", "".join(f"{json_module.dumps(line)}\n" for line in made))
    if json:
        print_json({"folder": str(folder), "games": made})
    elif not quiet:
        known = "values" if thorny else "parts"
        say(f"{len(made)} games and their {known} in {folder}; index.jsonl says how each was made")
    return code


def _pretty(data: object) -> str:
    return json_module.dumps(data, ensure_ascii=False, indent=1) + "\n"
