"""What a drawing keeps of a dependency graph: every fluent once, every edge counted, never too many nodes."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludisect.decomposition.model.decomposition import Decomposition, Part
from ludisect.decomposition.model.dependency import DependencyGraph, Edge, Node
from ludisect.draw.limits import DrawLimits
from ludisect.draw.lump import Lumped, lump

from .samples import SAMPLES, dense, double_tictactoe, lights, load, nim, squares, stripes


@pytest.fixture(params=list(SAMPLES))
def parts(request: pytest.FixtureRequest) -> Decomposition:
    return SAMPLES[request.param]()


def check(parts: Decomposition, lumped: Lumped) -> None:
    """Against the obvious: each fluent in one group of its part, each edge in one tie or inside a group."""
    assert len(lumped.groups) <= DrawLimits().lump_nodes
    part_of = parts.part_of().tolist()
    group_of: dict[int, int] = {}
    for g, group in enumerate(lumped.groups):
        for f in group.fluents:
            assert f not in group_of
            group_of[f] = g
            if part_of[f] >= 0:
                assert group.place == min(part_of[f], lumped.shown)
            else:
                assert group.place > lumped.shown - 1
    assert sorted(group_of) == list(range(len(parts.game.fluents)))
    assert all(t.source != t.target for t in lumped.ties)


def test_groups_and_ties(parts: Decomposition) -> None:
    lumped = lump(parts)
    check(parts, lumped)
    if parts.graph is None:
        assert lumped.ties == ()


def test_edges_are_counted_by_kind() -> None:
    parts = nim()
    assert parts.graph is not None
    lumped = lump(parts)
    group_of: dict[object, int] = {("f", f): g for g, group in enumerate(lumped.groups) for f in group.fluents}
    group_of |= {("m", m): g for g, group in enumerate(lumped.groups) for m in group.moves}

    def of(node: Node) -> int:
        return group_of[("f", node.fluents[0]) if node.fluents else ("m", node.moves[0])]

    slow = Counter(
        (of(parts.graph.nodes[e.source]), of(parts.graph.nodes[e.target]), e.kind) for e in parts.graph.edges
    )
    assert {(t.source, t.target, t.kind): t.count for t in lumped.ties} == {
        k: n for k, n in slow.items() if k[0] != k[1]
    }


def labels(lumped: Lumped, place: int) -> list[str]:
    return [g.label for g in lumped.groups if g.place == place]


def test_content_of_cells_is_left_open_and_roles_share_moves() -> None:
    lumped = lump(double_tictactoe())
    cells = [f"(cell1 {r} {c} *)" for r in "123" for c in "123"]
    assert labels(lumped, 0) == cells + [f"(mark1 {r} {c})" for r in "123" for c in "123"]
    assert labels(lumped, 2) == ["(control *)"]
    mark = next(g for g in lumped.groups if g.label == "(mark1 1 1)")
    assert {r for r, _ in mark.moves} == {0, 1}


def test_moves_lie_with_what_they_change() -> None:
    for place, side in enumerate(("east", "north", "south", "west")):
        assert labels(lump(lights()), place)[-4:] == [f"(press {side} {lamp})" for lamp in "abcd"]


def test_without_graph_local_moves_are_shown() -> None:
    assert labels(lump(squares()), 0) == ["(cell a1 * *)", "(mark a1 *)"]


def test_moves_beside_a_graph_without_moves_are_told_by_symbol_alone() -> None:
    assert labels(lump(dense()), 0)[-1] == "(press * *)"


def test_what_is_in_no_part_is_told_by_symbol_alone() -> None:
    parts = stripes()
    assert labels(lump(parts), len(parts.parts)) == ["(cell * * b)"]


def test_node_that_lies_in_several_parts_is_shown_in_each() -> None:
    game = load("four-lamps")
    graph = DependencyGraph([Node("on", (0, 1, 2, 3)), Node("push", (), ((0, 0),))], [Edge(1, 0, "effect")])
    parts = tuple(Part(i + 1, "dependent", True, (2 * i, 2 * i + 1)) for i in range(2))
    lumped = lump(Decomposition(game, "by hand", parts, "single-player", "mixed", graph=graph))
    assert labels(lumped, 0) + labels(lumped, 1) == ["(on *)", "(push a)", "(on *)"]
    assert [(t.source, t.target) for t in lumped.ties] == [(1, 0)]


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_any_partition_and_any_graph(data: st.DataObject) -> None:
    base = double_tictactoe()
    n = len(base.game.fluents)
    part = data.draw(st.lists(st.integers(-1, 4), min_size=n, max_size=n))
    members = [[f for f in range(n) if part[f] == p] for p in range(5)]
    parts = tuple(Part(p + 1, "dependent", True, tuple(fs)) for p, fs in enumerate(members) if fs)
    nodes = data.draw(st.lists(st.sets(st.integers(0, n - 1), max_size=6), max_size=12))
    taken: set[int] = set()
    graph = DependencyGraph()
    for i, fluents in enumerate(nodes):
        graph.nodes.append(Node(f"node {i}", tuple(sorted(fluents - taken)), ((i % 2, i),)))
        taken |= fluents
    if graph.nodes:
        end = st.integers(0, len(graph.nodes) - 1)
        pairs = data.draw(st.lists(st.tuples(end, end), max_size=20))
        graph.edges += [Edge(a, b, "effect") for a, b in pairs]
    check(base, lump(base))
    found = replace(base, parts=parts, graph=graph, unseen_numbers=tuple(f for f in range(n) if part[f] < 0))
    check(found, lump(found))
