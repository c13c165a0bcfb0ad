"""Kernels over lanes and rows: machine code against what runs before it is there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from ludisect.circuit import lanekernel as lane_kernel
from ludisect.circuit import record
from ludisect.circuit import rows as rows_module
from ludisect.circuit.vector import (
    WORDS,
    add_nibble,
    add_population,
    aligned,
    any_lane,
    both,
    count_eight,
    differ,
    either,
    exceeds,
    load_signed,
    ones,
    plane0,
    plane1,
    plane2,
    plane3,
    planes6,
    random_planes,
    select,
    select_planes,
    smear_down,
    store,
    sum_words,
    take_bit,
    take_nibble,
    without,
    zeros,
)
from ludisect.circuit.vector import load as vector_at
from ludisect.kernels import kernel
from ludisect.kernels.kernel import Kernel, jit
from ludisect.kernels.kinds import accept
from ludisect.loader import load

WORD = st.integers(0, (1 << 64) - 1)


def both_ways(of: Kernel, *args: Any) -> tuple[Any, Any, list[Any], list[Any]]:
    """Results and arguments afterwards: of the written function with all it calls plain, and of machine code."""
    variant = next(v for v in of.variants if accept(v.kinds, args))
    if not variant.load():
        variant.obtain()
    assert variant.entry is not None
    plain = [a.copy() if isinstance(a, np.ndarray) else a for a in args]
    compiled = [a.copy() if isinstance(a, np.ndarray) else a for a in args]
    return of.plain(*plain), variant.entry(*compiled), plain, compiled


def agree(of: Kernel, *args: Any) -> None:
    one, other, before, after = both_ways(of, *args)
    for x, y in [(one, other), *zip(before, after, strict=True)]:
        if isinstance(x, tuple):
            assert all(np.array_equal(a, b) for a, b in zip(x, y, strict=True))
        else:
            assert np.array_equal(x, y)


def matrices(fewest: int = 1, most: int = 3) -> Any:
    shape = st.tuples(st.integers(0, 70), st.integers(fewest, most))
    few = st.sampled_from([0, 1, 1 << 63, (1 << 64) - 1])
    return shape.flatmap(lambda s: arrays.arrays(np.uint64, s, elements=WORD | few))


@settings(deadline=None, max_examples=60)
@given(matrices())
def test_rows_of_each_kind(table: Any) -> None:
    agree(record._unique_rows, table)


@settings(deadline=None, max_examples=60)
@given(matrices(), st.integers(0, 5))
def test_fingerprints(rows: Any, seed: int) -> None:
    agree(record._fingerprints, rows, record.salts(rows.shape[1], seed), np.zeros(len(rows), np.uint64))


@settings(deadline=None, max_examples=60)
@given(matrices(3), st.integers(0, 192), st.integers(0, 192))
def test_set_bits(rows: Any, a: int, b: int) -> None:
    low, high = min(a, b), max(a, b)
    none = np.empty(0, np.int64)
    agree(rows_module._set_bits, rows, low, high, none, none)
    n = rows_module._set_bits(rows, low, high, none, none)
    agree(rows_module._set_bits, rows, low, high, np.zeros(n, np.int64), np.zeros(n, np.int64))


@settings(deadline=None, max_examples=60)
@given(matrices(2, 2), st.lists(st.integers(0, 128), max_size=3), st.integers(0, 5))
def test_draws(legal: Any, cuts: list[int], seed: int) -> None:
    first = np.array([0, *sorted(cuts), 128], np.int64)
    n, roles = len(legal), len(first) - 1
    random = np.random.default_rng(seed).random((n, roles))
    agree(record._choose, legal, first, random, np.zeros((n, roles), np.int32), np.ones(n, np.bool_))


GAMES = ("tictactoe", "nim", "rock-paper-scissors", "lights-on-parallel")


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("n", [0, 1, 63, 64, 65, 700])
def test_states_through_programs(name: str, n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game = load(name)
    rng = np.random.default_rng(n)
    rows = rng.integers(0, 1 << 63, (n, game.batch.initial.shape[1])).astype(np.uint64)
    joint = np.stack([rng.integers(0, len(moves), n) for moves in game.moves], axis=1).astype(np.int32)

    def results() -> list[Any]:
        return [game.batch.legal_rows(rows), game.batch.terminal(rows), game.batch.next(rows, joint)]

    compiled = results()
    monkeypatch.setattr(rows_module, "_evaluate", rows_module._evaluate.plain)
    for one, other in zip(results(), compiled, strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize("name", GAMES)
def test_playouts_are_the_same_play_by_play(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Same seed, same plays: the plain form draws from the same generator."""
    playouts = load(name).playouts
    compiled = playouts.run(3000, seed=3, max_length=60)
    monkeypatch.setattr(lane_kernel, "play", lane_kernel.play.plain)
    plain = playouts.run(3000, seed=3, max_length=60)
    assert replace(plain, seconds=0) == replace(compiled, seconds=0)
    assert plain.playouts == 3000


@jit("(int64[::1])")
def simple(a: Any) -> Any:
    """Every operation on vectors, of vectors 0 to 2; results behind them."""
    x, y, z = vector_at(a, 0), vector_at(a, 1), vector_at(a, 2)
    store(a, 3, both(x, y))
    store(a, 4, either(x, y))
    store(a, 5, differ(x, ones()))
    store(a, 6, without(x, y))
    store(a, 7, select(z, x, y))
    store(a, 8, zeros())
    store(a, 9, add_population(x, y))
    store(a, 10, load_signed(a, 2))
    store(a, 11, load_signed(a, 5))
    return any_lane(x), sum_words(y)


@jit("(int64[::1])")
def bit_sliced(a: Any) -> None:
    """Every operation on planes, of vectors 0 to 7; random numbers from 8 to 11; results behind them."""
    count = count_eight(
        planes6(), vector_at(a, 0), vector_at(a, 1), vector_at(a, 2), vector_at(a, 3), vector_at(a, 4),
        vector_at(a, 5), vector_at(a, 6), vector_at(a, 7),
    )  # fmt: skip
    more, carry = add_nibble(count, vector_at(a, 3), vector_at(a, 1), vector_at(a, 0), vector_at(a, 2))
    less, borrow = take_nibble(count, vector_at(a, 5), vector_at(a, 6), vector_at(a, 2), vector_at(a, 0))
    fewer, below = take_bit(less, vector_at(a, 7))
    store(a, 12, carry)
    store(a, 13, borrow)
    store(a, 14, below)
    store(a, 15, exceeds(more, fewer))
    chosen = select_planes(vector_at(a, 4), smear_down(more), fewer)
    store(a, 16, plane0(chosen))
    store(a, 17, plane1(chosen))
    store(a, 18, plane2(chosen))
    store(a, 19, plane3(chosen))
    random = random_planes(smear_down(count), a, 8)
    store(a, 20, plane0(random))
    store(a, 21, plane3(random))


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("of", [simple, bit_sliced], ids=["vectors", "planes"])
def test_operations(of: Kernel, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(seed)
    plain, compiled = aligned(22), aligned(22)
    plain[: 12 * WORDS] = rng.integers(-(1 << 63), 1 << 63, 12 * WORDS, np.int64)
    if seed == 0:
        plain[: 8 * WORDS] = 0
    compiled[:] = plain
    result = of.plain(plain)
    monkeypatch.setattr(kernel, "mode", "compiled")
    assert of(compiled) == result
    assert np.array_equal(plain, compiled)
