"""Random operator games whose plays end: an operator takes a fact away and brings only facts of lower number."""

from __future__ import annotations

from hypothesis import strategies as st

from ludisect.gdl.terms import Term
from ludisect.rulesets.position import Player
from ludisect.search.regions.guarded import OperatorSet
from ludisect.search.regions.settling import Operator

FACTS = 6


def words(most: int = FACTS) -> st.SearchStrategy[int]:
    return st.integers(0, (1 << most) - 1)


@st.composite
def operator(draw: st.DrawFn, facts: int = FACTS) -> Operator:
    taken = draw(st.integers(0, facts - 1))
    low = (1 << taken) - 1
    needs = 1 << taken | draw(words(facts)) & draw(words(facts)) & draw(words(facts))
    bars = draw(words(facts)) & draw(words(facts)) & draw(words(facts)) & ~needs
    sets = draw(words(facts)) & draw(words(facts)) & low & ~needs
    clears = (1 << taken | draw(words(facts)) & draw(words(facts))) & ~sets & ~bars
    player = draw(st.sampled_from(list(Player)))
    return Operator(player, f"m{taken}", needs, bars, sets, clears)


@st.composite
def operator_games(draw: st.DrawFn, most: int = 8, facts: int = FACTS) -> tuple[OperatorSet, int]:
    """Operators and the facts that hold."""
    listed = tuple(draw(st.lists(operator(facts), max_size=most)))
    names = tuple(Term("fact", (Term(str(i)),)) for i in range(facts))
    return OperatorSet("random", ("left", "right"), names, listed), draw(words(facts))
