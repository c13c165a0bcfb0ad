"""Fluents that never change, predicates that only compare: recognised where they are, and nowhere else."""

from __future__ import annotations

import pytest

from ludisect.circuit.circuit import build
from ludisect.circuit.game import Game
from ludisect.gdl import Interpreter, check_machine, read
from ludisect.gdl.terms import Term, Variable
from ludisect.ground import ground
from ludisect.ground.normalize import Clause, Literal, Unequal, normalize
from ludisect.ground.rewriting import known_fluents, open_inequalities


def reads(clauses: list[Clause], name: str) -> bool:
    return any(isinstance(lit, Literal) and lit.atom.name == name for c in clauses for lit in c.body)


def test_a_fluent_with_its_frame_rule_alone_is_read_from_init() -> None:
    clauses = known_fluents(
        normalize(read("(<= (next (wall ?x)) (true (wall ?x))) (<= (p ?x) (not (true (wall ?x))))"))
    )
    frame, reader = clauses
    assert reads([frame], "true")
    assert reads([reader], "init")
    assert not reads([reader], "true")


@pytest.mark.parametrize(
    "rules",
    [
        "(<= (next (wall ?x)) (true (wall ?x)) (p ?x))",  # may fall
        "(<= (next (wall ?x)) (true (wall ?x))) (<= (next (wall ?x)) (does r (build ?x)))",  # may be built
        "(<= (next (wall a)) (true (wall a)))",  # all but one fall
        "(<= (next (wall ?x ?x)) (true (wall ?x ?x)))",
        "(<= (next (wall ?x)) (true (wall ?x))) (<= (next ?f) (does r (set ?f)))",  # may be anything
        "(<= (next (door ?x)) (true (door ?x)))",
    ],
)
def test_other_fluents_are_not(rules: str) -> None:
    clauses = normalize(read(rules + "(<= (q ?x ?y) (true (wall ?x)) (true (wall ?x ?y)))"))
    assert known_fluents(clauses) == clauses


WALLS = """
(role r) (init (wall 2 3)) (init (at 1)) (s 1 2) (s 2 3) (s 3 4)
(<= (next (wall ?x ?y)) (true (wall ?x ?y)))
(<= (legal r go) (true (at ?x))) (<= (legal r stay) (true (at ?x)))
(<= (next (at ?y)) (true (at ?x)) (does r go) (s ?x ?y) (not (true (wall ?x ?y))))
(<= (next (at ?x)) (true (at ?x)) (does r go) (true (wall ?x ?y)))
(<= (next (at ?x)) (true (at ?x)) (does r stay))
(<= terminal (true (at 4))) (goal r 0)
"""


def test_what_lies_behind_a_wall_is_impossible() -> None:
    rules = read(WALLS)
    g = ground(rules)
    assert [str(f) for f in g.fluents] == ["(at 1)", "(at 2)", "(wall 2 3)"]
    game = Game("g", g.roles, g.fluents, g.moves, build(g), g.goals, rules)
    assert check_machine(game, Interpreter(rules), plays=5, max_length=6) == []


DIFFER = """
(<= (differ ?a ?b ?c ?d) (d ?a) (d ?c) (distinct ?a ?c))
(<= (differ ?a ?b ?c ?d) (d ?b) (d ?d) (distinct ?b ?d))
"""


def test_a_comparing_predicate_is_put_into_its_readers() -> None:
    clauses = open_inequalities(normalize(read(DIFFER + "(<= (p ?x) (q ?x ?y ?z) (differ ?x ?y ?z (f ?y)))")))
    readers = [c for c in clauses if c.head.name == "p"]
    assert len(readers) == 2
    assert not reads(readers, "differ")
    assert all(any(isinstance(lit, Unequal) for lit in c.body) for c in readers)
    assert Unequal(Variable("y"), Term("f", (Variable("y"),))) in readers[1].body


@pytest.mark.parametrize(
    "rules",
    [
        DIFFER + "(<= (p ?x) (q ?x ?y) (not (differ ?x ?y ?y ?x)))",  # negated: all alternatives must fail
        "(<= (near ?a ?b) (e ?a ?b) (distinct ?a ?b)) (<= (p ?x) (near ?x ?y))",  # binds one to the other
        "(<= (one ?a ?b) (d ?a) (d ?b)) (<= (p ?x) (one ?x ?y))",  # compares nothing
        "(<= (some ?a) (d ?a) (d ?b) (distinct ?a ?b)) (<= (p ?x) (some ?x))",  # some other one, not a given one
        "(<= (diag ?a ?a) (d ?a) (distinct ?a 1)) (<= (p ?x) (diag ?x ?y))",  # equal arguments
    ],
)
def test_other_predicates_stay(rules: str) -> None:
    clauses = normalize(read(rules))
    assert open_inequalities(clauses) == clauses


def test_many_comparisons_are_not_multiplied_out() -> None:
    body = " ".join(f"(differ ?x ?y {i} {i})" for i in range(9))
    clauses = open_inequalities(normalize(read(f"{DIFFER} (<= (p ?x) (q ?x ?y) {body})")))
    assert len([c for c in clauses if c.head.name == "p"]) == 16
    assert reads(clauses, "differ")
