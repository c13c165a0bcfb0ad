"""ludisect takes a game apart and plays the whole by solving the parts.

    >>> import ludisect
    >>> game = ludisect.load("tictactoe")
    >>> game.playouts.run(1000).playouts
    1000

Names are imported when they are first used, so that ``import ludisect`` is quick: numba and clingo come with ``load``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludisect.circuit.game import Game
    from ludisect.circuit.lanes import Tally
    from ludisect.circuit.load import load
    from ludisect.circuit.record import Transitions, record
    from ludisect.decompose import Decomposition, decompose
    from ludisect.errors import BudgetExceeded, LudisectError, RulesError
    from ludisect.gdl import Interpreter, Rule, Rules, Term, check, check_machine, read, read_file, replay, write

__version__ = "0.1.0"

_HOME = {
    "BudgetExceeded": "ludisect.errors",
    "Decomposition": "ludisect.decompose.model",
    "Game": "ludisect.circuit.game",
    "Interpreter": "ludisect.gdl",
    "LudisectError": "ludisect.errors",
    "Rule": "ludisect.gdl",
    "Rules": "ludisect.gdl",
    "RulesError": "ludisect.errors",
    "Tally": "ludisect.circuit.lanes",
    "Term": "ludisect.gdl",
    "Transitions": "ludisect.circuit.record",
    "check": "ludisect.gdl",
    "check_machine": "ludisect.gdl",
    "decompose": "ludisect.decompose.methods",
    "load": "ludisect.circuit.load",
    "read": "ludisect.gdl",
    "read_file": "ludisect.gdl",
    "record": "ludisect.circuit.record",
    "replay": "ludisect.gdl",
    "write": "ludisect.gdl",
}

__all__ = [
    "BudgetExceeded",
    "Decomposition",
    "Game",
    "Interpreter",
    "LudisectError",
    "Rule",
    "Rules",
    "RulesError",
    "Tally",
    "Term",
    "Transitions",
    "check",
    "check_machine",
    "decompose",
    "load",
    "read",
    "read_file",
    "record",
    "replay",
    "write",
]


def __getattr__(name: str) -> object:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'ludisect' has no attribute {name!r}; it offers {', '.join(__all__)}")
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
