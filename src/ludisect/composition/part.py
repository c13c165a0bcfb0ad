"""A part of a compound: a small game in local rules, whoever wrote it, ready to be glued to others.

Local rules are GDL with a narrower meaning: ``legal``, ``does``, ``terminal`` and ``goal`` speak of this part alone.
The rules of machines may use two words more: ``idle``, nobody moves in this part now; and ``pass``, the move in this
part of a role that moves elsewhere (only where roles move at once).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from ludisect.gdl.terms import Rule, Term

Turns = Literal["single-player", "alternating", "simultaneous"]
State = tuple[int, ...]
"""The values of a machine's variables."""

Joint = tuple[Term | None, ...]
"""A local move per role; None for a role that does not move in the part."""


class LocalMachine(Protocol):
    """The same part as a program: what its local rules must say, state by state."""

    @property
    def start(self) -> State:
        """The first state."""
        ...

    def fluents(self, state: State) -> tuple[Term, ...]:
        """The fluents that hold in a state."""
        ...

    def legal(self, state: State, role: int) -> tuple[Term, ...]:
        """The local moves of a role when it is to move; none when the part is over."""
        ...

    def step(self, state: State, joint: Joint) -> State:
        """The state after the local moves."""
        ...

    def over(self, state: State) -> bool:
        """Whether the part is over."""
        ...

    def worth(self, state: State, role: int) -> int:
        """The local goal value, 0 to 100."""
        ...

    def whole(self, going: Sequence[State], *, lone: bool) -> bool:
        """Whether play that visits these states shows that the part cannot be split and depends on the moves.

        ``lone`` says that the compound ends with this part, so that nobody sees it closed while play goes on.
        """
        ...


@dataclass(frozen=True, slots=True)
class Clock:
    """Context of a borrowed game that is no turn marker: a counter, as the fluents that hold at each of its values.

    After the last value it goes back to the one numbered ``back``.
    """

    values: tuple[tuple[Term, ...], ...]
    back: int


@dataclass(frozen=True)
class LocalGame:
    """A game to be glued: local rules, the fluents and moves that occur, and what the glue must know about them."""

    name: str
    rules: tuple[Rule, ...]
    fluents: tuple[Term, ...]
    moves: tuple[tuple[Term, ...], ...]
    """Per role."""
    values: tuple[int, ...]
    """The local goal values that occur."""
    ends: bool = True
    """Whether it can be over."""
    guarded: bool = False
    """Whether its own ``legal`` rules allow nothing when it is over."""
    framed: bool = True
    """Whether its own ``next`` rules keep everything when nobody moves in it."""
    machine: LocalMachine | None = None
    turn_fluents: tuple[tuple[Term, ...], ...] = ()
    """What holds in the part's own rules when each role is to move, if they have a turn marker."""
    clocks: tuple[Clock, ...] = ()
    fades: bool = False
    """Whether its end or its result reads the turn, so that they are not what they were when the turn passes."""

    @property
    def borrowed(self) -> bool:
        """Whether it was made of a rule sheet, in which roles that wait have a move too."""
        return self.machine is None
