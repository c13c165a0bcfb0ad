"""``Operators``: the moves of a game as guarded operators, and the regions of a state."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ludisect.circuit.game import Game
from ludisect.circuit.rows import unpack
from ludisect.errors import InputError
from ludisect.gdl.machine import Fluents
from ludisect.gdl.state import State
from ludisect.gdl.terms import Term
from ludisect.rulesets.position import Player
from ludisect.search.regions.nets import GuardNets
from ludisect.search.regions.region import Region
from ludisect.search.regions.settling import NoOperators, Operator

if TYPE_CHECKING:
    from ludisect.search.regions.regionvalues import RegionValues
    from ludisect.search.regions.winsearch import RegionWins

SIDES = (Player.LEFT, Player.RIGHT)
"""By role: the first is Left."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn: what holds of the facts that run by themselves (fluent -> 0 or 1), and the role that chooses."""

    context: dict[int, int]
    mover: int


@dataclass(frozen=True, eq=False)
class OperatorSet:
    """Operators by number, with names for the facts that they read and change; ``roles`` are Left's and Right's."""

    name: str
    roles: tuple[str, str]
    facts: tuple[Term, ...]
    """Bit k of the operators' words is ``facts[k]``."""
    listed: tuple[Operator, ...]
    nets: GuardNets | None = field(default=None, kw_only=True)
    """The guards as nets, where some are no small disjunctions."""

    def __len__(self) -> int:
        return len(self.listed)

    def __repr__(self) -> str:
        return f"<Operators of {self.name}: {len(self.listed)} on {len(self.facts)} facts>"

    @cached_property
    def digest(self) -> bytes:
        """Of what the operators do: values that are kept must not be taken for those of other rules."""
        listed = [(op.player.value, op.needs, op.bars, op.sets, op.clears) for op in self.listed]
        nets = b"" if self.nets is None else self.nets.to_bytes()
        return blake2b(repr(listed).encode() + nets, digest_size=16).digest()

    @cached_property
    def values(self) -> RegionValues:
        """The compiled search for values, shared by all regions of these operators; its kernels are waited for."""
        from ludisect.search.regions.regionvalues import RegionValues

        return RegionValues()

    @cached_property
    def wins(self) -> RegionWins:
        """The compiled search for who wins; what it remembers of one question serves the next."""
        from ludisect.search.regions.winsearch import RegionWins

        return RegionWins(self.values)

    def role(self, player: Player) -> str:
        """The role of a player."""
        return self.roles[SIDES.index(player)]

    def where(self, facts: int) -> Region:
        """All that can still be played where these facts hold, in one position; its ``parts`` are the regions.

        Raises:
            NoOperators: a move could be made for ever.
        """
        if self.nets is not None:
            from ludisect.search.regions.netregion import NetRegion

            return NetRegion.start(self, self.nets, facts)
        return Region.at(self, range(len(self.listed)), facts)

    def refuse_passes(self, live: Iterable[int], open_facts: int) -> None:
        """Raise NoOperators if an operator depends on nothing that can change: it would be a pass for ever."""
        for op in map(self.listed.__getitem__, live):
            if not (op.sets | op.clears | op.needs | op.bars) & open_facts:
                raise NoOperators(
                    f"{self.role(op.player)} could make the move {op.move} for ever: nothing that happens forbids it"
                )


@dataclass(frozen=True, eq=False, repr=False)
class Operators(OperatorSet):
    """The operators of a game; fact k is its fluent ``numbers[k]``."""

    game: Game
    numbers: tuple[int, ...]
    turns: tuple[Turn, ...]

    # ---- states ----

    def mover(self, state: State[Any] | Fluents | NDArray[np.uint64]) -> Player:
        """Whose turn it is in a state.

        Raises:
            InputError: no turn that the rules lead to has such facts.
        """
        holds = self._holds(state)
        for turn in self.turns:
            if all(holds[f] == value for f, value in turn.context.items()):
                return SIDES[turn.mover]
        raise InputError(f"in that state of {self.game.name} it is nobody's turn: no play leads to {self._turn(holds)}")

    def word(self, state: State[Any] | Fluents | NDArray[np.uint64]) -> int:
        """The facts that hold in a state, as bits."""
        held = self._holds(state)[list(self.numbers)]
        return int.from_bytes(np.packbits(held, bitorder="little").tobytes(), "little")

    def whole(self, state: State[Any] | Fluents | NDArray[np.uint64]) -> Region:
        """All that can still be played from a state, in one position; its ``parts`` are the regions.

        Raises:
            NoOperators: a move could be made for ever.
        """
        return self.where(self.word(state))

    def regions(self, state: State[Any] | Fluents | NDArray[np.uint64]) -> list[Region]:
        """The regions of a state (or of its packed row): positions whose sum it is, whoever moves.

        Raises:
            NoOperators: a move could be made for ever.
        """
        return list(self.whole(state).parts())

    def _holds(self, state: State[Any] | Fluents | NDArray[np.uint64]) -> NDArray[np.bool_]:
        if isinstance(state, State):
            state = state.fluents
        row = state if isinstance(state, np.ndarray) else self.game.batch.row(state)
        holds: NDArray[np.bool_] = unpack(np.atleast_2d(row), len(self.game.fluents))[0]
        return holds

    def _turn(self, holds: NDArray[np.bool_]) -> str:
        facts = [str(self.game.fluents[f]) for f in self.turns[0].context if holds[f]]
        return " ".join(facts) or "a state without a turn"
