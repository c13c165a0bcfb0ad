"""Regions: combinatorial values for a game that is given by its rules alone.

>>> import ludisect
>>> from ludisect.search import regions
>>> found = regions.operators(ludisect.load("domineering:3x3"))
>>> parts = found.regions(found.game.start.play("(place 1 2)"))
>>> [str(part.value) for part in parts]
['1']
>>> regions.outcome(parts, found.mover(found.game.start)).winner
<Player.LEFT: 'L'>
"""

from __future__ import annotations

from ludisect.search.regions.contest import Contest, outcome
from ludisect.search.regions.extraction import operators
from ludisect.search.regions.guarded import Operators
from ludisect.search.regions.region import Region
from ludisect.search.regions.settling import NoOperators

__all__ = ["Contest", "NoOperators", "Operators", "Region", "operators", "outcome"]
