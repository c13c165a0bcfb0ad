"""Parts put together step by step: every position keeps its value, and the product shrinks."""

from __future__ import annotations

from functools import cache
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludisect.search.part.verdicts import Evaluation
from ludisect.search.part.views import Views
from ludisect.search.quotient.classes import quotient
from ludisect.search.quotient.classgraph import ClassGraph, reduce
from ludisect.search.quotient.pairing import Assembly, put_together, trimmed
from ludisect.search.quotient.product import Explorer
from ludisect.search.whole.backward import solve_graph
from tests.search.known import compound

KINDS = ["random", "any", "all", "sum", "two of them"]


def random_assembly(rng: Random, roles: int) -> Assembly:
    """Three or four parts, some of them alike, whose classes move to lower numbers; goals of several kinds."""
    parts = rng.choice([3, 3, 4])
    groups: list[list[int]] = [[0]]
    for i in range(1, parts):
        if rng.random() < 0.6:
            groups[-1].append(i)
        else:
            groups.append([i])
    start, to, values = [0], list[int](), 3
    value, group = list[int](), list[int]()
    for members in groups:
        base, n = len(value), rng.randint(3, 6)
        for c in range(n):
            for _ in range(roles):
                few = rng.randint(0, min(2, c))
                to += sorted(base + x for x in rng.sample(range(c), few))
                start.append(len(to))
            value.append(rng.randrange(values))
            group.append(members[0])
    n = len(value)
    passes = np.repeat(np.arange(n)[:, None], roles, axis=1)
    for c in range(1, n):
        if group[c - 1] == group[c] and rng.random() < 0.1:  # it changes while somebody moves elsewhere
            passes[c, rng.randrange(roles)] = c - 1
    graph = ClassGraph(
        np.array(start), np.array(to, np.int64), passes,
        np.array(value), np.array(group), np.arange(n), tuple(range(roles)),
    )  # fmt: skip
    kind = rng.choice(KINDS)
    table = np.zeros((values,) * parts + (1,), np.int32)
    goals = np.array([[rng.choice([0, 50, 100]) for _ in range(roles)] for _ in range(parts + 2)], np.int32)
    if roles == 2:
        goals[:, 1] = 100 - goals[:, 0]
    code: dict[object, int] = {}
    for index in np.ndindex(*table.shape[:-1]):
        key = tuple(tuple(sorted(index[i] for i in members)) for members in groups)
        wins = sum(x == 2 for x in index)
        worth = {
            "random": rng.randint(0, parts + 1), "any": int(wins > 0), "all": int(wins == parts),
            "sum": wins, "two of them": int(wins >= 2),
        }[kind]  # fmt: skip
        over = rng.random() < 0.3 if kind == "random" else wins == parts
        table[(*index, 0)] = code.setdefault(key, 1 + worth if over else 0)
    evaluation = Evaluation(
        tuple(np.array(value) for _ in range(parts)), np.zeros(1, np.int64), table, goals,
        tuple(tuple(g) for g in groups),
    )  # fmt: skip
    ends = {g[0]: max(c for c in range(n) if group[c] == g[0]) for g in groups}
    starts = [ends[g[0]] for i in range(parts) for g in groups if i in g]
    return Assembly(graph, evaluation, tuple(starts))


def values_of(assembly: Assembly) -> dict[tuple[int, ...], tuple[int, ...]]:
    """Values of all positions (classes, then the turn) by plain max-n; nobody who cannot move anywhere is helped."""
    graph, table = assembly.graph, assembly.evaluation.table
    assert table is not None
    roles = len(graph.actor)
    found: dict[tuple[int, ...], tuple[int, ...]] = {}

    @cache
    def search(classes: tuple[int, ...], turn: int) -> tuple[int, ...]:
        code = int(table[(*(graph.value[c] for c in classes), 0)])
        after = []
        rest = tuple(graph.pass_to[list(classes), turn].tolist())
        for i, c in enumerate(classes if not code else ()):
            at = c * roles + turn
            for x in graph.to[graph.start[at] : graph.start[at + 1]].tolist():
                after.append(search((*rest[:i], x, *rest[i + 1 :]), (turn + 1) % roles))
        if code:
            out = tuple(assembly.evaluation.goals[code - 1].tolist())
        elif not after:  # a pass, and once all have passed, nothing
            out = search(rest, turn + 1) if turn + 1 < roles else (0,) * roles
        else:
            out = min(after, key=lambda v: (-v[turn], v))
        found[(*classes, turn)] = out
        return out

    search(assembly.start, 0)
    return found


def together(before: Assembly, roles: int) -> Assembly:
    return put_together(trimmed(before, before.graph), lambda graph, _: graph, roles, few=0, worthwhile=1.0)


@given(st.integers(0, 10**9), st.integers(1, 3))
@settings(deadline=None, max_examples=60)
def test_every_position_keeps_its_value(seed: int, roles: int) -> None:
    before = random_assembly(Random(seed), roles)
    after = together(before, roles)
    assert after.parts == 1
    right, found = values_of(before), values_of(after)
    fields = after.fields(np.array([key[:-1] for key in right], np.int64))
    for (*_, turn), classes, value in zip(right, fields.tolist(), right.values(), strict=True):
        assert found[(*classes, turn)] == value


def test_less_is_left_than_the_product() -> None:
    saved = 0.0
    for seed in range(40):
        before = random_assembly(Random(seed), 2)
        saved += np.log(len(values_of(before)) / len(values_of(together(before, 2))))
    assert saved / 40 > np.log(1.5)


def two_parts(values: list[int], table: list[list[int]]) -> Assembly:
    """Two parts of one kind for one player: a way down through classes, of which each has a value; a table says what
    two values are worth at the end, 0 for a play that goes on."""
    n = len(values)
    start, to = [0, 0], list[int]()
    for c in range(1, n):
        to.append(c - 1)
        start.append(len(to))
    passes, group = np.arange(n)[:, None], np.zeros(n, np.int64)
    graph = ClassGraph(np.array(start), np.array(to), passes, np.array(values), group, np.arange(n), (0,))
    goals = np.array([[10 * k] for k in range(1, 1 + max(map(max, table)))], np.int32)
    meaning = np.array(table, np.int32)[..., None]
    evaluation = Evaluation((np.array(values),) * 2, np.zeros(1, np.int64), meaning, goals, ((0, 1),))
    return Assembly(graph, evaluation, (n - 1, n - 1))


def by_default(before: Assembly) -> Assembly:
    after = put_together(trimmed(before, before.graph), lambda graph, _: graph, 1, few=0)
    assert values_of(after)[(*after.start, 0)] == values_of(before)[(*before.start, 0)]
    return after


@pytest.mark.parametrize(("steps", "parts"), [(3, 2), (5, 1)])
def test_pairs_become_one_part_where_that_is_worthwhile(steps: int, parts: int) -> None:
    """The play is over when both are at their end: of a pair only the number of steps matters. With 3 steps in each
    part 7 classes are left of 10 pairs, with 5 steps 11 of 21."""
    over = [[int(i == j == 0) for j in range(steps + 1)] for i in range(steps + 1)]
    assert by_default(two_parts(list(range(steps + 1)), over)).parts == parts


def test_pairs_that_all_mean_something_else_stay_apart() -> None:
    ends = [[1, 2, 4, 7], [2, 3, 5, 8], [4, 5, 6, 9], [7, 8, 9, 10]]
    assert by_default(two_parts([0, 1, 2, 3], ends)).parts == 2


@pytest.mark.parametrize("number", [0, 10, 13, 18, 35, 40, 45])
def test_compounds_step_by_step(number: int) -> None:
    q = quotient(Views(compound(number)))
    plain, stepwise = Explorer(q, reduced=False), Explorer(q, few=0)
    assert np.array_equal(solve_graph(plain.explore().graph).low[0], solve_graph(stepwise.explore().graph).low[0])


def forced_passes(graph: ClassGraph, evaluation: Evaluation) -> ClassGraph:
    return reduce(graph, evaluation, forced=range(graph.colours))


@pytest.mark.parametrize("roles", [1, 2])
def test_reductions_between_steps(roles: int) -> None:
    dropped = 0
    for seed in range(40):
        before = random_assembly(Random(seed), roles)
        after = put_together(trimmed(before, before.graph), forced_passes, roles, few=0, worthwhile=1.0)
        assert values_of(after)[(*after.start, 0)] == values_of(before)[(*before.start, 0)]
        dropped += len(values_of(together(before, roles))) > len(values_of(after))
    assert dropped > 5


def test_nothing_is_dropped_with_three_players() -> None:
    before = random_assembly(Random(1), 3)
    assert reduce(before.graph, before.evaluation) is before.graph
