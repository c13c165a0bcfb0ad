"""Terms that may grow without end: seen in the rules, and held against grounding itself."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludisect.errors import BudgetExceeded
from ludisect.games import bundled
from ludisect.games.source import find_rules
from ludisect.gdl import read
from ludisect.ground import ground
from ludisect.ground.growth import growing
from ludisect.ground.limits import GroundLimits
from ludisect.ground.normalize import normalize
from ludisect.loader import load
from ludisect.settings import using


def places(text: str) -> list[str]:
    return [str(place) for place in growing(normalize(read(text)))]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("(<= (next (n (s ?x))) (true (n ?x)))", ["(n ?x)"]),
        ("(<= (next (n 1 (s ?x))) (true (n ?y ?x)))", ["(n … ?x)"]),
        ("(<= (next (a (s ?x))) (true (b ?x))) (<= (next (b ?x)) (true (a ?x)))", ["(a ?x)", "(b ?x)"]),
        ("(<= (p (s ?x)) (q ?x)) (<= (q ?x) (p ?x))", ["(p ?x)", "(q ?x)"]),
        ("(<= (next (wrap ?f)) (true ?f))", ["any fluent", "(wrap ?x)"]),
        ("(<= (legal r (go (s ?x))) (true (n ?x))) (<= (next (n ?m)) (does r (go ?m)))", ["(n ?x)", "(go ?x)"]),
        ("(<= (legal r (go ?f)) (true ?f)) (<= (next ?m) (does r ?m))", ["any fluent", "any move", "(go ?x)"]),
        # what ends: another literal binds the variable, or what is put around is taken off again
        ("(<= (next (n (s ?x))) (true (n ?x)) (small ?x)) (small 1)", []),
        ("(<= (next (a (s ?x))) (true (b ?x))) (<= (next (b ?x)) (true (a (s ?x))))", []),
        ("(<= (next (a (s ?x))) (true (b ?x))) (init (b 1))", []),
        ("(<= (next ?f) (true ?f)) (<= (next (a (p ?x))) (true (b ?x)))", []),
        ("(<= (p (s ?x)) (not (p ?x)) (small ?x)) (small 1)", []),
    ],
)
def test_places_that_grow(text: str, found: list[str]) -> None:
    assert places(text) == found


@pytest.mark.parametrize("name", bundled.names())
def test_no_bundled_game_grows(name: str) -> None:
    assert growing(normalize(find_rules(name))) == []


atoms = st.builds(
    lambda name, depth: f"({name} {'(s ' * depth}?x{')' * depth})", st.sampled_from("abc"), st.integers(0, 2)
)
rules = st.lists(
    st.builds(
        lambda head, body: f"(<= (next {head}) {' '.join(f'(true {atom})' for atom in body)})",
        atoms,
        st.lists(atoms, min_size=1, max_size=2),
    ),
    min_size=1,
    max_size=5,
)


@given(rules)
def test_what_does_not_grow_ends(drawn: list[str]) -> None:
    """Where nothing is said to grow, the grounder comes to an end."""
    start = " ".join(f"(init ({name} {'(s ' * 4}0{')' * 4}))" for name in "abc")
    sheet = f"(role r) (legal r go) {start} {' '.join(drawn)} (<= terminal (true (a 0))) (goal r 0)"
    with using(GroundLimits(ground_growing_rules=200)):
        if places(" ".join(drawn)):
            with suppress(BudgetExceeded):  # it may end all the same
                ground(read(sheet), max_rules=2000)
        else:
            ground(read(sheet), max_rules=2000)


def test_the_error_names_the_terms_and_a_way_out() -> None:
    sheet = read(
        "(role r) (init (n z)) (legal r go) (<= (next (n (s ?x))) (true (n ?x))) (<= terminal (true (n a))) (goal r 0)"
    )
    what = r"more than 5,000 rules; the terms of \(n \?x\) may grow without end: a literal that binds \?x to finitely"
    with using(GroundLimits(ground_growing_rules=5000)), pytest.raises(BudgetExceeded, match=what):
        load(sheet)


def test_a_sheet_that_may_grow_and_does_not_is_loaded() -> None:
    """A bound that the rules do not show: an inequality ends it."""
    sheet = read(
        "(role r) (init (n z)) (legal r go) (<= (next (n (s ?x))) (true (n ?x)) (distinct ?x (s (s z))))"
        "(<= terminal (true (n (s (s z))))) (goal r 0)"
    )
    assert growing(normalize(sheet))
    assert [str(f) for f in load(sheet).fluents] == ["(n (s (s z)))", "(n (s z))", "(n z)"]
