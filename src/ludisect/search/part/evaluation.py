"""What the states of the parts mean together: terminal and goals as a table over the answers to local concepts.

Answers of a part that make no difference in any combination with the others' are then one. Parts whose answers can be
exchanged without any difference are found here too.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import islice, permutations, product
from math import prod

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.batch import Rows
from ludisect.circuit.record import unique_rows
from ludisect.search.part.concepts import fluents_read
from ludisect.search.part.views import Views
from ludisect.search.whole.positions import paid

LARGEST = 1 << 22
"""Entries of a table; a game with more combinations is evaluated position by position."""

AT_ONCE = 1 << 15

TRIES, EFFORT = 5040, 1 << 26
"""Ways to match the answers of two parts that are tried before they count as different, and entries compared for it."""

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Terminal and goals by the values of the parts.

    ``value[i][s]`` is the value of local state s of dependent part i. ``table[v_1, ..., v_k, f]`` is 0 where the game
    goes on, else 1 + an index into ``goals``; f = ``time_value[t]``. ``table`` is None if it would be too large.
    ``groups`` are sets of parts whose values mean the same and may be exchanged (parts by index, each in one group).
    """

    value: tuple[Ints, ...]
    time_value: Ints
    table: NDArray[np.int32] | None
    goals: NDArray[np.int32]
    groups: tuple[tuple[int, ...], ...]

    @cached_property
    def pays(self) -> NDArray[np.int32]:
        """What the rows of ``goals`` pay."""
        return paid(self.goals)

    def ended(self, i: int) -> NDArray[np.bool_]:
        """Per value of part i: whether the game is over in all combinations with it."""
        if self.table is None:
            return np.zeros(int(self.value[i].max()) + 1, np.bool_)
        slices = np.moveaxis(self.table, i, 0).reshape(self.table.shape[i], -1)
        return np.asarray((slices > 0).all(axis=1))


def opposite(evaluation: Evaluation) -> bool:
    """Whether there are two roles, and what they get adds up to the same in every combination that ends the play."""
    sums = evaluation.pays.sum(axis=1)
    return evaluation.table is not None and evaluation.goals.shape[1] == 2 and np.unique(sums).size == 1


def outcomes(views: Views, rows: Rows) -> tuple[NDArray[np.bool_], NDArray[np.int32]]:
    """(terminal, goals; -1 where the game goes on) of whole states."""
    terminal = views.game.terminal(rows)
    goals = np.full((rows.shape[0], len(views.game.roles)), -1, np.int32)
    if terminal.any():
        goals[terminal] = views.game.goal_values(rows[terminal])
    return terminal, goals


def distinct(rows: NDArray[np.int32]) -> tuple[Ints, Ints]:
    """(the first row of each kind, the kind of each row)."""
    words = np.zeros((rows.shape[0], (rows.shape[1] + 1) // 2 * 2), np.int32)
    words[:, : rows.shape[1]] = rows
    first, number = unique_rows(words.view(np.uint64))
    return first, number


def evaluate(views: Views) -> Evaluation:
    """The table of a decomposition; explores the local graphs if that has not been done."""
    game, k = views.game, len(views.parts.dependent)
    circuit = game.circuit
    read = set(fluents_read(circuit, [int(circuit.terminal), *circuit.goal.tolist()]))
    time_value, first_time = views.context.projected(sorted(read & set(views.parts.context_fluents)))
    value = [views.concept_values(i) for i in range(k)]
    sizes = [int(v.max()) + 1 for v in value]
    shape = (*sizes, first_time.size)
    alone = tuple((i,) for i in range(k))
    if prod(shape) > LARGEST:
        return Evaluation(tuple(value), time_value, None, np.empty((0, len(game.roles)), np.int32), alone)
    table, goals = _fill(views, value, shape, first_time)
    for i in range(k):
        slices = np.moveaxis(table, i, 0).reshape(table.shape[i], -1)
        first, number = distinct(slices)
        table = np.take(table, first, axis=i)
        value[i] = number[value[i]]
    value, table, groups = _exchangeable(views, value, table)
    return Evaluation(tuple(value), time_value, table, goals, groups)


def _fill(
    views: Views, value: list[Ints], shape: tuple[int, ...], first_time: Ints
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Evaluate one state for every combination of answers."""
    k = len(value)
    everything = np.zeros(views.game.initial.shape[1], np.uint64)
    for i in range(k):
        everything |= views.mask(i)
    some = [views.graph(i).states[np.unique(value[i], return_index=True)[1]] for i in range(k)]
    times = np.array([views.time_row(t) & ~everything for t in first_time.tolist()])
    total = prod(shape)
    codes = np.zeros(total, np.int32)
    known: dict[tuple[int, ...], int] = {}
    for low in range(0, total, AT_ONCE):
        index = np.unravel_index(np.arange(low, min(total, low + AT_ONCE)), shape)
        rows = times[index[k]]
        for i in range(k):
            rows = rows | some[i][index[i]]
        terminal, goals = outcomes(views, rows)
        ends = goals[terminal]
        first, number = distinct(ends)
        code = np.array([known.setdefault(tuple(g), len(known) + 1) for g in ends[first].tolist()], np.int32)
        if code.size:
            codes[low : low + rows.shape[0]][terminal] = code[number]
        views.budget.check(codes.nbytes)
    goals = np.array(list(known), np.int32).reshape(len(known), len(views.game.roles))
    return codes.reshape(shape), goals


def _exchangeable(
    views: Views, value: list[Ints], table: NDArray[np.int32]
) -> tuple[list[Ints], NDArray[np.int32], tuple[tuple[int, ...], ...]]:
    """Groups of parts that may change places, and values renumbered so that equal numbers mean the same in a group."""
    groups: list[list[int]] = []
    serial = {s.id for s in views.parts.dependent if s.after} | {b for s in views.parts.dependent for b in s.after}
    for j, part in enumerate(views.parts.dependent):
        found = None
        for group in groups:
            if part.id in serial or views.parts.dependent[group[0]].id in serial:
                continue
            found = _match(value, table, group[0], j, alike=True)
            if found is None:
                found = _match(value, table, group[0], j, alike=False)
            if found is not None:
                # old value v of j is called found[v] from now on
                value[j] = found[value[j]]
                table = np.take(table, np.argsort(found), axis=j)
                group.append(j)
                break
        if found is None:
            groups.append([j])
    return value, table, tuple(tuple(g) for g in groups)


def _match(value: list[Ints], table: NDArray[np.int32], i: int, j: int, *, alike: bool) -> Ints | None:
    """A renumbering of part j's values under which parts i and j may be exchanged, or None.

    With ``alike``, values that stand for each other have equally many states, and the start has the same value.
    """
    if table.shape[i] != table.shape[j]:
        return None
    mine, other = _marks(value, table, i, alike), _marks(value, table, j, alike)
    if sorted(mine) != sorted(other):
        return None
    kinds = sorted(set(mine))
    tries = max(1, min(TRIES, EFFORT // table.size))
    choices = [
        [
            list(zip([v for v, m in enumerate(other) if m == kind], order, strict=True))
            for order in islice(permutations([v for v, m in enumerate(mine) if m == kind]), tries)
        ]
        for kind in kinds
    ]
    for pairs in islice(product(*choices), tries):
        number = np.empty(table.shape[j], np.int64)
        for some in pairs:
            for old, new in some:
                number[old] = new
        renamed = np.take(table, np.argsort(number), axis=j)
        if np.array_equal(np.swapaxes(renamed, i, j), renamed):
            return number
    return None


def _marks(value: list[Ints], table: NDArray[np.int32], i: int, alike: bool) -> list[tuple[int, ...]]:
    """What has to agree between values that may stand for each other: how often they give what (and start and size)."""
    slices = np.moveaxis(table, i, 0).reshape(table.shape[i], -1)
    codes = int(table.max()) + 1
    count = np.bincount(value[i], minlength=table.shape[i])
    return [
        (int(alike and value[i][0] == v), int(alike and count[v]), *np.bincount(slices[v], minlength=codes).tolist())
        for v in range(table.shape[i])
    ]
