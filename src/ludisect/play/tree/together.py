"""Nodes at which several roles choose at once: each draws its move by regret matching.

A rule that always takes the best-looking move explores in step with its opponent: in rock-paper-scissors both end on
one throw. Here each role draws a move in proportion to how much it regrets not having made it (Hart and Mas-Colell
2000; for trees: Lisý et al. 2013, "Convergence of Monte Carlo tree search in simultaneous move games"), negative
regrets being forgotten; the average of what it drew from, later rounds weighing more, is its answer.

The regret for move i after a joint move is what i would have got against the others' moves, as far as that joint move
has been tried, less what was got. For a role with many moves that would cost more than the play: it takes the mean of i
over all replies instead, only now and then, and draws by a list of sums that is made at the same time.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludisect.circuit.record import mixed
from ludisect.kernels.kernel import jit
from ludisect.play.tree.fields import (
    CELL_CHILD,
    CELL_EDGES,
    CELL_NODE,
    CELL_ROOM,
    CELL_STARTED,
    CELLS,
    CHANCE,
    EDGE,
    LEAF,
    NODE,
    RENEW,
    ROLES,
    SIDE,
    SIDE_COUNT,
    SIDE_FIRST,
    SIDE_NUMBERS,
    SIDE_ROLE,
    SIDES,
    STARTED,
    VISITS,
)

FEW_MOVES = 32
"""Up to so many moves of a role, regrets are taken from joint moves."""


@jit
def chance(count: Any) -> Any:
    """A random number from 0 to 1 (xorshift64*, whose state is in ``count``)."""
    x = np.uint64(count[CHANCE])
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    count[CHANCE] = np.int64(x)
    return np.float64((x * np.uint64(0x2545F4914F6CDD1D)) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@jit
def find_cell(cells: Any, cell_table: Any, n: Any, at: Any, plan: Any) -> Any:
    """The place in the table of node n's joint move whose edges stand in ``cells`` from ``at`` on.

    The table holds cells as their numbers plus 1, and 0 for none.
    """
    h = mixed(np.uint64(n) + np.uint64(0x9E3779B97F4A7C15))
    for r in range(plan[ROLES]):
        h = mixed(h ^ np.uint64(cells[at + r] + 2))
    size = cell_table.size
    slot = np.int64(h & np.uint64(size - 1))
    stride = CELL_EDGES + plan[ROLES]
    while True:
        c = cell_table[slot] - 1
        if c < 0:
            return slot
        if cells[c * stride + CELL_NODE] == n:
            same = True
            for r in range(plan[ROLES]):
                if cells[c * stride + CELL_EDGES + r] != cells[at + r]:
                    same = False
                    break
            if same:
                return slot
        slot = (slot + 1) & (size - 1)


@jit
def draw_from_few(regret: Any, first: Any, moves: Any, weight: Any, gamma: Any, count: Any) -> Any:
    """An edge in proportion to its regret, or any; what it was drawn from is added to the averages."""
    total = 0.0
    for i in range(first, first + moves):
        total += regret[3 * i]
    for i in range(first, first + moves):
        regret[3 * i + 1] += weight * (regret[3 * i] / total if total > 0.0 else 1.0 / moves)
    if total > 0.0 and chance(count) >= gamma:
        left = chance(count) * total
        for i in range(first, first + moves):
            left -= regret[3 * i]
            if left < 0.0:
                return i
    return first + min(moves - 1, np.int64(chance(count) * moves))


@jit
def renew_many(worth: Any, regret: Any, first: Any, moves: Any, rounds: Any) -> None:
    """Regrets of a role with many moves, from its means, as for so many rounds; and their sums from the first on."""
    total, plays = 0.0, 0.0
    for i in range(first, first + moves):
        total += worth[2 * i]
        plays += worth[2 * i + 1]
    mean = total / plays if plays > 0.0 else 0.0
    running = 0.0
    for i in range(first, first + moves):
        if worth[2 * i + 1] > 0.0:
            regret[3 * i] = max(0.0, regret[3 * i] + rounds * (worth[2 * i] / worth[2 * i + 1] - mean))
        running += regret[3 * i]
        regret[3 * i + 2] = running


@jit
def draw_from_many(regret: Any, first: Any, moves: Any, weight: Any, gamma: Any, count: Any) -> Any:
    """As ``draw_from_few``, by the sums of ``renew_many``; of the averages only that of the drawn edge grows."""
    total = regret[3 * (first + moves - 1) + 2]
    if total > 0.0 and chance(count) < gamma:
        return first + min(moves - 1, np.int64(chance(count) * moves))
    low, high = first, first + moves - 1
    if total > 0.0:
        point = chance(count) * total
        while low < high:
            middle = (low + high) >> 1
            if regret[3 * middle + 2] > point:
                high = middle
            else:
                low = middle + 1
    else:
        low = first + min(moves - 1, np.int64(chance(count) * moves))
    regret[3 * low + 1] += weight
    return low


@jit
def choose_together(
    node: Any, edge: Any, worth: Any, regret: Any, sides: Any, cells: Any, cell_table: Any, n: Any, gamma: Any,
    plan: Any, count: Any,
) -> Any:  # fmt: skip
    """Draw a move for every role that chooses at node n. Gives the cell, or -1 if there is no room for a new one."""
    stride = CELL_EDGES + plan[ROLES]
    fresh = count[CELLS] * stride  # the cell that this may become
    for r in range(plan[ROLES]):
        cells[fresh + CELL_EDGES + r] = -1
    visits = node[n * NODE + VISITS]
    weight = np.float64(visits)
    renewed = visits >= node[n * NODE + RENEW]
    if renewed:
        node[n * NODE + RENEW] = visits + (visits >> 4) + 1
    for s in range(node[n * NODE + SIDE], node[n * NODE + SIDE] + node[n * NODE + SIDES]):
        role, first = sides[s * SIDE_NUMBERS + SIDE_ROLE], sides[s * SIDE_NUMBERS + SIDE_FIRST]
        moves = sides[s * SIDE_NUMBERS + SIDE_COUNT]
        if moves <= FEW_MOVES:
            e = draw_from_few(regret, first, moves, weight, gamma, count)
        else:
            if renewed:
                renew_many(worth, regret, first, moves, np.float64((visits >> 4) + 1))
            e = draw_from_many(regret, first, moves, weight, gamma, count)
        edge[e * EDGE + STARTED] += 1
        cells[fresh + CELL_EDGES + role] = e
    slot = find_cell(cells, cell_table, n, fresh + CELL_EDGES, plan)
    if cell_table[slot] == 0:
        if count[CELLS] >= plan[CELL_ROOM]:
            return np.int64(-1)
        cell_table[slot] = count[CELLS] + 1
        cells[fresh + CELL_NODE] = n
        cells[fresh + CELL_CHILD] = LEAF
        cells[fresh + CELL_STARTED] = 0
        count[CELLS] += 1
    return np.int64(cell_table[slot] - 1)


@jit
def land_together(
    node: Any, edge: Any, score: Any, worth: Any, regret: Any, sides: Any, cells: Any, cell_worth: Any,
    cell_table: Any, n: Any, c: Any, weight: Any, gains: Any, plan: Any, count: Any,
) -> None:  # fmt: skip
    """A play has ended that went through cell c of node n: means and regrets of all who chose there."""
    roles = plan[ROLES]
    at = c * (CELL_EDGES + roles) + CELL_EDGES
    other_at = count[CELLS] * (CELL_EDGES + roles) + CELL_EDGES  # past the last cell: joint moves to look up
    for r in range(roles):
        cells[other_at + r] = cells[at + r]
    for r in range(roles):
        cell_worth[c * (roles + 1) + r] += weight * gains[r]
    cell_worth[c * (roles + 1) + roles] += weight
    for s in range(node[n * NODE + SIDE], node[n * NODE + SIDE] + node[n * NODE + SIDES]):
        role, first = sides[s * SIDE_NUMBERS + SIDE_ROLE], sides[s * SIDE_NUMBERS + SIDE_FIRST]
        moves = sides[s * SIDE_NUMBERS + SIDE_COUNT]
        made = cells[at + role]
        worth[2 * made] += weight * gains[role]
        worth[2 * made + 1] += weight
        score[2 * made] = worth[2 * made] / worth[2 * made + 1]
        if moves > FEW_MOVES:
            continue
        for i in range(first, first + moves):
            if i == made:
                continue
            cells[other_at + role] = i
            other = cell_table[find_cell(cells, cell_table, n, other_at, plan)] - 1
            cells[other_at + role] = made
            if other < 0 or cell_worth[other * (roles + 1) + roles] <= 0.0:
                continue
            mean = cell_worth[other * (roles + 1) + role] / cell_worth[other * (roles + 1) + roles]
            regret[3 * i] = max(0.0, regret[3 * i] + weight * (mean - gains[role]))
