"""The contract that every engine keeps: what can be asked of a game, one state at a time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from ludisect.gdl.terms import Term

Fluents = frozenset[Term]
"""The fluents that hold now."""


class Machine(Protocol):
    """A game ready to play: the rule interpreter and the circuit both are one, and so is each part.

    Roles are given as KIF text in the order of the rules. `legal` lists each role's moves sorted by their text.
    A goal is ``None`` where the rules give none or several.
    """

    @property
    def name(self) -> str:
        """What the game is called in messages."""
        ...

    @property
    def roles(self) -> tuple[str, ...]:
        """The sides, in the order of the rules."""
        ...

    def initial_state(self) -> Fluents:
        """The fluents that hold at the start."""
        ...

    def legal_moves(self, state: Fluents) -> dict[str, list[Term]]:
        """Each role's legal moves."""
        ...

    def next_state(self, state: Fluents, moves: Mapping[str, Term]) -> Fluents:
        """The state after a joint move (one move per role)."""
        ...

    def is_terminal(self, state: Fluents) -> bool:
        """Whether the play is over."""
        ...

    def goals(self, state: Fluents) -> dict[str, int | None]:
        """What each role gets here."""
        ...
