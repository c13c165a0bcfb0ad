"""Impartial games: mex, nim sums, and octal games with a proof of their period.

An octal game is given by its code ``0.d1d2d3…``: the digit ``dk`` says what a move that takes ``k`` tokens from a heap
may leave: 1 nothing, 2 one heap, 4 two heaps (added up). Kayles is 0.77, Dawson's Kayles 0.07, Dawson's Chess 0.137.

References: Guy and Smith, *The G-values of various games*, Proc. Cambridge Phil. Soc. 52 (1956), for the codes and the
period theorem; *Winning Ways*, ch. 4; Siegel, *Combinatorial Game Theory* (2013), IV.1-2.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from operator import xor

from ludisect.cgt import limit
from ludisect.errors import InputError

NAMED = {"kayles": "0.77", "dawsons-kayles": "0.07", "dawsons-chess": "0.137", "treblecross": "0.007"}
"""Octal codes with a name."""


def mex(values: Iterable[int]) -> int:
    """The least natural number that is not among ``values``."""
    seen = set(values)
    n = 0
    while n in seen:
        n += 1
    return n


def nim_sum(values: Iterable[int]) -> int:
    """The nim value of a sum."""
    return reduce(xor, values, 0)


@dataclass(frozen=True, slots=True)
class Period:
    """``value(n + length) == value(n)`` for all ``n >= start``, proved by the values up to ``checked``."""

    start: int
    length: int
    checked: int


class Octal:
    """An octal game: its nim values, and their period as soon as it can be proved."""

    def __init__(self, code: str) -> None:
        code = NAMED.get(code.lower(), code)
        match = re.fullmatch(r"([04])?\.([0-7]+)", code)
        if match is None:
            names = ", ".join(sorted(NAMED))
            raise InputError(f"{code!r} is no octal code; write for example 0.77 (digits 0 to 7), or one of {names}")
        self.code = code
        self.digits = (int(match[1] or 0), *(int(d) for d in match[2]))
        self.period: Period | None = None
        self._values = [0]
        self._next_search = 32

    def moves(self, n: int) -> list[tuple[int, ...]]:
        """What a heap of ``n`` can become: tuples of none, one or two heaps."""
        out: list[tuple[int, ...]] = []
        for taken, digit in enumerate(self.digits):
            rest = n - taken
            if rest < 0:
                break
            if digit & 1 and rest == 0 and taken:
                out.append(())
            if digit & 2 and rest and taken:
                out.append((rest,))
            if digit & 4:
                out.extend((a, rest - a) for a in range(1, rest // 2 + 1))
        return out

    def nim_value(self, n: int) -> int:
        """The nim value of a heap of ``n``."""
        if n < 0:
            raise InputError(f"a heap cannot hold {n} tokens")
        while n >= len(self._values) and self.period is None:
            self._extend()
        if n >= len(self._values):
            assert self.period is not None
            n = self.period.start + (n - self.period.start) % self.period.length
        return self._values[n]

    def nim_values(self, most: int) -> list[int]:
        """The nim values of the heaps 0 to ``most``."""
        return [self.nim_value(n) for n in range(most + 1)]

    def find_period(self, most: int = 10_000) -> Period | None:
        """Compute up to ``most`` values and look for a provable period."""
        while self.period is None and len(self._values) <= most:
            self._extend()
        return self.period

    def _extend(self) -> None:
        meter = limit.active()
        if meter is not None:
            meter.tick()
        g, n = self._values, len(self._values)
        seen: set[int] = set()
        for taken, digit in enumerate(self.digits):
            rest = n - taken
            if rest < 0:
                break
            if digit & 1 and rest == 0 and taken:
                seen.add(0)
            if digit & 2 and rest and taken:
                seen.add(g[rest])
            if digit & 4:
                # both halves of the row, one read backwards: xor runs in C
                middle = rest // 2
                seen.update(map(xor, g[1 : middle + 1], g[rest - middle : rest][::-1]))
        g.append(mex(seen))
        if len(g) == self._next_search:
            self._next_search *= 2
            self.period = self._search_period()

    def _search_period(self) -> Period | None:
        """A period that the values so far prove: it must hold from s to 2s + p + k (Guy and Smith)."""
        g, k = self._values, len(self.digits) - 1
        n = len(g)
        for p in range(1, n // 2):
            start = n - p
            while start and g[start - 1] == g[start - 1 + p]:
                start -= 1
            if n >= 2 * start + 2 * p + k + 1:
                return Period(start, p, n - 1)
        return None
