"""Guarded operators and what becomes of them: which can be made again, which facts they share, regions.

An operator can be made if certain facts hold and others do not; it sets facts and clears facts. *Settling* asks what
can still happen, whoever moves how often: facts that can come to hold, and facts that can cease to, by operators whose
guard such facts can satisfy. An operator that this never reaches is dead for good; a fact that cannot be both is
settled. Live operators that share no open fact never meet again: they lie in different regions.

Sets of facts are the bits of Python's integers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ludisect.rulesets.position import Player
from ludisect.search.way import Inapplicable


class NoOperators(Inapplicable):
    """The moves of a game are no guarded operators, or make no regions; the text says why."""


@dataclass(frozen=True, slots=True)
class Operator:
    """A move in one of the ways in which it can be made; facts are bits of words."""

    player: Player
    move: str
    """The move as the rules write it."""
    needs: int
    """Facts that must hold."""
    bars: int
    """Facts that must not."""
    sets: int
    clears: int
    net: bool = False
    """Whether the facts that must hold or not are not all that it asks for: the rest is a net of the operator set."""

    @property
    def reads(self) -> int:
        """The facts of its guard."""
        return self.needs | self.bars

    @property
    def changes(self) -> int:
        """The facts of its effect."""
        return self.sets | self.clears

    @property
    def touches(self) -> int:
        """The facts of its guard and of its effect."""
        return self.needs | self.bars | self.sets | self.clears

    def fits(self, facts: int) -> bool:
        """Whether it can be made where these facts hold."""
        return facts & self.needs == self.needs and not facts & self.bars

    def after(self, facts: int) -> int:
        """The facts after it was made."""
        return facts & ~self.clears | self.sets


def settle(operators: Sequence[Operator], among: Iterable[int], facts: int) -> tuple[tuple[int, ...], int]:
    """Which of some operators (by number) live where these facts hold, and the facts that are open between them."""
    can_hold, can_fail = facts, ~facts
    live: list[int] = []
    waiting = list(among)
    grown = True
    while grown:
        grown, rest = False, []
        for i in waiting:
            op = operators[i]
            if op.needs & ~can_hold or op.bars & ~can_fail:
                rest.append(i)
                continue
            live.append(i)
            can_hold |= op.sets
            can_fail |= op.clears
            grown = True
        waiting = rest
    read = 0
    for i in live:
        read |= operators[i].reads
    return tuple(sorted(live)), can_hold & can_fail & read


def split(operators: Sequence[Operator], live: Iterable[int], open_facts: int) -> list[tuple[tuple[int, ...], int]]:
    """The regions of live operators, each with its open facts; in the order of their first operators."""
    found: list[tuple[list[int], int]] = []
    for i in live:
        touched = operators[i].touches & open_facts
        members, rest = [i], []
        for group in found:
            if group[1] & touched:
                members += group[0]
                touched |= group[1]
            else:
                rest.append(group)
        found = [*rest, (members, touched)]
    return sorted((tuple(sorted(members)), touched) for members, touched in found)
