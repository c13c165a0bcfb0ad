"""Tree search on lanes: hundreds of plays in flight from the leaves of one tree, all in machine code."""

from __future__ import annotations

from ludisect.play.tree.searcher import MoveWorth, Outlook, TreeSearch, ready
from ludisect.play.tree.tuning import Tuned, tune

__all__ = ["MoveWorth", "Outlook", "TreeSearch", "Tuned", "ready", "tune"]
