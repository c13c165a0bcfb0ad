"""The command info: the size of a game and of its circuit, who moves when, and how long it took to build them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludisect.cli.app import print_json
from ludisect.cli.console import BOLD, say
from ludisect.cli.engine import build, from_state, state_of
from ludisect.cli.options import Parser, add_game, add_json_and_quiet, add_memory, add_seconds, add_settings, add_state
from ludisect.effort import Effort

if TYPE_CHECKING:
    from ludisect.circuit.game import Game
    from ludisect.gdl import State


LATE = "not settled when the time was over"

WORDS = {True: "yes", False: "no", None: "open"}


def options(parser: Parser) -> None:
    add_game(parser)
    add_state(parser)
    add_seconds(parser)
    add_memory(parser)
    add_settings(parser, "gdl", "games", "ground", "circuit", "decomposition")
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
    """Roles, turns, fluents, moves, gates, and how long it took to build them.

    With --state or --moves also that state: who can move there, and how large the game still is. The exit code is 3 if
    the time was over before all of it was known.
    """
    from ludisect.games.source import find_rules

    time = Effort(seconds=seconds)

    built = build(find_rules(game), seconds=seconds, memory=memory, quiet=quiet or json)
    here = None if state is None and moves is None else state_of(built, state, moves)
    from ludisect.decomposition.gamesize import game_figures

    data = game_figures(from_state(built, state, moves), time)
    code = 3 if None in (data["turns"], data["phases"]) else 0
    if json:
        print_json(data if here is None else {**data, "state": _state_data(here)})
        return code
    phases = data["phases"] or 1
    rows = {
        "roles": ", ".join(built.roles),
        "turns": (data["turns"] or LATE) + (f" (a circuit for each of {phases} turns)" if phases > 1 else ""),
        "impartial": f"{WORDS[data['impartial']['answer']]}: {data['impartial']['why']}",
        "rules": str(data["rules"]),
        "fluents": f"{data['fluents']:,}, {data['initial']:,} of them {'initial' if here is None else 'hold'}"
        + ("" if here is None else f", {data['settled']:,} settled for good"),
        "moves": ", ".join(f"{role} {n:,}" for role, n in data["moves"].items()),
        "circuit": f"{data['gates']:,} gates, {data['edges']:,} edges, {data['levels']} levels",
        "built in": f"{data['build_seconds']:.2f} s ("
        + ", ".join(f"{stage} {s:.2f}" for stage, s in built.seconds.items())
        + ")",
    }
    say(built.name, BOLD)
    for name, value in rows.items():
        say(f"  {name:9} {value}")
    if here is not None:
        say(f"{here!r}".strip("<>"), BOLD)
        say(str(here))
    return code


def _state_data(state: State[Game]) -> dict[str, Any]:
    return {
        "fluents": sorted(map(str, state.fluents)),
        "legal": {role: [str(move) for move in moves] for role, moves in state.legal.items()},
        "over": state.is_over,
        "goals": dict(state.goals),
    }
