"""The ways of solving a game from its parts, by name: what each needs, and how strong it is.

A module that offers a way says so with ``register``; ``solve`` asks the registered ways, the strongest first, whether
they apply.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ludisect.decompose.model import Decomposition
from ludisect.search.answer import Answer
from ludisect.search.budget import Budget


class Inapplicable(Exception):
    """A way found out while it worked that the game does not have the form it needs; the text says what."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way of solving.

    ``applies`` gives the reason why the way fits a decomposition, in words, or None if it does not; it is asked before
    anything is explored and should be quick. ``solve`` may still raise Inapplicable. Ways that are not ``exact`` are
    taken only when asked for by name. Of the exact ways that apply, the one with the greatest ``strength`` is tried
    first: nimbers, say, before the product of quotients.
    """

    name: str
    does: str
    applies: Callable[[Decomposition], str | None]
    solve: Callable[[Decomposition, Budget, int | None], Answer]
    exact: bool = True
    strength: int = 0


WAYS: dict[str, Way] = {}


def register(way: Way) -> Way:
    """Offer a way under its name."""
    WAYS[way.name] = way
    return way
