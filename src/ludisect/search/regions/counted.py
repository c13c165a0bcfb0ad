"""Regions of a game that is counted in points: positions with a score, and points made for good apart."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from ludisect.cgt import Value
from ludisect.cgt.dyadic import Number
from ludisect.rulesets.position import Player, Position
from ludisect.search.regions.guarded import OperatorSet
from ludisect.search.regions.pointweights import PointWeights
from ludisect.search.regions.region import Region
from ludisect.search.regions.settling import Operator, settle, split


class Made(Position):
    """Points that are made for good: nobody can move here."""

    name = "points"

    def __init__(self, points: int) -> None:
        self.points = points

    def moves(self, player: Player) -> Sequence[int]:
        return []

    def play(self, player: Player, move: int) -> Made:
        raise ValueError("nobody can move where points are made for good")

    def score(self) -> Number:
        return self.points

    def key(self) -> tuple[Hashable, bool]:
        return (self.name, self.points), False

    def __str__(self) -> str:
        return f"{self.points:+d} points"


@dataclass(frozen=True, eq=False)
class Counting:
    """Operators, and the points that the facts count which they set and clear."""

    operators: OperatorSet
    weights: PointWeights

    @cached_property
    def listed(self) -> tuple[Operator, ...]:
        """The operators, and an idle one for each fact that counts: who sets the same fact belongs together."""
        ties = (Operator(Player.LEFT, "", 1 << f, 0, 0, 0) for f, w in enumerate(self.weights.weights) if w)
        return (*self.operators.listed, *ties)

    @property
    def ties(self) -> range:
        """The numbers of those that do nothing."""
        return range(len(self.operators.listed), len(self.listed))

    def whole(self, facts: int) -> CountedRegion:
        """All that can still be played where these facts hold; what they score already is not counted."""
        return self.settled(range(len(self.operators.listed)), facts, 0)

    def settled(self, among: Iterable[int], facts: int, points: int) -> CountedRegion:
        """What some operators make of the facts that hold, with some points made."""
        ties = self.ties
        live, open_facts = settle(self.listed, [*among, *ties], facts)
        moves = tuple(i for i in live if i < ties.start)
        self.operators.refuse_passes(moves, open_facts)
        return CountedRegion(self, moves, open_facts, facts, points)


class CountedRegion(Region):
    """A region in which points are made: ``points`` so far, by what was played since it was a region by itself."""

    def __init__(self, counting: Counting, live: tuple[int, ...], open_facts: int, facts: int, points: int) -> None:
        super().__init__(counting.operators, live, open_facts, facts)
        self.counting, self.points = counting, points

    def play(self, player: Player, move: int) -> CountedRegion:
        facts = super().play(player, move).facts  # which says what is wrong with a move
        weights = self.counting.weights
        return self.counting.settled(self.live, facts, self.points + weights.of(facts) - weights.of(self.facts))

    def parts(self) -> Sequence[Position]:  # type: ignore[override]
        listed, ties = self.counting.listed, self.counting.ties
        live = [*self.live, *(i for i in ties if listed[i].reads & self.open)]
        pieces = [(tuple(i for i in some if i < ties.start), facts) for some, facts in split(listed, live, self.open)]
        pieces = [(some, facts) for some, facts in pieces if some]
        if len(pieces) == 1 and not self.points:
            return [self]
        apart = [CountedRegion(self.counting, some, facts, self.facts, 0) for some, facts in pieces]
        return [*([Made(self.points)] if self.points else []), *apart]

    def score(self) -> Number:
        return self.points

    def key(self) -> tuple[Hashable, bool]:
        # regions of one name may count other facts
        weights = self.counting.weights.weights
        return ("counted", self.operators.digest, weights, self.points, self.live, self.open, self.holding), False

    def estimate(self) -> Number:
        return self.points

    @cached_property
    def value(self) -> Value:
        """The value by points; raises Zugzwang where there is none."""
        found = super(Region, self).value
        assert isinstance(found, Value)  # no move makes more than points
        return found

    def terminal_value(self) -> None:
        """None: the values that a region has by itself are those of normal play."""
        return None

    def bounds(self) -> None:
        """None: those of a region count moves, not points."""
        return None

    @cached_property
    def _identity(self) -> tuple[object, ...]:
        return (*super()._identity, self.points)
