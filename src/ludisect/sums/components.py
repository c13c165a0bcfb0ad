"""Sums in normal form: components of mean 0, switches, a number and a tail, so equal sums look equal.

A game that is no number is its mean plus a game of mean 0 (number translation); a switch {a|b} between numbers is its
mean plus ±t. Two equal switches cancel, and so does every component against its negative. What is left over, ups and
nimbers, is the tail. All numbers are integers: multiples of 1/``scale``.

Reference: *On Numbers and Games*, ch. 9 (translation by numbers).
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from ludisect.cgt import Value, followers, number
from ludisect.cgt.dyadic import Number
from ludisect.cgt.value import ZERO, add, atom, negate

Shape = tuple[tuple[int, ...], tuple[int, ...]]
"""A sum but for number and tail: components by place, ascending, and temperatures of switches, descending."""


class Piece(NamedTuple):
    """What one game is in a sum: a number, a switch ±``heat`` (0 if none), a component (-1 if none), a tail."""

    number: int
    heat: int
    place: int
    tail: Value


@dataclass(frozen=True, slots=True, eq=False)
class Move:
    """A move of Left: in the component ``origin``, or (-1) in the switch ±``heat``, to ``goal``."""

    origin: int
    heat: int
    goal: Piece


class Components:
    """Numbers the components of sums; tables are shared by all sums whose numbers are multiples of 1/``scale``."""

    def __init__(self, scale: int) -> None:
        self.scale = scale
        self.values: list[Value] = []
        """For each component a game that differs from it only by its mean."""
        self.means: list[int] = []
        """The means of these games."""
        self.negatives: list[int] = []
        """For each component the place of its negative."""
        self._places: dict[Value, int] = {}
        self._moves: dict[int, list[Move]] = {}
        self._switches: dict[int, Move] = {}

    def piece(self, g: Value) -> Piece:
        """The normal form of one game."""
        if g.number_up_star is not None:
            x, ups, nim = g.number_up_star
            return Piece(self.scaled(x), 0, -1, atom(0, ups, nim))
        mean = self.scaled(g.mean)
        if len(g.left) == len(g.right) == 1 and g.left[0].is_number and g.right[0].is_number:
            return Piece(mean, self.scaled(g.temperature), -1, ZERO)
        return Piece(mean, 0, self._place(g, mean), ZERO)

    def shape(self, pieces: Iterable[Piece]) -> Shape:
        """The sum of pieces, but for numbers and tails."""
        places: list[int] = []
        heats: list[int] = []
        for piece in pieces:
            self._put(places, heats, piece.place, piece.heat)
        return tuple(sorted(places)), tuple(reversed(heats))

    def moves(self, place: int) -> list[Move]:
        """Left's moves in a component."""
        moves = self._moves.get(place)
        if moves is None:
            goals = [self.piece(x) for x in self.values[place].left]
            mean = self.means[place]
            moves = [Move(place, 0, goal._replace(number=goal.number - mean)) for goal in goals]
            self._moves[place] = moves
        return moves

    def switch(self, heat: int) -> Move:
        """Left's move in ±``heat``."""
        move = self._switches.get(heat)
        if move is None:
            move = self._switches[heat] = Move(-1, heat, Piece(heat, 0, -1, ZERO))
        return move

    def after(self, shape: Shape, move: Move) -> Shape:
        """The sum after a move of Left, seen by Right: every component replaced by its negative."""
        places, heats = list(shape[0]), list(reversed(shape[1]))
        if move.origin >= 0:
            places.remove(move.origin)
        else:
            heats.remove(move.heat)
        self._put(places, heats, move.goal.place, move.goal.heat)
        return tuple(sorted([self.negatives[p] for p in places])), tuple(reversed(heats))

    def negative(self, shape: Shape) -> Shape:
        """The negative of a sum."""
        return tuple(sorted([self.negatives[p] for p in shape[0]])), shape[1]

    def difference(self, move: Move, other: Move) -> tuple[Shape, int, Value]:
        """What Left gains by one move minus what he gains by another: shape, number, tail."""
        places: list[int] = []
        heats: list[int] = []
        for x, sign in ((move, 1), (other, -1)):
            for place, direction in ((x.goal.place, sign), (x.origin, -sign)):
                self._put(places, heats, place if place < 0 or direction > 0 else self.negatives[place], 0)
            self._put(places, heats, -1, x.goal.heat)
            self._put(places, heats, -1, x.heat)
        tail = add(move.goal.tail, negate(other.goal.tail))
        return (tuple(sorted(places)), tuple(reversed(heats))), move.goal.number - other.goal.number, tail

    def scaled(self, x: Number) -> int:
        """A number in units of 1/``scale``."""
        units = x * self.scale
        assert units.denominator == 1, "the scale is fine enough for all numbers in play"
        return int(units)

    def _place(self, g: Value, mean: int) -> int:
        # only the key is made by translation: walls of a translated game would all have to be found again
        key = add(g, number(-g.mean))
        place = self._places.get(key)
        if place is None:
            place = self._places[key] = self._enter(g, mean)
            opposite = negate(key)
            if opposite is not key:
                self._places[opposite] = self.negatives[place] = self._enter(negate(g), -mean)
                self.negatives[place + 1] = place
        return place

    def _enter(self, g: Value, mean: int) -> int:
        self.values.append(g)
        self.means.append(mean)
        self.negatives.append(len(self.negatives))
        return len(self.values) - 1

    def _put(self, places: list[int], heats: list[int], place: int, heat: int) -> None:
        """Add a component or a switch, or cancel it; ``heats`` ascend here."""
        if place >= 0:
            if self.negatives[place] in places:
                places.remove(self.negatives[place])
            else:
                places.append(place)
        if heat:
            if heat in heats:
                heats.remove(heat)
            else:
                insort(heats, heat)


def scale_of(values: Iterable[Value]) -> int:
    """The common denominator of all numbers, means and walls that can appear in play of these games."""
    seen: set[Value] = set()
    scale = 1
    for value in values:
        for g in followers(value):
            if g in seen:
                continue
            seen.add(g)
            graph = g.thermograph
            for wall in (graph.left, graph.right):
                for t, x in wall.points:
                    if t >= 0:
                        scale = max(scale, Fraction(t).denominator, Fraction(x).denominator)
            scale = max(scale, Fraction(graph.mean).denominator)
    return scale
