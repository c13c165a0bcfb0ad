"""Which engine plays a game: the circuit, or the interpreter where the circuit cannot be built or is not wanted."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from ludisect.cli.console import compiling, err, working
from ludisect.errors import BudgetExceeded

if TYPE_CHECKING:
    from ludisect.circuit.game import Game
    from ludisect.gdl import Interpreter, Rules

BUILD_SECONDS = 120.0


class Engine(StrEnum):
    """auto takes the circuit and falls back to the interpreter."""

    auto = "auto"
    circuit = "circuit"
    interpreter = "interpreter"


EngineOption = Annotated[
    Engine, typer.Option("--engine", help="What plays: the circuit is fast, the interpreter slow.")
]


def build(rules: Rules, *, seconds: float | None, memory: float, quiet: bool) -> Game:
    """The circuit of a game, within limits; says so if kernels have to be compiled first."""
    from ludisect.circuit.load import load

    with compiling(quiet=quiet), working(f"building {rules.name}", quiet=quiet):
        return load(rules, seconds=BUILD_SECONDS if seconds is None else seconds, memory=memory * 2**30)


def machine(rules: Rules, engine: Engine, *, seconds: float | None, memory: float, quiet: bool) -> Game | Interpreter:
    """The asked engine; with ``auto`` the interpreter if the circuit is too large."""
    from ludisect.gdl import Interpreter

    if engine is not Engine.interpreter:
        try:
            return build(rules, seconds=seconds, memory=memory, quiet=quiet)
        except BudgetExceeded as error:
            if engine is Engine.circuit:
                raise
            if not quiet:
                err.print(f"note: {error}; playing with the interpreter", markup=False)
    return Interpreter(rules)
