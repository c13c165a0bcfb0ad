"""Demand: fewer ground rules where little is asked for, and the same game everywhere."""

from __future__ import annotations

import pytest

from ludisect.circuit.circuit import build
from ludisect.circuit.game import Game
from ludisect.games import bundled
from ludisect.games.source import find_rules
from ludisect.gdl import Interpreter, Rules, check_machine, read
from ludisect.ground import ground
from ludisect.ground.demand import needed, restrict
from ludisect.ground.normalize import Literal, normalize
from ludisect.ground.split import split


def game_of(rules: Rules) -> Game:
    g = ground(rules, demand=True)
    return Game("g", g.roles, g.fluents, g.moves, build(g), g.goals, rules)


def numbers(n: int) -> str:
    return " ".join([*(f"(succ {i} {i + 1})" for i in range(n)), *(f"(number {i})" for i in range(n + 1))])


COUNTING = (
    "(role r) (init (cell 1)) (init (cell 3)) (pos 1 2) (pos 2 3) (pos 3 4) (pos 4 end)"
    "(<= (legal r (flip ?x)) (pos ?x ?y))"
    "(<= (next (cell ?x)) (does r (flip ?x)) (not (true (cell ?x))))"
    "(<= (next (cell ?x)) (true (cell ?x)) (does r (flip ?y)) (distinct ?x ?y))"
    "(<= (count end ?n ?n) (number ?n))"
    "(<= (count ?x ?n ?k) (pos ?x ?y) (true (cell ?x)) (succ ?n ?m) (count ?y ?m ?k))"
    "(<= (count ?x ?n ?k) (pos ?x ?y) (not (true (cell ?x))) (count ?y ?n ?k))"
    "(<= terminal (count 1 0 4)) (<= (goal r ?k) (count 1 0 ?k))"
) + numbers(60)
"""A count over four cells that is defined from every number and asked for from 0 alone."""


def test_counts_only_from_where_it_is_asked() -> None:
    rules = read(COUNTING)
    asked, all_of_it = ground(rules, demand=True), ground(rules)
    assert asked.fluents == all_of_it.fluents
    assert 5 * asked.n_rules < all_of_it.n_rules
    assert check_machine(game_of(rules), Interpreter(rules), plays=10, max_length=20) == []


def test_the_circuit_is_the_same_without_what_nothing_asks_for() -> None:
    rules = read(COUNTING)
    assert build(ground(rules, demand=True)).gates == build(ground(rules)).gates


def test_predicates_that_nothing_reads_are_left_out() -> None:
    clauses = normalize(read("(role r) (p 1) (<= (q ?x) (p ?x)) (<= (s ?x) (q ?x)) (<= terminal (not (q 1)))"))
    assert {c.head.name for c in needed(clauses)} == {"role", "p", "q", "terminal"}


def test_moves_may_be_legal_whatever_the_state() -> None:
    """The demand reads possible moves; here ``legal`` hangs on nothing, and has no relaxed copy."""
    rules = read(
        "(role r) (d 1) (d 2) (d 3) (init (at 1)) (<= (legal r (go ?x)) (d ?x)) (step 1 2) (step 2 3) (step 3 1)"
        "(<= (to ?x ?y) (step ?x ?y)) (<= (to ?x ?z) (step ?x ?y) (true (at ?y)) (to ?y ?z))"
        "(<= (next (at ?y)) (does r (go ?x)) (to ?x ?y)) (<= terminal (true (at 9))) (goal r 0)"
    )
    assert check_machine(game_of(rules), Interpreter(rules), plays=10, max_length=8) == []


def test_auxiliary_predicates_of_rules_and_of_demand_are_different_ones() -> None:
    clauses = split(normalize(find_rules("hex")))
    defined = {c.head.name for c in clauses}
    added = [c for c in restrict(clauses) if c.head.name not in defined]
    assert added
    assert not any(c in added for c in clauses)
    bodies = {c.body for c in clauses}
    for clause in restrict(clauses):
        if clause.head.name in defined:  # nothing but a guard has been put in
            assert clause.body in bodies or clause.body[1:] in bodies


def test_no_negated_variable_is_left_unbound() -> None:
    rules = read("(<= (legal r ?x) (p ?x ?y)) (<= (p ?x ?y) (true (q ?x ?y)) (true (r ?y ?z)) (not (p2 ?x ?z)))")
    more = read("(<= (p2 ?x ?z) (true (s ?x ?z)) (distinct ?x ?z)) (<= (next (s ?x ?y)) (p2 ?y ?x))")
    for clause in restrict(split(normalize([*rules, *more]))):
        bound = {v for lit in clause.body if isinstance(lit, Literal) and lit.positive for v in lit.variables()}
        assert {v for lit in clause.body for v in lit.variables()} <= bound
        assert set(clause.head.variables()) <= bound


@pytest.mark.parametrize("name", ["tictactoe", "blocks-maze", "hex", "nim:2,3", "domineering:2x3", "two-track"])
def test_bundled_games_stay_what_they_are(name: str) -> None:
    rules = find_rules(name)
    assert check_machine(game_of(rules), Interpreter(rules), plays=3, max_length=40) == []


@pytest.mark.slow
def test_every_bundled_game_has_the_same_inputs_either_way() -> None:
    for name in bundled.names():
        rules = find_rules(name)
        asked, all_of_it = ground(rules, demand=True), ground(rules)
        assert (asked.fluents, asked.moves, asked.goals) == (all_of_it.fluents, all_of_it.moves, all_of_it.goals), name
