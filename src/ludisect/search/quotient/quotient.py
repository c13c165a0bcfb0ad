"""Quotient, then product: solve a game from its parts, whatever they are and however they are glued.

Explores each part by itself, takes states together that nothing tells apart, and searches the product of what is left
with the turn and the rest of the context, up to exchange of parts that are alike.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ludisect.answer import Answer, PartAnswer
from ludisect.circuit.rows import Rows
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.errors import BudgetExceeded
from ludisect.gdl.terms import Term
from ludisect.search.budget import Budget
from ludisect.search.certainty import grounds
from ludisect.search.part.shape import refuted
from ludisect.search.part.verdicts import opposite
from ludisect.search.part.views import PASS, Views
from ludisect.search.quotient.classes import Quotient
from ludisect.search.quotient.product import Explorer, Product, fields_of
from ludisect.search.study import Study
from ludisect.search.way import Way
from ludisect.search.whole.backward import Table, Values, solve_graph
from ludisect.search.whole.opposed import Opposition
from ludisect.search.whole.statespace import count_joint, list_joint
from ludisect.search.whole.whole import NAMES, assemble, best_moves, enough, goal_bounds

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
    try:
        product = Explorer(q).explore(depth, enough=enough(study.game))
    except BudgetExceeded as error:
        if isinstance(error.partial, Product):
            error.partial = answer_of(error.partial, Budget(begin=budget.begin), study.opposition)
        raise
    return answer_of(product, budget, study.opposition)


def answer_of(product: Product, budget: Budget, opposition: Opposition) -> Answer:
    """The answer for the start of the game."""
    q = product.quotient
    parts, game = q.views.parts, q.views.game
    low, high = goal_bounds(game)
    values = solve_graph(
        product.graph,
        least=low,
        greatest=high,
        opposed=lambda: opposite(q.evaluation) or opposition.proved(budget),
        budget=budget,
    )
    certain, rests_on = grounds(parts)
    notes = [] if certain else [rests_on]
    if not product.graph.complete:
        notes.append(f"{product.graph.positions} positions known, {product.graph.expanded} of them expanded")
    if values.cyclic:
        notes.append("plays can go on for ever; a value is given only where that changes nothing")
    if (product.graph.goals[product.graph.terminal] < 0).any():
        notes.append("some ends give a role no goal value, or several; they count as 0")
    joint, states = first_moves(q.views)
    after, fallback = _values_after(product, joint, states, values, low, budget)
    if fallback and not product.graph.complete:
        notes.append("some first moves lead to positions that were not reached before the limit")
    move, mixed = best_moves(game, joint, states, after, values.rule)
    return assemble(
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
        rule=NAMES[values.rule],
        evidence=rests_on,
        notes=notes,
        certain=certain,
    )


def first_moves(views: Views) -> tuple[NDArray[np.int32], Rows]:
    """(joint moves at the start, the states to which they lead); none if the play is over there."""
    game = views.game
    degree = np.zeros(1, np.int64)
    legal = game.batch.legal_rows(game.batch.initial)
    count_joint(legal, game.batch.first_move, game.batch.terminal(game.batch.initial), degree)
    joint = np.empty((int(degree[0]), len(game.roles)), np.int32)
    list_joint(legal, game.batch.first_move, np.array([0, degree[0]]), joint, np.empty(joint.shape[0], np.int64))
    return joint, game.batch.next(np.repeat(game.batch.initial, joint.shape[0], axis=0), joint)


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
                searched = Explorer(product.quotient, start=(states[e : e + 1], time)).explore()
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
