"""The classes of a quotient as one graph: what the role to move can do from each, and where a pass leads.

This exists where one role acts at a time, each of its moves touches one part, and nothing but the time says whether it
may do nothing at all. Where in addition one gains what the other loses (or there is only one role), classes can be
compared, and much falls away that a bisimulation keeps:

Class s is *at most* class t for the first role if goal and terminal never make t worse than s, every move of the first
role from s has one from t that leads at least as far, and every move of the other role from t has one from s that
leads at most as far. Whatever the rest of the game, t is then at least as good as s for the first role, whoever moves.
Moves that lead to something at most as good as another move are dropped, and classes that are at most each other are
one.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludisect.effort import spend
from ludisect.kernels.kernel import jit
from ludisect.search.limits import SearchLimits
from ludisect.search.part.verdicts import Evaluation, opposite
from ludisect.search.part.views import PASS
from ludisect.search.quotient.classes import Quotient

Ints = NDArray[np.int64]

PAIR_STEPS = 40
"""Steps (see ``effort``) that it takes to compare two classes, about, with all that hangs on them."""


@dataclass(frozen=True, eq=False)
class ClassGraph:
    """Options by class and colour of the context: ``to[start[c * colours + k] : start[c * colours + k + 1]]``.

    ``pass_to[c, k]`` is where class c goes if nothing is done there, or -1 if that cannot be. ``value[c]`` is its value
    in the evaluation of the parts of its group. ``stands_for[c]`` is the class of the quotient's class c in this graph.
    """

    start: Ints
    to: Ints
    pass_to: Ints
    value: Ints
    group: Ints
    stands_for: Ints
    actor: tuple[int, ...]

    @property
    def classes(self) -> int:
        """How many there are, reached or not."""
        return int(self.value.size)

    @property
    def colours(self) -> int:
        """How many colours the context has."""
        return int(self.pass_to.shape[1])


def class_graph(q: Quotient) -> ClassGraph | None:
    """The graph of a quotient's classes; None if some class has no pass while other parts could be moved in."""
    assert q.actor is not None
    k, colours = len(q.class_of), len(q.views.first_time)
    start, to = [0], []
    passes = np.full((q.classes, colours), -1, np.int64)
    value, group = np.zeros(q.classes, np.int64), np.zeros(q.classes, np.int64)
    leader = {i: g[0] for g in q.evaluation.groups for i in g}
    for c in range(q.classes):
        i = next(i for i in range(k) if q.member[i][c] >= 0)
        s = int(q.member[i][c])
        value[c], group[c] = q.evaluation.value[i][s], leader[i]
        graph = q.views.graph(i)
        for a in range(colours):
            edges = graph.edges_of(s, a)
            acts = (graph.move[edges] != PASS).any(axis=1)
            target = q.class_of[i][graph.successor[edges]]
            to += sorted(set(target[acts].tolist()))
            start.append(len(to))
            if (~acts).any():
                passes[c, a] = target[~acts][0]
            elif not graph.ended[s] and k > 1:
                return None
    return ClassGraph(np.array(start), np.array(to, np.int64), passes, value, group, np.arange(q.classes), q.actor)


def _worse(evaluation: Evaluation) -> dict[int, NDArray[np.bool_]] | None:
    """Per group (by its first part), value x value: whether the one is at most the other for the first role in every
    combination; None if goals do not allow it to be said."""
    table, goals = evaluation.table, evaluation.pays
    if table is None or (goals.shape[1] > 1 and not opposite(evaluation)):
        return None
    # the game must be over in the same combinations; -1 stands for going on
    score = np.concatenate([[-1], goals[:, 0]])[table]
    out = {}
    for parts in evaluation.groups:
        slices = np.moveaxis(score, parts[0], 0).reshape(table.shape[parts[0]], -1)
        n = slices.shape[0]
        worse = np.zeros((n, n), np.bool_)
        for u in range(n):
            same_end = ((slices[u] < 0) == (slices < 0)).all(axis=1)
            worse[u] = same_end & (slices[u] <= slices).all(axis=1)
        out[parts[0]] = worse
    return out


@jit
def some_above(at_most: Any, x: Any, to: Any, low: Any, high: Any) -> Any:
    """Whether one of the targets ``to[low:high]`` is at least x."""
    e = low
    while e < high and not at_most[x, to[e]]:
        e += 1
    return e < high


@jit
def some_below(at_most: Any, x: Any, to: Any, low: Any, high: Any) -> Any:
    """Whether one of the targets ``to[low:high]`` is at most x."""
    e = low
    while e < high and not at_most[to[e], x]:
        e += 1
    return e < high


@jit
def _simulated(at_most: Any, s: Any, t: Any, start: Any, to: Any, pass_to: Any, actor: Any) -> Any:
    """Whether class s still is at most class t, given what else is."""
    colours = actor.size
    for k in range(colours):
        ps, pt = pass_to[s, k], pass_to[t, k]
        if ps >= 0 and pt >= 0 and not at_most[ps, pt]:
            return False
        a, b = s * colours + k, t * colours + k
        if actor[k] == 0:
            for e in range(start[a], start[a + 1]):
                if not some_above(at_most, to[e], to, start[b], start[b + 1]):
                    return False
        else:
            for e in range(start[b], start[b + 1]):
                if not some_below(at_most, to[e], to, start[a], start[a + 1]):
                    return False
    return True


@jit("(boolean[:, ::1], int64[::1], int64[::1], int64[:, ::1], int64[::1])")
def _greatest(at_most: Any, start: Any, to: Any, pass_to: Any, actor: Any) -> None:
    """Take pairs away until every pair that is left is simulated."""
    n = at_most.shape[0]
    changed = True
    while changed:
        changed = False
        for s in range(n - 1, -1, -1):
            for t in range(n - 1, -1, -1):
                if s != t and at_most[s, t] and not _simulated(at_most, s, t, start, to, pass_to, actor):
                    at_most[s, t] = False
                    changed = True


def compare(graph: ClassGraph, evaluation: Evaluation, forced: Collection[int] = ()) -> NDArray[np.bool_] | None:
    """Class x class: whether the first role can never prefer the one to the other; None where that has no sense.

    ``forced`` are the colours in which the acting role may pass if it has no move anywhere: there the classes compared
    must both have moves, or neither.
    """
    worse = _worse(evaluation)
    if worse is None or graph.classes > SearchLimits.current().classgraph_compared:
        return None
    at_most = np.zeros((graph.classes, graph.classes), np.bool_)
    for leader, table in worse.items():
        mine = np.flatnonzero(graph.group == leader)
        at_most[np.ix_(mine, mine)] = table[np.ix_(graph.value[mine], graph.value[mine])]
    for k in forced:
        able = np.diff(graph.start)[k :: graph.colours] > 0
        at_most &= able[:, None] == able[None, :]
    actor = np.array(graph.actor, np.int64)
    _greatest(at_most, graph.start, graph.to, graph.pass_to, actor)
    spend(PAIR_STEPS * at_most.size)
    return at_most


def reduce(graph: ClassGraph, evaluation: Evaluation, *, forced: Collection[int] = ()) -> ClassGraph:
    """The same game with dominated moves dropped and classes that are at most each other made one, where that can be
    said; otherwise the graph itself. ``forced`` as in ``compare``."""
    at_most = compare(graph, evaluation, forced)
    if at_most is None:
        return graph
    equal = at_most & at_most.T
    first = equal.argmax(axis=1)  # the first class that is as good
    start, to = [0], []
    for c in range(graph.classes):
        for k in range(graph.colours):
            at = c * graph.colours + k
            if first[c] == c:
                options = sorted({int(first[x]) for x in graph.to[graph.start[at] : graph.start[at + 1]]})
                order = at_most if graph.actor[k] <= 0 else at_most.T
                to += [x for x in options if not any(order[x, y] for y in options if y != x)]
            start.append(len(to))
    pass_to = np.where(graph.pass_to >= 0, first[np.maximum(graph.pass_to, 0)], -1)
    return ClassGraph(np.array(start), np.array(to, np.int64), pass_to, graph.value, graph.group, first, graph.actor)
