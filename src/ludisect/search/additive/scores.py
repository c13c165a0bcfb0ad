"""Parts that are played for points, whoever moves first in each: their values add up, and much cancels.

Two players in turn with opposite goals, each part open to both until it closes, the goals a rising function of the
points that the parts bring together, and no position of a part in which it would be better not to move. Each part then
has a value (see ``pointvalues``), and the sum of the values has two stops: what it brings if the one or the other
begins.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludisect.answer import Answer, PartAnswer
from ludisect.circuit.rows import Rows
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.errors import Zugzwang
from ludisect.ruleofplay import MINIMAX
from ludisect.search.additive.pointorder import closed_values
from ludisect.search.additive.points import Points, points
from ludisect.search.additive.pointvalues import Forms, Value
from ludisect.search.budget import Budget
from ludisect.search.certainty import grounds
from ludisect.search.foresight import KnownParts, foreseen
from ludisect.search.part.shape import fits_choice, part_answer
from ludisect.search.quotient.classes import Quotient
from ludisect.search.quotient.classgraph import ClassGraph
from ludisect.search.quotient.product import Explorer, fields_of
from ludisect.search.study import Study
from ludisect.search.way import Inapplicable, Way
from ludisect.search.whole.positions import postorder
from ludisect.search.whole.statespace import joint_moves
from ludisect.search.whole.whole import assemble, best_moves

NAME = "scores"


def applies(parts: Decomposition) -> str | None:
    """Two players in turn who pick a part; what the parts are worth is looked at when they are known."""
    if not fits_choice(parts, (2,)):
        return None
    return "each part brings points, and moving never hurts, so that the values of the parts add up"


def values_of(graph: ClassGraph, worth: Points, forms: Forms) -> list[Value]:
    """The value of every class, the first role moving left."""
    colour = [graph.actor.index(r) for r in (0, 1)]
    out: list[Value] = [(0, 0)] * graph.classes
    order, _ = postorder(graph.start[:: graph.colours].copy(), graph.to.astype(np.int32))
    for c in order.tolist():
        moves = []
        for k in colour:
            at = c * graph.colours + k
            moves.append({out[x] for x in graph.to[graph.start[at] : graph.start[at + 1]].tolist()})
        if moves[0]:
            out[c] = forms.make(*moves)
        else:
            out[c] = 0, int(worth.worth[int(graph.group[c])][graph.value[c]])
    return out


@dataclass(frozen=True, eq=False)
class PointSum:
    """Parts with their values."""

    quotient: Quotient
    found: Points
    forms: Forms
    values: list[Value]
    """Per class."""
    actors: tuple[int, ...]
    """Who moves at each of the times that are told apart,"""
    time_of: NDArray[np.int64]
    """and which of them each time of the context is."""

    @property
    def mover(self) -> int:
        """Who begins."""
        return self.actors[0]

    def of(self, states: tuple[int, ...]) -> list[Value]:
        """The values of the parts in some states."""
        return [self.values[int(of_part[s])] for of_part, s in zip(self.quotient.class_of, states, strict=True)]

    @property
    def start(self) -> list[Value]:
        """The value of every part at the start."""
        return self.of((0,) * len(self.quotient.class_of))

    def goals(self, total: Value, mover: int) -> tuple[int, int]:
        """What both get out of a sum if one of them begins."""
        mine = self.found.goal[self.forms.left_stop(total) if mover == 0 else self.forms.right_stop(total)]
        return mine, int(self.quotient.evaluation.pays[0].sum()) - mine

    def after(self, states: Rows) -> list[Value]:
        """The sums after first moves."""
        start = self.start
        rest = [self.forms.total(v for j, v in enumerate(start) if j != i) for i in range(len(start))]
        before = [int(of_part[0]) for of_part in self.quotient.class_of]
        out = []
        for classes in fields_of(self.quotient, None, states, np.zeros(states.shape[0], np.int64))[:, :-1].tolist():
            moved = next(i for i, c in enumerate(classes) if c != before[i])  # no play comes back to a class
            out.append(self.forms.plus(self.values[classes[moved]], rest[moved]))
        return out


def read_sum(study: Study, budget: Budget) -> PointSum:
    """The values of all classes of the parts.

    Raises:
        Inapplicable: the game is of another kind; the text says what does not hold.
    """
    q = study.quotient(budget)
    explorer = Explorer(q, reduced=False)
    if explorer.assembly is None or not explorer.is_scoring(explorer.graph, q.evaluation):
        raise Inapplicable("the parts are not open to both players in turn until they close")
    closed = closed_values(explorer.graph, q.evaluation)
    found = points(q.evaluation, closed) if closed is not None else None
    if found is None:
        raise Inapplicable("the goals do not rise with a sum of points from the parts")
    forms = Forms(budget)
    try:
        values = values_of(explorer.graph, found, forms)
    except Zugzwang:
        raise Inapplicable("in some position of a part it would be better not to move") from None
    actors = tuple(explorer.graph.actor[c] for c in explorer.colour.tolist())
    return PointSum(q, found, forms, values, actors, explorer.time_of)


def solve_scores(study: Study, budget: Budget) -> Answer:
    """The value of a sum of parts that are played for points.

    Raises Inapplicable if the game is of another kind.
    """
    parts, of_parts = study.parts, read_sum(study, budget)
    forms, mover, roles = of_parts.forms, of_parts.mover, parts.game.roles
    total = forms.total(of_parts.start)
    joint, states = joint_moves(parts.game, parts.game.batch.initial)
    sums = of_parts.after(states)
    goals = np.array([of_parts.goals(v, 1 - mover) for v in sums], np.float64).reshape(len(sums), 2)
    move = best_moves(parts.game, joint, states, goals, "max-n")[0]
    known = KnownPoints(parts, of_parts)
    why = [f"all together bring {_spell(forms, total, roles)}"]
    for chosen in move.values():
        e = int(np.argmax(joint[:, mover] == parts.game.move_index[mover][chosen]))
        stop = forms.right_stop(sums[e]) if mover == 0 else forms.left_stop(sums[e])
        why.append(f"{roles[mover]} plays {chosen}, which leaves {_points(stop)} for {roles[0]}")
    value = np.array(of_parts.goals(total, mover), np.float64)
    certain, rests_on = grounds(parts)
    answer = assemble(
        parts.game,
        NAME,
        value,
        value,
        move=move,
        mixed={},
        nodes=sum(of_parts.quotient.states),
        seconds=budget.spent,
        parts=known.told((0,) * len(of_parts.start)),
        conclusion=tuple(why),
        rule=MINIMAX,
        evidence=rests_on,
        notes=[] if certain else [rests_on],
        certain=certain,
    )
    return foreseen(parts.game, answer, known)


class KnownPoints(KnownParts):
    """What a sum of points is worth, whatever states its parts are in."""

    def __init__(self, parts: Decomposition, of_parts: PointSum) -> None:
        super().__init__(of_parts.quotient.views, of_parts.time_of)
        self._parts, self._sum = parts, of_parts
        self._shape, self._offset = np.array(of_parts.values, np.int64).reshape(-1, 2).T

    def kinds(self, states: NDArray[np.int64], times: NDArray[np.int64]) -> NDArray[np.int64]:
        """See ``KnownParts``: those whose parts have the same values, in any order, up to points."""
        of_parts = self._sum.quotient.class_of
        classes = np.stack([of_part[at] for of_part, at in zip(of_parts, states.T, strict=True)], axis=1)
        shapes = np.sort(self._shape[classes], axis=1)
        return np.column_stack([shapes, self._offset[classes].sum(axis=1), times])

    def worth(self, states: tuple[int, ...], time: int) -> tuple[int, int]:
        """See ``KnownParts``."""
        return self._sum.goals(self._sum.forms.total(self._sum.of(states)), self._sum.actors[time])

    def told(self, states: tuple[int, ...]) -> tuple[PartAnswer, ...]:
        """See ``KnownParts``."""
        forms, roles = self._sum.forms, self._parts.game.roles
        return tuple(
            part_answer(self._parts, i, f"brings {_spell(forms, v, roles)}", _stops(forms, v), kind="points")
            for i, v in enumerate(self._sum.of(states))
        )


def _spell(forms: Forms, value: Value, roles: tuple[str, ...]) -> str:
    """What a sum brings the first role, in words."""
    if value[0] == 0:
        return f"{roles[0]} {_points(value[1])}, whoever begins"
    low, high = forms.right_stop(value), forms.left_stop(value)
    return f"{roles[0]} {_points(high)} if {roles[0]} begins, {_points(low)} if {roles[1]} does"


def _stops(forms: Forms, value: Value) -> int | tuple[int, int]:
    """The points of the first role: a number, or (if it begins, if the other does)."""
    return value[1] if value[0] == 0 else (forms.left_stop(value), forms.right_stop(value))


def _points(n: int) -> str:
    return "1 point" if n == 1 else f"{n} points"


WAY = Way(NAME, "points from parts in which a move never hurts, added up", applies, solve_scores)
