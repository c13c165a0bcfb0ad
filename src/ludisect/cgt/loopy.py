"""Loopy games, kept apart from short values: on, off, over, under, dud, and who wins a sum with them.

:class:`Loop` decides by retrograde analysis of the finite graph of the sum: win, loss or draw for either player moving
first.

>>> from ludisect.cgt import Loop, parse
>>> [result.value for result in (Loop.of("over") + Loop.of(parse("v"))).results()]
['win', 'win']
>>> [result.value for result in (Loop.of("dud") + Loop.of(parse("3"))).results()]
['draw', 'draw']

References: *Winning Ways*, ch. 11; Siegel, *Combinatorial Game Theory* (2013), VI.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from ludisect.cgt.value import Value


class Mark(Enum):
    """The named loopy games: on = {on|}, off = {|off}, over = {0|over}, under = {under|0}, dud = {dud|dud}."""

    ON = "on"
    OFF = "off"
    OVER = "over"
    UNDER = "under"
    DUD = "dud"


class Result(Enum):
    """How a play ends for Left."""

    WIN = "win"
    LOSS = "loss"
    DRAW = "draw"


@dataclass(frozen=True, slots=True)
class Loop:
    """A finite game graph that may have cycles: ``left[i]`` and ``right[i]`` are the options of position ``i``."""

    left: tuple[tuple[int, ...], ...]
    right: tuple[tuple[int, ...], ...]
    start: int = 0

    @staticmethod
    def of(g: Value | Mark | str) -> Loop:
        """The graph of a loopy mark (or its name) or of a short value."""
        if not isinstance(g, Value):
            left, right = _MARKS[Mark(g)]
            return Loop(left, right)
        places: dict[Value, int] = {g: 0}
        order = [g]
        for x in order:  # grows while it is walked
            for y in (*x.left, *x.right):
                if places.setdefault(y, len(order)) == len(order):
                    order.append(y)
        return Loop(
            tuple(tuple(places[y] for y in x.left) for x in order),
            tuple(tuple(places[y] for y in x.right) for x in order),
        )

    def __add__(self, other: Loop) -> Loop:
        """The sum, as the product of both graphs."""
        n = len(other.left)

        def both(a: tuple[tuple[int, ...], ...], b: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
            return tuple(
                (*(x * n + j for x in a[i]), *(i * n + y for y in b[j])) for i in range(len(a)) for j in range(n)
            )

        return Loop(both(self.left, other.left), both(self.right, other.right), self.start * n + other.start)

    def results(self) -> tuple[Result, Result]:
        """How the play ends when Left starts and when Right starts; an endless play is a draw."""
        n = len(self.left)
        options = (self.left, self.right)
        parents: list[list[int]] = [[] for _ in range(2 * n)]  # node 2i: Left to move in i, 2i+1: Right
        open_moves = [0] * (2 * n)
        for i in range(n):
            for player in (0, 1):
                open_moves[2 * i + player] = len(options[player][i])
                for j in options[player][i]:
                    parents[2 * j + 1 - player].append(2 * i + player)
        mover_wins: list[bool | None] = [None] * (2 * n)
        stack = [v for v in range(2 * n) if not open_moves[v]]
        for v in stack:
            mover_wins[v] = False
        while stack:
            v = stack.pop()
            for u in parents[v]:
                if mover_wins[u] is not None:
                    continue
                open_moves[u] -= 1
                if mover_wins[v] is False:
                    mover_wins[u] = True
                elif not open_moves[u]:
                    mover_wins[u] = False
                else:
                    continue
                stack.append(u)

        def result(won: bool | None, player: int) -> Result:
            if won is None:
                return Result.DRAW
            return Result.WIN if won == (player == 0) else Result.LOSS

        at = 2 * self.start
        return result(mover_wins[at], 0), result(mover_wins[at + 1], 1)


_MARKS: dict[Mark, tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]] = {
    Mark.ON: (((0,),), ((),)),
    Mark.OFF: (((),), ((0,),)),
    Mark.OVER: (((1,), ()), ((0,), ())),
    Mark.UNDER: (((0,), ()), ((1,), ())),
    Mark.DUD: (((0,),), ((0,),)),
}
