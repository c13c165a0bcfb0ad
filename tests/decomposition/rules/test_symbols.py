"""The method ``symbols``: Günther's graph and decomposition, and where it must fail."""

from __future__ import annotations

from dataclasses import replace

import pytest

import ludisect
from ludisect.circuit.game import Game
from ludisect.decomposition.model.assemble import Found
from ludisect.decomposition.model.names import patterns
from ludisect.decomposition.rules import symbols
from ludisect.decomposition.rules.forced import choices, clauses_of, noop_lumps
from ludisect.decomposition.rules.lumps import Lumps
from ludisect.decomposition.rules.parts import dependency_graph
from ludisect.decomposition.rules.relations import Potential
from ludisect.errors import InputError
from ludisect.games import bundled

INCREDIBLE_EDGES = {
    "precondition": {
        ("cell", "move"), ("cell", "grab"), ("gold", "grab"), ("cell", "drop"), ("gold", "drop"),
        ("clear", "stack"), ("table", "stack"), ("on", "stack"),
        ("clear", "unstack"), ("on", "unstack"), ("table", "unstack"),
    },
    "positive": {
        ("move", "cell"), ("grab", "gold"), ("drop", "gold"),
        ("stack", "on"), ("unstack", "clear"), ("unstack", "table"),
    },
    "negative": {
        ("move", "cell"), ("grab", "gold"), ("drop", "gold"),
        ("stack", "clear"), ("stack", "table"), ("unstack", "on"),
    },
}  # fmt: skip
"""Figure 3.1b for our wording of the game: preconditions of the actions and of their effects, and the effects."""


def counts(found: Found) -> tuple[int, int, int]:
    """(dependent, useless, independent)."""
    return len(found.groups), len(found.useless), len(found.independent)


def parts(game: Game, found: Found) -> list[list[str]]:
    """The dependent parts as patterns."""
    return [sorted(patterns(game, group)) for group in found.groups]


def test_the_graph_of_blocks_world_and_maze() -> None:
    graph = symbols.find(ludisect.load("blocks-maze")).graph
    assert graph is not None
    found: dict[str, set[tuple[str, str]]] = {}
    for e in graph.edges:
        found.setdefault(e.kind, set()).add((graph.nodes[e.source].label, graph.nodes[e.target].label))
    assert found == INCREDIBLE_EDGES


def test_the_decomposition_of_blocks_world_and_maze() -> None:
    """Example 3.1: maze, blocks, and the step counter, which is found and not handed in."""
    game = ludisect.load("blocks-maze")
    found = symbols.find(game)
    graph = found.graph
    assert graph is not None
    assert sorted(sorted(graph.nodes[n].label for n in c) for c in graph.components()) == [
        ["cell", "drop", "gold", "grab", "move"],
        ["clear", "on", "stack", "table", "unstack"],
        ["step"],
    ]
    assert [patterns(game, g) for g in found.independent] == [["(step *)"]]
    assert counts(found) == (2, 0, 1)


def test_without_setting_apart_the_step_ties_all_actions() -> None:
    """Figure 3.1a: taken to the letter, the step is an effect of every action, and all is one component."""
    game = ludisect.load("blocks-maze")
    seen = choices(game)
    lumps = Lumps(game, {}, {})
    potential = Potential(clauses_of(game, seen), lumps, noops=noop_lumps(lumps, seen), reading="compatible")
    naive = dependency_graph(lumps, potential.relations(apart=()))
    assert len(naive.components()) == 1
    apart = dependency_graph(lumps, potential.relations())
    assert len(apart.components()) == 3


def test_two_tracks() -> None:
    """Listing 5.1: one part per track."""
    game = ludisect.load("two-track")
    found = symbols.find(game)
    assert parts(game, found) == [["(at1 *)"], ["(at2 *)"]]
    assert found.graph is not None
    assert sorted(sorted(found.graph.nodes[n].label for n in c) for c in found.graph.components()) == [
        ["at1", "move1"],
        ["at2", "move2"],
    ]


def test_control_is_set_apart_and_noop_ties_nothing() -> None:
    game = ludisect.load("double-tictactoe")
    found = symbols.find(game)
    assert parts(game, found) == [["(cell1 * * *)"], ["(cell2 * * *)"]]
    assert [patterns(game, g) for g in found.independent] == [["(control *)"]]
    assert found.notes == ("fluent-independent moves: noop",)


def test_control_that_follows_the_forced_move_is_action_independent() -> None:
    game = ludisect.load("""
        (role x) (role o) (init (control x)) (init (n 0)) (succ 0 1) (succ 1 2) (succ 2 3)
        (<= (legal ?p (add 1)) (true (control ?p))) (<= (legal ?p (add 2)) (true (control ?p)))
        (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
        (<= (next (control ?p)) (does ?p noop))
        (<= (next (n ?j)) (does ?p (add 1)) (true (n ?i)) (succ ?i ?j))
        (<= (next (n ?k)) (does ?p (add 2)) (true (n ?i)) (succ ?i ?j) (succ ?j ?k))
        (<= terminal (true (n 2))) (<= terminal (true (n 3)))
        (<= (goal ?p 100) (true (n 3)) (true (control ?p)))
        (<= (goal ?p 0) (role ?p) (not (true (control ?p)))) (<= (goal ?p 0) (true (n 2)) (true (control ?p)))
    """)
    found = symbols.find(game)
    assert parts(game, found) == [["(n *)"]]
    assert [patterns(game, g) for g in found.independent] == [["(control *)"]]


def test_a_fluent_that_follows_another_belongs_to_it() -> None:
    """No move names the position; it follows the speed, which a move sets."""
    game = ludisect.load("""
        (role pilot) (init (at 0)) (init (speed 0)) (plus 0 0 0) (plus 0 1 1) (plus 1 0 1) (plus 1 1 2) (plus 2 0 2)
        (plus 2 1 2) (init (lamp off)) (init (step 1)) (succ 1 2) (succ 2 3)
        (legal pilot (accelerate 0)) (legal pilot (accelerate 1)) (legal pilot switch)
        (<= (next (speed ?s)) (does pilot (accelerate ?s)))
        (<= (next (speed ?s)) (does pilot switch) (true (speed ?s)))
        (<= (next (at ?z)) (true (at ?x)) (true (speed ?y)) (plus ?x ?y ?z))
        (<= (next (lamp on)) (does pilot switch)) (<= (next (lamp ?x)) (does pilot (accelerate ?s)) (true (lamp ?x)))
        (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
        (<= terminal (true (step 3)))
        (<= (goal pilot 100) (true (at 2))) (<= (goal pilot 0) (not (true (at 2))))
    """)
    found = symbols.find(game)
    assert sorted(parts(game, found)) == [["(at *)", "(speed *)"], ["(lamp off)", "(lamp on)"]] or sorted(
        parts(game, found)
    ) == [["(at *)", "(speed *)"], ["(lamp *)"]]
    assert [patterns(game, found.groups[i])[0][:5] for i in found.useless] == ["(lamp"]


RIGHT = {
    "amazons", "blocks-maze", "breakthrough", "chomp", "clobber", "col", "connect-four", "domineering", "dots",
    "double-tictactoe", "hex", "knights-tour", "lights-on", "lights-out", "nogo", "pawns", "peg-solitaire", "queens",
    "regio", "reversi", "rock-paper-scissors", "slide-puzzle", "snort", "three-player-tictactoe", "tictactoe", "tron",
    "two-track", "ultimate-tictactoe",
}  # fmt: skip
"""The bundled games whose parts have symbols of their own, and the undivided ones; the rest is beyond symbols."""


@pytest.mark.parametrize("name", bundled.names())
def test_bundled_games(name: str) -> None:
    expected = bundled.describe(name).parts
    assert expected is not None
    dependent, useless, independent = counts(symbols.find(ludisect.load(name)))
    right = (dependent, useless) == (expected.dependent, expected.useless)
    assert right == (name in RIGHT)
    assert dependent <= expected.dependent, "symbols are too coarse, never too fine, on these games"
    assert independent in (expected.independent, expected.also_independent)


def test_a_game_without_rules_is_refused() -> None:
    game = replace(ludisect.load("two-track"), rules=None)
    with pytest.raises(InputError, match="no rules to read"):
        symbols.find(game)
