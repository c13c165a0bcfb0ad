"""Solving games given by rules: the part of the ``solve`` command that is not about combinatorial values."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ludisect.cli.app import INTERRUPTED, print_json
from ludisect.cli.console import note, say, working
from ludisect.cli.engine import build
from ludisect.errors import BudgetExceeded

if TYPE_CHECKING:
    from ludisect.search.answer import Answer
    from ludisect.search.budget import Progress


BUILDING = 5.0
"""Seconds that building a game may take even if the search has fewer."""


def is_game(text: str) -> bool:
    """Whether an argument names a rule sheet rather than a combinatorial expression."""
    from ludisect.gdl import bundled

    return text == "-" or bundled.is_bundled(text) or text.endswith(".kif") or Path(text).is_file()


def solve_game(
    name: str, by: str, *, depth: int | None, seconds: float | None, memory: float, json: bool, quiet: bool
) -> int:
    """Solve and print; the exit code is 3 if a limit was hit."""
    from ludisect.gdl.source import find_rules
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
