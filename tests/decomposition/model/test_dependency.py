"""The dependency graph that a method found: its components."""

from __future__ import annotations

from hypothesis import given, settings

from ludisect.decomposition.model.blocks import merge
from ludisect.decomposition.model.dependency import DependencyGraph, Edge, Node
from tests.decomposition.model.test_blocks import Pairs, graphs


@settings(max_examples=100, deadline=None)
@given(graphs)
def test_components_are_blocks_of_the_edges(drawn: tuple[int, Pairs]) -> None:
    n, edges = drawn
    found = DependencyGraph([Node(str(i)) for i in range(n)], [Edge(a, b, "dependency") for a, b in edges])
    assert found.components() == merge(edges, n)


def test_some_kinds_and_light_edges_do_not_tie() -> None:
    edges = [Edge(0, 1, "effect"), Edge(1, 2, "serial"), Edge(2, 3, "effect", 0.5)]
    graph = DependencyGraph([Node(str(i)) for i in range(4)], edges)
    assert graph.components() == [[0, 1, 2, 3]]
    assert graph.components(ignore=["serial"]) == [[0, 1], [2, 3]]
    assert graph.components(ignore=["serial"], min_weight=0.6) == [[0, 1], [2], [3]]
