"""The contract of a player: given rules, a role and clocks, it chooses moves by a deadline.

    player.start(assignment, deadline)
    while not over:
        choice = player.choose(deadline, tell)
        player.told(joint)
    player.stop()

A deadline is a moment of ``time.monotonic``: the clock of a match does not stand still while machine code is made. A
player should answer before it, and may say earlier what it would play now (``tell``), for a host that cannot wait.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ludisect.errors import UnknownRole
from ludisect.gdl.interpret import Interpreter
from ludisect.gdl.state import State
from ludisect.gdl.terms import Rules, Term
from ludisect.play.limits import PlayLimits
from ludisect.play.task import Task

if TYPE_CHECKING:
    from ludisect.circuit.game import Game


@dataclass(frozen=True, slots=True)
class Assignment:
    """What a player is told when a match begins."""

    rules: Rules
    role: str
    start_clock: float
    """Seconds before the first move."""
    play_clock: float
    """Seconds for each move."""
    seed: int = 0
    ponder: bool = False
    """Whether it may compute while it is not asked: the machine is its own."""
    game: Game | None = None
    """The game, if the host has built it already."""
    build: bool = True
    """Whether it may be built: a host that has tried in vain says no."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A move, why it was chosen, and what is known of the others."""

    move: Term
    why: str
    certain: bool = False
    """Whether thinking longer would change nothing."""
    sure: float | None = None
    """What the player gets with it against any play, if that is known exactly."""
    values: Mapping[Term, float] = field(default_factory=dict)
    """What legal moves are worth to the player, as far as it knows."""


Tell = Callable[[Choice], None]
"""Hears what a player would play if it had to move now."""


class GamePlayer(ABC):
    """One side of a match. It follows the play by the rules themselves, and by the circuit as soon as that is built."""

    name: str
    builds = False
    """Whether it needs the circuit, and what solves games: a host may load that ahead."""

    def __init__(self) -> None:
        self._building: Task[Game] | None = None

    def start(self, assignment: Assignment, deadline: float) -> None:
        """Take a seat; the time until the deadline may be used to get ready.

        Raises RulesError for rules that cannot be played, UnknownRole for a role that they do not have.
        """
        self.assignment = assignment
        self.game = assignment.game
        machine = self.game if self.game is not None else Interpreter(assignment.rules)
        if assignment.role not in machine.roles:
            raise UnknownRole(assignment.role, machine.roles)
        self.role = assignment.role
        self.state: State[Game] | State[Interpreter] = machine.start
        self.prepare(deadline)

    def prepare(self, deadline: float) -> None:
        """Use the start clock; what takes longer may go on. A player that needs nothing does nothing."""
        return

    def choose(self, deadline: float, tell: Tell | None = None) -> Choice:
        """A legal move, by the deadline."""
        legal = self.state.legal[self.role]
        if len(legal) == 1:
            return Choice(legal[0], "the only legal move", certain=True)
        return self.think(legal, deadline, tell or _nobody)

    @abstractmethod
    def think(self, legal: tuple[Term, ...], deadline: float, tell: Tell) -> Choice:
        """One of several legal moves."""

    def told(self, moves: Mapping[str, Term]) -> None:
        """What all roles played, whatever this player had chosen."""
        self.state = self.state.play(moves)

    def sit_at(self, state: State[Game] | State[Interpreter]) -> None:
        """Take up the match in another state: a move was taken back, or an old match is resumed."""
        machine: Any = self.state.game
        self.state = State(machine, state.fluents, state.moves_made)

    def stop(self) -> None:
        """The match is over, or broken off."""
        if self._building is not None:
            self._building.cancel()

    # ---- the circuit ----

    def build(self, deadline: float) -> None:
        """Have the circuit built, wait for it until the deadline, and use it from then on."""
        if self.game is None and self._building is None and self.assignment.build:
            from ludisect.loader import load  # late: who does not think needs no circuit

            rules, memory = self.assignment.rules, PlayLimits.current().players_memory * 2**30
            self._building = Task(lambda: load(rules, memory=memory), "building")
        if self.game is None and self._building is not None:
            self.game = self._building.result(deadline)
            if self.game is not None:
                self.state = State(self.game, self.state.fluents, self.state.moves_made)

    @property
    def played(self) -> State[Game] | None:
        """The state as one of the circuit, once that is there."""
        self.build(time.monotonic())
        return None if self.game is None else State(self.game, self.state.fluents, self.state.moves_made)


def _nobody(choice: Choice) -> None:
    """For players whom nobody listens to."""
