"""Down the tree and up again: picking leaves, landing results on the way back, and proofs that travel up.

*Selection* is UCB1 where one role chooses (Kocsis and Szepesvári 2006), with plays in flight counted in the width of
exploration and the mean left alone (Liu et al. 2020, "Watch the unobserved"). Where several choose at once each draws
from its regrets (see ``together``).

*Proofs.* A move that ends the game is proved when its node is made. A node is proved when some move gives its chooser
the best goal that the rules know, or when all its moves are proved; then the move that led there is. A proved move is
not picked again. If it is better than what the others promise, its outcome is what goes further up (Winands et al.
2008, "Monte-Carlo tree search solver", with exact outcomes in place of wins).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ludisect.kernels.kernel import jit
from ludisect.play.tree.fields import (
    BEST,
    CELL_CHILD,
    CELL_EDGES,
    CELL_STARTED,
    CHILD,
    CHOOSER,
    COUNT,
    DEEPEST,
    EDGE,
    EXPAND_AT,
    EXPAND_SHARE,
    FIRST,
    FULL,
    LEAF,
    NODE,
    PARTS,
    PRIOR,
    PROVED_SCORE,
    QUEUED,
    RECORD,
    RENEW,
    ROLES,
    ROOT,
    STARTED,
    STATUS,
    UNPROVED,
    VALUES,
    VISITS,
    WIDTH,
)
from ludisect.play.tree.records import land_locally, land_whole
from ludisect.play.tree.together import choose_together, land_together

ONE, TWO = np.uint64(1), np.uint64(2)


@jit
def settle(node: Any, edge: Any, score: Any, n: Any, e: Any, outcome: Any, radix: Any, sizes: Any) -> Any:
    """The outcome of edge e of node n is proved. Gives whether the node is, too."""
    edge[e * EDGE + CHILD] = -2 - outcome
    score[2 * e] = PROVED_SCORE
    score[2 * e + 1] = 0.0
    at = n * NODE
    node[at + UNPROVED] -= 1
    r = node[at + CHOOSER]
    goal = (outcome // radix[r]) % sizes[r]
    best = node[at + BEST]
    if best < 0 or goal > (best // radix[r]) % sizes[r]:
        node[at + BEST] = outcome
    if goal == sizes[r] - 1 or node[at + UNPROVED] == 0:
        node[at + STATUS] = node[at + BEST]
        return True
    return False


@jit
def settle_up(
    node: Any, edge: Any, score: Any, path: Any, base: Any, depth: Any, outcome: Any, radix: Any, sizes: Any
) -> Any:
    """The outcome of the last edge of a path is proved: carry it up as far as it goes. Gives the depth reached."""
    while depth > 0:
        depth -= 1
        n, e = path[base + 2 * depth], path[base + 2 * depth + 1]
        if node[n * NODE + CHOOSER] < 0 or node[n * NODE + STATUS] >= 0:
            return depth
        if edge[e * EDGE + CHILD] <= -2 and edge[e * EDGE + CHILD] != QUEUED:
            return depth
        if not settle(node, edge, score, n, e, outcome, radix, sizes):
            return depth
        outcome = node[n * NODE + STATUS]
    return depth


@jit
def pick_leaf(
    node: Any, width: Any, score: Any, edge: Any, worth: Any, regret: Any, sides: Any, cells: Any, cell_table: Any,
    path: Any, base: Any, explore: Any, gamma: Any, plan: Any, count: Any, radix: Any, sizes: Any,
) -> Any:  # fmt: skip
    """Go down from the root to a leaf; the way is written to ``path``. Gives (depth, outcome).

    The outcome is -1 if the leaf is to be played from. Otherwise it is proved and there is nothing to play. A depth of
    0 says that the root is proved, or that there was no room.
    """
    n = count[ROOT]
    depth = 0
    while True:
        at = n * NODE
        if node[at + STATUS] >= 0:  # the root, or below a joint move
            return depth, np.int64(node[at + STATUS])
        visits = node[at + VISITS] + 1
        node[at + VISITS] = visits
        if node[at + CHOOSER] < 0:
            c = choose_together(node, edge, worth, regret, sides, cells, cell_table, n, gamma, plan, count)
            if c < 0:
                return np.int64(0), np.int64(-1)
            path[base + 2 * depth] = n
            path[base + 2 * depth + 1] = c
            depth += 1
            of_cell = c * (CELL_EDGES + plan[ROLES])
            cells[of_cell + CELL_STARTED] += 1
            child = cells[of_cell + CELL_CHILD]
        else:
            if visits >= node[at + RENEW]:
                width[at + WIDTH] = explore * math.sqrt(math.log(visits + 1.0))
                node[at + RENEW] = visits + (visits >> 4) + 1
            w = width[at + WIDTH]
            # words without sign: numba would ask of every other index whether it counts from the end
            i = np.uint64(2 * node[at + FIRST])
            end = i + np.uint64(2 * node[at + COUNT])
            found = i
            best = score[i] + w * score[i + ONE]
            i += TWO
            while i < end:
                x = score[i] + w * score[i + ONE]
                if x > best:
                    best = x
                    found = i
                i += TWO
            e = np.int64(found >> ONE)
            path[base + 2 * depth] = n
            path[base + 2 * depth + 1] = e
            depth += 1
            child = edge[e * EDGE + CHILD]
            if child >= 0 and node[child * NODE + STATUS] >= 0:
                # proved on another way: take it up from here and choose again where that ends
                proved = np.int64(node[child * NODE + STATUS])
                depth = settle_up(node, edge, score, path, base, depth, proved, radix, sizes)
                n = path[base + 2 * depth]
                node[n * NODE + VISITS] -= 1
                continue
            started = edge[e * EDGE + STARTED] + 1
            edge[e * EDGE + STARTED] = started
            score[2 * e + 1] = 1.0 / math.sqrt(started)
        if child < 0 or depth >= plan[DEEPEST]:
            return depth, np.int64(-1)
        n = child


@jit
def wants_node(node: Any, edge: Any, cells: Any, path: Any, base: Any, depth: Any, plan: Any, count: Any) -> Any:
    """Whether the leaf at the end of a path has been visited often enough to get a node; then it is marked."""
    if count[FULL] != 0:
        return False
    n, e = path[base + 2 * depth - 2], path[base + 2 * depth - 1]
    # a node of many moves costs as many states: it must be worth that
    often = max(plan[EXPAND_AT], node[n * NODE + COUNT] // plan[EXPAND_SHARE])
    if node[n * NODE + CHOOSER] < 0:
        at = e * (CELL_EDGES + plan[ROLES])
        if cells[at + CELL_CHILD] != LEAF or cells[at + CELL_STARTED] < often:
            return False
        cells[at + CELL_CHILD] = QUEUED
        return True
    if edge[e * EDGE + RECORD] >= 0:  # plays in advance are not visits
        often += edge[e * EDGE + RECORD] % PRIOR
    if edge[e * EDGE + CHILD] != LEAF or edge[e * EDGE + STARTED] < often:
        return False
    edge[e * EDGE + CHILD] = QUEUED
    return True


@jit
def outcome_worth(outcome: Any, radix: Any, sizes: Any, goal_worth: Any, plan: Any, gains: Any) -> None:
    """What an outcome is worth to each role, from 0 to 1."""
    for r in range(plan[ROLES]):
        gains[r] = goal_worth[r * plan[VALUES] + (outcome // radix[r]) % sizes[r]]


@jit
def land(
    node: Any, score: Any, edge: Any, worth: Any, regret: Any, sides: Any, cells: Any, cell_worth: Any,
    cell_table: Any, path: Any, base: Any, depth: Any, weight: Any, gains: Any, plan: Any, count: Any, radix: Any,
    sizes: Any, goal_worth: Any, local: Any, place_worth: Any, record: Any,
) -> None:  # fmt: skip
    """A play has ended: add what each role got to every edge of its path, last first."""
    parts = plan[PARTS]
    if parts > 0:
        land_whole(place_worth, weight, gains, plan)
    for d in range(base + 2 * depth - 2, base - 1, -2):
        n, e = path[d], path[d + 1]
        at = n * NODE
        r = node[at + CHOOSER]
        if r < 0:
            land_together(
                node, edge, score, worth, regret, sides, cells, cell_worth, cell_table, n, e, weight, gains, plan, count
            )
            continue
        worth[2 * e] += weight * gains[r]
        worth[2 * e + 1] += weight
        if parts > 0:
            land_locally(edge, local, place_worth, record, n, e, weight, weight * gains[r], plan)
        if edge[e * EDGE + CHILD] >= LEAF or edge[e * EDGE + CHILD] == QUEUED:
            mean = worth[2 * e] / worth[2 * e + 1]
            score[2 * e] = mean
            outcome = node[at + BEST]
            if outcome >= 0 and goal_worth[r * plan[VALUES] + (outcome // radix[r]) % sizes[r]] > mean:
                outcome_worth(outcome, radix, sizes, goal_worth, plan, gains)


@jit
def take_back(node: Any, edge: Any, score: Any, cells: Any, path: Any, base: Any, depth: Any, plan: Any) -> None:
    """A play in flight is given up: it was never started."""
    for d in range(base + 2 * depth - 2, base - 1, -2):
        n, e = path[d], path[d + 1]
        node[n * NODE + VISITS] -= 1
        if node[n * NODE + CHOOSER] < 0:
            cells[e * (CELL_EDGES + plan[ROLES]) + CELL_STARTED] -= 1
            continue
        started = edge[e * EDGE + STARTED] - 1
        edge[e * EDGE + STARTED] = started
        if started > 0 and edge[e * EDGE + CHILD] >= LEAF:
            score[2 * e + 1] = 1.0 / math.sqrt(started)
