"""A seat at the table as a manager sees it: it is asked for moves, and may answer late, wrongly or not at all."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ludisect.gdl.terms import Rules, Term
from ludisect.play.player import Assignment
from ludisect.play.players import make_player

if TYPE_CHECKING:
    from ludisect.circuit.game import Game

Joint = Mapping[str, Term]
"""A move for every role."""


@dataclass(frozen=True, slots=True)
class Opening:
    """What all seats are told when a match begins."""

    id: str
    rules: Rules
    roles: tuple[str, ...]
    start_clock: float
    play_clock: float
    seed: int = 0
    game: Game | None = None
    """None if it is too large to be built."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a seat answered: a move as a term, or what was wrong; how long it took, and why it moved so if it says."""

    move: Term | None
    seconds: float
    fault: str = ""
    why: str = ""


class Chair(ABC):
    """One seat. What it does never ends the match: every failure is a fault in its reply."""

    label: str
    apart: bool
    """Whether it has its own machine or process: it is asked at the same time as the others."""

    @abstractmethod
    def start(self, opening: Opening, role: str) -> str:
        """Begin; what was wrong, or nothing."""

    @abstractmethod
    def ask(self, last: Joint | None) -> Reply:
        """A move, after the moves of the step before."""

    def hear(self, last: Joint | None) -> None:
        """The same where the manager moves for all: the move is not wanted."""
        self.ask(last)

    @abstractmethod
    def stop(self, last: Joint | None, *, over: bool) -> None:
        """The match is over, or broken off."""


class BuiltIn(Chair):
    """A player of ours, in this process."""

    apart = False

    def __init__(self, name: str) -> None:
        self.label = name
        self._player = make_player(name)

    def start(self, opening: Opening, role: str) -> str:
        clock = opening.start_clock
        self._clock = opening.play_clock
        game = opening.game
        seat = Assignment(
            opening.rules, role, clock, opening.play_clock, opening.seed, game=game, build=game is not None
        )
        try:
            self._player.start(seat, time.monotonic() + clock)
        except Exception as error:
            return _told(error)
        return ""

    def ask(self, last: Joint | None) -> Reply:
        begin = time.monotonic()
        try:
            if last is not None:
                self._player.told(last)
            choice = self._player.choose(begin + self._clock)
        except Exception as error:
            return Reply(None, time.monotonic() - begin, _told(error))
        return Reply(choice.move, time.monotonic() - begin, why=choice.why)

    def hear(self, last: Joint | None) -> None:
        if last is not None:
            self._player.told(last)

    def stop(self, last: Joint | None, *, over: bool) -> None:
        self._player.stop()


def _told(error: Exception) -> str:
    return f"failed: {type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
