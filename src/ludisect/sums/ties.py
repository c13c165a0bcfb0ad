"""Who wins a sum, exactly: its stop once every move is paid a bonus too small to matter but where stops are 0.

Let every move gain a positive number d, far smaller than all numbers of the games, and let play end in numbers. If
Left begins, the score is then the number that is reached, plus d if Left made the last move. So he wins the sum in
normal play exactly if the score is at least d; otherwise it is at most 0. The games so heated are hot wherever they are
no numbers, hence nobody gains by passing, which is all that a move in a number amounts to (it costs much more than d).
Stops of sums are what :mod:`ludisect.sums.stops` finds. They are close to those of the same sum without bonus, which
is much easier and is asked first: only lines of play that keep the stop at 0 are searched here.

References: Milnor, *Sums of positional games* (1953), and Hanner, *Mean play of sums of positional games* (1959), for
sums of games in which nobody wants to pass; *On Numbers and Games*, ch. 9 (number avoidance).
"""

from __future__ import annotations

from fractions import Fraction

from ludisect.cgt import Value, followers, heat, make, nimber, number, reduced
from ludisect.cgt.value import ZERO, add
from ludisect.sums.components import Piece, Shape
from ludisect.sums.stops import StopSearch, Work

BITS = 20
"""The bonus is so many halvings of the unit: no play has 2^18 moves."""

STAR = nimber(1)


def parted(g: Value) -> list[Value]:
    """``g``, or two games with the same sum: one that is simpler, and ``*``."""
    if g.number_up_star is not None:
        return [g]
    h = add(g, STAR)
    return [h, STAR] if len(followers(h)) < len(followers(g)) else [g]


def heated(g: Value, scale: int) -> Value:
    """``g`` with the bonus, but for infinitesimals; its numbers are multiples of 1/``scale``."""
    return reduced(heat(g, Fraction(1, scale << BITS)))


class TieSearch(StopSearch):
    """The stops of sums of heated games.

    ``coarse`` finds the stops without bonus; None if that is to be done without.
    """

    def __init__(
        self,
        scale: int,
        work: Work,
        coarse: StopSearch,
        *,
        use_stops: bool = True,
        use_walls: bool = True,
        use_domination: bool = True,
    ) -> None:
        super().__init__(scale, work, use_walls=use_walls, use_domination=use_domination)
        self.coarse, self.use_stops = coarse, use_stops
        self.ratio = scale // coarse.components.scale
        """Units here per unit there."""
        self.bonus = self.ratio >> BITS
        self.slack = self.ratio >> 2
        """More than the stops can differ by."""
        self._rounded: dict[Value, Value] = {}
        self._pieces: list[Piece] = []

    def bounds(self, shape: Shape) -> list[int]:
        """The best bounds on the left stop known so far, by walls with and without bonus."""
        known = self._known.get(shape)
        if known is None:
            known = super().bounds(shape)
            if self.use_stops:
                self._narrow(known, *self.coarse.bounds(self.rounded(shape)))
        return known

    def at_least(self, shape: Shape, x: int) -> bool:
        """Whether the left stop of the sum is at least ``x``.

        Raises:
            BudgetExceeded: the time was up.
        """
        known = self.bounds(shape)
        if known[0] < x <= known[1] and self.use_stops and known[1] - known[0] > 2 * self.slack:
            close, near = self.rounded(shape), self.nearest(x)
            # what the bounds exclude is not asked
            above = known[1] >= (near + 1) * self.ratio - self.slack and self.coarse.at_least(close, near + 1)
            below = known[0] <= (near - 1) * self.ratio + self.slack and not above
            if above:
                self._narrow(known, near + 1, None)
            elif below and not self.coarse.at_least(close, near):
                self._narrow(known, None, near - 1)
            else:
                self._narrow(known, near, near)
        return super().at_least(shape, x)

    def nearest(self, x: int) -> int:
        """A number without bonus."""
        return (2 * x + self.ratio) // (2 * self.ratio)

    def rounded(self, shape: Shape) -> Shape:
        """The sum without bonus, as the coarse search knows it; means are the same there but for the bonus."""
        known = self.pieces()
        pieces = [*(known[p] for p in shape[0]), *(Piece(0, self.nearest(t), -1, ZERO) for t in shape[1])]
        return self.coarse.components.shape(pieces)

    def pieces(self) -> list[Piece]:
        """What each component is without bonus; the numbers do not count."""
        for g in self.components.values[len(self._pieces) :]:
            self._pieces.append(self.coarse.components.piece(reduced(self._round(g))))
        return self._pieces

    def _round(self, g: Value) -> Value:
        """The game with its numbers rounded to those without bonus."""
        done = self._rounded.get(g)
        if done is None:
            if g.is_number:
                scale = self.coarse.components.scale
                done = number(Fraction(round(g.number * scale), scale))
            else:
                done = make(map(self._round, g.left), map(self._round, g.right))
            self._rounded[g] = done
        return done

    def _narrow(self, known: list[int], low: int | None, high: int | None) -> None:
        """Take over bounds without bonus."""
        if low is not None:
            known[0] = max(known[0], low * self.ratio - self.slack)
        if high is not None:
            known[1] = min(known[1], high * self.ratio + self.slack)
