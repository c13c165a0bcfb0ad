"""A sum split into parts: its moves by the part in which they are made, and what becomes of that part.

A component may consist of several parts, and a move may split one again. Parts are cut out of their board, so a move of
the board is told to its part by what is missing afterwards: all other parts are still there, equal to what they were.

Reference: Mäser, *Game Bench* (2001), 2.3 and 4.2.3 (steps of sum play).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

from ludisect.cgt import Value, number
from ludisect.rulesets.position import Component, Player, Position
from ludisect.sums.table import Sum, SumMove

Parts = tuple[Component, ...]
"""Parts beside each other; usually one."""


@dataclass(frozen=True, slots=True)
class PartMove:
    """A move in a sum: the part in which it is made (several, or none, where a game does not say), what it becomes."""

    move: SumMove
    part: Parts
    after: Parts


def split(component: Component) -> list[Component]:
    """The independent parts of a component; points that nobody can change are a number."""
    return [_settled(part) for part in component.parts()] if isinstance(component, Position) else [component]


def _settled(part: Position) -> Component:
    points = part.score()
    return part if points is None or part.moves(Player.LEFT) else number(points)


def all_parts(game: Sum) -> list[Component]:
    """The parts of all components."""
    return [part for x in game.components for part in split(x)]


def part_moves(game: Sum, player: Player) -> list[PartMove]:
    """The moves of a player by their parts; of those that do the same to equal parts, the first."""
    before = [Counter(split(x)) for x in game.components]
    found: dict[tuple[Parts, Parts], PartMove] = {}
    for move in game.moves(player):
        part, after = changed(before[move.component], move.after)
        found.setdefault((part, after), PartMove(move, part, after))
    return list(found.values())


def changed(before: Counter[Component], component: Component) -> tuple[Parts, Parts]:
    """Which parts are gone from a component, and which are new in it; points only by how many more there are."""
    after = Counter(split(component))
    gone, new = list((before - after).elements()), list((after - before).elements())
    points = sum((x.number for x in new if _number(x)), Fraction(0)) - sum(  # type: ignore[union-attr]
        (x.number for x in gone if _number(x)),  # type: ignore[union-attr]
        Fraction(0),
    )
    new = [x for x in new if not _number(x)] + ([number(points)] if points else [])
    return tuple(x for x in gone if not _number(x)), tuple(new)


def _number(x: Component) -> bool:
    return isinstance(x, Value) and x.is_number
