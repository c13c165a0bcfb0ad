"""Games with points as combinatorial games: final scores are numbers, nodes reduced forms.

Sound only if no position is a zugzwang: whoever moves first must not be worse off than if the opponent did. Then the
stops are the scores of best play, and sums may be valued part by part. {-1|1} and {-3|3} are both the number 0, yet in
their sum the first player gains 2. So every node is checked, and a game that fails is refused with the position that
shows it. The check also guards the reduction: {*|1} is 0, but {0|1} with * reduced to 0 is 1/2; it is a zugzwang, too.

References: Mäser, *Game Bench* (2001), 8.2; Calistrate 1996 for the reduced form.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from fractions import Fraction

from ludisect.cgt import Value, number
from ludisect.cgt.reduction import at_least, reduced_of
from ludisect.cgt.value import canonical, le
from ludisect.errors import InputError, Zugzwang
from ludisect.rulesets.position import Component, Position


def counted(component: Component) -> bool:
    """Whether a component is counted in points."""
    return isinstance(component, Position) and component.score() is not None


def all_counted(components: Iterable[Component]) -> bool:
    """Whether a sum is counted in points; bare values fit into either kind of sum.

    Raises:
        InputError: some positions are, others are won by the last move.
    """
    listed = [x for x in components if not isinstance(x, Value)]
    scored = [x for x in listed if isinstance(x, Position) and counted(x)]
    if scored and len(scored) < len(listed):
        other = next(x for x in listed if not counted(x))
        name = other.name if isinstance(other, Position) else str(other)
        raise InputError(
            f"{scored[0].name} is counted in points, {name} is won by the last move: a sum of both has no winner"
        )
    return bool(scored)


def refuse_points(components: Iterable[Component]) -> None:
    """For searches that ask who moves last.

    Raises:
        InputError: the sum is counted in points.
    """
    if all_counted(components):
        raise InputError("this sum is counted in points; ask ludisect.solve how many each player gets")


def at_most(x: Value, y: Value, *, points: bool) -> bool:
    """Whether ``x`` is at most ``y``; where ``points`` count, up to an infinitesimal, which changes no score."""
    return at_least(y, x) if points else le(x, y)


def compose(part: Position, left: Collection[Value], right: Collection[Value]) -> Value:
    """The value of a position from the values of what both players can move to; with points, in reduced form.

    Raises:
        Zugzwang: with points, the player who moves first is worse off than if the opponent did, or cannot move.
    """
    points = part.score()
    if points is None:
        return canonical(list(left), list(right))
    if not left and not right:
        return number(points)
    if not left or not right:
        stuck = "Right" if left else "Left"
        raise Zugzwang(
            f"{part.name}: in {part} only {stuck} cannot move; in a game with points both players can, or neither",
            position=part,
        )
    first, second = max(x.right_stop for x in left), min(y.left_stop for y in right)
    if first < second:
        raise Zugzwang(
            f"{part.name}: {part} is a zugzwang: it ends at {first} if Left moves first, at {second} if Right does, so "
            "nobody wants to; such scores do not add up part by part, and there is no value",
            position=part,
        )
    return reduced_of(left, right)


def points_class(left_starts: Fraction, right_starts: Fraction) -> str:
    """Who gets more points, from the scores of best play if Left and if Right starts.

    ``L``, ``R``: that player, whoever starts; ``N``: who starts; ``D``: nobody; ``LD``, ``RD``: that player if he
    starts, else nobody.
    """
    if right_starts > 0 or left_starts < 0:
        return "L" if right_starts > 0 else "R"
    return {(True, True): "N", (True, False): "LD", (False, True): "RD", (False, False): "D"}[
        left_starts > 0, right_starts < 0
    ]
