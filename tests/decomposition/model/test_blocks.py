"""Blocks and orders, against networkx and scipy."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from ludisect.decomposition.model.blocks import ancestors, component_of, directly_before, in_order, merge
from ludisect.gdl.digraph import components as strong_components
from ludisect.gdl.digraph import cyclic, leading_to

Pairs = list[tuple[int, int]]


def pairs(n: int, most: int = 40) -> st.SearchStrategy[Pairs]:
    node = st.integers(0, n - 1)
    return st.lists(st.tuples(node, node), max_size=most) if n else st.just([])


graphs = st.integers(0, 14).flatmap(lambda n: st.tuples(st.just(n), pairs(n)))


def of(kind: type[nx.Graph], n: int, edges: Pairs) -> nx.Graph:
    graph = kind()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(edges)
    return graph


@settings(max_examples=300, deadline=None)
@given(graphs)
def test_components_by_their_smallest_node(drawn: tuple[int, Pairs]) -> None:
    n, edges = drawn
    expected = [sorted(c) for c in nx.connected_components(of(nx.Graph, n, edges))]
    assert merge(edges, n) == expected
    ends = np.array(edges, np.int64).reshape(-1, 2)
    smallest = component_of(ends[:, 0], ends[:, 1], n)
    assert smallest.tolist() == [min(c) for i in range(n) for c in expected if i in c]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sets(st.integers(0, 9), max_size=4), max_size=6))
def test_groups_of_any_size_lie_in_one_block(groups: list[set[int]]) -> None:
    """Empty ones and single ones tie nothing."""
    edges = [(a, b) for g in groups for a in g for b in g]
    assert merge(groups, 10) == [sorted(c) for c in nx.connected_components(of(nx.Graph, 10, edges))]


@pytest.mark.parametrize("shape", ["random", "path", "shuffled path", "star", "none"])
def test_large_graphs(shape: str) -> None:
    """Long ways and high numbers in the middle are what a finder by smallest neighbours could stumble over."""
    n, rng = 20_000, np.random.default_rng(5)
    name = rng.permutation(n) if shape == "shuffled path" else np.arange(n)
    source, target = {
        "random": rng.integers(0, n, (2, n // 2)),
        "star": np.stack([np.full(n, n - 1), np.arange(n)]),
        "none": np.zeros((2, 0), np.int64),
    }.get(shape, np.stack([name[:-1], name[1:]]))
    label = connected_components(coo_array((np.ones(len(source)), (source, target)), shape=(n, n)), directed=False)[1]
    first = np.unique(label, return_index=True)[1]
    np.testing.assert_array_equal(component_of(source, target, n), first[label])


@settings(max_examples=200, deadline=None)
@given(graphs)
def test_directed_graphs(drawn: tuple[int, Pairs]) -> None:
    n, edges = drawn
    graph = of(nx.DiGraph, n, edges)
    leads = {k: list(graph.successors(k)) for k in range(n)}
    before = {k: list(graph.predecessors(k)) for k in range(n)}
    # same order, too: parts are numbered by it
    assert [set(c) for c in strong_components(leads)] == list(nx.strongly_connected_components(graph))
    on_circles = {k for c in nx.simple_cycles(graph) for k in c}
    assert set(cyclic(leads)) == on_circles
    for k in range(n):
        assert ancestors(before, k) - {k} == nx.ancestors(graph, k)
        assert (k in ancestors(before, k)) == (k in on_circles)
        assert leading_to(leads, [k]) == nx.ancestors(graph, k) | {k}


@settings(max_examples=200, deadline=None)
@given(graphs, st.randoms(use_true_random=False))
def test_orders(drawn: tuple[int, Pairs], rng: object) -> None:
    n, edges = drawn
    name = list(range(n))
    rng.shuffle(name)  # type: ignore[attr-defined]
    graph = of(nx.DiGraph, n, [(name[min(e)], name[max(e)]) for e in edges if e[0] != e[1]])
    before = {k: set(graph.predecessors(k)) for k in range(n)}
    reduced = nx.transitive_reduction(graph)
    assert directly_before(before) == {k: set(reduced.predecessors(k)) for k in range(n)}
    expected = list(nx.lexicographical_topological_sort(graph))
    assert in_order(before, n) == expected
    assert in_order({k: b for k, b in before.items() if b}, n) == expected
