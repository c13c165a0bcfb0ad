"""A window on some fluents of a game: their present and next values, without evaluating the rest.

Where a question is about a few fluents of thousands, the gates that these need are a small part of all.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.rows import Evaluator, Rows

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """Rows seen through a window are packed, a bit per fluent of it, in its order."""

    game: Game
    fluents: Ints
    _present: Evaluator | None = None
    _next: Evaluator | None = None

    @staticmethod
    def on(game: Game, fluents: Ints | None = None) -> Window:
        """A window on some fluents, or on all of them."""
        if fluents is None:
            return Window(game, np.arange(len(game.fluents)))
        present = game.batch.evaluator((2 * (1 + fluents)).astype(np.int32))
        return Window(game, fluents, present, game.batch.evaluator(game.circuit.next[fluents]))

    def present(self, states: Rows) -> Rows:
        """What is seen of some states."""
        return states if self._present is None else self._present.run(states)

    def next(self, states: Rows, joint: NDArray[np.int32]) -> Rows:
        """What will be seen after joint moves (see ``Game.next``)."""
        return (
            self.game.batch.next(states, joint)
            if self._next is None
            else self._next.run(states, self.game.batch.nodes(joint))
        )
