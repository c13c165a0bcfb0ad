"""Decomposition from a state of a match: regions form as play goes on, and what is over leaves the sum."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

import ludisect
from ludisect.circuit.game import Game
from ludisect.circuit.midgame import at_state
from ludisect.decomposition import decompose
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.errors import InputError
from ludisect.games.source import find_rules
from ludisect.gdl.interpret import Interpreter
from ludisect.gdl.machine import Fluents
from ludisect.gdl.terms import Term
from tests.decomposition.brute import Brute, explore
from tests.decomposition.found import game_of, named


def position(game: Game, rows: str, mover: str) -> Fluents:
    """A Domineering position as lines of ``.`` (free) and ``#``."""
    free = {
        Term.parse(f"(free {r} {c})")
        for r, line in enumerate(rows.split("|"), 1)
        for c, mark in enumerate(line, 1)
        if mark == "."
    }
    return frozenset(free | {Term.parse(f"(control {mover})")})


def now(game: Game, state: Fluents) -> Decomposition:
    parts = decompose(game, state=state, playouts=100)
    assert parts.evidence is not None
    assert parts.evidence.status == "proved"
    return parts


BOARD = "domineering:4x5"


def test_one_board_falls_into_regions() -> None:
    game = game_of(BOARD)
    assert named(now(game, position(game, "..#..|..#..|..#..|..#..", "vertical"))) == [
        "(free * 1) (free * 2)",
        "(free * 4) (free * 5)",
    ]
    one = now(game, position(game, ".....|.##..|.....|.....", "vertical"))
    assert len(one.dependent) == 1


def test_a_region_that_is_full_is_gone() -> None:
    game = game_of(BOARD)
    parts = now(game, position(game, "###..|###..|###..|###..", "horizontal"))
    assert named(parts) == ["(free * 4) (free * 5)"]
    assert len(parts.constant_numbers) == 12


def test_squares_that_nobody_can_cover_are_no_part() -> None:
    game = game_of(BOARD)
    parts = now(game, position(game, ".#...|#....|.#...|#.#.#", "vertical"))
    lone = {"(free 1 1)", "(free 3 1)", "(free 4 2)"}
    assert lone <= {str(game.fluents[f]) for f in parts.constant_numbers}


def regions(game: Game, state: Fluents) -> set[frozenset[Term]]:
    """Squares connected by a domino that somebody can still lay, by plain search."""
    graph = nx.Graph()
    free = {t for t in state if t.name == "free"}
    for t in free:
        r, c = (int(str(a)) for a in t.args)
        for other in (Term.parse(f"(free {r + 1} {c})"), Term.parse(f"(free {r} {c + 1})")):
            if other in free:
                graph.add_edge(t, other)
    return {frozenset(c) for c in nx.connected_components(graph)}


@pytest.mark.parametrize("seed", range(6))
def test_regions_of_random_positions(seed: int) -> None:
    """A part lies in one region, and no region holds two; squares whose fate nobody can choose are context."""
    game, rng = game_of("domineering:4x4"), random.Random(seed)
    state = game.initial_state()
    for _ in range(2 + seed % 3):
        moves = {role: rng.choice(legal) for role, legal in game.legal_moves(state).items()}
        state = game.next_state(state, moves)
    if game.is_terminal(state):
        return
    parts = now(game, state)
    wanted = regions(game, state)
    home = []
    for s in parts.dependent:
        mine = frozenset(game.fluents[f] for f in s.fluent_numbers)
        home += [region for region in wanted if mine <= region]
    assert len(home) == len(set(home)) == len(parts.dependent)
    there = at_state(game, state)
    steps = explore(there, 6000)
    if steps:
        assert Brute(parts, there, steps).broken() == []


def test_a_heap_that_is_gone_leaves_the_sum() -> None:
    game = game_of("nim:3,2,1")
    state = frozenset(map(Term.parse, ["(heap a 3)", "(heap b 0)", "(heap c 1)", "(control player2)"]))
    assert named(now(game, state)) == ["(heap a *)", "(heap c *)"]


def test_a_board_that_is_won_leaves_the_sum() -> None:
    game = game_of("double-tictactoe")
    state = game.initial_state()
    for turn, square in enumerate(("1 1", "2 1", "1 2", "2 2", "1 3")):
        moves = {role: Term("noop") for role in game.roles}
        moves[game.roles[turn % 2]] = Term.parse(f"(mark1 {square})")
        state = game.next_state(state, moves)
    assert named(now(game, state)) == ["(cell2 * * *)"]


def test_a_stage_that_is_over_leaves_the_order() -> None:
    game = game_of("relay")
    state = game.initial_state()
    for step in ("u", "w", "gold"):
        state = game.next_state(state, {"runner": Term.parse(f"(walk {step})")})
    parts = now(game, state)
    assert [named(parts), [s.after for s in parts.dependent]] == [["(peg *)", "(rope *)"], [(), (1,)]]


def test_from_the_initial_state_nothing_changes() -> None:
    game = game_of("nim:2,3")
    assert named(now(game, game.initial_state())) == ["(heap a *)", "(heap b *)"]


def test_the_game_from_a_state_plays_on_from_there() -> None:
    game = game_of("nim:3,2,1")
    state = frozenset(map(Term.parse, ["(heap a 1)", "(heap b 0)", "(heap c 1)", "(control player1)"]))
    there = at_state(game, state)
    assert there.initial_state() == state
    assert there.fluents == game.fluents
    for step in explore(there) or ():
        assert game.next_state(step.state, step.moves) == step.following
        assert game.legal_moves(step.state) == there.legal_moves(step.state)


def test_a_set_of_fluents_that_is_no_state_is_refused() -> None:
    game = game_of("nim:3,2,1")
    state = frozenset(map(Term.parse, ["(heap a 1)", "(heap b 0)", "(heap c 1)", "(control player1)"]))
    there = at_state(game, state)
    with pytest.raises(InputError, match=r"that is no state of nim:3,2,1: \(heap b 2\) never holds in it"):
        at_state(there, state | {Term.parse("(heap b 2)")})
    with pytest.raises(InputError, match=r"that is no state of nim:3,2,1: \(heap b 0\) always holds in it"):
        at_state(there, state - {Term.parse("(heap b 0)")})
    with pytest.raises(InputError, match="can never hold"):
        at_state(game, frozenset({Term.parse("(heap z 3)")}))


def test_states_from_files(tmp_path: Path) -> None:
    game = game_of("nim:3,2,1")
    path = tmp_path / "state.kif"
    path.write_text("; a comment\n(heap a 3) (heap b 0)\n  (heap c 1) ; more\n(control player2)\n")
    assert {str(t) for t in game.read_state(path).fluents} == {
        "(heap a 3)", "(heap b 0)", "(heap c 1)", "(control player2)",
    }  # fmt: skip
    path.write_text("(heap a 3)\n(heap a 99)\n")
    with pytest.raises(InputError, match=r"state\.kif:2: \(heap a 99\) can never hold in nim:3,2,1"):
        game.read_state(path)
    path.write_text("(heap a ?n)\n")
    with pytest.raises(InputError, match=r"state\.kif:1: \(heap a \?n\) can never hold"):
        game.read_state(path)
    for broken in ("(heap a 3", "(heap a 3))", "()"):
        path.write_text(f"\n{broken}\n")
        with pytest.raises(InputError, match=r"state\.kif:2: .* is no list of KIF terms"):
            game.read_state(path)
    with pytest.raises(InputError, match="cannot read"):
        game.read_state(tmp_path / "nothing.kif")


def test_states_names_and_texts_are_taken_for_games() -> None:
    game = game_of("nim:3,2,1")
    state = game.state("(heap a 3) (heap b 0) (heap c 1) (control player2)")
    assert decompose(state) == decompose(game, state=state) == decompose(game, state=state.fluents)
    assert decompose("nim:3,2,1") == decompose(game) == decompose(find_rules("nim:3,2,1"))
    assert decompose("nim:3,2,1", state=state) == decompose(state)
    anything: Any = 3
    right = r"a Game, a State or the text of a game \(or its name, path or rules\)"
    with pytest.raises(TypeError, match=rf"^decompose takes {right}, not int \(3\)$"):
        decompose(anything)
    with pytest.raises(TypeError, match=rf"^decompose takes {right}, not None$"):
        decompose(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^decompose takes a State of a Game \(ludisect.load\), not one of an Interp"):
        decompose(Interpreter(find_rules("nim:3,2,1")).start)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"^that is a state of another game \(nim:1,2\), not of nim:3,2,1$"):
        decompose(game, state=game_of("nim:1,2").start)
    with pytest.raises(
        TypeError, match=r"^load takes a bundled name, a path, the text of a game or its rules, not int"
    ):
        ludisect.load(anything)
