"""The numbers of the bundled games: how large the boards of a family may be."""

from __future__ import annotations

from dataclasses import dataclass

from ludisect.settings import Numbers, number


@dataclass(frozen=True, kw_only=True)
class GamesLimits(Numbers):
    """What the parameters of a bundled game may ask for."""

    families_squares: int = number(144, "Squares on all boards of a bundled game with parameters", least=1)
