"""Commands about combinatorial games: value, solve."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ludisect.cli.app import INTERRUPTED, print_json
from ludisect.cli.console import note, say
from ludisect.cli.options import Parser, add_json, add_json_and_quiet, add_memory, add_path, add_seconds, integer
from ludisect.errors import InputError

if TYPE_CHECKING:
    from ludisect.sums.local import Store

STORE_HELP = "keep the values of parts in this file from one run to the next"


def value_options(parser: Parser) -> None:
    parser.add_argument(
        "expression",
        metavar="EXPRESSION",
        help='a position, a value, or a sum of them: "domineering 4x4", "clobber XO.|OX.", "nim 3 5 7", "{1|*}", '
        '"kayles 7 + ^*"',
    )
    add_path(parser, "--thermograph", help="draw it into this SVG file")
    add_seconds(parser)
    add_path(parser, "--store", help=STORE_HELP)
    add_json(parser)


def value(expression: str, *, thermograph: Path | None, seconds: float | None, store: Path | None, json: bool) -> None:
    """The combinatorial value of a position: canonical form, outcome, mean, temperature, stops, birthday."""
    from ludisect.sums.answer import describe, value_of

    found = value_of(expression, seconds=seconds, store=_open(store))
    if thermograph is not None:
        _write(thermograph, found.thermograph.to_svg(expression))
    data = describe(found)
    if json:
        print_json(data)
        return
    for name, known in data.items():
        say(f"  {name.replace('_', ' '):11} {known}")


def solve_options(parser: Parser) -> None:
    parser.add_argument(
        "game",
        metavar="GAME",
        help="a game given by rules (a bundled name, a path, or -), or a combinatorial sum as for 'value'",
    )
    parser.add_argument(
        "--by",
        metavar="NAME",
        help="for rules: parts (the default), whole, or the name of a way; for sums: optimal (the default) or the name "
        "of a strategy",
    )
    parser.add_argument("--depth", type=integer(0), metavar="INTEGER", help="look only so many moves ahead (rules)")
    add_seconds(parser)
    add_memory(parser)
    add_path(parser, "--store", help=STORE_HELP)
    add_json_and_quiet(parser)


def solve(
    game: str,
    *,
    by: str | None,
    depth: int | None,
    seconds: float | None,
    memory: float,
    store: Path | None,
    json: bool,
    quiet: bool,
) -> int:
    """The value of a game and the best move: from its parts where it has some.

    For a sum of combinatorial games: who wins, and by which move, for either player to begin.
    """
    from ludisect.cli.solving import is_game, solve_game

    if is_game(game):
        return solve_game(game, by or "parts", depth=depth, seconds=seconds, memory=memory, json=json, quiet=quiet)
    return _solve_sum(game, by or "optimal", seconds=seconds, store=store, json=json)


def _solve_sum(expression: str, by: str, *, seconds: float | None, store: Path | None, json: bool) -> int:
    """Solve and print; the exit code is 3 if a limit was hit, 130 after an interrupt."""
    from ludisect.sums.answer import solve as solve_sum

    data = solve_sum(expression, by=by, seconds=seconds, store=_open(store))
    limit = data.get("limit")
    code = 0 if limit is None else INTERRUPTED if data.get("interrupted") else 3
    if json:
        print_json(data)
        return code
    wins, moves, why = data["value"], data["move"], data["why"]
    assert isinstance(wins, dict)
    assert isinstance(moves, dict)
    assert isinstance(why, dict)
    for player, goal in wins.items():
        verdict = {100: f"wins by {moves[player]}", 0: "loses", None: f"is undecided and plays {moves[player]}"}[goal]
        say(f"  {player:5} to move {verdict}: {why[player]}")
    say(f"  {data['algorithm']}, {'proved' if data['exact'] else 'not proved'}, {data['seconds']:.3g} s")
    if limit is None:
        return code
    bounds = data["bounds"]
    if isinstance(bounds, list):
        say(f"  the value lies between {bounds[0]} and {bounds[1]}")
    note(f"ludisect: {limit}")
    return code


def _open(path: Path | None) -> Store | None:
    if path is None:
        return None
    from ludisect.sums.database import Database

    return Database(path)


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {str(path)!r}: {error.strerror}") from None
