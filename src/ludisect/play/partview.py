"""A part as a player sees it in a match: its own game, where it stands, which moves of the whole act in it."""

from __future__ import annotations

from collections.abc import Mapping

from ludisect.circuit.game import Game
from ludisect.decomposition.model.decomposition import Part
from ludisect.gdl.machine import Fluents
from ludisect.gdl.terms import Term


class PartView:
    """One part that play can influence, as a game of its own."""

    def __init__(self, part: Part, whole: Game) -> None:
        self.part = part
        self.game = part.game
        self._own = frozenset(self.game.fluents)
        names = [set(moves) for moves in self.game.moves]
        self._local: list[dict[Term, Term]] = []
        for r, classes in enumerate(part.move_numbers):
            here: dict[Term, Term] = {}
            for members in classes:
                name = whole.moves[r][members[0]]
                if name in names[r]:
                    here.update(dict.fromkeys((whole.moves[r][m] for m in members), name))
            self._local.append(here)
        self.roles = whole.roles

    def state(self, fluents: Fluents) -> Fluents:
        """Where the part stands in a state of the whole."""
        return fluents & self._own

    def local(self, role: str, move: Term) -> Term | None:
        """What a move of the whole is in the part; None if it does nothing here."""
        return self._local[self.roles.index(role)].get(move)

    def own(self, role: str, move: Term) -> Term | None:
        """A move of the part's game if it does something here; None for one that waits."""
        return move if move in self._local[self.roles.index(role)].values() else None

    def going(self, fluents: Fluents) -> bool:
        """Whether the part is open and not over in a state of its own, and every role has a move there."""
        if self.game.is_terminal(fluents):
            return False
        return all(self.game.legal_moves(fluents).values())

    def joint(self, fluents: Fluents, moves: Mapping[str, Term]) -> dict[str, Term] | None:
        """A joint move of the whole as one of the part, from a state of the part; None if nobody moved here.

        Who has no choice here makes the only move there is.
        """
        legal = self.game.legal_moves(fluents)
        out, moved = {}, False
        for role in self.roles:
            mine = self.local(role, moves[role])
            if mine is not None and mine in legal[role]:
                out[role], moved = mine, True
            elif len(legal[role]) == 1:
                out[role] = legal[role][0]
            else:
                return None
        return out if moved else None
