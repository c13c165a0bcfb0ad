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

Names are imported when they are first used, so that ``import ludisect`` is quick: numpy and clingo come with ``load``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludisect.answer import Answer
    from ludisect.circuit.game import Game
    from ludisect.circuit.lanes import Tally
    from ludisect.circuit.record import Transitions, record
    from ludisect.decomposition import Decomposition, decompose
    from ludisect.errors import BudgetExceeded, LudisectError, RulesError
    from ludisect.gdl import Interpreter, Rule, Rules, State, Term, check_machine, read, read_file, replay, write
    from ludisect.gdl.check import check
    from ludisect.loader import load
    from ludisect.solving import solve
    from ludisect.sums.answer import value_of as value

__version__ = "0.1.0"

_HOME = {
    "Answer": "ludisect.answer",
    "BudgetExceeded": "ludisect.errors",
    "Decomposition": "ludisect.decomposition.model.decomposition",
    "Game": "ludisect.circuit.game",
    "Interpreter": "ludisect.gdl",
    "LudisectError": "ludisect.errors",
    "Rule": "ludisect.gdl",
    "Rules": "ludisect.gdl",
    "RulesError": "ludisect.errors",
    "State": "ludisect.gdl",
    "Tally": "ludisect.circuit.lanes",
    "Term": "ludisect.gdl",
    "Transitions": "ludisect.circuit.record",
    "check": "ludisect.gdl",
    "check_machine": "ludisect.gdl",
    "decompose": "ludisect.decomposition.methods",
    "load": "ludisect.loader",
    "read": "ludisect.gdl",
    "read_file": "ludisect.gdl",
    "record": "ludisect.circuit.record",
    "replay": "ludisect.gdl",
    "solve": "ludisect.solving",
    "value": "ludisect.sums.answer:value_of",
    "write": "ludisect.gdl",
}

__all__ = [
    "Answer",
    "BudgetExceeded",
    "Decomposition",
    "Game",
    "Interpreter",
    "LudisectError",
    "Rule",
    "Rules",
    "RulesError",
    "State",
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
    "solve",
    "value",
    "write",
]


def __getattr__(name: str) -> object:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'ludisect' has no attribute {name!r}; it offers {', '.join(__all__)}")
    module, _, attribute = home.partition(":")
    return getattr(import_module(module), attribute or name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
