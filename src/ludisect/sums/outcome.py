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
from dataclasses import dataclass, field
from fractions import Fraction

from ludisect.cgt import Value, budget, followers, number
from ludisect.cgt.dyadic import Number
from ludisect.cgt.value import ZERO, add, le, negate
from ludisect.errors import BudgetExceeded

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


@dataclass(slots=True)
class _Entry:
    """One component in the solver's table: walls at the solver's temperatures, and Left's moves."""

    value: Value
    negative: int
    left: list[Number]
    right: list[Number]
    width: list[Number]
    moves: list[tuple[int, Value, Value | None]] | None = field(default=None)


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
        self._temperatures: list[Number] = [0]
        self._entries: list[_Entry] = []
        self._places: dict[int, int] = {}
        self._memo: dict[State, bool] = {}
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
        temperatures = {0, *self._temperatures, *(g.thermograph.temperature for g in components)}
        if len(temperatures) > len(self._temperatures):
            self._temperatures = sorted(t for t in temperatures if t >= 0)
            for entry in self._entries:
                self._measure(entry)
        return tuple(sorted(self._place(g) for g in components)), rest

    def _place(self, g: Value) -> int:
        """The number of ``g`` in the table; its negative is taken up with it."""
        place = self._places.get(g.serial)
        if place is None:
            place = len(self._entries)
            h = negate(g)
            for value, other in ((g, place + 1), (h, place)) if g is not h else ((g, place),):
                self._places[value.serial] = len(self._entries)
                entry = _Entry(value, other, [], [], [])
                self._measure(entry)
                self._entries.append(entry)
        return place

    def _measure(self, entry: _Entry) -> None:
        graph = entry.value.thermograph
        entry.left = [graph.left.at(t) for t in self._temperatures]
        entry.right = [graph.right.at(t) for t in self._temperatures]
        entry.width = [x - y for x, y in zip(entry.left, entry.right, strict=True)]

    def _moves(self, entry: _Entry) -> list[tuple[int, Value, Value | None]]:
        """Left's moves: place of the new component (-1 if none), what it adds to the rest, and its incentive."""
        if entry.moves is None:
            moves: list[tuple[int, Value, Value | None]] = []
            for x in entry.value.left:
                incentive = _incentive(x, entry.value) if self.use_incentives else None
                moves.append((-1, x, incentive) if x.nus is not None else (self._place(x), ZERO, incentive))
            entry.moves = moves
        return entry.moves

    # ---- deciding -------------------------------------------------------------------------------------------------

    def _by_walls(self, state: State) -> bool | None:
        """Whether Left, moving first, wins, if the walls tell."""
        places, rest = state
        x = rest.ls
        entries = [self._entries[p] for p in places]
        if not self.use_walls and entries:
            return None
        if not entries:
            return not le(rest, ZERO)
        if len(entries) == 1:
            return not le(entries[0].value, negate(rest))
        lefts = map(sum, zip(*[e.left for e in entries], strict=True))
        rights = map(sum, zip(*[e.right for e in entries], strict=True))
        widths = map(max, zip(*[e.width for e in entries], strict=True))
        for t, left, right, width in zip(self._temperatures, lefts, rights, widths, strict=True):
            if right + width + x > 0:
                return True
            if left + t + x < 0:
                return False
        return None

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
        known = self._memo.get(state)
        if known is not None:
            return known
        self.nodes += 1
        if self._end is not None and self.nodes & 15 == 0 and time.monotonic() > self._end:
            raise BudgetExceeded("the time limit was reached before the sum was decided", budget="seconds")
        answer = self._expand(state)
        if len(self._memo) >= MEMO_SIZE:
            self._memo.clear()
        self._memo[state] = answer
        return answer

    def _expand(self, state: State) -> bool:
        places, rest = state
        candidates: list[tuple[int, int, Value, Value | None]] = []
        for p in dict.fromkeys(places):
            candidates.extend((p, q, x, gain) for q, x, gain in self._moves(self._entries[p]))
        if self.use_incentives:
            candidates = _undominated(candidates)
        open_children: list[tuple[Number, State]] = []
        for p, q, x, _ in candidates:
            child = self._mirrored(places, p, q, add(rest, x))
            reply = self._by_walls(child)
            if reply is False:
                return True
            if reply is None:
                open_children.append((self._promise(child), child))
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

    def _mirrored(self, places: tuple[int, ...], p: int, q: int, rest: Value) -> State:
        """The sum after Left's move from component ``p`` to ``q``, seen by Right."""
        changed = list(places)
        changed.remove(p)
        if q >= 0:
            opposite = self._entries[q].negative
            if opposite in changed:
                changed.remove(opposite)
            else:
                changed.append(q)
        return self._negated(changed), negate(rest)

    def _negated(self, places: Iterable[int]) -> tuple[int, ...]:
        return tuple(sorted([self._entries[p].negative for p in places]))

    def _promise(self, state: State) -> Number:
        """How much the player to move hopes for; the opponent tries the least first."""
        entries = [self._entries[p] for p in state[0]]
        best: Number | None = None
        for i, t in enumerate(self._temperatures):
            hope = sum(e.left[i] for e in entries) + t
            best = hope if best is None or hope < best else best
        return (best or 0) + state[1].ls


def _incentive(x: Value, g: Value) -> Value | None:
    """x - g, unless it is too large to be worth it."""
    try:
        with budget(nodes=400):
            return add(x, negate(g))
    except BudgetExceeded:
        return None


def _undominated(
    candidates: list[tuple[int, int, Value, Value | None]],
) -> list[tuple[int, int, Value, Value | None]]:
    """Leave out moves that gain no more than another one."""
    kept: list[tuple[int, int, Value, Value | None]] = []
    for move in candidates:
        gain = move[3]
        if gain is None:
            kept.append(move)
        elif not any(other[3] is not None and le(gain, other[3]) for other in kept):
            kept = [other for other in kept if other[3] is None or not le(other[3], gain)]
            kept.append(move)
    return kept


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
