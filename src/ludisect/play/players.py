"""The built-in players by name; each is loaded when it is asked for."""

from __future__ import annotations

from importlib import import_module

from ludisect.errors import InputError, did_you_mean
from ludisect.play.player import GamePlayer

PLAYERS = {
    "random": "simple:RandomPlayer",
    "legal": "simple:LegalPlayer",
    "flat": "flat:FlatPlayer",
    "tree": "treeplayer:TreePlayer",
    "alphabeta": "depthfirst:AlphaBetaPlayer",
    "parts": "byparts:PartsPlayer",
}
"""Module and class."""


def make_player(name: str) -> GamePlayer:
    """A new player of some kind; raises InputError if there is none of that name."""
    if name not in PLAYERS:
        raise InputError(f"no player is called {name!r}{did_you_mean(name, PLAYERS) or f'; there are {names()}'}")
    module, _, kind = PLAYERS[name].partition(":")
    made: GamePlayer = getattr(import_module(f"ludisect.play.{module}"), kind)()
    return made


def names() -> str:
    """The built-in players, in a line."""
    return ", ".join(PLAYERS)
