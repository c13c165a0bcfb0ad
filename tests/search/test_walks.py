"""Random walks for points, from rules: by points, by products, step by step, all as whole-game search."""

from __future__ import annotations

from random import Random

import pytest

from ludisect.search.additive.scores import solve_scores
from ludisect.search.budget import Budget
from ludisect.search.part.passing import FORCED
from ludisect.search.part.views import Views
from ludisect.search.quotient.classes import quotient
from ludisect.search.quotient.product import Explorer
from ludisect.search.quotient.quotient import solve_product
from ludisect.search.study import Study
from ludisect.search.way import Inapplicable
from ludisect.search.whole.backward import solve_graph
from tests.search.agreement import Whole
from tests.search.walks import random_walks


def check(seed: int, *, both: bool) -> tuple[bool, bool]:
    """(whether the values of points fitted, whether passes were forced somewhere)."""
    parts = random_walks(Random(seed), both=both)
    whole = Whole(parts.game)
    assert list(whole.faults(solve_product(Study(parts), Budget()))) == []
    explorer = Explorer(quotient(Views(parts)), few=0)
    assert solve_graph(explorer.explore().graph).low[0].tolist() == whole.values.low[0].tolist()
    assert explorer.idle is not None
    forced = bool((explorer.idle == FORCED).any())
    try:
        answer = solve_scores(Study(parts), Budget())
    except Inapplicable:
        return False, forced
    assert list(whole.faults(answer)) == []
    return True, forced


def test_some_walks() -> None:
    fits = [check(seed, both=True)[0] for seed in range(12)]
    assert 3 < sum(fits) < 12  # in others it would be better not to move
    assert any(check(seed, both=False)[1] for seed in range(8))


def test_best_moves_that_are_reversible() -> None:
    # what follows the reply is searched in place of the move, which is the best all the same
    for seed in (1029, 1046, 1060):
        check(seed, both=True)


@pytest.mark.slow
@pytest.mark.parametrize("both", [True, False])
def test_many_walks(both: bool) -> None:
    for seed in range(100, 600):
        check(seed, both=both)
