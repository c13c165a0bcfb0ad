"""One player whose moves act in all parts until the first that ends stops the play: plans of one length.

Each part is explored step by step along states that do not end the play. After t moves every part shows some concept
that it can show by then, whatever the others do; if the end is a disjunction of ends of single parts and of the time,
the best combination over all t is the best play (Zhao 2009, §6.1.2: equal lengths). Each part is followed through its
own states only.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ludisect import clock
from ludisect.answer import Answer
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.progress import report
from ludisect.ruleofplay import OPTIMUM
from ludisect.search.budget import Budget
from ludisect.search.certainty import grounds
from ludisect.search.foresight import KnownPlan, foreseen
from ludisect.search.part.shape import part_answer, refuted
from ludisect.search.part.verdicts import Times, judge, single_ends, times_of
from ludisect.search.part.views import LocalGraph, Views
from ludisect.search.study import Study
from ludisect.search.way import Inapplicable, Way
from ludisect.search.whole.positions import paid

NAME = "lockstep"

SHOWN = 4
"""Fluents of a part that are named."""

Mask = NDArray[np.bool_]


class March:
    """One part, step by step: which states it can be in after t moves if it has not ended the play before."""

    def __init__(self, graph: LocalGraph, concept: NDArray[np.int64], ends: Mask, times: Times) -> None:
        self.graph, self.concept, self.times = graph, concept, times
        self._ended = ends[concept]
        self._settings = {s.context: k for k, s in enumerate(graph.settings)}
        self.reached: list[Mask] = [np.arange(graph.positions) == 0]

    def _edges(self, time: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        return self.graph.edges_under(self._settings[self.times.colour[time]])

    def step(self, time: int) -> None:
        """One more move, made at a time."""
        source, edges = self._edges(time)
        going = self.reached[-1] & ~self._ended
        following = np.zeros(self.graph.positions, np.bool_)
        following[self.graph.successor[edges[going[source]]]] = True
        self.reached.append(following)

    def state(self, concept: int, length: int) -> int:
        """A state with a concept that is reached by so many moves."""
        return int(np.flatnonzero(self.reached[length] & (self.concept == concept))[0])

    def way(self, concept: int, at: list[int]) -> list[int]:
        """The classes of moves that lead to a state with a concept, one per time in ``at``."""
        state = self.state(concept, len(at))
        out: list[int] = []
        for t in range(len(at) - 1, -1, -1):
            source, edges = self._edges(at[t])
            fits = (self.reached[t] & ~self._ended)[source] & (self.graph.successor[edges] == state)
            e = int(np.flatnonzero(fits)[0])
            out.append(int(self.graph.move[edges[e], 0]))
            state = int(source[e])
        return out[::-1]


def applies(parts: Decomposition) -> str | None:
    """One player whose moves act in all parts at once."""
    if not parts.in_step or len(parts.game.roles) != 1 or len(parts.dependent) < 2:
        return None
    if refuted(parts):
        return None
    return "every move acts in all parts, so that plans of equal length can be combined"


def solve_lockstep(study: Study, budget: Budget, depth: int | None = None) -> Answer:
    """The best play of equal length in all parts; ``depth`` limits the length.

    Raises Inapplicable if nothing bounds the length, or the end asks several parts at once.
    """
    begin = clock.now()
    parts, game, views = study.parts, study.game, study.views(budget)
    concept = [views.concept_values(i) for i in range(len(parts.dependent))]
    times = times_of(views)
    judgement = judge(views, concept, times)
    ends = single_ends(judgement.over)
    if ends is None:
        raise Inapplicable("no part ends the play by itself")
    marches = [March(views.graph(i), c, e, times) for i, (c, e) in enumerate(zip(concept, ends, strict=True))]
    at = [0]
    best: tuple[int, int, tuple[int, ...]] | None = None
    most = int(judgement.goal[judgement.over].max()) if judgement.over.any() else 0
    complete = False
    while best is None or best[0] < most:
        shown = [np.unique(m.concept[m.reached[-1]]) for m in marches]
        here = np.ix_(np.array(at[-1:]), *shown)
        goal = np.where(judgement.over[here][0], judgement.goal[here][0, ..., 0], -1)
        if all(x.size for x in shown) and int(goal.max()) > (best[0] if best else -1):
            place = np.unravel_index(int(goal.argmax()), goal.shape)
            best = int(goal.max()), len(at) - 1, tuple(int(x[k]) for x, k in zip(shown, place, strict=True))
        complete = bool(judgement.over[at[-1]].all()) or not all(x.size for x in shown)
        if complete or (depth is not None and len(at) > depth):
            break
        if times.follow[at[-1]] in at:
            raise Inapplicable("nothing limits the length of a play")
        for march in marches:
            march.step(at[-1])
        at.append(times.follow[at[-1]])
        report("stepping ahead", len(at) - 1)
        states = sum(m.graph.positions for m in marches)
        budget.check(states * len(at), steps=100 * states)
    if best is None:
        raise Inapplicable("no play of equal length in all parts comes to an end")
    value, length, result = best
    ways = [m.way(c, at[:length]) for m, c in zip(marches, result, strict=True)]
    moves = _play(views, ways, value)
    certain, rests_on = grounds(parts)
    told = []
    for i, (m, c) in enumerate(zip(marches, result, strict=True)):
        why = f"can be at {_place(views, m, c, length)} after {length} moves, no part having ended the play before"
        told.append(part_answer(parts, i, why, length, kind="plan"))
    together = "all at once: " + " ".join(str(game.moves[0][m]) for m in moves)
    role = game.roles[0]
    exact = certain and (complete or value >= most)
    answer = Answer(
        game.name, NAME, exact, {role: value if exact else None},
        {role: game.moves[0][moves[0]]} if moves else {},
        bounds={} if exact else {role: (float(value), float(most))},
        nodes=sum(m.graph.positions for m in marches), seconds=clock.now() - begin, parts=tuple(told),
        conclusion=(together,) if moves else (), rule=OPTIMUM, evidence=rests_on,
        notes=() if certain else (rests_on,),
    )  # fmt: skip
    return foreseen(game, answer, KnownPlan(parts, game.batch.initial, moves, value))


def _place(views: Views, march: March, concept: int, length: int) -> str:
    """The fluents of a part that hold after so many moves, as many as can be read at a glance."""
    game = views.game
    state = march.graph.states[march.state(concept, length)]
    holds = [str(term) for term in sorted(game.batch.state(state), key=str)]
    return " ".join(holds[:SHOWN]) + (" …" if len(holds) > SHOWN else "") if holds else "nothing"


def _play(views: Views, ways: list[list[int]], value: int) -> list[int]:
    """Global moves that do the steps of all parts at once, played through on the rules."""
    game = views.game
    class_of = [views.class_of(i) for i in range(len(ways))]
    row = game.batch.initial
    out: list[int] = []
    for step in zip(*ways, strict=True):
        fits = game.batch.legal(row)[0].copy()
        for classes, c in zip(class_of, step, strict=True):
            fits &= classes == c
        found = np.flatnonzero(fits)
        if not found.size or bool(game.batch.terminal(row)[0]):
            raise Inapplicable("the steps of the parts cannot be made at the same time")
        out.append(int(found[0]))
        row = game.batch.next(row, np.array([[out[-1]]]))
    if not bool(game.batch.terminal(row)[0]) or int(paid(game.batch.goals(row))[0, 0]) != value:
        raise Inapplicable("the steps of the parts do not lead where they should")
    return out


WAY = Way(NAME, "single player: plans of equal length in all parts at once", applies, solve_lockstep, by_depth=True)
