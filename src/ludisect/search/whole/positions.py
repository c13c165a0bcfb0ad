"""Positions and moves as arrays: what every solver of this room works on, whatever made them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludisect.kernels.kernel import jit

NOBODY, SEVERAL = -1, -2
"""In ``Graph.mover``: no role has a choice; more than one has."""


def paid(goals: NDArray[np.int32]) -> NDArray[np.int32]:
    """What goals pay: one that the rules do not define, which is written as -1, counts as 0.

    Whatever adds or compares goals takes them through here.
    """
    return np.maximum(goals, 0)


@dataclass(frozen=True, eq=False)
class Graph:
    """Positions 0..n-1 (0 is the start), and edges in the order of the positions that they leave.

    The edges of position s are ``edge_start[s]`` to ``edge_start[s + 1]``; ``joint[e, r]`` tells role r's move (any
    number that is the same for the same move in the same position); it may be left empty if several roles never choose
    at once. ``mover`` tells who has a choice (see ``movers``). Positions from ``expanded`` on have no edges because a
    limit was hit. ``goals`` count at terminal positions only; -1 is a goal that the rules do not define.
    """

    edge_start: NDArray[np.int64]
    successor: NDArray[np.int32]
    joint: NDArray[np.int32]
    mover: NDArray[np.int8]
    terminal: NDArray[np.bool_]
    goals: NDArray[np.int32]
    expanded: int

    @property
    def positions(self) -> int:
        """How many positions are numbered."""
        return int(self.terminal.size)

    @property
    def edges(self) -> int:
        """How many moves are stored."""
        return int(self.successor.size)

    @property
    def roles(self) -> int:
        """How many roles play."""
        return int(self.goals.shape[1])

    @property
    def pays(self) -> NDArray[np.int32]:
        """What the terminal positions pay, one row each."""
        return paid(self.goals[self.terminal])

    @property
    def stuck(self) -> NDArray[np.bool_]:
        """Positions that are not terminal and have no moves: some role has none, and nobody gets anything."""
        out: NDArray[np.bool_] = (np.diff(self.edge_start) == 0) & ~self.terminal
        out[self.expanded :] = False
        return out

    @property
    def complete(self) -> bool:
        """Whether every position is expanded."""
        return self.expanded == self.positions

    @property
    def endless(self) -> bool:
        """Whether no play ever comes to an end: then the rules give nobody a value."""
        return self.complete and not bool(self.terminal.any() or self.stuck.any())

    @cached_property
    def order(self) -> tuple[NDArray[np.int32], bool]:
        """All positions, those that follow first; and whether there are cycles, where that cannot be kept to."""
        order, cyclic = postorder(self.edge_start, self.successor)
        return order, bool(cyclic)

    def edges_of(self, position: int) -> slice:
        """Where the edges of a position are."""
        return slice(int(self.edge_start[position]), int(self.edge_start[position + 1]))


@jit("(int64[::1], int32[:, ::1], int32[:, ::1], int8[::1])", "(int64[::1], int32[:, ::1], uint64[:, ::1], int8[::1])")
def movers(edge_start: Any, joint: Any, after: Any, out: Any) -> None:
    """Who has a choice at each position: a role, NOBODY, or SEVERAL.

    A role has a choice if, for some moves of the others, two of its own lead to different states; ``after`` has a row
    for each edge that tells the state. Edges are all combinations of moves, the last role's changing fastest.
    """
    for s in range(edge_start.size - 1):
        out[s] = -1
        low, high = edge_start[s], edge_start[s + 1]
        stride = 1
        for r in range(joint.shape[1] - 1, -1, -1):
            count = 1
            while low + count * stride < high and joint[low + count * stride, r] != joint[low, r]:
                count += 1
            e = low if count > 1 else high
            while e < high:
                first = e - (e - low) // stride % count * stride  # the same with the role's first move
                column = 0
                while column < after.shape[1] and after[e, column] == after[first, column]:
                    column += 1
                if column < after.shape[1]:
                    out[s] = r if out[s] == -1 else -2
                    break
                e += 1
            stride *= count


def choosers(joint: NDArray[np.int32], after: NDArray[Any]) -> list[bool]:
    """Whether each role has a choice at one position, given its edges as in ``movers``."""
    counts = [np.unique(joint[:, r]).size for r in range(joint.shape[1])]
    grid = after.reshape(*counts, -1)
    return [bool((grid != np.take(grid, [0], axis=r)).any()) for r in range(len(counts))]


@jit("(int64[::1], int32[::1])")
def postorder(edge_start: Any, successor: Any) -> Any:
    """(all positions, each after its successors where there are no cycles; whether there is a cycle)."""
    n = edge_start.size - 1
    order = np.empty(n, np.int32)
    mark = np.zeros(n, np.int8)  # 1 under way, 2 done
    at = np.empty(n, np.int64)
    stack = np.empty(n + 1, np.int32)
    done = 0
    cyclic = False
    for root in range(n):
        if mark[root] != 0:
            continue
        top = 0
        stack[0] = root
        mark[root] = 1
        at[root] = edge_start[root]
        while top >= 0:
            s = stack[top]
            if at[s] == edge_start[s + 1]:
                mark[s] = 2
                order[done] = s
                done += 1
                top -= 1
                continue
            t = successor[at[s]]
            at[s] += 1
            if mark[t] == 0:
                mark[t] = 1
                at[t] = edge_start[t]
                top += 1
                stack[top] = t
            elif mark[t] == 1:
                cyclic = True
    return order, cyclic
