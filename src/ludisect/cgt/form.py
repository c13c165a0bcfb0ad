"""Games on their way to canonical form: dominated options deleted, reversible ones bypassed.

The order of values is handed in: it belongs to :mod:`ludisect.cgt.value`, which builds on this module.

Reference: Siegel, *Combinatorial Game Theory* (2013), II.2.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ludisect.cgt.dyadic import Number, simplest

if TYPE_CHECKING:
    from ludisect.cgt.value import Value

AtMost = Callable[["Value", "Value"], bool]
"""The order of values."""


def undominated(options: list[Value], le: AtMost, *, best: int) -> list[Value]:
    """The maximal (``best`` 1) or minimal (-1) options, each once."""
    kept: list[Value] = []
    for x in options:
        if best > 0:
            if any(le(x, y) for y in kept):
                continue
            kept = [y for y in kept if not le(y, x)]
        else:
            if any(le(y, x) for y in kept):
                continue
            kept = [y for y in kept if not le(x, y)]
        kept.append(x)
    return kept


def number_between(
    left: list[Value], right: list[Value], le: AtMost, numeral: Callable[[Number], Value]
) -> Number | None:
    """The number that the game {left|right} is, found without any reversal (simplest number theorem)."""
    low = max([x._rs for x in left], default=None)
    high = min([y._ls for y in right], default=None)
    if low is not None and high is not None and low > high:
        return None
    # The ends count only if no option reaches them: x may equal low if no left option is >= low.
    low_in = low is not None and not any(x._rs == low and le(numeral(low), x) for x in left)
    high_in = high is not None and not any(y._ls == high and le(y, numeral(high)) for y in right)
    if low == high and low is not None:
        return low if low_in and high_in else None
    return simplest(low, high, low_in=low_in, high_in=high_in)


class Form:
    """A game {left|right} that is no number, on its way to canonical form; it compares without being interned."""

    __slots__ = ("above_memo", "below_memo", "le", "left", "ls", "right", "rs")

    def __init__(self, left: list[Value], right: list[Value], le: AtMost) -> None:
        self.left, self.right, self.le = left, right, le
        self.ls: Number = max(x._rs for x in left)
        self.rs: Number = min(y._ls for y in right)
        self.below_memo: dict[int, bool] = {}
        self.above_memo: dict[int, bool] = {}

    def is_above(self, y: Value) -> bool:
        """Whether y <= this."""
        if y._ls > self.ls or y._rs > self.rs:
            return False
        if y._ls < self.rs:
            return True
        answer = self.above_memo.get(y._serial)
        if answer is None:
            le = self.le
            answer = not (
                any(le(r, y) for r in self.right) or (not y.is_number and any(self.is_below(x) for x in y.left))
            )
            self.above_memo[y._serial] = answer
        return answer

    def is_below(self, x: Value) -> bool:
        """Whether x >= this."""
        if x._ls < self.ls or x._rs < self.rs:
            return False
        if x._rs > self.ls:
            return True
        answer = self.below_memo.get(x._serial)
        if answer is None:
            le = self.le
            answer = not (
                any(le(x, y) for y in self.left) or (not x.is_number and any(self.is_above(y) for y in x.right))
            )
            self.below_memo[x._serial] = answer
        return answer

    def bypass_left(self) -> list[Value]:
        """Left's options, reversible ones replaced (again and again) by what they reverse to."""
        return self._bypass(self.left, lambda x: x.right, lambda y: y.left, self.is_above, 1)

    def bypass_right(self) -> list[Value]:
        """The mirror image."""
        return self._bypass(self.right, lambda y: y.left, lambda x: x.right, self.is_below, -1)

    def _bypass(
        self,
        options: list[Value],
        answers: Callable[[Value], tuple[Value, ...]],
        ours: Callable[[Value], tuple[Value, ...]],
        reverses: Callable[[Value], bool],
        best: int,
    ) -> list[Value]:
        kept: list[Value] = []
        stack, replaced = list(options), False
        while stack:
            x = stack.pop()
            for y in answers(x):
                if reverses(y):
                    stack.extend(ours(y))
                    replaced = True
                    break
            else:
                kept.append(x)
        return undominated(kept, self.le, best=best) if replaced else kept
