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
from ludisect.effort import Effort, OutOfTime, ending
from ludisect.errors import BudgetExceeded, RulesInvalidError, check_numbers
from ludisect.games.source import find_rules
from ludisect.gdl.check import check
from ludisect.gdl.pythonrules import PythonRules
from ludisect.gdl.state import State
from ludisect.gdl.terms import Rules
from ludisect.ground import GroundRules, ground
from ludisect.ground.ground import DEFAULT_MEMORY
from ludisect.ground.observe import resident_bytes
from ludisect.kernels.workers import want

LEAST_ROOM = 2.0**20
"""Bytes that a try at grounding has in any case; too few for any game of size."""


def load(
    game: str | Path | Rules | PythonRules,
    *,
    seconds: float | None = None,
    memory: float = DEFAULT_MEMORY,
    limits: CircuitLimits | None = None,
) -> Game:
    """A game ready to play, from a bundled name, a path, KIF text, rules already read, or rules written in Python.

    Raises RulesError for faulty rules, InputError for an unknown name or unreadable file, and BudgetExceeded when
    grounding needs more rules than the ``limits`` allow, more ``memory`` (bytes) or, if given, more ``seconds``: such a
    game can still be played by ``gdl.Interpreter``. Without seconds, the same rules always give the same circuit.

    >>> load("tictactoe").roles
    ('xplayer', 'oplayer')
    """
    check_numbers(seconds=seconds, memory=memory)
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
    raise TypeError(f"{asked} takes {right}, not {kind_of(game)}")


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
    raise TypeError(f"load takes a bundled name, a path, the text of a game or its rules, not {kind_of(game)}")


def kind_of(thing: object) -> str:
    """What a caller gave, for the message that says what would be right."""
    return "None" if thing is None else f"{type(thing).__name__} ({str(thing)[:40]})"


def _best(rules: Rules, seconds: float | None, memory: float) -> tuple[GroundRules, Circuit]:
    begin, limits, before = clock.now(), CircuitLimits.current(), resident_bytes()
    time = Effort(seconds=seconds)
    split = _ground(rules, seconds, memory)
    try:
        with ending(time):
            circuit = build(split)
    except OutOfTime:
        what = f"the circuit of {split.n_rules:,} ground rules is not built within {seconds:.3g} s"
        raise BudgetExceeded(what, budget="building") from None
    if circuit.edges < limits.loader_small or split.n_rules + circuit.edges > limits.loader_large:
        return split, circuit
    bound = min(limits.loader_plain_most, max(limits.loader_plain_floor, limits.loader_plain_factor * split.n_rules))
    try:
        room = _room(before, memory)
        plain = ground(rules, split=False, seconds=_left(begin, seconds), memory=room, max_rules=bound)
        with ending(time):
            other = build(plain, rival=circuit.edges)
    except (BudgetExceeded, OutOfTime):
        return split, circuit
    return (plain, other) if other.edges < circuit.edges else (split, circuit)


def _ground(rules: Rules, seconds: float | None, memory: float) -> GroundRules:
    """Split rules; where these are too many, what is asked for only; at last, all of them, or the rules as they are."""
    begin, limits, before = clock.now(), CircuitLimits.current(), resident_bytes()
    with suppress(BudgetExceeded):
        allowed = _left(begin, seconds, limits.loader_split_share)
        return ground(rules, seconds=allowed, memory=memory, max_rules=limits.loader_split_most)
    with suppress(BudgetExceeded):
        allowed, most = _left(begin, seconds, limits.loader_demand_share), limits.loader_demand_most
        return ground(rules, demand=True, seconds=allowed, memory=_room(before, memory), max_rules=most)
    try:
        most, room = limits.loader_all_most, _room(before, memory)
        return ground(rules, seconds=_left(begin, seconds, limits.loader_all_share), memory=room, max_rules=most)
    except BudgetExceeded as error:
        failure = error
    with suppress(BudgetExceeded):  # a few games split badly
        most, room = limits.loader_plain_most, _room(before, memory)
        return ground(rules, split=False, seconds=_left(begin, seconds), memory=room, max_rules=most)
    if failure.budget == "rules":
        raise failure
    most_memory = f"{memory / 2**30:.3g} GB"
    limit = most_memory if seconds is None else f"{seconds:.3g} s or {most_memory}"
    raise BudgetExceeded(f"grounding is not done with {limit}: {failure}", budget="grounding") from None


def _room(before: int, memory: float) -> float:
    """What is left of the memory, given what the process had at the start: what a try before took and the system did
    not get back counts too."""
    return max(LEAST_ROOM, memory - max(0, resident_bytes() - before))


def _left(begin: float, seconds: float | None, share: float = 1.0) -> float | None:
    """A share of the seconds that remain, a tenth of one at least; None without a limit."""
    return None if seconds is None else max(0.1, share * (seconds - (clock.now() - begin)))
