"""Small coloured graphs: connected components and a canonical labelling.

A graph is a tuple of edges (node, node, colour). Two graphs get the same canonical edges iff some renaming of the nodes
that keeps the root turns one into the other.

Reference: individualization and refinement as in McKay, *Practical graph isomorphism* (1981), without its pruning.
"""

from __future__ import annotations

from collections.abc import Iterable

from ludisect.unionfind import Joined

Edge = tuple[int, int, str]
"""Two nodes and a colour."""


def components(edges: Iterable[Edge], root: int) -> list[tuple[Edge, ...]]:
    """The edges grouped into pieces that meet only in ``root``."""
    joined, listed = Joined[int](), list(edges)
    for u, v, _ in listed:
        if u != root and v != root:
            joined.join(u, v)
    groups: dict[int, list[Edge]] = {}
    loops = 0
    for u, v, colour in listed:
        if u == v == root:  # a loop at the root is a piece of its own
            loops -= 1
            groups[loops] = [(u, v, colour)]
        else:
            groups.setdefault(joined.root(v if u == root else u), []).append((u, v, colour))
    return [tuple(sorted(group)) for group in groups.values()]


def reachable(edges: Iterable[Edge], root: int) -> tuple[Edge, ...]:
    """The edges that are connected to ``root``."""
    listed = list(edges)
    seen, grown = {root}, True
    while grown:
        grown = False
        for u, v, _ in listed:
            if (u in seen) != (v in seen):
                seen.update((u, v))
                grown = True
    return tuple(sorted(e for e in listed if e[0] in seen))


def canonical_edges(edges: tuple[Edge, ...], root: int) -> tuple[Edge, ...]:
    """The edges under a renaming of the nodes (root first) that is the same for isomorphic graphs."""
    nodes = sorted({x for u, v, _ in edges for x in (u, v)} | {root})
    start = {x: (0 if x == root else 1) for x in nodes}
    return _best(edges, _refine(edges, start))


def likely_edges(edges: tuple[Edge, ...], root: int) -> tuple[Edge, ...]:
    """As :func:`canonical_edges`, but of tied nodes the first is taken: quick, and equal only for isomorphic graphs.

    Isomorphic graphs may get different edges, where a tie was not one of symmetry.
    """
    nodes = sorted({x for u, v, _ in edges for x in (u, v)} | {root})
    classes = _refine(edges, {x: (0 if x == root else 1) for x in nodes})
    while len(set(classes.values())) < len(nodes):
        classes = _refine(edges, _apart(classes, _tied(classes)[0]))
    return _renamed(edges, classes)


def _refine(edges: tuple[Edge, ...], classes: dict[int, int]) -> dict[int, int]:
    """Split classes of nodes by the colours and classes of their neighbours until nothing changes."""
    while True:
        around: dict[int, list[tuple[str, int, bool]]] = {x: [] for x in classes}
        for u, v, colour in edges:
            around[u].append((colour, classes[v], u == v))
            around[v].append((colour, classes[u], u == v))
        marks = {x: (classes[x], sorted(around[x])) for x in classes}
        order = sorted({(c, tuple(n)) for c, n in marks.values()})
        place = {mark: i for i, mark in enumerate(order)}
        refined = {x: place[c, tuple(n)] for x, (c, n) in marks.items()}
        if len(order) == len(set(classes.values())):
            return refined
        classes = refined


def _best(edges: tuple[Edge, ...], classes: dict[int, int]) -> tuple[Edge, ...]:
    tied = _tied(classes)
    if not tied:
        return _renamed(edges, classes)
    return min(_best(edges, _refine(edges, _apart(classes, x))) for x in tied)


def _tied(classes: dict[int, int]) -> list[int]:
    """The first class of several nodes; none if all nodes are told apart."""
    members: dict[int, list[int]] = {}
    for x, c in classes.items():
        members.setdefault(c, []).append(x)
    return next((group for _, group in sorted(members.items()) if len(group) > 1), [])


def _apart(classes: dict[int, int], x: int) -> dict[int, int]:
    """The node ``x`` put before the others of its class."""
    return {y: 2 * c + (c == classes[x] and y != x) for y, c in classes.items()}


def _renamed(edges: tuple[Edge, ...], places: dict[int, int]) -> tuple[Edge, ...]:
    return tuple(sorted((*sorted((places[u], places[v])), colour) for u, v, colour in edges))  # type: ignore[misc]
