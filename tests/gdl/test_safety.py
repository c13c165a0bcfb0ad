"""Safety: a rule is refused exactly if some choice of its alternatives leaves a variable without a value."""

from __future__ import annotations

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludisect.errors import Problem
from ludisect.gdl import read
from ludisect.gdl.places import Places
from ludisect.gdl.safety import unsafe_variables
from ludisect.gdl.terms import And, Distinct, Formula, Not, Or, Rule, Rules, Term, Variable, variables

X, Y, Z = (Variable(name) for name in "xyz")

atoms = st.builds(
    lambda name, args: Term(name, tuple(args)), st.sampled_from("pq"), st.sampled_from([(X,), (Y,), (X, Z), ()])
)
leaves: st.SearchStrategy[Formula] = st.one_of(
    atoms, st.builds(Not, atoms), st.builds(Distinct, st.sampled_from((X, Y)), st.sampled_from((Y, Z)))
)
formulas: st.SearchStrategy[Formula] = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds(Not, inner),
        *(st.builds(kind, st.lists(inner, min_size=1, max_size=3).map(tuple)) for kind in (And, Or)),
    ),
    max_leaves=6,
)
rules = st.builds(Rule, atoms, st.lists(formulas, max_size=4).map(tuple))


def choices(formula: Formula) -> list[list[Formula]]:
    """What a formula comes to, with one part of each disjunction: atoms, and what stands under `not` and `distinct`."""
    if isinstance(formula, And):
        return [[f for part in some for f in part] for some in product(*map(choices, formula.parts))]
    if isinstance(formula, Or):
        return [choice for part in formula.parts for choice in choices(part)]
    return [[formula]]


def unsafe(rule: Rule) -> set[Variable]:
    """The variables that some choice leaves without a value where one is needed, by trying all of them."""
    out = set()
    for choice in choices(And(rule.body)):
        given = {v for f in choice if isinstance(f, Term) for v in f.variables()}
        needed = {v for f in choice if not isinstance(f, Term) for v in variables(f)} | set(rule.head.variables())
        out |= needed - given
    return out


def problems(rules: Rules) -> list[Problem]:
    return list(unsafe_variables(rules, Places(rules)))


@given(rules)
def test_every_choice_of_alternatives_gives_every_value(rule: Rule) -> None:
    told = [re.findall(r"variable (\?\w)", problem.what)[0] for problem in problems(Rules((rule,)))]
    assert sorted(told) == sorted(map(str, unsafe(rule)))


@pytest.mark.parametrize(
    "body",
    [
        "(or (and (q ?x) (not (r ?x))) s)",  # given in the branch that needs it
        "(q ?x) (or s (not (r ?x)))",
        "(or (q ?x) (and (r ?x ?y) (distinct ?x ?y))) (not (s ?x))",
    ],
)
def test_safe(body: str) -> None:
    assert problems(read(f"(<= p {body})")) == []


@pytest.mark.parametrize(
    ("body", "what", "help"),
    [
        ("(or s (not (q ?x)))", "no positive literal of the body contains it", "binds ?x"),
        ("(or (and s (not (q ?x))) t)", "no positive literal of the body contains it", "binds ?x"),
        ("(r ?y) (not (q ?x))", "no positive literal of the body contains it", "binds ?x, for example (r ?x)"),
        ("(true ?y) (not (q ?x))", "no positive literal of the body contains it", "binds ?x"),
        ("(r 1) (t ?y ?z) (not (q ?x))", "no positive literal of the body contains it", "binds ?x"),
        ("(r ?row) (not (q ?rows))", "no positive literal of the body contains it", "did you mean ?row?"),
        (
            "(or (q ?x) s) (r ?y) (not (t ?x))",
            "not bound in every branch of the 'or'",
            "?x to each branch, or outside of the 'or'",
        ),
        (
            "(or (and (q ?x) s) s) (not (t ?x))",
            "not bound in every branch of the 'or'",
            "?x to each branch, or outside of the 'or'",
        ),
    ],
)
def test_what_is_told(body: str, what: str, help: str) -> None:
    (problem,) = problems(read(f"(<= p {body})"))
    assert what in problem.what
    assert problem.help is not None
    assert problem.help.endswith(help)
