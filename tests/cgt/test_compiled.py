"""The compiled kernel against the plain one: the same random games, the same answers, twice (once from the cache)."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from fractions import Fraction

import pytest

from ludisect.cgt import Value, decode, encode, make, nimber, number, parse, up
from ludisect.cgt import compiled as kernel
from ludisect.cgt.compiled import Arena, UnfitError
from ludisect.errors import BudgetExceeded


def games(source: random.Random, count: int) -> list[Value]:
    """Random values, each made of earlier ones."""
    out = [number(0), number(1), number(Fraction(-1, 2)), nimber(1), nimber(2), up(1), up(-2, 1)]
    while len(out) < count:
        some = source.sample(out, 4)
        shift = number(Fraction(source.randint(-8, 8), 4))
        out.append(make(some[: source.randint(1, 2)], some[2 : 2 + source.randint(1, 2)]) + shift)
    return out


@pytest.mark.parametrize("seed", range(4))
def test_random_games_agree(seed: int) -> None:
    source = random.Random(seed)
    arena = Arena()
    listed = games(source, 60)
    for g in listed:
        assert arena.value(arena.game(g)) is g
    fresh = Arena()  # one that has not seen the values: everything is built from the options
    for _ in range(150):
        g, h = source.choice(listed), source.choice(listed)
        a, b = fresh.game(g), fresh.game(h)
        assert fresh.le(a, b) == (g <= h)
        assert fresh.negate(fresh.negate(a)) == a
        if g.birthday + h.birthday < 14:
            assert decode(encode(fresh.value(fresh.add(a, b)))) is g + h
        options = source.sample(listed, 3)
        split = source.randint(0, 3)
        built = fresh.build([fresh.game(x) for x in options[:split]], [fresh.game(x) for x in options[split:]])
        assert fresh.value(built) is make(options[:split], options[split:])


@pytest.mark.parametrize("text", ["0", "7/4", "*5", "1/2vv*3", "^^^", "^*", "tiny(2)", "{4||2|0}", "±(1,{3|*})"])
def test_known_values(text: str) -> None:
    arena = Arena()
    g = parse(text)
    assert arena.value(arena.game(g)) is g
    assert arena.value(arena.negate(arena.game(g))) is -g
    assert arena.value(arena.add(arena.game(g), arena.game(-g))) == 0


def test_growth_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = games(random.Random(9), 120)
    monkeypatch.setattr(kernel, "START", 16)
    arena = Arena()
    ids = [arena.game(g) for g in listed]
    assert len(arena) > 64
    assert all(arena.value(i) is g for i, g in zip(ids, listed, strict=True))


def test_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnfitError):
        Arena().number(Fraction(1, 1 << 40))
    with pytest.raises(UnfitError):
        Arena().game(nimber(1000))
    monkeypatch.setattr(kernel, "START", 16)
    arena, listed = Arena(most=32), games(random.Random(1), 200)
    with pytest.raises(BudgetExceeded, match="different games"):
        list(map(arena.game, listed))


def test_the_plain_kernel_loads_nothing_heavy() -> None:
    code = "import sys, ludisect.cgt; print([m for m in ('numba', 'numpy', 'matplotlib') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)
    assert done.stdout.strip() == "[]"


def test_code_from_the_cache_runs() -> None:
    """A second process loads the compiled code from disk, where some faults of the compiler only show."""
    code = (
        "from ludisect.rulesets import Domineering\n"
        "from ludisect.rulesets.dominoes import Dominoes\n"
        "print(Dominoes().value(Domineering.parse('4x4')).temperature)"
    )
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)
        assert done.stdout.strip() == "0"
