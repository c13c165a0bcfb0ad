"""The graph as data: every fluent and edge once, nodes on their squares, few nodes, edges in words."""

from __future__ import annotations

import json

import pytest

import ludisect
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.draw.graphdata import GraphData
from ludisect.draw.limits import DrawLimits
from ludisect.errors import InputError
from ludisect.settings import using

from .samples import SAMPLES, double_tictactoe


@pytest.fixture(params=list(SAMPLES))
def parts(request: pytest.FixtureRequest) -> Decomposition:
    return SAMPLES[request.param]()


@pytest.mark.parametrize("most", [10, 40, 150])
def test_every_fluent_is_in_one_node_of_its_part(parts: Decomposition, most: int) -> None:
    with using(DrawLimits(graph_nodes=most)):
        data = GraphData(parts)
        held = [f for node in data.nodes for f in node.fluents]
        assert sorted(held) == list(range(len(parts.game.fluents)))
        for node in data.nodes:
            assert {data.place_of[f] for f in node.fluents} <= {node.place}
        places = len({node.place for node in data.nodes})
        assert len(data.nodes) <= max(most, 2 * places)


def test_squares_are_nodes_at_their_places() -> None:
    data = GraphData(double_tictactoe())
    squares = [node for node in data.nodes if node.kind == "square"]
    assert len(squares) == 18
    for node in squares:
        assert node.at is not None
        board, row, column = node.at
        for f in node.fluents:
            term = data.parts.game.fluents[f]
            assert (term.name, *map(str, term.args[:2])) == (f"cell{board + 1}", str(row + 1), str(column + 1))


def test_edges_are_told_between_the_nodes_that_stand_for_their_ends(parts: Decomposition) -> None:
    """As the plain definition has it: an edge ties the nodes that hold a fluent or a move of its ends."""
    data = GraphData(parts)
    graph = parts.graph
    if graph is None:
        assert data.to_json()["edges"] == []
        return
    for edge, pair in zip(graph.edges, data.pairs, strict=True):
        if pair is None:
            continue
        for n, end in zip(pair, (edge.source, edge.target), strict=True):
            node, lump = data.nodes[n], graph.nodes[end]
            assert set(node.fluents) & set(lump.fluents) or set(node.moves) & set(lump.moves)
    counted = sum(len(edge.edges) for edge in data.drawn)
    alone = sum(pair is not None and pair[0] == pair[1] for pair in data.pairs)
    assert counted + alone + data.pairs.count(None) == len(graph.edges)
    json.dumps(data.to_json())


def test_links_have_every_edge_between_parts(parts: Decomposition) -> None:
    data = GraphData(parts)
    between = {
        i for i, pair in enumerate(data.pairs)
        if pair is not None and data.nodes[pair[0]].place != data.nodes[pair[1]].place
    }  # fmt: skip
    assert {i for link in data.links for i in link.edges} == between
    assert len({(link.source, link.target) for link in data.links}) == len(data.links)
    inside = {i for place in {node.place for node in data.nodes} for i in data.inside(place)}
    assert inside.isdisjoint(between)


def test_who_reads_the_context_is_told_by_the_nets() -> None:
    game = ludisect.load("double-tictactoe")
    data = GraphData(ludisect.decompose(game))
    assert [(link.source, link.target, link.told) for link in data.links] == [
        (2, 0, "is read by the rules of"),
        (2, 1, "is read by the rules of"),
    ]


def test_an_edge_in_words_with_its_witness() -> None:
    game = ludisect.load("double-tictactoe")
    data = GraphData(ludisect.decompose(game))
    told = data.edge_told(0)
    assert told["evidence"] == "witness"
    assert told["told"].startswith(f"{told['from']} has a say in what happens to {told['to']}: with ")
    witness = told["witness"]
    assert set(witness["state"]) != set(witness["other"])
    assert set(witness["state"]) <= set(map(str, game.fluents))
    json.dumps(told)
    for wrong in (-1, len(data.graph.edges)):
        with pytest.raises(InputError, match="there is no edge"):
            data.edge_told(wrong)


def test_methods_say_what_their_edges_rest_on() -> None:
    game = ludisect.load("double-tictactoe")
    for method, evidence in (("playouts", "tested"), ("symbols", "rules")):
        data = GraphData(ludisect.decompose(game, method=method))
        assert {data.evidence(i) for i in range(len(data.graph.edges))} == {evidence}
