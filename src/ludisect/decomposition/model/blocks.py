"""Numbers 0..n-1: partitions into blocks (connected components), and orders of what comes before what.

The undirected components of this room, of drawing and of search are found here; strongly connected ones of any mapping
in ``gdl.digraph``. Where links come one by one, there is ``unionfind``. All are listed in
``docs/decisions/0018-finders-of-components.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from graphlib import TopologicalSorter
from heapq import heapify, heappop, heappush

import numpy as np
from numpy.typing import NDArray

from ludisect.gdl.digraph import components as strong_components


def component_of(source: NDArray[np.int64], target: NDArray[np.int64], n: int) -> NDArray[np.int64]:
    """Of an undirected graph on 0..n-1, given the ends of its edges: the smallest node of each node's component.

    Every component found so far hangs on the smallest of its neighbours, and the edges left are those between
    components. In two rounds each one joins another, so there are few rounds, and none takes longer than the graph.
    """
    smallest = np.arange(n)
    while True:
        a, b = smallest[source], smallest[target]
        apart = a != b
        if not apart.any():
            return smallest
        source, target = np.minimum(a[apart], b[apart]), np.maximum(a[apart], b[apart])
        np.minimum.at(smallest, target, source)
        while True:
            further = smallest[smallest]
            if np.array_equal(further, smallest):
                break
            smallest = further


def merge(groups: Iterable[Iterable[int]], n: int) -> list[list[int]]:
    """The finest partition of 0..n-1 in which every group lies in one block; blocks by their smallest member."""
    pairs = [(members[0], other) for members in map(list, groups) for other in members[1:]]
    links = np.array(pairs, np.int64).reshape(-1, 2)
    blocks: dict[int, list[int]] = {}
    for x, smallest in enumerate(component_of(links[:, 0], links[:, 1], n).tolist()):
        blocks.setdefault(smallest, []).append(x)
    return list(blocks.values())


def ancestors(before: Mapping[int, Iterable[int]], i: int) -> set[int]:
    """All that comes before i, directly or not, given what comes directly before each."""
    found: set[int] = set()
    waiting = list(before.get(i, ()))
    while waiting:
        k = waiting.pop()
        if k not in found:
            found.add(k)
            waiting += before.get(k, ())
    return found


def in_order(before: Mapping[int, Iterable[int]], n: int) -> list[int]:
    """0..n-1, each after what comes before it, otherwise the smallest first."""
    sorter = TopologicalSorter({k: before.get(k, ()) for k in range(n)})
    sorter.prepare()
    ready = list(sorter.get_ready())
    heapify(ready)
    out: list[int] = []
    while ready:
        out.append(heappop(ready))
        sorter.done(out[-1])
        for k in sorter.get_ready():
            heappush(ready, k)
    return out


def directly_before(before: Mapping[int, set[int]]) -> dict[int, set[int]]:
    """The same order without what follows from the rest of it (the transitive reduction); there must be no circle."""
    out: dict[int, set[int]] = {}
    everything: dict[int, set[int]] = {}
    for (k,) in strong_components(before):  # what comes before k comes first
        further = set[int]().union(*(everything[a] for a in before[k]))
        everything[k] = further | before[k]
        out[k] = before[k] - further
    return out
