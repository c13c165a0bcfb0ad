"""The slow twin of ``circuit.decisive``: which moves a play makes that overlooks no win of one move, by trying all."""

from __future__ import annotations

from collections.abc import Callable

from ludisect.gdl import Fluents, Machine, Term

Noted = Callable[[str, Term], bool]
"""Whether a role's move counts among those that are looked for."""


def wins(machine: Machine, state: Fluents, role: str, noted: Noted) -> list[Term]:
    """Moves of the one who chooses that end the game with 100 for it."""
    legal = machine.legal_moves(state)
    out = []
    for move in legal[role]:
        following = machine.next_state(state, {**{r: moves[0] for r, moves in legal.items()}, role: move})
        if noted(role, move) and machine.is_terminal(following) and machine.goals(following)[role] == 100:
            out.append(move)
    return out


def preferred(machine: Machine, state: Fluents, role: str, noted: Noted = lambda role, move: True) -> list[Term]:
    """Moves that win; else moves behind which the other role has none that wins, game over or not; else all."""
    now = wins(machine, state, role, noted)
    if now:
        return now
    legal = machine.legal_moves(state)
    (other,) = (r for r in machine.roles if r != role)
    safe = []
    for move in legal[role]:
        following = machine.next_state(state, {**{r: moves[0] for r, moves in legal.items()}, role: move})
        if not wins(machine, following, other, noted):
            safe.append(move)
    return safe or list(legal[role])
