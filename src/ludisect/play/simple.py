"""Players that do not think: the first legal move, and a random one."""

from __future__ import annotations

import random

from ludisect.gdl.terms import Term
from ludisect.play.player import Choice, GamePlayer, Tell


class LegalPlayer(GamePlayer):
    """Plays the first legal move in the order of their texts."""

    name = "legal"

    def think(self, legal: tuple[Term, ...], deadline: float, tell: Tell) -> Choice:
        return Choice(legal[0], f"the first of {len(legal)} legal moves", certain=True)


class RandomPlayer(GamePlayer):
    """Plays any legal move; the seed and the number of moves made decide which."""

    name = "random"

    def think(self, legal: tuple[Term, ...], deadline: float, tell: Tell) -> Choice:
        draw = random.Random(f"{self.assignment.seed} {self.role} {len(self.state.moves_made)}")
        return Choice(draw.choice(legal), f"one of {len(legal)} legal moves, at random", certain=True)
