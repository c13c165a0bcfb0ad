"""Goals that parts add up to: points per result of each part, and the goal as a rising function of their sum.

Sums of scores are such goals, and so are "all parts", "any part", "at least k parts" and "more parts than the other":
there a result is worth one point or none, and a goal begins at some number of points.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement, islice, product

import numpy as np
from numpy.typing import NDArray

from ludisect.search.limits import SearchLimits
from ludisect.search.part.verdicts import Evaluation, distinct

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Points:
    """``worth[leader][v]``: the points for value v of the parts of a group (those of open values mean nothing).

    ``goal[p]`` is the first role's goal when all parts are closed with p points together.
    """

    worth: dict[int, Ints]
    goal: dict[int, int]


def points(evaluation: Evaluation, closed: list[NDArray[np.bool_]]) -> Points | None:
    """Points for the first role that explain the goals at all ends, or None if none are found.

    ``closed`` says per part which values close it; the play must be over exactly when all parts are closed, whatever
    the context. What is found is checked on every end.
    """
    assert evaluation.table is not None
    kept = [np.flatnonzero(c) for c in closed]
    codes = evaluation.table[..., 0][np.ix_(*kept)]
    goals = np.concatenate([[0], evaluation.pays[:, 0]])[codes].astype(np.int64)
    _, rank = np.unique(goals, return_inverse=True)
    tries = max(1, SearchLimits.current().points_entries // max(1, goals.size))
    for base in islice(_bases(evaluation, kept), tries):
        for scale in (goals, rank.reshape(goals.shape)):
            worth = {}
            for parts in evaluation.groups:
                i = parts[0]
                line = np.moveaxis(scale, i, -1)[(*base[:i], *base[i + 1 :])]
                worth[i] = np.asarray(line - line.min(), np.int64)
            unit = max(1, int(np.gcd.reduce(np.concatenate(list(worth.values())))))
            worth = {i: w // unit for i, w in worth.items()}
            goal = _explained(evaluation, goals, worth)
            if goal is not None:
                return Points({i: _spread(w, kept[i], closed[i].size) for i, w in worth.items()}, goal)
    smallest = _by_program(evaluation, rank.reshape(goals.shape))
    goal = None if smallest is None else _explained(evaluation, goals, smallest)
    if smallest is None or goal is None:
        return None
    return Points({i: _spread(w, kept[i], closed[i].size) for i, w in smallest.items()}, goal)


def _by_program(evaluation: Evaluation, rank: Ints) -> dict[int, Ints] | None:
    """The smallest points with which every end has more than those with lower goals, by a linear program."""
    from scipy.optimize import linprog  # takes long to load, and few games need it

    column: dict[int, int] = {}
    columns = 0
    for parts in evaluation.groups:
        column[parts[0]] = columns
        columns += rank.shape[parts[0]]
    ends = np.indices(rank.shape).reshape(rank.ndim, -1)
    counts = np.zeros((rank.size, columns + 1), np.int32)
    for parts in evaluation.groups:
        for i in parts:
            counts[np.arange(rank.size), column[parts[0]] + ends[i]] += 1
    counts[:, -1] = rank.reshape(-1)
    counts = counts[distinct(counts)[0]]
    if counts.shape[0] > SearchLimits.current().points_ends:
        return None
    level, levels = counts[:, -1], int(rank.max()) + 1
    borders = np.eye(levels)[:, 1:]  # the least points of every level but the lowest
    least, most = level > 0, level < levels - 1
    above = np.concatenate([-counts[least, :-1], borders[level[least]]], axis=1)
    below = np.concatenate([counts[most, :-1], -borders[level[most] + 1]], axis=1)
    found = linprog(
        np.concatenate([np.ones(columns), np.zeros(levels - 1)]),
        A_ub=np.concatenate([above, below]),
        b_ub=np.concatenate([np.zeros(above.shape[0]), -np.ones(below.shape[0])]),
        bounds=[(0, None)] * columns + [(None, None)] * (levels - 1),
    )
    if found.status != 0:
        return None
    for scale in range(1, SearchLimits.current().points_scale + 1):
        whole = np.rint(found.x[:columns] * scale).astype(np.int64)
        if np.abs(found.x[:columns] * scale - whole).max() < 1e-6:
            return {i: whole[at : at + rank.shape[i]] for i, at in column.items()}
    return None


def _bases(evaluation: Evaluation, kept: list[Ints]) -> Iterator[tuple[int, ...]]:
    """Ends from which one part at a time is changed; parts that may be exchanged need not be tried in every order."""
    choices = [combinations_with_replacement(range(kept[g[0]].size), len(g)) for g in evaluation.groups]
    for chosen in product(*map(list, choices)):
        base = [0] * len(kept)
        for group, values in zip(evaluation.groups, chosen, strict=True):
            for i, v in zip(group, values, strict=True):
                base[i] = v
        yield tuple(base)


def _explained(evaluation: Evaluation, goals: Ints, worth: dict[int, Ints]) -> dict[int, int] | None:
    """The goal by the sum of points, if there is one for each and more points are never worth less."""
    total = np.zeros(goals.shape, np.int64)
    for parts in evaluation.groups:
        for i in parts:
            total += worth[parts[0]].reshape(*[1] * i, -1, *[1] * (goals.ndim - 1 - i))
    order = np.argsort(total, axis=None, kind="stable")
    sums, values = total.reshape(-1)[order], goals.reshape(-1)[order]
    same = sums[1:] == sums[:-1]
    if (values[1:] < values[:-1]).any() or (values[1:] != values[:-1])[same].any():
        return None
    return dict(zip(sums.tolist(), values.tolist(), strict=True))


def _spread(worth: Ints, kept: Ints, size: int) -> Ints:
    out = np.zeros(size, np.int64)
    out[kept] = worth
    return out
