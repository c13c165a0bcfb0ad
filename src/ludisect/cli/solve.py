"""The command solve: the value and the best move of a game given by rules, or of a sum of combinatorial games."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludisect.cli.app import INTERRUPTED, print_json
from ludisect.cli.console import note, say, working
from ludisect.cli.engine import build, from_state
from ludisect.cli.files import add_store, open_store
from ludisect.cli.options import (
    Parser,
    add_jobs,
    add_json_and_quiet,
    add_memory,
    add_seconds,
    add_settings,
    add_state,
    integer,
)
from ludisect.effort import Effort
from ludisect.errors import BudgetExceeded, InputError

if TYPE_CHECKING:
    from ludisect.answer import Answer
    from ludisect.sums.table import Sum


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
    add_state(parser)
    add_seconds(parser)
    add_memory(parser, "the building of the game, and of the tables of its search")
    add_jobs(parser)
    add_store(parser)
    add_settings(parser, "gdl", "games", "ground", "circuit", "decomposition", "search", "cgt", "rulesets", "sums")
    add_json_and_quiet(parser)


def run(
    game: str,
    *,
    by: str | None,
    depth: int | None,
    state: Path | None,
    moves: str | None,
    seconds: float | None,
    memory: float,
    jobs: int | None,
    store: Path | None,
    json: bool,
    quiet: bool,
) -> int:
    """The value of a game and the best move: from its parts where it has some.

    For a sum of combinatorial games: who wins, and by which move, for either player to begin; after --moves such as
    "left 2: to 3; right 1: a1-b1", for the one whose turn it is.
    """
    found = solved(
        game,
        state,
        moves,
        memory,
        quiet=quiet or json,
        by=by,
        depth=depth,
        seconds=seconds,
        jobs=jobs,
        store=open_store(store),
    )
    return _show(*found, json=json)


def solved(
    game: str,
    state: Path | None,
    moves: str | None,
    memory: float,
    *,
    quiet: bool,
    seconds: float | None,
    **options: Any,
) -> tuple[Answer, BudgetExceeded | None]:
    """What the search of a game or a sum found, from the position on that --state and --moves lead to; and the limit
    that it hit."""
    from ludisect.games.source import find_rules, names_rules
    from ludisect.solving import solve

    if not names_rules(game):
        if state is not None:
            raise InputError(f"--state is for games given by rules; {game} is a sum of combinatorial games")
        table = game if moves is None else _played(game, moves)
        with working("solving the sum", quiet=quiet):
            return _searched(lambda: solve(table, seconds=seconds, **options))
    time = Effort(seconds=seconds)
    try:
        built = build(find_rules(game), seconds=seconds, memory=memory, quiet=quiet)
    except BudgetExceeded as error:
        message = f"{str(error).splitlines()[0]}; give it more --seconds or --memory"
        raise BudgetExceeded(message, budget="building") from None  # no other engine can solve
    built = from_state(built, state, moves)
    with working(f"solving {built.name}", quiet=quiet):
        found, limit = _searched(lambda: solve(built, seconds=time.seconds_left, memory=memory * 2**30, **options))
    if limit is not None and limit.budget == "seconds":  # building took some of them
        limit = BudgetExceeded(f"not finished within {seconds:g} s", budget="seconds")
    return found, limit


def _played(expression: str, moves: str) -> Sum:
    """A sum after some moves."""
    from ludisect.sums.table import Sum

    return Sum(expression).play_line(moves)


def _searched(search: Callable[[], Answer]) -> tuple[Answer, BudgetExceeded | None]:
    """What a search found, and the limit that it hit."""
    from ludisect.answer import Answer as Kind

    try:
        return search(), None
    except BudgetExceeded as error:
        if not isinstance(error.partial, Kind):
            raise
        return error.partial, error


def _show(answer: Answer, limit: BudgetExceeded | None, *, json: bool) -> int:
    """Print an answer; the exit code is 3 if a limit was hit, 130 after an interrupt."""
    interrupted = limit is not None and limit.budget == "interrupt"
    if json:
        data = answer.to_json()
        if limit is not None:
            data = {"bounds": None, **data, "limit": str(limit), **({"interrupted": True} if interrupted else {})}
        print_json(data)
    else:
        say(str(answer))
        if answer.exact and answer.checked:
            say(f"  checked: {answer.checked}")
        say(f"  {answer.nodes:,} positions, {answer.seconds:.3g} s")
        if limit is not None:
            held = "" if answer.begins else "; the bounds hold all the same"
            note(f"ludisect: {limit}{held}" + (", a guess need not" if answer.guess else ""))
    return INTERRUPTED if interrupted else 0 if limit is None else 3
