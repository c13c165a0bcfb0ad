"""Stops of sums, exactly, without adding up: alpha-beta over normal forms modulo infinitesimals.

Stops do not change if a game is replaced by its reduced canonical form, which is smaller and has fewer moves. What
keeps the search small, besides normal forms (:mod:`ludisect.sums.components`):

- walls: with ``t`` any temperature, the left stop of a sum is at least (sum of right walls at t) + (largest width at
  t), which Thermostrat secures, and at most (sum of left walls at t) + t. All switches together count as one
  component, whose walls are known: they are played from the hottest down;
- a move is left out if another gains as much up to an infinitesimal. That the difference of two gains has a left stop
  of at most 0 is asked of this same search, with a limit;
- for each sum the best bounds found so far are kept, whatever number stood beside it.

References: *Winning Ways*, ch. 6 (Thermostrat and its guarantee); Grossman and Siegel, *Reductions of partizan games*,
in Games of No Chance 3 (2009); Müller and Li, *Locally informed global search for sums of combinatorial games* (2004).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import TypeVar

from ludisect import clock
from ludisect.cgt import Value, followers, reduced
from ludisect.cgt.dyadic import normal
from ludisect.errors import BudgetExceeded
from ludisect.progress import report
from ludisect.sums.components import Components, Move, Shape

T = TypeVar("T")

MEMO_SIZE = 1 << 20
"""Sums whose bounds are kept; a full table is emptied."""

DOMINATION_NODES = 100
"""Sums that may be expanded to find out whether one move gains as much as another."""


class Work:
    """Counts expanded sums and ends the search when the time, or what a side question may take, is used up."""

    def __init__(self) -> None:
        self.nodes = 0
        self.end: float | None = None
        self._most: int | None = None

    def begin(self, seconds: float | None, nodes: int | None) -> None:
        """A new question with its limits."""
        self.end = None if seconds is None else clock.now() + seconds
        self._most = None if nodes is None else self.nodes + nodes

    def tick(self) -> None:
        """A sum is expanded.

        Raises:
            BudgetExceeded: a limit is reached.
        """
        self.nodes += 1
        if self.nodes & 255 == 0:
            report("deciding the sum", self.nodes)
        if self._most is not None and self.nodes > self._most:
            raise BudgetExceeded("the limit of a side question was reached", budget="nodes")
        if self.end is not None and self.nodes & 15 == 0 and clock.now() > self.end:
            raise BudgetExceeded("the time limit was reached before the sum was decided", budget="seconds")

    def spend(self, nodes: int) -> None:
        """Some sums were expanded.

        Raises:
            BudgetExceeded: a limit is reached.
        """
        self.nodes += nodes
        report("deciding the sum", self.nodes)
        if self._most is not None and self.nodes > self._most:
            raise BudgetExceeded("the limit on sums was reached before the sum was decided", budget="nodes")
        if self.end is not None and clock.now() > self.end:
            raise BudgetExceeded("the time limit was reached before the sum was decided", budget="seconds")

    def within(self, nodes: int, question: Callable[[], T]) -> T | None:
        """The answer to a question, or None if more than so many sums would have to be expanded."""
        outer, limit = self._most, self.nodes + nodes
        self._most = limit if outer is None else min(outer, limit)
        try:
            return question()
        except BudgetExceeded as error:
            if error.budget != "nodes" or (outer is not None and self.nodes > outer):
                raise
            return None
        finally:
            self._most = outer


class StopSearch:
    """Left stops of sums; always seen by Left, who is to move.

    ``use_walls`` and ``use_domination`` switch the two shortcuts off; answers do not change.
    """

    def __init__(self, scale: int, work: Work, *, use_walls: bool = True, use_domination: bool = True) -> None:
        self.components = Components(scale)
        self.use_walls, self.use_domination = use_walls, use_domination
        self._work = work
        self.heat: list[int] = [0]
        """The temperatures at which walls are compared."""
        self._walls: dict[int, tuple[list[int], list[int]]] = {}
        self._widths: dict[int, list[int]] = {}
        self._switch_walls: dict[tuple[int, ...], list[int]] = {}
        self._known: dict[Shape, list[int]] = {}
        self._dominated: dict[tuple[Move, Move], bool] = {}

    def measure(self, values: Iterable[Value]) -> None:
        """Compare walls at the temperatures of these games and their followers too; where does not matter for truth."""
        if not self.use_walls:
            return
        found = {h.temperature for g in values for h in followers(reduced(g))}
        heat = sorted({*self.heat, *(self.components.scaled(t) for t in found if t > 0)})
        if heat != self.heat:
            self.heat = heat
            self._walls.clear()
            self._switch_walls.clear()

    # ---- questions ------------------------------------------------------------------------------------------------

    def sign(self, shape: Shape, x: int) -> int:
        """1, 0 or -1 as the left stop of the sum and the number ``x`` is positive, zero or negative.

        Raises:
            BudgetExceeded: the time was up.
        """
        if self.at_least(shape, 1 - x):
            return 1
        return 0 if self.at_least(shape, -x) else -1

    def bounds(self, shape: Shape) -> list[int]:
        """The best bounds on the left stop known so far: at least, at most."""
        known = self._known.get(shape)
        if known is None:
            if len(self._known) >= MEMO_SIZE:
                self._known.clear()
            known = self._known[shape] = self._by_walls(shape)
        return known

    def at_least(self, shape: Shape, x: int) -> bool:
        """Whether the left stop of the sum is at least ``x``.

        Raises:
            BudgetExceeded: the time was up.
        """
        known = self.bounds(shape)
        if known[0] >= x:
            return True
        if known[1] < x:
            return False
        self._work.tick()
        children: list[tuple[int, Shape, int]] = []
        for move in self._moves(shape):
            child = self.components.after(shape, move)
            most = move.goal.number - x  # the opponent's stop, seen by him, must not be larger
            reply = self.bounds(child)
            if reply[1] <= most:
                known[0] = max(known[0], x)
                return True
            reply[0] = max(reply[0], move.goal.number - known[1])  # no move is worth more than the sum itself
            if reply[0] <= most:
                children.append((reply[0] + reply[1] - 2 * most, child, most))
        children.sort()
        for _, child, most in children:
            if not self.at_least(child, most + 1):
                known[0] = max(known[0], x)
                return True
        known[1] = min(known[1], x - 1)
        return False

    # ---- walls ----------------------------------------------------------------------------------------------------

    def _by_walls(self, shape: Shape) -> list[int]:
        places, heats = shape
        switches = self._of_switches(heats)
        if not places:
            return [switches[0], switches[0]]
        rows = [self.walls(p) for p in places]
        left = [sum(column) for column in zip(switches, *(row[0] for row in rows), strict=True)]
        right = [sum(column) for column in zip(*(row[1] for row in rows), strict=True)]
        if not self.use_walls:
            return [right[0] - switches[0], left[0]]
        width = [max(column) for column in zip(*(self._widths[p] for p in places), strict=True)]
        low = max(r - s + max(w, 2 * s) for r, s, w in zip(right, switches, width, strict=True))
        return [low, min(x + t for x, t in zip(left, self.heat, strict=True))]

    def walls(self, place: int) -> tuple[list[int], list[int]]:
        """The left and the right wall of a component."""
        walls = self._walls.get(place)
        if walls is None:
            graph, mean = self.components.values[place].thermograph, self.components.means[place]
            at = [normal(Fraction(t, self.components.scale)) for t in self.heat]
            left = [self.components.scaled(graph.left.at(t)) - mean for t in at]
            right = [self.components.scaled(graph.right.at(t)) - mean for t in at]
            walls = self._walls[place] = left, right
            self._widths[place] = [x - y for x, y in zip(left, right, strict=True)]
        return walls

    def _of_switches(self, heats: tuple[int, ...]) -> list[int]:
        """The left wall of a sum of switches, which is also minus the right wall."""
        walls = self._switch_walls.get(heats)
        if walls is None:
            walls = []
            for t in self.heat:
                total, sign = 0, 1
                for heat in heats:
                    if heat <= t:
                        break
                    total += sign * heat
                    sign = -sign
                walls.append(total if sign > 0 else total - t)
            if len(self._switch_walls) >= MEMO_SIZE:
                self._switch_walls.clear()
            self._switch_walls[heats] = walls
        return walls

    # ---- moves ----------------------------------------------------------------------------------------------------

    def _moves(self, shape: Shape) -> list[Move]:
        """Left's moves that may be needed; of the switches only the hottest is."""
        moves = [move for p in dict.fromkeys(shape[0]) for move in self.components.moves(p)]
        if shape[1]:
            moves.append(self.components.switch(shape[1][0]))
        return undominated(moves, self._at_most) if self.use_domination else moves

    def _at_most(self, move: Move, other: Move) -> bool:
        """Whether one move is known to gain at most what another gains, up to an infinitesimal."""
        answer = self._dominated.get((move, other))
        if answer is None:
            shape, x, _ = self.components.difference(move, other)
            self.use_domination = False  # a question about moves must not lead to others of its kind
            try:
                more = self._work.within(DOMINATION_NODES, lambda: self.at_least(shape, 1 - x))
            finally:
                self.use_domination = True
            if len(self._dominated) >= MEMO_SIZE:
                self._dominated.clear()
            answer = self._dominated[move, other] = more is False
        return answer


def undominated(moves: list[Move], at_most: Callable[[Move, Move], bool]) -> list[Move]:
    """Leave out moves that gain no more than another one."""
    kept: list[Move] = []
    for move in moves:
        if not any(at_most(move, other) for other in kept):
            kept = [other for other in kept if not at_most(other, move)]
            kept.append(move)
    return kept
