"""Where boxes go: force and two-column layouts of nodes that have a size, boxes pushed apart, rows of boxes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ludisect.draw.limits import DrawLimits

Size = tuple[float, float]
Points = NDArray[np.float64]
"""Centres, one (x, y) per box."""


def separate(centers: Points, sizes: Sequence[Size], gap: float) -> Points:
    """Centres near the given ones at which the boxes keep at least ``gap`` from each other.

    Overlapping pairs are pushed apart along the axis where that takes less; where this does not settle, the whole is
    stretched and tried again, which must come to an end because no two centres are equal.
    """
    n = len(sizes)
    at = np.array(centers, np.float64).reshape(n, 2)
    at += np.linspace(0, 1e-3, n)[:, None] * np.array([1.0, 0.7])
    extent = np.array(sizes, np.float64).reshape(n, 2)
    need = (extent[:, None, :] + extent[None, :, :]) / 2 + gap
    sweeps = 0
    while True:
        over = need - np.abs(at[:, None, :] - at[None, :, :])
        first, second = np.nonzero(np.triu((over > 1e-6).all(axis=2), 1))
        if first.size == 0:
            return at
        for i, j in zip(first.tolist(), second.tolist(), strict=True):
            apart = need[i, j] - np.abs(at[i] - at[j])
            if (apart > 0).all():
                axis = int(apart[1] <= apart[0])
                push = (apart[axis] / 2 + 0.05) * (1 if at[i, axis] >= at[j, axis] else -1)
                at[i, axis] += push
                at[j, axis] -= push
        sweeps += 1
        if sweeps % 60 == 0:
            at *= 1.2


def force(edges: Sequence[tuple[int, int]], sizes: Sequence[Size], gap: float) -> Points:
    """A force layout: what is tied together lies near, and no two boxes touch."""
    import networkx as nx  # takes long to load, and few commands draw

    n = len(sizes)
    graph = nx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(edges)
    placed = nx.spring_layout(graph, seed=DrawLimits.current().layout_seed, iterations=120, k=2.2 / np.sqrt(max(n, 1)))
    unit = np.array([placed[i] for i in range(n)])
    mean = np.array(sizes, np.float64).mean(axis=0) + gap
    # Labels are wider than high: stretched alike, a drawing would be a tall column with nothing beside it.
    return separate(unit * np.sqrt(n) * mean * np.array([0.62, 1.25]), sizes, gap)


def columns(
    left: Sequence[int],
    right: Sequence[int],
    edges: Sequence[tuple[int, int]],
    sizes: Sequence[Size],
    gap: float,
    aisle: float,
) -> Points:
    """Two columns; each node stands level with the middle of what it is tied to, as far as there is room."""
    near: dict[int, list[int]] = {i: [] for i in range(len(sizes))}
    for a, b in edges:
        near[a].append(b)
        near[b].append(a)
    rank = {i: float(k) for side in (left, right) for k, i in enumerate(side)}
    sides = [list(left), list(right)]
    for turn in range(6):
        side = sides[turn % 2]
        mean = {i: float(np.mean([rank[j] for j in near[i]])) if near[i] else rank[i] for i in side}
        side.sort(key=lambda i: (mean[i], rank[i]))
        rank.update({i: float(k) for k, i in enumerate(side)})
    out = np.zeros((len(sizes), 2))
    widths = [max((sizes[i][0] for i in side), default=0.0) for side in sides]
    heights = [sum(sizes[i][1] + gap for i in side) for side in sides]
    for side, x, height in zip(sides, (0.0, (widths[0] + widths[1]) / 2 + aisle), heights, strict=True):
        # The shorter column is spread along the longer one.
        spare = (max(heights) - height) / len(side) if side else 0.0
        y = 0.0
        for i in side:
            y += spare / 2
            out[i] = x, y + (sizes[i][1] + gap) / 2
            y += sizes[i][1] + gap + spare / 2
    return out


def rows(sizes: Sequence[Size], room: float, gap: float) -> tuple[list[tuple[float, float]], Size]:
    """Boxes side by side in rows no wider than ``room`` (or than one box): their upper left corners, and the whole."""
    corners: list[tuple[float, float]] = []
    x = y = height = width = 0.0
    for w, h in sizes:
        if x > 0 and x + w > room:
            x, y, height = 0.0, y + height + gap, 0.0
        corners.append((x, y))
        width, height = max(width, x + w), max(height, h)
        x += w + gap
    return corners, (width, y + height)
