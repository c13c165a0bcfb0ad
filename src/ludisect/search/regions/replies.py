"""Moves and the replies to them in compiled code: what each is worth, in one pass over a region."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludisect.cgt.arena import ERROR, atom
from ludisect.cgt.arithmetic import add
from ludisect.cgt.memory import array_at, extent
from ludisect.kernels.kernel import jit, never
from ludisect.rulesets.position import Player
from ludisect.search.regions.book import FIRST, MOST_FACTS, OPS, RECORD, STATE, WHO, N, book_of
from ludisect.search.regions.naming import WORK
from ludisect.search.regions.pieces import cut, fits, play, settle
from ludisect.search.regions.region import Region
from ludisect.search.regions.regionvalues import DEPTH, RegionValues, roomy, value

ROW = 3
"""Words of a line: the record of a move, that of the reply (0 for none), the value behind them."""

_NO = np.int64(0)
_YES = np.int64(1)
_A = "int64[::1]"
_I = "int64"


@jit(f"{_I}({_A}, {_A}, {_A}, {_A}, {_A}, {_I}, {_I})", inner=True)
def _summed(a, o, lies, names, s, frame, to):  # type: ignore[no-untyped-def]
    """What the regions of a frame, which is used up, are worth together."""
    total = atom(a, _NO, _NO, _NO)
    while s[frame + N]:
        end = cut(o, s, frame, to)
        total = add(a, total, value(a, o, lies, names, s, to, end, _NO))
        if a[ERROR]:
            return _NO
    return total


@jit(f"{_I}({_A}, {_A}, {_A}, {_A}, {_A}, {_A}, {_I}, {_I})", inner=True)
def _replies(a, o, lies, names, s, out, player, deep):  # type: ignore[no-untyped-def]
    """Moves of a player in the frame at the bottom of the stack, if ``deep`` each with its replies; how many lines."""
    n = s[N]
    at = OPS + n
    settle(o, s, np.int64(OPS), n, s[STATE], s[STATE + 1], at)
    first = at + OPS + 2 * n
    second = first + OPS + 2 * n
    free = second + OPS + 2 * n
    lines = _NO
    for i in range(s[at + N]):
        r = s[at + OPS + i]
        if o[r + WHO] != player or not fits(o, s, at, r):
            continue
        play(o, s, at, r, first)
        here = lines
        lines += 1
        for j in range(s[first + N] if deep else _NO):
            q = s[first + OPS + j]
            if o[q + WHO] == player or not fits(o, s, first, q):
                continue
            play(o, s, first, q, second)
            out[ROW * lines], out[ROW * lines + 1] = r, q
            out[ROW * lines + 2] = _summed(a, o, lies, names, s, second, free)
            lines += 1
        out[ROW * here], out[ROW * here + 1] = r, _NO
        out[ROW * here + 2] = _summed(a, o, lies, names, s, first, second)
        if a[ERROR]:
            return _NO
    return lines


@jit(f"{_I}({', '.join([_I] * 14)})", small=never)
def _replies_at(a, la, o, lo, t, lt, m, lm, s, ls, out, lout, player, deep):  # type: ignore[no-untyped-def]
    """The same for arrays given by address and length."""
    return _replies(
        array_at(a, la), array_at(o, lo), array_at(t, lt), array_at(m, lm), array_at(s, ls), array_at(out, lout),
        player, deep,
    )  # fmt: skip


def replied(
    values: RegionValues, region: Region, player: Player, *, deep: bool, end: float | None, nodes: int | None
) -> list[tuple[int, int, list[tuple[int, int]]]]:
    """Each move of a player in a region, what is left then, and, if ``deep``, each reply with what is left behind it.

    Moves are operators, what is left is a game of the arena. What differs in settled facts alone is one move.

    Raises:
        BudgetExceeded: a limit was reached, or a play does not end.
        ludisect.cgt.compiled.UnfitError: a number does not fit in fixed point.
    """
    if not region.live:
        return []
    book = book_of(region, values.new_book())
    stack = np.zeros((OPS + book.most) * 4 * min(DEPTH, 2 * MOST_FACTS) + WORK, np.int64)
    stack[: book.frame.size] = book.frame
    lines = np.zeros(ROW * book.most * (book.most if deep else 1), np.int64)

    def step() -> Any:
        values.lies, values.names = roomy(values.lies), roomy(values.names)
        arrays = (values.arena.words, book.words, values.lies, values.names, stack, lines)
        at = (x for array in arrays for x in extent(array))
        return _replies_at(*at, player is Player.RIGHT, deep)

    count = values.sliced(step, lambda: values.lies, end, nodes)
    out: list[tuple[int, int, list[tuple[int, int]]]] = []
    for move, reply, worth in lines[: ROW * count].reshape(count, ROW).tolist():
        operator = book.operators[((reply or move) - FIRST) // RECORD]
        if reply:
            out[-1][2].append((operator, worth))
        else:
            out.append((operator, worth, []))
    return out
