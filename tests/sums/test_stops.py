"""Stops of sums by search: normal forms, walls and compiled search against the added-up sum."""

from __future__ import annotations

import random
import subprocess
import sys
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludisect.cgt import Order, Value, make, nimber, number, parse, reduced, switch, tiny, up
from ludisect.errors import BudgetExceeded, InputError
from ludisect.sums.components import Components, scale_of
from ludisect.sums.outcome import SumSolver
from ludisect.sums.stops import StopSearch, Work
from ludisect.sums.stoptables import CompiledStops
from ludisect.sums.ties import heated, parted
from tests.cgt.forms import values

quick = settings(max_examples=30, deadline=None)
components = st.lists(values(4), min_size=1, max_size=4)
HUGE = 1 << 70


def games(source: random.Random, count: int, *, unit: Fraction = Fraction(1, 4)) -> list[Value]:
    """Random games, each made of earlier ones: hot, cold and infinitesimal."""
    out = [number(0), number(unit), nimber(1), nimber(2), up(1), up(-1, 1), tiny(1), switch(3 * unit, -unit)]
    while len(out) < count:
        a, b = source.choices(out, k=2), source.choices(out, k=source.randint(1, 2))
        lift = [number(source.randint(0, 4) * unit) for _ in range(4)]
        out.append(make([x + y for x, y in zip(a, lift, strict=False)], [x - y for x, y in zip(b, lift, strict=False)]))
    return out


def searched(listed: list[Value]) -> tuple[StopSearch, tuple[tuple[int, ...], tuple[int, ...]], int]:
    """A search for the stops of a sum, the sum as it knows it, and the number beside it."""
    search = StopSearch(scale_of([*listed, *map(reduced, listed)]), Work())
    search.measure(listed)
    pieces = [search.components.piece(reduced(g)) for g in listed]
    return search, search.components.shape(pieces), sum(piece.number for piece in pieces)


@quick
@given(components)
def test_normal_forms_add_up(listed: list[Value]) -> None:
    """The pieces of a sum are the sum again, and a sum and its negative cancel."""
    table = Components(scale_of(listed))
    pieces = [table.piece(g) for g in listed]
    places, heats = table.shape(pieces)
    total = sum((table.values[p] - Fraction(table.means[p], table.scale) for p in places), number(0))
    total += sum((switch(Fraction(t, table.scale)) for t in heats), number(0))
    total += sum((piece.tail + Fraction(piece.number, table.scale) for piece in pieces), number(0))
    assert total == sum(listed, number(0))
    assert table.shape([table.piece(g) for g in (*listed, *(-g for g in listed))]) == ((), ())
    assert all(table.values[p].mean == Fraction(table.means[p], table.scale) for p in places)
    assert table.negative(table.negative((places, heats))) == (places, heats)


@quick
@given(components)
def test_moves_are_the_moves_of_the_games(listed: list[Value]) -> None:
    """After a move of Left and a change of sides the sum is the negative of what he moved to."""
    table = Components(scale_of(listed))

    def value(shape: tuple[tuple[int, ...], tuple[int, ...]]) -> Value:
        places, heats = shape
        hot = sum((table.values[p] - Fraction(table.means[p], table.scale) for p in places), number(0))
        return hot + sum((switch(Fraction(t, table.scale)) for t in heats), number(0))

    shape = table.shape([table.piece(g) for g in listed])
    moves = [move for p in shape[0] for move in table.moves(p)] + [table.switch(t) for t in shape[1]]
    for move in moves:
        lone = value(((move.origin,), ()) if move.origin >= 0 else ((), (move.heat,)))
        goal = lone.left if move.heat else table.values[move.origin].left
        after = -value(table.after(shape, move)) + Fraction(move.goal.number, table.scale) + move.goal.tail
        gains = [x - (lone if move.heat else table.values[move.origin]) for x in goal]
        assert after - value(shape) in gains
        for other in moves:
            difference, x, tail = table.difference(move, other)
            theirs = -value(table.after(shape, other)) + Fraction(other.goal.number, table.scale) + other.goal.tail
            assert value(difference) + Fraction(x, table.scale) + tail == after - theirs


@quick
@given(components)
def test_stops_are_those_of_the_value(listed: list[Value]) -> None:
    search, shape, x = searched(listed)
    stop = int(sum(listed, number(0)).left_stop * search.components.scale)
    low, high = search.bounds(shape)
    assert low <= stop - x <= high
    for shift, sign in ((-stop, 0), (1 - stop, 1), (-1 - stop, -1)):
        assert search.sign(shape, x + shift) == sign
        assert CompiledStops(Work(), *searched(listed)[:2]).sign(x + shift) == sign


@quick
@given(values(5))
def test_a_bonus_tells_who_moves_last(g: Value) -> None:
    """Heated a little, a game that is no number has a positive left stop exactly if Left wins it moving first."""
    scale = scale_of([g])
    assert sum(parted(g), number(0)) == g
    if not g.is_number:
        hot = heated(g, scale)
        assert (hot.left_stop > 0) == (g.outcome in "LN")
        assert (hot.right_stop < 0) == (g.outcome in "RN")


@pytest.mark.parametrize("seed", range(6))
def test_kernels_agree_where_infinitesimals_decide(seed: int) -> None:
    """One solver of each kind for many sums, most of them with a stop of 0."""
    source = random.Random(seed)
    solvers = [SumSolver(kernel="plain"), SumSolver(kernel="compiled"), SumSolver()]
    pool = [g for g in games(source, 30, unit=source.choice([Fraction(1), Fraction(1, 4)])) if g.number_up_star is None]
    proofs = set()
    for _ in range(6):
        listed = source.choices(pool, k=3)
        total = sum(listed, number(0))
        shift = source.choice([total.left_stop, total.right_stop, Fraction(1, 8)])
        for solver in solvers:
            found = solver.outcome([*listed, number(-shift)])
            assert found.letter == (total - shift).outcome
            proofs.add(found.proof)
    assert "search" in proofs


@pytest.mark.parametrize("shift", [0, 1, -1, Fraction(1, 1 << 60), HUGE, -HUGE])
@pytest.mark.parametrize("kernel", ["plain", "compiled"])
def test_sums_with_huge_and_tiny_numbers(shift: int | Fraction, kernel: str) -> None:
    """Numbers beyond a machine word send the compiled kernel back to the plain one."""
    parts = [switch(HUGE, -3), parse("{2|-1||-4}"), switch(5, -HUGE), switch(Fraction(1, 1 << 60), 0), number(shift)]
    total = sum(parts, number(0))
    assert SumSolver(kernel=kernel).outcome(parts).letter == total.outcome


@pytest.mark.parametrize("seed", range(4))
def test_one_solver_for_many_rests(seed: int) -> None:
    """Bounds found for a sum serve the same sum with another rest; none may be wrong."""
    source = random.Random(seed)
    parts = [g for g in games(source, 13) if g.number_up_star is None]
    shared = SumSolver()
    total = sum(parts, number(0))
    letters = {Order.GREATER: "L", Order.LESS: "R", Order.CONFUSED: "N", Order.EQUAL: "P"}
    for _ in range(30):
        near = source.choice([total.left_stop, total.right_stop]) + Fraction(source.randint(-2, 2), 4)
        rest = number(-near) + up(source.randint(-2, 2), source.randint(0, 3))
        assert shared.outcome([*parts, rest]).letter == letters[total.compare(-rest)]


def hard() -> list[Value]:
    """A sum that the walls do not decide, shifted to the middle of what they leave open."""
    listed = [parse(f"{{{{{5 + k}|1}}|{{-{k}|-{7 + k}*}}}}") for k in range(14)]
    low, high = SumSolver().stop_bounds(listed)["left"]
    return [*listed, number(-(low + high) / 2)]


@pytest.mark.parametrize("kernel", ["plain", "compiled"])
def test_limits(kernel: str) -> None:
    with pytest.raises(BudgetExceeded) as caught:
        SumSolver(seconds=0.0, kernel=kernel).outcome(hard())
    assert isinstance(caught.value.partial, dict)
    assert set(caught.value.partial["stops"]) == {"left", "right"}


def test_long_searches_are_compiled() -> None:
    """The same answer by all kernels on a sum that takes thousands of steps."""
    assert len({SumSolver(kernel=kernel).outcome(hard()).letter for kernel in ("compiled", "auto")}) == 1
    with pytest.raises(InputError, match="choose one of auto, plain, compiled"):
        SumSolver(kernel="quick")


def test_code_from_the_cache_runs() -> None:
    """A second process loads the compiled code from disk, where some faults of the compiler only show."""
    code = (
        "from ludisect.cgt import parse\n"
        "from ludisect.sums.outcome import SumSolver\n"
        "parts = [parse(x) for x in ('{3*|-3}', '{2|-1||-4}', '{5|1||*}', '-1/2')]\n"
        "print(SumSolver(kernel='compiled').outcome(parts).letter)"
    )
    parts = [parse(x) for x in ("{3*|-3}", "{2|-1||-4}", "{5|1||*}", "-1/2")]
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == sum(parts, number(0)).outcome
