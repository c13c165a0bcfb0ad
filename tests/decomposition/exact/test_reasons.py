"""Reasons are true: each is asked again of the game, state by state."""

from __future__ import annotations

import pytest

from ludisect.circuit.game import Game
from ludisect.decomposition.model.dependency import Bond, DependencyGraph, Edge
from ludisect.gdl.machine import Fluents
from ludisect.gdl.terms import Term
from tests.decomposition.found import game_of, parts_of


def graph_of(name: str) -> DependencyGraph:
    graph = parts_of(name).graph
    assert graph is not None
    return graph


def can_do(game: Game, edge: Edge, state: Fluents) -> tuple[bool, bool]:
    """Whether the role of a witness can make its fluent true, or false, the others' moves as in the witness."""
    assert edge.witness is not None
    witness = edge.witness
    fluent, role = game.fluents[witness.fluent], game.roles[witness.role]
    others = {r: game.moves[k][int(witness.joint[k])] for k, r in enumerate(game.roles) if r != role}
    ends = [game.next_state(state, others | {role: move}) for move in game.legal_moves(state)[role]]
    holds = fluent in state
    return not holds and any(fluent in end for end in ends), holds and any(fluent not in end for end in ends)


@pytest.mark.parametrize("name", ["double-tictactoe", "relay", "multiple-hanoi", "serial-tictactoe"])
def test_a_dependency_is_shown_by_two_states_that_differ_in_one_variable(name: str) -> None:
    game, graph = game_of(name), graph_of(name)
    assert graph.edges
    for edge in graph.edges:
        assert edge.witness is not None
        if edge.witness.role == len(game.roles):
            continue
        one, other = (game.batch.state(row) for row in edge.witness.states)
        assert one ^ other
        assert one ^ other <= {game.fluents[f] for f in graph.nodes[edge.source].fluents}
        assert edge.witness.fluent in graph.nodes[edge.target].fluents
        assert can_do(game, edge, one) != can_do(game, edge, other)


def put_back(game: Game, state: Fluents, graph: DependencyGraph, node: int) -> Fluents:
    mine = {game.fluents[f] for f in graph.nodes[node].fluents}
    return (state - mine) | (game.initial_state() & mine)


def bonds(name: str, kind: str) -> list[Bond]:
    return [b for b in graph_of(name).bonds if b.kind == kind]


@pytest.mark.parametrize("name", ["tictactoe", "connect-four:4x4", "serial-tictactoe"])
def test_a_score_rests_on_every_variable_of_its_cause(name: str) -> None:
    game, graph = game_of(name), graph_of(name)
    asked = [b for b in bonds(name, "goal") if "of at least 100 rests on" in b.why]
    assert asked
    for bond in asked:
        assert bond.state is not None
        role = next(r for r in game.roles if f"a score of {r} " in bond.why)
        state = game.batch.state(bond.state)
        assert game.goals(state)[role] == 100
        for node in bond.nodes:
            assert game.goals(put_back(game, state, graph, node))[role] != 100
            assert any(str(game.fluents[f]) in bond.why for f in graph.nodes[node].fluents)


def test_the_lines_of_tic_tac_toe_tie_its_cells() -> None:
    graph = graph_of("tictactoe")
    lines = {frozenset(graph.nodes[n].label for n in b.nodes) for b in bonds("tictactoe", "goal") if "100" in b.why}
    cells = [[f"(cell {row} {column} *)" for column in "123"] for row in "123"]
    possible = [*cells, *zip(*cells, strict=True), [cells[i][i] for i in range(3)], [cells[i][2 - i] for i in range(3)]]
    assert lines <= {frozenset(line) for line in possible}
    assert len(lines) >= 4


@pytest.mark.parametrize("name", ["chomp", "lights-out"])
def test_a_move_changes_what_free_choice_ties(name: str) -> None:
    game, graph = game_of(name), graph_of(name)
    assert bonds(name, "choice")
    for bond in bonds(name, "choice"):
        if bond.state is None:
            continue
        state = game.batch.state(bond.state)
        role = next(r for r in game.roles if bond.why.startswith(f"{r} cannot"))
        text = bond.why.partition("between them: ")[2].partition(" changes them all")[0]
        idle = {r: moves[0] for r, moves in game.legal_moves(state).items()}
        after = game.next_state(state, idle | {role: Term.parse(text)})
        for node in bond.nodes:
            assert (state ^ after) & {game.fluents[f] for f in graph.nodes[node].fluents}


def test_variables_say_what_is_known_of_them() -> None:
    nodes = {node.label: (node.values, node.driven) for node in graph_of("nim:1,2").nodes}
    assert nodes["(control *)"] == ("exactly one holds, proved", "context")
    assert nodes["(heap a *)"] == ("exactly one holds, proved", "steered by moves")
    assert {(n.values, n.driven) for n in graph_of("four-lamps").nodes} == {("holds or not", "steered by moves")}
