"""Symbols come back as the terms they were, and sort by the numbers in them."""

from __future__ import annotations

import re

import clingo
from hypothesis import given
from hypothesis import strategies as st

from ludisect.gdl.terms import Term
from ludisect.ground.access import way_in
from ludisect.ground.atoms import NaturalOrder, Terms, natural_key
from ludisect.ground.encode import Names

words = st.text(st.characters(categories=("L", "N", "P", "S"), exclude_characters="();"), min_size=1, max_size=5)
terms = st.recursive(words.map(Term), lambda t: st.builds(Term, words, st.lists(t, min_size=1, max_size=3).map(tuple)))


def written(term: Term, names: Names) -> str:
    args = ",".join(written(arg, names) for arg in term.args if isinstance(arg, Term))
    return f"{names.symbol(term.name)}({args})" if args else names.symbol(term.name)


@given(st.lists(terms, min_size=1, max_size=5, unique=True))
def test_terms_come_back(given_terms: list[Term]) -> None:
    names = Names()
    control = clingo.Control(["--warn=none"])
    control.add("base", [], " ".join(f"p({i},{written(term, names)})." for i, term in enumerate(given_terms)))
    control.ground([("base", [])])
    reader = Terms(names, way_in())
    found = {reader.term(args[1]): atom for args, atom in way_in().atoms_of(control, "p", 2).items()}
    assert found == dict.fromkeys(given_terms, 0)  # facts


def test_atoms_have_the_numbers_that_clingo_gives_them() -> None:
    control = clingo.Control(["--warn=none"])
    control.add("base", [], "{q(1..3)}. p(X) :- q(X), X > 1. p(9).")
    control.ground([("base", [])])
    expected = [0 if atom.is_fact else atom.literal for atom in control.symbolic_atoms.by_signature("p", 1)]
    assert list(way_in().atoms_of(control, "p", 1).values()) == expected
    assert expected.count(0) == 1
    assert way_in().atoms_of(control, "nothing", 1) == {}


def test_deep_terms_come_back() -> None:
    names = Names()
    s, z = names.symbol("s"), names.symbol("z")
    control = clingo.Control(["--warn=none"])
    control.add("base", [], f"deep({''.join([s + '('] * 400)}{z}{')' * 400}).")
    control.ground([("base", [])])
    ((symbol,),) = way_in().atoms_of(control, "deep", 1)
    term, depth = Terms(names, way_in()).term(symbol), 0
    while term.args:
        (inner,) = term.args
        assert isinstance(inner, Term)
        term, depth = inner, depth + 1
    assert (depth, term.name) == (400, "z")


def parts(text: str) -> list[tuple[int, str]]:
    """The order in the plainest words: text and numbers in turn, numbers by value."""
    return [(-1, part) if i % 2 == 0 else (int(part), "") for i, part in enumerate(re.split(r"(\d+)", text))]


@given(st.lists(st.text("ab 019(-", max_size=8)))
def test_natural_order(texts: list[str]) -> None:
    assert sorted(texts, key=natural_key) == sorted(texts, key=parts)


@given(terms)
def test_keys_of_terms_are_those_of_their_text(term: Term) -> None:
    assert NaturalOrder().key(term) == natural_key(str(term))
