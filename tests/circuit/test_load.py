"""Loading by demand: taken where split rules are too many, refused with a message where nothing helps."""

from __future__ import annotations

import importlib

import pytest

from ludisect.circuit.limits import CircuitLimits
from ludisect.errors import BudgetExceeded
from ludisect.gdl import Interpreter, check_machine, read
from ludisect.loader import load

loading = importlib.import_module("ludisect.loader")

NUMBERS = " ".join(f"(number {i}) (succ {i} {i + 1})" for i in range(60))
FAR = f"""
(role r) (init (at 0)) (<= (legal r go) (true (at ?x))) {NUMBERS}
(<= (next (at ?y)) (true (at ?x)) (succ ?x ?y) (does r go))
(<= (between ?x ?z ?y) (number ?x) (succ ?x ?y) (number ?z) (distinct ?z ?x))
(<= (between ?x ?z ?y) (succ ?x ?u) (between ?u ?z ?y) (true (at ?z)))
(<= terminal (between 57 57 59)) (<= terminal (true (at 3))) (goal r 1)
"""


def test_too_many_split_rules_are_grounded_by_demand(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = read(FAR)
    whole = load(rules)
    tried: list[dict[str, object]] = []
    ground = loading.ground

    def noted(given: object, **options: object) -> object:
        tried.append(options)
        return ground(given, **options)

    monkeypatch.setattr(loading, "ground", noted)
    asked = load(rules, limits=CircuitLimits(loader_split_most=5000))
    assert [options.get("demand", False) for options in tried][:2] == [False, True]
    assert asked.fluents == whole.fluents
    assert check_machine(asked, Interpreter(rules), plays=3, max_length=10) == []


def test_a_game_that_no_way_grounds_is_refused() -> None:
    endless = read(
        "(role r) (init (n zero)) (legal r go) (<= (next (n (s ?x))) (true (n ?x)) (does r go))"
        "(<= terminal (true (n done))) (goal r 0)"
    )
    in_time = r"not done with 0\.4 s or .* GB: .*ground rules so far"
    in_rules = "grounding gives more than 100,000 rules; the terms of .* may grow without end"  # on a quick machine
    with pytest.raises(BudgetExceeded, match=f"{in_time}|{in_rules}"):
        load(endless, seconds=0.4)
