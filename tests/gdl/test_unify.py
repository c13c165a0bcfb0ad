"""Unification: what it finds makes terms equal, and where it finds nothing no values do."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from ludisect.gdl.terms import Term, TermOrVariable, Variable
from ludisect.gdl.unify import Substitution, apply, canonical, generalise, rename, unifiable, unify, unify_all

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


def plainly(term: TermOrVariable, bound: Substitution) -> TermOrVariable:
    """A term with all bindings put in, one argument after the other, whether there is a variable in it or not."""
    if isinstance(term, Variable):
        return plainly(bound[term], bound) if term in bound else term
    return Term(term.name, tuple(plainly(a, bound) for a in term.args))


@given(terms, terms, terms)
def test_bindings_are_put_in_as_the_plain_way_does(left: TermOrVariable, right: TermOrVariable, term: Term) -> None:
    bound = unify(left, right, {}) or {}
    assert apply(term, bound) == plainly(term, bound)


@given(terms)
def test_a_ground_term_is_one_without_variables(term: TermOrVariable) -> None:
    def names_in(part: TermOrVariable) -> list[Variable]:
        return [part] if isinstance(part, Variable) else [v for a in part.args for v in names_in(a)]

    if isinstance(term, Term):
        assert list(term.variables()) == names_in(term)
        assert term.is_ground == (not names_in(term))
        assert not term.is_ground or rename(term, {}) is term is canonical(term)


@given(st.lists(st.tuples(terms, terms), max_size=3))
def test_pairs_are_unified_as_one_after_the_other(pairs: list[tuple[TermOrVariable, TermOrVariable]]) -> None:
    slow: Substitution | None = {}
    for left, right in pairs:
        slow = None if slow is None else unify(left, right, slow)
    assert unify_all(pairs, {}) == slow


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
