"""The value of a thorny compound by plain recursion over its plan, without any code of the searches.

The rule of play is the one of the searches (docs/rule-of-play.md), written down a second time: who holds answers
against these values also holds the searches' idea of the rule against it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

from ludisect.composition.thorny.blueprint import Position, ThornyPlan

Vector = tuple[Fraction, ...]


@dataclass(frozen=True)
class KnownWorth:
    """What every role gets in best play from a position, the rule of play, and how many positions there are."""

    rule: str
    value: Vector
    positions: int
    values: dict[Position, Vector]
    """Of every position that play can reach from there, by the same rule."""


class TooLargeError(Exception):
    """More positions than were allowed, or plays that go round in circles."""


def plain_value(plan: ThornyPlan, start: Position, most: int) -> KnownWorth:
    """The value of a position with at most so many positions after it; raises TooLargeError."""
    follow, order = _explored(plan, start, most)
    rule = _rule(plan, follow)
    values: dict[Position, Vector] = {}
    for position in order:
        if plan.over(position):
            values[position] = _paid(plan, position)
        elif not follow[position]:
            values[position] = (Fraction(0),) * len(plan.roles)  # somebody has no move: nobody gets anything
        else:
            values[position] = _backed_up(rule, follow[position], values, len(plan.roles))
    return KnownWorth(rule, values[start], len(order), values)


Joints = dict[tuple[int, ...], Position]
"""Per combination of moves (by number, role by role), where it leads."""


def _explored(plan: ThornyPlan, start: Position, most: int) -> tuple[dict[Position, Joints], list[Position]]:
    """Where every joint move leads, and all positions, each behind those that follow it."""
    follow: dict[Position, Joints] = {}
    order: list[Position] = []
    under_way: set[Position] = set()
    stack: list[tuple[Position, bool]] = [(start, False)]
    while stack:
        position, done = stack.pop()
        if done:
            under_way.discard(position)
            order.append(position)
            continue
        if position in under_way:
            raise TooLargeError("play can come back to where it was")
        if position in follow:
            continue
        if len(follow) >= most:
            raise TooLargeError(f"more than {most} positions")
        under_way.add(position)
        follow[position] = {} if plan.over(position) else _joints(plan, position)
        stack.append((position, True))
        for later in set(follow[position].values()):
            if later in under_way:
                raise TooLargeError("play can come back to where it was")
            stack.append((later, False))
    return follow, order


def _joints(plan: ThornyPlan, position: Position) -> Joints:
    each = [plan.choices(position, r) for r in range(len(plan.roles))]
    out = {}
    for numbers in product(*(range(len(some)) for some in each)):
        joint = tuple(some[n] for some, n in zip(each, numbers, strict=True))
        out[numbers] = plan.after(position, joint)
    return out


def _paid(plan: ThornyPlan, position: Position) -> Vector:
    return tuple(Fraction(goal or 0) for goal in plan.goals(position))


def choosing(joints: Joints, roles: int) -> list[int]:
    """The roles that have a choice: for some moves of the others, two of their own lead to different positions."""
    found = []
    for r in range(roles):
        reached: dict[tuple[int, ...], set[Position]] = {}
        for numbers, later in joints.items():
            reached.setdefault((*numbers[:r], *numbers[r + 1 :]), set()).add(later)
        if any(len(some) > 1 for some in reached.values()):
            found.append(r)
    return found


def _rule(plan: ThornyPlan, follow: dict[Position, Joints]) -> str:
    """The rule of play for all that can follow a position."""
    roles = len(plan.roles)
    if roles == 1:
        return "optimum"
    if all(len(choosing(joints, roles)) < 2 for joints in follow.values()):
        return "max-n"
    ends = [position for position in follow if plan.over(position)]
    sums = {sum(_paid(plan, position)) for position in ends}
    if any(not joints and not plan.over(position) for position, joints in follow.items()):
        sums.add(Fraction(0))
    return "equilibrium" if roles == 2 and ends and len(sums) == 1 else "pessimistic"


def _backed_up(rule: str, joints: Joints, values: dict[Position, Vector], roles: int) -> Vector:
    """The value of a position from those of the ones that follow."""
    found = {numbers: values[later] for numbers, later in joints.items()}
    choose = choosing(joints, roles)
    if rule == "equilibrium" and len(choose) == 2:
        rows, columns = (sorted({numbers[r] for numbers in found}) for r in (0, 1))
        first = matrix_value([[found[i, j][0] for j in columns] for i in rows])
        return first, sum(next(iter(found.values()))) - first
    if rule == "pessimistic":
        return tuple(_worst_case(found, r) for r in range(roles))
    if not choose:
        return next(iter(found.values()))
    (mover,) = choose
    # most for the mover, then least for the others, one after the other
    return max(found.values(), key=lambda vector: (vector[mover], *(-x for x in vector)))


def _worst_case(found: dict[tuple[int, ...], Vector], role: int) -> Fraction:
    worst: dict[int, Fraction] = {}
    for numbers, vector in found.items():
        worst[numbers[role]] = min(worst.get(numbers[role], vector[role]), vector[role])
    return max(worst.values())


def matrix_value(payoff: list[list[Fraction]]) -> Fraction:
    """The value of a matrix game for the one who picks a row, exactly.

    A saddle point if there is one; otherwise the value of a square piece in which both mix so that the other does not
    care what he does, and which no row or column outside it improves on (Shapley and Snow 1950). What is never better
    than something else is left out first: the pieces of a large matrix are too many to be tried.
    """
    payoff = _needed(payoff)
    rows, columns = range(len(payoff)), range(len(payoff[0]))
    lower = max(min(row) for row in payoff)
    upper = min(max(payoff[i][j] for i in rows) for j in columns)
    if lower == upper:
        return lower
    for size in range(2, min(len(payoff), len(payoff[0])) + 1):
        for some in combinations(rows, size):
            for others in combinations(columns, size):
                square = [[payoff[i][j] for j in others] for i in some]
                mine = _indifferent(square)
                theirs = _indifferent([list(column) for column in zip(*square, strict=True)])
                if mine is None or theirs is None or mine[1] != theirs[1]:
                    continue
                odds, value = theirs
                guaranteed = min(sum(x * payoff[i][j] for x, i in zip(odds, some, strict=True)) for j in columns)
                odds = mine[0]
                conceded = max(sum(y * payoff[i][j] for y, j in zip(odds, others, strict=True)) for i in rows)
                if guaranteed == conceded == value:
                    return value
    raise AssertionError("every matrix game has such a piece")


def _needed(payoff: list[list[Fraction]]) -> list[list[Fraction]]:
    """The matrix without rows and columns that are nowhere better, for the one who picks them, than some other."""
    while True:
        rows = _best(payoff)
        columns = _best([[-x for x in column] for column in zip(*rows, strict=True)])
        left = [list(row) for row in zip(*([-x for x in column] for column in columns), strict=True)]
        if (len(left), len(left[0])) == (len(payoff), len(payoff[0])):
            return left
        payoff = left


def _best(rows: list[list[Fraction]]) -> list[list[Fraction]]:
    """Rows of which no other is everywhere at least as large; of equal ones, one."""
    apart = [list(row) for row in dict.fromkeys(map(tuple, rows))]
    return [
        row
        for row in apart
        if not any(row is not other and all(x <= y for x, y in zip(row, other, strict=True)) for other in apart)
    ]


def _indifferent(square: list[list[Fraction]]) -> tuple[list[Fraction], Fraction] | None:
    """Odds over the columns that make every row pay the same, and what it pays; None if there are none."""
    n = len(square)
    # unknowns: odds and the value; each row pays the value, and the odds sum to one
    table = [[*row, Fraction(-1), Fraction(0)] for row in square]
    table.append([*([Fraction(1)] * n), Fraction(0), Fraction(1)])
    for k in range(n + 1):
        pivot = next((i for i in range(k, n + 1) if table[i][k] != 0), None)
        if pivot is None:
            return None
        table[k], table[pivot] = table[pivot], table[k]
        table[k] = [x / table[k][k] for x in table[k]]
        for i in range(n + 1):
            if i != k and table[i][k] != 0:
                factor = table[i][k]
                table[i] = [x - factor * y for x, y in zip(table[i], table[k], strict=True)]
    odds = [table[i][-1] for i in range(n)]
    return (odds, table[n][-1]) if all(x >= 0 for x in odds) else None
