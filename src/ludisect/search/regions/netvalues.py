"""Values of regions whose guards are nets, by compiled recursion over their states.

A region comes here folded and split. Below it nothing is split any more: one pass through the gates tells all moves of
a state, and a table keeps the values of states. That is the way for regions of some ten squares; larger ones are taken
apart by the search that asks for the value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ludisect.cgt import Value
from ludisect.cgt.arena import BUDGET, ERROR, FULL, OUT_OF_BUDGET, RETRY, STACK, STACK_ROOM, STACK_TOP, mix
from ludisect.cgt.arithmetic import build
from ludisect.cgt.memory import array_at, extent
from ludisect.kernels.kernel import jit, never
from ludisect.search.regions.book import MOST_FACTS, words_of
from ludisect.search.regions.changes import bits
from ludisect.search.regions.regionvalues import DEEP, DEPTH, MASK, USED, RegionValues, keep, lookup, roomy, table_of

if TYPE_CHECKING:
    from ludisect.search.regions.netregion import NetRegion

# the head of the packed region; then a record per operator, the starts of the gates, their literals
FACTS, GATES, COUNT, HEAD = 0, 1, 2, 4
GUARD, WHO, SETS, CLEARS, RECORD = 0, 1, 2, 4, 6

_NO = np.int64(0)
_YES = np.int64(1)
_A = "int64[::1]"
_I = "int64"


@jit(f"void({_A}, {_A}, {_I}, {_I}, {_I})", inner=True)
def _evaluate(o, w, at, low, high):  # type: ignore[no-untyped-def]
    """The values of all nodes in a state, from ``at`` on."""
    n, gates = o[FACTS], o[GATES]
    w[at] = _YES
    for f in range(n):
        w[at + 1 + f] = (low >> f) & 1 if f < 64 else (high >> (f - 64)) & 1
    start = HEAD + RECORD * o[COUNT]
    literals = start + gates + 1
    for g in range(gates):
        one = _YES
        for e in range(literals + o[start + g], literals + o[start + g + 1]):
            one &= w[at + (o[e] >> 1)] ^ (o[e] & 1)
        w[at + 1 + n + g] = one


@jit(f"{_I}({_A}, {_A}, {_A}, {_A}, {_I}, {_I}, {_I}, {_I})", inner=True)
def net_value(a, o, table, w, top, low, high, depth):  # type: ignore[no-untyped-def]
    """The value of a state; words of ``w`` from ``top`` on are free. Means nothing if the arena's error is set."""
    one, two = mix(mix(np.int64(7), low), high) | 1, mix(mix(np.int64(13), high), low)
    slot = lookup(table, one, two)
    if table[slot]:
        return table[slot + 2] - 1
    count = o[COUNT]
    a[BUDGET] -= 1
    if a[BUDGET] < 0:
        a[ERROR] = OUT_OF_BUDGET
    elif 2 * table[USED] > table[MASK]:
        a[ERROR] = RETRY
    elif a[STACK_TOP] + count + 256 > a[STACK_ROOM]:
        a[ERROR] = FULL
    elif depth > DEPTH or top + count > w.size:
        a[ERROR] = OUT_OF_BUDGET
        table[DEEP] = _YES
    if a[ERROR]:
        return _NO
    _evaluate(o, w, _NO, low, high)
    made = lefts = _NO
    for side in range(2):
        for i in range(count):
            r = HEAD + RECORD * i
            if o[r + WHO] == side and w[o[r + GUARD] >> 1] != (o[r + GUARD] & 1):
                w[top + made] = r
                made += 1
        if side == 0:
            lefts = made
    base = a[STACK_TOP]
    for i in range(made):
        r = w[top + i]
        a[STACK_TOP] = base + i
        then_low = (low & ~o[r + CLEARS]) | o[r + SETS]
        then_high = (high & ~o[r + CLEARS + 1]) | o[r + SETS + 1]
        g = net_value(a, o, table, w, top + made, then_low, then_high, depth + _YES)
        if a[ERROR]:
            a[STACK_TOP] = base
            return _NO
        a[a[STACK] + base + i] = g
    a[STACK_TOP] = base + made
    g = build(a, a[STACK] + base, lefts, made - lefts)
    a[STACK_TOP] = base
    if not a[ERROR]:
        keep(table, one, two, g)
    return g


@jit(f"{_I}({', '.join([_I] * 11)})", small=never)
def _value_at(a, la, o, lo, t, lt, w, lw, top, low, high):  # type: ignore[no-untyped-def]
    """The same for arrays given by address and length."""
    return net_value(array_at(a, la), array_at(o, lo), array_at(t, lt), array_at(w, lw), top, low, high, _NO)


def packed(region: NetRegion) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """A region as the kernel takes it, and its state."""
    facts = tuple(bits(region.open))
    place = {f: k for k, f in enumerate(facts)}
    gates, nets = region.gates, region.nets
    number = np.zeros(nets.first + gates.start.size - 1, np.int64)
    number[[1 + f for f in facts]] = 1 + np.arange(len(facts))
    number[nets.first :] = 1 + len(facts) + np.arange(gates.start.size - 1)

    def moved(literals: NDArray[np.int32]) -> NDArray[np.int64]:
        return np.asarray(2 * number[literals >> 1] + (literals & 1))

    def word(facts: int) -> NDArray[np.int64]:
        return words_of(sum(1 << place[f] for f in bits(facts & region.open)))

    records = np.zeros((len(region.live), RECORD), np.int64)
    for record, guard, i in zip(records, moved(gates.guards).tolist(), region.live, strict=True):
        op = region.operators.listed[i]
        record[GUARD], record[WHO] = guard, nets.who[i]
        record[SETS : SETS + 2], record[CLEARS : CLEARS + 2] = word(op.sets), word(op.clears)
    head = np.array([len(facts), gates.start.size - 1, len(region.live), 0], np.int64)
    return np.concatenate([head, records.ravel(), gates.start, moved(gates.literals)]), word(region.facts)


def net_worth(region: NetRegion, values: RegionValues, *, end: float | None = None, nodes: int | None = None) -> Value:
    """The value of a region that is one by itself.

    Raises:
        BudgetExceeded: the time was up, there are too many states, memory was short, or a play does not end.
        ludisect.cgt.compiled.UnfitError: a number does not fit in fixed point.
    """
    book, (low, high) = packed(region)
    room = 1 + len(region.live) + int(book[FACTS] + book[GATES])
    words = np.zeros(room + len(region.live) * 2 * MOST_FACTS, np.int64)
    table = table_of(1 << 12)

    def step() -> Any:
        nonlocal table
        table = roomy(table)
        arrays = (values.arena.words, book, table, words)
        return _value_at(*(x for array in arrays for x in extent(array)), room, int(low), int(high))

    return values.arena.value(values.sliced(step, lambda: table, end, nodes))
