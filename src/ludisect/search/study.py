"""``Study``: what the ways of solving find out about one decomposition and can use again, each thing made once."""

from __future__ import annotations

from ludisect.circuit.game import Game
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.search.budget import Budget
from ludisect.search.part.reading import Reading, read_choice
from ludisect.search.part.views import Views
from ludisect.search.quotient.classes import Quotient, quotient
from ludisect.search.whole.opposed import Opposition


class Study:
    """A decomposition under study. A way that comes later meets what an earlier one has made.

    Work that other ways can use is measured by the whole budget, not by the share of the way that asks first.
    """

    def __init__(self, parts: Decomposition, opposition: Opposition | None = None, views: Views | None = None) -> None:
        """``views``: what is known of the parts already; they may know only states near the start."""
        self.parts = parts
        self.opposition = opposition or Opposition(parts.game)
        """Of the game as a whole, so that other decompositions of it can share it."""
        self.by_name = False
        """Whether the way was asked for by its name, so that it need not be the quickest."""
        self._views = views
        self._readings: dict[bool, Reading] = {}
        self._quotient: Quotient | None = None

    @property
    def game(self) -> Game:
        """The game that the parts are of."""
        return self.parts.game

    def views(self, budget: Budget) -> Views:
        """The local views of the parts; their graphs are explored when they are first asked for."""
        if self._views is None:
            self._views = Views(self.parts, budget=budget)
        self._views.budget = budget.whole or budget
        return self._views

    def reading(self, budget: Budget, *, waiting: bool = False) -> Reading:
        """The parts as a compound in which one mover picks a part; raises Inapplicable if they are none.

        With ``waiting``, a single player who may do nothing has that as a part of its own.
        """
        if waiting not in self._readings:
            found = read_choice(self.parts, views=self.views(budget), budget=budget, waiting=waiting)
            self._readings[waiting] = found
        return self._readings[waiting]

    def quotient(self, budget: Budget) -> Quotient:
        """The classes of the parts' states."""
        views = self.views(budget)
        if self._quotient is None:
            self._quotient = quotient(views)
        return self._quotient
