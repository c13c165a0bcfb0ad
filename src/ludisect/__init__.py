"""ludisect takes a game apart and plays the whole by solving the parts.

    >>> import ludisect
    >>> game = ludisect.load("double-tictactoe")
    >>> game.playouts.run(1000).playouts
    1000
    >>> parts = ludisect.decompose(game)
    >>> len(parts.dependent)
    2
    >>> ludisect.solve(parts).value
    {'xplayer': 50.0, 'oplayer': 50.0}

Names and rooms (``ludisect.cgt``, ``ludisect.gdl``, …) are imported when they are first used, so that
``import ludisect`` is quick: numpy and clingo come with ``load``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludisect import cgt as cgt
    from ludisect import circuit as circuit
    from ludisect import composition as composition
    from ludisect import decomposition as decomposition
    from ludisect import draw as draw
    from ludisect import games as games
    from ludisect import gdl as gdl
    from ludisect import ground as ground
    from ludisect import kernels as kernels
    from ludisect import pawnendings as pawnendings
    from ludisect import play as play
    from ludisect import rulesets as rulesets
    from ludisect import search as search
    from ludisect import sums as sums
    from ludisect import sweep as sweep
    from ludisect import web as web
    from ludisect.answer import Answer
    from ludisect.cgt import Value
    from ludisect.circuit.game import Game
    from ludisect.composition import compose
    from ludisect.decomposition import Decomposition, decompose, verify
    from ludisect.errors import BudgetExceeded, LudisectError, RulesError
    from ludisect.gdl import Interpreter, Rules, State, Term, check_machine, read, replay, write
    from ludisect.gdl.check import check
    from ludisect.loader import load
    from ludisect.rulesets import Position
    from ludisect.rulesets.notation import position
    from ludisect.solving import solve
    from ludisect.sums.expression import value_of as value

__version__ = "0.1.0"

_HOME = {
    "Answer": "ludisect.answer",
    "BudgetExceeded": "ludisect.errors",
    "Decomposition": "ludisect.decomposition.model.decomposition",
    "Game": "ludisect.circuit.game",
    "Interpreter": "ludisect.gdl",
    "LudisectError": "ludisect.errors",
    "Position": "ludisect.rulesets",
    "Rules": "ludisect.gdl",
    "RulesError": "ludisect.errors",
    "State": "ludisect.gdl",
    "Term": "ludisect.gdl",
    "Value": "ludisect.cgt",
    "check": "ludisect.gdl",
    "check_machine": "ludisect.gdl",
    "compose": "ludisect.composition",
    "decompose": "ludisect.decomposition.methods",
    "load": "ludisect.loader",
    "position": "ludisect.rulesets.notation",
    "read": "ludisect.gdl",
    "replay": "ludisect.gdl",
    "solve": "ludisect.solving",
    "value": "ludisect.sums.expression:value_of",
    "verify": "ludisect.decomposition.methods",
    "write": "ludisect.gdl",
}

__all__ = [
    "Answer",
    "BudgetExceeded",
    "Decomposition",
    "Game",
    "Interpreter",
    "LudisectError",
    "Position",
    "Rules",
    "RulesError",
    "State",
    "Term",
    "Value",
    "check",
    "check_machine",
    "compose",
    "decompose",
    "load",
    "position",
    "read",
    "replay",
    "solve",
    "value",
    "verify",
    "write",
]


_ROOMS = (
    "cgt",
    "circuit",
    "composition",
    "decomposition",
    "draw",
    "games",
    "gdl",
    "ground",
    "kernels",
    "pawnendings",
    "play",
    "rulesets",
    "search",
    "sums",
    "sweep",
    "web",
)


def __getattr__(name: str) -> object:
    if name in _ROOMS:
        return import_module(f"ludisect.{name}")
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(
            f"module 'ludisect' has no attribute {name!r}; it offers {', '.join(__all__)}, and the rooms "
            f"{', '.join(_ROOMS)}"
        )
    module, _, attribute = home.partition(":")
    return getattr(import_module(module), attribute or name)


def __dir__() -> list[str]:
    return [*__all__, *_ROOMS, "__version__"]
