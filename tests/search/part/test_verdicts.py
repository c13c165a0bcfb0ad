"""Tables of verdicts say of every combination of local states what the rules say of the state that it makes up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from ludisect.circuit.batch import UNDEFINED
from ludisect.decomposition.model.decomposition import Decomposition
from ludisect.loader import load
from ludisect.search.limits import SearchLimits
from ludisect.search.part.verdicts import (
    Combinations,
    Evaluation,
    constant_bits,
    distinct,
    evaluate,
    judge,
    opposite,
    outcomes,
    single_ends,
    times_of,
)
from ludisect.search.part.views import Views
from ludisect.search.way import Inapplicable
from tests.search.byhand import by_hand
from tests.search.known import compound, kayles, nim, serial_tictactoe, two_track

KNOWN: dict[str, Callable[[], Decomposition]] = {
    "two heaps": partial(nim, 2, 2),
    "three heaps": partial(nim, 1, 2, 1),
    "misère": partial(nim, 1, 2, misere=True),
    "rows of pins": partial(kayles, 2, 3, 2),
    "two tracks": two_track,
    **{f"compound {n}": partial(compound, n) for n in (0, 3, 10, 13, 18, 35)},
}


def some_states(views: Views, most: int = 300) -> Iterator[tuple[tuple[int, ...], int, NDArray[np.uint64]]]:
    """Local states of every part, a time, and the state of the whole that they make up: a spread of all of them."""
    rows = [views.graph(i).states for i in range(len(views.parts.dependent))]
    times = views.context.rows
    shape = [len(r) for r in rows] + [len(times)]
    rng = np.random.default_rng(0)
    for _ in range(most):
        *local, time = (int(rng.integers(n)) for n in shape)
        whole = times[time] | constant_bits(views.parts)
        for i, s in enumerate(local):
            whole = whole | rows[i][s]
        yield tuple(local), time, whole


@pytest.mark.parametrize("name", KNOWN)
def test_the_table_says_what_the_rules_say(name: str) -> None:
    views = Views(KNOWN[name]())
    found = evaluate(views)
    assert found.table is not None
    ends = 0
    for local, time, whole in some_states(views):
        code = found.table[(*(found.value[i][s] for i, s in enumerate(local)), found.time_value[time])]
        over = bool(views.game.batch.terminal(whole[None])[0])
        assert (code > 0) == over
        if over:
            ends += 1
            goals = views.game.batch.goals(whole[None])[0]
            assert found.goals[code - 1].tolist() == goals.tolist()
            assert found.pays[code - 1].tolist() == np.where(goals == UNDEFINED, 0, goals).tolist()
    assert ends


@pytest.mark.parametrize("name", KNOWN)
def test_values_that_make_no_difference_are_one(name: str) -> None:
    found = evaluate(Views(KNOWN[name]()))
    assert found.table is not None
    for i in range(found.table.ndim - 1):
        slices = np.moveaxis(found.table, i, 0).reshape(found.table.shape[i], -1)
        assert len({row.tobytes() for row in slices}) == len(slices)
        assert found.ended(i).tolist() == [all(row > 0) for row in slices]


@pytest.mark.parametrize("name", KNOWN)
def test_parts_of_a_group_may_change_places(name: str) -> None:
    found = evaluate(Views(KNOWN[name]()))
    assert found.table is not None
    assert sorted(i for group in found.groups for i in group) == list(range(found.table.ndim - 1))
    for group in found.groups:
        for i, j in combinations(group, 2):
            assert np.array_equal(np.swapaxes(found.table, i, j), found.table)


def test_which_parts_may_change_places() -> None:
    assert evaluate(Views(nim(2, 2))).groups == ((0, 1),)
    assert evaluate(Views(nim(1, 2, 1))).groups == ((0, 1, 2),)  # what counts is whether something is left
    assert evaluate(Views(serial_tictactoe())).groups == ((0,), (1,))  # stages keep their order


def counters(goals: str, names: str = "ab") -> Decomposition:
    """Counters that are put up one at a time, for three steps; alike but for what they pay."""
    rules = "".join(
        f"""
(init ({x} 0)) (<= (legal r (up {x})) (true ({x} ?m)) (succ ?m ?n))
(<= (next ({x} ?n)) (does r (up {x})) (true ({x} ?m)) (succ ?m ?n))
(<= (next ({x} ?n)) (true ({x} ?n)) (not (does r (up {x}))))"""
        for x in names
    )
    clock = """
(role r) (legal r rest) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (<= terminal (true (step 3)))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))"""
    return by_hand(load(clock + rules + goals), [(rf"\({x} ", rf"\(up {x}") for x in names], [r"\(step "])


def wins(condition: str) -> str:
    return f"(<= won {condition}) (<= (goal r 100) won) (<= (goal r 0) (not won))"


def test_parts_that_pay_otherwise_may_not() -> None:
    for value, apart in ((70, True), (30, False)):
        goals = f"""
(<= (goal r 100) (true (a 2)) (true (b 2))) (<= (goal r 30) (true (a 2)) (not (true (b 2))))
(<= (goal r {value}) (not (true (a 2))) (true (b 2))) (<= (goal r 0) (not (true (a 2))) (not (true (b 2))))
"""
        groups = evaluate(Views(counters(goals))).groups
        assert groups == (((0,), (1,)) if apart else ((0, 1),))


def test_parts_that_pay_the_same_under_other_names_may() -> None:
    """One counts from below, the other must stay low: values are matched by what they pay, wherever they start."""
    goals = """
(<= (good a) (true (a 2))) (<= (good b) (true (b 0)))
(<= (goal r 100) (good a) (good b)) (<= (goal r 50) (good a) (not (good b)))
(<= (goal r 50) (not (good a)) (good b)) (<= (goal r 0) (not (good a)) (not (good b)))
"""
    found = evaluate(Views(counters(goals)))
    assert found.groups == ((0, 1),)
    assert found.value[0][0] != found.value[1][0]


def test_values_may_stand_for_others_in_any_order() -> None:
    """Won if b is one ahead of a, in a circle of three: a may stand for b if 1 and 2 of b change their names."""
    ahead = wins("(or (and (true (a 0)) (true (b 1))) (and (true (a 1)) (true (b 2))) (and (true (a 2)) (true (b 0))))")
    assert evaluate(Views(counters(ahead))).groups == ((0, 1),)


def test_each_part_is_in_one_group() -> None:
    either = wins("(or (true (a 2)) (true (c 2))) (true (b 1))")
    assert evaluate(Views(counters(either, "abc"))).groups == ((0, 2), (1,))


def test_stages_do_not_change_places() -> None:
    parts = nim(1, 1, 1, 1)
    assert evaluate(Views(parts)).groups == ((0, 1, 2, 3),)
    staged = replace(parts, parts=tuple(replace(s, after=(1,)) if s.id == 2 else s for s in parts))
    assert evaluate(Views(staged)).groups == ((0,), (1,), (2, 3))


def test_goals_of_what_is_not_over() -> None:
    views = Views(nim(1, 1))
    start = views.game.batch.initial
    assert [x.tolist() for x in outcomes(views, start)] == [[False], [[-1, -1]]]


@pytest.mark.parametrize("name", KNOWN)
def test_the_judgement_says_what_the_rules_say(name: str) -> None:
    views = Views(KNOWN[name]())
    times = times_of(views)
    concept = [views.concept_values(i) for i in range(len(views.parts.dependent))]
    found = judge(views, concept, times)
    for n, time in enumerate(times.example.tolist()):
        for local, _, _ in some_states(views, 40):
            whole = views.context.rows[time] | constant_bits(views.parts)
            for i, s in enumerate(local):
                whole = whole | views.graph(i).states[s]
            at = (n, *(int(concept[i][s]) for i, s in enumerate(local)))
            goals = views.game.batch.goals(whole[None])[0]
            assert found.over[at] == views.game.batch.terminal(whole[None])[0]
            assert found.goal[at].tolist() == np.where(goals == UNDEFINED, 0, goals).tolist()


def test_times_that_follow_each_other() -> None:
    views = Views(counters(wins("(true (a 2))")))
    times = times_of(views)
    assert times.example[0] == 0
    assert times.follow[:3] == (1, 2, 3)


def test_too_many_combinations() -> None:
    views = Views(nim(2, 2))
    concept = [views.concept_values(i) for i in range(2)]
    with (
        SearchLimits.given(SearchLimits(verdicts_judged=3)),
        pytest.raises(Inapplicable, match="are too many to judge each"),
    ):
        judge(views, concept, times_of(views))
    size = evaluate(Views(nim(2, 2))).table
    assert size is not None
    values = [len({*c.tolist()}) for c in concept]
    with SearchLimits.given(SearchLimits(verdicts_table=values[0] * values[1] * size.shape[-1])):
        assert evaluate(views).table is not None
    with SearchLimits.given(SearchLimits(verdicts_table=values[0] * values[1] * size.shape[-1] - 1)):
        found = evaluate(views)
    assert found.table is None
    assert found.groups == ((0,), (1,))
    assert found.ended(0).tolist() == [False] * values[0]
    assert not opposite(found)


# ---- arrays ----


@given(st.lists(st.integers(1, 5), min_size=1, max_size=3))
def test_combinations_are_the_product(sizes: list[int]) -> None:
    axes = [np.array([[1 << (8 * k + n)] for n in range(size)], np.uint64) for k, size in enumerate(sizes)]
    every = Combinations(*axes)
    found = [
        (tuple(int(p[n]) for p in place), int(row[0]))
        for _, place, rows in every.batches()
        for n, row in enumerate(rows)
    ]
    wanted = [(at, sum(1 << (8 * k + n) for k, n in enumerate(at))) for at in product(*map(range, sizes))]
    assert found == wanted


def test_many_combinations_come_in_batches() -> None:
    axes = [np.arange(200, dtype=np.uint64)[:, None], (np.arange(200, dtype=np.uint64) << np.uint64(8))[:, None]]
    batches = list(Combinations(*axes).batches())
    assert len(batches) > 1
    rows = np.concatenate([rows[:, 0] for _, _, rows in batches])
    assert rows.tolist() == [a | b << 8 for a, b in product(range(200), repeat=2)]


@given(st.lists(st.lists(st.integers(-1, 2), min_size=3, max_size=3), max_size=12), st.integers(1, 3))
def test_rows_are_numbered_by_their_contents(rows: list[list[int]], width: int) -> None:
    table = np.array([row[:width] for row in rows], np.int32).reshape(len(rows), width)
    first, number = distinct(table)
    assert [table[first[n]].tolist() for n in number] == table.tolist()
    assert len(first) == len({tuple(row) for row in table.tolist()})


@given(st.data())
def test_ends_of_single_parts(data: st.DataObject) -> None:
    shape = data.draw(st.lists(st.integers(1, 3), min_size=2, max_size=3))
    if data.draw(st.booleans()):
        ends = [data.draw(st.lists(st.booleans(), min_size=n, max_size=n)) for n in shape]
        over = np.array([any(e[i] for e, i in zip(ends, at, strict=True)) for at in product(*map(range, shape))])
    else:
        over = np.array(data.draw(st.lists(st.booleans(), min_size=int(np.prod(shape)), max_size=int(np.prod(shape)))))
    over = over.reshape(shape)
    found = single_ends(over)
    alone = [[bool(np.take(over, i, axis=axis).all()) for i in range(n)] for axis, n in enumerate(shape)]
    if all(over[at] == any(alone[axis][i] for axis, i in enumerate(at)) for at in product(*map(range, shape))):
        assert found is not None
        assert [ends.tolist() for ends in found] == alone[1:]
    else:
        assert found is None


@pytest.mark.parametrize(
    ("goals", "wanted"),
    [
        ([[100, 0], [0, 100]], True),
        ([[100, 0], [50, 50], [UNDEFINED, 100]], True),  # nothing is 0
        ([[100, 0], [50, 49]], False),
        ([[50, 50, 0]], False),
        ([[100]], False),
    ],
)
def test_opposite(goals: list[list[int]], wanted: bool) -> None:
    table = np.zeros((1, 1), np.int32)
    evaluation = Evaluation((np.zeros(1, np.int64),), np.zeros(1, np.int64), table, np.array(goals, np.int32), ((0,),))
    assert opposite(evaluation) == wanted
