"""What a search claims of the parts alone, walked edge by edge: classes of states, and nimbers.

Nothing of the whole game is asked here, so a claim is walked entirely where its parts are of any size that was solved.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.record import unique_rows
from ludisect.search.part.compound import PartGraph
from ludisect.search.part.views import PASS, LocalGraph
from ludisect.search.quotient.classes import Quotient

Ints = NDArray[np.int64]


def walk_classes(q: Quotient) -> tuple[int, str | None]:
    """(local states, what is wrong): every state of a class looks like the others and has moves to the same classes.

    A state has some of the moves that its class has, and of equal states each has all: so counts tell.
    """
    states: list[Ints] = []
    edges: list[Ints] = []
    offset = 0
    for i, of_part in enumerate(q.class_of):
        graph = q.views.graph(i)
        if _kinds(np.stack([of_part, q.evaluation.value[i]], axis=1)) > _kinds(of_part[:, None]):
            return offset, f"states of part {graph.part.id} that should be one look different to goal or end"
        over = graph.ended | q.evaluation.ended(i)[q.evaluation.value[i]]
        source, told = _edges(graph, i, by_actor=q.actor is not None)
        kept = ~over[source]
        target = of_part[graph.successor[kept]]
        edges.append(np.concatenate([(offset + source[kept])[:, None], told[kept], target[:, None]], axis=1))
        states.append(of_part)
        offset += of_part.size
    classes, every = np.concatenate(states), np.concatenate(edges)
    mine = every[unique_rows(every.view(np.uint64))[0]]
    has = np.bincount(mine[:, 0], minlength=classes.size)
    mine[:, 0] = classes[mine[:, 0]]
    shared = mine[unique_rows(mine.view(np.uint64))[0], 0]
    should = np.bincount(shared, minlength=int(classes.max(initial=0)) + 1)
    bad = np.flatnonzero(has != should[classes])
    if bad.size:
        return offset, f"local state {int(bad[0])} lacks a move that the states of its class have"
    return offset, None


def _kinds(table: NDArray[np.integer]) -> int:
    """How many different rows a table has."""
    return int(unique_rows(np.ascontiguousarray(table, np.int64).view(np.uint64))[0].size)


def _edges(graph: LocalGraph, part: int, *, by_actor: bool) -> tuple[Ints, Ints]:
    """(source, label) of the edges of a part; a label has the setting, and who acts or what exactly is done."""
    width = len(graph.settings)
    lengths = np.diff(graph.edge_start)
    at = np.repeat(np.arange(lengths.size), lengths)
    place = np.array([[s.context, s.guard] for s in graph.settings], np.int64)[at % width]
    if by_actor:
        return at // width, np.concatenate([place, (graph.move != PASS).astype(np.int64)], axis=1)
    named = np.full((at.size, 1), part, np.int64)
    return at // width, np.concatenate([place, graph.move.astype(np.int64), named], axis=1)


def walk_nimbers(parts: Sequence[PartGraph], nimbers: Sequence[Sequence[int]]) -> tuple[int, str | None]:
    """(local states, what is wrong): every nimber is the least number that no move leads to."""
    walked = 0
    for i, (part, of_part) in enumerate(zip(parts, nimbers, strict=True), 1):
        for s, nimber in enumerate(of_part):
            for role, moves in enumerate(part.moves):
                reached = {of_part[t] for _, t in moves[s]}
                if nimber in reached or not reached.issuperset(range(nimber)):
                    return walked, f"state {s} of part {i} is not worth *{nimber}: role {role + 1} moves to {reached}"
            walked += 1
    return walked, None
