"""What is known of states from elsewhere, exactly, carried into a tree: such nodes are ends of the game.

A state in which every part is solved needs no plays. Asking what it is worth takes far longer than a play, so only
nodes are asked about that are visited often, and in a share of the time. What is known is a proof like any other: it
goes up the tree when somebody next comes by.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ludisect import clock
from ludisect.circuit.rows import Rows
from ludisect.play.tree.lanetree import LaneTree
from ludisect.play.tree.limits import TreeLimits
from ludisect.play.tree.treecode import TreeCode

Known = Callable[[Rows], NDArray[np.float64]]
"""States to what each role gets from there on: states x roles, NaN where that is not known."""


class Knowledge:
    """Asks about the nodes of one tree; the less often anybody knows, the less."""

    def __init__(self, known: Known, code: TreeCode, limits: TreeLimits) -> None:
        self._known, self._code, self._limits = known, code, limits
        self._asked: set[bytes] = set()
        self._found = 0
        self._longest = 0.0
        self._rest = code.game.batch.initial[0] & ~code.mask  # fluents that make no difference: a state has them, too

    def tell(self, tree: LaneTree, since: float, deadline: float, spent: float) -> float:
        """Ask about nodes in a share of the time since then; gives the seconds that were spent on it in all."""
        share = self._limits.tree_ask_share * (1 + self._found) / (1 + len(self._asked))
        if spent > share * (clock.now() - since) or not self._code.provable:
            return spent
        for node in tree.unproved(self._limits.tree_ask_at).tolist():
            row, begin = tree.row_of(node), clock.now()
            if begin + self._longest > deadline:
                return spent
            if node == tree.root or (name := row.tobytes()) in self._asked:
                continue
            self._asked.add(name)
            outcome = self._code.outcome_of(self._known((row | self._rest)[None])[0].tolist())
            if outcome is not None:
                self._found += 1
                tree.settle(node, outcome)
            took = clock.now() - begin
            self._longest = max(self._longest, took)
            spent += took
            if spent > share * (clock.now() - since):
                return spent
        return spent
