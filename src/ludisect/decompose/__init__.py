"""Find the independent games inside a game: ``ludisect.decompose(game)`` and what it returns.

The package can be called: it is the stage of its own name (``import ludisect; ludisect.decompose(game)``).
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from ludisect.decompose.methods import decompose, judge
from ludisect.decompose.model import Counterexample, Decomposition, Evidence, Subgame
from ludisect.decompose.verify import verify

__all__ = ["Counterexample", "Decomposition", "Evidence", "Subgame", "decompose", "judge", "verify"]


class _Stage(ModuleType):
    """A module that is called like the function of its name."""

    def __call__(self, *args: Any, **options: Any) -> Decomposition:
        return decompose(*args, **options)


sys.modules[__name__].__class__ = _Stage
