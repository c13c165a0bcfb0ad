"""The method ``instances``: Zhao's worked examples, compound moves, serial order, and where it must fail."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ludisect
from ludisect.decomposition.limits import DecompositionLimits
from ludisect.decomposition.model.names import patterns
from ludisect.decomposition.rules import instances, symbols
from ludisect.decomposition.rules.arguments import Heuristic, places
from ludisect.decomposition.rules.callgraph import CallGraph
from ludisect.decomposition.rules.clauses import Clauses
from ludisect.decomposition.rules.lumps import ROLE
from ludisect.decomposition.rules.splitting import argument_sets
from ludisect.errors import LudisectError
from ludisect.games import bundled
from ludisect.gdl import read
from ludisect.settings import using
from tests.decomposition.rules.test_callgraph import NIM
from tests.decomposition.rules.test_symbols import counts, parts

HEURISTICS: list[Heuristic] = ["paper", "thesis"]


@pytest.mark.parametrize("heuristic", HEURISTICS)
@pytest.mark.parametrize("rules", [NIM, "nim"], ids=["paper", "bundled"])
def test_the_six_components_of_nim(rules: str, heuristic: Heuristic) -> None:
    """Figure 2 of the 2009 paper: four heaps with their moves, the control fluent, the noop move."""
    found = instances.find(ludisect.load(rules), heuristic=heuristic)
    graph = found.graph
    assert graph is not None
    assert sorted(sorted(graph.nodes[n].label for n in c) for c in graph.components()) == [
        ["(heap a *)", "(reduce a *)"],
        ["(heap b *)", "(reduce b *)"],
        ["(heap c *)", "(reduce c *)"],
        ["(heap d *)", "(reduce d *)"],
        ["control"],
        ["noop"],
    ]
    assert counts(found) == (4, 0, 1)


def test_the_places_of_nim() -> None:
    """§3 of the paper: the first argument of ``heap`` and that of ``reduce``; the sizes change."""
    clauses = Clauses(read(NIM))
    for heuristic in HEURISTICS:
        fluents, moves = places(clauses, CallGraph(clauses), heuristic, [("reduce", 2), ("noop", 0)])
        assert fluents == {("heap", 2): {0}}
        assert moves == {("reduce", 2): {0}}


def test_the_two_formulations_differ() -> None:
    """No cell's coordinates change, but the legality of a mark looks at other cells: paper no, thesis yes."""
    game = ludisect.load("double-tictactoe")
    assert game.rules is not None
    clauses = Clauses(game.rules)
    symbols_of = [("mark1", 2), ("mark2", 2), ("noop", 0)]
    by_paper = places(clauses, CallGraph(clauses), "paper", symbols_of)
    by_thesis = places(clauses, CallGraph(clauses), "thesis", symbols_of)
    assert by_paper == ({}, {})
    assert by_thesis == (
        {("cell1", 3): {0, 1}, ("cell2", 3): {0, 1}},
        {("mark1", 2): {0, 1}, ("mark2", 2): {0, 1}},
    )
    for heuristic in HEURISTICS:
        found = instances.find(game, heuristic=heuristic)
        assert parts(game, found) == [["(cell1 * * *)"], ["(cell2 * * *)"]]


def test_the_role_is_an_argument_of_the_move() -> None:
    game = ludisect.load("runners")
    assert game.rules is not None
    clauses = Clauses(game.rules)
    _, moves = places(clauses, CallGraph(clauses), "paper", [("walk", 0), ("sprint", 0), ("rest", 0)])
    assert moves == {("walk", 0): {ROLE}, ("sprint", 0): {ROLE}, ("rest", 0): {ROLE}}
    found = instances.find(game)
    assert parts(game, found) == [["(at red *)", "(breath red *)"], ["(at blue *)", "(breath blue *)"]] or parts(
        game, found
    ) == [["(at blue *)", "(breath blue *)"], ["(at red *)", "(breath red *)"]]


def test_four_lamps() -> None:
    """Figure 1 of Hufschmitt et al. 2018: four parts, one of them useless."""
    game = ludisect.load("four-lamps")
    found = instances.find(game)
    assert counts(found) == (4, 1, 0)
    assert [patterns(game, found.groups[i]) for i in found.useless] == [["(on d)"]]


MARK = """
(<= (legal ?p (mark ?x1 ?y1 ?x2 ?y2)) (true (control ?p)) (true (cell1 ?x1 ?y1 b)) (true (cell2 ?x2 ?y2 b)))
(<= (next (cell1 ?x1 ?y1 x)) (does xplayer (mark ?x1 ?y1 ?x2 ?y2)))
(<= (next (cell1 ?x ?y ?m)) (true (cell1 ?x ?y ?m)) (does xplayer (mark ?x1 ?y1 ?x2 ?y2)) (apart ?x ?y ?x1 ?y1))
(<= (next (cell2 ?x2 ?y2 x)) (does xplayer (mark ?x1 ?y1 ?x2 ?y2)))
(<= (next (cell2 ?x ?y ?m)) (true (cell2 ?x ?y ?m)) (does xplayer (mark ?x1 ?y1 ?x2 ?y2)) (apart ?x ?y ?x2 ?y2))
"""


def test_argument_sets_of_a_compound_move() -> None:
    """Example 6.2: the first two and the last two arguments; a condition on arguments of both sets forbids it."""
    assert argument_sets(Clauses(read(MARK)), ("mark", 4)) == (frozenset({0, 1}), frozenset({2, 3}))
    tied = MARK.replace("(true (cell1 ?x1 ?y1 b))", "(true (cell1 ?x1 ?y1 b)) (distinct ?x1 ?x2)")
    assert argument_sets(Clauses(read(tied)), ("mark", 4)) == (frozenset({0, 1, 2, 3}),)
    joined = MARK + "(<= (next (sum ?x1 ?x2)) (does ?p (mark ?x1 ?y1 ?x2 ?y2)))"
    assert argument_sets(Clauses(read(joined)), ("mark", 4)) == (frozenset({0, 1, 2, 3}),)


def test_parallel_tictactoe() -> None:
    game = ludisect.load("parallel-tictactoe")
    found = instances.find(game)
    assert parts(game, found) == [["(first * *)"], ["(second * *)"]]
    assert found.graph is not None
    assert {"(mark * -)", "(mark - *)"} <= {n.label for n in found.graph.nodes}
    assert not found.after
    assert len(symbols.find(game).groups) == 1


def test_serial_tictactoe() -> None:
    """Example 6.3: the first board is played first, because only its moves change what the second waits for."""
    game = ludisect.load("serial-tictactoe")
    found = instances.find(game)
    assert parts(game, found) == [["(first * *)"], ["(second * *)"]]
    assert found.after == {1: (0,)}
    assert found.graph is not None
    assert {e.why for e in found.graph.edges if e.kind == "serial"} == {"closed1"}


def test_three_stages() -> None:
    game = ludisect.load("relay")
    found = instances.find(game)
    assert parts(game, found) == [["(at *)"], ["(peg *)"], ["(rope *)"]]
    assert found.after == {1: (0,), 2: (0, 1)}


def test_conditions_that_cross_both_ways_are_no_order() -> None:
    """Each board waits for the other: one part."""
    game = ludisect.load("""
        (role r) (init (a 0)) (init (b 0)) (succ 0 1) (succ 1 2) (init (step 0)) (succ 2 3) (succ 3 4)
        (<= abusy (true (a 1))) (<= bbusy (true (b 1)))
        (<= (legal r incra) (not bbusy)) (<= (legal r incrb) (not abusy)) (<= (legal r wait) (true (step ?n)))
        (<= (next (a ?n)) (does r incra) (true (a ?m)) (succ ?m ?n))
        (<= (next (a ?n)) (true (a ?n)) (not (does r incra)))
        (<= (next (b ?n)) (does r incrb) (true (b ?m)) (succ ?m ?n))
        (<= (next (b ?n)) (true (b ?n)) (not (does r incrb)))
        (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (<= terminal (true (step 4)))
        (<= (goal r 100) (true (a 2)) (true (b 2))) (<= (goal r 0) (not (true (a 2))))
    """)
    found = instances.find(game)
    assert counts(found) == (1, 0, 1)
    assert not found.after


def test_a_player_who_cannot_move_ties_nothing() -> None:
    """A forced pass looks at both boards; it changes neither."""
    assert counts(instances.find(ludisect.load("double-crisscross"))) == (2, 0, 1)


def test_too_many_terms() -> None:
    game = ludisect.load("nim")
    with using(DecompositionLimits(instances_pairs=20)):
        found = instances.find(game, heuristic="thesis")
    assert counts(found) == (1, 0, 1)
    assert "too many terms" in found.notes[0]


WRONG = {
    "connect-four": 7, "hex": 25, "three-player-tictactoe": 16, "tictactoe": 9, "lights-on-parallel": 1,
}  # fmt: skip
"""Parts found where the method errs: cells that only the score ties together, and lamps that no rule ties to itself."""


@pytest.mark.parametrize("name", bundled.names())
def test_bundled_games(name: str) -> None:
    expected = bundled.describe(name).parts
    assert expected is not None
    dependent, useless, independent = counts(instances.find(ludisect.load(name)))
    assert (dependent, useless) == (WRONG.get(name, expected.dependent), expected.useless)
    assert independent in (expected.independent, expected.also_independent)


@pytest.mark.parametrize("heuristic", HEURISTICS)
@pytest.mark.parametrize("name", ["nim:3,5,7", "nim:1,2,3,4,5,6"])
def test_nim_of_any_size(name: str, heuristic: Heuristic) -> None:
    assert len(instances.find(ludisect.load(name), heuristic=heuristic).groups) == name.count(",") + 1


@pytest.mark.parametrize("name", ["domineering:2x3,4x4", "domineering:3x3,2x2,1x5"])
def test_boards_that_only_facts_keep_apart(name: str) -> None:
    """The boards lie on one grid: only the thesis tells cells apart, and the facts say which are neighbours."""
    game = ludisect.load(name)
    assert len(instances.find(game, heuristic="thesis").groups) == name.count(",") + 1
    assert len(instances.find(game, heuristic="paper").groups) == 1


@pytest.mark.slow
@pytest.mark.corpus
@pytest.mark.parametrize(("method", "right"), [("symbols", 44), ("instances", 45)])
def test_labelled_games(corpus: Path, method: str, right: int) -> None:
    """How many of the games with a sure label get the right number of dependent and of useless parts."""
    labels = json.loads((corpus / "labels.json").read_text(encoding="utf-8"))
    find = symbols.find if method == "symbols" else instances.find
    score = 0
    for name, label in labels.items():
        if label["confidence"] != "high":
            continue
        try:
            dependent, useless, _ = counts(find(ludisect.load(str(corpus / "games" / f"{name}.kif"))))
        except LudisectError:
            continue
        accepted = label.get("accept", {})
        score += dependent in [label["action_dependent"], *accepted.get("action_dependent", ())] and useless in [
            label["useless"],
            *accepted.get("useless", ()),
        ]
    assert score >= right
