"""A plan followed through a match (Günther 2007, §5.1.1): moves that keep to it cost nothing.

After another move plans are combined anew from there, and those of the parts in which nothing has happened are kept.
"""

from __future__ import annotations

import numpy as np

from ludisect.circuit.rows import Rows
from ludisect.search.foresight import KnownPlan
from ludisect.search.oneplayer.plansearch import Move, PlanSearch, Solution
from ludisect.search.part.compound import WAIT
from ludisect.search.part.reading import Reading


class FollowedPlan(KnownPlan):
    """The plan that a search found from a state of the game, and the search."""

    def __init__(self, choice: Reading, search: PlanSearch, solution: Solution, start: Rows) -> None:
        moves = named_moves(choice, start, solution.moves)
        super().__init__(choice.views.parts, start, [label for _, label in moves], float(solution.value or 0))
        self._choice, self._search = choice, search
        self.nodes = solution.combined

    def resumed(self, row: Rows) -> FollowedPlan | None:
        """The best plan from a state off the plan; None if the state is none of the game, or none is known to be best.

        The plans of parts that stand where they stood are not looked for again.
        """
        place = self._choice.place(row)[0]
        if place is None:
            return None
        states, context = place
        more = len(self._search.compound.parts) - len(states)  # waiting is a part of its own, which never changes
        search = self._search.at((*states, *(0,) * more), context)
        solution = search.run()
        return FollowedPlan(self._choice, search, solution, row) if solution.exact else None


def named_moves(choice: Reading, start: Rows, moves: tuple[Move, ...]) -> tuple[Move, ...]:
    """A plan from a state with moves of the game that are legal on its way.

    A wait is one without effect. A local move is a class of moves, of which the context may allow now one, now another.
    """
    views, row, out = choice.views, start, []
    for i, label in moves:
        legal = views.game.batch.legal(row)[0]
        if label == WAIT:
            label = int(views.nowhere[legal[views.nowhere]][0])
        elif not legal[label]:
            alike = np.flatnonzero(legal & (views.class_of(i) == views.class_of(i)[label]))
            label = int(alike[0]) if alike.size else label
        out.append((i, label))
        row = views.game.batch.next(row, np.array([[label]], np.int32))
    return tuple(out)
