"""The page of slips: every test that it names is there, and what no other test shows is shown here."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import ludisect
from ludisect.decomposition.rules import instances
from ludisect.games import bundled
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


def test_nim_as_printed_is_misere() -> None:
    """Zhao 2009, Game 2.1: the player in control at the end has not taken the last counter, and gets 100."""
    printed = "(<= (goal ?p 100) (true (control ?p)))"
    assert printed in bundled.source("nim-misere:1")
    assert printed not in bundled.source("nim:1")
    assert ludisect.solve(ludisect.load("nim-misere:1")).value["player1"] == 0
    assert ludisect.solve(ludisect.load("nim:1")).value["player1"] == 100


def test_a_goal_that_forgets_the_open_board() -> None:
    """Zhao, Schiffel, Thielscher 2009, Figure 1: without "not open2" goal 75 holds before the play is over."""
    state = ludisect.load("double-tictactoe").start
    for x, o in (("(mark2 1 1)", "(mark1 1 1)"), ("(mark2 1 2)", "(mark1 1 2)"), ("(mark2 2 1)", "(mark1 1 3)")):
        state = state.play(xplayer=x).play(oplayer=o)
    fluents = {str(f) for f in state.fluents}
    assert all(f"(cell1 1 {c} o)" in fluents for c in (1, 2, 3))  # line1(o), and neither line2(x) nor line2(o)
    assert not state.is_over
    end = state.play(xplayer="(mark2 1 3)")
    assert end.is_over
    assert end.goals["oplayer"] == 50


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


LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
TURNED, MIRRORED = (6, 3, 0, 7, 4, 1, 8, 5, 2), (2, 1, 0, 5, 4, 3, 8, 7, 6)
LINE_X, LINE_O, NO_LINE_X, NO_LINE_O, FULL = 1, 2, 4, 8, 16
GOALS = (
    (LINE_X, NO_LINE_X | LINE_X | NO_LINE_O | FULL, 31, LINE_O | NO_LINE_X | NO_LINE_O | FULL, LINE_O),
    (LINE_O, NO_LINE_O | LINE_O | NO_LINE_X | FULL, 31, LINE_X | NO_LINE_O | NO_LINE_X | FULL, LINE_X),
)
"""For each player the local concepts of a board under the goals 100, 75, 50, 25 and 0 of the thesis' appendix A."""

Sequences = dict[tuple[int, ...], frozenset[int]]
"""Turns -> the concepts that hold at the ends of sequences with these turns."""


def alike(board: str) -> str:
    """One board for all that are the same when turned or mirrored."""
    found = []
    for _ in range(4):
        board = "".join(board[i] for i in TURNED)
        found += [board, "".join(board[i] for i in MIRRORED)]
    return min(found)


def is_dropped(role: int, one: Sequences, two: Sequences) -> bool:
    """Definition 3 and the rule after it, word by word: goal values from the highest down."""
    for wanted in GOALS[role]:
        below = all(any(not a & ~b & wanted for b in two.get(t, ())) for t, ends in one.items() for a in ends)
        if not below:
            return False
        pairs = ((a & wanted, b & wanted) for t, ends in one.items() for a in ends for b in two[t])
        if any(a != b and not a & ~b for a, b in pairs):
            return True
    return True


def sequences_left(sign: int) -> int:
    """What the paper's rule for sets leaves of a board; of sets that drop each other the smallest stays, or (sign -1)
    the largest."""

    @cache
    def left(board: str) -> tuple[int, Sequences]:
        x, o = (any(all(board[i] == mark for i in line) for line in LINES) for mark in "xo")
        if x or o or "." not in board:
            concepts = (LINE_X if x else NO_LINE_X) | (LINE_O if o else NO_LINE_O) | (0 if "." in board else FULL)
            return 1, {(): frozenset([concepts])}
        number, out = 0, dict[tuple[int, ...], frozenset[int]]()
        for role, mark in enumerate("xo"):
            moves = [i for i in range(9) if board[i] == "."]
            below = [left(alike(board[:i] + mark + board[i + 1 :])) for i in moves]
            kept: list[tuple[int, Sequences]] = []
            for one in sorted(below, key=lambda found: sign * found[0]):
                if not any(is_dropped(role, one[1], two[1]) for two in kept):
                    kept = [two for two in kept if not is_dropped(role, two[1], one[1])] + [one]
            for many, found in kept:
                number += many
                for turns, ends in found.items():
                    out[role, *turns] = out.get((role, *turns), frozenset()) | ends
        return number, out

    return left("." * 9)[0]


def test_the_papers_rule_for_sets_leaves_more_than_912() -> None:
    """Zhao, Schiffel, Thielscher 2009, §4: how many depends on which of two sets that drop each other stays.

    Read literally, concept by concept, and as we read it, by what the concepts do to the goals. 912 are left by the
    rule of the thesis.
    """
    assert (sequences_left(1), sequences_left(-1)) == (1228, 1468)
    assert solve_compound(boards_compound(2), form="sets", depth=9).sequences == (1464, 1464)
