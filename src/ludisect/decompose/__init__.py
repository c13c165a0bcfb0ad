"""Find the independent games inside a game: ``decompose`` and what it returns."""

from __future__ import annotations

from ludisect.decompose.methods import decompose
from ludisect.decompose.model import Counterexample, Decomposition, Evidence, Subgame
from ludisect.decompose.verify import verify

__all__ = ["Counterexample", "Decomposition", "Evidence", "Subgame", "decompose", "verify"]
