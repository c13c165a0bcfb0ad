"""What a job asks of its process: the words of a command line, made from options that are checked one by one."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from ludisect.sweep.job import TASKS
from ludisect.web.problems import Refusal

PLAYERS: Final = ("random", "legal", "flat", "tree", "alphabeta", "parts")
"""Players of this machine: addresses of others are not for pages."""

METHODS: Final = ("exact", "playouts", "instances", "symbols")

HELD: Final = "<{}>"
"""In a command line, the place of a file that the process holds open, by the name of what is in it."""

Check = Callable[[Any], bool]


def _whole(least: int, most: int) -> Check:
    return lambda x: isinstance(x, int) and not isinstance(x, bool) and least <= x <= most


def _number(least: float, most: float) -> Check:
    return lambda x: isinstance(x, int | float) and not isinstance(x, bool) and least <= x <= most


def _one_of(*words: str) -> Check:
    return lambda x: x in words


def _word(x: Any) -> bool:
    return isinstance(x, str) and len(x) <= 40 and x.replace("-", "").isalnum() and not x.startswith("-")


def _yes(x: Any) -> bool:
    return isinstance(x, bool)


def _players(x: Any) -> bool:
    return isinstance(x, list) and 1 <= len(x) <= 8 and all(map(_word, x))


def _games(x: Any) -> bool:
    return isinstance(x, list) and len(x) <= 1000 and all(isinstance(name, str) and len(name) <= 200 for name in x)


_PLAYOUTS = _whole(1, 1_000_000)
_SEED = _whole(0, 2**31 - 1)

OPTIONS: Final[Mapping[str, Mapping[str, Check]]] = {
    "decompose": {
        "method": _one_of(*METHODS),
        "variant": _one_of("paper", "thesis", "nested", "letter"),
        "playouts": _PLAYOUTS,
        "prove": _yes,
        "seed": _SEED,
    },
    "verify": {
        "decomposition": lambda x: isinstance(x, dict),
        "playouts": _PLAYOUTS,
        "prove": _yes,
        "seed": _SEED,
    },
    "solve": {"by": _word, "depth": _whole(0, 10_000)},
    "values": {},
    "simulate": {"playouts": _whole(1, 10**12), "seed": _SEED, "max_length": _whole(1, 10**6)},
    "match": {
        "players": _players,
        "games": _whole(1, 10_000),
        "clock": _number(0.01, 60.0),
        "opening": _whole(0, 100),
        "seed": _SEED,
    },
    "sweep": {
        "task": _one_of(*TASKS),
        "games": _games,
        "method": _one_of(*METHODS),
        "clock": _number(0.1, 600.0),
        "playouts": _PLAYOUTS,
        "seed": _SEED,
    },
    "value": {},
    "chess": {"bound": _yes},
    "play": {"player": _word, "clock": _number(0.01, 600.0), "seed": _SEED},
}
"""The options of each command, and what is right for them."""

KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    "rules": ("decompose", "verify", "solve", "values", "simulate", "match", "play"),
    "sum": ("solve", "values", "value", "chess", "play", "match"),
    "games": ("sweep",),
}
"""Which commands make sense for which kind of game."""

NAMES: Final = {"rules": "a game given by rules", "sum": "a sum", "games": "many games"}

HEAVY: Final = ("decompose", "verify", "solve", "simulate", "match", "sweep")
"""Commands of which a page runs one at a time; the others have a lane of their own beside them."""


def check_options(command: str, kind: str, source: Mapping[str, Any], options: Mapping[str, Any]) -> None:
    """Refuse what a command does not take."""
    if command not in KINDS[kind] or (command == "chess" and "fen" not in source):
        what = "a game without a FEN" if command == "chess" and kind == "sum" else NAMES[kind]
        raise Refusal("input", f"{command} is not for {what}.")
    known = OPTIONS[command]
    for name, value in options.items():
        if name not in known:
            raise Refusal("request", f"{command} has no option {name}; it has {', '.join(known) or 'none'}.")
        if not known[name](value):
            raise Refusal("request", f"The option {name} of {command} is not right: {str(value)[:100]!r}.")
    if command == "verify" and "decomposition" not in options:
        raise Refusal("request", "verify needs the option decomposition.")
    if command == "match":
        if "players" not in options:
            raise Refusal("request", "match needs the option players.")
        strange = [name for name in options["players"] if kind == "rules" and name not in PLAYERS]
        if strange:
            raise Refusal("request", f"There is no player {strange[0]}; there are {', '.join(PLAYERS)}.")


def command_words(
    job: Mapping[str, Any], game: Mapping[str, Any], position: Mapping[str, Any] | None
) -> dict[str, Any]:
    """The request that runs a command: its words, its standard input, the files that it holds.

    ``game`` is what the game was made of, ``position`` the place in the line of play, if the line is not empty.
    """
    command, options = job["command"], dict(job["options"])
    held: dict[str, str] = {}
    if game["kind"] == "sum":
        text = game["fen"] if command == "chess" else game["sum"] if position is None else position["state"][0]
        words = [command, text]
    else:
        words = [command, game["name"] if "text" not in game else "-"]
        if position is not None and command != "match":
            held["state"] = "\n".join(position["state"])
            words += ["--state", HELD.format("state")]
    if command == "verify":
        held["decomposition"] = json.dumps(options.pop("decomposition"))
        words.insert(2, HELD.format("decomposition"))
    words[2:2] = options.pop("players", [])
    words += _limits(job, game["kind"], options.pop("clock", None))
    for name, value in options.items():
        flag = f"--{name.replace('_', '-')}"
        words += [flag] if value is True else [] if value is False else [flag, str(value)]
    return {"do": "command", "words": [*words, "--json"], "input": game.get("text", ""), "held": held,
            "own": game.get("own")}  # fmt: skip


def _limits(job: Mapping[str, Any], kind: str, clock: float | None) -> list[str]:
    """Seconds and memory as the command takes them; a match has a clock for every move instead."""
    if job["command"] == "match":
        return ["--seconds", str(clock or 1.0)]
    seconds = ["--seconds", str(job["seconds"])]
    return [*seconds, "--memory", str(job["memory"])] if kind == "rules" else seconds
