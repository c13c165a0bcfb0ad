"""A tree from one of its nodes on: what that leads to slides together, everything else is forgotten."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludisect.kernels.kernel import jit, never
from ludisect.play.tree.fields import (
    CELL_CHILD,
    CELL_EDGES,
    CELL_NODE,
    CELLS,
    CHILD,
    CHOOSER,
    COUNT,
    EDGE,
    EDGES,
    FIRST,
    MERGE,
    NODE,
    NODES,
    PARTS,
    ROLES,
    ROOT,
    ROW_WORDS,
    SIDE,
    SIDE_END,
    SIDE_FIRST,
    SIDE_NUMBERS,
    SIDES,
    TREE_KINDS,
)
from ludisect.play.tree.sprouting import find_node
from ludisect.play.tree.together import find_cell


@jit
def _mark(node: Any, edge: Any, cells: Any, start: Any, names: Any, stack: Any, plan: Any, count: Any) -> None:
    """Set ``names`` to 0 for every node that ``start`` leads to, to -1 for all others."""
    for n in range(count[NODES]):
        names[n] = -1
    names[start] = 0
    stack[0] = start
    top = 1
    stride = CELL_EDGES + plan[ROLES]
    while top > 0:
        while top > 0:
            top -= 1
            at = stack[top] * NODE
            if node[at + CHOOSER] < 0:
                continue
            for e in range(node[at + FIRST], node[at + FIRST] + node[at + COUNT]):
                child = edge[e * EDGE + CHILD]
                if child >= 0 and names[child] < 0:
                    names[child] = 0
                    stack[top] = child
                    top += 1
        for c in range(count[CELLS]):  # joint moves know their nodes, not the other way round
            child = cells[c * stride + CELL_CHILD]
            if child >= 0 and names[child] < 0 and names[cells[c * stride + CELL_NODE]] >= 0:
                names[child] = 0
                stack[top] = child
                top += 1


@jit(
    "(int32[::1], uint64[::1], int32[::1], int32[::1], int32[::1], int64[::1], int64[::1])",
    small=never,
)
def enter_all(node: Any, rows: Any, table: Any, cells: Any, cell_table: Any, plan: Any, count: Any) -> None:
    """Enter all nodes and cells into their tables, which have been cleared or are new."""
    if plan[MERGE] != 0:
        for n in range(count[NODES]):
            find_node(node, rows, table, n, plan, count)
    stride = CELL_EDGES + plan[ROLES]
    for c in range(count[CELLS]):
        slot = find_cell(cells, cell_table, cells[c * stride + CELL_NODE], c * stride + CELL_EDGES, plan)
        cell_table[slot] = c + 1


@jit(f"({TREE_KINDS}, int64, int32[::1], int32[::1], int64[::1], int64[::1])", small=never)
def keep_from(
    node: Any, width: Any, rows: Any, forced: Any, table: Any, score: Any, edge: Any, worth: Any, regret: Any,
    sides: Any, cells: Any, cell_worth: Any, cell_table: Any, local: Any, part_of: Any, part_mask: Any,
    place_table: Any, place_key: Any, place: Any, place_worth: Any, record: Any, start: Any, names: Any, moved: Any,
    plan: Any, count: Any,
) -> None:  # fmt: skip
    """Make node ``start`` the root and forget what it does not lead to.

    Nodes keep their order, and edges that of their nodes, so everything moves down or stays. ``names`` and ``moved``
    have room for a number a node: its new name, and how far its edges have moved.
    """
    _mark(node, edge, cells, start, names, moved, plan, count)
    words, roles = plan[ROW_WORDS], plan[ROLES]
    old_nodes, old_cells = count[NODES], count[CELLS]
    kept = 0
    for n in range(old_nodes):
        if names[n] >= 0:
            names[n] = kept
            kept += 1
    edges, side_end = np.int64(0), np.int64(0)
    for n in range(old_nodes):
        if names[n] < 0:
            continue
        to, of = names[n] * NODE, n * NODE
        for i in range(NODE):
            node[to + i] = node[of + i]
        for w in range(words):
            rows[names[n] * words + w] = rows[n * words + w]
        for r in range(roles):
            forced[names[n] * roles + r] = forced[n * roles + r]
        for p in range(plan[PARTS]):
            local[names[n] * plan[PARTS] + p] = local[n * plan[PARTS] + p]
        first = node[to + FIRST]
        moved[n] = edges - first
        together = node[to + CHOOSER] < 0
        for e in range(first, first + node[to + COUNT]):
            for i in range(EDGE):
                edge[edges * EDGE + i] = edge[e * EDGE + i]
            for i in range(2):
                score[2 * edges + i] = score[2 * e + i]
                worth[2 * edges + i] = worth[2 * e + i]
            if together:
                for i in range(3):
                    regret[3 * edges + i] = regret[3 * e + i]
            if edge[edges * EDGE + CHILD] >= 0:
                edge[edges * EDGE + CHILD] = names[edge[edges * EDGE + CHILD]]
            edges += 1
        node[to + FIRST] += moved[n]
        side = node[to + SIDE]
        node[to + SIDE] = side_end
        for s in range(side, side + node[to + SIDES]):
            for i in range(SIDE_NUMBERS):
                sides[side_end * SIDE_NUMBERS + i] = sides[s * SIDE_NUMBERS + i]
            sides[side_end * SIDE_NUMBERS + SIDE_FIRST] += moved[n]
            side_end += 1
    count[NODES], count[EDGES], count[SIDE_END], count[ROOT] = kept, edges, side_end, names[start]
    _keep_cells(cells, cell_worth, names, moved, old_cells, plan, count)
    if old_cells > 0:
        for i in range(cell_table.size):
            cell_table[i] = 0
    enter_all(node, rows, table, cells, cell_table, plan, count)


@jit
def _keep_cells(cells: Any, cell_worth: Any, names: Any, moved: Any, old_cells: Any, plan: Any, count: Any) -> None:
    """Joint moves of the nodes that are kept, under their new names."""
    roles = plan[ROLES]
    stride = CELL_EDGES + roles
    kept = np.int64(0)
    for c in range(old_cells):
        n = cells[c * stride + CELL_NODE]
        if names[n] < 0:
            continue
        for i in range(stride):
            cells[kept * stride + i] = cells[c * stride + i]
        for i in range(roles + 1):
            cell_worth[kept * (roles + 1) + i] = cell_worth[c * (roles + 1) + i]
        at = kept * stride
        cells[at + CELL_NODE] = names[n]
        if cells[at + CELL_CHILD] >= 0:
            cells[at + CELL_CHILD] = names[cells[at + CELL_CHILD]]
        for r in range(roles):
            if cells[at + CELL_EDGES + r] >= 0:
                cells[at + CELL_EDGES + r] += moved[n]
        kept += 1
    for c in range(kept, old_cells):
        for i in range(roles + 1):
            cell_worth[c * (roles + 1) + i] = 0.0
    count[CELLS] = kept
