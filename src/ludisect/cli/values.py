"""The command values: what every legal move is worth, from one solution of a game or a sum, the best marked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludisect.cli.app import INTERRUPTED, print_json
from ludisect.cli.console import columns, note, say
from ludisect.cli.options import Parser, add_json_and_quiet, add_memory, add_seconds, add_settings, add_state
from ludisect.cli.solve import solved

if TYPE_CHECKING:
    from ludisect.answer import Answer, MoveValue, PartAnswer

MARK, UNKNOWN = "→", "?"

WIDEST = 40
"""Characters of an incentive that are shown."""


def options(parser: Parser) -> None:
    parser.add_argument(
        "game",
        metavar="GAME",
        help="a game given by rules (a bundled name, a path, or -), or a combinatorial sum as for 'value'",
    )
    add_state(parser)
    add_seconds(parser)
    add_memory(parser, "the building of the game, and of the tables of its search")
    add_settings(parser, "gdl", "games", "ground", "circuit", "decomposition", "search", "cgt", "rulesets", "sums")
    add_json_and_quiet(parser)


def run(
    game: str,
    *,
    state: Path | None,
    moves: str | None,
    seconds: float | None,
    memory: float,
    json: bool,
    quiet: bool,
) -> int:
    """What every legal move is worth to each role if all play well after it; the best are marked.

    For a sum of combinatorial games: whether each move wins, and its incentive, for either player to begin or, after
    --moves, for the one whose turn it is. What the search does not know is left open.
    """
    from ludisect import clock

    begin = clock.now()
    answer, limit = solved(game, state, moves, memory, quiet=quiet or json, seconds=seconds)
    interrupted = limit is not None and limit.budget == "interrupt"
    found = () if interrupted else answer.values()
    parts = () if interrupted else answer.parts_at()
    if json:
        data: dict[str, Any] = {
            "game": answer.game,
            "algorithm": answer.algorithm,
            "rule": answer.rule,
            "exact": bool(found) and all(value.exact for value in found),
            "values": [value.to_json() for value in found],
            "parts": [part.to_json() for part in parts],
            "seconds": round(clock.now() - begin, 4),
        }
        if limit is not None:
            data |= {"limit": str(limit), **({"interrupted": True} if interrupted else {})}
        print_json(data)
    else:
        _print(answer, found, parts)
        if limit is not None:
            known = sum(value.exact for value in found)
            note(f"ludisect: {limit}; {known} of {len(found)} moves have a value")
    return INTERRUPTED if interrupted else 0 if limit is None else 3


def _print(answer: Answer, found: tuple[MoveValue, ...], parts: tuple[PartAnswer, ...]) -> None:
    by = f"{answer.algorithm}: {answer.rule}" if answer.rule else answer.algorithm
    say(f"{answer.game}: {len(found)} move{'s' * (len(found) != 1)} ({by})")
    if found:
        for line in columns([_head(answer), *(_row(answer, value) for value in found)]):
            say(f"  {line}")
        open_ = sum(not value.exact for value in found)
        say(f"  {MARK} best" + (f"; {open_} not known for certain" if open_ else ""))
    for part in parts:
        say(f"  {part.why}")


def _head(answer: Answer) -> list[str]:
    last = ["wins", "incentive"] if answer.begins and answer.rule != "points" else ["incentive"] * answer.begins
    roles = [] if answer.begins and answer.rule != "points" else list(answer.value)
    return ["", "role", "move", "part", *roles, *last]


def _row(answer: Answer, value: MoveValue) -> list[str]:
    """A move: whether it is best, who makes it, where, and what it brings."""
    out = [MARK if value.best else "", value.role, str(value.move), "" if value.part is None else str(value.part)]
    if not answer.begins or answer.rule == "points":
        known = (value.value.get(role) for role in answer.value)
        out += [UNKNOWN if x is None else f"{x:g}" for x in known]
    else:
        out.append({True: "yes", False: "no", None: UNKNOWN}[value.wins])
    if answer.begins:
        from ludisect.cgt.writer import short

        told = "" if value.incentive is None else short(value.incentive)  # type: ignore[arg-type]
        out.append(told if len(told) <= WIDEST else f"{told[: WIDEST - 1]}…")
    return out
