"""The command solve: the value and the best move of a game given by rules, or of a sum of combinatorial games."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ludisect.cli.app import INTERRUPTED, print_json
from ludisect.cli.console import note, say, working
from ludisect.cli.engine import build
from ludisect.cli.files import add_store, open_store
from ludisect.cli.options import Parser, add_json_and_quiet, add_memory, add_seconds, integer
from ludisect.errors import BudgetExceeded

if TYPE_CHECKING:
    from ludisect.search.answer import Answer
    from ludisect.search.budget import Progress

BUILDING = 5.0
"""Seconds that building a game may take even if the search has fewer."""


def options(parser: Parser) -> None:
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
    add_store(parser)
    add_json_and_quiet(parser)


def run(
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
    if _is_game(game):
        return _solve_game(game, by or "parts", depth=depth, seconds=seconds, memory=memory, json=json, quiet=quiet)
    return _solve_sum(game, by or "optimal", seconds=seconds, store=store, json=json)


def _is_game(text: str) -> bool:
    """Whether an argument names a rule sheet rather than a combinatorial expression."""
    from ludisect.games import bundled

    return text == "-" or bundled.is_bundled(text) or text.endswith(".kif") or Path(text).is_file()


def _solve_game(
    name: str, by: str, *, depth: int | None, seconds: float | None, memory: float, json: bool, quiet: bool
) -> int:
    """Solve and print; the exit code is 3 if a limit was hit."""
    from ludisect.games.source import find_rules
    from ludisect.search.solve import solve

    limit = None if seconds is None else max(seconds, BUILDING)
    try:
        game = build(find_rules(name), seconds=limit, memory=memory, quiet=quiet or json)
    except BudgetExceeded as error:
        message = f"{str(error).splitlines()[0]}; give it more --seconds or --memory"
        raise BudgetExceeded(message, budget="building") from None  # no other engine can solve
    try:
        with _watching(f"solving {game.name}", quiet=quiet or json) as progress:
            answer = solve(game, by, depth=depth, seconds=seconds, memory=memory * 2**30, progress=progress)
    except BudgetExceeded as error:
        from ludisect.search.answer import Answer as Kind

        if not isinstance(error.partial, Kind):
            raise
        _show(error.partial, json=json, limit=str(error))
        return INTERRUPTED if error.budget == "interrupt" else 3
    _show(answer, json=json)
    return 0


@contextmanager
def _watching(what: str, *, quiet: bool) -> Iterator[Progress | None]:
    """Say how far the search is; None if nobody would see it."""
    with working(what, quiet=quiet) as tell:
        yield None if tell is None else lambda doing, count: tell(f"{count:,} {doing}")


def _show(answer: Answer, *, json: bool, limit: str | None = None) -> None:
    if json:
        print_json(answer.to_json() if limit is None else {**answer.to_json(), "limit": limit})
        return
    say(str(answer))
    say(f"  {answer.nodes:,} positions, {answer.seconds:.3g} s")
    if limit is not None:
        note(f"ludisect: {limit}; the bounds hold all the same")


def _solve_sum(expression: str, by: str, *, seconds: float | None, store: Path | None, json: bool) -> int:
    """Solve and print; the exit code is 3 if a limit was hit, 130 after an interrupt."""
    from ludisect.sums.answer import solve as solve_sum

    data = solve_sum(expression, by=by, seconds=seconds, store=open_store(store))
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
