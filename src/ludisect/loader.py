"""Rules -> ``Game``: ground and build, in a second way too where that pays, and keep the better circuit.

Splitting rules before grounding (see ``ground.split``) makes most games smaller and some larger. Where the rules as
they stand are cheap to ground too, both circuits are built and the one with fewer edges is kept. Where even the split
rules have millions of instances, they are restricted to what is asked for (see ``ground.demand``).
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Union

from ludisect import clock
from ludisect.circuit.circuit import Circuit, build
from ludisect.circuit.game import Game
from ludisect.circuit.limits import CircuitLimits
from ludisect.circuit.midgame import at_state
from ludisect.errors import BudgetExceeded, RulesInvalidError
from ludisect.games.source import find_rules
from ludisect.gdl.check import check
from ludisect.gdl.pythonrules import PythonRules
from ludisect.gdl.state import State
from ludisect.gdl.terms import Rules
from ludisect.ground import GroundRules, ground
from ludisect.ground.ground import DEFAULT_MEMORY, DEFAULT_SECONDS
from ludisect.kernels.workers import want

FIRST_SHARE, DEMAND_SHARE = 0.5, 0.7
"""Parts of the time (then of the time left) for the first and the second way to ground a game."""

SLOW = 2.0
"""Circuits that took more seconds to make are not worth a second grounding."""


def load(
    game: str | Path | Rules | PythonRules,
    *,
    seconds: float = DEFAULT_SECONDS,
    memory: float = DEFAULT_MEMORY,
    limits: CircuitLimits | None = None,
) -> Game:
    """A game ready to play, from a bundled name, a path, KIF text, rules already read, or rules written in Python.

    Raises RulesError for faulty rules, InputError for an unknown name or unreadable file, and BudgetExceeded when
    grounding needs more than ``seconds`` or ``memory`` (bytes): such a game can still be played by ``gdl.Interpreter``.
    ``limits`` are other numbers for choosing and building the circuit.

    >>> load("tictactoe").roles
    ('xplayer', 'oplayer')
    """
    want("load")
    begin = clock.now()
    rules = _rules(game)
    faults = [problem for problem in check(rules) if problem.level == "error"]
    if faults:
        raise RulesInvalidError(faults)
    read = clock.now()
    with CircuitLimits.given(limits):
        grounded, circuit = _best(rules, seconds, memory)
    end = clock.now()
    return Game(
        name=rules.name,
        roles=grounded.roles,
        fluents=grounded.fluents,
        moves=grounded.moves,
        circuit=circuit,
        goal_table=grounded.goals,
        rules=rules,
        seconds={"read": read - begin, "ground": grounded.seconds, "build": end - read - grounded.seconds},
    )


Loadable = Union[Game, State[Game], Rules, PythonRules, str, Path]
"""What a stage takes for a game: one that is loaded, one from a state on, or whatever ``load`` takes."""


def to_game(game: Loadable, asked: str) -> Game:
    """The game that a caller of ``asked`` means."""
    if isinstance(game, Game):
        return game
    if isinstance(game, State):
        if not isinstance(game.game, Game):
            kind = type(game.game).__name__
            raise TypeError(f"{asked} takes a State of a Game (ludisect.load), not one of an {kind}")
        return at_state(game.game, game.fluents)
    if isinstance(game, _SHEETS):
        return load(game)
    right = "a Game, a State or the text of a game (or its name, path or rules)"
    raise TypeError(f"{asked} takes {right}, not {_kind(game)}")


_SHEETS = (Rules, PythonRules, str, Path)


def _rules(game: object) -> Rules:
    if isinstance(game, PythonRules):
        return game.rules
    if isinstance(game, Rules):
        return game
    if isinstance(game, str | Path):
        return find_rules(game)
    if isinstance(game, type) and issubclass(game, PythonRules):
        raise TypeError(f"load takes a game of the class {game.__name__}: write {game.__name__}()")
    raise TypeError(f"load takes a bundled name, a path, the text of a game or its rules, not {_kind(game)}")


def _kind(thing: object) -> str:
    return "None" if thing is None else f"{type(thing).__name__} ({str(thing)[:40]})"


def _best(rules: Rules, seconds: float, memory: float) -> tuple[GroundRules, Circuit]:
    begin, limits = clock.now(), CircuitLimits.current()
    split = _ground(rules, seconds, memory)
    circuit = build(split)
    taken = clock.now() - begin
    if circuit.edges < limits.loader_small or taken > SLOW:
        return split, circuit
    bound = min(limits.loader_plain_most, max(limits.loader_plain_floor, limits.loader_plain_factor * split.n_rules))
    allowed = min(seconds - taken, 1.0 + 2 * taken)
    try:
        plain = ground(rules, split=False, seconds=allowed, memory=memory, max_rules=bound)
    except BudgetExceeded:
        return split, circuit
    other = build(plain, rival=circuit.edges)
    return (plain, other) if other.edges < circuit.edges else (split, circuit)


def _ground(rules: Rules, seconds: float, memory: float) -> GroundRules:
    """Split rules; where these are too many, what is asked for only; at last, all of them, or the rules as they are."""
    begin, limits = clock.now(), CircuitLimits.current()
    with suppress(BudgetExceeded):
        return ground(rules, seconds=FIRST_SHARE * seconds, memory=memory, max_rules=limits.loader_split_most)
    with suppress(BudgetExceeded):
        return ground(rules, demand=True, seconds=DEMAND_SHARE * _left(begin, seconds), memory=memory)
    try:
        return ground(rules, seconds=_left(begin, seconds), memory=memory)
    except BudgetExceeded as error:
        failure = error
    with suppress(BudgetExceeded):  # a few games split badly
        allowed, most = max(1.0, seconds / 4), limits.loader_plain_most
        return ground(rules, split=False, seconds=allowed, memory=memory, max_rules=most)
    raise BudgetExceeded(
        f"grounding needs more than {seconds:.3g} s or {memory / 2**30:.3g} GB: {failure}", budget="grounding"
    ) from None


def _left(begin: float, seconds: float) -> float:
    return max(0.1, seconds - (clock.now() - begin))
