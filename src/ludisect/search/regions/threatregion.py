"""Regions of a game with threats: a move may win everything, and values have ``on`` and ``off``.

A threat that can still come true ties together the facts that it reads, so it lies in one region. A region without
threats is a plain one, with a plain value; the others are positions with outright wins like any other
(:mod:`ludisect.sums.threatsearch`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from ludisect.cgt import Worth
from ludisect.rulesets.position import Player
from ludisect.search.regions.guarded import OperatorSet
from ludisect.search.regions.region import Region
from ludisect.search.regions.settling import Operator, settle, split
from ludisect.search.regions.threats import Threat


@dataclass(frozen=True, eq=False)
class Threatened:
    """Operators, and the threats of a game whose ends by lack of moves are those of normal play."""

    operators: OperatorSet
    threats: tuple[Threat, ...]

    @cached_property
    def listed(self) -> tuple[Operator, ...]:
        """The operators, and an idle one for each threat: what it reads belongs together."""
        return (*self.operators.listed, *(Operator(Player.LEFT, "", t.needs, t.bars, 0, 0) for t in self.threats))

    @property
    def ties(self) -> range:
        """The numbers of those that do nothing."""
        return range(len(self.operators.listed), len(self.listed))

    def whole(self, facts: int) -> ThreatRegion:
        """All that can still be played where these facts hold, in one position; its ``parts`` are the regions."""
        return self.settled(range(len(self.operators.listed)), facts)

    def settled(self, among: Iterable[int], facts: int) -> ThreatRegion:
        """What some operators make of the facts that hold."""
        won = next((threat.winner for threat in self.threats if threat.holds(facts)), None)
        ties = self.ties
        live, open_facts = settle(self.listed, [*among, *ties], facts)
        moves = tuple(i for i in live if i < ties.start)
        self.operators.refuse_passes(moves, open_facts)
        return ThreatRegion(self, () if won else moves, open_facts, facts, won)


class ThreatRegion(Region):
    """A region in which somebody can win everything, now or later; nobody moves once that has happened."""

    outright = True

    def __init__(
        self, threatened: Threatened, live: tuple[int, ...], open_facts: int, facts: int, won: Player | None = None
    ) -> None:
        super().__init__(threatened.operators, live, open_facts, facts)
        self.threatened, self.won = threatened, won

    def play(self, player: Player, move: int) -> ThreatRegion:
        facts = super().play(player, move).facts  # which says what is wrong with a move
        return self.threatened.settled(self.live, facts)

    def parts(self) -> Sequence[Region]:
        if self.won is not None:
            return [self]
        listed, ties = self.threatened.listed, self.threatened.ties
        live, _ = settle(listed, [*self.live, *ties], self.facts)
        pieces = split(listed, [i for i in live if i < ties.start or listed[i].reads & self.open], self.open)
        out: list[Region] = []
        for some, facts in pieces:
            moves = tuple(i for i in some if i < ties.start)
            if moves and len(moves) < len(some):
                out.append(ThreatRegion(self.threatened, moves, facts, self.facts))
            elif moves:
                out.append(Region(self.operators, moves, facts, self.facts))
        return out

    def won_by(self) -> Player | None:
        return self.won

    def key(self) -> tuple[Hashable, bool]:
        # regions of one name may hold other threats
        return ("threat region", self._identity), False

    @cached_property
    def _identity(self) -> tuple[object, ...]:
        return (*super()._identity, self.threatened.threats, self.won)

    @cached_property
    def value(self) -> Worth:  # type: ignore[override]
        """The value, with ``on`` and ``off`` where somebody can win everything."""
        return super(Region, self).value

    @property
    def fits_compiled(self) -> bool:
        """No: the compiled search knows no threats."""
        return False

    def terminal_value(self) -> None:
        """None: the values that a region has by itself are those of normal play."""
        return None

    def bounds(self) -> None:
        """None: a threat may be worth more than all moves."""
        return None
