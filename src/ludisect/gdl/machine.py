"""The contract that every engine keeps: what can be asked of a game, one state at a time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from ludisect.gdl.terms import Term

State = frozenset[Term]
"""The fluents that hold now."""


class Machine(Protocol):
    """A game ready to play: the rule interpreter and the circuit both are one, and so is each part.

    Roles are given as KIF text in the order of the rules. `legal` lists each role's moves sorted by their text.
    A goal is ``None`` where the rules give none or several.
    """

    @property
    def roles(self) -> tuple[str, ...]:
        """The sides, in the order of the rules."""
        ...

    def initial_state(self) -> State:
        """The fluents that hold at the start."""
        ...

    def legal_moves(self, state: State) -> dict[str, list[Term]]:
        """Each role's legal moves."""
        ...

    def next_state(self, state: State, moves: Mapping[str, Term]) -> State:
        """The state after a joint move (one move per role)."""
        ...

    def is_terminal(self, state: State) -> bool:
        """Whether the play is over."""
        ...

    def goals(self, state: State) -> dict[str, int | None]:
        """What each role gets here."""
        ...
