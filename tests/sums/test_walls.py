"""Tables of walls: the same numbers as the thermographs, whatever their size; and what the solver makes of them."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from ludisect.cgt import Value, make, nimber, number, parse, switch, up
from ludisect.sums.outcome import SumSolver
from ludisect.sums.walls import SAFE, Walls

HUGE = 1 << 70


def games(source: random.Random, count: int, *, unit: Fraction = Fraction(1, 4)) -> list[Value]:
    """Random hot games, each made of earlier ones."""
    out = [number(0), number(unit), nimber(1), up(1), switch(3 * unit, -unit)]
    while len(out) < count:
        a, b = source.sample(out, 2)
        out.append(make([a + number(source.randint(0, 6) * unit)], [b - number(source.randint(0, 6) * unit)]))
    return out


def check(walls: Walls) -> None:
    for row, g in enumerate(walls.values):
        graph = g.thermograph
        for column, t in enumerate(walls.temperatures):
            assert Fraction(int(walls.heat[column]), walls.scale) == t
            assert Fraction(int(walls.left[row, column]), walls.scale) == graph.left.at(t)
            assert Fraction(int(walls.right[row, column]), walls.scale) == graph.right.at(t)
            assert Fraction(int(walls.width[row, column]), walls.scale) == graph.width(t)
    assert not walls.left[-1].any()


@pytest.mark.parametrize("seed", range(3))
def test_rows_are_walls(seed: int) -> None:
    """Temperatures, rows and finer denominators come in any order."""
    source, walls = random.Random(seed), Walls()
    for unit in (Fraction(1), Fraction(1, 8), Fraction(1, 2)):
        listed = games(source, 15, unit=unit)
        for g in listed:
            walls.add(g)
        walls.measure_at(g.temperature for g in listed[:4])
        check(walls)
    assert walls.scale % 8 == 0


def test_numbers_beyond_a_machine_word() -> None:
    walls = Walls()
    walls.add(switch(1, Fraction(-1, 2)))
    walls.add(switch(HUGE, -HUGE))
    walls.measure_at([Fraction(1, 1 << 50)])
    assert walls.left.dtype == object
    check(walls)
    assert walls.integer(SAFE) > SAFE


@pytest.mark.parametrize("shift", [0, 1, -1, Fraction(1, 1 << 60), HUGE, -HUGE])
def test_sums_with_huge_and_tiny_numbers(shift: int | Fraction) -> None:
    parts = [switch(HUGE, -3), parse("{2|-1||-4}"), switch(5, -HUGE), switch(Fraction(1, 1 << 60), 0), number(shift)]
    total = sum(parts, number(0))
    assert SumSolver().outcome(parts).letter == total.outcome


@pytest.mark.parametrize("seed", range(4))
def test_one_solver_for_many_rests(seed: int) -> None:
    """Answers for a sum serve the same sum with a larger or smaller rest; none may be wrong."""
    source = random.Random(seed)
    parts = [g for g in games(source, 9) if g.nus is None]
    shared = SumSolver(use_merging=False)
    total = sum(parts, number(0))
    rests = [
        number(Fraction(source.randint(-24, 24), 4)) + up(source.randint(-2, 2), source.randint(0, 3))
        for _ in range(30)
    ]
    for rest in rests:
        assert shared.outcome([*parts, rest]).letter == (total + rest).outcome
