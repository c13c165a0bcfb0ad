"""``Region``: what can still be played in a corner of a state, found from the rules; a position like any other.

Left is the first role of the game, Right the second. A move is the number of an operator.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from ludisect.cgt import Value
from ludisect.cgt.dyadic import Number
from ludisect.errors import BudgetExceeded, IllegalMove
from ludisect.rulesets.depiction import Diagram
from ludisect.rulesets.position import Player, Position
from ludisect.search.limits import SearchLimits
from ludisect.search.regions.changes import bits
from ludisect.search.regions.settling import Operator, settle, split

if TYPE_CHECKING:
    from ludisect.search.regions.guarded import OperatorSet


class Region(Position):
    """Operators that may still be made, and the facts that they depend on.

    ``live`` are the numbers of the operators, ``open`` the facts that they read and that can still change, ``facts``
    those of them that hold, and what is settled for good. Two regions are equal if nothing that can happen in them
    differs.
    """

    def __init__(self, operators: OperatorSet, live: tuple[int, ...], open_facts: int, facts: int) -> None:
        self.operators, self.live, self.open, self.facts = operators, live, open_facts, facts
        self.name = operators.name  # type: ignore[misc]

    @classmethod
    def at(cls, operators: OperatorSet, among: Sequence[int], facts: int) -> Region:
        """What some operators make of the facts that hold: all regions in one, which ``parts`` are apart."""
        live, open_facts = settle(operators.listed, among, facts)
        operators.refuse_passes(live, open_facts)
        return cls(operators, live, open_facts, facts)

    @property
    def holding(self) -> int:
        """The open facts that hold."""
        return self.facts & self.open

    def _operator(self, number: int) -> Operator:
        return self.operators.listed[number]

    # ---- what a position is ----

    def moves(self, player: Player) -> Sequence[int]:
        found: dict[tuple[int, int], int] = {}
        for i in self.live:
            op = self._operator(i)
            if op.player is player and op.fits(self.facts):
                # operators that differ in settled facts alone do the same
                found.setdefault((op.sets & self.open, op.clears & self.open), i)
        return list(found.values())

    def play(self, player: Player, move: int) -> Region:
        op = self._operator(move) if move in self.live else None
        if op is None or op.player is not player or not op.fits(self.facts):
            raise self.illegal(player, move)
        return Region.at(self.operators, self.live, op.after(self.facts))

    def illegal(self, player: Player, move: int) -> IllegalMove:
        """The error that says which moves there are instead."""
        text = self._operator(move).move if move in self.live else str(move)
        return IllegalMove(self.operators.role(player), text, [self.move_text(m) for m in self.moves(player)])

    def parts(self) -> Sequence[Region]:
        pieces = split(self.operators.listed, self.live, self.open)
        if len(pieces) == 1 and pieces[0][1] == self.open:
            return [self]
        return [Region(self.operators, live, open_facts, self.facts) for live, open_facts in pieces]

    def key(self) -> tuple[Hashable, bool]:
        """A name that isomorphic regions share, of whatever game, and whether it is the name of the negative."""
        return self._named

    @cached_property
    def _named(self) -> tuple[Hashable, bool]:
        from ludisect.search.regions.naming import NAMED, name_of

        if not self.fits_compiled or len(self.live) > NAMED:
            # games of one name can have other operators, and a fact that is settled is not one that is open and fails
            return (self.name, self.operators.digest, self.live, self.open, self.holding), False
        one, two, negative = name_of(self)
        return ("region", one, two), negative

    @cached_property
    def value(self) -> Value:
        """The value, by compiled search where the region is not small.

        Raises:
            BudgetExceeded: the game is too deep, or its parts make too large a sum.
        """
        if not self._is_small and self.fits_compiled:
            from ludisect.cgt.compiled import UnfitError

            with suppress(UnfitError):
                return self.operators.values.value(self)
        found = super().value
        assert isinstance(found, Value)  # no move of a region wins outright
        return found

    def terminal_value(self) -> Value | None:
        """The value, if compiled search finds it quickly."""
        if self._is_small or not self.fits_compiled:
            return None
        from ludisect.cgt.compiled import UnfitError

        with suppress(UnfitError, BudgetExceeded):
            return self.operators.values.value(self, nodes=SearchLimits.current().regions_quick)
        return None

    @property
    def _is_small(self) -> bool:
        return len(self.live) <= SearchLimits.current().regions_plain

    @property
    def fits_compiled(self) -> bool:
        """Whether compiled search takes it."""
        from ludisect.search.regions.book import MOST_FACTS

        return self.open.bit_count() <= MOST_FACTS

    def bounds(self) -> tuple[Number, Number] | None:
        """Nobody makes more moves than there are facts to change for good, where every move changes one so."""
        left, right = self._most_moves(Player.LEFT), self._most_moves(Player.RIGHT)
        return None if left is None or right is None else (-right, left)

    def _most_moves(self, player: Player) -> int | None:
        """A number of moves that a player cannot exceed, whatever the other does; None if none is seen."""
        listed = [self._operator(i) for i in self.live]
        set_, cleared = 0, 0
        for op in listed:
            set_, cleared = set_ | op.sets, cleared | op.clears
        width = len(self.operators.facts)
        # facts that are cleared for good, and behind them those that are set for good
        taken = [
            op.needs & op.clears & self.open & ~set_ | (op.bars & op.sets & self.open & ~cleared) << width
            for op in listed
            if op.player is player
        ]
        if not all(taken):
            return None
        most = 0
        while taken:
            # of operators that take away the same fact, one is made
            shared = max(bits(taken[0]), key=lambda f: sum(word >> f & 1 for word in taken))
            taken = [word for word in taken if not word >> shared & 1]
            most += 1
        return most

    def estimate(self) -> Number:
        """The live operators of Left minus those of Right."""
        left = sum(self._operator(i).player is Player.LEFT for i in self.live)
        return 2 * left - len(self.live)

    def move_text(self, move: int) -> str:
        """The move as the rules write it."""
        return self._operator(move).move

    def diagram(self) -> Diagram:
        """The squares of its facts; see ``regiondiagram``."""
        from ludisect.search.regions.regiondiagram import region_diagram

        return region_diagram(self)

    def cell_glyph(self, cell: int) -> str:
        return "counter" if self.diagram().holds[cell] else ""

    def _repr_svg_(self) -> str:
        """For notebooks."""
        return self.picture()

    # ---- Python ----

    @cached_property
    def _identity(self) -> tuple[object, ...]:
        return self.operators.digest, self.live, self.open, self.holding

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Region) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    def __str__(self) -> str:
        held = [str(self.operators.facts[f]) for f in bits(self.holding)]
        return " ".join(held) or "nothing holds"

    def __repr__(self) -> str:
        return f"<Region of {self.name}: {len(self.live)} operators, {self.open.bit_count()} open facts>"
