"""Quotient, then product: solve a game from its parts, whatever they are and however they are glued.

Explores each part by itself, takes states together that nothing tells apart, and searches the product of what is left
with the turn and the rest of the context, up to exchange of parts that are alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from ludisect.answer import Answer, PartAnswer
from ludisect.circuit.rows import Rows, any_column
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.effort import spent
from ludisect.errors import BudgetExceeded
from ludisect.gdl.terms import Term
from ludisect.search.budget import Budget
from ludisect.search.certainty import grounds
from ludisect.search.foresight import KnownValues, foreseen
from ludisect.search.limits import SearchLimits
from ludisect.search.part.shape import refuted
from ludisect.search.part.verdicts import opposite
from ludisect.search.part.views import PASS
from ludisect.search.quotient.classes import Quotient
from ludisect.search.quotient.product import Explorer, Ints, Product, classes_of, fields_of
from ludisect.search.study import Study
from ludisect.search.way import Inapplicable, Way
from ludisect.search.whole.backward import Table, Values, name_of, ranks, solve_graph
from ludisect.search.whole.statespace import joint_moves
from ludisect.search.whole.whole import CYCLIC, ENDLESS, assemble, best_moves, enough, goal_bounds

NAME = "quotient"


def applies(parts: Decomposition) -> str | None:
    """The product of quotients fits every decomposition with at least two parts that is not refuted."""
    if len(parts.dependent) < 2 or refuted(parts):
        return None
    return f"{len(parts.dependent)} parts with their own states; it asks nothing of goals or turns"


def solve_product(study: Study, budget: Budget, depth: int | None = None) -> Answer:
    """The value of a game from the product of its parts' quotients.

    Raises BudgetExceeded with the Answer known by then (or none, if the parts themselves are too large), and
    Inapplicable if the parts turn out to depend on each other.
    """
    q = study.quotient(budget)
    opposed = partial(study.opposition.proved, budget)
    try:
        product = Explorer(q).explore(depth, enough=enough(study.game))
    except BudgetExceeded as error:
        if isinstance(error.partial, Product):
            error.partial = answer_of(error.partial, Budget(begin=budget.begin), opposed)
        raise
    return answer_of(product, budget, opposed)


def answer_of(product: Product, budget: Budget, opposed: Callable[[], bool]) -> Answer:
    """The answer for the start of the game."""
    q = product.quotient
    parts, game = q.views.parts, q.views.game
    low, high = goal_bounds(game)
    values = solve_graph(
        product.graph,
        least=low,
        greatest=high,
        opposed=lambda: opposite(q.evaluation) or opposed(),
        budget=budget,
    )
    certain, rests_on = grounds(parts)
    notes = [] if certain else [rests_on]
    if not product.graph.complete:
        notes.append(f"{product.graph.positions} positions known, {product.graph.expanded} of them expanded")
    if values.cyclic:
        notes.append(ENDLESS if product.graph.endless else CYCLIC)
    if (product.graph.goals[product.graph.terminal] < 0).any():
        notes.append("some ends give a role no goal value, or several; they count as 0")
    joint, states = joint_moves(game, game.batch.initial)
    after, fallback = _values_after(product, joint, states, values, low, budget)
    if fallback and not product.graph.complete:
        notes.append("some first moves lead to positions that were not reached before the limit")
    move, mixed = best_moves(game, joint, states, after, values.rule)
    answer = assemble(
        game,
        NAME,
        values.low[0],
        values.high[0],
        move=move,
        mixed=mixed,
        nodes=product.graph.positions,
        seconds=budget.spent,
        parts=_told(q),
        conclusion=_conclusion(q, move),
        rule=name_of(product.graph, values.rule),
        evidence=rests_on,
        notes=notes,
        certain=certain and not product.graph.endless,
    )
    return foreseen(game, answer, KnownProduct(product, values))


class KnownProduct(KnownValues):
    """The values of all positions of a product."""

    met = False

    def __init__(self, product: Product, values: Values) -> None:
        self._product, self._values, self.rule, self.classes = product, values, values.rule, product.quotient
        self._more: list[tuple[Product, Values]] = []
        """Searched later, from states that the search of the product left out as no better than others."""
        self._left = SearchLimits.current().product_foresight if values.known(0) and not values.cyclic else 0.0

    def values(self, rows: Rows) -> Table:
        """See ``KnownValues``."""
        q = self._product.quotient
        classes, times = classes_of(q, rows), q.views.time(rows)
        out = self._values.at(_known(self._product, classes, times))
        self._fill(out, classes, times, self._more)
        for k in np.flatnonzero(any_column(np.isnan(out))).tolist():
            if self._left > 0 and np.isnan(out[k]).any():
                before = len(self._more)
                out[k] = self._left_out(rows[k : k + 1])
                self._fill(out, classes, times, self._more[before:])
        return out

    def _fill(
        self, out: Table, classes: Ints, times: NDArray[np.int32], searched: list[tuple[Product, Values]]
    ) -> None:
        """The values that are lacking, as far as other searches know them."""
        for product, values in searched:
            lacking = np.flatnonzero(any_column(np.isnan(out)))
            if not lacking.size:
                return
            out[lacking] = values.at(_known(product, classes[lacking], times[lacking]))

    def _left_out(self, row: Rows) -> NDArray[np.float64]:
        """The values of a state that the product lacks: the classes are known, and searched from there."""
        q = self._product.quotient
        local, time = q.views.place(row)
        if self._left <= 0 or time[0] < 0 or (local < 0).any():
            return np.full(len(q.views.game.roles), np.nan)
        before, q.views.budget = spent(), Budget(work=self._left)
        try:
            product = self._product.explorer.begun(row, int(time[0])).explore(enough=enough(q.views.game))
            least, greatest = goal_bounds(q.views.game)
            values = solve_graph(product.graph, least=least, greatest=greatest, budget=q.views.budget)
            self._more.append((product, values))
        except (BudgetExceeded, Inapplicable):
            return np.full(len(q.views.game.roles), np.nan)
        finally:
            self._left -= spent() - before
        start: NDArray[np.float64] = self._more[-1][1].at(np.zeros(1, np.int32))[0]
        return start

    def ranks(self, rows: Rows) -> NDArray[np.int64]:
        """See ``KnownValues``: how far it is to the end, where play could go round in circles."""
        q = self._product.quotient
        return self._ranks[_known(self._product, classes_of(q, rows), q.views.time(rows))]

    @cached_property
    def _ranks(self) -> NDArray[np.int64]:
        return ranks(self._product.graph, self._values, 0)


def _known(product: Product, classes: Ints, times: NDArray[np.int32]) -> NDArray[np.int32]:
    """The positions of a product that states with these classes and times are; -1 for none."""
    number = product.number_of(classes, np.maximum(times, 0))
    return np.where((times >= 0) & (number < product.graph.positions), number, np.int32(-1))


def _values_after(
    product: Product, joint: NDArray[np.int32], states: Rows, values: Values, least: Table, budget: Budget
) -> tuple[Table, bool]:
    """(values of where joint moves at the start lead, whether some lead nowhere known)."""
    time = int(product.quotient.views.context.following[0])
    number = product.number(states, np.full(joint.shape[0], time))
    after = np.where((number >= 0)[:, None], values.low[np.maximum(number, 0)], least)
    if joint.size and product.assembly is not None and values.known(0) and not values.cyclic:
        # a reversible move may be the best although what follows the reply was searched in its place
        mover, tried = int(product.graph.mover[0]), dict[tuple[int, ...], Table]()
        for e in np.flatnonzero(number < 0).tolist() if mover >= 0 else []:
            if (after[:, mover] >= values.low[0, mover]).any():
                break
            key = tuple(fields_of(product.quotient, None, states[e : e + 1], np.zeros(1, np.int64))[0].tolist())
            if key not in tried:
                searched = product.explorer.begun(states[e : e + 1], time).explore()
                tried[key] = solve_graph(searched.graph, least=least, budget=budget).low[0]
            after[e] = tried[key]
    return after, bool((number < 0).any())


def _told(q: Quotient) -> tuple[PartAnswer, ...]:
    """How large each part is; a part has no value by itself here."""
    parts = q.views.parts
    twins = {i: group[0] for group in q.groups for i in group}
    out = []
    for i, s in enumerate(parts.dependent):
        about = f"part {s.id} ({' '.join(s.patterns[:3])}): {q.states[i]} states, "
        about += f"{q.size(i)} really different"
        if twins[i] != i:
            about += f", the same game as part {parts.dependent[twins[i]].id}"
        out.append(PartAnswer(s.id, about))
    return tuple(out)


def _conclusion(q: Quotient, move: Mapping[str, Term]) -> tuple[str, ...]:
    """Where each role moves."""
    parts = q.views.parts
    lines = []
    for role, chosen in move.items():
        r = parts.game.roles.index(role)
        m = int(parts.game.batch.first_move[r]) + parts.game.move_index[r][chosen]
        where = [str(s.id) for i, s in enumerate(parts.dependent) if q.views.class_of(i)[m] != PASS]
        place = f"moves in part {' and '.join(where)}" if where else "leaves all parts as they are"
        lines.append(f"{role} {place}: {chosen}")
    return tuple(lines)


WAY = Way(
    name=NAME,
    does="the product of the parts' quotients, with turn and context",
    applies=applies,
    solve=solve_product,
    by_depth=True,
)
