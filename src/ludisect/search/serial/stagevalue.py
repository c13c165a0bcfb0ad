"""A sum within a game: what a stage of several parts is worth, from parts that add up.

The ends of a stage are worth what follows them. So heaps that only decide who begins the next stage are a game of Nim,
won by whoever leaves the other the worse beginning; boards whose results count later are a game for points.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ludisect.errors import Zugzwang
from ludisect.search.additive.misere import MisereSum
from ludisect.search.additive.nimsum import by_height, impartial_sum, nim_move, nimbers
from ludisect.search.additive.points import points
from ludisect.search.additive.pointvalues import Forms, Value
from ludisect.search.additive.values import prizes, values_of, winning_move
from ludisect.search.budget import Budget
from ludisect.search.oneplayer.plansearch import PlanSearch
from ludisect.search.part.compound import Compound
from ludisect.search.part.verdicts import Evaluation
from ludisect.search.way import Inapplicable

Chosen = tuple[int, int] | None
"""(part, label) of a best move."""


@dataclass(frozen=True, slots=True)
class Within:
    """How a sum was solved, what the first role gets, and a best move of the role to move."""

    way: str
    value: int
    move: Chosen


Solver = Callable[[Compound], tuple[int, Chosen]]
"""What the first role gets, and a best move, wherever the parts of a sum stand and whoever's turn it is."""


class StageValues:
    """A sum by the first way that fits it. What does not hang on where its parts stand is worked out once.

    Raises:
        Inapplicable: no way fits; the text says why for each.
    """

    def __init__(self, compound: Compound, budget: Budget) -> None:
        self._compound = compound
        refused = []
        ways: tuple[tuple[str, Callable[[Compound, Budget], Solver]], ...] = (
            ("it makes no difference how it ends", _settled),
            ("nimbers", _by_nimbers),
            ("values", _by_values),
            ("points", _by_points),
            ("plans", _by_plans),
        )
        for self._way, way in ways:
            try:
                self._solve = way(compound, budget)
                return
            except Inapplicable as error:
                refused.append(str(error))
        raise Inapplicable("; ".join(dict.fromkeys(refused)))

    def at(self, states: Sequence[int], context: int) -> Within:
        """What the sum is worth from some states on."""
        parts = tuple(replace(part, start=s) for part, s in zip(self._compound.parts, states, strict=True))
        here = replace(self._compound, parts=parts, context=context)
        value, move = self._solve(here)
        return Within(self._way, value, move or _any_move(here))


def _any_move(compound: Compound) -> Chosen:
    """Some move of the role to move."""
    role = compound.mover[compound.context]
    return next(((i, m) for i, part in enumerate(compound.parts) for m, _ in part.moves[role][part.start]), None)


def _refuse_circles(compound: Compound) -> None:
    if any(part.height is None for part in compound.parts):
        raise Inapplicable("a part can go round in circles")


def _settled(compound: Compound, budget: Budget) -> Solver:
    _refuse_circles(compound)
    found = np.unique(compound.goal[compound.over][:, 0])
    if found.size != 1 or not compound.over[compound.idle].all():
        raise Inapplicable("its ends are worth different things")
    return lambda here: (int(found[0]), None)


def _by_nimbers(compound: Compound, budget: Budget) -> Solver:
    kind = impartial_sum(compound)
    if kind.convention == "normal":
        values = [nimbers(part) for part in compound.parts]

        def normal(here: Compound) -> tuple[int, Chosen]:
            found = nim_move(here, values)
            won = (found is not None) == (here.mover[here.context] == 0)
            return kind.win if won else kind.loss, None if found is None else (found.part, found.label)

        return normal
    sums = MisereSum(compound.parts, budget)

    def misere(here: Compound) -> tuple[int, Chosen]:
        role = here.mover[here.context]
        options = [(i, m, t) for i, part in enumerate(here.parts) for m, t in part.moves[role][part.start]]
        lost = sums.judge(here.start, options).lost
        move = next(((i, m) for (i, m, _), wins in zip(options, lost, strict=True) if wins), None)
        won = move is not None or not options  # a player without a move has already won
        return kind.win if won == (role == 0) else kind.loss, move

    return misere


def _by_values(compound: Compound, budget: Budget) -> Solver:
    win, loss = prizes(compound)
    with budget.arithmetic():
        values = [values_of(part) for part in compound.parts]

    def solve(here: Compound) -> tuple[int, Chosen]:
        with budget.arithmetic():
            found = winning_move(here, values)
        won = (found is not None) == (here.mover[here.context] == 0)
        return win if won else loss, None if found is None else found[:2]

    return solve


def _by_points(compound: Compound, budget: Budget) -> Solver:
    worth, goal = _worth(compound)
    forms = Forms(budget)
    values: list[list[Value]] = []
    for part, of_concept in zip(compound.parts, worth, strict=True):
        out: list[Value] = [(0, 0)] * part.size
        for s in by_height(part):
            mine, other = ({out[t] for _, t in of_role[s]} for of_role in part.moves)
            try:
                out[s] = forms.make(mine, other) if mine else (0, of_concept[part.concept[s]])
            except Zugzwang:
                raise Inapplicable("in some position of a part it would be better not to move") from None
        values.append(out)

    def solve(here: Compound) -> tuple[int, Chosen]:
        start = [v[part.start] for v, part in zip(values, here.parts, strict=True)]
        role = here.mover[here.context]
        stop, reply = (forms.left_stop, forms.right_stop) if role == 0 else (forms.right_stop, forms.left_stop)
        found: dict[tuple[int, int], int] = {}
        for i, part in enumerate(here.parts):
            rest = forms.total(v for k, v in enumerate(start) if k != i)
            for m, t in part.moves[role][part.start]:
                found[i, m] = reply(forms.plus(values[i][t], rest))
        best = (max if role == 0 else min)(found, key=found.__getitem__, default=None)
        return goal[stop(forms.total(start))], best

    return solve


def _worth(compound: Compound) -> tuple[list[list[int]], dict[int, int]]:
    """(points per part and concept, the first role's goal by their sum) of parts that are open to both till they close.

    Raises:
        Inapplicable: the sum is of another kind.
    """
    _refuse_circles(compound)
    if compound.constant_sum is None:
        raise Inapplicable("the goals are not those of two opponents")
    if any(compound.mover[c] == compound.mover[after] for c, after in enumerate(compound.follow)):
        raise Inapplicable("the players do not move in turn")
    both = all(bool((able[0] == able[1]).all()) for able in compound.able)
    if not both or not np.array_equal(compound.over, compound.idle):
        raise Inapplicable("the parts are not open to both players until they close")
    if (compound.goal[1:][compound.over[1:]] != compound.goal[:-1][compound.over[:-1]]).any():
        raise Inapplicable("the goals at the end depend on the time")
    goals, code = np.unique(compound.goal[0].reshape(-1, 2), axis=0, return_inverse=True)
    table = np.where(compound.over[0], code.reshape(compound.over.shape[1:]) + 1, 0).astype(np.int32)[..., None]
    n = len(compound.parts)
    concepts = tuple(np.array(part.concept, np.int64) for part in compound.parts)
    evaluation = Evaluation(
        concepts, np.zeros(1, np.int64), table, goals.astype(np.int32), tuple((i,) for i in range(n))
    )
    found = points(evaluation, [~able[0] for able in compound.able])
    if found is None:
        raise Inapplicable("the goals do not rise with a sum of points from the parts")
    return [found.worth[i].tolist() for i in range(n)], found.goal


def _by_plans(compound: Compound, budget: Budget) -> Solver:
    if compound.roles != 1:
        raise Inapplicable("plans are for one player")

    def solve(here: Compound) -> tuple[int, Chosen]:
        solution = PlanSearch(here, budget=budget).run()
        if solution.value is None or not solution.exact:
            raise Inapplicable("nothing limits the length of plans")
        return solution.value, solution.moves[0] if solution.moves else None

    return solve
