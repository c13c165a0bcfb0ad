"""The finest partitions over which a small table is a sum, against every partition and every exchange one by one."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludisect.decomposition.evidence.scoretable import options, satisfied


def partitions(items: list[int]) -> list[list[set[int]]]:
    if not items:
        return [[]]
    first, rest = items[0], items[1:]
    out = []
    for smaller in partitions(rest):
        out.append([{first}, *smaller])
        out += [[*smaller[:i], smaller[i] | {first}, *smaller[i + 1 :]] for i in range(len(smaller))]
    return out


def is_sum(table: tuple[int, ...], blocks: list[set[int]]) -> bool:
    for x, y in product(range(len(table)), repeat=2):
        for taken in product([False, True], repeat=len(blocks)):
            mask = sum(1 << p for yes, block in zip(taken, blocks, strict=True) if yes for p in block)
            after = table[(x & ~mask) | (y & mask)], table[(y & ~mask) | (x & mask)]
            if table[x] == table[y] == 1 and after == (0, 0):
                return False
    return True


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 4).flatmap(lambda k: st.lists(st.sampled_from([-1, 0, 1]), min_size=2**k, max_size=2**k)))
def test_options_are_the_finest_sums(entries: list[int]) -> None:
    table = tuple(entries)
    n = len(table).bit_length() - 1
    sums = [blocks for blocks in partitions(list(range(n))) if is_sum(table, blocks)]
    finest = {
        frozenset(map(frozenset, blocks))
        for blocks in sums
        if not any(o != blocks and all(any(a <= b for b in blocks) for a in o) for o in sums)
    }
    assert {frozenset(map(frozenset, o)) for o in options(table)} == finest


def table_of(holds: object, n: int) -> tuple[int, ...]:
    return tuple(int(holds(*((x >> i) & 1 for i in range(n)))) for x in range(1 << n))  # type: ignore[operator]


@pytest.mark.parametrize(
    ("holds", "n", "wanted"),
    [
        (lambda a, b: a == b, 2, [((0, 1),)]),
        (lambda a, b: a and b, 2, [((0,), (1,))]),
        (lambda a, b, c, d: (a and b) or (c and d), 4, [((0,), (1,), (2, 3)), ((0, 1), (2,), (3,))]),
        (lambda a, b, c, d: a and ((b and c) or d), 4, [((0,), (1,), (2,), (3,))]),
    ],
    ids=["equal", "both", "either pair", "weights"],
)
def test_well_known_tables(holds: object, n: int, wanted: list[tuple[tuple[int, ...], ...]]) -> None:
    found = {tuple(sorted(tuple(sorted(b)) for b in o)) for o in options(table_of(holds, n))}
    assert found == set(wanted)


def test_an_option_is_satisfied_by_whatever_keeps_its_blocks_together() -> None:
    assert satisfied(((0, 1), (2,)), (5, 5, 7))
    assert satisfied(((0, 1), (2,)), (5, 5, 5))
    assert not satisfied(((0, 1), (2,)), (5, 6, 5))
