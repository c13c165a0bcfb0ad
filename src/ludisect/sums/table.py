"""A sum on the table: components that are positions or values, its moves, and what is known of each component."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ludisect.cgt import Thermograph, Value, budget, number
from ludisect.errors import IllegalMove
from ludisect.rulesets.position import Player, Position
from ludisect.sums.local import LocalSearch

Component = Value | Position
"""A value stands for the game of its canonical form."""


@dataclass(frozen=True, slots=True)
class SumMove:
    """A move in one component: which, what, and what becomes of the component."""

    component: int
    move: Any
    after: Component
    text: str


ADDITION_NODES = 20_000
"""Canonical forms that may be made to add up the parts of one component."""


class Sum:
    """A sum of components; immutable. All sums that grow out of one share what the local search knows."""

    def __init__(self, components: Sequence[Component], *, search: LocalSearch | None = None) -> None:
        self.components = tuple(components)
        self.search = search or LocalSearch()

    def __str__(self) -> str:
        return " + ".join(f"{x.name} {x}" if isinstance(x, Position) else str(x) for x in self.components)

    def moves(self, player: Player) -> list[SumMove]:
        """All moves of ``player``, component by component."""
        out: list[SumMove] = []
        for i, x in enumerate(self.components):
            if isinstance(x, Value):
                options = x.left if player is Player.LEFT else x.right
                out.extend(SumMove(i, k, y, f"{i + 1}: to {y}") for k, y in enumerate(options))
            else:
                out.extend(SumMove(i, m, x.play(player, m), f"{i + 1}: {x.move_text(m)}") for m in x.moves(player))
        return out

    def play(self, move: SumMove) -> Sum:
        """The sum after ``move``, one of its moves."""
        i = move.component
        return Sum((*self.components[:i], move.after, *self.components[i + 1 :]), search=self.search)

    def find(self, player: Player, text: str) -> SumMove:
        """The move with this text.

        Raises:
            IllegalMove: there is none; the message lists some.
        """
        moves = self.moves(player)
        for move in moves:
            if move.text == text:
                return move
        raise IllegalMove(player.name.lower(), text, [m.text for m in moves])

    # ---- what is known locally ------------------------------------------------------------------------------------

    def values(self, component: Component) -> list[Value]:
        """The values of the independent parts of ``component``."""
        return [component] if isinstance(component, Value) else self.search.part_values(component)

    def all_values(self) -> list[Value]:
        """The values of all parts of all components; their sum is the value of this sum."""
        return [g for x in self.components for g in self.values(x)]

    def value(self, component: Component) -> Value:
        """The value of ``component`` as a whole.

        Raises:
            BudgetExceeded: its parts make too large a sum (within a :func:`ludisect.cgt.budget`).
        """
        return sum(self.values(component), number(0))

    def thermograph(self, component: Component) -> Thermograph:
        """The thermograph of ``component``.

        Raises:
            BudgetExceeded: its parts make too large a sum.
        """
        values = self.values(component)
        if len(values) == 1:
            return values[0].thermograph
        with budget(nodes=ADDITION_NODES):
            return self.value(component).thermograph
