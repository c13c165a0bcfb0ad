"""Nets of a circuit as disjunctions of cubes: which facts must hold, and which must not, for a net to be true.

A cube is a pair of words: the facts that must hold, and the facts that must not (bit f is fluent f). A net is true iff
one of its cubes fits the state. Cubes that another one contains are dropped, so a net that is a plain conjunction has
one cube. Some nets have no small disjunction ("every group of stones has a liberty"); ``TooMany`` says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ludisect.circuit.circuit import Circuit
from ludisect.circuit.netlist import FALSE, TRUE

Cube = tuple[int, int]
"""Facts that must hold, facts that must not."""

ANYTHING: Cube = (0, 0)


PRODUCTS = 4
"""Cubes that are made, times those that are wanted, before some are absorbed by others: that takes their square."""

COMPARED, FEW = 20_000, 16
"""Pairs of cubes that are compared in all nets together, times the cubes that are wanted; after that, nets of more than
a few cubes have too many. Where many nets are large, most of them are in vain."""


class TooMany(Exception):
    """A net has more cubes than are wanted."""


class Cubes:
    """The cubes of nets of one circuit, of which no net may have more than ``most``."""

    def __init__(self, circuit: Circuit, most: int) -> None:
        self._circuit, self._most = circuit, most
        self._left = COMPARED * most
        self._known: dict[int, tuple[Cube, ...] | None] = {TRUE: (ANYTHING,), FALSE: ()}

    def of(self, literal: int) -> tuple[Cube, ...]:
        """The cubes of a literal; raises TooMany, and ValueError if it reads a move."""
        for asked in self._order(literal):
            if asked not in self._known:
                self._known[asked] = self._made(asked)
        found = self._known[literal]
        if found is None:
            raise TooMany
        return found

    def _order(self, literal: int) -> list[int]:
        """The literals below one that are not known yet, lowest first: gates can lie too deep for recursion."""
        todo, seen = [literal], {literal}
        for one in todo:
            for below in self._inputs(one):
                if below not in seen and below not in self._known:
                    seen.add(below)
                    todo.append(below)
        return sorted(seen, key=lambda one: one >> 1)

    def _inputs(self, literal: int) -> list[int]:
        node = literal >> 1
        if node <= self._circuit.n_inputs:
            return []
        return [one ^ (literal & 1) for one in self._circuit.gate(node).tolist()]

    def _made(self, literal: int) -> tuple[Cube, ...] | None:
        node, negated = literal >> 1, literal & 1
        if node <= self._circuit.n_fluents:
            bit = 1 << (node - 1)
            return ((0, bit) if negated else (bit, 0),)
        if node <= self._circuit.n_inputs:
            raise ValueError(f"net {literal} reads a move")
        parts = [self._known[one] for one in self._inputs(literal)]
        if not negated:
            return self._all(parts)
        found: set[Cube] = set()
        for part in parts:
            if part is None:
                return None
            found.update(part)
        return self._few(found)

    def _all(self, parts: list[tuple[Cube, ...] | None]) -> tuple[Cube, ...] | None:
        """The cubes of a conjunction; it is false, however large its parts, where one of them is."""
        if any(part == () for part in parts):
            return ()
        found: tuple[Cube, ...] | None = (ANYTHING,)
        for part in sorted(parts, key=lambda part: self._most + 1 if part is None else len(part)):
            if part is None or found is None or len(part) * len(found) > PRODUCTS * self._most:
                return None
            found = self._few({both for one in found for two in part if (both := met(one, two)) is not None})
        return found

    def _few(self, found: set[Cube]) -> tuple[Cube, ...] | None:
        if len(found) > PRODUCTS * self._most or (len(found) > FEW and self._left < 0):
            return None
        self._left -= len(found) ** 2
        kept = absorbed(found)
        return tuple(kept) if len(kept) <= self._most else None


def met(one: Cube, two: Cube) -> Cube | None:
    """The cube of the states that both contain; None if there are none."""
    needs, bars = one[0] | two[0], one[1] | two[1]
    return None if needs & bars else (needs, bars)


def absorbed(found: Iterable[Cube]) -> list[Cube]:
    """The cubes without those that lie in another one."""
    kept: list[Cube] = []
    first: dict[int, list[Cube]] = {}  # by the lowest fact that they need, or 0: only these can contain another
    for needs, bars in sorted(found, key=lambda cube: (cube[0].bit_count() + cube[1].bit_count(), cube)):
        near = (cube for fact in (0, *_singly(needs)) for cube in first.get(fact, ()))
        if not any(n & needs == n and b & bars == b for n, b in near):
            kept.append((needs, bars))
            first.setdefault(needs & -needs, []).append((needs, bars))
    return kept


def _singly(word: int) -> Iterator[int]:
    """The bits of a word, each as a word."""
    while word:
        yield word & -word
        word &= word - 1
