"""Verdicts: what combinations of the parts' answers mean (is the play over, what does it pay), as tables.

Filled from one state of the whole per combination (``Combinations``). ``judge`` is for searches that go from time to
time: it keeps every time that bears on a later one and every answer as it is, and goals of
positions that are not over too, because a search that stops at a depth asks for them. ``evaluate`` is for quotients:
goals of ends only; answers of a part that make no difference in any combination with the others' are one; and parts
whose answers can be exchanged without any difference are found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, permutations, product
from math import prod

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.record import unique_rows
from ludisect.circuit.rows import Rows, pack
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.search.limits import SearchLimits
from ludisect.search.part.concepts import fluents_read
from ludisect.search.part.views import Views
from ludisect.search.way import Inapplicable
from ludisect.search.whole.positions import paid

AT_ONCE = 1 << 14

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Times:
    """The times of the context that have to be told apart: the one after each, an example of each, and its colour.

    ``number[t]`` is which of them time t of the context is.
    """

    follow: tuple[int, ...]
    example: Ints
    colour: tuple[int, ...]
    number: Ints


def times_of(views: Views, literals: Sequence[int] = ()) -> Times:
    """The times that the parts' rules, the end, the goals or ``literals`` can tell apart; time 0 comes first."""
    circuit = views.game.circuit
    read = fluents_read(circuit, [int(circuit.terminal), *circuit.goal.tolist(), *literals])
    seen, _ = views.context.projected(sorted(set(read) & set(views.parts.context_numbers)))
    number, follow, first = views.context.minimal(seen * (int(views.colour.max()) + 1) + views.colour)
    return Times(tuple(follow.tolist()), first, tuple(views.colour[first].tolist()), number)


def constant_bits(parts: Decomposition) -> NDArray[np.uint64]:
    """The bits of the start that belong to no part: fluents that never change."""
    loose = np.ones(len(parts.game.fluents), np.bool_)
    for s in parts.parts:
        loose[list(s.fluent_numbers)] = False
    bits: NDArray[np.uint64] = pack((parts.game.circuit.initial & loose)[None, :])[0]
    return bits


def examples(concept: Ints) -> Ints:
    """The first state with each concept."""
    return np.unique(concept, return_index=True)[1]


class Combinations:
    """All combinations of one row from each of several sets, as states of the whole game.

    The sets are what a combination has to say of each part (an example of each concept) and of the time.
    """

    def __init__(self, *axes: Rows) -> None:
        self.axes = axes
        self.shape = tuple(len(axis) for axis in axes)
        self.size = prod(self.shape)

    def batches(self) -> Iterator[tuple[slice, tuple[Ints, ...], Rows]]:
        """(which combinations, what each takes of every set, states), some at a time."""
        for low in range(0, self.size, AT_ONCE):
            some = slice(low, min(self.size, low + AT_ONCE))
            place = np.unravel_index(np.arange(some.start, some.stop), self.shape)
            rows = self.axes[0][place[0]]
            for axis, where in zip(self.axes[1:], place[1:], strict=True):
                rows = rows | axis[where]
            yield some, place, rows


def judged_combinations(views: Views, concept: Sequence[Ints], times: Times) -> Combinations:
    """All combinations of times and concepts.

    Raises:
        Inapplicable: there are too many.
    """
    context = views.context.rows[times.example] | constant_bits(views.parts)
    states = (views.graph(i).states[examples(c)] for i, c in enumerate(concept))
    return refuse_many(Combinations(context, *states))


def refuse_many(every: Combinations) -> Combinations:
    """Raise Inapplicable if there are too many combinations to judge."""
    if every.size > SearchLimits.current().verdicts_judged:
        raise Inapplicable(f"{every.size} combinations of local concepts are too many to judge each")
    return every


def judge(views: Views, concept: Sequence[Ints], times: Times) -> Evaluation:
    """Judge every combination by one state that shows it.

    Raises:
        Inapplicable: there are too many combinations.
    """
    table, goals = _fill(views, judged_combinations(views, concept, times), unfinished=True)
    alone = tuple((i,) for i in range(len(concept)))
    return Evaluation(tuple(concept), times.number, np.moveaxis(table, 0, -1), goals, alone)


def single_ends(over: NDArray[np.bool_]) -> list[NDArray[np.bool_]] | None:
    """Per part and concept whether it ends the play by itself; None unless the end is any of these, or the time's."""
    axes = (np.moveaxis(over, axis, 0).reshape(over.shape[axis], -1) for axis in range(over.ndim))
    by_axis = [np.asarray(slices.all(axis=1)) for slices in axes]
    rebuilt = np.zeros(over.shape, np.bool_)
    for axis, ends in enumerate(by_axis):
        rebuilt |= ends.reshape(*[1] * axis, -1, *[1] * (over.ndim - 1 - axis))
    return by_axis[1:] if np.array_equal(rebuilt, over) else None


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Terminal and goals by the values of the parts, which are what the end and the goals ask of them.

    ``value[i][s]`` is the value of local state s of dependent part i. ``table[v_1, ..., v_k, f]`` is 1 + an index into
    ``goals`` where the play is over; where it goes on, 0, or less by what the rules would give if it ended there; f =
    ``time_value[t]``. ``table`` is None if it would be too large. ``groups`` are sets of parts whose values mean the
    same and may be exchanged (parts by index, each in one group).
    """

    value: tuple[Ints, ...]
    time_value: Ints
    table: NDArray[np.int32] | None
    goals: NDArray[np.int32]
    groups: tuple[tuple[int, ...], ...]

    @cached_property
    def pays(self) -> NDArray[np.int32]:
        """What the rows of ``goals`` pay; a goal that is not defined counts as 0."""
        return paid(self.goals)

    @cached_property
    def over(self) -> NDArray[np.bool_]:
        """Whether the play is over, by time and value of every part."""
        return np.ascontiguousarray(self._by_time > 0)

    @cached_property
    def goal(self) -> NDArray[np.int32]:
        """What it pays, by time and value of every part, with one more axis, the roles; 0 where that was not asked."""
        nothing = np.zeros((1, self.goals.shape[1]), np.int32)
        return np.take(np.concatenate([nothing, self.pays]), np.abs(self._by_time), axis=0)

    @property
    def _by_time(self) -> NDArray[np.int32]:
        assert self.table is not None
        return np.moveaxis(self.table, -1, 0)

    def ended(self, i: int) -> NDArray[np.bool_]:
        """Per value of part i: whether the game is over in all combinations with it."""
        if self.table is None:
            return np.zeros(int(self.value[i].max()) + 1, np.bool_)
        slices = np.moveaxis(self.table, i, 0).reshape(self.table.shape[i], -1)
        return np.asarray((slices > 0).all(axis=1))


def opposite(evaluation: Evaluation) -> bool:
    """Whether there are two roles, and what they get adds up to the same in everything that was judged."""
    sums = evaluation.pays.sum(axis=1)
    return evaluation.table is not None and evaluation.goals.shape[1] == 2 and np.unique(sums).size == 1


def outcomes(views: Views, rows: Rows) -> tuple[NDArray[np.bool_], NDArray[np.int32]]:
    """(terminal, goals; -1 where the game goes on) of whole states."""
    terminal = views.game.batch.terminal(rows)
    goals = np.full((rows.shape[0], len(views.game.roles)), -1, np.int32)
    if terminal.any():
        goals[terminal] = views.game.batch.goals(rows[terminal])
    return terminal, goals


def distinct(rows: NDArray[np.int32]) -> tuple[Ints, Ints]:
    """(the first row of each kind, the kind of each row)."""
    words = np.zeros((rows.shape[0], (rows.shape[1] + 1) // 2 * 2), np.int32)
    words[:, : rows.shape[1]] = rows
    first, number = unique_rows(words.view(np.uint64))
    return first, number


def evaluate(views: Views) -> Evaluation:
    """The ends of a decomposition, with no more values than tell them apart; explores the local graphs if need be."""
    game, k = views.game, len(views.parts.dependent)
    circuit = game.circuit
    read = set(fluents_read(circuit, [int(circuit.terminal), *circuit.goal.tolist()]))
    time_value, first_time = views.context.projected(sorted(read & set(views.parts.context_numbers)))
    value = [views.concept_values(i) for i in range(k)]
    alone = tuple((i,) for i in range(k))
    if prod(int(v.max()) + 1 for v in value) * first_time.size > SearchLimits.current().verdicts_table:
        return Evaluation(tuple(value), time_value, None, np.empty((0, len(game.roles)), np.int32), alone)
    states = (views.graph(i).states[examples(v)] for i, v in enumerate(value))
    every = Combinations(*states, views.context.rows[first_time] | constant_bits(views.parts))
    table, goals = _fill(views, every, unfinished=False)
    for i in range(k):
        slices = np.moveaxis(table, i, 0).reshape(table.shape[i], -1)
        first, number = distinct(slices)
        table = np.take(table, first, axis=i)
        value[i] = number[value[i]]
    value, table, groups = _exchangeable(views, value, table)
    return Evaluation(tuple(value), time_value, table, goals, groups)


def _fill(views: Views, every: Combinations, *, unfinished: bool) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """(table, goals) of ``Evaluation``, from one state for every combination."""
    game = views.game
    codes = np.zeros(every.size, np.int32)
    known: dict[tuple[int, ...], int] = {}
    for some, _, rows in every.batches():
        over = game.batch.terminal(rows)
        asked = np.ones_like(over) if unfinished else over
        goals = game.batch.goals(rows[asked])
        first, number = distinct(goals)
        code = np.array([known.setdefault(tuple(g), len(known) + 1) for g in goals[first].tolist()], np.int32)
        if code.size:
            codes[some][asked] = np.where(over[asked], code[number], -code[number])
        views.budget.check(codes.nbytes, steps=200 * rows.shape[0])
    return codes.reshape(every.shape), np.array(list(known), np.int32).reshape(len(known), len(game.roles))


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
    limits = SearchLimits.current()
    tries = max(1, min(limits.verdicts_matchings, limits.verdicts_compared // table.size))
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
