"""Sums of scoring games: the order of canonical forms for parts in which both can move until they close.

Here two players alternate, one gains what the other loses, each move is made in one part, a part is *open* (both can
move in it) or *closed* (nobody can), and the game is over when all parts are closed. Then a class s is at most a class
t for the first player, whatever the other parts are, if

1. with all other parts closed, whatever they gave, s is worth at most what t is worth, whoever begins;
2. every move of the first player from s is met by a move from t that leads at least as far, or by a reply of the second
   player that comes back to something at most t;
3. every move of the second player from t is met by a move from s that leads at most as far, or by a reply of the first
   player that comes back to something at least s.

Why: in s and the rest with the first player to move, a move in the rest is made in t and the rest as well, and a move
in s is bounded by 2 (a reply is a choice of the second player, so it can only lower what s gives); with the second
player to move, likewise by 3. When the rest is closed, 1 decides. An open rest always leaves the mover a move.

So dominated moves can be dropped, and so can *reversible* ones: if the reply to a move leads to something at most where
it came from, the move may be replaced by the moves that follow the reply (which must have some). Compare the canonical
forms of combinatorial games; the ends of scoring games need condition 1 on top.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludisect.kernels.kernel import jit
from ludisect.search.part.verdicts import Evaluation, opposite
from ludisect.search.quotient.classgraph import ClassGraph, some_above, some_below
from ludisect.search.whole.positions import postorder

Ints = NDArray[np.int64]
Options = list[set[int]]


@dataclass(slots=True)
class _Forms:
    """Classes in an order in which options come first, with what is known of their order."""

    options: tuple[Options, Options]
    """Per role, per class."""
    at_most: NDArray[np.bool_]


def is_scoring(graph: ClassGraph, evaluation: Evaluation, following: Ints, colour: Ints, idle: Ints) -> bool:
    """Whether a game is a sum of scoring games as described above."""
    table = evaluation.table
    if table is None or not opposite(evaluation) or idle.any():
        return False
    if table.shape[-1] > 1:
        return False  # the end reads the turn
    turns = [graph.actor[c] for c in colour.tolist()]
    if sorted(turns) != [0, 1] or following.tolist() != [1, 0]:
        return False
    classes = np.arange(graph.classes)
    if any((graph.pass_to[:, k] != classes)[graph.pass_to[:, k] >= 0].any() for k in range(graph.colours)):
        return False
    some = np.stack([np.diff(graph.start)[k :: graph.colours] > 0 for k in range(graph.colours)], axis=1)
    if (some.any(axis=1) != some.all(axis=1)).any():
        return False
    closed = closed_values(graph, evaluation)
    if closed is None:
        return False
    over = np.ones(table.shape, np.bool_)
    for i, of_part in enumerate(closed):
        shape = [1] * table.ndim
        shape[i] = of_part.size
        over &= of_part.reshape(shape)
    return bool(((table > 0) == over).all()) and not postorder(*_plain(graph))[1]


def _plain(graph: ClassGraph) -> tuple[Ints, NDArray[np.int32]]:
    """All options of a class together, as a graph."""
    return graph.start[:: graph.colours].copy(), graph.to.astype(np.int32)


def closed_values(graph: ClassGraph, evaluation: Evaluation) -> list[NDArray[np.bool_]] | None:
    """Per part and value: whether its classes are closed; None if a value has closed and open ones."""
    assert evaluation.table is not None
    no_moves = np.diff(graph.start).reshape(-1, graph.colours).sum(axis=1) == 0
    leader = {i: g[0] for g in evaluation.groups for i in g}
    out = []
    for i in range(len(evaluation.value)):
        mine = graph.group == leader[i]
        of_part = np.zeros(evaluation.table.shape[i], np.bool_)
        of_part[graph.value[mine & no_moves]] = True
        if of_part[graph.value[mine & ~no_moves]].any():
            return None
        out.append(of_part)
    return out


def _alone(
    graph: ClassGraph, evaluation: Evaluation, options: tuple[Options, Options], order: list[int]
) -> NDArray[np.float64]:
    """Values with everything else closed, by backward induction for all that the others may have given at once.

    Class x who begins x what the others gave: the value for the first player.
    """
    assert evaluation.table is not None
    closed = closed_values(graph, evaluation)
    assert closed is not None
    score = np.concatenate([[0], evaluation.pays[:, 0]])[evaluation.table]
    columns: dict[int, NDArray[np.float64]] = {}
    for parts in evaluation.groups:
        i = parts[0]
        kept = score
        for j, of_part in enumerate(closed):
            if j != i:
                kept = np.compress(of_part, kept, axis=j)
        slices = np.moveaxis(kept, i, 0).reshape(kept.shape[i], -1)
        columns[i] = np.unique(slices, axis=1).astype(np.float64)
    width = max(c.shape[1] for c in columns.values())
    alone = np.zeros((graph.classes, 2, width))
    for c in order:
        of_group = columns[int(graph.group[c])]
        if not options[0][c]:
            alone[c, :, : of_group.shape[1]] = of_group[graph.value[c]]
            continue
        alone[c, 0] = np.max([alone[x, 1] for x in options[0][c]], axis=0)
        alone[c, 1] = np.min([alone[x, 0] for x in options[1][c]], axis=0)
    return alone


@jit
def _met(at_most: Any, s: Any, t: Any, start0: Any, to0: Any, start1: Any, to1: Any) -> Any:
    """Conditions 2 and 3 for s at most t."""
    for e in range(start0[s], start0[s + 1]):
        a = to0[e]
        met = some_above(at_most, a, to0, start0[t], start0[t + 1])
        if not met and not some_below(at_most, t, to1, start1[a], start1[a + 1]):
            return False
    for e in range(start1[t], start1[t + 1]):
        a = to1[e]
        met = some_below(at_most, a, to1, start1[s], start1[s + 1])
        if not met and not some_above(at_most, s, to0, start0[a], start0[a + 1]):
            return False
    return True


@jit("(int64[::1], int64[::1], float64[:, :, ::1], int64[::1], int64[::1], int64[::1], int64[::1], boolean[:, ::1])")
def _order(order: Any, group: Any, alone: Any, start0: Any, to0: Any, start1: Any, to1: Any, at_most: Any) -> None:
    """All pairs, those on which a pair rests before it."""
    for s in order:
        for t in order:
            if group[s] != group[t]:
                continue
            fits = True
            for p in range(2):
                for w in range(alone.shape[2]):
                    if alone[s, p, w] > alone[t, p, w]:
                        fits = False
                        break
                if not fits:
                    break
            at_most[s, t] = s == t or (fits and _met(at_most, s, t, start0, to0, start1, to1))


def _arrays(options: Options) -> tuple[Ints, Ints]:
    start = np.cumsum([0, *map(len, options)])
    return start, np.array([x for some in options for x in sorted(some)], np.int64)


def canonical(graph: ClassGraph, evaluation: Evaluation) -> ClassGraph:
    """The graph with equal classes made one and dominated and reversible moves taken out."""
    role_colour = [graph.actor.index(r) for r in (0, 1)]
    options: tuple[Options, Options] = ([], [])
    for c in range(graph.classes):
        for r in (0, 1):
            at = c * graph.colours + role_colour[r]
            options[r].append(set(graph.to[graph.start[at] : graph.start[at + 1]].tolist()))
    order = postorder(*_plain(graph))[0].astype(np.int64)
    alone = _alone(graph, evaluation, options, order.tolist())
    at_most = np.zeros((graph.classes, graph.classes), np.bool_)
    _order(order, graph.group, alone, *_arrays(options[0]), *_arrays(options[1]), at_most)
    forms = _Forms(options, at_most)
    place = np.empty(graph.classes, np.int64)
    place[order] = np.arange(order.size)
    equal = at_most & at_most.T
    # of equal classes the one that comes first in the order is the simplest
    simplest = np.array([int(members[place[members].argmin()]) for members in map(np.flatnonzero, equal)], np.int64)
    for c in order.tolist():
        if simplest[c] == c:
            for r in (0, 1):
                _simplify(forms, c, r, simplest)
    start, to = [0], []
    for c in range(graph.classes):
        for k in range(graph.colours):
            if simplest[c] == c:
                to += sorted(options[graph.actor[k]][c])
            start.append(len(to))
    pass_to = np.repeat(np.arange(graph.classes)[:, None], graph.colours, axis=1)
    return ClassGraph(
        np.array(start), np.array(to, np.int64), pass_to, graph.value, graph.group,
        simplest[graph.stands_for], graph.actor,
    )  # fmt: skip


def _simplify(forms: _Forms, c: int, r: int, simplest: Ints) -> None:
    """Take dominated and reversible moves of role r out of class c; what it leads to is simple already."""
    better = forms.at_most if r == 0 else forms.at_most.T  # better[x, y]: y is at least as good as x for role r
    mine, other = forms.options[r], forms.options[1 - r]
    waiting = {int(simplest[x]) for x in mine[c]}
    kept: set[int] = set()
    while waiting:
        a = waiting.pop()
        # the reply b to the move a comes back to something at most as good for r as c itself
        back = next((b for b in other[a] if better[simplest[b], c] and mine[int(simplest[b])]), None)
        if back is None:
            kept.add(a)
        else:
            waiting |= mine[int(simplest[back])] - kept
    mine[c] = {x for x in kept if not any(y != x and better[x, y] for y in kept)}
