"""Which engine plays a game: the circuit, or the interpreter where it is too large or not wanted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from ludisect.cli.console import note, working
from ludisect.cli.options import Parser
from ludisect.effort import Effort
from ludisect.errors import BudgetExceeded

if TYPE_CHECKING:
    from ludisect.circuit.game import Game
    from ludisect.gdl import Interpreter, Rules, State

Engine = Literal["auto", "circuit", "interpreter"]
"""auto takes the circuit and falls back to the interpreter."""


BUILDING = 1.0
"""Seconds that building a game may take even if the command has fewer."""


def add_engine(parser: Parser) -> None:
    parser.add_argument(
        "--engine",
        choices=get_args(Engine),
        default="auto",
        help="what plays: the circuit is fast, the interpreter slow (default: %(default)s)",
    )


def build(rules: Rules, *, seconds: float | None, memory: float, quiet: bool) -> Game:
    """The circuit of a game, within limits."""
    time = Effort(seconds=seconds)
    from ludisect.loader import load

    limit = None if time.seconds_left is None else max(time.seconds_left, BUILDING)
    with working(f"building {rules.name}", quiet=quiet):
        return load(rules, seconds=limit, memory=memory * 2**30)


@contextmanager
def recording(memory: float) -> Iterator[None]:
    """Within this block, plays that need more GB to be recorded are refused."""
    from ludisect.circuit.limits import CircuitLimits
    from ludisect.settings import using

    with using(replace(CircuitLimits.current(), record_bytes=memory * 2**30)):
        yield


def state_of(game: Game, path: Path | None, moves: str | None) -> State[Game]:
    """The state that --state and --moves lead to: a file's, or the start, and the moves from there."""
    state = game.start if path is None else game.read_state(path)
    return state if moves is None else state.play_line(moves)


def from_state(game: Game, path: Path | None, moves: str | None) -> Game:
    """The game from the state on that --state and --moves lead to."""
    from ludisect.circuit.midgame import at_state

    if path is None and moves is None:
        return game
    return at_state(game, state_of(game, path, moves).fluents)


def machine(rules: Rules, engine: Engine, *, seconds: float | None, memory: float, quiet: bool) -> Game | Interpreter:
    """The asked engine; with ``auto`` the interpreter if the circuit is too large."""
    from ludisect.gdl import Interpreter

    if engine != "interpreter":
        try:
            return build(rules, seconds=seconds, memory=memory, quiet=quiet)
        except BudgetExceeded as error:
            if engine == "circuit":
                raise
            if not quiet:
                note(f"note: {error}; playing with the interpreter")
    return Interpreter(rules)
