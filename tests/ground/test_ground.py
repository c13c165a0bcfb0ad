"""Grounding: what it finds, that splitting changes nothing, that the compiled observer sees what a plain one sees."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import clingo
import pytest

from ludisect.circuit.circuit import build
from ludisect.circuit.game import Game
from ludisect.errors import BudgetExceeded, RulesInvalidError
from ludisect.games.source import find_rules
from ludisect.gdl import Interpreter, Rules, check_machine, read
from ludisect.ground import ground, observe
from ludisect.ground.encode import Names, encode
from ludisect.ground.limits import GroundLimits
from ludisect.ground.normalize import Literal, normalize
from ludisect.ground.observe import run_clingo
from ludisect.ground.split import split
from ludisect.settings import using


def game_of(rules: Rules, *, split_rules: bool) -> Game:
    g = ground(rules, split=split_rules)
    return Game("g", g.roles, g.fluents, g.moves, build(g), g.goals, rules)


def test_finds_fluents_moves_and_initial_state() -> None:
    g = ground(find_rules("nim:1,2"))
    assert g.roles == ("left", "right") or len(g.roles) == 2
    initial = {str(f) for f, holds in zip(g.fluents, g.initial, strict=True) if holds}
    assert len(initial) == 3
    assert all(len(m) > 0 for m in g.moves)
    assert [str(f) for f in g.fluents] == sorted((str(f) for f in g.fluents), key=lambda t: (len(t) > 99, t))


@pytest.mark.parametrize("name", ["tictactoe", "blocks-maze", "lights-out", "nim:2,3", "domineering:2x3", "two-track"])
@pytest.mark.parametrize("split_rules", [True, False])
def test_splitting_changes_nothing(name: str, split_rules: bool) -> None:
    rules = find_rules(name)
    assert check_machine(game_of(rules, split_rules=split_rules), Interpreter(rules), plays=3, max_length=40) == []


def test_split_joins_fewer_variables() -> None:
    rules = read("(<= (p ?x) (q ?x ?y) (r ?y ?z) (s ?z ?u))")
    clauses = split(normalize(rules))
    most = max(len({v for lit in c.body for v in lit.variables()}) for c in clauses)
    assert most == 2
    assert len(clauses) == 3


def test_split_never_leaves_a_negated_variable_unbound() -> None:
    rules = read("(<= (p ?x) (q ?x ?y) (r ?y ?z) (not (s ?x ?z)) (distinct ?y ?z))")
    for clause in split(normalize(rules)):
        bound = {v for lit in clause.body if isinstance(lit, Literal) and lit.positive for v in lit.variables()}
        assert {v for lit in clause.body for v in lit.variables()} <= bound
        assert set(clause.head.variables()) <= bound


NESTED = """
(role r) (init (a 1)) (d 1) (d 2) (d 3)
(<= (legal r (go ?x)) (d ?x) (or (true (a ?x)) (not (or (true (a 1)) (and (true (a 2)) (distinct ?x 2))))))
(<= (legal r (go 1)) (or (true (a 1)) (true (a 2)) (true (a 3))) (or (true (b 1)) (true (b 2)) (not (true (b 3)))))
(<= (next (a ?y)) (does r (go ?x)) (d ?y) (not (distinct ?x ?y)))
(<= (next (b ?y)) (does r (go ?x)) (d ?y) (or (distinct ?x ?y) (not (distinct ?x 2))) (or (true (a ?y)) (true (b ?x))))
(<= (next (b 3)) (not (and (true (b 1)) (not (true (b 2))))))
(<= terminal (true (b 1)) (true (b 2)) (true (b 3)))
(<= (goal r 100) (or (true (b 1)) (true (b 2))))
(<= (goal r 0) (not (or (true (b 1)) (true (b 2)))))
"""


def test_nested_formulas_mean_what_they_say() -> None:
    rules = read(NESTED)
    assert check_machine(game_of(rules, split_rules=True), Interpreter(rules), plays=20, max_length=15) == []


class PlainObserver(clingo.Observer):  # type: ignore[misc]
    """What the compiled observer does, in Python."""

    def __init__(self) -> None:
        self.rules: list[tuple[int, tuple[int, ...]]] = []

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        if not choice and len(head) == 1:
            self.rules.append((head[0], tuple(body)))


@pytest.mark.parametrize("name", ["tictactoe", "hex", "blocks-maze"])
def test_the_compiled_observer_sees_every_rule(name: str) -> None:
    names = Names()
    program = encode(split(normalize(find_rules(name))), names)
    found = run_clingo(program, {names.predicate("true", 1): 1}, seconds=60, memory=2**31)
    plain = PlainObserver()
    control = clingo.Control(["--warn=none"])
    control.register_observer(plain, True)
    control.add("base", [], program)
    control.ground([("base", [])])
    at, rules = 0, []
    for _ in range(found.rules):
        size = int(found.words[at + 1])
        rules.append((int(found.words[at]), tuple(found.words[at + 2 : at + 2 + size].tolist())))
        at += 2 + size
    assert at == found.words.size
    assert rules == plain.rules


ENDLESS = """
(role r) (init (n zero)) (<= (legal r go)) (<= (next (n (s ?x))) (true (n ?x)) (does r go))
(<= terminal (true (n done))) (<= (goal r 0))
"""


def test_limits_end_with_a_message_that_says_how_far_it_got() -> None:
    with using(GroundLimits(ground_growing_rules=10**9)):
        with pytest.raises(BudgetExceeded, match=r"more than the 0\.3 s allowed \([\d,]+ ground rules so far\)"):
            ground(read(ENDLESS), seconds=0.3)
        with pytest.raises(BudgetExceeded, match=r"more than the 0\.0\d+ GB allowed"):
            ground(read(ENDLESS), memory=20 * 2**20)


def test_odd_names_come_back_as_they_were() -> None:
    g = ground(read("(role +) (init (x.y -1 (f Größe))) (<= (legal + ?m) (true (x.y ?n ?m))) (<= terminal) (goal + 5)"))
    assert (g.roles, [str(f) for f in g.fluents], [str(m) for m in g.moves[0]]) == (
        ("+",),
        ["(x.y -1 (f Größe))"],
        ["(f Größe)"],
    )


def test_no_role_and_odd_goals_are_faults() -> None:
    with pytest.raises(RulesInvalidError, match="no role"):
        ground(read("(init a) (<= terminal (true a))"))
    with pytest.raises(RulesInvalidError, match="goal value 'much' is not a number"):
        ground(read("(role r) (init a) (legal r go) (goal r much) (<= terminal (true a))"))


def test_a_grounder_left_behind_does_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    """A grounder that is not waited for still writes to its buffer: the buffer must live as long as its thread."""
    monkeypatch.setattr(observe, "GRACE_SECONDS", 0.0)
    for _ in range(20):
        with pytest.raises(BudgetExceeded):
            ground(read(ENDLESS), seconds=0.01)
    for thread in threading.enumerate():
        if thread.name == "grounder":
            thread.join(20)
            assert not thread.is_alive()
