"""``NetRegion``: a region of a game in which some guards are nets, a position like any other.

Settling and naming are compiled, the search over its positions is not: it is that of any ruleset.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ludisect.cgt import Value, number
from ludisect.cgt.compiled import UnfitError
from ludisect.circuit.netlist import TRUE
from ludisect.errors import BudgetExceeded
from ludisect.rulesets.position import Player
from ludisect.search.limits import SearchLimits
from ludisect.search.regions.book import MOST_FACTS
from ludisect.search.regions.netnaming import net_name
from ludisect.search.regions.nets import Gates, GuardNets, Ints, fitting, folded, labelled, settle_nets
from ludisect.search.regions.netvalues import net_worth
from ludisect.search.regions.region import Region

if TYPE_CHECKING:
    from ludisect.search.regions.guarded import OperatorSet


class NetRegion(Region):
    """Operators that may still be made, with what is left of their guards."""

    def __init__(self, operators: OperatorSet, live: Ints, open_facts: int, facts: int, gates: Gates) -> None:
        super().__init__(operators, tuple(live.tolist()), open_facts, facts)
        self.gates, self._live = gates, live

    @classmethod
    def start(cls, operators: OperatorSet, nets: GuardNets, facts: int) -> NetRegion:
        """All that can be played where these facts hold, in one position."""
        return cls._settled(operators, nets, nets.gates, np.arange(len(operators.listed), dtype=np.int32), facts)

    @classmethod
    def _settled(cls, operators: OperatorSet, nets: GuardNets, gates: Gates, among: Ints, facts: int) -> NetRegion:
        live, gates, read = settle_nets(nets, gates, among, facts)
        found = cls(operators, live, nets.word(read), facts, gates)
        for i, guard in zip(found.live, gates.guards.tolist(), strict=True):
            if guard == TRUE and not operators.listed[i].changes & found.open:
                operators.refuse_passes([i], 0)
        return found

    @property
    def nets(self) -> GuardNets:
        """The guards of the game that it is a region of."""
        assert self.operators.nets is not None
        return self.operators.nets

    # ---- what a position is ----

    def moves(self, player: Player) -> Sequence[int]:
        found: dict[tuple[int, int], int] = {}
        for i in self._made:
            op = self._operator(i)
            if op.player is player:
                found.setdefault((op.sets & self.open, op.clears & self.open), i)
        return list(found.values())

    @cached_property
    def _made(self) -> tuple[int, ...]:
        """The operators that can be made now."""
        gates, nets = self.gates, self.nets
        now = fitting(nets.first, gates.start, gates.literals, gates.guards, nets.marks(self.facts))
        return tuple(self._live[now].tolist())

    def play(self, player: Player, move: int) -> NetRegion:
        if move not in self._made or self._operator(move).player is not player:
            raise self.illegal(player, move)
        facts = self._operator(move).after(self.facts)
        return self._settled(self.operators, self.nets, self.gates, self._live, facts)

    def parts(self) -> Sequence[NetRegion]:
        gates, nets = self.gates, self.nets
        labels = labelled(
            nets.first, gates.start, gates.literals, gates.guards, self._live, nets.effects_at, nets.effects,
            nets.marks(self.open),
        )  # fmt: skip
        of_fact, of_operator = labels[: nets.facts], labels[nets.facts :]
        groups = list(dict.fromkeys(of_operator.tolist()))
        if len(groups) == 1:
            return [self]
        out = []
        for group in groups:
            mine = of_operator == group
            some = self._below(gates.guards[mine])
            facts = nets.word((of_fact == group).astype(np.uint8)) & self.open
            out.append(NetRegion(self.operators, self._live[mine], facts, self.facts, some))
        return out

    def _below(self, guards: Ints) -> Gates:
        """The gates below some of the guards."""
        gates, first = self.gates, self.nets.first
        can = np.ones((2, first + gates.start.size - 1), np.uint8)
        can[0, 0] = 0
        start, literals, guards, _ = folded(first, gates.start, gates.literals, guards, can)
        return Gates(start, literals, guards)

    # ---- values ----

    @cached_property
    def value(self) -> Value:
        """The value, by compiled search over the states of each part.

        Raises:
            BudgetExceeded: there are too many states, or a play does not end.
        """
        return sum((part._found() for part in self.parts()), number(0))

    def terminal_value(self) -> Value | None:
        """The value, if compiled search finds it quickly."""
        limits = SearchLimits.current()
        if len(self.live) > limits.regions_net_live:
            return None
        with suppress(UnfitError, BudgetExceeded):
            return self._found(limits.regions_net_states)
        return None

    def _found(self, nodes: int | None = None) -> Value:
        if self.open.bit_count() > MOST_FACTS:
            raise BudgetExceeded(f"a region of more than {MOST_FACTS} open facts is too large", budget="nodes")
        return net_worth(self, self.operators.values, nodes=nodes)

    # ---- names ----

    def key(self) -> tuple[Hashable, bool]:
        """A name that isomorphic regions share, of whatever game, and whether it is the name of the negative."""
        return self._named

    @cached_property
    def _named(self) -> tuple[Hashable, bool]:
        rights = int(self.nets.who[self._live].sum())
        lefts = len(self.live) - rights
        if lefts != rights:
            return ("net region", *self._name(int(rights > lefts))), rights > lefts
        one, two = self._name(0), self._name(1)
        return ("net region", *min(one, two)), two < one

    def _name(self, swap: int) -> tuple[int, int]:
        """The name of the region, or of its negative if ``swap`` is 1; -1 tells apart what lies in different places."""
        gates, nets, out = self.gates, self.nets, np.zeros(2, np.int64)
        net_name(
            nets.first, gates.start, gates.literals, gates.guards, self._live, nets.who, nets.effects_at, nets.effects,
            nets.marks(self.open), nets.marks(self.facts), swap, out,
        )  # fmt: skip
        return int(out[0]), int(out[1])

    @cached_property
    def _identity(self) -> tuple[object, ...]:
        return (*super()._identity, *self._name(-1))

    @property
    def fits_compiled(self) -> bool:
        """No: the compiled search knows guards that are conjunctions."""
        return False
