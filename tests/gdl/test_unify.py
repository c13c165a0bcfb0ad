"""Unification: what it finds makes terms equal, and where it finds nothing no values do."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from ludisect.gdl.terms import Term, TermOrVariable, Variable
from ludisect.gdl.unify import apply, canonical, generalise, unifiable, unify

names = st.sampled_from("abf")
terms = st.recursive(
    st.one_of(names.map(Term), st.sampled_from("XYZ").map(Variable)),
    lambda inner: st.builds(Term, st.just("g"), st.tuples(inner, inner)),
    max_leaves=6,
)
ground_terms = st.recursive(
    names.map(Term), lambda inner: st.builds(Term, st.just("g"), st.tuples(inner, inner)), max_leaves=6
)


@given(terms, terms)
def test_unified_terms_are_equal(left: TermOrVariable, right: TermOrVariable) -> None:
    bound = unify(left, right, {})
    assert (bound is not None) == unifiable(left, right)
    if bound is not None:
        assert apply(left, bound) == apply(right, bound)


@given(terms, terms)
def test_frozen_variables_stay(left: TermOrVariable, right: TermOrVariable) -> None:
    frozen = frozenset(map(Variable, "XYZ"))
    assert (unify(left, right, {}, frozen) is not None) == (left == right)


@given(terms)
def test_canonical_names_are_the_same_for_variants(term: TermOrVariable) -> None:
    other = apply(term, {Variable(x): Variable(x + "'") for x in "XYZ"})
    assert canonical(term) == canonical(other) == canonical(canonical(term))


@given(st.lists(ground_terms, min_size=1, max_size=4))
def test_a_generalisation_covers_its_terms(some: list[Term]) -> None:
    wrapped = [Term("h", (t,)) for t in some]
    pattern = generalise(wrapped)
    assert all(unifiable(pattern, t) for t in wrapped)
    assert len(set(wrapped)) > 1 or pattern == wrapped[0]


@given(terms, terms)
def test_terms_that_some_values_make_equal_are_unified(left: TermOrVariable, right: TermOrVariable) -> None:
    a, b = Term("a"), Term("b")
    values = [a, b, Term("g", (a, a)), Term("g", (a, b))]
    some = (dict(zip(map(Variable, "XYZ"), chosen, strict=True)) for chosen in product(values, repeat=3))
    if any(apply(left, bound) == apply(right, bound) for bound in some):
        assert unifiable(left, right)


def test_no_term_is_a_part_of_itself() -> None:
    x, y = Variable("X"), Variable("Y")
    assert not unifiable(x, Term("g", (x, x)))
    assert unify(x, Term("g", (y, y)), {y: x}) is None
