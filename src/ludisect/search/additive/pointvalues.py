"""Sums of games for points where no move hurts: their values, as small as they can be (Milnor 1953).

Such a game is a number (nobody can move, that many points for the first player), or both players can move in it, and
the first player gets at least as much if he begins as if he does not: L(G) >= R(G), here and after all moves. Both are
called its stops. J. Milnor, "Sums of positional games" (1953; see also O. Hanner, 1959) shows that sums of such games
are such games, and that

    R(G) + R(H)  <=  R(G + H)  <=  R(G) + L(H)  <=  L(G + H)  <=  L(G) + L(H),

because whoever is to reply can reply where the other moved, and a move elsewhere costs him nothing if there is none.
So G + X never gives the first player less than H + X, whatever X is and whoever begins, exactly if R(G - H) >= 0, where
-H is H with the players exchanged. Games that are at least each other are equal, G - G is zero, and a game whose stops
are the same is that number. A move is dropped if another is at least as good, and replaced by the moves that follow a
reply that leaves the mover no better off than before: none if the reply leaves a number n, for then G - n does not lose
for the second player either, and what made L(G) greater than R(G) >= n is another move. So equal games get one form.

A value is a *shape* and an *offset*, the points added to it; shape 0 is the number zero, every other has R = 0.
"""

from __future__ import annotations

from collections.abc import Iterable

from ludisect.errors import Zugzwang
from ludisect.progress import report
from ludisect.search.budget import Budget
from ludisect.search.limits import SearchLimits
from ludisect.search.way import Inapplicable

Value = tuple[int, int]
"""(shape, offset)."""

Options = tuple[Value, ...]

ZERO: Value = (0, 0)

STEPS = 5_000
"""Steps (see ``effort``) that a value or a comparison counts, about."""


def shifted(value: Value, points: int) -> Value:
    """The value with points added."""
    return value[0], value[1] + points


class Forms:
    """Values made from their options, each kept once; all arithmetic is here."""

    def __init__(self, budget: Budget | None = None, *, most: int | None = None) -> None:
        limits = SearchLimits.current()
        self._budget, self._most = budget or Budget(), limits.pointvalues_shapes if most is None else most
        self._tallest = limits.pointvalues_moves
        self._left: list[Options] = [()]
        self._right: list[Options] = [()]
        self._height: list[int] = [0]
        self._first: list[int] = [0]  # the left stop of a shape; its right stop is 0
        self._known: dict[tuple[Options, Options], Value] = {}
        self._compared: dict[tuple[bool, int, int, int], bool] = {}
        self._counted = 0
        self._sums: dict[tuple[int, int], Value] = {}
        self._negatives: dict[int, Value] = {0: ZERO}

    def __len__(self) -> int:
        return len(self._left)

    # ---- what a value is ----

    def left_stop(self, value: Value) -> int:
        """What the first player gets if he begins."""
        return self._first[value[0]] + value[1]

    def right_stop(self, value: Value) -> int:
        """What the first player gets if the second begins."""
        return value[1]

    def left(self, value: Value) -> list[Value]:
        """Where the first player can move to."""
        return [shifted(x, value[1]) for x in self._left[value[0]]]

    def right(self, value: Value) -> list[Value]:
        """Where the second player can move to."""
        return [shifted(x, value[1]) for x in self._right[value[0]]]

    # ---- making values ----

    def make(self, left: Iterable[Value], right: Iterable[Value]) -> Value:
        """The value of a position from those of the moves of both players, who each have some.

        Raises:
            Zugzwang: neither player wants to move.
        """
        mine, other = set(left), set(right)
        high = max(map(self.right_stop, mine))
        low = min(map(self.left_stop, other))
        if high < low:
            raise Zugzwang("a position is better for the player who need not move in it")
        if high == low:
            return 0, low
        key = self._key(mine, other, low)
        if key not in self._known:
            raw = self._add(key, high - low)
            simple = self._key(self._simplified(raw, 0), self._simplified(raw, 1), 0)
            if simple == key:
                self._known[key] = raw
            else:
                if simple not in self._known:
                    self._known[simple] = self._add(simple, high - low)
                self._known[key] = self._known[simple]
        return shifted(self._known[key], low)

    @staticmethod
    def _key(left: set[Value], right: set[Value], low: int) -> tuple[Options, Options]:
        return tuple(sorted((s, x - low) for s, x in left)), tuple(sorted((s, x - low) for s, x in right))

    def _add(self, options: tuple[Options, Options], first: int) -> Value:
        if len(self) >= self._most:
            raise Inapplicable(f"the sum has more than {self._most} really different followers")
        report("comparing values", len(self))
        self._budget.check(steps=STEPS * (1 + len(self._compared) - self._counted))
        self._counted = len(self._compared)
        self._left.append(options[0])
        self._right.append(options[1])
        self._first.append(first)
        self._height.append(1 + max(self._height[s] for some in options for s, _ in some))
        return len(self) - 1, 0

    def _simplified(self, value: Value, player: int) -> set[Value]:
        """The player's moves without dominated and reversible ones (some remain, see above)."""
        mine, other = (self.left, self.right) if player == 0 else (self.right, self.left)
        waiting, kept = set(mine(value)), set[Value]()
        while waiting:
            move = waiting.pop()
            for reply in other(move):
                if self._as_good(player, value, reply):
                    waiting |= set(mine(reply)) - kept
                    break
            else:
                kept.add(move)
        return {x for x in kept if not any(y != x and self._as_good(player, y, x) for y in kept)}

    def _as_good(self, player: int, a: Value, b: Value) -> bool:
        return self.at_least(a, b) if player == 0 else self.at_least(b, a)

    # ---- order ----

    def at_least(self, a: Value, b: Value) -> bool:
        """Whether the first player never prefers b: R(a - b) >= 0."""
        gap = a[1] - b[1]
        if a[0] == b[0]:
            return gap >= 0
        if gap >= self._first[b[0]]:
            return True  # R(a) >= L(b)
        if gap < 0 or self._first[a[0]] + gap < self._first[b[0]]:
            return False  # one of its stops is less
        key = (False, a[0], b[0], gap)
        if key not in self._compared:
            self._compared[key] = all(self._reaches(x, b) for x in self.right(a)) and all(
                self._reaches(a, y) for y in self.left(b)
            )
        return self._compared[key]

    def _reaches(self, a: Value, b: Value) -> bool:
        """L(a - b) >= 0."""
        gap = a[1] - b[1]
        if gap >= 0 or self._first[a[0]] + gap >= self._first[b[0]]:
            return True  # R(a) >= R(b), or L(a) >= L(b)
        if self._first[a[0]] + gap < 0:
            return False  # L(a) < R(b)
        key = (True, a[0], b[0], gap)
        if key not in self._compared:
            self._compared[key] = any(self.at_least(x, b) for x in self.left(a)) or any(
                self.at_least(a, y) for y in self.right(b)
            )
        return self._compared[key]

    # ---- arithmetic ----

    def negative(self, value: Value) -> Value:
        """The game with the players exchanged."""
        shape, points = value
        if shape not in self._negatives:
            self._negatives[shape] = self.make(
                map(self.negative, self._right[shape]), map(self.negative, self._left[shape])
            )
        return shifted(self._negatives[shape], -points)

    def plus(self, a: Value, b: Value) -> Value:
        """The sum: who moves picks one of the two games and moves there."""
        points = a[1] + b[1]
        one, two = sorted((a[0], b[0]))
        if one == 0:
            return two, points
        if self._height[one] + self._height[two] > self._tallest:
            raise Inapplicable(f"plays of more than {self._tallest} moves are too long to compare their positions")
        if (one, two) not in self._sums:
            opposite = self.negative((one, 0))
            if opposite[0] == two:
                self._sums[one, two] = 0, -opposite[1]
            else:
                x, y = (one, 0), (two, 0)
                self._sums[one, two] = self.make(
                    [*(self.plus(m, y) for m in self._left[one]), *(self.plus(x, m) for m in self._left[two])],
                    [*(self.plus(m, y) for m in self._right[one]), *(self.plus(x, m) for m in self._right[two])],
                )
        return shifted(self._sums[one, two], points)

    def total(self, values: Iterable[Value]) -> Value:
        """The sum of many: what cancels out first, then the smallest first, made small again after each."""
        out = 0
        shapes: list[int] = []
        for shape, points in values:
            out += points
            opposite = self.negative((shape, 0))
            if shape and opposite[0] in shapes:
                shapes.remove(opposite[0])
                out -= opposite[1]
            elif shape:
                shapes.append(shape)
        found: Value = (0, out)
        for shape in sorted(shapes, key=lambda s: (self._height[s], s)):
            found = self.plus(found, (shape, 0))
        return found
