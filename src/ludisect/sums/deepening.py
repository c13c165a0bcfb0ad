"""Heuristic local search: to a limited depth with ``estimate`` beyond, deepened step by step until exact.

A value that depends on estimates is kept as its reduced canonical form, since an estimate says nothing about
infinitesimals. Values that do not are exact and stay as they are: {*|1} is 0, but with its option reduced to 0 it would
be 1/2. They are found once and serve all depths.

Reference: Mäser 2001, 8.3 (heuristic local search).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from ludisect import clock
from ludisect.cgt import Value, budget, number, reduced
from ludisect.cgt.value import add, canonical, negate
from ludisect.errors import BudgetExceeded, InputError
from ludisect.rulesets.position import Player, Position
from ludisect.sums.transposition import TranspositionTable


@dataclass(frozen=True, slots=True)
class Guess:
    """What heuristic local search knows at one depth; ``exact`` if no position had to be estimated."""

    value: Value
    depth: int
    exact: bool
    nodes: int


def deepen(
    position: Position, *, most: int = 64, seconds: float | None = None, entries: int | None = None
) -> Iterator[Guess]:
    """Heuristic local search, one depth after the other, until the value is exact or a limit is reached.

    Each result can be used while the next one is computed. Tables keep at most ``entries`` positions.

    Raises:
        InputError: the game gives no estimate.
    """
    end = None if seconds is None else clock.now() + seconds
    exact: TranspositionTable[Hashable, Value] = TranspositionTable(entries)
    for depth in range(1, most + 1):
        search = _Deepening(end, exact, TranspositionTable(entries))
        try:
            with budget(seconds=None if end is None else max(0.0, end - clock.now())):
                value, is_exact = search.sum(position, depth)
        except BudgetExceeded:
            return
        yield Guess(value, depth, is_exact, search.nodes)
        if is_exact:
            return


class _Deepening:
    """One iteration of :func:`deepen`; every result comes with whether it is exact."""

    def __init__(
        self,
        end: float | None,
        exact: TranspositionTable[Hashable, Value],
        guesses: TranspositionTable[tuple[Hashable, int], Value],
    ) -> None:
        self.end, self.exact, self.guesses = end, exact, guesses
        self.nodes = 0

    def sum(self, position: Position, depth: int) -> tuple[Value, bool]:
        total, all_exact = number(0), True
        for part in position.parts():
            value, is_exact = self.part(part, depth)
            total, all_exact = add(total, value), all_exact and is_exact
        return (total, True) if all_exact else (reduced(total), False)

    def part(self, part: Position, depth: int) -> tuple[Value, bool]:
        known = part.terminal_value()
        if known is not None:
            return known, True
        key, negative = part.key()
        value, is_exact = self.exact.get(key), True
        if value is None:
            value, is_exact = self.guesses.get((key, depth)), False
        if value is None:
            before = self.nodes
            value, is_exact = self.expand(part, depth)
            value = negate(value) if negative else value
            if is_exact:
                self.exact.put(key, value, self.nodes - before)
            else:
                self.guesses.put((key, depth), value, self.nodes - before)
        return negate(value) if negative else value, is_exact

    def expand(self, part: Position, depth: int) -> tuple[Value, bool]:
        self.nodes += 1
        if self.end is not None and clock.now() > self.end:
            raise BudgetExceeded("the time limit was reached", budget="seconds")
        moves = {player: part.moves(player) for player in Player}
        if depth == 0 and any(moves.values()):
            guess = part.estimate()
            if guess is None:
                raise InputError(f"the game {part.name!r} has no estimate; heuristic search needs one")
            return number(guess), False
        after = {p: [self.sum(part.play(p, m), depth - 1) for m in moves[p]] for p in Player}
        left, right = ({value for value, _ in after[p]} for p in Player)
        value = canonical(list(left), list(right))
        if all(is_exact for found in after.values() for _, is_exact in found):
            return value, True
        return reduced(value), False
