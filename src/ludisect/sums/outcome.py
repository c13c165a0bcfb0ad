"""Who wins a sum, without adding it up: means and temperatures, walls, then a search of what is left.

Steps, each only if the one before did not decide:

1. numbers, ups and nimbers are merged into one, a game is cancelled against its negative, small games are added up;
2. walls: with ``t`` any temperature, the left stop of a sum is at least (sum of right walls at t) + (largest width
   at t), which Thermostrat secures, and at most (sum of left walls at t) + t; mirrored for the right stop. A stop on
   one side of zero decides. Far above all temperatures this says: a sum is won by the side of its mean if that is
   larger than every temperature;
3. search, one component at a time: children decided by the walls first, moves with dominated incentives left out,
   every sum looked up under its multiset of components.

References: *Winning Ways*, ch. 6 (Thermostrat and its guarantee); Siegel, *Combinatorial Game Theory* (2013), II.5;
Müller and Li, *Locally informed global search for sums of combinatorial games* (2004), for search ordered by walls.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from ludisect.cgt import Value, budget, followers, number
from ludisect.cgt.dyadic import Number
from ludisect.cgt.value import ZERO, add, le, negate
from ludisect.errors import BudgetExceeded

if TYPE_CHECKING:
    from ludisect.sums.walls import Walls

MERGED_SIZE = 80
"""Two components are added up before the search while the sum has at most this many followers."""

MEMO_SIZE = 1 << 20


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome class of a sum and how it is known.

    ``proof`` is ``value`` (all components merged into one), ``means`` (see ``mean`` and ``temperature``), ``walls``
    or ``search``; ``nodes`` counts the sums that the search had to expand.
    """

    letter: str
    proof: str
    nodes: int
    mean: Fraction
    temperature: Fraction


@dataclass(frozen=True, slots=True, eq=False)
class _Move:
    """A move of Left: from one component to another (-1 if none is left), what it adds to the rest, its incentive."""

    origin: int
    goal: int
    added: Value
    gain: Value | None


State = tuple[tuple[int, ...], Value]
"""Components by number, ascending, and the merged rest (number, ups, nimber)."""


class SumSolver:
    """Decides sums of values; tables are shared by all sums asked of one solver.

    ``use_walls``, ``use_merging`` and ``use_incentives`` switch the three shortcuts off; answers do not change.
    """

    def __init__(
        self,
        *,
        seconds: float | None = None,
        use_walls: bool = True,
        use_merging: bool = True,
        use_incentives: bool = True,
    ) -> None:
        self.use_walls, self.use_merging, self.use_incentives = use_walls, use_merging, use_incentives
        self.nodes = 0
        self._seconds = seconds
        self._end: float | None = None
        from ludisect.sums.walls import Walls  # late: it loads numpy, which plain values do without

        self._walls: Walls = Walls()
        self._negatives: list[int] = []
        self._places: dict[int, int] = {}
        self._moves_from: dict[int, list[_Move]] = {}
        self._dominated: dict[tuple[_Move, _Move], bool] = {}
        self._memo: dict[tuple[int, ...], tuple[list[Value], list[Value]]] = {}
        self._proof = "value"

    # ---- questions ------------------------------------------------------------------------------------------------

    def outcome(self, values: Iterable[Value]) -> Outcome:
        """The outcome class of the sum of ``values``.

        Raises:
            BudgetExceeded: the time was up; ``partial`` holds bounds on the stops of the sum.
        """
        listed = list(values)
        before = self.nodes
        self._proof = "value"
        left, right = self.wins(listed, left_starts=True), self.wins(listed, left_starts=False)
        letter = {(True, True): "N", (True, False): "L", (False, True): "R", (False, False): "P"}[left, right]
        mean = sum((g.mean for g in listed), Fraction(0))
        temperature = max((g.temperature for g in listed), default=Fraction(-1))
        proof = "means" if self._proof == "walls" and abs(mean) > temperature else self._proof
        return Outcome(letter, proof, self.nodes - before, mean, temperature)

    def wins(self, values: Iterable[Value], *, left_starts: bool) -> bool:
        """Whether the player who starts wins the sum.

        Raises:
            BudgetExceeded: the time was up.
        """
        listed = [x if left_starts else negate(x) for x in values]
        self._end = None if self._seconds is None else time.monotonic() + self._seconds
        try:
            with budget(seconds=self._seconds):
                state = self._prepare(listed, merging=False)
                known = self._by_walls(state)
                if known is None:
                    return self._first_wins(self._prepare(listed, merging=True) if self.use_merging else state)
                self._note("walls" if len(state[0]) > 1 else "value")
                return known
        except BudgetExceeded as error:
            error.partial = {"stops": self.stop_bounds(listed if left_starts else [negate(x) for x in listed])}
            raise

    def stop_bounds(self, values: Iterable[Value]) -> dict[str, tuple[Fraction, Fraction]]:
        """Sure bounds on the left and right stop of the sum, from the walls alone."""
        listed = list(values)
        temperatures = sorted({max(g.temperature, Fraction(0)) for g in listed} | {Fraction(0)})
        graphs = [g.thermograph for g in listed]
        rows = []
        for t in temperatures:
            left = sum((Fraction(x.left.at(t)) for x in graphs), Fraction(0))
            right = sum((Fraction(x.right.at(t)) for x in graphs), Fraction(0))
            widest = max((Fraction(x.width(t)) for x in graphs), default=Fraction(0))
            rows.append((right + widest, left + t, right - t, left - widest))
        return {
            "left": (max(r[0] for r in rows), min(r[1] for r in rows)),
            "right": (max(r[2] for r in rows), min(r[3] for r in rows)),
        }

    # ---- preparing ------------------------------------------------------------------------------------------------

    def _prepare(self, values: list[Value], *, merging: bool) -> State:
        """Merge, cancel, add up what is small, and take up new temperatures."""
        rest = ZERO
        components: list[Value] = []
        for g in values:
            if g.nus is not None:
                rest = add(rest, g)
            elif negate(g) in components:
                components.remove(negate(g))
            else:
                components.append(g)
        if merging:
            components, rest = _merged(components, rest)
        self._walls.measure_at(g.thermograph.temperature for g in components)
        return tuple(sorted(self._place(g) for g in components)), rest

    def _place(self, g: Value) -> int:
        """The number of ``g`` in the table; its negative is taken up with it."""
        place = self._places.get(g.serial)
        if place is None:
            place = self._walls.add(g)
            h = negate(g)
            self._places[g.serial] = place
            self._negatives.append(place)
            if g is not h:
                self._places[h.serial] = self._walls.add(h)
                self._negatives[place] = place + 1
                self._negatives.append(place)
        return place

    def _moves(self, place: int) -> list[_Move]:
        """Left's moves in a component."""
        moves = self._moves_from.get(place)
        if moves is None:
            g = self._walls.values[place]
            self._moves_from[place] = moves = []
            for x in g.left:
                gain = _incentive(x, g) if self.use_incentives else None
                self._walls.integer(x.ls)  # settles the common denominator before anything is read
                goal, added = (-1, x) if x.nus is not None else (self._place(x), ZERO)
                moves.append(_Move(place, goal, added, gain))
        return moves

    # ---- deciding -------------------------------------------------------------------------------------------------

    def _by_walls(self, state: State) -> bool | None:
        """Whether Left, moving first, wins, if the walls tell."""
        places, rest = state
        walls = self._walls
        if not places:
            return not le(rest, ZERO)
        if not self.use_walls:
            return None
        if len(places) == 1:
            return not le(walls.values[places[0]], negate(rest))
        return walls.first_wins(list(places), rest.ls)

    def _first_wins(self, state: State) -> bool:
        """Whether Left, moving first, wins the sum."""
        known = self._by_walls(state)
        if known is not None:
            self._note("walls" if len(state[0]) > 1 else "value")
            return known
        self._note("search")
        return self._search(state)

    def _note(self, proof: str) -> None:
        """Remember the strongest means that was needed."""
        order = ("value", "walls", "search")
        self._proof = max(self._proof, proof, key=order.index)

    def _search(self, state: State) -> bool:
        places, rest = state
        # who wins with some rest wins with any larger one, so the answers for the same components form a ladder
        known = self._memo.get(places)
        if known is not None:
            if any(le(x, rest) for x in known[0]):
                return True
            if any(le(rest, x) for x in known[1]):
                return False
        self.nodes += 1
        if self._end is not None and self.nodes & 15 == 0 and time.monotonic() > self._end:
            raise BudgetExceeded("the time limit was reached before the sum was decided", budget="seconds")
        answer = self._expand(state)
        if len(self._memo) >= MEMO_SIZE:
            self._memo.clear()
        won, lost = self._memo.setdefault(places, ([], []))
        if answer:
            won[:] = [rest, *(x for x in won if not le(rest, x))]
        else:
            lost[:] = [rest, *(x for x in lost if not le(x, rest))]
        return answer

    def _expand(self, state: State) -> bool:
        places, rest = state
        candidates = [move for p in dict.fromkeys(places) for move in self._moves(p)]
        if self.use_incentives:
            candidates = self._undominated(candidates)
        open_children: list[tuple[Number, State]] = []
        for move, verdict, promise in self._judged(places, rest, candidates):
            if verdict is True:
                return True
            if verdict is None:
                child = self._mirrored(places, move, rest)
                # what a cancellation makes small is judged anew
                reply = None if len(child[0]) > 1 and len(child[0]) + 1 >= len(places) else self._by_walls(child)
                if reply is False:
                    return True
                if reply is None:
                    open_children.append((promise, child))
        open_children.sort(key=lambda pair: pair[0])
        if any(not self._search(child) for _, child in open_children):
            return True
        # Moves in the rest matter only if nothing else is left to gain: number avoidance, and ups and nimbers last.
        for x in rest.left if not rest.is_number else ():
            child = (self._negated(places), negate(x))
            reply = self._by_walls(child)
            if reply is None:
                reply = self._search(child)
            if not reply:
                return True
        return False

    def _judged(
        self, places: tuple[int, ...], rest: Value, moves: list[_Move]
    ) -> list[tuple[_Move, bool | None, Number]]:
        """Each move with whether it wins, if the walls tell, and what the opponent may still hope for."""
        if not self.use_walls or len(places) == 1 or not moves:
            return [(move, None, 0) for move in moves]
        walls = self._walls
        judged = walls.judge(
            list(places),
            [move.origin for move in moves],
            [move.goal for move in moves],
            [rest.ls + move.added.ls for move in moves],
        )
        return [(move, *verdict) for move, verdict in zip(moves, judged, strict=True)]

    def _undominated(self, candidates: list[_Move]) -> list[_Move]:
        """Leave out moves that gain no more than another one."""
        kept: list[_Move] = []
        for move in candidates:
            if move.gain is None:
                kept.append(move)
            elif not any(other.gain is not None and self._at_most(move, other) for other in kept):
                kept = [other for other in kept if other.gain is None or not self._at_most(other, move)]
                kept.append(move)
        return kept

    def _at_most(self, move: _Move, other: _Move) -> bool:
        """Whether one move gains at most what another gains: asked again in every sum that has both."""
        answer = self._dominated.get((move, other))
        if answer is None:
            assert move.gain is not None
            assert other.gain is not None
            if len(self._dominated) >= MEMO_SIZE:
                self._dominated.clear()
            self._dominated[move, other] = answer = le(move.gain, other.gain)
        return answer

    def _mirrored(self, places: tuple[int, ...], move: _Move, rest: Value) -> State:
        """The sum after a move of Left, seen by Right."""
        changed = list(places)
        changed.remove(move.origin)
        if move.goal >= 0:
            opposite = self._negatives[move.goal]
            if opposite in changed:
                changed.remove(opposite)
            else:
                changed.append(move.goal)
        return self._negated(changed), negate(add(rest, move.added))

    def _negated(self, places: Iterable[int]) -> tuple[int, ...]:
        return tuple(sorted([self._negatives[p] for p in places]))


def _incentive(x: Value, g: Value) -> Value | None:
    """x - g, unless it is too large to be worth it."""
    try:
        with budget(nodes=400):
            return add(x, negate(g))
    except BudgetExceeded:
        return None


def _merged(components: list[Value], rest: Value) -> tuple[list[Value], Value]:
    """Add up components, smallest first, while the sums stay small."""
    sized = sorted(((len(followers(g)), g.serial, g) for g in components), key=lambda item: item[:2])
    out: list[Value] = []
    while sized:
        size, _, g = sized.pop(0)
        if sized and size * sized[0][0] <= 4 * MERGED_SIZE:
            try:
                with budget(nodes=4 * MERGED_SIZE):
                    total = add(g, sized[0][2])
            except BudgetExceeded:
                total = None
            if total is not None and total.nus is not None:
                rest = add(rest, total)
                sized.pop(0)
                continue
            if total is not None and len(followers(total)) <= MERGED_SIZE:
                sized[0] = (len(followers(total)), total.serial, total)
                sized.sort(key=lambda item: item[:2])
                continue
        out.append(g)
    return out, rest


def sum_values(values: Iterable[Value], *, nodes: int | None = None, seconds: float | None = None) -> Value:
    """The canonical form of a sum, within limits.

    Raises:
        BudgetExceeded: the sum is too large; ``partial`` is the number of components that were added.
    """
    total, done = number(0), 0
    with budget(nodes=nodes, seconds=seconds):
        for g in values:
            try:
                total = total + g
            except BudgetExceeded as error:
                error.partial = done
                raise
            done += 1
    return total
