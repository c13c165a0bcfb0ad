"""Parts put together two by two, and made small again after each step.

The classes of two parts make pairs; as in a part by itself, every role may move at any time, in the one or in the
other. Goal and end ask less of a pair than of both parts: combinations that no continuation of the other parts can
distinguish are one (of "any of them" only whether one holds, of a sum only the sum). So pairs fall into fewer classes
than there are pairs, and the pairs become one part. Parts that are alike are put together alike, so that one table
serves all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.rowtable import RowTable
from ludisect.kernels.kernel import jit
from ludisect.progress import report
from ludisect.search.budget import Budget
from ludisect.search.limits import SearchLimits
from ludisect.search.part.verdicts import Evaluation, distinct
from ludisect.search.quotient.bisimulation import coarsest
from ludisect.search.quotient.classgraph import ClassGraph

Ints = NDArray[np.int64]

Reduce = Callable[[ClassGraph, Evaluation], ClassGraph]


@dataclass(frozen=True, eq=False)
class Join:
    """Pairs of parts (indices) that became one; the other parts keep their order, then come the pairs."""

    pairs: tuple[tuple[int, int], ...]
    alike: bool
    """Whether the two of a pair may be exchanged."""
    scale: int
    table: RowTable
    """A row per pair of classes."""
    number: Ints
    """Per row the class of the pair."""

    def __call__(self, fields: Ints) -> Ints:
        """The classes of the parts as they are now; -1 for pairs that were not reached."""
        out = [fields[:, i] for i in remaining(fields.shape[1], self.pairs)]
        for i, j in self.pairs:
            one, two = fields[:, i], fields[:, j]
            if self.alike:
                one, two = np.minimum(one, two), np.maximum(one, two)
            code = np.where((one >= 0) & (two >= 0), one * self.scale + two, -1)
            found = self.table.find(code.astype(np.uint64)[:, None])
            out.append(np.where((code >= 0) & (found >= 0), self.number[np.maximum(found, 0)], -1))
        return np.stack(out, axis=1)


@dataclass(frozen=True, eq=False)
class Assembly:
    """Parts as classes numbered together, where each part starts, and the steps from the classes of the quotient."""

    graph: ClassGraph
    evaluation: Evaluation
    start: tuple[int, ...]
    steps: tuple[Ints | Join, ...] = ()

    def fields(self, classes: Ints) -> Ints:
        """Positions x parts of the quotient -> positions x parts as they are now; -1 for what was not reached."""
        for step in self.steps:
            classes = step(classes) if isinstance(step, Join) else renumbered(classes, step)
        return classes

    @property
    def parts(self) -> int:
        """How many there are."""
        return len(self.start)


def remaining(parts: int, pairs: tuple[tuple[int, int], ...]) -> list[int]:
    """The parts that are in no pair."""
    gone = {i for pair in pairs for i in pair}
    return [i for i in range(parts) if i not in gone]


def renumbered(classes: Ints, number: Ints) -> Ints:
    """New numbers for classes; -1 stays."""
    return np.where(classes >= 0, number[np.maximum(classes, 0)], -1)


def reached(graph: ClassGraph, start: int) -> NDArray[np.bool_]:
    """The classes that moves and passes lead to from one."""
    seen = np.zeros(graph.classes, np.bool_)
    seen[start] = True
    begin = graph.start[:: graph.colours]
    new = np.array([start])
    while new.size:
        edges = begin[new + 1] - begin[new]
        at = np.repeat(begin[new] + edges - np.cumsum(edges), edges) + np.arange(edges.sum())
        after = np.concatenate([graph.to[at], graph.pass_to[new].reshape(-1)])
        new = np.unique(after[after >= 0])
        new = new[~seen[new]]
        seen[new] = True
    return seen


def trimmed(assembly: Assembly, reduced: ClassGraph) -> Assembly:
    """The assembly with a reduced graph of its classes, of which only those remain that can be reached."""
    start = [int(reduced.stands_for[c]) for c in assembly.start]
    kept = np.zeros(reduced.classes, np.bool_)
    for c in set(start):
        kept |= reached(reduced, c)
    number = np.where(kept, np.cumsum(kept) - 1, -1)
    per_class = np.diff(reduced.start).reshape(-1, reduced.colours)
    edges = np.repeat(kept, per_class.sum(axis=1))
    graph = ClassGraph(
        np.concatenate([[0], np.cumsum(per_class[kept].reshape(-1))]),
        number[reduced.to[edges]],
        renumbered(reduced.pass_to[kept], number),
        reduced.value[kept],
        reduced.group[kept],
        np.arange(int(kept.sum())),
        reduced.actor,
    )
    of_class = renumbered(reduced.stands_for, number)
    return Assembly(graph, assembly.evaluation, tuple(int(number[c]) for c in start), (*assembly.steps, of_class))


@jit("(int64[:, ::1], boolean[::1], int64[::1], int64[::1], int64[:, ::1], boolean)")
def _expand(pairs: Any, skip: Any, start: Any, to: Any, pass_to: Any, alike: Any) -> Any:
    """Moves of pairs: (number per pair, label, pair); label 2k is a move in colour k, 2k + 1 a pass."""
    colours = pass_to.shape[1]
    total = 0
    for s in range(pairs.shape[0]):
        if not skip[s]:
            for side in range(2):
                at = pairs[s, side] * colours
                total += start[at + colours] - start[at]
            total += colours
    degree = np.zeros(pairs.shape[0], np.int64)
    label = np.empty(total, np.int64)
    after = np.empty((total, 2), np.int64)
    e = 0
    for s in range(pairs.shape[0]):
        if skip[s]:
            continue
        begin = e
        for k in range(colours):
            for side in range(2):
                at = pairs[s, side] * colours + k
                for f in range(start[at], start[at + 1]):
                    label[e] = 2 * k
                    after[e, side] = to[f]
                    after[e, 1 - side] = pass_to[pairs[s, 1 - side], k]
                    e += 1
            label[e] = 2 * k + 1
            after[e, 0], after[e, 1] = pass_to[pairs[s, 0], k], pass_to[pairs[s, 1], k]
            e += 1
        degree[s] = e - begin
    if alike:
        for f in range(total):
            if after[f, 0] > after[f, 1]:
                after[f, 0], after[f, 1] = after[f, 1], after[f, 0]
    return degree, label, after


def merged(table: NDArray[np.int32], i: int, j: int) -> tuple[NDArray[np.int32], Ints]:
    """(the table with the axes i and j as one, put last but the time; the value of each pair of values)."""
    front = np.moveaxis(table, (i, j), (0, 1))
    rows = front.reshape(front.shape[0] * front.shape[1], -1)
    first, number = distinct(rows)
    short = rows[first].reshape(first.size, *front.shape[2:])
    return np.moveaxis(short, 0, -2), number.reshape(front.shape[:2])


def joined(
    assembly: Assembly, pairs: tuple[tuple[int, int], ...], worthwhile: float, budget: Budget
) -> Assembly | None:
    """The assembly with pairs of parts, all alike, as one part each; None if too much is left of the pairs."""
    old, table = assembly.graph, assembly.evaluation.table
    assert table is not None
    i, j = pairs[0]
    alike = bool(old.group[assembly.start[i]] == old.group[assembly.start[j]])
    merging = _merge_all(table, pairs)
    if merging is None:
        return None
    new_table, value_of = merging
    meanings = value_of.size if not alike else value_of.shape[0] * (value_of.shape[0] + 1) // 2
    if new_table.shape[-2] >= max(2, worthwhile * meanings) and worthwhile < 1:
        return None  # what told the parts apart still tells the pairs apart
    rest = remaining(assembly.parts, pairs)
    slices = np.moveaxis(new_table, len(rest), 0).reshape(new_table.shape[len(rest)], -1)
    over = np.asarray((slices > 0).all(axis=1))
    numbers = RowTable(1)
    first = sorted((assembly.start[i], assembly.start[j])) if alike else [assembly.start[i], assembly.start[j]]
    numbers.add(np.array([[first[0] * old.classes + first[1]]], np.uint64))
    degree, label, to, value = [], [], [], []
    done = 0
    while done < len(numbers):
        codes = numbers.rows[done : done + (1 << 14), 0].astype(np.int64)
        some = np.stack([codes // old.classes, codes % old.classes], axis=1)
        here = value_of[old.value[some[:, 0]], old.value[some[:, 1]]]
        of_batch, labels, after = _expand(some, over[here], old.start, old.to, old.pass_to, alike)
        to.append(numbers.add((after[:, 0] * old.classes + after[:, 1]).astype(np.uint64)[:, None]))
        degree.append(of_batch)
        label.append(labels)
        value.append(here)
        done += codes.size
        report("pairing parts", len(numbers))
        budget.check(numbers.nbytes, steps=100 * labels.size)
        if len(numbers) > SearchLimits.current().pairing_pairs:
            return None
    edge_start = np.concatenate([[0], np.cumsum(np.concatenate(degree))])
    labels, targets, values = np.concatenate(label), np.concatenate(to), np.concatenate(value)
    classes, example = coarsest(edge_start, labels, targets, values, budget=budget)
    if example.size > worthwhile * len(numbers):
        return None
    pair_graph = _class_graph(edge_start, labels, targets, classes, example, values, old)
    graph = _appended(old, pair_graph, rest, assembly)
    evaluation = replace(
        assembly.evaluation,
        value=tuple(np.zeros(0, np.int64) for _ in range(len(rest) + len(pairs))),
        table=new_table,
        groups=_groups(assembly.evaluation.groups, rest, len(pairs)),
    )
    join = Join(pairs, alike, old.classes, numbers, classes + old.classes)
    start = (*(assembly.start[k] for k in rest), *[old.classes + int(classes[0])] * len(pairs))
    return Assembly(graph, evaluation, start, (*assembly.steps, join))


def _merge_all(table: NDArray[np.int32], pairs: tuple[tuple[int, int], ...]) -> tuple[NDArray[np.int32], Ints] | None:
    """The table with all pairs as one axis each, behind the others; None if the pairs do not mean the same."""
    value_of: Ints | None = None
    axes = list(range(table.ndim - 1))
    for i, j in pairs:
        table, number = merged(table, axes.index(i), axes.index(j))
        axes = [a for a in axes if a not in (i, j)] + [-1]
        if value_of is None:
            value_of = number
        elif not np.array_equal(number, value_of):
            # the rows come in the order of their contents, which may differ; the same rows must be the same
            order = np.full(int(number.max()) + 1, -1)
            order[number.reshape(-1)] = value_of.reshape(-1)
            if order.size != int(value_of.max()) + 1 or not np.array_equal(order[number], value_of):
                return None
            table = np.take(table, np.argsort(order), axis=-2)
    assert value_of is not None
    last = table.ndim - 2
    for n in range(1, len(pairs)):
        if not np.array_equal(table, np.swapaxes(table, last, last - n)):
            return None
    return table, value_of


def _groups(groups: tuple[tuple[int, ...], ...], rest: list[int], pairs: int) -> tuple[tuple[int, ...], ...]:
    place = {i: n for n, i in enumerate(rest)}
    kept = [tuple(place[i] for i in g if i in place) for g in groups]
    return (*(g for g in kept if g), tuple(range(len(rest), len(rest) + pairs)))


def _class_graph(
    edge_start: Ints, label: Ints, to: NDArray[np.int32], classes: Ints, example: Ints, value: Ints, old: ClassGraph
) -> ClassGraph:
    """The classes of pairs by their examples."""
    width = old.colours
    lengths = edge_start[example + 1] - edge_start[example]
    edges = np.repeat(edge_start[example] - (np.cumsum(lengths) - lengths), lengths) + np.arange(int(lengths.sum()))
    source, kind, target = np.repeat(np.arange(example.size), lengths), label[edges], classes[to[edges]]
    passing = kind % 2 == 1
    pass_to = np.full((example.size, width), -1, np.int64)
    pass_to[source[passing], kind[passing] // 2] = target[passing]
    place = (source * width + kind // 2)[~passing]
    moves = np.unique(place * example.size + target[~passing])
    start = np.searchsorted(moves, np.arange(example.size * width + 1) * example.size)
    return ClassGraph(
        start, moves % example.size, pass_to, value[example], np.zeros(example.size, np.int64),
        np.arange(example.size), old.actor,
    )  # fmt: skip


def _appended(old: ClassGraph, new: ClassGraph, rest: list[int], assembly: Assembly) -> ClassGraph:
    """The classes of both, the new ones behind; groups go by the first of their parts in the new order."""
    group = np.full(old.classes, -1, np.int64)
    for n, i in reversed(list(enumerate(rest))):
        group[old.group == old.group[assembly.start[i]]] = n
    return ClassGraph(
        np.concatenate([old.start, new.start[1:] + old.start[-1]]),
        np.concatenate([old.to, new.to + old.classes]),
        np.concatenate([old.pass_to, np.where(new.pass_to >= 0, new.pass_to + old.classes, -1)]),
        np.concatenate([old.value, new.value]),
        np.concatenate([group, np.full(new.classes, len(rest))]),
        np.arange(old.classes + new.classes),
        old.actor,
    )


def positions(sizes: dict[int, int], kinds: list[tuple[int, int]], times: int) -> int:
    """At most how many positions a product has: parts of one group by number, whatever their order."""
    out = times
    for g in sorted({g for g, _ in kinds}):
        count = sum(1 for other, _ in kinds if other == g)
        out *= comb(max(sizes[c] for other, c in kinds if other == g) + count - 1, count)
    return out


def put_together(
    assembly: Assembly,
    reduce: Reduce,
    times: int,
    budget: Budget | None = None,
    *,
    few: int | None = None,
    worthwhile: float | None = None,
) -> Assembly:
    """Join parts, the smallest first, until the product has few positions or nothing more is gained."""
    limits = SearchLimits.current()
    few = limits.pairing_few if few is None else few
    worthwhile = limits.pairing_worthwhile if worthwhile is None else worthwhile
    budget = budget or Budget()
    refused: set[tuple[tuple[int, int], ...]] = set()
    while assembly.parts > 1 and assembly.evaluation.table is not None and len(refused) < limits.pairing_refused:
        graph = assembly.graph
        kinds = [(int(graph.group[c]), c) for c in assembly.start]
        sizes = {c: int(reached(graph, c).sum()) for c in set(assembly.start)}
        if positions(sizes, kinds, times) <= few:
            break
        choices = {
            tuple(sorted((kinds[i], kinds[j]))): sizes[kinds[i][1]] * sizes[kinds[j][1]]
            for i in range(assembly.parts)
            for j in range(i)
        }
        open_ = [kind for kind in choices if kind not in refused and choices[kind] <= 2 * limits.pairing_pairs]
        if not open_:
            break
        kind = min(open_, key=lambda k: (choices[k], k))
        pairs = _pairs_of(kinds, kind)
        found = joined(assembly, pairs, worthwhile, budget)
        if found is None:
            refused.add(kind)
            continue
        assembly = trimmed(found, found.graph)
        assembly = trimmed(assembly, reduce(assembly.graph, assembly.evaluation))
        refused = set()
    return assembly


def _pairs_of(kinds: list[tuple[int, int]], kind: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """All pairs of parts of two kinds, no part twice."""
    one = [i for i, k in enumerate(kinds) if k == kind[0]]
    two = [i for i, k in enumerate(kinds) if k == kind[1]]
    if kind[0] == kind[1]:
        return tuple(zip(one[::2], one[1::2], strict=False))
    return tuple(zip(one, two, strict=False))
