"""A plan followed through a match (Günther 2007, §5.1.1): moves that keep to it cost nothing.

An exhibit so far: no way of solving hands out a plan to be followed.
"""

from __future__ import annotations

from dataclasses import replace

from ludisect.search.budget import Budget
from ludisect.search.oneplayer.plans import Move, PlanSearch
from ludisect.search.part.compound import Compound


class Planner:
    """Follows a plan through a match: moves that keep to it cost nothing, others lead to a new search from there."""

    def __init__(self, compound: Compound, *, budget: Budget | None = None) -> None:
        self.search = PlanSearch(compound, budget=budget)
        self.solution = self.search.run()
        self.searched = 1
        """How often plans were combined anew."""

    @property
    def move(self) -> Move | None:
        """The next move of the plan."""
        return self.solution.moves[0] if self.solution.moves else None

    def play(self, move: Move) -> None:
        """Make a move, the planned one or another."""
        self.search = self.search.after(move)
        if move == self.move:
            self.solution = replace(self.solution, moves=self.solution.moves[1:])
        else:
            self.solution = self.search.run()
            self.searched += 1
