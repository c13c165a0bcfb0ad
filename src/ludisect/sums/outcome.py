"""Who wins a sum, without adding it up: means and temperatures, walls, then a search of what is left.

Steps, each only if the one before did not decide:

1. every component is split into its mean and a game of mean 0; switches and games cancel, numbers, ups and nimbers are
   merged (:mod:`ludisect.sums.components`);
2. the walls of the thermographs bound the stops: a stop on one side of zero decides. Far above all temperatures this
   says: a sum is won by the side of its mean if that is larger than every temperature;
3. the stops are found by search modulo infinitesimals (:mod:`ludisect.sums.stops`);
4. where the stop is 0 they are found again, with a bonus for every move that tells who moves last
   (:mod:`ludisect.sums.ties`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from ludisect.cgt import Value, budget, number, reduced
from ludisect.cgt.value import ZERO, le, negate
from ludisect.errors import BudgetExceeded, InputError
from ludisect.sums.components import Shape, scale_of
from ludisect.sums.limits import SumsLimits
from ludisect.sums.stops import StopSearch, Work
from ludisect.sums.ties import BITS, TieSearch, heated, parted


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


def outcome_class(left: bool, right: bool) -> str:
    """``L``, ``R``, ``N`` or ``P``, from whether Left and whether Right wins moving first."""
    return {(True, True): "N", (True, False): "L", (False, True): "R", (False, False): "P"}[left, right]


KERNELS = ("auto", "plain", "compiled")


class SumSolver:
    """Decides sums of values; tables are shared by all sums asked of one solver.

    ``use_walls``, ``use_domination`` and ``use_stops`` switch the shortcuts off (of the plain kernel); answers do not
    change. ``kernel`` is ``plain``, ``compiled`` or ``auto``: plain, and compiled if that takes long.
    """

    def __init__(
        self,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        use_walls: bool = True,
        use_domination: bool = True,
        use_stops: bool = True,
        kernel: str = "auto",
    ) -> None:
        if kernel not in KERNELS:
            raise InputError(f"unknown kernel {kernel!r}; choose one of {', '.join(KERNELS)}")
        self.kernel = kernel
        self.use_walls, self.use_domination, self.use_stops = use_walls, use_domination, use_stops
        self.seconds = seconds
        """How long each question may take; it may be changed from one to the next."""
        self.most_nodes = nodes
        """Sums that each question may expand."""
        self._few = SumsLimits.current().outcome_plain_nodes
        self._work = Work()
        self._coarse: StopSearch | None = None
        self._ties: TieSearch | None = None
        self._heated: dict[Value, list[Value]] = {}
        self._proof = "value"

    @property
    def nodes(self) -> int:
        """The sums expanded so far."""
        return self._work.nodes

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
        letter = outcome_class(left, right)
        mean = sum((g.mean for g in listed), Fraction(0))
        temperature = max((g.temperature for g in listed), default=Fraction(-1))
        proof = "means" if self._proof == "walls" and abs(mean) > temperature else self._proof
        return Outcome(letter, proof, self.nodes - before, mean, temperature)

    def wins(self, values: Iterable[Value], *, left_starts: bool) -> bool:
        """Whether the player who starts wins the sum.

        Raises:
            BudgetExceeded: the time was up, or the sum is too deep for the search.
        """
        listed = [x if left_starts else negate(x) for x in values]
        self._work.begin(self.seconds, self.most_nodes)
        try:
            with budget(seconds=self.seconds):
                return self._first_wins(listed)
        except (BudgetExceeded, RecursionError) as error:
            raise self._stopped(error, listed, left_starts) from None

    def _stopped(self, error: BudgetExceeded | RecursionError, seen: list[Value], left_starts: bool) -> BudgetExceeded:
        """The error that a question ends with; ``seen`` is the sum as seen by the player who starts."""
        if isinstance(error, RecursionError):
            error = BudgetExceeded("the sum is too deep for the search", budget="depth")
        error.partial = {"stops": self.stop_bounds(seen if left_starts else [negate(x) for x in seen])}
        return error

    def stop(self, values: Iterable[Value], *, left_starts: bool) -> Fraction:
        """The left stop of the sum, or the right stop: where play arrives if that player begins.

        Raises:
            BudgetExceeded: the time was up; ``partial`` holds bounds on the stops of the sum.
        """
        listed = [x if left_starts else negate(x) for x in values]
        self._work.begin(self.seconds, self.most_nodes)
        try:
            with budget(seconds=self.seconds):
                coarse = self._coarse_search(listed)
                coarse.measure(listed)
                pieces = [coarse.components.piece(reduced(g)) for g in listed]
                shape, x = coarse.components.shape(pieces), sum(piece.number for piece in pieces)
                low, high = coarse.bounds(shape)
                while low < high:
                    middle = (low + high) // 2
                    sign = self._sign(coarse, shape, -middle)
                    low, high = (middle, middle) if not sign else (middle + 1, high) if sign > 0 else (low, middle - 1)
        except (BudgetExceeded, RecursionError) as error:
            raise self._stopped(error, listed, left_starts) from None
        stop = Fraction(low + x, coarse.components.scale)
        return stop if left_starts else -stop

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

    # ---- deciding -------------------------------------------------------------------------------------------------

    def _first_wins(self, values: list[Value]) -> bool:
        """Whether Left, moving first, wins the sum."""
        coarse = self._coarse_search(values)
        pieces = [coarse.components.piece(reduced(g)) for g in values]
        shape, x = coarse.components.shape(pieces), sum(piece.number for piece in pieces)
        if self.use_stops:
            coarse.measure(values)
            low, high = coarse.bounds(shape)
            if low + x > 0 or high + x < 0:
                self._note("walls" if sum(g.number_up_star is None for g in values) > 1 else "value")
                return low + x > 0
        simple = [g for g in values if g.number_up_star is None]
        if len(simple) <= 1:
            rest = sum((g for g in values if g.number_up_star is not None), ZERO)
            return not le(simple[0] if simple else ZERO, negate(rest))
        self._note("search")
        sign = self._sign(coarse, shape, x) if self.use_stops else 0
        return sign > 0 if sign else self._tied(values, coarse, shape)

    def _sign(self, coarse: StopSearch, shape: Shape, x: int) -> int:
        """The sign of the left stop."""
        sign = None
        if self.kernel == "auto":
            sign = self._work.within(self._few, lambda: coarse.sign(shape, x))
        if sign is None and self.kernel != "plain":
            from ludisect.sums.stoptables import CompiledStops  # late: it loads numpy

            sign = CompiledStops(self._work, coarse, shape).sign(x)
        return coarse.sign(shape, x) if sign is None else sign

    def _tied(self, values: list[Value], coarse: StopSearch, close: Shape) -> bool:
        """The same where infinitesimals decide."""
        games: list[Value] = []
        for g in values:
            if g not in self._heated:
                self._heated[g] = [heated(h, coarse.components.scale) for h in parted(g)]
            games += self._heated[g]
        ties = self._tie_search(games, coarse)
        ties.measure(games)
        pieces = [ties.components.piece(g) for g in games]
        shape, least = ties.components.shape(pieces), ties.bonus - sum(piece.number for piece in pieces)
        answer = None
        if self.kernel == "auto":
            answer = self._work.within(self._few, lambda: ties.at_least(shape, least))
        if answer is None and self.kernel != "plain":
            from ludisect.sums.stoptables import CompiledStops

            answer = CompiledStops(self._work, coarse, close).at_least(ties, shape, least)
        return ties.at_least(shape, least) if answer is None else answer

    def _coarse_search(self, values: list[Value]) -> StopSearch:
        scale = scale_of([*values, *map(reduced, values)])
        if self._coarse is None or scale > self._coarse.components.scale:
            self._coarse = StopSearch(scale, self._work, use_walls=self.use_walls, use_domination=self.use_domination)
            self._ties = None
            self._heated.clear()
        return self._coarse

    def _tie_search(self, games: list[Value], coarse: StopSearch) -> TieSearch:
        scale = max(scale_of(games), coarse.components.scale << BITS)
        if self._ties is None or scale > self._ties.components.scale:
            self._ties = TieSearch(
                scale,
                self._work,
                coarse,
                use_stops=self.use_stops,
                use_walls=self.use_walls,
                use_domination=self.use_domination,
            )
        return self._ties

    def _note(self, proof: str) -> None:
        """Remember the strongest means that was needed."""
        order = ("value", "walls", "search")
        self._proof = max(self._proof, proof, key=order.index)


def sum_values(
    values: Iterable[Value], *, nodes: int | None = None, steps: int | None = None, seconds: float | None = None
) -> Value:
    """The canonical form of a sum, within limits.

    Raises:
        BudgetExceeded: the sum is too large; ``partial`` is the number of components that were added.
    """
    total, done = number(0), 0
    with budget(nodes=nodes, steps=steps, seconds=seconds):
        for g in values:
            try:
                total = total + g
            except BudgetExceeded as error:
                error.partial = done
                raise
            done += 1
    return total
