"""Clauses mean what the nested formulas of the rules mean; large disjunctions become predicates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from math import prod

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ludisect.gdl import Interpreter, check_machine, read
from ludisect.gdl.terms import And, Distinct, Formula, Not, Or, Rule, Term, TermOrVariable, Variable
from ludisect.gdl.unify import apply, bind
from ludisect.ground.normalize import AUXILIARY, Clause, Literal, Unequal, normalize
from ludisect.loader import load

MANY = range(26)  # more alternatives than are multiplied out


def test_equalities_are_put_in() -> None:
    (clause,) = normalize(read("(<= (p ?x ?z) (q ?x ?y) (not (distinct ?x (f ?z))) (not (distinct ?z ?y)))"))
    assert str(clause.head) == "(p (f ?y) ?y)"
    assert clause.body == (Literal(Term.parse("(q (f ?y) ?y)")),)


@pytest.mark.parametrize(
    ("one", "other", "literals"),
    [
        ("0", "1", 0),
        ("?x", "0", 1),
        ("0", "?x", 1),
        ("(f ?x)", "(f 0)", 1),
        ("(f 0)", "(f ?x)", 1),
        ("(f 0)", "(f 1)", 0),
    ],
)
def test_inequalities_that_are_settled_are_left_out(one: str, other: str, literals: int) -> None:
    (clause,) = normalize(read(f"(<= (p ?x) (d ?x) (distinct {one} {other}))"))
    assert sum(isinstance(literal, Unequal) for literal in clause.body) == literals


def test_inequalities_that_never_hold_leave_no_clause() -> None:
    for term in ("?x", "0", "(f ?x)"):
        assert normalize(read(f"(<= (p ?x) (d ?x) (distinct {term} {term}))")) == []


def test_a_term_is_never_equal_to_a_part_of_itself() -> None:
    assert normalize(read("(<= (p ?x) (q ?x) (not (distinct ?x (f ?x))))")) == []
    two = "(<= (p ?x) (q ?x ?y) (not (distinct ?x (f ?y))) (not (distinct ?y (f ?x))))"
    assert normalize(read(two)) == []


def test_large_disjunctions_become_predicates() -> None:
    rows = " ".join(f"(or {' '.join(f'(true (a {i} {j}))' for j in range(4))})" for i in range(4))
    clauses = normalize(read(f"(<= p {rows})"))
    assert len(clauses) == 1 + 4 * 4
    assert {c.head.name for c in clauses if not c.head.name.startswith(AUXILIARY)} == {"p"}


def test_up_to_24_clauses_are_multiplied_out() -> None:
    def clauses(n: int) -> list[Clause]:
        return normalize(read(f"(<= (p ?x) (r ?x ?y) (or {' '.join(f'(q {i} ?x)' for i in range(n))}))"))

    assert [c.head.name for c in clauses(24)] == 24 * ["p"]
    assert len(clauses(25)) == 26
    pairs = " ".join(f"(or (q {i}) (r {i}))" for i in range(5))
    assert len(normalize(read(f"(<= p {pairs})"))) == 1 + 5 * 2


def test_a_disjunction_that_does_not_bind_what_it_shares_is_multiplied_out() -> None:
    some = " ".join(f"(q {i} ?x)" for i in MANY)
    for odd in ("(not (q 0 ?x))", "(distinct ?x 0)", "r"):
        clauses = normalize(read(f"(<= (p ?x) (d ?x) (or {some} {odd}))"))
        assert {c.head.name for c in clauses} == {"p"}
        assert len(clauses) == len(MANY) + 1


# ---- what a large disjunction binds ----


def sheet(rule: str) -> str:
    """A player picks one of many numbers, again and again; a rule says which number is then lit."""
    return f"""
(role r) (init (step 0)) {" ".join(f"(n {i})" for i in MANY)} {" ".join(f"(succ {i} {i + 1})" for i in range(6))}
(<= (legal r (pick ?x)) (n ?x))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (next (picked ?x)) (does r (pick ?x)))
(<= (next (lit ?x)) (light ?x))
{rule}
(<= terminal (true (step 6)))
(<= (goal r 100) (true (lit ?x)))
(<= (goal r 0) (not (some))) (<= (some) (true (lit ?x)))
"""


def check(text: str) -> None:
    rules = read(text)
    assert check_machine(load(text), Interpreter(rules), plays=6, seed=1, max_length=7) == []


def test_variables_that_only_the_head_shares_are_bound() -> None:
    some = " ".join(f"(and (does r (pick {i})) (succ 0 ?x))" for i in MANY)
    check(sheet(f"(<= (light ?x) (or {some}))"))


def test_variables_that_are_shared_from_further_outside_are_bound() -> None:
    """The disjunction stands within an alternative of another one, and shares a variable with what is around both."""
    some = " ".join(f"(and (true (picked {i})) (succ 0 ?x))" for i in MANY)
    inner = f"(or (succ 4 ?x) (and (n 0) (or {some})))"
    check(sheet(f"(<= (light 0) (does r (pick ?x)) {inner})"))
    check(sheet(f"(<= (light 0) {inner} (does r (pick ?x)))"))


@pytest.mark.parametrize("order", [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0)])
def test_variables_that_a_neighbour_shares_are_bound(order: tuple[int, ...]) -> None:
    some = " ".join(f"(and (true (picked {i})) (succ 0 ?x))" for i in MANY)
    body = (f"(or {some})", "(does r (pick ?x))", "(n 0)")
    check(sheet(f"(<= (light 0) {' '.join(body[i] for i in order)})"))


def test_a_disjunction_that_never_holds_has_a_name_of_its_own() -> None:
    never = " ".join(f"(and (true (picked {i})) (distinct {i} {i}))" for i in MANY)
    some = " ".join(f"(true (picked {i}))" for i in MANY)
    check(sheet(f"(<= (light 0) (or {never}) (or {some}))"))


# ---- any formula ----

CONSTANTS = (Term("0"), Term("1"))
X, Y, Z = Variable("x"), Variable("y"), Variable("z")
OUTER = (X, Y)
COMPARED = (*OUTER, *CONSTANTS, *(Term("f", (a,)) for a in (*OUTER, *CONSTANTS)))


def wide(v: Variable) -> Formula:
    return Or(tuple(Term("c", (Term(str(i)), v)) for i in MANY))


def atoms(arguments: tuple[TermOrVariable, ...]) -> st.SearchStrategy[Formula]:
    some = st.sampled_from(arguments)
    return st.one_of(st.builds(lambda a: Term("a", (a,)), some), st.builds(lambda a, b: Term("b", (a, b)), some, some))


def joined(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    parts = st.lists(inner, min_size=1, max_size=3).map(tuple)
    return st.one_of(st.builds(And, parts), st.builds(Or, parts))


either = st.one_of(
    atoms((*OUTER, *CONSTANTS)),
    st.builds(Distinct, st.sampled_from(COMPARED), st.sampled_from(COMPARED)),
    st.sampled_from(OUTER).map(wide),
)
under_not = st.recursive(either, lambda inner: st.one_of(st.builds(Not, inner), joined(inner)), max_leaves=4)
positive = st.one_of(either, st.builds(Not, under_not), atoms((Z, *OUTER)), st.just(wide(Z)))
formulas: st.SearchStrategy[Formula] = st.recursive(positive, joined, max_leaves=6)
"""Formulas over x and y, which other literals bind, and z, which occurs in positive literals only."""

facts = st.sets(
    st.one_of(
        st.builds(lambda a: Term("a", (a,)), st.sampled_from(CONSTANTS)),
        st.builds(lambda a, b: Term("b", (a, b)), st.sampled_from(CONSTANTS), st.sampled_from(CONSTANTS)),
        st.builds(lambda i, a: Term("c", (Term(str(i)), a)), st.integers(0, 25), st.sampled_from(CONSTANTS)),
    ),
    max_size=5,
)


def bindings(variables: Iterable[Variable]) -> Iterator[dict[Variable, TermOrVariable]]:
    names = sorted(set(variables), key=lambda v: v.name)
    for values in product(CONSTANTS, repeat=len(names)):
        yield dict(zip(names, values, strict=True))


def holds(formula: Formula, binding: dict[Variable, TermOrVariable], facts: set[Term]) -> bool:
    """Whether a formula holds, by what its connectives mean."""
    if isinstance(formula, Term):
        return bind(formula, binding) in facts
    if isinstance(formula, Distinct):
        return apply(formula.left, binding) != apply(formula.right, binding)
    if isinstance(formula, Not):
        return not holds(formula.body, binding, facts)
    return (all if isinstance(formula, And) else any)(holds(p, binding, facts) for p in formula.parts)


def consequences(clauses: list[Clause], facts: set[Term]) -> set[Term]:
    """What clauses derive from facts; those of a predicate come before those that use it, and none is recursive."""
    known = set(facts)
    for clause in clauses:
        for binding in bindings(v for part in (Literal(clause.head), *clause.body) for v in part.variables()):
            for literal in clause.body:
                if isinstance(literal, Unequal):
                    fits = apply(literal.left, binding) != apply(literal.right, binding)
                else:
                    fits = (bind(literal.atom, binding) in known) == literal.positive
                if not fits:
                    break
            else:
                known.add(bind(clause.head, binding))
    return known


def alternatives(formula: Formula) -> int:
    """How many clauses a formula becomes if all of it is multiplied out; as many if it is negated, or fewer."""
    if isinstance(formula, Not):
        return alternatives(formula.body)
    if isinstance(formula, (And, Or)):
        each = [alternatives(p) for p in formula.parts]
        return max(sum(each), prod(each))
    return 1


@given(st.lists(formulas, min_size=1, max_size=3), st.sampled_from([(), (X,), (X, Y)]), facts)
def test_clauses_mean_what_the_rule_means(
    body: list[Formula], arguments: tuple[Variable, ...], facts: set[Term]
) -> None:
    assume(prod(map(alternatives, body)) <= 4 * len(MANY))
    domain = [Term("d", (c,)) for c in CONSTANTS]
    rule = Rule(Term("p", arguments), (Term("d", (X,)), Term("d", (Y,)), *body))
    right = {bind(rule.head, b) for b in bindings((X, Y, Z)) if all(holds(f, b, {*facts, *domain}) for f in rule.body)}
    found = consequences(normalize([rule]), {*facts, *domain})
    assert {t for t in found if t.name == "p"} == right
