"""``Way``: one way of solving a game from its parts, and how it says that it does not fit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ludisect.answer import Answer
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.search.budget import Budget


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
    solve: Callable[[Decomposition, Budget, int | None], Answer]
    exact: bool = True
