"""``Way``: one way of solving a game from its parts, and how it says that it does not fit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ludisect.answer import Answer
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.errors import InputError
from ludisect.search.budget import Budget

if TYPE_CHECKING:
    from ludisect.search.study import Study  # which reads parts, and raises Inapplicable


UNDECIDED = "as far as was looked, no move stands out"
"""A note of a guess: what is named is the first of several."""


class Inapplicable(Exception):
    """A way found out while it worked that the game does not have the form it needs; the text says what."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way of solving.

    ``applies`` gives the reason why the way fits a decomposition, in words, or None if it does not; it is asked before
    anything is explored and should be quick. ``solve`` may still raise Inapplicable. Ways that are not ``exact`` are
    taken only when asked for by name. The order in which exact ways are tried stands in ``ways``.
    """

    name: str
    does: str
    applies: Callable[[Decomposition], str | None]
    solve: Callable[..., Answer]
    """Called with a Study and a Budget; a way that goes ``by_depth`` takes a depth or None, too."""
    exact: bool = True
    by_depth: bool = False
    """Whether it can look only so many moves ahead. A way that cannot is not asked to."""

    def run(self, study: Study, budget: Budget, depth: int | None = None) -> Answer:
        """The answer for the start.

        Raises:
            Inapplicable: the game is of another form.
            InputError: there is a depth, and the way cannot heed it.
        """
        if self.by_depth:
            return self.solve(study, budget, depth)
        if depth is not None:
            raise InputError(f"{self.name!r} solves a game to its end: it cannot look only {depth} moves ahead")
        return self.solve(study, budget)
