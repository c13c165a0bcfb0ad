"""The page of slips: every test that it names is there, and what no other test shows is shown here."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import ludisect
from ludisect.decomposition.rules import instances
from ludisect.search.turns.treesearch import solve_compound
from tests.search.compounds import boards_compound

ROOT = Path(__file__).parents[1]


def test_every_test_of_the_page_is_there() -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", (ROOT / "docs/errata.md").read_text(encoding="utf-8"))
    assert len(named) > 10
    for path, name in named:
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, f"{path}::{name}"


def test_two_towers_are_worth_55() -> None:
    """Günther 2007, Table 4.1: the goals of our game of that form add up, so the towers without the gold give 55."""
    game = ludisect.load("blocks-maze")
    state = game.start
    for step in ludisect.solve(game).line:
        if "stack" in str(step["robot"]):  # the blocks alone; the gold stays where it is
            state = state.play(robot=step["robot"])
    assert state.goals["robot"] == 55


PARALLEL = """
(role xplayer) (role oplayer) (index 1) (index 2) (index 3)
(<= (init (cell1 ?x ?y b)) (index ?x) (index ?y)) (<= (init (cell2 ?x ?y b)) (index ?x) (index ?y))
(init (control xplayer)) (sign xplayer x) (sign oplayer o)
(<= (legal ?p (mark ?x1 ?y1 ?x2 ?y2)) (true (control ?p)) (true (cell1 ?x1 ?y1 b)) (true (cell2 ?x2 ?y2 b)))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (apart ?a ?b ?c ?d) (index ?a) (index ?b) (index ?c) (index ?d) (distinct ?a ?c))
(<= (apart ?a ?b ?c ?d) (index ?a) (index ?b) (index ?c) (index ?d) (distinct ?b ?d))
(<= (next (cell1 ?x1 ?y1 ?m)) (does ?p (mark ?x1 ?y1 ?x2 ?y2)) (sign ?p ?m))
(<= (next (cell1 ?x ?y ?m)) (true (cell1 ?x ?y ?m)) (does ?p (mark ?x1 ?y1 ?x2 ?y2)) (apart ?x ?y ?x1 ?y1))
(<= (next (cell2 ?x2 ?y2 ?m)) (does ?p (mark ?x1 ?y1 ?x2 ?y2)) (sign ?p ?m))
(<= (next (cell2 ?x ?y ?m)) (true (cell2 ?x ?y ?m)) (does ?p (mark ?x1 ?y1 ?x2 ?y2)) (apart ?x ?y ?x2 ?y2))
(<= (next (control xplayer)) (true (control oplayer))) (<= (next (control oplayer)) (true (control xplayer)))
(<= (row1 ?m) (sign ?p ?m) (index ?y) (true (cell1 1 ?y ?m)) (true (cell1 2 ?y ?m)) (true (cell1 3 ?y ?m)))
(<= (row2 ?m) (sign ?p ?m) (index ?y) (true (cell2 1 ?y ?m)) (true (cell2 2 ?y ?m)) (true (cell2 3 ?y ?m)))
(<= open (true (cell1 ?x ?y b))) (<= terminal (row1 ?m)) (<= terminal (row2 ?m)) (<= terminal (not open))
(<= (won ?p) (sign ?p ?m) (row1 ?m)) (<= (won ?p) (sign ?p ?m) (row2 ?m))
(<= (goal ?p 100) (won ?p)) (<= (goal ?p 0) (role ?p) (not (won ?p)))
"""
"""Parallel tic-tac-toe with rows alone, in the form of Zhao's appendix B."""


def test_the_graph_of_the_parallel_game_falls_into_cells() -> None:
    """Zhao 2009, §6.1 and appendix B: split moves leave 18 cells; nothing but the score ties a board."""
    game = ludisect.load(PARALLEL)
    found = instances.find(game, heuristic="thesis")
    assert found.graph is not None
    cells = [
        {label for n in component if (label := found.graph.nodes[n].label).startswith("(cell")}
        for component in found.graph.components()
    ]
    assert sorted(len(c) for c in cells if c) == [1] * 18
    assert len(found.groups) == 18


def test_the_papers_rule_for_sets_leaves_more_than_912() -> None:
    """Zhao, Schiffel, Thielscher 2009, §4, as we read it; 912 are left by the rule of the thesis."""
    found = solve_compound(boards_compound(2), form="sets", depth=9)
    assert found.sequences == (1464, 1464)
