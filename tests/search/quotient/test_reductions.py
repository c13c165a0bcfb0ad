"""Dominated and reversible moves: the reduced classes give the values of the unreduced ones in every sum."""

from __future__ import annotations

from functools import cache
from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ludisect.search.additive.pointorder import canonical, is_scoring
from ludisect.search.part.verdicts import Evaluation
from ludisect.search.quotient.classgraph import ClassGraph, reduce

PARTS = 3
TURNS = np.array([0, 1])
FOLLOWING = np.array([1, 0])
NO_IDLE = np.zeros(2, np.int64)


def random_classes(rng: Random, *, both: bool) -> tuple[ClassGraph, Evaluation]:
    """Classes 0..n-1 with options to lower numbers, and a symmetric table of goals for three parts of them.

    With ``both``, a class with moves for one player has moves for the other; value 0 is open, the others are closed.
    """
    n = rng.randint(3, 9)
    closed = rng.randint(1, 3)
    start, to = [0], []
    value = [c + 1 for c in range(closed)] + [0] * (n - closed)
    for c in range(n):
        for _ in range(2):
            if c >= closed:
                few = rng.randint(1 if both else 0, min(3, c))
                to += sorted(rng.sample(range(c), few))
            start.append(len(to))
    graph = ClassGraph(
        np.array(start), np.array(to, np.int64), np.repeat(np.arange(n)[:, None], 2, axis=1),
        np.array(value), np.zeros(n, np.int64), np.arange(n), (0, 1),
    )  # fmt: skip
    goals = np.array([[g, 100 - g] for g in (0, 25, 50, 75, 100)], np.int32)
    table = np.zeros((closed + 1,) * PARTS + (1,), np.int32)
    points = [rng.randint(0, 4) for _ in range(closed + 1)]
    additive = rng.random() < 0.5
    code: dict[tuple[int, ...], int] = {}
    for index in np.ndindex(*table.shape[:-1]):
        if all(index):
            key = tuple(sorted(index))
            worth = min(4, sum(points[i] for i in index) // 2) if additive else rng.randint(0, 4)
            table[(*index, 0)] = 1 + code.setdefault(key, worth)
    everything = np.array(value)
    evaluation = Evaluation((everything,) * PARTS, np.zeros(2, np.int64), table, goals, (tuple(range(PARTS)),))
    return graph, evaluation


def value_of(graph: ClassGraph, evaluation: Evaluation, classes: tuple[int, ...], turn: int) -> int | None:
    """The goal of the first player by plain recursion; None where somebody cannot move and the game is not over."""
    table = evaluation.table
    assert table is not None

    @cache
    def search(position: tuple[int, ...], turn: int) -> int | None:
        code = int(table[(*(graph.value[c] for c in position), 0)])
        if code:
            return int(evaluation.goals[code - 1, 0])
        results = []
        for i, c in enumerate(position):
            for x in graph.to[graph.start[2 * c + turn] : graph.start[2 * c + turn + 1]].tolist():
                results.append(search(tuple(sorted((*position[:i], x, *position[i + 1 :]))), 1 - turn))
        if not results or None in results:
            return None
        known = [r for r in results if r is not None]
        return max(known) if turn == 0 else min(known)

    return search(tuple(sorted(classes)), turn)


@given(st.integers(0, 10**9))
def test_canonical_forms_keep_every_value(seed: int) -> None:
    rng = Random(seed)
    graph, evaluation = random_classes(rng, both=True)
    assert is_scoring(graph, evaluation, FOLLOWING, TURNS, NO_IDLE)
    small = canonical(graph, evaluation)
    for _ in range(6):
        classes = tuple(rng.randrange(graph.classes) for _ in range(PARTS))
        reduced = tuple(int(small.stands_for[c]) for c in classes)
        for turn in (0, 1):
            assert value_of(graph, evaluation, classes, turn) == value_of(small, evaluation, reduced, turn)


@given(st.integers(0, 10**9))
def test_dropping_dominated_moves_keeps_every_value(seed: int) -> None:
    rng = Random(seed)
    graph, evaluation = random_classes(rng, both=False)
    small = reduce(graph, evaluation)
    for _ in range(6):
        classes = tuple(rng.randrange(graph.classes) for _ in range(PARTS))
        reduced = tuple(int(small.stands_for[c]) for c in classes)
        for turn in (0, 1):
            before = value_of(graph, evaluation, classes, turn)
            if before is not None:
                assert value_of(small, evaluation, reduced, turn) == before


def test_reductions_do_something() -> None:
    saved = [0, 0]
    for seed in range(30):
        for both in (False, True):
            graph, evaluation = random_classes(Random(seed), both=both)
            small = (canonical if both else reduce)(graph, evaluation)
            saved[both] += graph.to.size - small.to.size
    assert saved[0] > 10
    assert saved[1] > 50
