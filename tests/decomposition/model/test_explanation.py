"""Explanations: ties that hold every part together, shortest chains, parts apart, in words and as JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations

import networkx as nx
import pytest

from ludisect.decomposition import Decomposition, decompose, explain
from ludisect.decomposition.model.explanation import Explanation
from ludisect.errors import InputError
from ludisect.gdl.terms import Term
from tests.decomposition.found import PLAYOUTS, game_of, parts_of

GAMES = [
    "blocks-maze", "chomp", "double-tictactoe", "four-lamps", "kayles", "lights-on", "multiple-hanoi", "nim:2,3",
    "relay", "runners", "serial-tictactoe", "tictactoe", "tron",
]  # fmt: skip


@pytest.mark.parametrize("name", GAMES)
def test_every_part_hangs_together_by_its_ties(name: str) -> None:
    parts = parts_of(name)
    found = explain(parts)
    for part in parts:
        inside = [n for n, node in enumerate(found.graph.nodes) if set(node.fluents) <= {*part.fluent_numbers}]
        graph = nx.Graph()
        graph.add_nodes_from(inside)
        ties = found.within(part)
        for tie in ties:
            assert set(tie.nodes) <= set(inside)
            assert tie.why
            graph.add_edges_from(combinations(tie.nodes, 2))
        assert nx.is_connected(graph)
        assert len(ties) < max(2, len(inside))


@pytest.mark.parametrize("method", ["playouts", "symbols"])
@pytest.mark.parametrize("name", ["tictactoe", "relay", "nim:1,2"])
def test_parts_of_other_methods_hang_together_too(method: str, name: str) -> None:
    parts = decompose(game_of(name), method=method, playouts=500)
    found = explain(parts)
    for part in parts:
        for f in part.fluents[1:]:
            chain = found.why(part.fluents[0], f)
            assert chain.reasons or "values of one variable" in chain.what


def ways(found: Explanation) -> nx.Graph:
    """Variables of one part and what ties them, one step each."""
    place = found.parts.part_of()
    graph = nx.Graph()
    home = [{int(place[f]) for f in node.fluents} for node in found.graph.nodes]
    graph.add_nodes_from(range(len(home)))
    for edge in found.graph.edges:
        if home[edge.source] == home[edge.target]:
            graph.add_edge(edge.source, edge.target)
    for bond in found.graph.bonds:
        graph.add_edges_from((a, b) for a, b in combinations(bond.nodes, 2) if home[a] == home[b])
    return graph


@pytest.mark.parametrize("name", ["tictactoe", "relay", "serial-tictactoe", "chomp"])
def test_the_chain_is_the_shortest(name: str) -> None:
    parts = parts_of(name)
    found = explain(parts)
    graph = ways(found)
    for part in parts.dependent:
        inside = [n for n, node in enumerate(found.graph.nodes) if set(node.fluents) <= {*part.fluent_numbers}]
        for a, b in list(combinations(inside, 2))[:60]:
            one, other = (parts.game.fluents[found.graph.nodes[n].fluents[0]] for n in (a, b))
            chain = found.why(one, other)
            assert len(chain.reasons) == nx.shortest_path_length(graph, a, b)
            assert a in chain.reasons[0].nodes
            assert b in chain.reasons[-1].nodes
            for first, second in zip(chain.reasons, chain.reasons[1:], strict=False):
                assert set(first.nodes) & set(second.nodes)


def test_why_two_cells_of_a_board_are_one_part() -> None:
    chain = explain(parts_of("tictactoe")).why("(cell 1 1 b)", Term.parse("(cell 2 3 b)"))
    assert chain.what == "are in part 1, by 2 ties"
    assert all("a score of" in r.why and r.kind == "goal" for r in chain.reasons)
    assert str(chain).startswith("(cell 1 1 b) and (cell 2 3 b) are in part 1, by 2 ties\n  1. (cell")
    board = explain(parts_of("double-tictactoe")).why("(cell1 1 1 b)", "(cell1 3 3 b)")
    # the mark completes a line, which closes the board
    assert len(board.reasons) == 1
    assert "instead of" in board.reasons[0].why
    assert board.reasons[0].witness is not None
    assert all(t.startswith("(cell1") for t in board.reasons[0].witness["played"])


def test_why_two_heaps_are_apart() -> None:
    chain = explain(parts_of("nim:1,2")).why("(heap a 0)", "(heap b 0)")
    assert chain.reasons == ()
    assert chain.what.startswith("are in different parts, 1 and 2: no tie between these was found (")
    assert "transition: proved" in chain.what


def test_why_values_of_a_variable_are_together() -> None:
    chain = explain(parts_of("nim:1,2")).why("(heap a 0)", "(heap a 1)")
    assert chain.what == "are values of one variable, (heap a *): exactly one holds, proved"


def test_why_a_stage_waits() -> None:
    chain = explain(parts_of("relay")).why("(at s)", "(peg 1)")
    assert chain.what == "are in different parts, 1 and 2: part 2 opens after part 1"
    assert "what runner can do to" in chain.reasons[0].why
    assert "part 2 opens after part 1: (at *) – (peg" in str(explain(parts_of("relay")))


def test_why_of_what_is_in_no_part() -> None:
    game = game_of("nim:1,2")
    state = frozenset(map(Term.parse, ["(heap a 0)", "(heap b 2)", "(control player2)"]))
    parts = decompose(game, state=state, playouts=PLAYOUTS)
    assert explain(parts).why("(heap a 0)", "(heap b 1)").what == "are in no part together: (heap a 0) never changes"


def test_unknown_fluents_are_refused() -> None:
    with pytest.raises(InputError, match=r"\(heap c 0\) can never hold in nim:1,2; did you mean"):
        explain(parts_of("nim:1,2")).why("(heap a 0)", "(heap c 0)")
    with pytest.raises(InputError):
        explain(parts_of("nim:1,2")).why("(heap a", "(heap b 0)")


def test_only_a_decomposition_is_explained() -> None:
    with pytest.raises(TypeError, match=r"explain takes a Decomposition \(what decompose gives\), not str"):
        explain("nim:1,2")  # type: ignore[arg-type]


def test_a_part_of_another_decomposition_is_refused() -> None:
    with pytest.raises(InputError, match="is no part of"):
        explain(parts_of("nim:1,2")).within(parts_of("relay")[1])


def test_in_words() -> None:
    assert str(explain(parts_of("nim:1,2"))).splitlines() == [
        "3 variables: 2 steered by moves, 1 context",
        "part 1, (heap a *): 1 variable; exactly one holds, proved",
        "part 2, (heap b *): 1 variable; exactly one holds, proved",
        "part 3, (control *), runs by itself, read by 1, 2: 1 variable; exactly one holds, proved",
        "parts 1, 2 are apart: no tie between them was found",
    ]
    assert "neither score nor end nor the start of another part reads it" in str(explain(parts_of("four-lamps")))
    long = str(explain(parts_of("blocks-maze"))).splitlines()
    assert "  … 29 more" in long


def test_without_reasons() -> None:
    parts = parts_of("nim:1,2")
    bare = Decomposition.from_json(parts.game, parts.to_json())
    assert str(explain(bare)) == "nim:1,2: whoever found these parts (method exact) left no reasons"
    assert explain(bare).why("(heap a 0)", "(heap a 1)").what == "are in part 1; the method left no reason"
    unchecked = replace(parts, evidence=None)
    assert explain(unchecked).why("(heap a 0)", "(heap b 1)").what.endswith("no tie between these was found")


@pytest.mark.parametrize("name", ["relay", "tictactoe", "chomp"])
def test_as_json(name: str) -> None:
    parts = parts_of(name)
    data = json.loads(json.dumps(explain(parts).to_json()))
    assert len(data["variables"]) == len(explain(parts).graph.nodes)
    assert [p["id"] for p in data["parts"]] == [part.id for part in parts]
    for told, part in zip(data["parts"], parts, strict=True):
        assert [t["why"] for t in told["ties"]] == [r.why for r in explain(parts).within(part)]
        assert sorted(map(int, told["after"])) == list(part.after)
        for tie in told["ties"]:
            assert all(Term.parse(t) in parts.game.fluent_index for t in tie.get("witness", {}).get("state", []))
